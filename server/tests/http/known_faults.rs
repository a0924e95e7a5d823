//! Faults that other tools of the kind were reported for: each stays out of this one. Numbers are those of the collection
//! that they were taken from.

use crate::support::Server;
use crate::team_api::{saved, team};
use serde_json::{Value, json};

const PLAN: &str = "model.preset=llama-3.2-1b&max_gpus=8&accelerators=h100-sxm";

/// 117: whoever opens what is private reads that it is, and what to do, in place of an empty page; what does not exist
/// looks the same.
#[tokio::test]
async fn what_is_private_says_so() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let id = saved(&writer, "Secret name").await;
    let mut stranger = server.caller();
    for path in [format!("/scenarios/{id}"), "/scenarios/abcdefghijkl".into(), format!("/scenarios/{id}/versions/1")] {
        let answer = stranger.browse(&path).await;
        let text = answer.text();
        assert_eq!(answer.status, 404, "{path}");
        assert!(text.contains("This scenario is private, or there is none") && text.contains("share link"), "{path}");
        assert!(!text.contains("Secret name"), "{path}");
    }
}

/// 119: links hinder nothing: a scenario with links is put away and deleted, and its links follow it.
#[tokio::test]
async fn links_do_not_hold_a_scenario_fast() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let id = saved(&writer, "Linked").await;
    let path = format!("/api/v1/scenarios/{id}");
    let made = writer.post_json(&format!("{path}/links"), &json!({ "kind": "live" })).await.json();
    let page = format!("/s/{}", made["token"].as_str().unwrap());
    assert_eq!(server.caller().browse(&page).await.status, 200);
    let archive = json!({ "archived": true }).to_string().into_bytes();
    let answer = writer.send("PATCH", &path, &[("content-type", "application/json")], archive).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(server.caller().browse(&page).await.status, 200, "what is put away stays shared");
    assert_eq!(writer.send("DELETE", &path, &[], Vec::new()).await.status, 204);
    assert_eq!(server.caller().browse(&page).await.status, 404);
}

/// 121 and 123: a sheet of another country gets its own delimiter, decimal sign and byte order mark, and no number turns
/// into a date; times are ISO 8601.
#[tokio::test]
async fn a_german_sheet_reads_the_same_numbers() {
    let server = Server::start().await;
    let caller = server.caller();
    let path = format!("/api/v1/plans.csv?table=bill_of_materials&{PLAN}");
    let rows = |body: &[u8], delimiter: u8| -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_reader(body);
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    };
    let plain = rows(&caller.get(&path).await.body, b',');
    let german = caller.get(&format!("{path}&bom=true&delimiter=semicolon&decimal=comma")).await;
    let body = german.body.strip_prefix("\u{feff}".as_bytes()).expect("a byte order mark");
    let german = rows(body, b';');
    assert_eq!(plain.len(), german.len());
    let mut numbers = 0;
    for (ours, theirs) in plain.iter().flatten().zip(german.iter().flatten()) {
        match ours.parse::<f64>() {
            Ok(number) => {
                assert_eq!(theirs.replace(',', ".").parse::<f64>().ok(), Some(number), "{theirs}");
                assert!(!theirs.contains('.'), "{theirs} reads as a date or as thousands");
                numbers += 1;
            }
            Err(_) => assert_eq!(ours, theirs),
        }
    }
    assert!(numbers > 10);
}

/// 125 and 127: a sheet that can send no header, adds keys of its own to the address, and wants an address that stays the
/// same, reads a feed.
#[tokio::test]
async fn a_sheet_without_headers_reads_a_feed() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let id = saved(&writer, "Fed").await;
    let made = writer.post_json(&format!("/api/v1/scenarios/{id}/links"), &json!({ "kind": "feed" })).await.json();
    let base = format!("/api/v1/feeds/{}/summary.csv", made["token"].as_str().unwrap());
    let sheet = server.caller();
    let first = sheet.get(&base).await;
    assert_eq!(first.status, 200);
    for added in ["?name=key", "?ApiKeyName=x&IsRetry=true", "?_=1764500000"] {
        assert_eq!(sheet.get(&format!("{base}{added}")).await.body, first.body, "{added}");
    }
}

/// 129: whoever asks again and again is told how long an answer holds, and is sent it once.
#[tokio::test]
async fn asking_again_costs_nothing() {
    let server = Server::start().await;
    let caller = server.caller();
    for path in [format!("/api/v1/plans.csv?{PLAN}"), "/api/v1/catalog/offers.csv".into()] {
        let answer = caller.get(&path).await;
        assert!(answer.header("cache-control").contains("max-age="), "{path}");
        let again = caller.get_with(&path, &[("if-none-match", answer.header("etag"))]).await;
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
    }
}

/// Every text that begins as a time does.
fn times<'v>(value: &'v Value, found: &mut Vec<&'v str>) {
    match value {
        Value::String(text) if text.len() > 10 && text.as_bytes()[10] == b'T' && text.starts_with("20") => {
            found.push(text)
        }
        Value::Array(all) => all.iter().for_each(|one| times(one, found)),
        Value::Object(all) => all.values().for_each(|one| times(one, found)),
        _ => {}
    }
}

/// 131: an offset can't be applied twice where there is none: every time is in UTC and says so. Months sum to their total.
#[tokio::test]
async fn times_are_in_utc_and_parts_sum_to_the_whole() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let id = saved(&writer, "Timed").await;
    let scenario = writer.get(&format!("/api/v1/scenarios/{id}")).await.json();
    let versions = writer.get(&format!("/api/v1/scenarios/{id}/versions")).await.json();
    let mut found = Vec::new();
    times(&scenario, &mut found);
    times(&versions, &mut found);
    assert!(found.len() >= 3, "{found:?}");
    assert!(found.iter().all(|time| time.ends_with('Z')), "{found:?}");

    let plan = writer.get(&format!("/api/v1/plans?{PLAN}")).await.json();
    let total: f64 = plan["bill_of_materials"].as_array().unwrap().iter().filter_map(|l| l["total_usd"].as_f64()).sum();
    let rows = writer.get(&format!("/api/v1/plans.json?table=bill_of_materials&{PLAN}")).await.json();
    let sum: f64 = rows.as_array().unwrap().iter().filter_map(|row| row["total_usd"].as_f64()).sum();
    assert!((sum - total).abs() < 0.005 * rows.as_array().unwrap().len() as f64, "{sum} {total}");
}
