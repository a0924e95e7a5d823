//! How well the cluster is used: by its size, by month, and when the next block is ordered.

use super::candidates::{MFU, mfu_terms};
use super::run::productive_share;
use super::{Book, Lists, MODEL, REQUEST, input, term};
use crate::answer::{Plan, Term};
use crate::economics::inputs::Inputs;

pub(super) fn utilization(plan: &Plan, inputs: &Inputs, lists: &Lists<'_>, book: &mut Book<'_>) {
    by_size(plan, inputs, lists, book);
    let (u, r) = (&plan.utilization, &plan.request);
    let demand = || -> Vec<Term> {
        vec![
            term("utilization", r.utilization, "share", REQUEST),
            term("g, growth", r.demand_growth_per_month, "per month", REQUEST),
            term("a, seasonality", r.demand_seasonality, "amplitude", REQUEST),
        ]
    };
    if let Some(last) = u.by_month.last() {
        let mut terms = vec![
            term("m, month", f64::from(last.month), "months", "last of the horizon"),
            term("capacity", last.capacity_gpu_hours, "GPU-hours", "devices × 730 h"),
        ];
        terms.extend(demand());
        book.put(
            "utilization.by_month",
            "Utilization by month, last month",
            last.utilization,
            "share",
            "min(utilization × (1 + g)^(m − 1) × max(1 + a × sin(2 × π × (m − 1) ÷ 12), 0), 1); before the least is taken it is the demand over the capacity: what is above 1 is rented, what is below is idle",
            terms,
        );
    }
    if let Some(block) = &u.next_block {
        let source = "first month whose demand passes the capacity: utilization with growth and seasonality above 1";
        let mut terms = vec![
            term("first month", f64::from(block.needed_in_month), "month", source),
            input("lead time", &inputs.lead_time_months, "months"),
        ];
        terms.extend(demand());
        book.put(
            "utilization.next_block",
            "Months until the next block is ordered",
            block.order_in_months,
            "months",
            "max(first month − 1 − lead time, 0); first month: the first in which utilization, growth and seasonality take the demand above the capacity. Whole nodes for the highest demand of twelve months from then",
            terms,
        );
    }
}

fn by_size(plan: &Plan, inputs: &Inputs, lists: &Lists<'_>, book: &mut Book<'_>) {
    let Some((p, (estimate, reliability))) = plan.utilization.by_cluster_size.first().zip(lists.first_size) else {
        return;
    };
    let mut put = |name: &str, value: f64, unit: &str, formula: &str, terms: Vec<Term>| {
        let title = format!("By cluster size, first row: {}", name.replace('_', " "));
        book.put(&format!("utilization.by_cluster_size.{name}"), &title, value, unit, formula, terms);
    };
    let per_device = term("throughput per device", estimate.tokens_per_second_per_gpu, "tokens/s/GPU", MODEL);
    let devices = term("devices", f64::from(p.gpus), "devices", "first row");
    let days = vec![
        term("tokens", plan.request.training_tokens as f64, "tokens", REQUEST),
        term("tokens per second", p.tokens_per_second, "tokens/s", "throughput per device × devices"),
        term("goodput", p.goodput, "share", "failures and checkpoints"),
    ];
    put("days", p.days, "days", "tokens ÷ (tokens per second × goodput) ÷ 86,400", days);
    let rate = "throughput per device × devices";
    put("tokens_per_second", p.tokens_per_second, "tokens/s", rate, vec![per_device, devices]);
    put("mfu", p.mfu, "share", MFU, mfu_terms(estimate));
    let (formula, terms) = productive_share(inputs, reliability, false);
    put("goodput", p.goodput, "share", formula, terms);
    let s = &p.shares;
    let share =
        |name: &str, value: f64| term(name, value, "share", "parts of the step ÷ step × goodput, of the calendar");
    let shares = vec![
        share("compute", s.compute),
        share("communication", s.communication),
        share("bubble", s.bubble),
        share("input", s.input),
        share("overhead", s.overhead),
        share("checkpoints", s.checkpoints),
        share("failures", s.failures),
    ];
    book.put(
        "utilization.by_cluster_size.shares",
        "Where the calendar goes, first row",
        1.0,
        "share",
        "sum of the terms; parts of the step ÷ step × goodput, with the wait for input, and what checkpoints and failures take: the whole calendar",
        shares,
    );
}
