//! The answer to an estimate.

use super::{choice, flag, ids, number, object, of, text, whole};
use engine::request::{Recompute, Sharding};
use serde_json::{Value, json};

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("Estimate", estimate()),
        (
            "EstimateOrBatch",
            json!({ "oneOf": [
            { "$ref": "#/components/schemas/Estimate" },
            { "type": "array", "items": { "oneOf": [{ "$ref": "#/components/schemas/Estimate" }, { "$ref": "#/components/schemas/Problem" }] } },
        ] }),
        ),
        ("Layout", layout()),
        ("MemoryGib", memory()),
        ("TimeSeconds", time()),
        ("Band", object("Low and high", &[("low", number("Low")), ("high", number("High"))])),
    ]
}

fn estimate() -> Value {
    object(
        "One cluster and layout: time, memory, utilization",
        &[
            ("tokens_per_second_per_gpu", number("Tokens per second and device")),
            ("step_seconds", number("Seconds of one optimizer step")),
            ("model_tflops_per_gpu", number("Model TFLOP/s per device: causal attention, recompute not counted")),
            ("mfu", number("Model FLOPs utilization against peak_tflops, 0 to 1")),
            ("hfu", number("Hardware FLOPs utilization: recompute counted, 0 to 1")),
            ("mfu_full_attention", number("MFU with full, not halved, attention, as some sources print it")),
            (
                "peak_tflops",
                number("Dense peak that mfu and hfu are against, TFLOP/s: that of the request's precision"),
            ),
            ("band", of("Band", "Tokens per second and device, low and high")),
            ("parameters", whole("All parameters")),
            ("active_parameters", whole("Parameters that one token uses")),
            ("flops_per_token", number("Training FLOPs per token: forward and backward, causal attention")),
            ("memory_gib", of("MemoryGib", "Memory of the fullest device")),
            ("fits", flag("The total is within what is usable")),
            ("memory_gap_gib", number("What is missing in memory_gib (negative: what is left), GiB")),
            ("remedy?", text("Where it does not fit: the cheapest change that makes it fit, in words")),
            ("layout", of("Layout", "The layout as used")),
            ("time_seconds", of("TimeSeconds", "Where the time of one step goes; the parts sum to step_seconds")),
            ("layouts_evaluated", whole("Layouts that were evaluated to find this one")),
        ],
    )
}

fn layout() -> Value {
    object(
        "A layout as used",
        &[
            ("tensor", whole("Tensor-parallel degree, t")),
            ("pipeline", whole("Pipeline stages, p")),
            ("virtual_pipeline", whole("Virtual stages per device")),
            ("context", whole("Context-parallel degree, c")),
            ("expert", whole("Expert-parallel degree")),
            ("data", whole("Data-parallel degree: devices / (t p c)")),
            ("sharding", choice("What data parallelism shards", &ids(Sharding::ALL, Sharding::id))),
            ("micro_batch_sequences", whole("Sequences of one micro-batch")),
            ("recompute", choice("What of the activations is computed again", &ids(Recompute::ALL, Recompute::id))),
        ],
    )
}

fn memory() -> Value {
    object(
        "Memory of the fullest device by part, GiB (2^30 bytes)",
        &[
            ("weights", number("Weights as computed with")),
            ("gradients", number("Gradients")),
            ("optimizer", number("Optimizer states and master weights")),
            ("activations", number("Activations in flight")),
            ("logits", number("Logits and their gradient")),
            ("buffers", number("Communication buffers, gathered layers, context and fragmentation")),
            ("total", number("Sum of the parts")),
            ("usable", number("What a training process can allocate on this accelerator")),
        ],
    )
}

fn time() -> Value {
    object(
        "Where one step's time goes, seconds on the slowest device",
        &[
            ("compute", number("Matrix multiplications and attention")),
            ("memory_bound", number("Norms, activation functions, casts, residuals, loss")),
            ("tensor", number("Exposed tensor-parallel communication")),
            ("context", number("Exposed context-parallel communication")),
            ("expert", number("Exposed expert-parallel communication")),
            ("pipeline_bubble", number("Idle time of pipeline fill, drain and unequal stages")),
            ("pipeline_transfer", number("Exposed transfers between stages")),
            ("data", number("Exposed data-parallel communication")),
            ("optimizer", number("Optimizer step")),
            ("overhead", number("Launches, host, jitter between devices")),
        ],
    )
}
