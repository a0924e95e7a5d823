//! The list of scenarios: its order, its pages, and files of what it shows.

use crate::accounts::{save, signed_up};
use crate::history::{SECOND, attributes, page, save_version, text_of};
use crate::support::{Caller, Server};
use crate::teams::joined;

async fn names(caller: &mut Caller, query: &str) -> Vec<String> {
    text_of(&page(caller, &format!("/scenarios{query}")).await, ".scenarios tbody th > a")
}

/// The rows of a file of the list; they are objects.
async fn rows(caller: &Caller, query: &str) -> Vec<serde_json::Value> {
    let answer = caller.get(&format!("/scenarios/files/scenarios.json{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text());
    answer.json().as_array().unwrap().clone()
}

#[tokio::test]
async fn the_list_is_put_in_order_and_taken_along_as_it_is_shown() {
    let server = Server::start().await;
    let mut caller = server.caller();
    for (name, tags) in [("Beta", "board"), ("alpha", "board"), ("Gamma", "")] {
        let id = save(&mut caller, name).await;
        caller.post_form("/api/fn/describe_scenario", &[("id", &id), ("notes", "=1+1"), ("tags", tags)]).await;
        match name {
            // a larger run, so that cost and time differ
            "alpha" => drop(save_version(&mut caller, &id, "1", SECOND).await),
            "Gamma" => drop(caller.post_form("/api/fn/archive_scenario", &[("id", &id)]).await),
            _ => {}
        }
    }
    assert_eq!(names(&mut caller, "?sort=name").await, ["alpha", "Beta"]);
    assert_eq!(names(&mut caller, "?sort=-name").await, ["Beta", "alpha"]);
    assert_eq!(names(&mut caller, "?sort=name&archived=also").await, ["alpha", "Beta", "Gamma"]);
    let shown = page(&mut caller, "/scenarios?sort=-cost_usd&tag=board").await;
    assert_eq!(attributes(&shown, ".scenarios th[aria-sort]", "aria-sort"), ["descending"]);
    let files = attributes(&shown, ".listing-files a", "href");
    assert_eq!(files[0], "/scenarios/files/scenarios.csv?tag=board&sort=-cost_usd");

    let by_cost = rows(&caller, "?tag=board&sort=-cost_usd").await;
    let name = |row: &serde_json::Value| row["name"].as_str().unwrap().to_owned();
    assert_eq!(by_cost.iter().map(name).collect::<Vec<_>>(), text_of(&shown, ".scenarios tbody th > a"));
    let number = |row: &serde_json::Value, key: &str| row[key].as_f64().unwrap();
    assert!(number(&by_cost[0], "cost_usd") > number(&by_cost[1], "cost_usd"));
    // the figures are those of the plans
    for row in rows(&caller, "?columns=cost_usd,days,id&archived=also").await {
        let summary = caller.get(&format!("/scenarios/{}/plan.csv", row["id"].as_str().unwrap())).await.text();
        let line = |at: usize| summary.lines().nth(at).unwrap().split(',').map(str::to_owned).collect::<Vec<_>>();
        let (head, values) = (line(0), csv_fields(summary.lines().nth(1).unwrap()));
        let figure =
            |name: &str| -> f64 { values[head.iter().position(|column| column == name).unwrap()].parse().unwrap() };
        assert!((figure("total_usd") - number(&row, "cost_usd")).abs() < 0.01, "{row}");
        assert!((figure("days") / number(&row, "days") - 1.0).abs() < 1e-9, "{row}");
    }
    let csv = caller.get("/scenarios/files/scenarios.csv?columns=notes&q=alph").await;
    assert_eq!(csv.text().lines().collect::<Vec<_>>(), ["name,notes", "alpha,'=1+1"], "no formula of a stranger");
    let book = caller.get("/scenarios/files/scenarios.xlsx").await;
    assert!(book.status == 200 && book.body.starts_with(b"PK"));
    for (path, status) in [("scenarios.pdf", 404), ("others.csv", 404), ("scenarios.csv?sort=prize", 422)] {
        assert_eq!(caller.get(&format!("/scenarios/files/{path}")).await.status, status, "{path}");
    }
}

/// The fields of a line of CSV.
fn csv_fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

#[tokio::test]
async fn files_hold_all_pages_of_the_list_in_its_order() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let id = save(&mut caller, "Plan").await;
    for number in 0..104 {
        let copy = caller.post_form("/api/fn/duplicate_scenario", &[("id", &id)]).await;
        let copy = copy.header("location").split(['/', '?']).nth(2).unwrap().to_owned();
        let name = format!("No {number:03}");
        caller.post_form("/api/fn/rename_scenario", &[("id", &copy), ("name", &name)]).await;
    }
    let mut shown = names(&mut caller, "?sort=-name&q=no").await;
    assert_eq!((shown.len(), shown[0].as_str()), (100, "No 103"));
    let first = page(&mut caller, "/scenarios?sort=-name&q=no").await;
    assert_eq!(attributes(&first, "a[rel='next']", "href"), ["/scenarios?q=no&sort=-name&page=2#list"]);
    shown.extend(names(&mut caller, "?sort=-name&q=no&page=2").await);
    let held: Vec<String> =
        rows(&caller, "?sort=-name&q=no").await.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!((held.len(), held == shown), (104, true), "{held:?}");
    assert_eq!(names(&mut caller, "?sort=-name&q=no&page=9").await.len(), 4, "beyond the last is the last");
}

#[tokio::test]
async fn files_of_a_team_are_for_its_members() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "ada@a.b").await;
    save(&mut owner, "Of the team").await;
    let stranger = server.caller();
    assert!(rows(&stranger, "").await.is_empty());
    let other = signed_up(&server, "eve@a.b").await;
    assert!(rows(&other, "?archived=also").await.is_empty());
    let viewer = joined(&server, &mut owner, "bob@a.b", "viewer").await;
    assert_eq!(rows(&viewer, "").await.len(), 1);
}
