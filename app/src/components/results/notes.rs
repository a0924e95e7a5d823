//! Notices, versions, explanations, and the plan as data.

use super::{Purpose, explanation, header, section as wrap};
use crate::format;
use crate::inputs::Inputs;
use engine::Plan;
use leptos::prelude::*;

/// Everything a careful reader wants to know.
pub(super) fn section(plan: &Plan, query: &str, purpose: Purpose) -> AnyView {
    let notices: Vec<_> = plan
        .notices
        .iter()
        .map(|n| {
            let source = (!n.source.is_empty()).then(|| view! { <p class="quiet">"Source: "{n.source.clone()}</p> });
            view! { {header::notice(n)}{source.map(|s| view! { <li class="notice-source">{s}</li> })} }
        })
        .collect();
    let notices = if plan.notices.is_empty() { None } else { Some(view! { <ul class="notices">{notices}</ul> }) };
    let versions = format!(
        "Engine {}, catalog {}. {} layouts were evaluated. Amounts are US dollars.",
        plan.engine_version,
        plan.catalog_version,
        format::count(plan.layouts_evaluated as f64)
    );
    let plain = Inputs::from_query(query).plain_query();
    let body = view! { {notices}{super::yours::table(plan)}{every_figure(plan, query, purpose)}<p class="quiet">{versions}</p>{data_links(&complete(plan, &plain))} };
    wrap("notes", "Notes and data", body.into_any())
}

/// The way to all explanations.
fn every_figure(plan: &Plan, query: &str, purpose: Purpose) -> Option<AnyView> {
    let count = explanation::count(plan);
    let text = format!("How each of {} figures came about", format::count(count as f64));
    let inputs = if purpose == Purpose::Planner { format!("{query}&") } else { String::new() };
    // of this page: a frozen plan explains itself
    let href = format!("?{inputs}{}={}", explanation::FIGURE, explanation::ALL);
    (count > 0).then(|| view! { <p class="actions"><a class="button" href=href>{text}</a></p> }.into_any())
}

/// The inputs with all figures that replace the catalog's: what comes from a price book is not in the address, and
/// programs that ask for the same plan have no price book.
fn complete(plan: &Plan, query: &str) -> String {
    let given: Vec<String> = form_urlencoded::parse(query.as_bytes()).map(|(key, _)| key.into_owned()).collect();
    let missing = engine::request::plan_request_to_pairs(&plan.request)
        .into_iter()
        .filter(|(key, _)| key.starts_with("overrides.") && !given.contains(key));
    form_urlencoded::Serializer::new(query.to_owned()).extend_pairs(missing).finish()
}

/// Where the same plan is data.
pub fn data_links(query: &str) -> AnyView {
    view! {
        <p class="actions">
            <a class="button" href=format!("/api/v1/plans?{query}")>"This plan as JSON"</a>
            <a class="button" href=format!("/api/v1/plans?explain=true&{query}")>"With explanations"</a>
        </p>
    }
    .into_any()
}
