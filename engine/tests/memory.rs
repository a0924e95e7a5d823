//! Memory against what published runs needed: peaks, runs that fit, and runs that ran out.

#[path = "support/rows.rs"]
mod rows;
mod support;

use engine::answer::MemoryGib;
use engine::catalog::Calibration;
use engine::request::HostOffload;
use engine::validation::{compare, measurements};
use rows::row_estimate;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use support::estimate;

/// What the source printed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Printed {
    /// Largest sum of live tensors.
    Allocated,
    /// Largest sum of what the caching allocator held; what it holds beyond need goes back under pressure.
    Reserved,
}

/// Published peaks, GiB, by row of the table: SimuMax's measured column, and torchtitan's Llama-3-8B (case-079).
const PEAKS: &[(&str, f64, Printed)] = &[
    ("T1103", 45.63, Printed::Allocated),
    ("T1104", 44.70, Printed::Allocated),
    ("T1135", 68.43, Printed::Allocated),
    ("T1136", 104.51, Printed::Allocated),
    ("T1137", 87.03, Printed::Allocated),
    ("T1138", 139.22, Printed::Allocated),
    ("T1139", 112.67, Printed::Allocated),
    ("T1140", 147.99, Printed::Allocated),
    ("T1141", 118.13, Printed::Allocated),
    ("T0785", 82.4, Printed::Reserved),
    ("T0786", 77.0, Printed::Reserved),
    ("T0787", 76.8, Printed::Reserved),
    ("T0788", 67.0, Printed::Reserved),
    ("T0789", 62.0, Printed::Reserved),
    ("T0790", 61.8, Printed::Reserved),
];

/// Neither count holds the context and communicators; live tensors hold no fragmentation either.
fn comparable(memory: &MemoryGib, printed: Printed) -> f64 {
    let constants = Calibration::get().constants.numbers();
    let without = memory.total - constants.context_gib;
    match printed {
        Printed::Allocated => without - constants.fragmentation_share * (memory.activations + memory.logits),
        Printed::Reserved => without,
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
fn published_peaks_come_out() {
    let mut table = String::from("\nrow     published  computed  error\n");
    let mut errors: BTreeMap<bool, Vec<f64>> = BTreeMap::new();
    for (id, published, printed) in PEAKS {
        let row = measurements().iter().find(|m| m.id == *id).expect("the row is in the table");
        let estimate = row_estimate(row).expect("the layout is legal");
        let computed = comparable(&estimate.memory_gib, *printed);
        let error = computed / published - 1.0;
        errors.entry(*printed == Printed::Reserved).or_default().push(error.abs());
        writeln!(table, "{id}   {published:8.2}  {computed:8.2}  {:+5.1} %", error * 100.0).expect("writes");
    }
    let (live, held) = (median(errors[&false].clone()), median(errors[&true].clone()));
    let all = median(errors.values().flatten().copied().collect());
    writeln!(table, "median: live tensors {live:.3}, held by the allocator {held:.3}, all {all:.3}").expect("writes");
    println!("{table}");
    assert!(live <= 0.04 && all <= 0.08, "{table}");
    // an allocator without pressure holds a sixth more than is alive
    assert!(held <= 0.25, "{table}");
}

/// Case-079: from 8 to 128 devices the peak fell by 15.4 GiB, which is the states that are shared by more.
#[test]
fn sharing_over_more_devices_frees_what_was_measured() {
    let total = |id: &str| {
        let row = measurements().iter().find(|m| m.id == id).expect("in the table");
        row_estimate(row).expect("legal").memory_gib.total
    };
    for (few, many, measured) in [("T0785", "T0788", 15.4), ("T0786", "T0789", 15.0), ("T0787", "T0790", 15.0)] {
        let freed = total(few) - total(many);
        assert!((freed / measured - 1.0).abs() < 0.10, "{few}: {freed}");
    }
}

/// What ran with a full published configuration fits.
#[test]
fn what_ran_fits() {
    let rows: BTreeMap<&str, _> = measurements().iter().map(|m| (m.id.as_str(), m)).collect();
    let comparisons = compare();
    let considered = |id: &str| rows[id].quality == "A" && rows[id].host_offload.is_none_or(|o| o == HostOffload::None);
    let of_quality: Vec<_> = comparisons.iter().filter(|c| considered(&c.id)).collect();
    let not: BTreeSet<&str> = of_quality.iter().filter(|c| !c.fits).map(|c| c.id.as_str()).collect();
    println!("{} of {} rows fit", of_quality.len() - not.len(), of_quality.len());
    assert!(not.is_empty(), "declared not to fit: {not:?}");
    assert!(of_quality.len() > 300, "{}", of_quality.len());
}

/// Published out-of-memory reports: the same configuration must not fit.
#[test]
fn what_ran_out_of_memory_does_not_fit() {
    // case-049: Qwen2.5-32B at 32,768 tokens on one H200, full fine-tuning
    let e = estimate(json!({
        "model": {"preset": "qwen2.5-32b"}, "accelerator": "h200-sxm", "gpus": 1, "context_length": 32_768,
        "global_batch_sequences": 1, "software": {"stack": "pytorch-fsdp"}, "method": "full_fine_tuning",
    }));
    assert!(!e.fits && e.memory_gap_gib > 100.0, "{:?}", e.memory_gib);
    // the same sharded over the 8 of a node, with everything kept
    let e = estimate(json!({
        "model": {"preset": "qwen2.5-32b"}, "accelerator": "h200-sxm", "gpus": 8, "context_length": 32_768,
        "global_batch_sequences": 8, "micro_batch_sequences": 1, "recompute": "none", "method": "full_fine_tuning",
        "software": {"stack": "pytorch-fsdp"},
        "layout": {"tensor": 1, "pipeline": 1, "context": 1, "sharding": "full"},
    }));
    assert!(!e.fits, "{:?}", e.memory_gib);
    // case-013: GPT-2 774M in Megatron on a V100 with 32 GB, attention maps in memory, micro-batch 4
    let e = gpt_2_774m("none", 4);
    assert!(!e.fits && e.memory_gib.total > 31.74, "{:?}", e.memory_gib);
    // what the user had computed: weights, gradients and states alone are 13.0 GiB
    let m = e.memory_gib;
    assert!((m.weights + m.gradients + m.optimizer - 13.0).abs() < 0.1, "{m:?}");
    // case-079: Llama-3.1-8B with local batch 2 does not fit a card of 80 GB, with local batch 1 it does
    let at = |accelerator: &str, micro: u32| {
        estimate(json!({
            "model": {"preset": "llama-3.1-8b"}, "accelerator": accelerator, "gpus": 8, "context_length": 8_192,
            "global_batch_sequences": 8 * micro, "micro_batch_sequences": micro, "recompute": "none",
            "software": {"stack": "pytorch-fsdp", "compiled": false},
            "layout": {"tensor": 1, "pipeline": 1, "context": 1, "sharding": "full"},
        }))
    };
    assert!(!at("h100-sxm", 2).fits && at("h100-sxm", 1).fits);
}

fn gpt_2_774m(kernel: &str, micro: u32) -> engine::Estimate {
    estimate(json!({
        "model": {"architecture": {
            "layers": 36, "hidden": 1280, "heads": 20, "kv_heads": 20, "ffn": 5120, "vocab": 50_304, "gated_ffn": false,
            "tied_embeddings": true, "norm": "layer", "learned_positions": 1024,
            "biases": {"qkv": true, "attention_output": true, "ffn": true},
        }},
        "accelerator": "v100-sxm", "gpus": 1, "context_length": 1024, "global_batch_sequences": micro,
        "micro_batch_sequences": micro, "recompute": "none",
        "software": {"stack": "megatron-2021", "attention_kernel": kernel},
        "layout": {"tensor": 1, "pipeline": 1, "context": 1, "sharding": "none"},
    }))
}

/// Case-013's kind: attention maps grow with the square of the context, fused attention with the context.
#[test]
fn attention_maps_are_counted_only_where_they_go_through_memory() {
    for micro in [1, 2, 4, 8] {
        let (maps, fused) = (gpt_2_774m("none", micro), gpt_2_774m("flash2", micro));
        let more = maps.memory_gib.activations - fused.memory_gib.activations;
        // 5·a·s bytes per token and layer
        let expected = 5.0 * 20.0 * 1024.0 * 1024.0 * 36.0 * f64::from(micro) / 1_073_741_824.0;
        assert!((more / expected - 1.0).abs() < 0.01, "{more} {expected}");
    }
}
