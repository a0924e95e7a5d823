//! Estimates: what fits, what is refused and why, and what must be monotone.

mod support;

use proptest::prelude::*;
use serde_json::{Value, json};
use support::{estimate, impossible};

fn llama_70b(gpus: u32) -> Value {
    json!({"model": {"preset": "llama-3.1-70b"}, "accelerator": "h100-sxm", "gpus": gpus, "global_batch_sequences": 512})
}

#[test]
fn seventy_billion_does_not_fit_on_eight_80_gb_devices_and_fits_on_sixty_four() {
    let small = estimate(llama_70b(8));
    assert!(!small.fits && small.memory_gap_gib > 40.0, "{}", small.memory_gap_gib);
    assert!((small.memory_gap_gib - (small.memory_gib.total - small.memory_gib.usable)).abs() < 1e-9);
    // weights and states alone: 16 bytes a parameter over 8 devices
    let states = small.memory_gib.weights + small.memory_gib.gradients + small.memory_gib.optimizer;
    let least = 16.0 * 70_553_706_496.0 / 8.0 / 1_073_741_824.0;
    assert!((states - least).abs() < 0.1 * least, "{states} {least}");
    let large = estimate(llama_70b(64));
    assert!(large.fits && large.memory_gap_gib <= 0.0);
    let l = large.layout;
    assert_eq!(l.tensor * l.pipeline * l.context * l.data, 64);
}

/// What does not fit says what would make it fit, and that does fit.
#[test]
fn the_remedy_of_what_does_not_fit_fits() {
    // the layout is at fault
    let mut wrong = llama_70b(64);
    wrong["layout"] = json!({"tensor": 1, "pipeline": 1, "sharding": "none"});
    let e = estimate(wrong);
    assert!(!e.fits && e.remedy.as_deref().is_some_and(|r| r.starts_with("Another layout")), "{:?}", e.remedy);
    // the host has room for the states
    let mut small = llama_70b(8);
    small["global_batch_sequences"] = json!(64);
    let e = estimate(small.clone());
    let remedy = e.remedy.expect("a remedy");
    assert!(!e.fits && remedy.contains("`host_offload` optimizer"), "{remedy}");
    small["host_offload"] = json!("optimizer");
    assert!(estimate(small).fits, "{remedy}");
    // nothing but more devices
    let mut one = llama_70b(8);
    one["model"] = json!({"preset": "llama-3.1-405b"});
    one["host_offload"] = json!("everything");
    let e = estimate(one.clone());
    if let Some(remedy) = e.remedy {
        let more: u64 = remedy.split(' ').find_map(|w| w.parse().ok()).expect("a number of devices");
        one["gpus"] = json!(more);
        one["global_batch_sequences"] = json!(512);
        assert!(estimate(one).fits, "{remedy}");
    } else {
        assert!(e.fits);
    }
    // what fits needs none
    assert_eq!(estimate(llama_70b(64)).remedy, None);
}

/// States that leave the device leave its memory, and never make a step faster.
#[test]
fn offload_takes_less_memory_and_no_less_time() {
    let with = |offload: &str| {
        estimate(json!({
            "model": {"preset": "llama-3.1-8b"}, "accelerator": "h100-sxm", "gpus": 8, "global_batch_sequences": 64,
            "micro_batch_sequences": 1, "recompute": "none", "host_offload": offload,
            "layout": {"tensor": 1, "pipeline": 1, "context": 1, "sharding": "optimizer"},
        }))
    };
    let (none, optimizer, everything) = (with("none"), with("optimizer"), with("everything"));
    assert!(none.memory_gib.total > optimizer.memory_gib.total && optimizer.memory_gib.optimizer == 0.0);
    assert!(optimizer.memory_gib.total > everything.memory_gib.total && everything.memory_gib.weights == 0.0);
    assert!(none.step_seconds < optimizer.step_seconds && optimizer.step_seconds < everything.step_seconds);
}

#[test]
fn gpt_3_on_1024_a100_takes_about_what_was_published() {
    // Narayanan et al. 2021: batch 1,536, full recompute, 140 TFLOP/s with recompute, 31.5 s a step
    let e = estimate(json!({
        "model": {"preset": "gpt-3-175b"}, "accelerator": "a100-sxm-80", "gpus": 1024, "context_length": 2048,
        "global_batch_sequences": 1536, "recompute": "full", "layout": {"tensor": 8, "pipeline": 8},
        "software": {"stack": "megatron-2021"},
    }));
    assert!((e.step_seconds / 31.5 - 1.0).abs() < 0.15, "{}", e.step_seconds);
}

#[test]
fn refusals_name_the_rule_and_legal_values() {
    let cases = [
        (json!({"tensor": 3}), "does_not_divide", "legal are 1, 2, 4, 8"),
        (json!({"tensor": 16}), "exceeds_domain", "use at most 8"),
        (json!({"pipeline": 128}), "too_many_stages", "80 layers"),
        (json!({"virtual_pipeline": 2, "pipeline": 1}), "needs_pipeline", "above 1"),
        (json!({"tensor": 8, "pipeline": 4, "virtual_pipeline": 30}), "does_not_divide", "legal are"),
        (json!({"expert": 8, "tensor": 1, "pipeline": 1, "context": 1}), "no_experts", "dense"),
        (json!({"context": 3}), "does_not_divide", "power of two"),
        (json!({"tensor": 8, "pipeline": 4, "sharding": "full"}), "incompatible", "optimizer"),
    ];
    for (layout, code, words) in cases {
        let mut request = llama_70b(256);
        request["layout"] = layout.clone();
        let problem = impossible(request);
        assert_eq!(problem.code, "impossible_layout", "{layout}: {problem:?}");
        let found = problem.errors.iter().find(|e| e.code == code).unwrap_or_else(|| panic!("{layout}: {problem:?}"));
        assert!(found.message.contains(words), "{}", found.message);
    }
}

#[test]
fn the_field_report_layout_needs_512_devices() {
    // TP8 × PP4 × DP8 with context parallel 2 was said to be 256 devices
    let mut request = llama_70b(256);
    request["layout"] = json!({"tensor": 8, "pipeline": 4, "context": 2});
    let e = estimate(request);
    assert_eq!(e.layout.data, 4, "256 devices leave 4 replicas, not 8");
    let mut too_few = llama_70b(32);
    too_few["layout"] = json!({"tensor": 8, "pipeline": 4, "context": 2});
    let problem = impossible(too_few);
    assert!(problem.detail.contains("64 devices"), "{}", problem.detail);
}

#[test]
fn a_batch_that_divides_by_nothing_is_refused_with_a_remedy() {
    let problem = impossible(json!({
        "model": {"preset": "llama-3.1-8b"}, "accelerator": "h100-sxm", "gpus": 64, "global_batch_sequences": 1,
        "layout": {"tensor": 1, "pipeline": 1, "context": 1},
    }));
    assert!(problem.detail.contains("global_batch_sequences"), "{}", problem.detail);
}

#[test]
fn tied_selective_lies_between_none_and_full() {
    let at = |recompute: &str| {
        let mut request = llama_70b(256);
        request["recompute"] = json!(recompute);
        request["micro_batch_sequences"] = json!(1);
        request["layout"] =
            json!({"tensor": 8, "pipeline": 4, "virtual_pipeline": 1, "context": 1, "sharding": "optimizer"});
        estimate(request)
    };
    let (none, selective, full) = (at("none"), at("selective"), at("full"));
    assert!(none.step_seconds <= selective.step_seconds && selective.step_seconds <= full.step_seconds);
    assert!(none.memory_gib.total >= selective.memory_gib.total && selective.memory_gib.total >= full.memory_gib.total);
    assert!(full.hfu > full.mfu && none.hfu == none.mfu);
}

#[test]
fn the_whole_is_the_sum_of_its_parts() {
    for model in ["llama-3.1-8b", "mixtral-8x7b", "deepseek-v3", "gemma-2-9b", "gpt-oss-20b"] {
        let e = estimate(
            json!({"model": {"preset": model}, "accelerator": "b200", "gpus": 128, "global_batch_sequences": 1024, "context_length": 4096}),
        );
        assert!((e.time_seconds.total() - e.step_seconds).abs() < 1e-9 * e.step_seconds);
        assert!(e.tokens_per_second_per_gpu > 0.0 && e.mfu < 0.85, "{model}: {}", e.mfu);
        assert!(e.band.low < e.tokens_per_second_per_gpu && e.tokens_per_second_per_gpu < e.band.high);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// More network bandwidth is never slower, and more devices never make a step's tokens fewer per second.
    #[test]
    fn more_bandwidth_is_never_slower(gpus in prop::sample::select(vec![16u32, 64, 256]), gbps in 25.0..800.0f64, model in prop::sample::select(vec!["llama-3.1-8b", "llama-3.1-70b", "mixtral-8x7b"])) {
        let at = |rate: f64| estimate(json!({"model": {"preset": model}, "accelerator": "h100-sxm", "gpus": gpus, "network_gbps_per_gpu": rate, "global_batch_sequences": 512}));
        let (slow, fast) = (at(gbps), at(gbps * 1.5));
        if slow.fits {
            prop_assert!(fast.tokens_per_second_per_gpu >= slow.tokens_per_second_per_gpu * (1.0 - 1e-9));
        }
    }

    /// Whatever a checked request holds, the answer is finite, and the parts sum to the whole.
    #[test]
    fn any_checked_request_has_a_finite_answer(
        layers in 1u32..100, heads in 1u32..64, head in prop::sample::select(vec![64u32, 128]), ffn in 1u32..200,
        gpus in 1u32..600, batch in 1u64..2_000, context in prop::sample::select(vec![512u64, 2_048, 8_192, 131_072]),
        precision in prop::sample::select(vec!["bf16", "fp8", "fp4"]), method in prop::sample::select(vec!["pretraining", "full_fine_tuning", "lora"]),
        accelerator in prop::sample::select(vec!["a100-sxm-80", "gb200-nvl72", "rtx-4090", "mi300x", "tpu-v5e"]),
    ) {
        let request = json!({
            "model": {"architecture": {"layers": layers, "hidden": heads * head, "heads": heads, "kv_heads": heads, "head_dim": head, "ffn": ffn * 64, "vocab": 32_000, "gated_ffn": true, "tied_embeddings": false}},
            "context_length": context, "precision": precision, "method": method, "accelerator": accelerator, "gpus": gpus, "global_batch_sequences": batch,
        });
        let request = engine::EstimateRequest::parse(&request, engine::request::Form::Json).expect("is valid");
        match engine::estimate(&request) {
            Ok(e) => {
                prop_assert!(e.step_seconds.is_finite() && e.step_seconds > 0.0 && e.mfu.is_finite() && e.memory_gib.total.is_finite());
                prop_assert!((e.time_seconds.total() - e.step_seconds).abs() < 1e-9 * e.step_seconds);
                prop_assert!(e.time_seconds.parts().iter().all(|(_, s)| *s >= 0.0));
            }
            Err(problem) => prop_assert!(!problem.errors.is_empty()),
        }
    }
}
