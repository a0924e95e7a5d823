//! The whole validation as one answer: every measurement with its prediction, and errors by group.

use super::{Case, HeldOut, Measurement, Summary, measurements, summarize};
use crate::catalog::{Calibration, Catalog};
use crate::request::{Method, Precision, Recompute, Sharding};
use crate::workload::ModelShape;
use serde::Serialize;
use std::sync::LazyLock;

/// Dense, or a mixture of experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModelKind {
    /// Each token uses all weights.
    Dense,
    /// Each token uses some of the experts.
    Experts,
}

/// One measurement with its prediction.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Stable id.
    pub id: &'static str,
    /// Publication.
    pub source: &'static str,
    /// Where in it.
    pub reference: &'static str,
    /// Date of the publication.
    pub date: &'static str,
    /// Name of the model as published.
    pub model: &'static str,
    /// Dense or experts; `None` where the architecture is not published.
    pub kind: Option<ModelKind>,
    /// Parameters, counted from the architecture; `None` where it is not published.
    pub parameters: Option<u64>,
    /// Accelerator id.
    pub accelerator: &'static str,
    /// Name of the accelerator.
    pub accelerator_label: &'static str,
    /// Number format as published, such as `fp8-cs`.
    pub recipe: &'static str,
    /// Number format of the linear layers.
    pub precision: Precision,
    /// What was trained.
    pub method: Method,
    /// Devices.
    pub gpus: u32,
    /// Devices of one server.
    pub gpus_per_node: u32,
    /// Context length, tokens.
    pub context_length: Option<u64>,
    /// What is published of the layout, in short.
    pub layout: String,
    /// Measured tokens per second and device.
    pub measured: Option<f64>,
    /// Predicted tokens per second and device.
    pub predicted: Option<f64>,
    /// predicted/measured − 1.
    pub error: Option<f64>,
    /// The engine says that it fits in memory.
    pub fits: Option<bool>,
    /// A: full configuration, primary source. B: something is missing or rounded.
    pub quality: &'static str,
    /// Counted in the summaries of pretraining: one row for each configuration of a source for dense models, all rows
    /// of experts.
    pub counted: bool,
    /// Why there is no prediction.
    pub excluded: Option<&'static str>,
    /// Why no constant is fitted to it although it is predicted and counted.
    pub not_fitted: Option<&'static str>,
}

/// Errors of a group of rows, dense models and experts apart.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Id of the group.
    pub id: String,
    /// Name of the group.
    pub label: String,
    /// Errors of dense models; `None` where the group has none.
    pub dense: Option<Summary>,
    /// Errors of mixtures of experts; `None` where the group has none.
    pub experts: Option<Summary>,
}

/// Errors in all the ways they are grouped. Pretraining only, except by method.
#[derive(Clone, Debug, Serialize)]
pub struct Summaries {
    /// All counted rows.
    pub overall: Group,
    /// By accelerator.
    pub by_accelerator: Vec<Group>,
    /// By number format of the linear layers.
    pub by_precision: Vec<Group>,
    /// By parameters of the model.
    pub by_model_size: Vec<Group>,
    /// One server, or several.
    pub by_nodes: Vec<Group>,
    /// By publication.
    pub by_source: Vec<Group>,
    /// By what was trained.
    pub by_method: Vec<Group>,
}

/// The validation.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of the constants.
    pub calibration_version: &'static str,
    /// Measurements that are shipped.
    pub measurements: usize,
    /// Of these, predicted.
    pub predicted: usize,
    /// Of these, not predicted; each row says why.
    pub excluded: usize,
    /// Errors with the committed constants.
    pub summaries: Summaries,
    /// Errors of predictions by constants that never saw the row's group.
    pub held_out: HeldOut,
    /// Every measurement.
    pub rows: Vec<Row>,
}

static REPORT: LazyLock<Report> = LazyLock::new(compute);

/// The validation of the committed constants, computed once.
pub fn report() -> &'static Report {
    &REPORT
}

const SIZES: [(&str, &str, u64); 4] = [
    ("under_3b", "Under 3B", 3_000_000_000),
    ("3b_to_20b", "3B to 20B", 20_000_000_000),
    ("20b_to_100b", "20B to 100B", 100_000_000_000),
    ("over_100b", "Over 100B", u64::MAX),
];

fn compute() -> Report {
    let rows: Vec<Row> = measurements().iter().map(row).collect();
    let predicted = rows.iter().filter(|r| r.predicted.is_some()).count();
    Report {
        calibration_version: &Calibration::get().version,
        measurements: rows.len(),
        predicted,
        excluded: rows.len() - predicted,
        summaries: summaries(&rows),
        held_out: *HeldOut::committed(),
        rows,
    }
}

fn row(m: &'static Measurement) -> Row {
    let shape = m.architecture().map(|a| (a.moe.is_some(), ModelShape::of(&a).parameters));
    let case = Case::of(m);
    let found = case.as_ref().and_then(|c| c.tokens(Calibration::get()));
    let measured = case.as_ref().map(|c| c.measured).or(m.tokens_per_second_per_gpu);
    let predicted = found.map(|f| f.0);
    let excluded = match (m.excluded.as_deref(), predicted) {
        (Some(why), _) => Some(why),
        (None, Some(_)) => None,
        (None, None) if m.layout_does_not_multiply() => Some("published degrees do not multiply to the devices"),
        (None, None) => Some("published layout is not one that the engine plans"),
    };
    let kind = shape.map(|(experts, _)| if experts { ModelKind::Experts } else { ModelKind::Dense });
    let label = Catalog::get().accelerator(&m.accelerator).map_or(m.accelerator.as_str(), |a| a.label.as_str());
    Row {
        id: &m.id,
        source: &m.source,
        reference: &m.reference,
        date: &m.date,
        model: &m.model,
        kind,
        parameters: shape.map(|(_, parameters)| parameters),
        accelerator: &m.accelerator,
        accelerator_label: label,
        recipe: &m.recipe,
        precision: m.precision(),
        method: m.method,
        gpus: m.gpus,
        gpus_per_node: m.gpus_per_node,
        context_length: m.context_length,
        layout: layout(m),
        measured,
        predicted,
        error: predicted.zip(case.as_ref()).map(|(predicted, c)| predicted / c.measured - 1.0),
        fits: found.map(|f| f.1),
        quality: &m.quality,
        counted: predicted.is_some()
            && m.method == Method::Pretraining
            && (m.core == 1 || kind == Some(ModelKind::Experts)),
        excluded,
        not_fitted: m.not_fitted.as_deref(),
    }
}

/// Degrees above one, then sharding and recompute where they are published.
fn layout(m: &Measurement) -> String {
    let degrees =
        [("TP", m.tensor), ("PP", m.pipeline), ("VP", m.virtual_pipeline), ("CP", m.context), ("EP", m.expert)];
    let is_open = m.tensor.is_none() && m.pipeline.is_none();
    let mut parts: Vec<String> =
        degrees.into_iter().filter_map(|(name, d)| d.filter(|d| *d > 1).map(|d| format!("{name}{d}"))).collect();
    if parts.is_empty() {
        parts.push(if is_open { "degrees not published" } else { "data parallel" }.into());
    }
    match m.sharding {
        Some(Sharding::Full) => parts.push("fully sharded".into()),
        Some(Sharding::Gradients) => parts.push("sharded gradients".into()),
        Some(Sharding::Optimizer) => parts.push("sharded optimizer".into()),
        Some(Sharding::None) | None => {}
    }
    match m.recompute {
        Some(Recompute::Full) => parts.push("full recompute".into()),
        Some(Recompute::Selective) => parts.push("selective recompute".into()),
        Some(Recompute::None) | None => {}
    }
    parts.join(" ")
}

fn summaries(rows: &[Row]) -> Summaries {
    let counted: Vec<&Row> = rows.iter().filter(|r| r.counted).collect();
    let of = |id: &str, label: &str, keep: &dyn Fn(&Row) -> bool| group(id, label, &counted, keep);
    let precision = |p: &Precision| of(p.id(), p.label(), &|r| r.precision == *p);
    let mut from = 0;
    let mut size = |(id, label, below): (&str, &str, u64)| {
        let low = std::mem::replace(&mut from, below);
        of(id, label, &|r| r.parameters.is_some_and(|p| (low..below).contains(&p)))
    };
    Summaries {
        overall: of("overall", "All", &|_| true),
        by_accelerator: named(&counted, |r| (r.accelerator, r.accelerator_label)),
        by_precision: present(Precision::ALL.iter().map(precision)),
        by_model_size: present(SIZES.into_iter().map(&mut size)),
        by_nodes: present([
            of("one_server", "One server", &|r| r.gpus <= r.gpus_per_node.max(1)),
            of("several_servers", "Several servers", &|r| r.gpus > r.gpus_per_node.max(1)),
        ]),
        by_source: named(&counted, |r| (r.source, r.source)),
        by_method: present(Method::ALL.iter().map(|method| {
            let of_method: Vec<&Row> =
                rows.iter().filter(|r| r.method == *method && (r.counted || r.method != Method::Pretraining)).collect();
            group(method.id(), method.label(), &of_method, &|_| true)
        })),
    }
}

/// One group for each id, those with most rows first.
fn named(rows: &[&Row], name: fn(&Row) -> (&'static str, &'static str)) -> Vec<Group> {
    let mut names: Vec<(&str, &str)> = rows.iter().map(|r| name(r)).collect();
    names.sort_unstable();
    names.dedup();
    let mut groups = present(names.into_iter().map(|(id, label)| group(id, label, rows, &|r| name(r).0 == id)));
    groups.sort_by_key(|g| std::cmp::Reverse(g.rows()));
    groups
}

fn present(groups: impl IntoIterator<Item = Group>) -> Vec<Group> {
    groups.into_iter().filter(|g| g.rows() > 0).collect()
}

fn group(id: &str, label: &str, rows: &[&Row], keep: &dyn Fn(&Row) -> bool) -> Group {
    let of_kind = |kind: ModelKind| {
        let summary = summarize(rows.iter().filter(|r| r.kind == Some(kind) && keep(r)).filter_map(|r| r.error));
        (summary.rows > 0).then_some(summary)
    };
    Group {
        id: id.to_owned(),
        label: label.to_owned(),
        dense: of_kind(ModelKind::Dense),
        experts: of_kind(ModelKind::Experts),
    }
}

impl Group {
    /// Rows of both kinds.
    pub fn rows(&self) -> usize {
        self.dense.map_or(0, |s| s.rows) + self.experts.map_or(0, |s| s.rows)
    }
}
