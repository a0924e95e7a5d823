//! Memory of the fullest device.

use super::{Background, Book, REQUEST, cited, term};
use crate::answer::{Cluster, Estimate, Term};
use crate::catalog::Catalog;
use crate::request::PlanRequest;

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
        "weights + gradients + optimizer + activations + logits + buffers; at most what is usable",
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
            term("trained", background.job.trained_share, "share", "method"),
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
