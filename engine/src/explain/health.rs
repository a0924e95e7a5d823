//! The metrics that a team watches.

use super::candidates::{MFU, mfu_terms};
use super::run::{between_interruptions, productive_share};
use super::{Book, MODEL, REQUEST, Shown, term};
use crate::answer::{HealthMetric, Plan, Term};
use crate::economics::inputs::Inputs;

pub(super) fn health(plan: &Plan, shown: &Shown<'_>, inputs: &Inputs, book: &mut Book<'_>) {
    for h in &plan.utilization.health {
        let (formula, range, mut terms) = of_metric(plan, h, shown, inputs);
        terms.push(term("low end", h.low, &h.unit, "healthy range"));
        terms.push(term("high end", h.high, &h.unit, "healthy range"));
        let formula = format!("{formula}; low end and high end: {range}");
        book.put(&format!("utilization.health.{}", h.metric), &h.label, h.expected, &h.unit, &formula, terms);
    }
}

const BAND: &str = "by the band of the throughput";

/// Formula, what the healthy range is, and terms.
fn of_metric(plan: &Plan, h: &HealthMetric, shown: &Shown<'_>, inputs: &Inputs) -> (String, &'static str, Vec<Term>) {
    if h.metric == "step_seconds" {
        let parts = shown.estimate.time_seconds.parts().into_iter().filter(|(_, s)| *s > 0.0);
        let terms: Vec<Term> =
            parts.map(|(name, s)| term(&name.replace('_', " "), s, "s", "part of the step")).collect();
        let names: Vec<&str> = terms.iter().map(|t| t.name.as_str()).collect();
        return (names.join(" + "), BAND, terms);
    }
    let (formula, range, terms) = other_metric(plan, h, shown, inputs);
    (formula.into(), range, terms)
}

fn other_metric(
    plan: &Plan,
    h: &HealthMetric,
    shown: &Shown<'_>,
    inputs: &Inputs,
) -> (&'static str, &'static str, Vec<Term>) {
    let (e, r) = (shown.estimate, shown.reliability);
    let t = &e.time_seconds;
    let seconds = |name: &str, value: f64| term(name, value, "s", "part of the step");
    let step = || term("step", e.step_seconds, "s", MODEL);
    let rates = || {
        [
            term("needed rate", shown.needed / 1e9, "GB/s", "tokens per second × bytes of a token"),
            term("read rate", shown.read / 1e9, "GB/s", "class of the storage × devices"),
        ]
    };
    match h.metric.as_str() {
        "tokens_per_second_per_gpu" => {
            let terms = vec![
                term("batch", shown.batch, "sequences", "layout search"),
                term("context length", plan.request.context_length as f64, "tokens", REQUEST),
                step(),
                term("devices", shown.gpus, "devices", super::SEARCH),
            ];
            ("batch × context length ÷ (step × devices)", "the band of the throughput", terms)
        }
        "mfu" => (MFU, BAND, mfu_terms(e)),
        "device_busy" => {
            let mut terms = vec![
                seconds("compute", t.compute),
                seconds("memory-bound work", t.memory_bound),
                seconds("optimizer", t.optimizer),
                step(),
            ];
            terms.extend(rates());
            let formula = "(compute + memory-bound work + optimizer) ÷ step × min(read rate ÷ needed rate, 1)";
            (formula, BAND, terms)
        }
        "communication_share" => {
            let terms = vec![
                seconds("tensor", t.tensor),
                seconds("context", t.context),
                seconds("expert", t.expert),
                seconds("data", t.data),
                seconds("transfers between stages", t.pipeline_transfer),
                step(),
            ];
            let formula = "(tensor + context + expert + data + transfers between stages) ÷ step";
            (formula, "none of it, and alarm at one and a half times", terms)
        }
        "all_reduce_share" => {
            let range = "none of it, and alarm at one and a half times, not below a tenth";
            ("data ÷ step", range, vec![seconds("data", t.data), step()])
        }
        "input_wait" => {
            let range = "none, and alarm at a twentieth above one and a half times";
            ("max(1 − read rate ÷ needed rate, 0)", range, rates().to_vec())
        }
        "link_use" => (LINK, BAND, shown.link.as_ref().map(link_terms).unwrap_or_default()),
        "memory_gib" => {
            let m = &e.memory_gib;
            let gib = |name: &str, value: f64| term(name, value, "GiB", "memory of the fullest device");
            let terms = vec![
                gib("weights", m.weights),
                gib("gradients", m.gradients),
                gib("optimizer", m.optimizer),
                gib("activations", m.activations),
                gib("logits", m.logits),
                gib("buffers", m.buffers),
            ];
            let formula = "weights + gradients + optimizer + activations + logits + buffers";
            (formula, "nothing, and what is usable", terms)
        }
        "goodput" => {
            let (formula, terms) = productive_share(inputs, r, false);
            (formula, "five points less, and all", terms)
        }
        "interruptions_per_week" => {
            let range = "none, and three deviations of a Poisson count";
            if r.mtbf_hours == f64::MAX {
                return ("0; nothing fails", range, Vec::new());
            }
            ("604,800 ÷ M", range, vec![between_interruptions(inputs, r)])
        }
        _ => {
            let (_, mut terms) = productive_share(inputs, r, false);
            terms.retain(|t| t.name.starts_with(['δ', 'M']));
            let range = "half of it, and twice";
            match terms.iter().find(|t| t.name.starts_with('M')).map(|t| t.value) {
                None => ("86,400; one a day, as nothing fails, whatever δ is", range, terms),
                Some(m) if r.write_seconds >= 2.0 * m => ("M; writing takes longer: δ is above 2 × M", range, terms),
                Some(_) => ("max(√(2 × δ × M) − δ, δ, 60)", range, terms),
            }
        }
    }
}

const LINK: &str = "min(bytes × parameters × (1 − 1 ÷ servers) ÷ ranks in a server ÷ (rate × step), 1)";

fn link_terms(link: &super::LinkUse) -> Vec<Term> {
    vec![
        term("bytes", link.bytes, "bytes", "gradients and weights of one parameter that a device sends in a step"),
        term("parameters", link.parameters, "parameters", "parameters ÷ tensor-parallel ranks"),
        term("servers", link.servers, "servers", "of a data-parallel group"),
        term("ranks in a server", link.inside, "ranks", "of a data-parallel group, which share the links"),
        term("rate", link.rate, "bytes/s", "network of a device, Gb/s ÷ 8"),
        term("step", link.step_seconds, "s", MODEL),
    ]
}
