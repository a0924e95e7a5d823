//! `/plans`.

use crate::support::Server;
use serde_json::json;

#[tokio::test]
async fn a_plan_has_three_tiers_and_echoes_the_request() {
    let server = Server::start().await;
    let answer = server.caller().post_json("/api/v1/plans", &json!({ "model": { "preset": "llama-3.1-8b" } })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/json");
    let plan = answer.json();
    assert_eq!(plan["tiers"].as_array().unwrap().len(), 3);
    assert_eq!(plan["request"]["model"]["preset"], "llama-3.1-8b");
    assert_eq!(plan["request"]["context_length"], 8192);
    assert!(plan["headline"].as_str().is_some_and(|text| !text.is_empty()));
    assert!(plan.get("explanations").is_none(), "only when asked for");
}

#[tokio::test]
async fn the_get_form_equals_the_post_form() {
    let server = Server::start().await;
    let caller = server.caller();
    let body = json!({
        "model": { "preset": "llama-3.1-70b" },
        "training_tokens": 1_500_000_000_000u64,
        "context_length": 8192,
        "budget_usd": 5_000_000,
        "utilization": 0.6,
        "accelerators": ["h100-sxm", "b200"],
        "overrides": { "pue": 1.2 },
    });
    let query = "model.preset=llama-3.1-70b&training_tokens=1.5T&context_length=8k&budget_usd=%245M&utilization=60%25\
                 &accelerators=h100-sxm,b200&overrides.pue=1.2&_=1764500000";
    let posted = caller.post_json("/api/v1/plans", &body).await;
    let got = caller.get(&format!("/api/v1/plans?{query}")).await;
    assert_eq!((posted.status, got.status), (200, 200), "{} {}", posted.text(), got.text());
    assert!(posted.body == got.body, "the two forms differ");
}

#[tokio::test]
async fn the_same_request_gets_the_same_bytes() {
    let server = Server::start().await;
    let caller = server.caller();
    let path = "/api/v1/plans?model.preset=mistral-7b";
    let (a, b) = tokio::join!(caller.get(path), caller.get(path));
    assert!(a.status == 200 && a.body == b.body);
}

#[tokio::test]
async fn explanations_come_when_asked_for() {
    let server = Server::start().await;
    let caller = server.caller();
    let body = json!({ "model": { "preset": "llama-3.1-8b" } });
    let posted = caller.post_json("/api/v1/plans?explain=true&_=1", &body).await;
    let got = caller.get("/api/v1/plans?model.preset=llama-3.1-8b&explain=true").await;
    assert!(posted.json()["explanations"].is_object() && posted.body == got.body);
    let plain = caller.get("/api/v1/plans?model.preset=llama-3.1-8b&explain=false").await;
    assert!(plain.json().get("explanations").is_none());
    let odd = caller.get("/api/v1/plans?model.preset=llama-3.1-8b&explain=perhaps").await.problem(422);
    assert_eq!(odd["errors"][0]["pointer"], "/explain");
}

#[tokio::test]
async fn with_post_the_address_takes_only_explain() {
    let server = Server::start().await;
    let body = json!({ "model": { "preset": "llama-3.1-8b" } });
    let problem = server.caller().post_json("/api/v1/plans?budget_usd=1000000", &body).await.problem(422);
    assert_eq!(problem["errors"][0]["code"], "unknown_key");
    assert_eq!(problem["errors"][0]["pointer"], "/budget_usd");
}
