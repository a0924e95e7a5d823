//! Time and throughput of one cluster and layout, and what is counted of its model.

use super::{Background, Book, MODEL, REQUEST, SEARCH, term};
use crate::answer::{Cluster, Estimate, Term};
use crate::catalog::Catalog;
use crate::performance::{Job, band_of};
use crate::request::{Method, PlanRequest};
use crate::units::grouped;
use crate::workload::LayerShape;

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
        "sum of the terms; the parts on the slowest device",
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
        "throughput per device × FLOPs per token ÷ dense peak; causal attention, recompute not counted",
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
        "throughput per device × FLOPs per token with full attention ÷ dense peak; over the whole context instead of the causal half",
        vec![
            throughput(),
            term(
                "FLOPs per token with full attention",
                background.job.flops_per_token_full,
                "FLOP",
                "counted from the architecture",
            ),
            peak(),
        ],
    );
    book.put(
        "model_tflops_per_gpu",
        "Model TFLOP/s per device",
        e.model_tflops_per_gpu,
        "TFLOP/s",
        "throughput per device × FLOPs per token ÷ 10^12",
        vec![throughput(), per_token()],
    );
    let experts = background.job.experts().is_some();
    let Some(accelerator) = Catalog::get().accelerator(&cluster.accelerator) else { return };
    let band = band_of(accelerator, experts, request.precision);
    book.put(
        "band",
        "Band of the throughput",
        e.band.low,
        "tokens/s/GPU",
        "throughput per device × low; high in the same way: 10th and 90th percentile of measured over predicted, over published runs held out of the fit",
        vec![
            throughput(),
            term("low", band.low, "factor", "engine/catalog/calibration.toml"),
            term("high", band.high, "factor", "engine/catalog/calibration.toml"),
        ],
    );
}

/// Parameters, and FLOPs of one token.
pub(super) fn counted(job: &Job, e: &Estimate, book: &mut Book<'_>) {
    let shape = &job.shape;
    let of_layers = |name: &str, each: fn(&LayerShape) -> u64| {
        let all: f64 = shape.kinds.iter().map(|k| f64::from(k.count) * each(k) as f64).sum();
        term(name, all, "parameters", "all layers, counted from the architecture")
    };
    let outside = |name: &str, count: u64| term(name, count as f64, "parameters", "counted from the architecture");
    let parts = [
        outside("embedding", shape.embedding_parameters),
        outside("head", shape.head_parameters),
        outside("last norm", shape.final_norm_parameters),
        of_layers("attention", |k| k.attention_parameters),
        of_layers("feed-forward", |k| k.dense_ffn_parameters),
        of_layers("experts", |k| k.expert_parameters),
        of_layers("routers", |k| k.router_parameters),
        of_layers("norms", |k| k.norm_parameters),
    ];
    let parts = parts.into_iter().filter(|t| t.value > 0.0).collect();
    let words =
        format!("sum of the terms; a token uses {} of them: its own experts only", grouped(e.active_parameters));
    book.put("parameters", "Parameters", e.parameters as f64, "parameters", &words, parts);
    let lora = job.method == Method::Lora;
    let formula = if lora {
        "2 × FLOPs of weights + 3 × FLOPs of attention; backward is twice forward, but frozen weights have no gradient of their own"
    } else {
        "3 × (FLOPs of weights + FLOPs of attention); forward, and backward twice as much"
    };
    let weights = "2 for each weight that a token is multiplied with, head included";
    let attention = "causal: half of the context on average, less in windows";
    let terms = vec![
        term("FLOPs of weights", shape.forward_matmul_flops_per_token(), "FLOP", weights),
        term("FLOPs of attention", job.architecture.attention_flops_per_token(job.context_length), "FLOP", attention),
    ];
    book.put("flops_per_token", "Training FLOPs per token", e.flops_per_token, "FLOP", formula, terms);
}
