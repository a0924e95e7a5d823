//! Pieces of text that several files share.

use super::run::Run;
use crate::advice::thousands;

/// A number with at most six significant digits, and no more zeros than it needs.
pub(super) fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".into();
    }
    let digits = (5 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Bytes as GB or TB (powers of ten).
pub(super) fn bytes(value: f64) -> String {
    if value >= 1e12 {
        format!("{} TB", number((value / 1e10).round() / 100.0))
    } else {
        format!("{} GB", number((value / 1e8).round() / 10.0))
    }
}

/// Seconds as a person says them.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{} s", number((s * 10.0).round() / 10.0)),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}

/// The first lines of every file: which plan it is of.
pub(super) fn title(run: &Run<'_>, what: &str) -> Vec<String> {
    let c = run.cluster;
    vec![
        format!(
            "{what} for {} on {} {} ({}), {} tokens of context.",
            run.request().model.label(),
            thousands(f64::from(c.gpus)),
            c.accelerator_short,
            nodes(run),
            thousands(run.request().context_length as f64)
        ),
        layout(run),
        format!("Engine {}, catalog {}.", run.plan.engine_version, run.plan.catalog_version),
    ]
}

/// `1 node of 8`, `16 nodes of 8`.
pub(super) fn nodes(run: &Run<'_>) -> String {
    let c = run.cluster;
    format!("{} node{} of {}", c.nodes, if c.nodes == 1 { "" } else { "s" }, c.gpus_per_node)
}

/// The layout, multiplied out.
pub(super) fn layout(run: &Run<'_>) -> String {
    let l = &run.layout;
    let experts = if l.expert > 1 { format!(", experts over {} of them", l.expert) } else { String::new() };
    format!(
        "TP {} x PP {} x CP {} x DP {} = {} devices{experts}; {} sequences = DP {} x {} micro-batches x {}.",
        l.tensor,
        l.pipeline,
        l.context,
        l.data,
        run.cluster.gpus,
        run.batch,
        l.data,
        run.micro_batches,
        l.micro_batch_sequences
    )
}

/// Lines as comments.
pub(super) fn comments(lines: &[String]) -> String {
    lines.iter().map(|line| format!("# {line}\n")).collect()
}

/// A heading with points under it; nothing where there are none.
pub(super) fn points(heading: &str, points: &[String]) -> Vec<String> {
    if points.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![heading.to_owned()];
    lines.extend(points.iter().map(|p| format!("- {p}")));
    lines
}
