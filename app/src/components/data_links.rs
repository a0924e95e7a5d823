//! Where what a section of a plan shows is data for spreadsheets and programs.

use crate::inputs::Inputs;
use engine::Plan;
use leptos::prelude::*;

/// The query whose plan is shown, where the API gives the same plan for it. A frozen plan has none: what the API computes
/// with today's catalog may be another.
#[derive(Clone, Debug)]
pub(crate) struct DataQuery(pub(crate) String);

/// Sections with the table of the API that holds their figures.
const TABLES: [(&str, &str, &str); 7] = [
    ("cost", "curves_wide", "Cost by month"),
    ("options", "options", "Options"),
    ("time", "frontier", "Cost against time"),
    ("utilization", "utilization", "Utilization by size"),
    ("bill", "bill_of_materials", "Bill of materials"),
    ("sensitivity", "sensitivity", "Sensitivity"),
    ("build", "cables", "Cables by length"),
];

/// The address of the same plan for programs: the inputs with all figures that replace the catalog's. What comes from a
/// price book is not in the address of the planner, and programs that ask for the same plan have no price book.
pub(crate) fn data_query(plan: &Plan, query: &str) -> String {
    let plain = Inputs::from_query(query).plain_query();
    let given: Vec<String> = form_urlencoded::parse(plain.as_bytes()).map(|(key, _)| key.into_owned()).collect();
    let missing = engine::request::plan_request_to_pairs(&plan.request)
        .into_iter()
        .filter(|(key, _)| key.starts_with("overrides.") && !given.contains(key));
    form_urlencoded::Serializer::new(plain).extend_pairs(missing).finish()
}

/// Links to the figures of a section, where there are any.
pub(crate) fn data_links(section: &str) -> Option<AnyView> {
    let DataQuery(query) = use_context()?;
    let (_, table, name) = TABLES.iter().find(|(id, ..)| *id == section)?;
    let link = |ending: &str, words: &'static str| {
        let href = match ending {
            "xlsx" => format!("/api/v1/plans.xlsx?{query}"),
            ending => format!("/api/v1/plans.{ending}?table={table}&{query}"),
        };
        let label = if ending == "xlsx" { format!("{words}, the whole plan") } else { format!("{words}, {name}") };
        view! { <a href=href aria-label=label download="">{words}</a> }
    };
    let links = view! { <p class="data-links"><span>{format!("{name} as")}</span>{link("csv", "CSV")}{link("xlsx", "Excel")}{link("json", "JSON")}</p> };
    Some(links.into_any())
}
