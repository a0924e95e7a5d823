//! The cost by month of several plans on the same axes.

use super::in_sentence;
use crate::charts::{Axis, Figure, Format, Kind, Series};
use crate::format;
use engine::Plan;
use engine::answer::CostCurve;

/// Of each plan, buying and the rental that is cheapest in the end; a plan goes by its letter.
pub fn compared_cost(plans: &[(String, &Plan)]) -> Option<Figure> {
    let mut series = Vec::new();
    for (letter, plan) in plans {
        let comparison = &plan.cloud_vs_on_prem;
        for curve in two(&comparison.curves) {
            let points: Vec<(f64, f64)> =
                comparison.months.iter().zip(&curve.cumulative_usd).map(|(m, usd)| (f64::from(*m), *usd)).collect();
            if points.len() > 1 {
                series.push(Series::new(format!("{letter}: {}", in_sentence(&curve.label)), series.len() + 1, points));
            }
        }
    }
    if series.is_empty() {
        return None;
    }
    Some(Figure {
        title: title(&series),
        subtitle: "Cumulative cost of each plan's cluster at its own use, USD: buying, and the rental that is cheapest over its horizon".into(),
        series,
        ..Figure::new("compared-cost", Kind::Lines, Axis::linear("Month", Format::Count), Axis::linear("Cumulative cost, USD", Format::Usd))
    })
}

fn two(curves: &[CostCurve]) -> Vec<&CostCurve> {
    let last = |curve: &CostCurve| curve.cumulative_usd.last().copied().filter(|usd| usd.is_finite());
    let buy = curves.iter().find(|curve| curve.id == "buy");
    let rented = curves.iter().filter(|curve| curve.id != "buy" && curve.id != "hybrid");
    let cheapest = rented
        .filter_map(|curve| last(curve).map(|usd| (curve, usd)))
        .min_by(|one, other| one.1.total_cmp(&other.1))
        .map(|(curve, _)| curve);
    buy.into_iter().chain(cheapest).collect()
}

/// The cheapest at the last month that all of them reach.
fn title(series: &[Series]) -> String {
    let month = series.iter().filter_map(|s| s.points.last()).map(|p| p.0).fold(f64::INFINITY, f64::min);
    let at = |s: &Series| s.points.iter().rfind(|p| p.0 <= month).map(|p| p.1);
    let cheapest = series.iter().filter_map(|s| at(s).map(|usd| (s, usd))).min_by(|a, b| a.1.total_cmp(&b.1));
    match cheapest {
        Some((s, usd)) => {
            format!("After {}, {} has cost the least: {}", format::months(month), s.label, format::money(usd))
        }
        None => "Cost by month".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::fixture;

    #[test]
    fn each_plan_has_at_most_two_lines_on_the_same_axes() {
        let plan = fixture::plan();
        let plans: Vec<(String, &Plan)> = ["A", "B", "C", "D"].map(|l| (l.to_owned(), &plan)).to_vec();
        let figure = compared_cost(&plans).expect("a figure");
        assert_eq!(figure.series.len(), 8);
        assert!(figure.series.iter().all(|s| (1..=8).contains(&s.color)));
        assert!(figure.title.contains("has cost the least: $"), "{}", figure.title);
        assert_eq!(compared_cost(&[]), None);
    }
}
