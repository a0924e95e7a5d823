//! Feeds: data for spreadsheets by a token in the address, which opens nothing else.

use crate::database;
use crate::support::{Answer, Caller, Server, logs};
use crate::team_api::{request, saved, team};
use serde_json::json;
use server::config::limits::Rate;

/// A link of a kind: its path, and its token.
async fn link(writer: &Caller, id: &str, kind: &str) -> (String, String) {
    let made = writer.post_json(&format!("/api/v1/scenarios/{id}/links"), &json!({ "kind": kind })).await;
    assert_eq!(made.status, 201, "{}", made.text());
    (made.header("location").to_owned(), made.json()["token"].as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_feed_gives_what_the_scenario_has_now() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let id = saved(&writer, "Fed").await;
    let (_, token) = link(&writer, &id, "feed").await;
    let sheet = server.caller();
    let base = format!("/api/v1/feeds/{token}");
    for table in server::tables::scenario::names() {
        let answer = sheet.get(&format!("{base}/{table}.csv")).await;
        assert_eq!(answer.status, 200, "{table}: {}", answer.text());
        let own = writer.get(&format!("/api/v1/scenarios/{id}/plan.csv?table={table}")).await;
        assert!(answer.body == own.body && !own.body.is_empty(), "{table}");
    }
    let summary = sheet.get(&format!("{base}/summary.csv?utm=1&_=2&anything")).await;
    assert_eq!((summary.status, summary.header("content-type")), (200, "text/csv; charset=utf-8; header=present"));
    assert_eq!(summary.header("cache-control"), "private, max-age=60, must-revalidate");
    assert_eq!((summary.header("referrer-policy"), summary.header("set-cookie")), ("no-referrer", ""));
    let mut reader = csv::Reader::from_reader(summary.body.as_slice());
    let place = reader.headers().unwrap().iter().position(|name| name == "total_usd").unwrap();
    let total = reader.records().next().unwrap().unwrap()[place].to_owned();
    let value = sheet.get(&format!("{base}/value/total_usd?x=1")).await;
    assert_eq!((value.status, value.text()), (200, total));
    assert!(value.text().parse::<f64>().is_ok_and(|usd| usd > 0.0), "{}", value.text());
    assert_eq!(value.header("content-type"), "text/plain; charset=utf-8");
    let german = sheet.get(&format!("{base}/summary.csv?delimiter=semicolon&decimal=comma")).await;
    assert_eq!(german.text().lines().next().unwrap(), summary.text().lines().next().unwrap().replace(',', ";"));
    for (answer, path) in [(&summary, "summary.csv"), (&value, "value/total_usd")] {
        let held = sheet.get_with(&format!("{base}/{path}"), &[("if-none-match", answer.header("etag"))]).await;
        assert_eq!((held.status, held.body.len()), (304, 0), "{path}");
    }
    // it follows the scenario
    let mut larger = request();
    larger["max_gpus"] = json!(16);
    let path = format!("/api/v1/scenarios/{id}");
    let body = json!({ "name": "Renamed", "request": larger }).to_string().into_bytes();
    writer.send("PATCH", &path, &[("content-type", "application/json")], body).await;
    let text = sheet.get(&format!("{base}/scenario.csv")).await.text();
    assert!(text.contains("Renamed,2,"), "{text}");
    // mistakes are one readable cell, and no guesses
    for (path, start) in [
        ("tiers", "\"Error 422: `table` is `tiers`; use one of summary.csv, "),
        ("nothing.csv", "\"Error 422: `table` is `nothing.csv`; use one of summary.csv, "),
        ("value/nothing", "Error 422: `field` is `nothing`; use one of "),
        ("summary.csv?decimal=x", "\"Error 422: `decimal` is `x`"),
    ] {
        let answer = sheet.get(&format!("{base}/{path}")).await;
        assert!(answer.status == 422 && answer.text().starts_with(start), "{path}: {}", answer.text());
    }
}

/// What is counted is what was given: a mistyped table or field, or a link that does not open, is no opening.
#[tokio::test]
async fn what_is_asked_in_vain_is_not_counted() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let id = saved(&writer, "Fed").await;
    let (path, token) = link(&writer, &id, "feed").await;
    let sheet = server.caller();
    for wrong in ["nothing.csv", "tiers", "value/nothing", "summary.csv?decimal=x", "summary.csv?bom=x"] {
        assert_eq!(sheet.get(&format!("/api/v1/feeds/{token}/{wrong}")).await.status, 422, "{wrong}");
    }
    let link = writer.get(&path).await.json();
    assert_eq!((&link["views"], &link["last_view_at"]), (&json!(0), &json!(null)));
    for right in ["summary.csv", "value/total_usd"] {
        assert_eq!(sheet.get(&format!("/api/v1/feeds/{token}/{right}")).await.status, 200, "{right}");
    }
    assert_eq!(writer.get(&path).await.json()["views"], 2);
}

/// What a stranger sees of an answer, without what differs in every answer.
fn seen(answer: &Answer) -> (u16, String, Vec<(String, String)>) {
    let nonce = answer.nonce();
    let differs = ["x-request-id", "date"];
    let headers = answer.headers.iter().filter(|(name, _)| !differs.contains(&name.as_str()));
    let mut headers: Vec<(String, String)> =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().replace(nonce, ""))).collect();
    headers.sort();
    (answer.status, answer.text(), headers)
}

#[tokio::test]
async fn whatever_does_not_open_looks_the_same_and_tokens_open_one_thing() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let id = saved(&writer, "Fed").await;
    let sheet = server.caller();
    let (_, feed) = link(&writer, &id, "feed").await;
    let (revoked_path, revoked) = link(&writer, &id, "feed").await;
    writer.send("DELETE", &revoked_path, &[], Vec::new()).await;
    let (paused_path, paused) = link(&writer, &id, "feed").await;
    let json = [("content-type", "application/json")];
    writer.send("PATCH", &paused_path, &json, b"{\"paused\": true}".to_vec()).await;
    let (rotated_path, rotated) = link(&writer, &id, "feed").await;
    writer.send("POST", &format!("{rotated_path}/rotate"), &[], Vec::new()).await;
    let (expired_path, expired) = link(&writer, &id, "feed").await;
    let public_id = expired_path.rsplit('/').next().unwrap();
    sqlx::query("UPDATE share_link SET expires_at = 1000 WHERE public_id = ?1")
        .bind(public_id)
        .execute(&mut database::open(&server.config.database).await)
        .await
        .unwrap();
    let (_, live) = link(&writer, &id, "live").await;
    let (_, frozen) = link(&writer, &id, "frozen").await;
    let api = writer.bearer.clone().unwrap();
    for path in ["summary.csv", "value/total_usd", "nothing.csv"] {
        let unknown = seen(&sheet.get(&format!("/api/v1/feeds/{}/{path}", "A".repeat(27))).await);
        assert_eq!(unknown.0, 404);
        assert!(unknown.1.contains("Error 404: "), "{}", unknown.1);
        for (what, token) in [
            ("revoked", &revoked),
            ("paused", &paused),
            ("rotated", &rotated),
            ("expired", &expired),
            ("a live link", &live),
            ("a frozen link", &frozen),
            ("a token of the API", &api),
        ] {
            assert_eq!(seen(&sheet.get(&format!("/api/v1/feeds/{token}/{path}")).await), unknown, "{what} {path}");
        }
    }
    // a feed opens no page and nothing of the team, and changes nothing
    assert_eq!(sheet.get(&format!("/s/{feed}")).await.status, 404);
    let mut pretender = server.caller();
    pretender.bearer = Some(feed.clone());
    assert_eq!(pretender.get(&format!("/api/v1/scenarios/{id}")).await.status, 401);
    assert_eq!(sheet.get(&format!("/api/v1/scenarios/{id}/plan?token={feed}")).await.status, 401);
    assert_eq!(sheet.send("POST", &format!("/api/v1/feeds/{feed}/summary.csv"), &[], Vec::new()).await.status, 405);
    assert_eq!(sheet.get(&format!("/api/v1/feeds/{feed}/summary.csv")).await.status, 200);
    let log = logs();
    for token in [&feed, &revoked, &live, &api] {
        assert!(!log.contains(token.as_str()), "a token is in the log");
    }
}

#[tokio::test]
async fn who_guesses_is_slowed_down_and_who_mistypes_a_table_is_not() {
    let server = Server::start_with(|config| config.limits.missed_links = "60:3".parse::<Rate>().unwrap()).await;
    let (_, writer) = team(&server).await;
    let id = saved(&writer, "Fed").await;
    let (_, feed) = link(&writer, &id, "feed").await;
    let sheet = server.caller();
    for _ in 0..5 {
        assert_eq!(sheet.get(&format!("/api/v1/feeds/{feed}/nothing.csv")).await.status, 422);
    }
    for _ in 0..3 {
        assert_eq!(sheet.get(&format!("/api/v1/feeds/{}/summary.csv", "A".repeat(27))).await.status, 404);
    }
    let refused = sheet.get(&format!("/api/v1/feeds/{feed}/summary.csv")).await;
    assert!(refused.status == 429 && refused.text().contains("Error 429"), "{}", refused.text());
    assert!(!refused.header("retry-after").is_empty());
}
