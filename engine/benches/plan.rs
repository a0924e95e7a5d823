//! Speed of the two doors on one core: how many estimates and layouts a second, and how a plan grows with what it may
//! choose from.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::request::Form;
use engine::{EstimateRequest, PlanRequest};
use serde_json::{Value, json};
use std::hint::black_box;

fn plan_request(value: &Value) -> PlanRequest {
    PlanRequest::parse(value, Form::Json).expect("a valid request")
}

fn estimate_request(value: &Value) -> EstimateRequest {
    EstimateRequest::parse(value, Form::Json).expect("a valid request")
}

fn example() -> Value {
    json!({"model": {"preset": "llama-3.1-70b"}, "context_length": 8192, "training_tokens": 1e12, "budget_usd": 5e6, "deadline_days": 90})
}

fn plans(c: &mut Criterion) {
    for model in ["llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b", "mixtral-8x7b", "gpt-oss-120b", "deepseek-v3"] {
        let mut value = example();
        value["model"] = json!({"preset": model});
        let request = plan_request(&value);
        c.bench_function(&format!("plan, default limits, {model}"), |b| b.iter(|| engine::plan(black_box(&request))));
    }
}

fn growth(c: &mut Criterion) {
    let mut group = c.benchmark_group("plan by accelerators");
    for ids in [&["h100-sxm"][..], &["h100-sxm", "h200-sxm", "b200", "mi300x"], &[]] {
        let mut value = example();
        value["accelerators"] = json!(ids);
        let request = plan_request(&value);
        let name = if ids.is_empty() { "all".to_owned() } else { ids.len().to_string() };
        group.bench_function(name, |b| b.iter(|| engine::plan(black_box(&request))));
    }
    group.finish();
    let mut group = c.benchmark_group("plan by largest cluster");
    for most in [256, 2_048, 16_384, 131_072] {
        let mut value = example();
        value["max_gpus"] = json!(most);
        let request = plan_request(&value);
        group.bench_function(most.to_string(), |b| b.iter(|| engine::plan(black_box(&request))));
    }
    group.finish();
}

fn estimates(c: &mut Criterion) {
    let open = json!({"model": {"preset": "llama-3.1-70b"}, "accelerator": "h100-sxm", "gpus": 64, "global_batch_sequences": 512});
    let mut given = open.clone();
    given["layout"] =
        json!({"tensor": 4, "pipeline": 4, "virtual_pipeline": 5, "context": 1, "expert": 1, "sharding": "optimizer"});
    given["micro_batch_sequences"] = json!(1);
    given["recompute"] = json!("selective");
    for (name, value) in [("estimate, layout searched", open), ("estimate, layout given", given)] {
        let request = estimate_request(&value);
        c.bench_function(name, |b| b.iter(|| engine::estimate(black_box(&request))));
    }
}

/// Every layout of GPT-3 175B on 1,024 A100: bounds skip what can't win; the rate is of layouts whose memory was asked.
fn whole_space(c: &mut Criterion) {
    let value = json!({"model": {"preset": "gpt-3-175b"}, "accelerator": "a100-sxm-80", "gpus": 1_024, "context_length": 2_048, "global_batch_sequences": 1_536});
    let request = estimate_request(&value);
    let looked_at = engine::estimate(&request).expect("a layout").layouts_evaluated;
    let mut group = c.benchmark_group("layouts");
    group.throughput(Throughput::Elements(looked_at));
    group.bench_function("GPT-3 175B on 1,024 A100, whole space", |b| b.iter(|| engine::estimate(black_box(&request))));
    group.finish();
}

criterion_group!(benches, plans, growth, estimates, whole_space);
criterion_main!(benches);
