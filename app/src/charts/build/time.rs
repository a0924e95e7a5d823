//! Where a step's time goes, and cost against time.

use crate::charts::{Axis, Figure, Format, Kind, Series};
use crate::format;
use engine::Plan;
use engine::answer::{Candidate, TimeSeconds};

/// The parts of a step, joined to what a reader tells apart.
fn parts(time: &TimeSeconds) -> [(&'static str, f64); 6] {
    [
        ("Matrix work and attention", time.compute),
        ("Memory-bound work", time.memory_bound),
        ("Communication", time.tensor + time.context + time.expert + time.data + time.pipeline_transfer),
        ("Pipeline bubble", time.pipeline_bubble),
        ("Optimizer", time.optimizer),
        ("Launches and jitter", time.overhead),
    ]
}

/// Shares of one step for each tier that has an estimate.
pub fn step(plan: &Plan) -> Option<Figure> {
    let tiers: Vec<_> = plan.tiers.iter().filter_map(|t| t.estimate.as_ref().zip(t.cluster.as_ref())).collect();
    if tiers.is_empty() {
        return None;
    }
    let names =
        tiers.iter().map(|(_, c)| format!("{} × {}", format::count(f64::from(c.gpus)), c.accelerator_short)).collect();
    let series = (0..6).filter_map(|part| {
        let shares = tiers.iter().enumerate().map(|(row, (estimate, _))| {
            let parts = parts(&estimate.time_seconds);
            let total: f64 = parts.iter().map(|p| p.1).sum();
            (row as f64, if total > 0.0 { parts.get(part).map_or(0.0, |p| p.1) / total } else { 0.0 })
        });
        let points: Vec<(f64, f64)> = shares.collect();
        let label = parts(&TimeSeconds::default()).get(part).map_or("", |p| p.0);
        points.iter().any(|p| p.1 > 0.0).then(|| Series::new(label, part + 1, points))
    });
    let shown = plan.shown().and_then(|t| t.estimate.as_ref()).or(tiers.first().map(|(e, _)| *e))?;
    let all = parts(&shown.time_seconds);
    let total: f64 = all.iter().map(|p| p.1).sum();
    let lost = all.iter().skip(2).max_by(|a, b| a.1.total_cmp(&b.1)).filter(|p| p.1 > 0.0);
    let compute = format::percent(all.first().map_or(0.0, |p| p.1) / total.max(f64::MIN_POSITIVE));
    let title = match lost {
        Some((name, seconds)) => {
            let share = format::percent(seconds / total.max(f64::MIN_POSITIVE));
            format!("{compute} of a step is matrix work; the largest loss is {}, {share}", name.to_lowercase())
        }
        None => format!("{compute} of a step is matrix work"),
    };
    Some(Figure {
        title,
        subtitle: format!(
            "Share of one optimizer step, which takes {} on the shown cluster",
            format::seconds(shown.step_seconds)
        ),
        series: series.collect(),
        ..Figure::new(
            "step-time",
            Kind::Rows,
            Axis::linear("Share of step time", Format::Percent),
            Axis::categories("", names),
        )
    })
}

/// Name of a plan on the frontier.
pub(crate) fn candidate_name(candidate: &Candidate) -> String {
    format!("{} × {}", format::count(f64::from(candidate.gpus)), candidate.accelerator_short)
}

/// Cost against time of every plan that none beats in both. `link` says where a point leads; empty is nowhere.
pub fn frontier(plan: &Plan, link: impl Fn(&Candidate) -> String) -> Option<Figure> {
    let mut candidates: Vec<&Candidate> = plan.frontier.iter().filter(|c| c.days > 0.0 && c.total_usd > 0.0).collect();
    candidates.sort_by(|a, b| a.days.total_cmp(&b.days));
    let (fast, cheap) = (candidates.first()?, candidates.last()?);
    let title = if candidates.len() == 1 {
        format!("{} is both cheapest and fastest", candidate_name(fast))
    } else {
        format!(
            "From {} in {} to {} in {}: what haste costs",
            format::money(cheap.total_usd),
            format::days(cheap.days),
            format::money(fast.total_usd),
            format::days(fast.days)
        )
    };
    let names = candidates.iter().map(|c| candidate_name(c)).collect();
    let mut links: Vec<String> = candidates.iter().map(|c| link(c)).collect();
    links.retain(|link| !link.is_empty());
    let points = candidates.iter().map(|c| (c.days, c.total_usd)).collect();
    Some(Figure {
        title,
        subtitle: "Each point is a cluster that no other beats in both cost and time".into(),
        series: vec![Series { names, links, ..Series::new("Plans", 1, points) }],
        ..Figure::new(
            "frontier",
            Kind::Frontier,
            Axis::log("Days", Format::Days),
            Axis::log("Cost of the run, USD", Format::Usd),
        )
    })
}
