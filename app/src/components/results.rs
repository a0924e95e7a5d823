//! The answer: sentence, tiers, key figures, and a section for each question.

mod book;
mod brief;
mod build_section;
mod candidate;
mod cost;
pub(crate) mod explanation;
mod feeds_drawing;
mod files;
mod floor_drawing;
mod footnotes;
mod given;
mod header;
mod inverse;
mod key_figures;
mod layout_drawing;
mod layout_section;
mod network_drawing;
mod notes;
mod options;
mod ownership;
mod physical_section;
mod pipeline_timeline;
mod range_strip;
mod ranges;
mod save;
mod tables;
mod tiers;
mod time;
mod utilization;
mod yours;

use crate::backend::prices::BookUse;
use crate::backend::scenarios::Saving;
use crate::charts::build;
use crate::components::FigureView;
use crate::components::data_links::{DataSource, data_links, data_query};
use engine::Plan;
use leptos::prelude::*;
use std::sync::Arc;

pub use brief::brief;
pub use tiers::tier_name;
pub use yours::with_unit;

/// Where results are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// On the planner: the headline is the heading of the page, and the plan can be saved.
    Planner,
    /// A frozen plan below its own heading.
    Frozen,
}

/// The sections in their order: id, and name in the menu, short so that all fit in one line beside the form.
pub(super) const SECTIONS: [(&str, &str); 11] = [
    ("cost", "Cost"),
    ("options", "Options"),
    ("time", "Time"),
    ("utilization", "Utilization"),
    ("layout", "Layout"),
    ("build", "Build"),
    ("bill", "Bill"),
    ("sensitivity", "Sensitivity"),
    ("files", "Files"),
    ("inverse", "Turned round"),
    ("notes", "Notes, data"),
];

/// Everything that a plan says.
#[component]
pub fn Results(
    /// The plan.
    plan: Arc<Plan>,
    /// What it has from the price book of the team.
    #[prop(optional_no_strip)]
    book: Option<BookUse>,
    /// Query of its inputs.
    query: String,
    /// Where it is shown.
    purpose: Purpose,
    /// On the planner: how the plan can be saved.
    #[prop(optional)]
    saving: Saving,
    /// Of a frozen plan: where its files are, without their ending.
    #[prop(optional, into)]
    files: Option<String>,
) -> impl IntoView {
    if let Some(path) = files {
        provide_context(DataSource::Files(path));
    }
    let parts = parts(&plan, book.as_ref(), &query, purpose, &saving, |_| true);
    let parts = parts.into_iter().map(|(_, view)| view).collect_view();
    // on the planner it stays while parts are replaced: to give hundreds of buttons another form takes longer than those
    let explained = (purpose == Purpose::Frozen).then(|| explanation::form(None));
    view! { {explained} {parts} }
}

/// What a plan says in parts that can be replaced one by one, those that are wanted: the id of the element that holds
/// each, and its view.
pub(crate) fn parts(
    plan: &Plan,
    book: Option<&BookUse>,
    query: &str,
    purpose: Purpose,
    saving: &Saving,
    wanted: impl Fn(&str) -> bool,
) -> Vec<(&'static str, AnyView)> {
    let data = data_query(plan, query);
    if purpose == Purpose::Planner {
        provide_context(DataSource::Query(data.clone()));
    }
    let all: [(&'static str, &dyn Fn() -> AnyView); 12] = [
        ("answer", &|| answer(plan, book, query, purpose, saving)),
        ("cost", &|| cost::section(plan)),
        ("options", &|| options::section(plan)),
        ("time", &|| time::section(plan, query, purpose)),
        ("utilization", &|| utilization::section(plan)),
        ("layout", &|| layout_section::section(plan)),
        ("build", &|| build_section::section(plan)),
        ("bill", &|| tables::bill(plan)),
        ("sensitivity", &|| sensitivity(plan)),
        ("files", &|| files::section(plan, &data, purpose)),
        ("inverse", &|| inverse::section(plan, query, purpose)),
        ("notes", &|| notes::section(plan, query, &data, purpose)),
    ];
    all.into_iter().filter(|(id, _)| wanted(id)).map(|(id, view)| (id, view())).collect()
}

/// What stands above the sections.
fn answer(plan: &Plan, book: Option<&BookUse>, query: &str, purpose: Purpose, saving: &Saving) -> AnyView {
    let anchors: Vec<_> =
        SECTIONS.iter().map(|(id, name)| view! { <li><a href=format!("#{id}")>{*name}</a></li> }).collect();
    view! {
        <div id="answer">
            {header::header(plan, book, query, purpose, saving)}
            {tiers::tiers(plan)}
            {key_figures::key_figures(plan)}
            <nav class="subnav" aria-label="Sections of the plan"><ul>{anchors}</ul></nav>
        </div>
    }
    .into_any()
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
