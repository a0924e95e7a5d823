//! What the planner is answered while somebody types: all parts of the results, or those that are asked for.

use crate::support::{Caller, Server};
use serde_json::Value;

const PLAN: &str = "model.preset=llama-3.1-8b&training_tokens=100B";

/// The answer with the parts of these ids; with all of them if none is named.
async fn replanned(caller: &Caller, query: &str, parts: &[&str]) -> Value {
    let named = parts.iter().enumerate().map(|(index, id)| (format!("parts[{index}]"), *id));
    let body = form_urlencoded::Serializer::new(String::new()).append_pair("query", query).extend_pairs(named).finish();
    caller.post_text("/api/fn/replan", "application/x-www-form-urlencoded", body).await.json()
}

fn ids(answer: &Value) -> Vec<&str> {
    answer["parts"].as_array().unwrap().iter().map(|part| part["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn parts_that_are_asked_for_one_by_one_are_those_of_the_whole() {
    let server = Server::start().await;
    let caller = server.caller();
    let whole = replanned(&caller, PLAN, &[]).await;
    let all = ids(&whole);
    assert!(all.len() > 8 && all[0] == "answer", "{all:?}");
    for (index, id) in all.iter().enumerate() {
        let one = replanned(&caller, PLAN, &[id]).await;
        assert_eq!(ids(&one), [*id]);
        assert_eq!(one["parts"][0], whole["parts"][index]);
        for same in ["headline", "brief", "query", "echoes"] {
            assert_eq!(one[same], whole[same], "{id}: {same}");
        }
    }
    let two = replanned(&caller, PLAN, &["bill", "answer", "none"]).await;
    assert_eq!(ids(&two), ["answer", "bill"], "in their order, what is known");
}

#[tokio::test]
async fn inputs_that_are_wrong_have_no_parts() {
    let server = Server::start().await;
    let answer = replanned(&server.caller(), "model.preset=llama-3.1-8b&training_tokens=a+few", &["answer"]).await;
    assert!(ids(&answer).is_empty());
    assert_eq!(answer["errors"][0][0], "training_tokens", "{answer}");
}
