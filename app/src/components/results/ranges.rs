//! Days and cost of the run as a range.

use super::{explanation, range_strip};
use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::answer::Percentiles;
use leptos::prelude::*;

/// The sentence, and the table behind it.
pub(super) fn block(plan: &Plan) -> Option<AnyView> {
    let ranges = plan.ranges.as_ref()?;
    let title = format!(
        "8 of 10 draws: {} to {}, and {}",
        format::money(ranges.total_usd.p10),
        format::money(ranges.total_usd.p90),
        format::days_range(ranges.days.p10, ranges.days.p90)
    );
    let subtitle = format!(
        "{} draws over throughput, failures and prices, the same draws each time; one in ten is below, one in ten above",
        format::count(f64::from(ranges.draws))
    );
    let row = |name: &str, p: &Percentiles, show: fn(f64) -> String, limit: String, key: &str| {
        vec![
            Cell::text(name).note(limit),
            Cell::text(show(p.p10)),
            Cell::text(show(p.p50)).explained(explanation::key(plan, key)),
            Cell::text(show(p.p90)),
        ]
    };
    let limits = (
        plan.request
            .budget_usd
            .map(|usd| stands(usd, &ranges.total_usd, &format!("budget {}", engine::limit_usd(usd)))),
        plan.request
            .deadline_days
            .map(|days| stands(days, &ranges.days, &format!("deadline {}", engine::limit_days(days)))),
    );
    let rows = vec![
        row("Cost of the run", &ranges.total_usd, format::money, limits.0.unwrap_or_default(), "ranges.total_usd"),
        row("Time", &ranges.days, format::days, limits.1.unwrap_or_default(), "ranges.days"),
    ];
    let cost = plan.request.budget_usd.map(|usd| (usd, "budget"));
    let time = plan.request.deadline_days.map(|days| (days, "deadline"));
    let strips = range_strip::draw("Cost of the run", &ranges.total_usd, cost, format::money)
        + &range_strip::draw("Time", &ranges.days, time, format::days);
    let head = ["What", "#1 in 10 below", "#Half below", "#9 in 10 below"].map(str::to_owned).to_vec();
    Some(
        view! {
            <div class="block" id="ranges">
                <h3>{title}</h3>
                <p class="quiet">{subtitle}</p>
                <div class="strips" inner_html=strips></div>
                <DataTable caption="Cost and time of the run as a range" head=head rows=rows class="data-cards" />
            </div>
        }
        .into_any(),
    )
}

/// How a limit stands to the draws.
fn stands(limit: f64, p: &Percentiles, name: &str) -> String {
    let how = match limit {
        limit if limit >= p.p90 => "kept by 9 of 10 draws or more",
        limit if limit >= p.p50 => "kept by half of the draws or more, missed by more than 1 in 10",
        limit if limit >= p.p10 => "missed by more than half of the draws",
        _ => "missed by more than 9 of 10 draws",
    };
    format!("{name}: {how}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_stands_where_it_is_among_the_draws() {
        let p = Percentiles { p10: 10.0, p50: 20.0, p90: 30.0 };
        assert_eq!(stands(30.0, &p, "x"), "x: kept by 9 of 10 draws or more");
        assert_eq!(stands(29.0, &p, "x"), "x: kept by half of the draws or more, missed by more than 1 in 10");
        assert_eq!(stands(15.0, &p, "x"), "x: missed by more than half of the draws");
        assert_eq!(stands(9.0, &p, "x"), "x: missed by more than 9 of 10 draws");
    }
}
