//! The answer: sentence, tiers, key figures, and a section for each question.

mod brief;
mod build_section;
mod candidate;
mod cost;
pub(crate) mod explanation;
mod given;
mod header;
mod inverse;
mod key_figures;
mod layout_section;
mod network_drawing;
mod notes;
mod options;
mod ownership;
mod ranges;
mod tables;
mod tiers;
mod time;
mod utilization;
mod yours;

use crate::charts::build;
use crate::components::FigureView;
use crate::components::data_links::{DataQuery, data_links};
use engine::Plan;
use leptos::prelude::*;
use std::sync::Arc;

pub use brief::brief;

/// Where results are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// On the planner: the headline is the heading of the page, and the plan can be saved.
    Planner,
    /// A frozen plan below its own heading.
    Frozen,
}

const SECTIONS: [(&str, &str); 10] = [
    ("cost", "Cost"),
    ("options", "Options"),
    ("time", "Time"),
    ("utilization", "Utilization"),
    ("layout", "Layout and memory"),
    ("build", "Network, storage, power"),
    ("bill", "Bill of materials"),
    ("sensitivity", "Sensitivity"),
    ("inverse", "The other way round"),
    ("notes", "Notes and data"),
];

/// Everything that a plan says.
#[component]
pub fn Results(
    /// The plan.
    plan: Arc<Plan>,
    /// Query of its inputs.
    query: String,
    /// Where it is shown.
    purpose: Purpose,
) -> impl IntoView {
    if purpose == Purpose::Planner {
        provide_context(DataQuery(query.clone()));
    }
    let anchors: Vec<_> =
        SECTIONS.iter().map(|(id, name)| view! { <li><a href=format!("#{id}")>{*name}</a></li> }).collect();
    view! {
        {explanation::form((purpose == Purpose::Planner).then_some(query.as_str()))}
        {header::header(&plan, &query, purpose)}
        {tiers::tiers(&plan)}
        {key_figures::key_figures(&plan)}
        <nav class="subnav" aria-label="Sections of the plan"><ul>{anchors}</ul></nav>
        {cost::section(&plan)}
        {options::section(&plan)}
        {time::section(&plan, &query, purpose)}
        {utilization::section(&plan)}
        {layout_section::section(&plan)}
        {build_section::section(&plan)}
        {tables::bill(&plan)}
        {sensitivity(&plan)}
        {inverse::section(&plan, &query, purpose)}
        {notes::section(&plan, &query, purpose)}
    }
}

/// A section with its heading.
fn section(id: &'static str, title: &'static str, children: AnyView) -> AnyView {
    let heading = format!("{id}-heading");
    view! { <section class="section" id=id aria-labelledby=heading><h2 id=heading.clone()>{title}</h2>{children}{data_links(id)}</section> }.into_any()
}

/// What stands where there is nothing to show.
fn nothing(text: &'static str) -> AnyView {
    view! { <p class="nothing">{text}</p> }.into_any()
}

fn sensitivity(plan: &Plan) -> AnyView {
    let body = match build::sensitivity(plan) {
        Some(figure) => view! { <FigureView figure=figure full=true /> }.into_any(),
        None => nothing("Without a price for the shown cluster, there is no cost for an input to move."),
    };
    section("sensitivity", "Sensitivity", body)
}
