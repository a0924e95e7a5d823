//! Four figures that people quote, each with how it came about.

use super::{explanation, footnotes};
use crate::format;
use engine::Plan;
use leptos::prelude::*;

/// Cost, time, useful work, layout of the shown tier.
pub(super) fn key_figures(plan: &Plan) -> Option<AnyView> {
    let tier = plan.shown()?;
    let estimate = tier.estimate.as_ref();
    let cost = tier.cost.as_ref().map(|cost| {
        let text = format!(
            "{} per million tokens, {} GPU-hours",
            format::money(cost.usd_per_million_tokens),
            format::compact(cost.gpu_hours)
        );
        figure(
            plan,
            "Cost of this run",
            format::money(cost.total_usd.typical),
            Some(format::money_full(cost.total_usd.typical)),
            text,
            "total_usd",
        )
    });
    let time = tier.days.as_ref().zip(estimate).map(|(days, estimate)| {
        let text = format!(
            "{} tokens/s per GPU, {} a step",
            format::count(estimate.tokens_per_second_per_gpu),
            format::seconds(estimate.step_seconds)
        );
        figure(plan, "Time", format::days(days.typical), Some(format::days_range(days.low, days.high)), text, "days")
    });
    let useful = estimate.filter(|e| e.fits).map(|estimate| {
        let goodput = tier.goodput.map(|g| format!("{} goodput, ", format::percent(g))).unwrap_or_default();
        let text = format!(
            "{goodput}{} TFLOP/s per GPU of {}",
            format::significant(estimate.model_tflops_per_gpu, 3),
            format::count(estimate.peak_tflops)
        );
        figure(plan, "Useful work", format!("{} MFU", format::percent_fixed(estimate.mfu)), None, text, "mfu")
    });
    let layout = estimate.map(|estimate| {
        let m = &estimate.memory_gib;
        let text = format!("{} of {} usable on the fullest GPU", format::gib(m.total), format::gib(m.usable));
        figure(plan, "Layout", estimate.layout.short(), None, text, "memory_gib.total")
    });
    let hint = (explanation::count(plan) > 0)
        .then(|| view! { <p class="quiet hint">"A dotted figure opens how it came about."</p> });
    Some(
        view! {
            <section class="key-figures" aria-labelledby="key-heading">
                <h2 class="visually-hidden" id="key-heading">"Key figures"</h2>
                {cost}{time}{useful}{layout}
            </section>
            {hint}
        }
        .into_any(),
    )
}

fn figure(plan: &Plan, name: &'static str, value: String, full: Option<String>, text: String, part: &str) -> AnyView {
    let note = footnotes::number(plan, part);
    let class = if value.chars().count() > 14 { "long" } else { "" };
    let value = match explanation::key(plan, explanation::of_tier(plan.shown_tier, part)) {
        Some(key) => explanation::button(key, value, full.clone()),
        None => value.into_any(),
    };
    view! { <div class="key-figure"><p>{name}</p><b class=class title=full data-note=note>{value}</b><p class="quiet">{text}</p></div> }
        .into_any()
}
