//! Where time goes, and what haste costs.

use super::{Purpose, candidate, explanation, nothing, section as wrap};
use crate::charts::build;
use crate::components::{Cell, DataTable, FigureView};
use crate::format;
use engine::Plan;
use engine::answer::Candidate;
use leptos::prelude::*;

/// Step time and frontier.
pub(super) fn section(plan: &Plan, query: &str, purpose: Purpose) -> AnyView {
    let step = build::step(plan).map(|f| view! { <FigureView figure=f full=true /> });
    let link = |found: &Candidate| match purpose {
        Purpose::Planner => candidate::of_frontier(query, found),
        _ => String::new(),
    };
    let frontier = build::frontier(plan, link).map(|f| view! { <FigureView figure=f full=true /> });
    let empty = (step.is_none() && frontier.is_none())
        .then(|| nothing("No allowed cluster can hold the model, so there is no time to show."));
    wrap("time", "Time", view! { {step}{frontier}{frontier_table(plan, query, purpose)}{empty} }.into_any())
}

fn frontier_table(plan: &Plan, query: &str, purpose: Purpose) -> Option<AnyView> {
    if plan.frontier.is_empty() {
        return None;
    }
    let within = if plan.request.has_limits() { " within the limits" } else { "" };
    let is = |candidate: &Candidate, other: Option<&Candidate>| other.is_some_and(|o| o == candidate);
    let time = format::days_together(plan.frontier.iter().map(|found| found.days));
    let rows = plan
        .frontier
        .iter()
        .map(|found| {
            let mark = match () {
                () if is(found, plan.cheapest.as_ref()) => format!("cheapest{within}"),
                () if is(found, plan.fastest.as_ref()) => format!("fastest{within}"),
                () => String::new(),
            };
            let name = Cell::text(build::candidate_name(found)).note(mark);
            let name = if purpose == Purpose::Planner { name.link(candidate::of_frontier(query, found)) } else { name };
            vec![
                name,
                Cell::text(candidate::how(found)),
                Cell::text(time(found.days)),
                Cell::money(found.total_usd),
                Cell::text(format::percent_fixed(found.mfu)),
                Cell::text(found.layout.short()),
            ]
        })
        .collect();
    let head = ["Cluster", "How", "#Time", "#Cost of the run", "#MFU", "Layout"].map(str::to_owned).to_vec();
    let hint = (purpose == Purpose::Planner).then(
        || view! { <p class="quiet">"A cluster's name, or its point in the chart, plans with that accelerator and at most that many GPUs."</p> },
    );
    let how_found = explanation::key(plan, "frontier.total_usd").zip(explanation::key(plan, "frontier.days")).map(|(cost, days)| {
        view! { <p class="quiet">"How these came about: "{explanation::button(cost, "cost".into(), None)}", "{explanation::button(days, "time".into(), None)}</p> }
    });
    Some(
        view! {
            <div class="block block-tall">
                <h3>"Clusters that none beats in both cost and time"</h3>
                {hint}
                {how_found}
                <DataTable caption="Frontier of cost against time" head=head rows=rows />
            </div>
        }
        .into_any(),
    )
}
