//! Whatever is sent, the answer is a result or a reason, never a fault of ours.

use crate::openapi::documented::Checked;
use crate::support::Server;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};

/// Keys and ids that mean something, so that the search gets past the first check.
const WORDS: &[&str] = &[
    "model",
    "preset",
    "architecture",
    "parameters_billion",
    "huggingface",
    "layers",
    "hidden",
    "heads",
    "kv_heads",
    "ffn",
    "vocab",
    "experts",
    "experts_per_token",
    "expert_groups",
    "groups_per_token",
    "low_rank_attention",
    "window",
    "context_length",
    "training_tokens",
    "global_batch_tokens",
    "precision",
    "method",
    "optimizer",
    "host_offload",
    "facility",
    "demand_growth_per_month",
    "demand_seasonality",
    "budget_usd",
    "deadline_days",
    "max_gpus",
    "accelerators",
    "accelerator",
    "gpus",
    "gpus_per_node",
    "layout",
    "tensor",
    "pipeline",
    "recompute",
    "overrides",
    "server_usd",
    "gpu_hour_usd",
    "pue",
    "topology",
    "oversubscription",
    "rack_kw",
    "lead_time_months",
    "software",
    "stack",
    "utilization",
    "horizon_months",
    "llama-3.1-8b",
    "h100-sxm",
    "fp8",
    "everything",
    "own",
    "torus",
    "dragonfly",
    "adamw_bf16",
    "lora",
    "full",
    "aws",
    "us-texas",
    "",
    "\u{0}",
    "é",
];

fn value() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(WORDS).prop_map(str::to_owned);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|n| json!(n)),
        (-400.0..400.0f64).prop_map(|n| json!(n)),
        any::<f64>().prop_map(|n| json!(n)),
        (0u64..10_000).prop_map(|n| json!(n)),
        word.clone().prop_map(Value::String),
        ".{0,20}".prop_map(Value::String),
    ];
    leaf.prop_recursive(5, 60, 8, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((word.clone(), inner), 0..8)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A request that is right but for one field.
fn nearly(base: Value, key: String, value: Value) -> Value {
    let mut request = base;
    request[key] = value;
    request
}

fn body() -> impl Strategy<Value = Value> {
    let plan = json!({ "model": { "preset": "llama-3.2-1b" }, "max_gpus": 16, "accelerators": ["h100-sxm"] });
    let estimate = json!({ "model": { "preset": "llama-3.2-1b" }, "accelerator": "h100-sxm", "gpus": 8 });
    let key = prop::sample::select(WORDS).prop_map(str::to_owned);
    prop_oneof![
        value(),
        (prop::sample::select(vec![plan, estimate]), key, value())
            .prop_map(|(base, key, value)| nearly(base, key, value)),
    ]
}

fn run(cases: u32, each: impl Fn(&tokio::runtime::Runtime, &Server, Value)) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::start());
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&body(), |value| {
        each(&runtime, &server, value);
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn any_json_is_answered_as_documented() {
    let schemas = Checked::new();
    run(300, |runtime, server, value| {
        for (path, name) in [("/api/v1/plans", "PlanOrBatch"), ("/api/v1/estimates", "EstimateOrBatch")] {
            let answer = runtime.block_on(server.caller().post_json(path, &value));
            assert!(
                [200, 400, 422].contains(&answer.status),
                "{path}: {} {} for {value}",
                answer.status,
                answer.text()
            );
            let differences = match answer.status {
                200 => schemas.differences_of(name, &answer.json()),
                status => schemas.differences_of("Problem", &answer.problem(status)),
            };
            assert!(differences.is_empty(), "{path}: {differences:?} for {value}");
        }
    });
}

#[test]
fn any_bytes_and_any_query_are_answered() {
    run(100, |runtime, server, value| {
        let mut bytes = value.to_string().into_bytes();
        let at = bytes.len() / 2;
        bytes[at] ^= 0x15;
        let answer = runtime.block_on(server.caller().post_text("/api/v1/plans", "application/json", bytes.clone()));
        assert!(answer.status < 500, "{} for {bytes:?}", answer.status);
        let query: String = form_urlencoded::byte_serialize(&bytes).collect();
        let query = query.replace("%3A", "=").replace("%2C", "&");
        let answer = runtime.block_on(server.caller().get(&format!("/api/v1/plans?{query}")));
        assert!(answer.status < 500, "{} for {query}", answer.status);
    });
}
