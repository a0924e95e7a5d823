//! Group C: activations, logits, long context.

use super::support::estimate;
use super::{GIB, near, placed};
use engine::Estimate;
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn case_037_three_kinds_of_recompute() {
    let at =
        |recompute| placed("llama-2-7b", 8, 4_096, 1, recompute, json!({"sharding": "full"})).memory_gib.activations;
    let (none, selective, full) = (at("none"), at("selective"), at("full"));
    // checkpoints are 1.0 GiB and one layer's working set about 0.5 GiB
    near(full, 1.5, 0.05);
    assert!(full < selective && selective < none, "{none} {selective} {full}");
}

#[test]
fn case_039_experts_are_priced_by_what_a_token_visits() {
    let with = |experts: u32, visits: u32, ffn: u32, shared: u32| -> Estimate {
        estimate(json!({
            "model": {"architecture": {
                "layers": 16, "hidden": 2048, "heads": 16, "kv_heads": 16, "head_dim": 128, "ffn": 8192, "vocab": 32000,
                "gated_ffn": true, "tied_embeddings": false, "experts": experts, "experts_per_token": visits,
                "expert_ffn": ffn, "shared_experts": shared,
            }},
            "accelerator": "h100-sxm", "gpus": 8, "context_length": 4096, "global_batch_sequences": 8,
            "micro_batch_sequences": 1, "recompute": "none", "layout": {"tensor": 1, "pipeline": 1, "context": 1, "expert": 8},
        }))
    };
    let base = with(64, 4, 1024, 0).memory_gib.activations;
    assert!(
        (with(128, 4, 1024, 0).memory_gib.activations - base).abs() < 1e-9,
        "experts that are not visited keep nothing"
    );
    assert!(with(64, 8, 1024, 0).memory_gib.activations > base);
    assert!(with(64, 4, 2048, 0).memory_gib.activations > base);
    assert!(with(64, 4, 1024, 1).memory_gib.activations > base);
}

#[test]
fn case_041_fused_attention_keeps_no_maps() {
    let e = placed("llama-2-7b", 8, 4_096, 1, "none", json!({"sharding": "full"}));
    let activations = e.memory_gib.activations + e.memory_gib.logits;
    assert!((14.9..=17.5).contains(&activations), "{activations}");
}

#[test]
fn case_043_logits_of_a_large_vocabulary() {
    let at = |software: Value| {
        estimate(json!({
            "model": {"preset": "llama-3.1-8b"}, "accelerator": "h100-sxm", "gpus": 8, "context_length": 8_192,
            "global_batch_sequences": 8, "micro_batch_sequences": 1, "software": software,
            "layout": {"tensor": 1, "pipeline": 1, "context": 1},
        }))
        .memory_gib
        .logits
    };
    // 8,192 tokens × 128,256: 1.96 GiB in bf16, 3.91 GiB in 32 bits; a loss needs logits and gradient
    let (bf16, wide) = (1.96, 3.91);
    near(at(json!({"stack": "megatron-core", "fused_loss": true})), 2.0 * bf16, 0.01);
    near(at(json!({"stack": "pytorch-fsdp", "fused_loss": false})), 3.0 * wide, 0.01);
}

#[test]
fn case_045_a_fused_loss_takes_less_memory() {
    let at = |fused: bool| {
        estimate(json!({
            "model": {"preset": "llama-3.1-8b"}, "accelerator": "b200", "gpus": 8, "context_length": 65_536,
            "global_batch_sequences": 8, "micro_batch_sequences": 1, "recompute": "full",
            "software": {"stack": "pytorch-fsdp", "fused_loss": fused},
            "layout": {"tensor": 1, "pipeline": 1, "context": 1, "sharding": "full"},
        }))
    };
    let saved = at(false).memory_gib.logits - at(true).memory_gib.logits;
    // 65 K tokens × 128 K: 42 GB and more
    assert!(saved * GIB >= 42e9, "{saved}");
}

#[test]
fn case_047_logits_scale_with_batch_length_and_vocabulary() {
    let at = |micro: u32, context: u64| {
        placed("qwen2.5-0.5b", 8, context, micro, "full", json!({"sharding": "none"})).memory_gib.logits
    };
    let one = at(1, 256);
    near(at(2, 256), 2.0 * one, 1e-9);
    near(at(1, 1_024), 4.0 * one, 1e-9);
    // one 2-byte tensor of 2 × 256 × 151,936
    assert!(at(2, 256) * GIB >= 0.311e9);
    let large = placed("qwen2.5-0.5b", 8, 8_192, 8, "full", json!({"sharding": "none"})).memory_gib;
    assert!(large.logits > large.weights * 10.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Case-081: none ≤ selective ≤ full in time, and the reverse in memory, for any layout and software.
    #[test]
    fn case_081_recompute_costs_time_and_frees_memory(
        model in prop::sample::select(vec!["llama-3.1-8b", "mixtral-8x7b", "deepseek-v2", "gpt-2-xl", "gemma-2-9b"]),
        stack in prop::sample::select(vec!["megatron-core", "mlperf-tuned", "pytorch-fsdp", "deepspeed", "megatron-2021", "jax", "cuda-native", "other"]),
        accelerator in prop::sample::select(vec!["h100-sxm", "b200", "rtx-4090"]),
        precision in prop::sample::select(vec!["bf16", "fp8"]),
        tensor in prop::sample::select(vec![1u32, 2, 4]), data in prop::sample::select(vec![1u32, 4]),
        pipeline in prop::sample::select(vec![1u32, 4]), micro in prop::sample::select(vec![1u32, 4]),
        context in prop::sample::select(vec![1_024u64, 8_192]),
    ) {
        let at = |recompute: &str| {
            let request = json!({
                "model": {"preset": model}, "accelerator": accelerator, "gpus": tensor * data * pipeline, "context_length": context,
                "precision": precision, "software": {"stack": stack}, "global_batch_sequences": data * micro * pipeline,
                "micro_batch_sequences": micro, "recompute": recompute,
                "layout": {"tensor": tensor, "pipeline": pipeline, "virtual_pipeline": 1, "context": 1, "expert": 1, "sharding": if data > 1 { "optimizer" } else { "none" }},
            });
            let request = engine::EstimateRequest::parse(&request, engine::request::Form::Json).ok()?;
            engine::estimate(&request).ok()
        };
        if let (Some(none), Some(selective), Some(full)) = (at("none"), at("selective"), at("full")) {
            let slack = 1.0 + 1e-9;
            prop_assert!(none.step_seconds <= selective.step_seconds * slack, "{} {}", none.step_seconds, selective.step_seconds);
            prop_assert!(selective.step_seconds <= full.step_seconds * slack, "{} {}", selective.step_seconds, full.step_seconds);
            prop_assert!(none.memory_gib.total * slack >= selective.memory_gib.total, "{:?} {:?}", none.memory_gib, selective.memory_gib);
            prop_assert!(selective.memory_gib.total * slack >= full.memory_gib.total, "{:?} {:?}", selective.memory_gib, full.memory_gib);
        }
    }
}
