//! Notices, versions, explanations, and the plan as data.

use super::{Purpose, explanation, header, section as wrap};
use crate::format;
use engine::Plan;
use leptos::prelude::*;

/// Everything a careful reader wants to know.
pub(super) fn section(plan: &Plan, query: &str, data: &str, purpose: Purpose) -> AnyView {
    let notices: Vec<_> = plan
        .notices
        .iter()
        .map(|n| {
            let source = (!n.source.is_empty())
                .then(|| view! { <p class="quiet">"Source: "{super::tables::sources(&super::yours::for_anyone(&n.source))}</p> });
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
    let body = view! { {notices}{super::yours::table(plan)}<p class="actions">{every_figure(plan, query, purpose)}{choices(plan, query, purpose)}</p><p class="quiet">{versions}</p>{as_data(data, purpose)}{super::footnotes::footnotes(plan)} };
    wrap("notes", "Notes and data", body.into_any())
}

/// The way to all explanations.
fn every_figure(plan: &Plan, query: &str, purpose: Purpose) -> Option<AnyView> {
    let count = explanation::count(plan);
    let text = format!("How each of {} figures came about", format::count(count as f64));
    let inputs = if purpose == Purpose::Planner { format!("{query}&") } else { String::new() };
    // of this page: a frozen plan explains itself
    let href = format!("?{inputs}{}={}", explanation::FIGURE, explanation::ALL);
    (count > 0).then(|| view! { <a class="button" href=href>{text}</a> }.into_any())
}

/// The way to the choices behind the plan: of the inputs, so not of a plan that is kept.
fn choices(plan: &Plan, query: &str, purpose: Purpose) -> Option<AnyView> {
    let has_cluster = plan.shown().is_some_and(|tier| tier.cluster.is_some());
    (has_cluster && purpose == Purpose::Planner).then(|| {
        view! { <a class="button" href=format!("/decisions?{query}")>"Choices explained: which, and why"</a> }
            .into_any()
    })
}

/// Where the same plan is data; for a frozen one, where its inputs are planned again.
fn as_data(query: &str, purpose: Purpose) -> AnyView {
    let anew = (purpose == Purpose::Frozen).then(|| {
        view! { <p class="quiet">"Computed from these inputs with today's catalog, which may give other figures than the frozen ones above:"</p> }
    });
    view! {
        {anew}
        <p class="actions">
            <a class="button" href=format!("/api/v1/plans.xlsx?{query}") download="">"As a workbook (Excel)"</a>
            <a class="button" href=format!("/api/v1/plans?{query}")>"This plan as JSON"</a>
            <a class="button" href=format!("/api/v1/plans?explain=true&{query}")>"With explanations"</a>
            <a class="button" href="/api/docs">"How to read it from a sheet"</a>
        </p>
    }
    .into_any()
}
