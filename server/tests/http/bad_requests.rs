//! What can't be used is answered with what to do about it, never with a fault of ours.

use crate::support::{Caller, Server};
use serde_json::{Value, json};

async fn invalid(caller: &Caller, body: Value) -> Value {
    caller.post_json("/api/v1/plans", &body).await.problem(422)
}

fn first(problem: &Value) -> (&str, &str, &str) {
    let error = &problem["errors"][0];
    (error["pointer"].as_str().unwrap(), error["code"].as_str().unwrap(), error["message"].as_str().unwrap())
}

#[tokio::test]
async fn numbers_out_of_range_are_named() {
    let server = Server::start().await;
    let caller = server.caller();
    let model = json!({ "preset": "llama-3.1-8b" });
    for tokens in ["-5", "1e30", "0", "1000000000000000000000000000000"] {
        let body = format!("{{\"model\": {model}, \"training_tokens\": {tokens}}}");
        let problem = caller.post_text("/api/v1/plans", "application/json", body).await.problem(422);
        let (pointer, code, message) = first(&problem);
        assert_eq!((pointer, code), ("/training_tokens", "out_of_range"), "{tokens}");
        assert!(message.contains("use "), "{message}");
    }
    let problem = invalid(&caller, json!({ "model": model, "training_tokens": "NaN" })).await;
    assert_eq!((first(&problem).0, first(&problem).1), ("/training_tokens", "wrong_type"));
    for text in ["NaN", "inf", "-1", "1e30"] {
        let problem =
            caller.get(&format!("/api/v1/plans?model.preset=llama-3.1-8b&training_tokens={text}")).await.problem(422);
        assert_eq!(first(&problem).0, "/training_tokens", "{text}");
    }
}

#[tokio::test]
async fn heads_that_do_not_divide_are_named() {
    let server = Server::start().await;
    let architecture =
        json!({ "layers": 32, "hidden": 4096, "heads": 30, "kv_heads": 30, "ffn": 14336, "vocab": 128_256 });
    let problem = invalid(&server.caller(), json!({ "model": { "architecture": architecture } })).await;
    let (pointer, code, message) = first(&problem);
    assert_eq!((pointer, code), ("/model/architecture/heads", "does_not_divide"));
    assert!(message.contains("4096") && message.contains("30"), "{message}");
}

#[tokio::test]
async fn a_mistyped_name_is_answered_with_the_nearest() {
    let server = Server::start().await;
    let caller = server.caller();
    let problem = invalid(&caller, json!({ "model": { "preset": "lama-70b" } })).await;
    let (pointer, code, message) = first(&problem);
    assert_eq!((pointer, code), ("/model/preset", "unknown_id"));
    assert!(message.contains("did you mean `llama-"), "{message}");
    let problem = invalid(&caller, json!({ "model": { "preset": "llama-3.1-8b" }, "budget_us": 5 })).await;
    let (pointer, code, message) = first(&problem);
    assert_eq!((pointer, code), ("/budget_us", "unknown_key"));
    assert!(message.contains("`budget_usd`"), "{message}");
    let problem = caller.get("/api/v1/plans?model.preset=llama-3.1-8b&budjet_usd=5").await.problem(422);
    assert!(first(&problem).2.contains("`budget_usd`"), "{problem}");
}

#[tokio::test]
async fn every_bad_field_is_reported_at_once() {
    let server = Server::start().await;
    let body = json!({ "model": { "preset": "llama-3.1-8b" }, "training_tokens": "many", "max_gpus": true, "region": "atlantis" });
    let problem = invalid(&server.caller(), body).await;
    let mut pointers: Vec<&str> =
        problem["errors"].as_array().unwrap().iter().map(|e| e["pointer"].as_str().unwrap()).collect();
    pointers.sort_unstable();
    assert_eq!(pointers, ["/max_gpus", "/region", "/training_tokens"]);
}

#[tokio::test]
async fn other_types_than_an_object_are_refused() {
    let server = Server::start().await;
    for body in [json!(null), json!(true), json!(1), json!("text")] {
        let problem = invalid(&server.caller(), body.clone()).await;
        assert_eq!(first(&problem).1, "wrong_type", "{body}");
    }
    assert_eq!(first(&invalid(&server.caller(), json!({})).await).1, "required");
}

#[tokio::test]
async fn a_body_that_is_no_json_is_400_with_its_place() {
    let server = Server::start().await;
    let caller = server.caller();
    for path in ["/api/v1/plans", "/api/v1/estimates"] {
        let problem = caller.post_text(path, "application/json", "{\n \"model\": }").await.problem(400);
        assert_eq!(problem["code"], "malformed_json");
        assert!(problem["detail"].as_str().unwrap().contains("line 2, column 11"), "{problem}");
        for body in [&b""[..], b"{\"a\": NaN}", b"{\"a\": 1e999}", b"\xff\xfe", b"{} {}"] {
            assert_eq!(caller.post_text(path, "application/json", body).await.problem(400)["code"], "malformed_json");
        }
        let deep = "[".repeat(50_000);
        assert_eq!(caller.post_text(path, "application/json", deep).await.problem(400)["code"], "too_deep");
        let nested = format!("{{\"model\": {}1{}}}", "[".repeat(40), "]".repeat(40));
        assert_eq!(caller.post_text(path, "application/json", nested).await.problem(400)["code"], "too_deep");
    }
}

#[tokio::test]
async fn another_type_of_body_is_415() {
    let server = Server::start().await;
    let caller = server.caller();
    for media_type in ["text/plain", "application/x-www-form-urlencoded", "application/xml"] {
        let problem = caller.post_text("/api/v1/plans", media_type, "model.preset=llama-3.1-8b").await.problem(415);
        assert!(problem["detail"].as_str().unwrap().contains(media_type), "{problem}");
    }
    caller.send("POST", "/api/v1/plans", &[], b"{}".to_vec()).await.problem(415);
}

#[tokio::test]
async fn a_large_body_is_413_and_its_sender_sees_it() {
    let server = Server::start().await;
    let caller = server.caller();
    let padded = |bytes: usize| format!("{{\"model\": {{\"preset\": \"llama-3.1-8b\"}}{}}}", " ".repeat(bytes));
    assert_eq!(caller.post_text("/api/v1/plans", "application/json", padded(200_000)).await.status, 200);
    for bytes in [256 * 1024, 1_000_000, 3_000_000] {
        let problem = caller.post_text("/api/v1/plans", "application/json", padded(bytes)).await.problem(413);
        assert_eq!(problem["code"], "too_large");
    }
}

#[tokio::test]
async fn an_unknown_path_is_404_and_another_method_is_405() {
    let server = Server::start().await;
    let caller = server.caller();
    for path in [
        "/api",
        "/api/",
        "/api/v1",
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v2/plans",
        "/api/v1/plans/",
        "/api/fn/nothing",
        "/api/v1/catalog/",
        "/api/v1/a.json",
    ] {
        let answer = caller.get(path).await;
        assert_eq!(answer.problem(404)["code"], "not_found", "{path}");
    }
    for method in ["PUT", "DELETE", "PATCH"] {
        let answer = caller.send(method, "/api/v1/plans", &[], Vec::new()).await;
        answer.problem(405);
        let allow = answer.header("allow");
        assert!(allow.contains("GET") && allow.contains("POST"), "{allow}");
    }
    let unknown = caller.get("/api/v1/catalog/gpus").await.problem(404);
    assert!(unknown["detail"].as_str().unwrap().contains("accelerators"), "{unknown}");
}

#[tokio::test]
async fn odd_queries_are_answered() {
    let server = Server::start().await;
    let caller = server.caller();
    for query in [
        "",
        "?",
        "?=",
        "?&&&",
        "?model=llama",
        "?model.preset=a&model.preset.b=c",
        "?a.b.c.d.e.f.g.h=1",
        "?%ff=%fe",
        "?model.preset=%00",
    ] {
        caller.get(&format!("/api/v1/plans{query}")).await.problem(422);
        caller.get(&format!("/api/v1/estimates{query}")).await.problem(422);
    }
}

#[tokio::test]
async fn a_form_that_can_not_be_read_is_a_mistake_of_its_sender() {
    let server = Server::start().await;
    let mut browser = server.caller();
    for function in ["rename_scenario", "delete_scenario", "create_link", "revoke_link", "replan"] {
        let path = format!("/api/fn/{function}");
        for body in ["", "unknown=1", "id", "id=%ff%fe&scenario=%ff&link=%ff&query=%ff"] {
            let answer = server.caller().post_text(&path, "application/x-www-form-urlencoded", body).await;
            assert!(answer.status < 500, "{function} `{body}`: {} {}", answer.status, answer.text());
            let shown: app::UiError = match answer.status {
                200 | 302 => continue,
                _ => serde_json::from_slice(&answer.body).unwrap_or_else(|_| panic!("{function}: {}", answer.text())),
            };
            assert!(!shown.message.is_empty(), "{function}");
        }
        let empty = server.caller().post_text(&path, "application/x-www-form-urlencoded", "").await;
        assert_eq!(empty.status, 422, "{function}: {}", empty.text());
        let json = server.caller().post_text(&path, "application/json", "{}").await;
        assert!((400..500).contains(&json.status), "{function}: {} {}", json.status, json.text());
        let page = browser.post_form(&path, &[]).await;
        assert_eq!(page.status, 422, "{function}: {:?}", page.headers);
        assert!(page.header("location").is_empty(), "no error travels in an address");
        assert!(
            page.header("content-type").starts_with("text/html") && page.text().contains("<h1>"),
            "{}",
            page.text()
        );
    }
}
