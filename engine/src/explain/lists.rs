//! Lists of the plan: one explanation for each column, with the values of a row that stands for all.

use super::{Book, MODEL, REQUEST, SEARCH, dated, input, term};
use crate::answer::{Candidate, Plan, Term};
use crate::economics::inputs::Inputs;
use crate::units::grouped;

/// Cheapest, fastest and the frontier.
pub(super) fn candidates(plan: &Plan, book: &mut Book<'_>) {
    let named =
        [("cheapest", plan.cheapest.as_ref()), ("fastest", plan.fastest.as_ref()), ("frontier", plan.frontier.first())];
    for (name, candidate) in named {
        if let Some(candidate) = candidate {
            of_candidate(plan, name, candidate, book);
        }
    }
}

fn of_candidate(plan: &Plan, name: &str, c: &Candidate, book: &mut Book<'_>) {
    let what = format!("{} {}", grouped(c.gpus), c.accelerator_short);
    let tokens = || term("tokens", plan.request.training_tokens as f64, "tokens", REQUEST);
    let devices = || term("devices", f64::from(c.gpus), "devices", SEARCH);
    book.put(
        &format!("{name}.days"),
        &format!("Days of the run: {what}"),
        c.days,
        "days",
        "tokens ÷ (throughput per device × devices × goodput) ÷ 86,400",
        vec![tokens(), devices()],
    );
    book.put(
        &format!("{name}.total_usd"),
        &format!("Cost of the run: {what}"),
        c.total_usd,
        "USD",
        "as the cost of a tier: purchase and running cost, or device-hours × price + storage, egress and support",
        vec![devices(), term("days", c.days, "days", "days of the run")],
    );
    book.put(
        &format!("{name}.mfu"),
        &format!("Model FLOPs utilization: {what}"),
        c.mfu,
        "share",
        "throughput per device × FLOPs per token ÷ dense peak",
        vec![devices()],
    );
}

/// By size, by month, metrics, the next block.
pub(super) fn utilization(plan: &Plan, inputs: &Inputs, book: &mut Book<'_>) {
    let u = &plan.utilization;
    let r = &plan.request;
    if let Some(p) = u.by_cluster_size.first() {
        let devices = || term("devices", f64::from(p.gpus), "devices", "first row");
        let rows = [
            ("days", p.days, "days", "tokens ÷ (tokens per second × goodput) ÷ 86,400"),
            ("tokens_per_second", p.tokens_per_second, "tokens/s", "throughput per device × devices"),
            ("mfu", p.mfu, "share", "throughput per device × FLOPs per token ÷ dense peak"),
            ("goodput", p.goodput, "share", "1 ÷ (1 + δ/τ + (τ/2 + δ + R)/M) (Daly 2006), of steady machines"),
        ];
        for (name, value, unit, formula) in rows {
            let title = format!("By cluster size, first row: {}", name.replace('_', " "));
            book.put(&format!("utilization.by_cluster_size.{name}"), &title, value, unit, formula, vec![devices()]);
        }
        let s = &p.shares;
        let share = |name: &str, value: f64| term(name, value, "share", "parts of the step × goodput");
        book.put(
            "utilization.by_cluster_size.shares",
            "Where the calendar goes, first row",
            1.0,
            "share",
            "parts of the step ÷ step × goodput, with the wait for input; and what checkpoints and failures take: they sum to 1",
            vec![
                share("compute", s.compute),
                share("communication", s.communication),
                share("bubble", s.bubble),
                share("input", s.input),
                share("overhead", s.overhead),
                share("checkpoints", s.checkpoints),
                share("failures", s.failures),
            ],
        );
    }
    let demand = || -> Vec<Term> {
        vec![
            term("utilization", r.utilization, "share", REQUEST),
            term("growth, g", r.demand_growth_per_month, "per month", REQUEST),
            term("seasonality, a", r.demand_seasonality, "amplitude", REQUEST),
        ]
    };
    if let Some(last) = u.by_month.last() {
        let mut terms = vec![term("capacity", last.capacity_gpu_hours, "GPU-hours", "devices × 730 h")];
        terms.extend(demand());
        book.put(
            "utilization.by_month",
            "Utilization by month, last month",
            last.utilization,
            "share",
            "demand of month m = capacity × utilization × (1 + g)^(m−1) × (1 + a·sin(2π(m−1)/12)); what is above the capacity is rented, what is below is idle",
            terms,
        );
    }
    if let Some(block) = &u.next_block {
        let mut terms = vec![input("lead time", &inputs.lead_time_months, "months")];
        terms.extend(demand());
        book.put(
            "utilization.next_block",
            "Months until the next block is ordered",
            block.order_in_months,
            "months",
            "first month whose demand passes the capacity − 1 − lead time; whole nodes for the highest demand of twelve months from then",
            terms,
        );
    }
    for h in &u.health {
        book.put(
            &format!("utilization.health.{}", h.metric),
            &h.label,
            h.expected,
            &h.unit,
            health_formula(&h.metric),
            vec![term("low end", h.low, &h.unit, "healthy range"), term("high end", h.high, &h.unit, "healthy range")],
        );
    }
}

fn health_formula(metric: &str) -> &'static str {
    match metric {
        "tokens_per_second_per_gpu" => "throughput and its band",
        "step_seconds" => "step time; range by the band of the throughput",
        "mfu" => "model FLOPs utilization; range by the band of the throughput",
        "device_busy" => "(compute + memory-bound work + optimizer) ÷ step; range by the band of the throughput",
        "communication_share" => {
            "exposed tensor, context, expert, data and stage communication ÷ step; alarm at one and a half times"
        }
        "all_reduce_share" => {
            "exposed data-parallel communication ÷ step; alarm at one and a half times, and not below a tenth"
        }
        "input_wait" => "what reading takes beyond the step, when it is not hidden; alarm at a twentieth",
        "link_use" => "bytes of gradients and weights that a device sends in a step ÷ (network rate × step)",
        "memory_gib" => "memory of the fullest device; high end: what is usable",
        "goodput" => "productive share of the calendar; low end: five points less",
        "interruptions_per_week" => "168 h ÷ time between interruptions; high end: three deviations of a Poisson count",
        _ => "Daly's interval; from half to twice",
    }
}

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
        "sum of the lines that have a price, each quantity × price of one; each line says why that many",
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
            "cost of the run with this input at its low and its high, everything else typical, the layout as found",
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
pub(super) fn inverse(plan: &Plan, book: &mut Book<'_>) {
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
        book.put(
            "inverse.buying_wins_from_utilization",
            "Utilization from which buying wins",
            utilization,
            "share",
            "break-even utilization against the cheapest rental on demand",
            vec![
                term("horizon", f64::from(r.horizon_months), "months", REQUEST),
                term("devices", f64::from(plan.cloud_vs_on_prem.gpus), "devices", MODEL),
            ],
        );
    }
}
