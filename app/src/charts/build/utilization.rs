//! Utilization by cluster size and by month.

use crate::charts::{Axis, Figure, Format, Kind, Reference, Series};
use crate::format;
use engine::Plan;
use engine::answer::{StepShares, UtilizationMonth};

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
        title,
        subtitle: format!("Share of calendar time, by number of {accelerator}"),
        series: series.collect(),
        ..Figure::new(
            "by-size",
            Kind::Stacks,
            Axis::categories("GPUs", sizes.iter().map(|s| format::count(f64::from(s.gpus))).collect()),
            Axis::linear("Share of calendar time", Format::Percent),
        )
    })
}

/// The share of the owned hours that have work, by month.
pub(super) fn worked(plan: &Plan) -> Vec<(u32, f64)> {
    let months = plan.utilization.by_month.iter().filter(|month| month.capacity_gpu_hours > 0.0);
    let share = |month: &UtilizationMonth| {
        ((month.demand_gpu_hours - month.burst_gpu_hours) / month.capacity_gpu_hours).clamp(0.0, 1.0)
    };
    months.map(|month| (month.month, share(month))).collect()
}

/// Demand against owned capacity, month by month.
pub fn by_month(plan: &Plan) -> Option<Figure> {
    let months = &plan.utilization.by_month;
    let first = months.first()?;
    let series = |label: &str, color: usize, value: fn(&UtilizationMonth) -> f64| {
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
        title,
        subtitle: "GPU-hours a month, if the shown cluster is owned".into(),
        series: [
            series("Work on owned", 1, |m| (m.demand_gpu_hours - m.burst_gpu_hours).max(0.0)),
            series("Rented on top", 3, |m| m.burst_gpu_hours),
            series("Idle", 6, |m| m.idle_gpu_hours),
        ]
        .into_iter()
        .flatten()
        .collect(),
        reference: Some(Reference { value: first.capacity_gpu_hours, label: "Owned capacity".into() }),
        months: months.iter().enumerate().map(|(place, month)| (month.month, place as f64)).collect(),
        ..Figure::new(
            "by-month",
            Kind::Stacks,
            Axis::categories("Month", months.iter().map(|m| m.month.to_string()).collect()),
            Axis::linear("GPU-hours a month", Format::Hours),
        )
    })
}
