//! `/rules`, `/decisions`, and the rules as data.

use crate::support::Server;

#[tokio::test]
async fn the_rules_are_a_page_that_can_be_filtered() {
    let server = Server::start().await;
    let caller = server.caller();
    let page = caller.get("/rules").await;
    assert_eq!(page.status, 200);
    let text = page.text();
    for rule in engine::rules() {
        assert!(text.contains(&format!("id=\"{}\"", rule.id)), "{}", rule.id);
    }
    assert!(!text.contains(" style="));
    let wrong = caller.get("/rules?group=power&verdict=wrong").await;
    assert_eq!(wrong.status, 200);
    let shown = wrong.text().matches("class=\"rule\"").count();
    let expected =
        engine::rules().iter().filter(|r| r.group == "power" && r.verdict == engine::rules::RuleVerdict::Wrong);
    assert_eq!(shown, expected.count());
    let sent = server.caller().browse("/rules?group=power&verdict=&report=&q=").await;
    assert_eq!((sent.status, sent.header("location")), (302, "/rules?group=power"));
}

#[tokio::test]
async fn every_case_of_a_rule_opens() {
    let server = Server::start().await;
    let caller = server.caller();
    let mut queries: Vec<(&str, &str)> = engine::rules()
        .iter()
        .filter_map(|rule| rule.case.as_ref())
        .map(|case| match case.kind {
            engine::rules::CaseKind::Planner => ("/?", case.query.as_str()),
            engine::rules::CaseKind::Estimate => ("/api/v1/estimates?", case.query.as_str()),
        })
        .collect();
    queries.sort_unstable();
    queries.dedup();
    assert!(queries.len() > 20);
    // a case that says that something is impossible is answered with the reason
    for (path, query) in queries {
        let status = caller.get(&format!("{path}{query}")).await.status;
        assert!(status == 200 || (status == 422 && path.starts_with("/api")), "{path}{query}: {status}");
    }
}

#[tokio::test]
async fn the_choices_of_a_plan_are_a_page_that_the_plan_leads_to() {
    let server = Server::start().await;
    let caller = server.caller();
    let query = "model.preset=llama-3.1-70b&training_tokens=1T";
    let plan = caller.get(&format!("/?{query}")).await.text();
    assert!(plan.contains("href=\"/decisions?model.preset=llama-3.1-70b&amp;training_tokens=1T\""));
    let page = caller.get(&format!("/decisions?{query}")).await;
    assert_eq!(page.status, 200);
    let text = page.text();
    for key in ["fabric", "accelerator", "topology", "fp8", "team", "node_memory"] {
        assert!(text.contains(&format!("id=\"{key}\"")), "{key}");
    }
    assert!(text.contains("What would turn it") && !text.contains(" style="));
    let none = caller.get("/decisions?model.preset=llama-3.1-405b&accelerators=rtx-4090&max_gpus=8").await;
    assert_eq!(none.status, 200);
    assert!(none.text().contains("nothing to choose between"));
}

#[tokio::test]
async fn what_cannot_be_planned_leads_to_the_planner_that_says_why() {
    let server = Server::start().await;
    let caller = server.caller();
    let path = "/decisions?model.preset=llama-3.1-70b&training_tokens=a+few";
    assert_eq!(caller.get(path).await.status, 422, "a program is told by the status");
    let answer = server.caller().browse(path).await;
    assert_eq!(answer.status, 302);
    let planner = answer.header("location").to_owned();
    assert_eq!(planner, "/?model.preset=llama-3.1-70b&training_tokens=a+few");
    assert_eq!(caller.get(&planner).await.status, 422);
}

#[tokio::test]
async fn the_planner_starts_from_reference_builds() {
    let server = Server::start().await;
    let page = server.caller().get("/").await.text();
    assert_eq!(engine::reference_builds().len(), 3);
    for build in engine::reference_builds() {
        assert!(page.contains(&format!("href=\"/?{}\"", build.planner.query.replace('&', "&amp;"))), "{}", build.id);
    }
}

#[tokio::test]
async fn the_rules_are_data_too() {
    let server = Server::start().await;
    let caller = server.caller();
    let table = caller.get("/api/v1/catalog/rules").await.json();
    assert_eq!(table["rules"].as_array().map(Vec::len), Some(engine::rules().len()));
    let csv = caller.get("/api/v1/catalog/rules.csv").await;
    assert_eq!(csv.status, 200);
    let mut reader = csv::Reader::from_reader(csv.body.as_slice());
    let head = reader.headers().unwrap().clone();
    let column = |name: &str| head.iter().position(|head| head.trim_start_matches('\u{feff}') == name).unwrap();
    let (id, verdict, checks) = (column("id"), column("verdict"), column("checks"));
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), engine::rules().len());
    for (row, rule) in rows.iter().zip(engine::rules()) {
        assert_eq!((&row[id], &row[verdict]), (rule.id.as_str(), rule.verdict.id()));
        assert!(rule.checks.iter().all(|check| row[checks].contains(&check.text)), "{}", rule.id);
    }
}
