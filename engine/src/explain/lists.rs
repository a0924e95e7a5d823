//! The bill, what moves the cost, its ranges, and the question turned round.

use super::{Book, Lists, REQUEST, comparison, dated, term};
use crate::answer::{Plan, Term};
use crate::request::Acquisition;

/// Lines of the bill and their sum.
pub(super) fn bill(plan: &Plan, book: &mut Book<'_>) {
    let lines = &plan.bill_of_materials;
    if lines.is_empty() {
        return;
    }
    let priced = || lines.iter().filter_map(|l| Some((l, l.total_usd?)));
    let terms =
        priced().map(|(l, usd)| term(&l.item, usd, "USD", &format!("{}; {}", dated(&l.source, &l.as_of), l.why)));
    let sum = priced().map(|(_, usd)| usd).sum();
    book.put(
        "bill_of_materials.total_usd",
        "Purchase of the cluster",
        sum,
        "USD",
        "sum of the terms; the lines that have a price, each quantity × price of one, and why that many",
        terms.collect(),
    );
}

/// Rows of the tornado.
pub(super) fn sensitivity(plan: &Plan, book: &mut Book<'_>) {
    for row in &plan.sensitivity {
        book.put(
            &format!("sensitivity.{}", row.input),
            &format!("What {} moves", row.label),
            (row.total_usd_high - row.total_usd_low).abs(),
            "USD",
            "|cost at the high − cost at the low|; this input at its low and its high, everything else typical, the layout as found",
            vec![
                term("low", row.low, &row.unit, "range of the input"),
                term("high", row.high, &row.unit, "range of the input"),
                term("cost at the low", row.total_usd_low, "USD", "cost of the run"),
                term("cost at the high", row.total_usd_high, "USD", "cost of the run"),
            ],
        );
    }
}

/// Percentiles.
pub(super) fn ranges(plan: &Plan, book: &mut Book<'_>) {
    let Some(ranges) = &plan.ranges else { return };
    let draws =
        || term("draws", f64::from(ranges.draws), "draws", "Sobol sequence (Joe and Kuo 2008), the same each time");
    let correlation = || term("rank correlation of prices", 0.5, "correlation", "Epoch AI, arXiv 2405.21015");
    book.put(
        "ranges.days",
        "Days of the run, 50th percentile",
        ranges.days.p50,
        "days",
        "percentiles over draws of the throughput (two-piece normal with its band as 10th and 90th percentile), failures and restart (typical as the median, thinning out linearly to low and high)",
        vec![draws()],
    );
    book.put(
        "ranges.total_usd",
        "Cost of the run, 50th percentile",
        ranges.total_usd.p50,
        "USD",
        "percentiles over the draws of the days and of prices (typical as the median, thinning out linearly to low and high, correlated by a one-factor Gaussian copula)",
        vec![draws(), correlation()],
    );
}

/// Answers to the question turned round.
pub(super) fn inverse(plan: &Plan, lists: &Lists<'_>, book: &mut Book<'_>) {
    let limit = |name: &str, value: Option<f64>, unit: &str| value.map(|v| term(name, v, unit, REQUEST));
    let r = &plan.request;
    let limits = || -> Vec<Term> {
        [limit("deadline", r.deadline_days, "days"), limit("budget", r.budget_usd, "USD")]
            .into_iter()
            .flatten()
            .collect()
    };
    if let Some(smallest) = &plan.inverse.smallest_for_deadline {
        book.put(
            "inverse.smallest_for_deadline",
            "The fewest devices in time",
            f64::from(smallest.gpus),
            "devices",
            "fewest devices of the sizes searched whose days are within the deadline, whatever they cost",
            limits(),
        );
    }
    if let Some(most) = &plan.inverse.most_tokens {
        book.put(
            "inverse.most_tokens",
            "The most tokens within the limits",
            most.training_tokens as f64,
            "tokens",
            "greatest number, over every cluster and way of acquiring, whose days are within the deadline and whose cash is within the budget; three digits, rounded down",
            limits(),
        );
    }
    if let Some(utilization) = plan.inverse.buying_wins_from_utilization {
        let rival = plan.cloud_vs_on_prem.curves.iter().find(|c| c.id.starts_with(Acquisition::OnDemand.id()));
        let parts = lists.parts.as_ref().zip(rival).and_then(|(parts, rival)| parts.rivals.get(&rival.id));
        let (formula, terms) = comparison::utilization(plan, parts);
        let title = "Utilization from which buying wins";
        book.put("inverse.buying_wins_from_utilization", title, utilization, "share", &formula, terms);
    }
}
