//! Every public report of a wrong figure that concerns training (`known-faults.md`, groups A to G), each as a test with
//! its number. What is about inference or quantized files only is tested by the nearest thing that exists here.

mod activations;
mod configurations;
mod costs;
mod layouts;
mod static_memory;
#[path = "../support/mod.rs"]
mod support;
mod throughput;

use engine::Estimate;
use serde_json::{Value, json};

/// 2^30 bytes.
const GIB: f64 = 1_073_741_824.0;

/// An estimate with every degree given: 1 unless `layout` says otherwise.
fn placed(model: &str, gpus: u32, context: u64, micro: u32, recompute: &str, layout: Value) -> Estimate {
    let mut all = json!({"tensor": 1, "pipeline": 1, "context": 1});
    if let (Some(all), Some(given)) = (all.as_object_mut(), layout.as_object()) {
        all.extend(given.clone());
    }
    support::estimate(json!({
        "model": {"preset": model}, "accelerator": "h100-sxm", "gpus": gpus, "context_length": context,
        "global_batch_sequences": u64::from(gpus) * u64::from(micro), "micro_batch_sequences": micro,
        "recompute": recompute, "layout": all,
    }))
}

/// Weights, gradients and states of an estimate, GiB.
fn states(e: &Estimate) -> f64 {
    e.memory_gib.weights + e.memory_gib.gradients + e.memory_gib.optimizer
}

/// Within a relative tolerance.
fn near(value: f64, expected: f64, tolerance: f64) {
    assert!((value / expected - 1.0).abs() <= tolerance, "{value}, expected {expected}");
}
