//! The answer in one sentence, and the few number formats that sentences of the engine use.

use crate::answer::{CloudVsOnPrem, Plan, Reason, TierCost, TierPlan, Verdict};
use crate::catalog::Catalog;
use crate::request::{Acquisition, PlanRequest};
use crate::units::grouped;

/// The headline of a plan.
pub(super) fn headline(plan: &Plan) -> String {
    let Some(shown) = plan.shown() else { return "Nothing is allowed by these limits.".into() };
    if plan.recommended.is_none() {
        return infeasible(plan, shown);
    }
    let (Some(cluster), Some(days), Some(cost)) = (&shown.cluster, shown.days, &shown.cost) else {
        return infeasible(plan, shown);
    };
    let what = format!("{} {}", thousands(f64::from(cluster.gpus)), cluster.accelerator_short);
    let from = cost.label.split(',').next().unwrap_or(&cost.label);
    let lead = match cost.acquisition {
        Acquisition::Buy => format!("Buy {what} and train for {}", days_text(days.typical)),
        Acquisition::Reserved if cost.minimum_months < 0.5 => {
            format!("Book a block of {what} at {from} and train for {}", days_text(days.typical))
        }
        Acquisition::Reserved => format!(
            "Reserve {what} at {from} for {} and train for {}",
            months_text(cost.minimum_months.round()),
            days_text(days.typical)
        ),
        Acquisition::OnDemand => format!("Rent {what} from {from} for {}", days_text(days.typical)),
        Acquisition::Spot => format!("Rent {what} on spot from {from} for {}", days_text(days.typical)),
    };
    format!("{lead}, about {}; {}.", paid(cost), payback(plan))
}

/// The cost of a run, and what has to be paid where that is more: a term is paid whole, also after the run.
fn paid(cost: &TierCost) -> String {
    let run = money(cost.total_usd.typical);
    let cash = cost.options.iter().find(|o| o.label == cost.label).map(|o| o.cash_usd);
    match cash.filter(|_| cost.acquisition == Acquisition::Reserved).map(money) {
        Some(cash) if cash != run => format!("{run} of the {cash} that the term costs"),
        _ => run,
    }
}

fn infeasible(plan: &Plan, shown: &TierPlan) -> String {
    let cluster = shown.cluster.as_ref().map(|c| format!("{} {}", thousands(f64::from(c.gpus)), c.accelerator_short));
    let label = plan.request.model.label();
    match (shown.verdict, cluster, shown.days, &shown.cost) {
        (Verdict::TooSmall, Some(cluster), ..) => {
            let gap = shown.estimate.as_ref().map_or(0.0, |e| e.memory_gap_gib);
            let gap = tenths(gap);
            format!("Nothing allowed holds {label}: the nearest, {cluster}, lacks {gap} GiB on its fullest device.")
        }
        (Verdict::TooSlow, Some(cluster), Some(days), _) => {
            format!("Not in time: the nearest plan, {cluster}, takes {}.", days_text(days.typical))
        }
        (Verdict::OverBudget, Some(cluster), Some(days), Some(cost)) => {
            let cash = cost.options.iter().find(|o| o.label == cost.label);
            let cash = cash.map_or(cost.total_usd.typical, |o| o.cash_usd);
            format!(
                "Not within budget: the nearest plan, {cluster}, takes {} and {}.",
                days_text(days.typical),
                money(cash)
            )
        }
        (Verdict::OverBudget, Some(cluster), ..) => format!("No price is known for {cluster}; give one to get a cost."),
        _ => "Nothing is allowed by these limits: widen the accelerators, providers, the power or the largest cluster."
            .into(),
    }
}

/// When buying pays back.
fn payback(plan: &Plan) -> String {
    let percent = plan.request.utilization * 100.0;
    let comparison = &plan.cloud_vs_on_prem;
    if !plan.request.allows(Acquisition::Buy) {
        return "buying is not asked for, so renting is not compared with it".into();
    }
    if comparison.curves.iter().all(|c| c.id != "buy") {
        return "no purchase price is known to compare with".into();
    }
    let way = plan.shown().and_then(|t| t.cost.as_ref()).map_or("", |c| c.label.as_str());
    match comparison.rival(way) {
        None => no_rival(plan),
        Some(rival) => match rival.months {
            Some(months) if !rival.within_life => format!(
                "buying pays back after {} at {percent:.0}% use, beyond the life of the hardware",
                months_text(months)
            ),
            Some(months) => format!("buying pays back after {} at {percent:.0}% use", months_text(months)),
            None => format!("buying never pays back at {percent:.0}% use"),
        },
    }
}

/// Why buying has nothing to be compared with.
fn no_rival(plan: &Plan) -> String {
    let request = &plan.request;
    if !Acquisition::ALL.iter().any(|a| *a != Acquisition::Buy && request.allows(*a)) {
        return "renting is not asked for, so buying is not compared with it".into();
    }
    let comparison = &plan.cloud_vs_on_prem;
    let catalog = Catalog::get();
    let short = catalog.accelerator(&comparison.accelerator).map_or("of these", |a| a.short.as_str());
    let what = format!("{} {short}", thousands(f64::from(comparison.gpus)));
    if catalog.offers.iter().any(|o| o.accelerator == comparison.accelerator) {
        format!("no allowed offer rents {what} by the month, so buying is not compared with renting")
    } else {
        format!("the catalog has no offer that rents {short}, so buying is not compared with renting")
    }
}

/// What buying would do over the horizon, when it pays back within it.
pub(super) fn over_the_horizon(request: &PlanRequest, comparison: &CloudVsOnPrem, way: &str) -> Option<Reason> {
    let rival = comparison.rival(way)?;
    let months = rival.months?;
    let end = |id: &str| comparison.curves.iter().find(|c| c.id == id).and_then(|c| c.cumulative_usd.last()).copied();
    let (own, rent) = (end("buy")?, end(&rival.against)?);
    let horizon = request.horizon_months;
    let percent = request.utilization * 100.0;
    let text = if own <= rent {
        format!(
            "If these devices then work {percent:.0}% of {horizon} months, buying costs {} less than {}: it pays back after {}.",
            money(rent - own),
            rival.label,
            months_text(months)
        )
    } else {
        format!(
            "Over {horizon} months at {percent:.0}% use, buying costs {} more than {}; it would pay back after {}.",
            money(own - rent),
            rival.label,
            months_text(months)
        )
    };
    Some(Reason::new("buying_over_horizon", text))
}

/// A number of months for people, in sentences and in tables alike: `17 months`, `1.5 months`, `1 month`.
pub fn months_text(months: f64) -> String {
    let text = if months.abs() < 9.95 { format!("{months:.1}") } else { thousands(months) };
    match text.strip_suffix(".0").unwrap_or(&text) {
        "1" => "1 month".into(),
        text => format!("{text} months"),
    }
}

/// A duration in days for people, in sentences and in tables alike: `41.3 days`, `3,193 days`, below two days
/// `31.2 hours`, below one hour `12.0 minutes`, below one minute `12.0 seconds`.
pub fn days_text(days: f64) -> String {
    match days.abs() {
        d if d < 1.0 / 1_440.0 => format!("{:.1} seconds", days * 86_400.0),
        d if d < 1.0 / 24.0 => format!("{:.1} minutes", days * 1_440.0),
        d if d < 2.0 => format!("{:.1} hours", days * 24.0),
        d if d < 99.95 => format!("{days:.1} days"),
        _ => format!("{} days", thousands(days)),
    }
}

/// `$2.41M`, `$930K`, `$1.20B`: three significant digits.
pub(crate) fn money(usd: f64) -> String {
    let (scale, suffix) = match usd.abs() {
        u if u >= 999.5e9 => (1e12, "T"),
        u if u >= 999.5e6 => (1e9, "B"),
        u if u >= 999.5e3 => (1e6, "M"),
        u if u >= 999.5 => (1e3, "K"),
        _ => (1.0, ""),
    };
    let scaled = usd / scale;
    let digits = match scaled.abs() {
        s if s >= 99.95 => 0,
        s if s >= 9.995 => 1,
        _ => 2,
    };
    let sign = if usd < 0.0 { "-" } else { "" };
    format!("{sign}${:.digits$}{suffix}", scaled.abs())
}

/// A limit of time as it was given: `90 days`, `1.5 days`.
pub fn limit_days(days: f64) -> String {
    let noun = if days == 1.0 { "day" } else { "days" };
    format!("{} {noun}", as_given(days))
}

/// A limit of money as it was given: `$5M`, `$1.25M`, `$2,412,345`.
pub fn limit_usd(usd: f64) -> String {
    let short = [(1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K")].into_iter().find(|(scale, _)| usd >= *scale);
    match short {
        Some((scale, suffix)) if (usd / scale * 100.0).fract() == 0.0 => format!("${}{suffix}", as_given(usd / scale)),
        _ => format!("${}", as_given(usd)),
    }
}

/// All digits of a number that somebody typed.
fn as_given(value: f64) -> String {
    let text = value.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{}{point}{fraction}", grouped(whole.to_owned()))
}

/// `1,234,567`, without a fraction.
pub(crate) fn thousands(value: f64) -> String {
    let text = grouped(format!("{:.0}", value.abs()));
    if value <= -0.5 { format!("-{text}") } else { text }
}

/// `1,234.5`.
pub(super) fn tenths(value: f64) -> String {
    grouped(format!("{value:.1}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_has_three_digits() {
        let cases = [
            (2_412_345.0, "$2.41M"),
            (930_400.0, "$930K"),
            (1.2e9, "$1.20B"),
            (41.256, "$41.3"),
            (999_600.0, "$1.00M"),
            (999_400.0, "$999K"),
            (0.0, "$0.00"),
        ];
        for (usd, text) in cases {
            assert_eq!(money(usd), text);
        }
    }

    #[test]
    fn limits_are_told_as_they_were_given() {
        for (usd, text) in [
            (5e6, "$5M"),
            (1.25e6, "$1.25M"),
            (2_412_345.0, "$2,412,345"),
            (200_000.0, "$200K"),
            (950.5, "$950.5"),
            (1e9, "$1B"),
        ] {
            assert_eq!(limit_usd(usd), text);
        }
        for (days, text) in [(90.0, "90 days"), (1.0, "1 day"), (2.58, "2.58 days"), (3_650.0, "3,650 days")] {
            assert_eq!(limit_days(days), text);
        }
    }

    #[test]
    fn times_are_told_in_one_way() {
        for (days, text) in [
            (0.000_1, "8.6 seconds"),
            (0.01, "14.4 minutes"),
            (0.5, "12.0 hours"),
            (1.3, "31.2 hours"),
            (41.32, "41.3 days"),
            (99.96, "100 days"),
            (3_193.4, "3,193 days"),
        ] {
            assert_eq!(days_text(days), text);
        }
        for (months, text) in [(1.0, "1 month"), (1.52, "1.5 months"), (9.96, "10 months"), (17.34, "17 months")] {
            assert_eq!(months_text(months), text);
        }
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!(
            (thousands(1_234_567.4), thousands(-1_000.0), thousands(12.0)),
            ("1,234,567".into(), "-1,000".into(), "12".into())
        );
    }
}
