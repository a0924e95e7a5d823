//! Where what a section of a plan shows is data for spreadsheets and programs.

use crate::inputs::Inputs;
use engine::Plan;
use leptos::prelude::*;

/// Where the plan that is shown is data.
#[derive(Clone, Debug)]
pub(crate) enum DataSource {
    /// The API gives the same plan for these inputs.
    Query(String),
    /// A frozen plan, which the API would compute anew: its own files are at this path with an ending.
    Files(String),
}

/// Sections with the table of the API that holds their figures.
const TABLES: [(&str, &str, &str); 7] = [
    ("cost", "curves_wide", "Cost by month"),
    ("options", "options", "Options"),
    ("time", "frontier", "Cost against time"),
    ("utilization", "utilization", "Utilization by size"),
    ("bill", "bill_of_materials", "Bill of materials"),
    ("sensitivity", "sensitivity", "Sensitivity"),
    ("build", "floor", "Racks on the floor"),
];

/// The inputs of a plan as an address has them. Of its quotes, those that a figure is computed with: a price book may hold
/// hundreds.
pub(crate) fn pairs(plan: &Plan) -> Vec<(String, String)> {
    let mut request = plan.request.clone();
    request.quotes.0.retain(|key, _| plan.overridden.iter().any(|own| own.used && own.key == *key));
    engine::request::plan_request_to_pairs(&request)
}

/// The address of the same plan for programs: the inputs with all figures that replace the catalog's, and the quotes that
/// they are from. What comes from a price book is not in the address of the planner, and programs that ask for the same
/// plan have no price book.
pub(crate) fn data_query(plan: &Plan, query: &str) -> String {
    let plain = Inputs::from_query(query).plain_query();
    let given: Vec<String> = form_urlencoded::parse(plain.as_bytes()).map(|(key, _)| key.into_owned()).collect();
    let missing = pairs(plan)
        .into_iter()
        .filter(|(key, _)| key.starts_with("overrides.") || key.starts_with("quotes."))
        .filter(|(key, _)| !given.contains(key));
    form_urlencoded::Serializer::new(plain).extend_pairs(missing).finish()
}

/// Links to the figures of a section, where there are any.
pub(crate) fn data_links(section: &str) -> Option<AnyView> {
    let (_, table, name) = TABLES.iter().find(|(id, ..)| *id == section)?;
    table_links(table, name)
}

/// Links to a table of the API by its name there and its name for people.
pub(crate) fn table_links(table: &str, name: &str) -> Option<AnyView> {
    let source = use_context::<DataSource>()?;
    let link = |ending: &str, words: &'static str| {
        let href = match (&source, ending) {
            (DataSource::Query(query), "xlsx") => format!("/api/v1/plans.xlsx?{query}"),
            (DataSource::Query(query), ending) => format!("/api/v1/plans.{ending}?table={table}&{query}"),
            (DataSource::Files(path), "xlsx") => format!("{path}.xlsx"),
            (DataSource::Files(path), ending) => format!("{path}.{ending}?table={table}"),
        };
        let label = if ending == "xlsx" { format!("{words}, the whole plan") } else { format!("{words}, {name}") };
        view! { <a href=href aria-label=label download="">{words}</a> }
    };
    let json = matches!(source, DataSource::Query(_)).then(|| link("json", "JSON"));
    let links = view! { <p class="data-links"><span>{format!("{name} as")}</span>{link("csv", "CSV")}{link("xlsx", "Excel")}{json}</p> };
    Some(links.into_any())
}
