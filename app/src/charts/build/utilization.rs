//! Utilization by cluster size and by month.

use crate::charts::{Axis, Figure, Format, Kind, Reference, Series};
use crate::format;
use engine::Plan;
use engine::answer::StepShares;

type Part = (&'static str, fn(&StepShares) -> f64);

const PARTS: [Part; 7] = [
    ("Compute", |s| s.compute),
    ("Communication", |s| s.communication),
    ("Pipeline bubble", |s| s.bubble),
    ("Optimizer, jitter", |s| s.overhead),
    ("Checkpoints", |s| s.checkpoints),
    ("Failures, restarts", |s| s.failures),
    ("Waiting for input", |s| s.input),
];

/// Where the calendar time goes, by cluster size.
pub fn by_size(plan: &Plan) -> Option<Figure> {
    let sizes = &plan.utilization.by_cluster_size;
    let (first, last) = (sizes.first()?, sizes.last()?);
    let series = PARTS.iter().enumerate().filter_map(|(index, (label, part))| {
        let points: Vec<(f64, f64)> =
            sizes.iter().enumerate().map(|(place, size)| (place as f64, part(&size.shares))).collect();
        points.iter().any(|p| p.1 > 0.0005).then(|| Series::new(*label, index + 1, points))
    });
    let accelerator = plan.shown().and_then(|t| t.cluster.as_ref()).map_or("GPUs", |c| c.accelerator_short.as_str());
    let title = if sizes.len() > 1 {
        let goes = if last.shares.compute > first.shares.compute { "rises" } else { "falls" };
        format!(
            "Compute {goes} from {} of the time on {} {accelerator} to {} on {}",
            format::percent(first.shares.compute),
            format::count(f64::from(first.gpus)),
            format::percent(last.shares.compute),
            format::count(f64::from(last.gpus))
        )
    } else {
        format!(
            "Compute takes {} of the time on {} {accelerator}",
            format::percent(first.shares.compute),
            format::count(f64::from(first.gpus))
        )
    };
    Some(Figure {
        id: "by-size",
        title,
        subtitle: format!("Share of calendar time, by number of {accelerator}"),
        kind: Kind::Stacks,
        x: Axis::categories("GPUs", sizes.iter().map(|s| format::count(f64::from(s.gpus))).collect()),
        y: Axis::linear("Share of calendar time", Format::Percent),
        series: series.collect(),
        marks: Vec::new(),
        reference: None,
    })
}

/// Demand against owned capacity, month by month.
pub fn by_month(plan: &Plan) -> Option<Figure> {
    let months = &plan.utilization.by_month;
    let first = months.first()?;
    let series = |label: &str, color: usize, value: fn(&engine::answer::UtilizationMonth) -> f64| {
        let points: Vec<(f64, f64)> = months.iter().enumerate().map(|(place, m)| (place as f64, value(m))).collect();
        points.iter().any(|p| p.1 > 0.0).then(|| Series::new(label, color, points))
    };
    let full = months.iter().find(|m| m.burst_gpu_hours > 0.0);
    let idle: f64 = months.iter().map(|m| m.idle_gpu_hours).sum::<f64>()
        / months.iter().map(|m| m.capacity_gpu_hours).sum::<f64>().max(f64::MIN_POSITIVE);
    let title = match full {
        Some(month) if month.month == first.month => "Demand is above the owned capacity from the first month".into(),
        Some(month) => format!("Demand outgrows the owned capacity in month {}", month.month),
        None => format!("{} of owned hours stand idle over the horizon", format::percent(idle)),
    };
    Some(Figure {
        id: "by-month",
        title,
        subtitle: "GPU-hours a month, if the shown cluster is owned".into(),
        kind: Kind::Stacks,
        x: Axis::categories("Month", months.iter().map(|m| m.month.to_string()).collect()),
        y: Axis::linear("GPU-hours a month", Format::Hours),
        series: [
            series("Work on owned", 1, |m| (m.demand_gpu_hours - m.burst_gpu_hours).max(0.0)),
            series("Rented on top", 3, |m| m.burst_gpu_hours),
            series("Idle", 6, |m| m.idle_gpu_hours),
        ]
        .into_iter()
        .flatten()
        .collect(),
        marks: Vec::new(),
        reference: Some(Reference { value: first.capacity_gpu_hours, label: "Owned capacity".into() }),
    })
}
