//! The figures of plans that people decide by, beside one another.

use super::{Better, Group, Measure, Row, Value, numbers, row};
use crate::format;
use engine::Plan;
use engine::answer::{BreakEven, Cluster, Estimate, TierCost, TierId, TierPlan};
use engine::catalog::Range;

/// Groups of rows, all of the cluster that each plan shows: the recommended one, or the nearest.
pub(super) fn groups(plans: &[&Plan]) -> Vec<Group> {
    let group = |id: &str, title: &str, rows: Vec<Row>| Group { id: id.into(), title: title.into(), rows };
    vec![
        group("result", "Result", result(plans)),
        group("cost", "Cost", cost(plans)),
        group("layout", "Layout and memory", layout(plans)),
        group("utilization", "Utilization", utilization(plans)),
    ]
}

fn result(plans: &[&Plan]) -> Vec<Row> {
    vec![
        texts("tier", "Tier", plans, |plan| {
            let name = tier_name(plan.shown_tier).to_owned();
            Some(if plan.recommended.is_some() {
                name
            } else {
                format!("{name}, the nearest: nothing meets the limits")
            })
        }),
        texts("accelerator", "Accelerator", plans, |plan| cluster(plan).map(|c| c.accelerator_label.clone())),
        figures("gpus", "GPUs", (Measure::Count, Better::Neither), plans, |plan| {
            cluster(plan).map(|c| f64::from(c.gpus))
        }),
        figures("nodes", "Nodes", (Measure::Count, Better::Neither), plans, |plan| {
            cluster(plan).map(|c| f64::from(c.nodes))
        }),
        ranges("days", "Time of the run", (Measure::Days, Better::Lower), plans, |plan| plan.shown()?.days),
        figures("power_kw", "Power while training", (Measure::Kilowatts, Better::Lower), plans, |plan| {
            cluster(plan).map(|c| c.power_kw).filter(|kw| *kw > 0.0)
        }),
    ]
}

fn cost(plans: &[&Plan]) -> Vec<Row> {
    let money = (Measure::Usd, Better::Lower);
    vec![
        texts("acquired", "Acquired by", plans, |plan| paid(plan).map(|cost| cost.label.clone())),
        ranges("total_usd", "Cost of this run", money, plans, |plan| paid(plan).map(|cost| cost.total_usd)),
        figures("usd_per_gpu_hour", "Per GPU-hour", money, plans, |plan| paid(plan).map(|cost| cost.usd_per_gpu_hour)),
        figures("usd_per_million_tokens", "Per million tokens", money, plans, |plan| {
            paid(plan).map(|cost| cost.usd_per_million_tokens)
        }),
        figures("gpu_hours", "GPU-hours", (Measure::Count, Better::Lower), plans, |plan| {
            paid(plan).map(|cost| cost.gpu_hours)
        }),
        ranges("capital_usd", "Purchase of the cluster", money, plans, |plan| paid(plan)?.capital_usd),
        pays_back(plans),
        texts("pays_back_against", "Against", plans, |plan| rival(plan).map(|rival| rival.label.clone())),
    ]
}

/// The way of renting that buying is measured by.
fn rival(plan: &Plan) -> Option<&BreakEven> {
    plan.cloud_vs_on_prem.rival(paid(plan).map_or("", |cost| cost.label.as_str()))
}

/// After how many months buying is cheaper than its rival; never is an answer.
fn pays_back(plans: &[&Plan]) -> Row {
    let months = plans.iter().map(|plan| (rival(plan).and_then(|rival| rival.months), None));
    let mut cells =
        numbers("pays_back_months", "Buying pays back after", (Measure::Months, Better::Lower), months.collect());
    for (cell, rival) in cells.values.iter_mut().zip(plans.iter().map(|plan| rival(plan))) {
        match rival {
            Some(rival) if rival.months.is_none() => cell.text = "never".into(),
            Some(rival) if !rival.within_life => cell.range = Some("beyond the life of the hardware".into()),
            _ => {}
        }
    }
    row(cells.key, cells.label, cells.values)
}

fn layout(plans: &[&Plan]) -> Vec<Row> {
    let neither = (Measure::Gib, Better::Neither);
    vec![
        texts("layout", "Layout", plans, |plan| estimate(plan).map(|e| e.layout.short())),
        figures("memory_total", "Memory of the fullest GPU", neither, plans, |plan| {
            estimate(plan).map(|e| e.memory_gib.total)
        }),
        figures("memory_usable", "Usable memory of a GPU", neither, plans, |plan| {
            estimate(plan).map(|e| e.memory_gib.usable)
        }),
        texts("micro_batch", "Micro batch", plans, |plan| {
            estimate(plan).map(|e| format::plural(f64::from(e.layout.micro_batch_sequences), "sequence", "sequences"))
        }),
    ]
}

fn utilization(plans: &[&Plan]) -> Vec<Row> {
    let share = (Measure::Share, Better::Higher);
    vec![
        figures("mfu", "MFU", share, plans, |plan| working(plan).map(|e| e.mfu)),
        figures("hfu", "HFU", share, plans, |plan| working(plan).map(|e| e.hfu)),
        figures("goodput", "Goodput", share, plans, |plan| plan.shown()?.goodput),
        figures("tokens_per_second_per_gpu", "Rate of a GPU", (Measure::Rate, Better::Higher), plans, |plan| {
            working(plan).map(|e| e.tokens_per_second_per_gpu)
        }),
    ]
}

fn cluster(plan: &Plan) -> Option<&Cluster> {
    plan.shown()?.cluster.as_ref()
}

fn estimate(plan: &Plan) -> Option<&Estimate> {
    plan.shown()?.estimate.as_ref()
}

/// The estimate, where the model fits: elsewhere its rates are of a run that can't be.
fn working(plan: &Plan) -> Option<&Estimate> {
    estimate(plan).filter(|estimate| estimate.fits)
}

fn paid(plan: &Plan) -> Option<&TierCost> {
    plan.shown().and_then(|tier: &TierPlan| tier.cost.as_ref())
}

fn tier_name(tier: TierId) -> &'static str {
    match tier {
        TierId::Starter => "Starter",
        TierId::Workhorse => "Workhorse",
        TierId::Beast => "Beast",
    }
}

fn texts(key: &str, label: &str, plans: &[&Plan], read: impl Fn(&Plan) -> Option<String>) -> Row {
    row(key, label, plans.iter().map(|plan| Value::text(read(plan).unwrap_or_else(|| "—".into()))).collect())
}

fn figures(
    key: &str,
    label: &str,
    kind: (Measure, Better),
    plans: &[&Plan],
    read: impl Fn(&Plan) -> Option<f64>,
) -> Row {
    numbers(key, label, kind, plans.iter().map(|plan| (read(plan).filter(|n| n.is_finite()), None)).collect())
}

fn ranges(
    key: &str,
    label: &str,
    kind: (Measure, Better),
    plans: &[&Plan],
    read: impl Fn(&Plan) -> Option<Range>,
) -> Row {
    let written = |range: Range| {
        (range.low < range.high).then(|| match kind.0 {
            Measure::Days => format::days_range(range.low, range.high),
            _ => format::money_range(range.low, range.high),
        })
    };
    let values = plans.iter().map(|plan| {
        let range = read(plan).filter(|range| range.typical.is_finite());
        (range.map(|range| range.typical), range.and_then(written))
    });
    numbers(key, label, kind, values.collect())
}
