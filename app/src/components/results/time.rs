//! Where time goes, and what haste costs.

use super::{Purpose, nothing, section as wrap};
use crate::charts::build;
use crate::components::{Cell, DataTable, FigureView};
use crate::format;
use engine::Plan;
use engine::answer::Candidate;
use engine::catalog::Catalog;
use leptos::prelude::*;

/// Step time and frontier.
pub(super) fn section(plan: &Plan, query: &str, purpose: Purpose) -> AnyView {
    let step = build::step(plan).map(|f| view! { <FigureView figure=f full=true /> });
    let frontier = build::frontier(plan).map(|f| view! { <FigureView figure=f full=true /> });
    let empty = (step.is_none() && frontier.is_none())
        .then(|| nothing("No allowed cluster can hold the model, so there is no time to show."));
    wrap("time", "Time", view! { {step}{frontier}{frontier_table(plan, query, purpose)}{empty} }.into_any())
}

fn frontier_table(plan: &Plan, query: &str, purpose: Purpose) -> Option<AnyView> {
    if plan.frontier.is_empty() {
        return None;
    }
    let is = |candidate: &Candidate, other: Option<&Candidate>| other.is_some_and(|o| o == candidate);
    let rows = plan
        .frontier
        .iter()
        .map(|candidate| {
            let mark = match () {
                () if is(candidate, plan.cheapest.as_ref()) => "cheapest within the limits",
                () if is(candidate, plan.fastest.as_ref()) => "fastest within the limits",
                () => "",
            };
            let name = Cell::text(build::candidate_name(candidate)).note(mark);
            let name = if purpose == Purpose::Planner { name.link(only(query, candidate)) } else { name };
            vec![
                name,
                Cell::text(how(candidate)),
                Cell::text(format::days(candidate.days)),
                Cell::money(candidate.total_usd),
                Cell::text(format::percent_fixed(candidate.mfu)),
                Cell::text(candidate.layout.short()),
            ]
        })
        .collect();
    let head = ["Cluster", "How", "#Time", "#Cost of the run", "#MFU", "Layout"].map(str::to_owned).to_vec();
    let hint = (purpose == Purpose::Planner).then(
        || view! { <p class="quiet">"A cluster's name plans with that accelerator and at most that many GPUs."</p> },
    );
    Some(
        view! {
            <div class="block block-tall">
                <h3>"Clusters that none beats in both cost and time"</h3>
                {hint}
                <DataTable caption="Frontier of cost against time" head=head rows=rows />
            </div>
        }
        .into_any(),
    )
}

/// How a candidate is acquired, in words.
fn how(candidate: &Candidate) -> String {
    let way = candidate.acquisition.label();
    match &candidate.provider {
        Some(id) => {
            format!("{}, {}", Catalog::get().provider(id).map_or(id.as_str(), |p| p.label.as_str()), way.to_lowercase())
        }
        None => way.to_owned(),
    }
}

/// The same inputs with only this accelerator, and no more of them than these.
fn only(query: &str, candidate: &Candidate) -> String {
    let kept = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key != "accelerators" && key != "max_gpus");
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    pairs
        .extend_pairs(kept)
        .append_pair("accelerators", &candidate.accelerator)
        .append_pair("max_gpus", &candidate.gpus.to_string());
    format!("/?{}", pairs.finish())
}
