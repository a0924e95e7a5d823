//! Names of scenarios in every script, through every form that figures leave in.

use crate::support::Server;
use crate::team_api::{request, team};
use serde_json::json;
use std::io::{Cursor, Read};

/// The names, and what is kept of them: line breaks become spaces.
const NAMES: [(&str, &str); 7] = [
    ("训练集群 — 第三季度", "训练集群 — 第三季度"),
    ("مجموعة التدريب", "مجموعة التدريب"),
    ("🚀🧪 👩‍💻 β", "🚀🧪 👩‍💻 β"),
    ("say \"hi\", it's; <b>&amp;</b>", "say \"hi\", it's; <b>&amp;</b>"),
    ("two\nlines\r\nand\tmore", "two lines and more"),
    ("=HYPERLINK(\"http://evil\")", "=HYPERLINK(\"http://evil\")"),
    ("长", "长"),
];

fn cell(text: &[u8]) -> String {
    let mut reader = csv::Reader::from_reader(text);
    assert_eq!(&reader.headers().unwrap()[0], "name");
    let row = reader.records().next().unwrap().unwrap();
    row[0].to_owned()
}

/// All text of a workbook, as its XML has it.
fn xml(book: &[u8]) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(book)).unwrap();
    let mut all = String::new();
    for index in 0..archive.len() {
        archive.by_index(index).unwrap().read_to_string(&mut all).unwrap();
    }
    all
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[tokio::test]
async fn any_name_survives_json_csv_xlsx_feed_page_and_link() {
    let server = Server::start().await;
    let (mut owner, writer) = team(&server).await;
    for (given, kept) in NAMES {
        let (given, kept) =
            if given == "长" { (given.repeat(120), kept.repeat(120)) } else { (given.into(), kept.into()) };
        let made = writer.post_json("/api/v1/scenarios", &json!({ "name": given, "request": request() })).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let path = made.header("location").to_owned();
        let id = made.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(writer.get(&path).await.json()["name"], kept.as_str());
        // what could be a formula is text, marked as such
        let in_csv = if kept.starts_with('=') { format!("'{kept}") } else { kept.clone() };
        let sheet = writer.get(&format!("{path}/plan.csv?table=scenario")).await;
        assert_eq!(cell(&sheet.body), in_csv);
        assert!(sheet.header("content-disposition").is_ascii());
        assert_eq!(writer.get(&format!("{path}/plan.json?table=scenario")).await.json()[0]["name"], kept.as_str());
        let book = writer.get(&format!("{path}/plan.xlsx")).await;
        assert_eq!(book.status, 200);
        let text = xml(&book.body);
        assert!(text.contains(&format!("<t>{}</t>", escaped(&kept))), "{kept}");
        assert!(!text.contains("<f>HYPERLINK"), "{kept}");
        let feed = writer.post_json(&format!("{path}/links"), &json!({ "kind": "feed" })).await.json();
        let token = feed["token"].as_str().unwrap();
        assert_eq!(cell(&server.caller().get(&format!("/api/v1/feeds/{token}/scenario.csv")).await.body), in_csv);
        let live = writer.post_json(&format!("{path}/links"), &json!({ "kind": "live" })).await.json();
        let shared = server.caller().get(&format!("/s/{}", live["token"].as_str().unwrap())).await.text();
        for page in [owner.browse(&format!("/scenarios/{id}")).await.text(), shared] {
            let document = scraper::Html::parse_document(&page);
            let selector = scraper::Selector::parse("h1").unwrap();
            let headings: Vec<String> = document.select(&selector).map(|h| h.text().collect()).collect();
            assert!(headings.iter().any(|heading| heading.contains(&kept)), "{kept}: {headings:?}");
        }
    }
    let long = json!({ "name": "长".repeat(121), "request": request() });
    let refused = writer.post_json("/api/v1/scenarios", &long).await.problem(422);
    assert_eq!(
        (&refused["errors"][0]["pointer"], &refused["errors"][0]["code"]),
        (&json!("/name"), &json!("too_long"))
    );
}
