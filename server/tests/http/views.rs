//! What tables of pages show, as files: of everyone in `/api/v1/views`, of a team beside its pages.

use crate::accounts::{save, signed_up};
use crate::support::{Answer, Server};
use serde_json::Value;

fn cells(answer: &Answer) -> Vec<Vec<String>> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(answer.body.as_slice());
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}

#[tokio::test]
async fn a_view_is_what_its_page_shows() {
    let server = Server::start().await;
    let caller = server.caller();
    let view =
        "accelerator=h100-sxm&term=on_demand&sort=-usd_per_gpu_hour&columns=accelerator,provider,usd_per_gpu_hour";
    let of_page: Vec<String> = view.split('&').map(|pair| format!("clouds.{pair}")).collect();
    let page = caller.get(&format!("/catalog?{}", of_page.join("&"))).await;
    assert_eq!(page.status, 200);
    let link = format!("href=\"/api/v1/views/clouds.csv?{}\"", view.replace('&', "&amp;"));
    assert!(page.text().contains(&link), "{link}");
    let answer = caller.get(&format!("/api/v1/views/clouds.csv?{view}")).await;
    assert!(answer.header("content-disposition").starts_with("attachment"));
    let read = cells(&answer);
    assert_eq!(read[0][..3], ["accelerator", "provider", "usd_per_gpu_hour"]);
    assert_eq!(read[0][3..], ["source", "date", "confidence"].map(|part| format!("usd_per_gpu_hour_{part}")));
    let rows = caller.get(&format!("/api/v1/views/clouds.json?{view}")).await.json();
    let rows = rows.as_array().unwrap();
    assert_eq!(rows.len() + 1, read.len());
    for (row, cells) in rows.iter().zip(&read[1..]) {
        assert_eq!(row["usd_per_gpu_hour"].as_f64(), cells[2].parse().ok());
    }
    assert!(rows.windows(2).all(|pair| pair[0]["usd_per_gpu_hour"].as_f64() >= pair[1]["usd_per_gpu_hour"].as_f64()));
    assert!(caller.get(&format!("/api/v1/views/clouds.xlsx?{view}")).await.body.starts_with(b"PK"));
    let tag = answer.header("etag").to_owned();
    let again = caller.get_with(&format!("/api/v1/views/clouds.csv?{view}"), &[("if-none-match", &tag)]).await;
    assert_eq!(again.status, 304);
    for name in app::pages::listings::NAMES {
        assert!(cells(&caller.get(&format!("/api/v1/views/{name}.csv")).await).len() > 1, "{name}");
    }
}

#[tokio::test]
async fn what_is_not_known_is_said_or_finds_nothing() {
    let server = Server::start().await;
    let mut caller = server.caller();
    for path in ["strange.csv", "clouds.pdf", "clouds"] {
        assert_eq!(caller.get(&format!("/api/v1/views/{path}")).await.status, 404, "{path}");
    }
    let wrong = caller.get("/api/v1/views/clouds.json?sort=price&columns=provider,prise&acelerator=b200").await;
    assert_eq!(wrong.status, 422);
    let text = wrong.text();
    assert!(text.contains("`price`") && text.contains("`prise`") && text.contains("usd_per_gpu_hour"), "{text}");
    assert_eq!(cells(&caller.get("/api/v1/views/clouds.csv?accelerator=none").await).len(), 1);
    // a page shows what it can, whatever its address says
    for query in
        ["clouds.sort=price", "clouds.columns=,,prise", "clouds.accelerator=%3Cb%3E&q=1&x.y=2", "clouds.q=%00", "%FF"]
    {
        let page = caller.get(&format!("/catalog?{query}")).await;
        assert_eq!(page.status, 200, "{query}");
        assert!(!page.text().contains("<b>"), "{query}");
    }
    let sent = caller.browse("/catalog?clouds.q=&clouds.sort=&clouds.columns=provider&clouds.columns=term").await;
    assert_eq!((sent.status, sent.header("location")), (302, "/catalog?clouds.columns=accelerator,provider,term"));
}

#[tokio::test]
async fn the_quotes_of_a_team_are_a_file_for_its_members_alone() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    for (key, value, note) in [("pue", "1.2", "=1+1"), ("server_usd.b200", "450k", "")] {
        owner.post_form("/api/fn/put_quote", &[("key", key), ("value", value), ("note", note)]).await;
    }
    let read = cells(&owner.get("/price-book/quotes.csv?sort=-yours&columns=key,yours,note").await);
    assert_eq!(read[0], ["figure", "key", "yours", "note"]);
    assert_eq!((read[1][1].as_str(), read[1][2].as_str()), ("server_usd.b200", "450000"));
    assert_eq!(read[2][3], "'=1+1", "no formula reaches a spreadsheet");
    assert!(owner.browse("/price-book").await.text().contains("href=\"/price-book/quotes.csv\""));
    assert_eq!(server.caller().get("/price-book/quotes.csv").await.status, 401);
    let outsider = signed_up(&server, "outsider@a.b").await;
    assert_eq!(cells(&outsider.get("/price-book/quotes.csv").await).len(), 1);
    assert_eq!(owner.get("/price-book/other.csv").await.status, 404);
}

#[tokio::test]
async fn a_comparison_is_a_file_of_what_its_page_shows() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let ids = [save(&mut owner, "One").await, save(&mut owner, "Two").await].join(",");
    let page = owner.browse(&format!("/compare?ids={ids}&group=cost")).await.text();
    let link = format!("href=\"/compare/comparison.csv?group=cost&amp;ids={ids}\"");
    assert!(page.contains(&link), "{link}: {page}");
    let read = cells(&owner.get(&format!("/compare/comparison.csv?ids={ids}&group=cost")).await);
    assert_eq!(read[0], ["figure", "group", "differs", "plan_a", "plan_b", "difference_b"]);
    assert_eq!(read.len() - 1, page.matches("<tr role=\"row\"><th scope=\"row\"").count(), "{read:?}");
    let rows = owner.get(&format!("/compare/comparison.json?ids={ids}")).await.json();
    let total = rows.as_array().unwrap().iter().find(|row| row["figure"] == "Cost of this run").unwrap();
    assert!(total["plan_a"].as_f64().is_some_and(|usd| usd > 0.0), "{total}");
    assert_eq!(total["differs"], Value::Bool(false));
    assert_eq!(server.caller().get(&format!("/compare/comparison.csv?ids={ids}")).await.status, 404);
}
