//! Speed of the two doors on one core.

use criterion::{Criterion, criterion_group, criterion_main};
use engine::request::Form;
use engine::{EstimateRequest, PlanRequest};
use serde_json::json;
use std::hint::black_box;

fn plans(c: &mut Criterion) {
    let example = json!({"model": {"preset": "llama-3.1-70b"}, "context_length": 8192, "training_tokens": 1e12, "budget_usd": 5e6, "deadline_days": 90});
    let experts = json!({"model": {"preset": "deepseek-v3"}, "context_length": 4096});
    for (name, value) in [("plan, default limits, 70B", example), ("plan, default limits, DeepSeek-V3", experts)] {
        let request = PlanRequest::parse(&value, Form::Json).expect("a valid request");
        c.bench_function(name, |b| b.iter(|| engine::plan(black_box(&request))));
    }
}

fn estimates(c: &mut Criterion) {
    let open = json!({"model": {"preset": "llama-3.1-70b"}, "accelerator": "h100-sxm", "gpus": 64, "global_batch_sequences": 512});
    let mut given = open.clone();
    given["layout"] =
        json!({"tensor": 4, "pipeline": 4, "virtual_pipeline": 5, "context": 1, "expert": 1, "sharding": "optimizer"});
    given["micro_batch_sequences"] = json!(1);
    given["recompute"] = json!("selective");
    for (name, value) in [("estimate, layout searched", open), ("estimate, layout given", given)] {
        let request = EstimateRequest::parse(&value, Form::Json).expect("a valid request");
        c.bench_function(name, |b| b.iter(|| engine::estimate(black_box(&request))));
    }
}

criterion_group!(benches, plans, estimates);
criterion_main!(benches);
