//! The cheapest, the fastest, and the first of the frontier, which stands for its other points.

use super::money::{DAYS, days_terms, total};
use super::{Book, Lists, Way, term};
use crate::answer::{Candidate, Plan, Term};
use crate::units::grouped;

pub(super) fn candidates(plan: &Plan, lists: &Lists<'_>, book: &mut Book<'_>) {
    for (name, candidate, way) in &lists.candidates {
        of_candidate(plan, name, candidate, way, book);
    }
}

fn of_candidate(plan: &Plan, name: &str, c: &Candidate, way: &Way<'_>, book: &mut Book<'_>) {
    let what = format!("{} {}, {}", grouped(c.gpus), c.accelerator_short, way.label);
    let title = |figure: &str| format!("{figure}: {what}");
    book.put(&format!("{name}.days"), &title("Days of the run"), c.days, "days", DAYS, days_terms(&plan.request, way));
    let (formula, terms) = total(&plan.request, way);
    book.put(&format!("{name}.total_usd"), &title("Cost of the run"), c.total_usd, "USD", formula, terms);
    let key = format!("{name}.mfu");
    book.put(&key, &title("Model FLOPs utilization"), c.mfu, "share", MFU, mfu_terms(way.estimate));
}

pub(super) const MFU: &str = "throughput per device × FLOPs per token ÷ dense peak";

pub(super) fn mfu_terms(e: &crate::Estimate) -> Vec<Term> {
    vec![
        term("throughput per device", e.tokens_per_second_per_gpu, "tokens/s/GPU", super::MODEL),
        term("FLOPs per token", e.flops_per_token, "FLOP", "counted from the architecture"),
        term("dense peak", e.peak_tflops * 1e12, "FLOP/s", "accelerator catalog, dense, of the precision"),
    ]
}
