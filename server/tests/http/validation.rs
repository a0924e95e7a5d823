//! `/validation`.

use crate::support::Server;

#[tokio::test]
async fn every_row_has_its_source_and_a_prediction_or_a_reason() {
    let server = Server::start().await;
    let answer = server.caller().get("/api/v1/validation").await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-type").starts_with("application/json"));
    let value = answer.json();
    let rows = value["rows"].as_array().unwrap();
    assert_eq!(value["measurements"].as_u64(), Some(rows.len() as u64));
    for row in rows {
        for key in ["id", "source", "reference", "date", "model", "accelerator", "layout"] {
            assert!(row[key].as_str().is_some_and(|text| !text.is_empty()), "{row}: {key}");
        }
        assert_eq!(row["predicted"].is_null(), row["excluded"].is_string(), "{row}");
    }
    let dense = &value["summaries"]["overall"]["dense"];
    assert!(dense["median"].as_f64().unwrap() < dense["p90"].as_f64().unwrap(), "{dense}");
    assert!(value["held_out"]["coarse"]["dense"]["rows"].as_u64().unwrap() > 200);
    assert!(!value["summaries"]["by_accelerator"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn who_has_it_gets_304() {
    let server = Server::start().await;
    let caller = server.caller();
    let first = caller.get("/api/v1/validation").await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"') && tag.len() > 10, "{tag}");
    assert!(first.header("cache-control").contains("max-age"));
    let again = caller.get_with("/api/v1/validation", &[("if-none-match", &tag)]).await;
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, tag.as_str()));
}

#[tokio::test]
async fn the_page_shows_the_rows_that_are_asked_for() {
    let server = Server::start().await;
    let caller = server.caller();
    let all = caller.get("/validation").await;
    assert_eq!(all.status, 200);
    assert!(all.text().contains("Half of all dense predictions are within"));
    let some = caller.get("/validation?accelerator=b200&kind=dense").await;
    assert_eq!(some.status, 200);
    assert!(some.body.len() * 2 < all.body.len());
    let tidied = caller.get_with("/validation?accelerator=b200&kind=&precision=", &[("accept", "text/html")]).await;
    assert_eq!((tidied.status, tidied.header("location")), (302, "/validation?accelerator=b200"));
}
