//! Buying against renting: by month, and by utilization.

use crate::charts::{Axis, Figure, Format, Kind, Mark, Series};
use crate::format;
use engine::Plan;
use engine::answer::CostCurve;
use engine::request::Acquisition;

/// Id of the curve of an owned base and a rented peak.
const HYBRID: &str = "hybrid";

/// Lines beyond these are in the table only.
const MOST_LINES: usize = 8;

/// The name of a curve beside its end.
fn name(curve: &CostCurve) -> &str {
    if curve.id == HYBRID { "Own base, rent peak" } else { &curve.label }
}

/// Curves in a stable order: buying first, so that it always has the accent color. Those that are drawn, and those for which
/// there is no room: the rentals that cost the most in the end.
fn curves(plan: &Plan) -> (Vec<&CostCurve>, Vec<&CostCurve>) {
    let all = &plan.cloud_vs_on_prem.curves;
    let (buy, rent): (Vec<_>, Vec<_>) = all.iter().partition(|c| c.id == "buy");
    let all: Vec<&CostCurve> = buy.into_iter().chain(rent).filter(|c| !c.cumulative_usd.is_empty()).collect();
    let last = |curve: &CostCurve| match curve.id.as_str() {
        "buy" | HYBRID => f64::NEG_INFINITY,
        _ => curve.cumulative_usd.last().copied().filter(|usd| usd.is_finite()).unwrap_or(f64::INFINITY),
    };
    let mut ends: Vec<f64> = all.iter().map(|curve| last(curve)).collect();
    ends.sort_by(f64::total_cmp);
    let most = ends.get(MOST_LINES).copied();
    let (mut drawn, mut undrawn): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|curve| most.is_none_or(|most| last(curve) < most));
    // several that end alike
    while drawn.len() < MOST_LINES && !undrawn.is_empty() {
        drawn.push(undrawn.remove(0));
    }
    (drawn, undrawn)
}

/// Cumulative cost by month of buying and each way of renting.
pub fn cost_by_month(plan: &Plan) -> Option<Figure> {
    let comparison = &plan.cloud_vs_on_prem;
    let (curves, more) = curves(plan);
    if curves.is_empty() || comparison.months.len() < 2 {
        return None;
    }
    let banded: Vec<&str> = curves.iter().map(|c| c.id.as_str()).filter(|id| *id != HYBRID).take(2).collect();
    let line = |(index, curve): (usize, &&CostCurve)| {
        let points =
            comparison.months.iter().zip(&curve.cumulative_usd).map(|(m, usd)| (f64::from(*m), *usd)).collect();
        let band = curve.low_usd.iter().zip(&curve.high_usd).map(|(l, h)| (*l, *h)).collect();
        // bands of more than two lines hide one another: buying, and the cheapest rental
        let band = if banded.contains(&curve.id.as_str()) { band } else { Vec::new() };
        Series { band, ..Series::new(name(curve), index + 1, points) }
    };
    let series: Vec<Series> = curves.iter().enumerate().map(line).collect();
    let undrawn: Vec<Series> = more.iter().enumerate().map(line).collect();
    let marks = comparison.break_even.iter().filter_map(|even| {
        let months = even.months?;
        let buy = curves.iter().find(|c| c.id == "buy")?;
        let drawn = curves.iter().any(|c| c.id == even.against);
        drawn.then(|| Mark {
            x: months,
            y: at(&comparison.months, &buy.cumulative_usd, months),
            text: format!("{} mo", format::months(months).trim_end_matches("s").trim_end_matches(" month")),
        })
    });
    let mut marks: Vec<Mark> = marks.collect();
    marks.sort_by(|a, b| a.x.total_cmp(&b.x));
    Some(Figure {
        title: title(plan),
        subtitle: format!(
            "Cumulative cost of {} at {} use, USD; shaded: low to high",
            format::plural(f64::from(comparison.gpus), "GPU", "GPUs"),
            format::percent(plan.request.utilization)
        ),
        series,
        undrawn,
        marks,
        months: comparison.months.iter().map(|month| (*month, f64::from(*month))).collect(),
        ..Figure::new(
            "cost-by-month",
            Kind::Lines,
            Axis::linear("Month", Format::Count),
            Axis::linear("Cumulative cost, USD", Format::Usd),
        )
    })
}

/// The finding: against whom buying pays back first and last, or that it does not.
fn title(plan: &Plan) -> String {
    let comparison = &plan.cloud_vs_on_prem;
    let horizon = f64::from(plan.request.horizon_months);
    let mut paid: Vec<(f64, String)> = comparison
        .break_even
        .iter()
        .filter_map(|e| e.months.map(|m| (m, in_sentence(&e.label))))
        .filter(|(m, _)| *m <= horizon)
        .collect();
    paid.sort_by(|a, b| a.0.total_cmp(&b.0));
    // of several, those that the chart shows
    let drawn: Vec<String> = curves(plan).0.into_iter().map(|c| in_sentence(&c.label)).collect();
    if paid.iter().filter(|(_, label)| drawn.contains(label)).count() > 1 {
        paid.retain(|(_, label)| drawn.contains(label));
    }
    let never = comparison.break_even.iter().filter(|e| e.months.is_none_or(|m| m > horizon)).count();
    let at_use = format!("at {} use", format::percent(plan.request.utilization));
    match (paid.as_slice(), never) {
        _ if !comparison.curves.iter().any(|c| c.id == "buy") => {
            let why = if plan.request.allows(Acquisition::Buy) {
                "No purchase price is known"
            } else {
                "Buying is not asked for"
            };
            format!("{why}, so only renting is compared")
        }
        ([], 0) => "Buying has no rival to compare with".into(),
        ([], _) => format!("Buying does not pay back within {} {at_use}", format::months(horizon)),
        ([(m, label)], 0) => format!("Buying overtakes {label} after {} {at_use}", format::months(*m)),
        ([(m, label)], _) => format!(
            "Buying overtakes {label} after {} {at_use}, and no other within {}",
            format::months(*m),
            format::months(horizon)
        ),
        ([(m, first), .., (n, last)], _) => {
            format!(
                "Buying overtakes {first} after {} and {last} after {} {at_use}",
                format::months(*m),
                format::months(*n)
            )
        }
    }
}

/// A label such as `AWS, on demand` without its comma: `AWS (on demand)`.
pub(crate) fn in_sentence(label: &str) -> String {
    match label.split_once(", ") {
        Some((who, how)) => format!("{who} ({how})"),
        None => label.to_owned(),
    }
}

/// The value of a curve between two months.
fn at(months: &[u32], values: &[f64], month: f64) -> f64 {
    let points: Vec<(f64, f64)> = months.iter().zip(values).map(|(m, v)| (f64::from(*m), *v)).collect();
    let after = points.iter().position(|(m, _)| *m >= month).unwrap_or(points.len().saturating_sub(1));
    match (after.checked_sub(1).and_then(|i| points.get(i)), points.get(after)) {
        (Some((m0, v0)), Some((m1, v1))) if m1 > m0 => v0 + (v1 - v0) * ((month - m0) / (m1 - m0)).clamp(0.0, 1.0),
        (_, Some((_, v))) => *v,
        _ => 0.0,
    }
}

/// Cost of a useful device-hour by utilization.
pub fn useful_hour(plan: &Plan) -> Option<Figure> {
    let points = &plan.cloud_vs_on_prem.by_utilization;
    if points.len() < 2 {
        return None;
    }
    let (drawn, more) = curves(plan);
    let line = |(index, curve): (usize, &&CostCurve)| {
        let values =
            points.iter().filter_map(|p| p.usd_per_useful_gpu_hour.get(&curve.id).map(|usd| (p.utilization, *usd)));
        Series::new(&curve.label, index + 1, values.filter(|(_, usd)| usd.is_finite()).collect())
    };
    let has_points = |series: &Series| !series.points.is_empty();
    let series: Vec<Series> = drawn.iter().enumerate().map(line).filter(has_points).collect();
    let undrawn: Vec<Series> = more.iter().enumerate().map(line).filter(has_points).collect();
    if series.is_empty() {
        return None;
    }
    // the last to be beaten is the rival to speak of
    let dearest = plan
        .cloud_vs_on_prem
        .break_even
        .iter()
        .filter_map(|e| e.utilization.map(|u| (u, in_sentence(&e.label))))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let title = match dearest {
        Some((share, label)) if share < 0.005 => format!("At any use, an owned hour is cheaper than one from {label}"),
        Some((share, label)) => {
            format!("Above {} use, an owned hour is cheaper than one from {label}", format::percent(share))
        }
        None if plan.cloud_vs_on_prem.break_even.is_empty() => {
            "An owned hour costs less the more it is used; no rental is compared".into()
        }
        None => "At no utilization is an owned hour cheaper over this horizon".into(),
    };
    Some(Figure {
        title,
        subtitle: "Cost of one GPU-hour that does work over the horizon, a purchase paid in full, by share of hours with work, USD".into(),
        series,
        undrawn,
        months: super::utilization::worked(plan),
        // idle hardware makes the left end very dear: factors show both ends
        ..Figure::new(
            "useful-hour",
            Kind::Lines,
            Axis::linear("Utilization, share of hours", Format::Percent),
            Axis::log("USD per useful GPU-hour", Format::Usd),
        )
    })
}
