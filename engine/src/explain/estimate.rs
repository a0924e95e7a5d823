//! Time, throughput and memory of one cluster and layout.

use super::{Background, Book, MODEL, REQUEST, SEARCH, cited, term};
use crate::answer::{Cluster, Estimate, Term};
use crate::catalog::Catalog;
use crate::request::PlanRequest;

/// Parts of a step: what each is, and its formula.
const PARTS: [(&str, &str, &str); 10] = [
    (
        "compute",
        "Matrix multiplications and attention",
        "FLOPs of the slowest stage, forward and twice as much backward, with what is computed again ÷ (dense peak × measured efficiency of the matrix size)",
    ),
    (
        "memory_bound",
        "Memory-bound work",
        "bytes moved by norms, activation functions, casts, residuals and loss ÷ (memory bandwidth × reached share)",
    ),
    (
        "tensor",
        "Exposed tensor-parallel communication",
        "all-gather and reduce-scatter of each layer's activations: latency + bytes × (t − 1)/t ÷ link rate, less what is hidden",
    ),
    (
        "context",
        "Exposed context-parallel communication",
        "keys and values passed round the ring, less what attention hides",
    ),
    (
        "expert",
        "Exposed expert-parallel communication",
        "tokens sent to their experts and back: latency + bytes ÷ link or network rate, with imbalance",
    ),
    (
        "pipeline_bubble",
        "Pipeline bubble",
        "(work of all stages − work of the slowest) ÷ virtual stages: fill and drain once a step",
    ),
    (
        "pipeline_transfer",
        "Exposed transfers between stages",
        "micro-batches × 2 × virtual stages × (latency + activation bytes ÷ rate) × exposed share",
    ),
    (
        "data",
        "Exposed data-parallel communication",
        "4-byte gradients reduced and 2-byte weights gathered: bytes × (d − 1)/d ÷ rate, less what the backward and forward pass hide",
    ),
    (
        "optimizer",
        "Optimizer step",
        "bytes of gradients, master weights and states, read and written ÷ memory bandwidth",
    ),
    (
        "overhead",
        "Launches, host, jitter",
        "kernel launches + floor of a step + step × jitter per doubling × log₂ devices",
    ),
];

/// Degrees of the layout that the parts of a step depend on.
fn degrees(estimate: &Estimate, batch: f64) -> Vec<Term> {
    let l = &estimate.layout;
    let degree = |name: &str, n: u32| term(name, f64::from(n), "ranks", "layout search");
    let micro = batch / f64::from(l.data * l.micro_batch_sequences);
    vec![
        degree("tensor, t", l.tensor),
        degree("pipeline, p", l.pipeline),
        degree("virtual stages, v", l.virtual_pipeline),
        degree("context, c", l.context),
        degree("expert, e", l.expert),
        degree("data, d", l.data),
        term("micro-batches, m", micro, "a step", "batch ÷ (data × micro-batch)"),
    ]
}

pub(super) fn time(
    request: &PlanRequest,
    e: &Estimate,
    cluster: &Cluster,
    background: &Background<'_>,
    book: &mut Book<'_>,
) {
    let gpus = f64::from(cluster.gpus);
    let context = request.context_length as f64;
    let throughput = || term("throughput per device", e.tokens_per_second_per_gpu, "tokens/s/GPU", MODEL);
    let per_token = || term("FLOPs per token", e.flops_per_token, "FLOP", "counted from the architecture");
    let peak = || term("dense peak", e.peak_tflops * 1e12, "FLOP/s", "accelerator catalog, dense, of the precision");
    book.put(
        "tokens_per_second_per_gpu",
        "Throughput per device",
        e.tokens_per_second_per_gpu,
        "tokens/s/GPU",
        "batch × context length ÷ (step time × devices)",
        vec![
            term("batch", background.batch, "sequences", "layout search"),
            term("context length", context, "tokens", REQUEST),
            term("step time", e.step_seconds, "s", MODEL),
            term("devices", gpus, "devices", SEARCH),
        ],
    );
    let parts = e.time_seconds.parts();
    book.put(
        "step_seconds",
        "Time of one optimizer step",
        e.step_seconds,
        "s",
        "sum of the parts on the slowest device",
        parts
            .iter()
            .filter(|(_, seconds)| *seconds > 0.0)
            .map(|(name, seconds)| term(&name.replace('_', " "), *seconds, "s", MODEL))
            .collect(),
    );
    for (name, seconds) in parts {
        if let Some((_, title, formula)) = PARTS.iter().find(|(key, ..)| *key == name && seconds > 0.0) {
            book.put(&format!("time_seconds.{name}"), title, seconds, "s", formula, degrees(e, background.batch));
        }
    }
    book.put(
        "mfu",
        "Model FLOPs utilization",
        e.mfu,
        "share",
        "throughput per device × FLOPs per token ÷ dense peak (causal attention, recompute not counted)",
        vec![throughput(), per_token(), peak()],
    );
    book.put(
        "hfu",
        "Hardware FLOPs utilization",
        e.hfu,
        "share",
        "throughput per device × (FLOPs per token + FLOPs done again) ÷ dense peak",
        vec![
            throughput(),
            per_token(),
            term("FLOPs done again", background.recomputed_per_token, "FLOP per token", "recompute policy"),
            peak(),
        ],
    );
    book.put(
        "mfu_full_attention",
        "MFU with full attention",
        e.mfu_full_attention,
        "share",
        "as MFU, with attention counted over the whole context instead of the causal half",
        vec![throughput(), per_token(), peak()],
    );
    book.put(
        "model_tflops_per_gpu",
        "Model TFLOP/s per device",
        e.model_tflops_per_gpu,
        "TFLOP/s",
        "throughput per device × FLOPs per token ÷ 10¹²",
        vec![throughput(), per_token()],
    );
    book.put(
        "flops_per_token",
        "Training FLOPs per token",
        e.flops_per_token,
        "FLOP",
        "3 × (2 × matmul weights + causal attention); 2 × for frozen weights",
        vec![
            term("parameters that one token uses", e.active_parameters as f64, "parameters", "architecture"),
            term("context length", context, "tokens", REQUEST),
        ],
    );
    book.put(
        "parameters",
        "Parameters",
        e.parameters as f64,
        "parameters",
        "embedding, head, attention, feed-forward or experts, and norms of every layer; a token uses its own experts only",
        vec![term("parameters that one token uses", e.active_parameters as f64, "parameters", "architecture")],
    );
    book.put(
        "band",
        "Band of the throughput",
        e.band.low,
        "tokens/s/GPU",
        "throughput × the 10th and 90th percentile of measured over predicted, over published runs held out of the fit",
        vec![
            throughput(),
            term("low", e.band.low / e.tokens_per_second_per_gpu, "factor", "engine/catalog/calibration.toml"),
            term("high", e.band.high / e.tokens_per_second_per_gpu, "factor", "engine/catalog/calibration.toml"),
        ],
    );
}

pub(super) fn memory(
    request: &PlanRequest,
    e: &Estimate,
    cluster: &Cluster,
    background: &Background<'_>,
    book: &mut Book<'_>,
) {
    let m = &e.memory_gib;
    let usable = Catalog::get().accelerator(&cluster.accelerator).map(|a| cited(&a.usable_gib));
    let usable = usable.unwrap_or_else(|| "accelerator catalog".into());
    let gib = |name: &str, value: f64, source: &str| term(name, value, "GiB", source);
    let parts = [
        ("weights", m.weights, "2 bytes × parameters of the device, ÷ the sharding group where fully sharded"),
        (
            "gradients",
            m.gradients,
            "4 bytes × trained parameters of the device, 2 where fully sharded, ÷ the group where sharded",
        ),
        (
            "optimizer",
            m.optimizer,
            "(4-byte master copy + states of the optimizer) × trained parameters of the device, ÷ the group where sharded",
        ),
        (
            "activations",
            m.activations,
            "what each layer keeps × micro-batches in flight + one layer being computed again (Korthikanti et al. 2022, arXiv 2205.05198)",
        ),
        ("logits", m.logits, "tokens × vocabulary ÷ tensor ranks on the last stage, with the gradient"),
        (
            "buffers",
            m.buffers,
            "framework and communicators + fragmentation × activations + gathered layers where fully sharded",
        ),
    ];
    let mut terms: Vec<Term> = parts.iter().map(|(name, value, formula)| gib(name, *value, formula)).collect();
    terms.push(gib("usable", m.usable, &usable));
    book.put(
        "memory_gib.total",
        "Memory of the fullest device",
        m.total,
        "GiB",
        "weights + gradients + optimizer + activations + logits + buffers",
        terms,
    );
    let l = &e.layout;
    for (name, value, formula) in parts {
        if value <= 0.0 {
            continue;
        }
        let split = f64::from(l.tensor * l.pipeline);
        let held = e.parameters as f64 / split;
        let terms = vec![
            term("parameters", e.parameters as f64, "parameters", "architecture"),
            term("tensor × pipeline", split, "ranks", "layout search"),
            term(
                "parameters of an average device",
                held,
                "parameters",
                "parameters ÷ (tensor × pipeline); experts also ÷ expert ranks",
            ),
            term("trained", background.trained_share, "share", "method"),
            term("data × context ranks", f64::from(l.data * l.context), "ranks", "layout search"),
            term("micro-batch", f64::from(l.micro_batch_sequences), "sequences", "layout search"),
            term("context length", request.context_length as f64, "tokens", REQUEST),
        ];
        let title = format!("Memory: {name}");
        book.put(&format!("memory_gib.{name}"), &title, value, "GiB", formula, terms);
    }
    book.put(
        "memory_gap_gib",
        "Memory that is missing (negative: left)",
        e.memory_gap_gib,
        "GiB",
        "total − usable",
        vec![gib("total", m.total, "memory model"), gib("usable", m.usable, &usable)],
    );
}
