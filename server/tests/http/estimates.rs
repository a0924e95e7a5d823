//! `/estimates`.

use crate::support::Server;
use serde_json::{Value, json};

fn request() -> Value {
    json!({ "model": { "preset": "llama-3.1-8b" }, "accelerator": "h100-sxm", "gpus": 64, "layout": { "tensor": 2 } })
}

#[tokio::test]
async fn an_object_gives_an_object_and_get_equals_post() {
    let server = Server::start().await;
    let caller = server.caller();
    let posted = caller.post_json("/api/v1/estimates", &request()).await;
    let got = caller
        .get("/api/v1/estimates?model.preset=llama-3.1-8b&accelerator=h100-sxm&gpus=64&layout.tensor=2&_=1")
        .await;
    assert_eq!((posted.status, got.status), (200, 200), "{} {}", posted.text(), got.text());
    assert_eq!(posted.body, got.body);
    let estimate = posted.json();
    assert_eq!(estimate["layout"]["tensor"], 2);
    let parts: f64 = estimate["time_seconds"].as_object().unwrap().values().map(|v| v.as_f64().unwrap()).sum();
    let step = estimate["step_seconds"].as_f64().unwrap();
    assert!((parts - step).abs() < 1e-6 * step, "{parts} {step}");
}

#[tokio::test]
async fn one_bad_element_does_not_touch_the_others() {
    let server = Server::start().await;
    let mut small = request();
    small["gpus"] = json!(8);
    let mut impossible = request();
    impossible["layout"] = json!({ "tensor": 5 });
    let array = json!([request(), { "model": { "preset": "lama-70b" } }, small, 7, impossible, request()]);
    let answer = server.caller().post_json("/api/v1/estimates", &array).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let elements = answer.json();
    let elements = elements.as_array().unwrap();
    assert_eq!(elements.len(), 6);
    assert_eq!(elements[0], elements[5], "the order is that of the requests");
    assert_ne!(elements[0], elements[2]);
    assert_eq!(elements[1]["code"], "invalid_request");
    assert_eq!(elements[3]["errors"][0]["code"], "wrong_type");
    assert_eq!(elements[4]["code"], "impossible_layout", "{}", elements[4]);
    assert!([0, 2, 5].iter().all(|i| elements[*i]["step_seconds"].as_f64().is_some_and(|s| s > 0.0)));
}

#[tokio::test]
async fn a_full_sheet_is_answered_in_order_and_in_time() {
    let server = Server::start().await;
    let array: Vec<Value> = (0..1_000u64).map(|i| json!({ "model": { "preset": "llama-3.2-1b" }, "accelerator": "h100-sxm", "gpus": 8, "global_batch_sequences": 512, "context_length": 1024 + i })).collect();
    let answer = server.caller().post_json("/api/v1/estimates", &Value::Array(array)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let elements = answer.json();
    let steps: Vec<f64> = elements
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["flops_per_token"].as_f64().unwrap_or_else(|| panic!("{e}")))
        .collect();
    assert_eq!(steps.len(), 1_000);
    assert!(steps.is_sorted(), "longer contexts need more FLOPs a token");
}

#[tokio::test]
async fn an_empty_array_is_an_empty_array_and_too_many_are_refused() {
    let server = Server::start().await;
    let caller = server.caller();
    assert_eq!(caller.post_json("/api/v1/estimates", &json!([])).await.json(), json!([]));
    let problem = caller.post_json("/api/v1/estimates", &Value::Array(vec![json!({}); 1_001])).await.problem(422);
    assert_eq!(problem["errors"][0]["code"], "too_many");
}

#[tokio::test]
async fn an_impossible_layout_is_a_problem_that_names_the_rule() {
    let server = Server::start().await;
    let mut request = request();
    request["layout"] = json!({ "tensor": 5 });
    let problem = server.caller().post_json("/api/v1/estimates", &request).await.problem(422);
    assert_eq!(problem["code"], "impossible_layout");
    assert!(problem["errors"].as_array().is_some_and(|errors| !errors.is_empty()));
}
