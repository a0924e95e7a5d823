//! Two to four scenarios beside one another.

mod list;

pub use list::list;

use crate::backend::ScenarioSummary;
use crate::charts::build;
use crate::comparison::{Side, compare};
use crate::components::{FigureView, comparison_table};
use crate::flash;
use crate::listing::{self, Listing, View};
use crate::pages::Description;
use crate::pages::{problem, query_values};
use crate::server_functions::{scenarios, set_status};
use engine::Plan;
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;

/// The scenarios that the address names: `ids=a,b` or `ids=a&ids=b`.
#[component]
pub fn ComparePage() -> impl IntoView {
    let ids: Vec<String> = query_values("ids").iter().flat_map(|ids| ids.split(',')).map(str::to_owned).collect();
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let pairs = listing::query(&query);
    Suspend::new(async move {
        let compared = match scenarios() {
            Ok(scenarios) => scenarios.compared(ids.clone()).await,
            Err(error) => Err(error),
        };
        match compared {
            Ok(compared) => page(&compared, &pairs),
            Err(error) if matches!(error.code.as_str(), "invalid_request" | "not_found") => {
                set_status(error.status());
                let text = match error.code.as_str() {
                    "not_found" => "One of these scenarios can't be found. It may have been deleted, or belong to another browser or team.".to_owned(),
                    _ => error.message,
                };
                nothing(text)
            }
            Err(error) => problem(&error),
        }
    })
}

/// What can't be compared, and the way to choose.
fn nothing(text: String) -> AnyView {
    view! {
        <Title text="Compare · Clusterwright" />
        <Description text="Two to four saved plans beside one another." />
        <main class="page" id="main">
            <div class="page-head"><h1>"Compare"</h1></div>
            <div class="empty">
                <h2>"There is nothing to compare here"</h2>
                <p>{text}</p>
                <p class="actions"><a class="button button-primary" href="/scenarios">"Choose scenarios"</a></p>
            </div>
        </main>
    }
    .into_any()
}

fn page(compared: &[(ScenarioSummary, Plan)], pairs: &[(String, String)]) -> AnyView {
    let sides: Vec<(String, &Plan)> = compared
        .iter()
        .zip('A'..)
        .map(|((scenario, plan), letter)| (format!("{letter}: {}", scenario.name), plan))
        .collect();
    let all: Vec<Side<'_>> = sides.iter().map(|(title, plan)| Side::new(title.as_str(), plan)).collect();
    let comparison = compare(&all);
    let differences = comparison.differences();
    let ids: Vec<String> = compared.iter().map(|(scenario, _)| flash::segment(&scenario.id)).collect();
    let here = format!("/compare?ids={}", ids.join(","));
    let links: Vec<String> = ids.iter().map(|id| format!("/scenarios/{id}")).collect();
    let only = pairs.iter().any(|(key, _)| key == "only");
    // what can be chosen is the same whether rows are left out or not
    let choices = list(&comparison).choices;
    let comparison = if only { comparison.only_differences() } else { comparison };
    let list = Listing { choices, ..list(&comparison) };
    let view = View::read(&list, list::place(), pairs);
    let shown = list::narrowed(comparison, &list, &view);
    let rows = shown.groups.iter().map(|group| group.rows.len()).sum();
    let table = match rows {
        0 if view.is_narrowed() => listing::empty(&list, &view),
        0 => ().into_any(),
        _ => comparison_table(&shown, "Plans beside one another", &links),
    };
    let lettered: Vec<(String, &Plan)> =
        compared.iter().zip('A'..).map(|((_, plan), letter)| (letter.to_string(), plan)).collect();
    let curves = build::compared_cost(&lettered).map(|figure| view! { <FigureView figure=figure full=true /> });
    let answers: Vec<_> = sides
        .iter()
        .zip(&links)
        .enumerate()
        .map(|(place, ((title, plan), href))| {
            view! { <li><a href=href.clone()>{title.clone()}</a><p>{plan.headline.clone()}</p>{columns(&ids, place, title)}</li> }
        })
        .collect();
    view! {
        <Title text="Compare · Clusterwright" />
        <Description text="Two to four saved plans beside one another: inputs, cluster, time, cost and what differs." />
        <main class="page" id="main">
            <nav class="crumbs" aria-label="Breadcrumb"><a href="/scenarios">"Scenarios"</a></nav>
            <div class="page-head"><h1>"Compare"</h1></div>
            <ul class="compared">{answers}</ul>
            <section class="section section-first" id="figures" aria-labelledby="table-heading">
                <h2 id="table-heading">"Figures beside one another"</h2>
                {listing::filter(&list, &view, rows)}
                {rows_switch(&here, only, differences)}
                {table}
            </section>
            <section class="section" aria-labelledby="curves-heading">
                <h2 id="curves-heading">"Cost by month"</h2>
                {curves.is_none().then(|| view! { <p class="nothing">"None of these plans has a cost by month."</p> })}
                {curves}
            </section>
        </main>
    }
    .into_any()
}

/// The same plans in another order, or without one of them.
fn columns(ids: &[String], place: usize, title: &str) -> AnyView {
    let others = || ids.iter().enumerate().filter(|(other, _)| *other != place).map(|(_, id)| id.as_str());
    let address = |ids: Vec<&str>| format!("/compare?ids={}", ids.join(","));
    let whose = || view! { <span class="visually-hidden">{format!(": {title}")}</span> };
    let first = ids.get(place).filter(|_| place > 0).map(|id| {
        let href = address(std::iter::once(id.as_str()).chain(others()).collect());
        view! { <a href=href>"Put first"{whose()}</a> }
    });
    let without = (ids.len() > 2).then(|| view! { <a href=address(others().collect())>"Leave out"{whose()}</a> });
    (first.is_some() || without.is_some())
        .then(|| view! { <p class="compared-columns">{first}{without}</p> })
        .into_any()
}

/// All rows, or those that differ.
pub(super) fn rows_switch(here: &str, only: bool, differences: usize) -> AnyView {
    let text = match differences {
        0 => "No row differs.".to_owned(),
        1 => "One row differs.".into(),
        many => format!("{many} rows differ."),
    };
    let join = if here.contains('?') { '&' } else { '?' };
    let current = |on: bool| on.then_some("true");
    view! {
        <p class="rows-switch">
            <span class="quiet">{text}" Differences are from the first column."</span>
            <a class="button button-small" href=here.to_owned() aria-current=current(!only)>"All rows"</a>
            <a class="button button-small" href=format!("{here}{join}only=1") aria-current=current(only)>"Only differences"</a>
        </p>
    }
    .into_any()
}
