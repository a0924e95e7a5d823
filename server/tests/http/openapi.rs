//! The OpenAPI document against its snapshot, and against what is really answered.

pub mod documented;

use crate::support::Server;
use documented::{Checked, documented_keys};
use serde_json::json;
use server::rest::catalog::TABLES;

const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");

#[test]
fn the_document_is_the_one_that_was_reviewed() {
    let now = server::cli::openapi_text().unwrap() + "\n";
    let reviewed = std::fs::read_to_string(SNAPSHOT).unwrap_or_default();
    assert!(
        now == reviewed,
        "the API has changed: look at `cargo run -p server -- openapi > server/openapi.json` and commit it"
    );
}

#[tokio::test]
async fn the_document_is_served() {
    let server = Server::start().await;
    let answer = server.caller().get("/api/v1/openapi.json").await;
    assert_eq!(answer.json(), server::rest::openapi::document());
    assert!(answer.json()["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
}

#[test]
fn every_operation_documents_its_failures() {
    let document = server::rest::openapi::document();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            assert!(["200", "201", "204"].iter().any(|status| responses.contains_key(*status)), "{method} {path}");
            for status in ["500", "503"] {
                assert!(responses.contains_key(status), "{method} {path}: {status}");
            }
            assert!(
                operation["requestBody"].is_null()
                    || ["400", "413", "415", "422"].iter().all(|status| responses.contains_key(*status)),
                "{method} {path}"
            );
            assert!(operation["summary"].is_string() && operation["operationId"].is_string(), "{method} {path}");
        }
    }
}

/// Requests whose answers together hold every key that a plan can have.
const PLANS: [&str; 14] = [
    "model.preset=llama-3.1-8b&explain=true",
    // nothing is within the limits
    "model.preset=llama-3.1-405b&budget_usd=1000&deadline_days=1",
    // too large for whatever is allowed
    "model.preset=llama-3.1-405b&accelerators=rtx-4090&max_gpus=8",
    // bought, with figures of the caller
    "model.parameters_billion=13&overrides.pue=1.3&overrides.server_usd.h100-sxm=300000&acquisition=buy",
    // an own facility, demand that outgrows it, every running part
    "model.preset=llama-3.1-70b&facility=own&demand_growth_per_month=5&demand_seasonality=30&deadline_days=90\
     &budget_usd=50M&overrides.demand_charge_usd_per_kw_month=12&overrides.topology=dragonfly",
    "model.preset=mixtral-8x7b&accelerators=h100-sxm,b200&overrides.gpu_hour_usd.aws.h100-sxm=2.5\
     &quotes.gpu_hour_usd.aws.h100-sxm.supplier=AWS&quotes.gpu_hour_usd.aws.h100-sxm.recorded=2026-11-30\
     &quotes.gpu_hour_usd.aws.h100-sxm.valid_until=2099-12-31\
     &overrides.oversubscription=2&overrides.topology=rail_optimized&deadline_days=30",
    // racks that are one system
    "model.preset=deepseek-v3&accelerators=gb200-nvl72&training_tokens=1T",
    "model.preset=llama-3.1-8b&accelerators=gb200-nvl72&max_gpus=72&acquisition=buy",
    "model.preset=llama-3.1-8b&method=lora&training_tokens=100M&optimizer=adamw_16bit",
    "model.preset=llama-3.1-70b&method=full_fine_tuning&host_offload=optimizer&acquisition=spot&max_gpus=64",
    // one server of a card without a link, and no price to rent it at
    "model.preset=llama-3.2-1b&accelerators=rtx-4090&max_gpus=8&acquisition=buy",
    // an accelerator that is not for sale
    "model.preset=llama-3.1-8b&accelerators=tpu-v5p,trainium-2&max_gpus=256",
    "model.preset=llama-3.1-8b&accelerators=mi300x&acquisition=reserved&region=eu-average&overrides.topology=torus",
    "model.architecture.layers=16&model.architecture.hidden=2048&model.architecture.heads=16&model.architecture.ffn=8192\
     &model.architecture.vocab=50000&model.architecture.experts=64&model.architecture.experts_per_token=8\
     &model.architecture.expert_ffn=1024&model.architecture.expert_groups=8&model.architecture.groups_per_token=4\
     &model.architecture.shared_experts=1&model.architecture.shared_expert_ffn=2048\
     &model.architecture.shared_expert_gate=true&model.architecture.window.tokens=4096\
     &model.architecture.embedding_width=512&model.architecture.no_final_norm=true\
     &model.architecture.biases.qkv=true&max_gpus=128",
];

#[tokio::test]
async fn answers_and_documentation_have_the_same_keys() {
    let server = Server::start().await;
    let caller = server.caller();
    let mut checked = Checked::new();
    for query in PLANS {
        let answer = caller.get(&format!("/api/v1/plans?{query}")).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text());
        checked.check("Plan", &answer.json(), query);
    }
    let estimate = json!({ "model": { "preset": "mixtral-8x7b" }, "accelerator": "h100-sxm", "gpus": 64 });
    let tight = json!({ "model": { "preset": "llama-3.1-405b" }, "accelerator": "rtx-4090", "gpus": 8 });
    let streamed = json!({ "model": { "parameters_billion": 7 }, "accelerator": "gb200-nvl72", "gpus": 4, "host_offload": "everything" });
    let batch = caller.post_json("/api/v1/estimates", &json!([estimate, tight, streamed, {}])).await;
    assert_eq!(batch.status, 200, "{}", batch.text());
    checked.check("EstimateOrBatch", &batch.json(), "a batch");
    checked.check("Estimate", &caller.post_json("/api/v1/estimates", &estimate).await.json(), "an estimate");
    let limits = json!({ "model": { "preset": "llama-3.1-8b" }, "budget_usd": 200_000, "deadline_days": 30 });
    let largest = caller.post_json("/api/v1/largest-model", &limits).await.json();
    assert!(largest["largest_model"]["parameters_billion"].as_f64().unwrap() > 1.0, "{largest}");
    checked.check("LargestModelAnswer", &largest, "the largest model");
    let same = caller.get("/api/v1/largest-model?model.preset=llama-3.1-8b&budget_usd=200k&deadline_days=30").await;
    assert_eq!(same.json(), largest);
    let unlimited = caller.get("/api/v1/largest-model?model.preset=llama-3.1-8b").await.json();
    assert!(unlimited["largest_model"].is_null(), "{unlimited}");
    let both = caller.post_json("/api/v1/plans", &json!([limits, {}])).await.json();
    checked.check("PlanOrBatch", &both, "a batch of plans");
    let path = "/api/v1/plans.json?model.preset=llama-3.2-1b&max_gpus=8";
    checked.check("Rows", &caller.get(path).await.json(), "all rows");
    checked.check("Rows", &caller.get(&format!("{path}&table=tiers")).await.json(), "rows");
    checked.check("Problem", &caller.get("/api/v1/plans").await.problem(422), "a problem");
    let mut editor = crate::accounts::signed_up(&server, "editor@a.b").await;
    let mut program = server.caller();
    program.bearer = Some(crate::tokens::make_token(&mut editor, "A program", "write").await);
    checked.check("Me", &program.get("/api/v1/me").await.json(), "a token");
    checked.check("Validation", &caller.get("/api/v1/validation").await.json(), "the validation");
    for table in TABLES {
        checked.check("CatalogTable", &caller.get(&format!("/api/v1/catalog/{table}")).await.json(), table);
    }
    checked.differences.truncate(20);
    assert!(checked.differences.is_empty(), "{:#?}", checked.differences);
    // requests come back as they were read, so that not every field that is read is in an answer
    let only_read = ["PlanRequest", "Model", "Software", "Overrides"];
    let roots = ["Plan", "LargestModelAnswer", "EstimateOrBatch", "Problem", "Validation", "CatalogTable"];
    let never: Vec<String> = documented_keys(&roots)
        .into_iter()
        .filter(|key| !checked.keys.contains(key) && !only_read.iter().any(|name| key.starts_with(&format!("{name}/"))))
        .collect();
    assert_eq!(never, Vec::<String>::new(), "documented, but in no answer");
}

#[tokio::test]
async fn every_documented_key_of_an_address_is_known() {
    let server = Server::start().await;
    let document = server::rest::openapi::document();
    for path in ["/api/v1/plans", "/api/v1/plans.json", "/api/v1/largest-model", "/api/v1/estimates"] {
        let parameters = document["paths"][path]["get"]["parameters"].as_array().unwrap();
        let resolved = |parameter: &'_ serde_json::Value| match parameter["$ref"].as_str() {
            Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap()["name"].clone(),
            None => parameter["name"].clone(),
        };
        let keys: Vec<String> = parameters.iter().map(|p| resolved(p).as_str().unwrap().to_owned()).collect();
        assert!(keys.iter().any(|key| key == "model.architecture.low_rank_attention.kv_rank"), "{keys:?}");
        for key in
            keys.into_iter().filter(|key| !["explain", "table", "bom", "delimiter", "decimal"].contains(&key.as_str()))
        {
            let key = key.replace("gpu_hour_usd.{id}", "gpu_hour_usd.aws").replace("{id}", "h100-sxm");
            let problem = server.caller().get(&format!("{path}?{key}=zzzz")).await.problem(422);
            let pointer = format!("/{}", key.replace('.', "/"));
            let of_key =
                problem["errors"].as_array().unwrap().iter().find(|error| error["pointer"] == pointer.as_str());
            let code = of_key.map(|error| error["code"].as_str().unwrap());
            // what takes any text has nothing to complain of
            let is_text = key == "model.model_type";
            assert!(matches!(code, Some("wrong_type" | "unknown_id")) || is_text && code.is_none(), "{key}: {problem}");
        }
    }
}

#[test]
fn a_difference_is_found() {
    let schemas = Checked::new();
    let found = |name: &str, answer: serde_json::Value| schemas.differences_of(name, &answer);
    let band = json!({ "low": 1.5, "high": 2 });
    assert!(found("Band", band).is_empty());
    assert_eq!(found("Band", json!({ "low": 1.5 })), ["/high: missing"]);
    assert_eq!(found("Band", json!({ "low": null, "high": 2 })), ["/low: null, documented as [\"number\"]"]);
    assert_eq!(found("Band", json!({ "low": 1, "high": 2, "middle": 1.5 })), ["/middle: not documented"]);
    assert_eq!(found("AttentionWindow", json!({ "tokens": 0 })).len(), 1, "out of its range");
    assert_eq!(found("Software", json!({ "stack": "none" })).len(), 1, "no choice");
}
