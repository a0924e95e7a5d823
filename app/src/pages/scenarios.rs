//! The caller's scenarios: searched, filtered by tag, chosen for comparison.

use crate::backend::ScenarioSummary;
use crate::backend::scenarios::{ListSearch, ScenarioList, Shelf};
use crate::components::{Message, flash_message};
use crate::flash;
use crate::format;
use crate::pages::scenario::{planner, tags};
use crate::pages::{has_flag, problem, query_value};
use crate::server_functions::{accounts, scenarios};
use leptos::prelude::*;
use leptos_meta::Title;

/// Id of the form that the check boxes belong to.
const FORM: &str = "compare";

/// The list, or what it is for.
#[component]
pub fn ScenariosPage() -> impl IntoView {
    let flash = flash::take();
    let (deleted, welcome) = (has_flag("deleted"), has_flag("welcome"));
    let search = ListSearch {
        text: query_value("q"),
        tag: query_value("tag"),
        shelf: Shelf::of_name(&query_value("archived")),
        cursor: Some(query_value("after")).filter(|cursor| !cursor.is_empty()),
    };
    Suspend::new(async move {
        let found = match scenarios() {
            Ok(scenarios) => scenarios.list(search.clone()).await,
            Err(error) => Err(error),
        };
        let found = match found {
            Ok(found) => found,
            Err(error) => return problem(&error),
        };
        let viewer = match accounts() {
            Ok(accounts) => accounts.viewer().await.unwrap_or_default(),
            Err(_) => None,
        };
        let whose = viewer.map_or_else(
            || "They belong to this browser: a cookie remembers you. Sign up to have them everywhere.".to_owned(),
            |viewer| format!("They belong to {}: everyone in it sees them.", viewer.team),
        );
        let body = match (found.all, found.scenarios.as_slice()) {
            (0, _) => none_yet(),
            (_, []) => view! { {search_form(&search, &found)}{no_match(&search)} }.into_any(),
            (_, shown) => view! {
                {search_form(&search, &found)}
                {list(shown)}
                {older(&search, &found)}
            }
            .into_any(),
        };
        view! {
            <Title text="Scenarios · Clusterwright" />
            <main class="page" id="main">
                {flash_message(flash.as_ref())}
                {deleted.then(|| view! { <Message tone="good" text="The scenario and its links are deleted." /> })}
                {welcome.then(|| view! { <Message tone="good" text="Your account is ready. What you had saved in this browser belongs to it now." /> })}
                <div class="page-head">
                    <h1>"Scenarios"</h1>
                    <p class="quiet">{whose}</p>
                </div>
                {body}
            </main>
        }
        .into_any()
    })
}

fn none_yet() -> AnyView {
    view! {
        <div class="empty">
            <h2>"No scenario is saved yet"</h2>
            <p>"A scenario keeps a plan as it is today: the figures stay, with the catalog and the engine they came from. Save one from the planner, then compare it, rename it, or share it with a link that needs no account."</p>
            <p class="actions"><a class="button button-primary" href="/">"Open the planner"</a></p>
        </div>
    }
    .into_any()
}

/// Nothing is found, and why that may be.
fn no_match(search: &ListSearch) -> AnyView {
    let searched = !search.text.trim().is_empty() || !search.tag.is_empty();
    let (title, text) = match (search.shelf, searched) {
        (Shelf::Archived, false) => {
            ("Nothing is archived", "Archive a scenario on its page: it leaves the list, and its links go on working.")
        }
        (Shelf::InUse, false) => ("Every scenario is archived", "Show archived ones to find them."),
        (Shelf::InUse, true) => (
            "No scenario matches",
            "Archived ones were not looked through. Try fewer words, another tag, or look among the archived ones.",
        ),
        _ => ("No scenario matches", "Try fewer words or another tag."),
    };
    view! {
        <div class="empty">
            <h2>{title}</h2>
            <p>{text}</p>
            <p class="actions">
                <a class="button" href="/scenarios">"Show all in use"</a>
                <a class="button" href=address(search, Shelf::All)>"Look among the archived ones, too"</a>
            </p>
        </div>
    }
    .into_any()
}

/// The address of the same search on other scenarios.
fn address(search: &ListSearch, shelf: Shelf) -> String {
    let pairs = [("q", search.text.as_str()), ("tag", &search.tag), ("archived", shelf.name())];
    let given = pairs.into_iter().filter(|(_, value)| !value.is_empty());
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish();
    if query.is_empty() { "/scenarios".to_owned() } else { format!("/scenarios?{query}") }
}

fn search_form(search: &ListSearch, found: &ScenarioList) -> AnyView {
    // a tag that nothing has any more is still what is looked for
    let mut tags = found.tags.clone();
    if !search.tag.is_empty() && !tags.contains(&search.tag) {
        tags.push(search.tag.clone());
    }
    let options: Vec<_> = tags
        .into_iter()
        .map(|tag| {
            let chosen = tag == search.tag;
            view! { <option value=tag.clone() selected=chosen>{tag.clone()}</option> }
        })
        .collect();
    let shelves = [(Shelf::InUse, "In use"), (Shelf::All, "In use and archived"), (Shelf::Archived, "Archived only")];
    let shelves: Vec<_> = shelves
        .into_iter()
        .map(|(shelf, name)| view! { <option value=shelf.name() selected=shelf == search.shelf>{name}</option> })
        .collect();
    let count = format!(
        "{} of {}",
        format::count(found.found as f64),
        format::plural(found.all as f64, "scenario", "scenarios")
    );
    view! {
        <form class="inline-form filter-form" method="get" action="/scenarios" role="search">
            <div class="field">
                <label for="search-text">"Search name, notes, tags, plan"</label>
                <input class="input" id="search-text" name="q" type="search" maxlength="200" value=search.text.clone() />
            </div>
            <div class="field">
                <label for="search-tag">"Tag"</label>
                <select class="input select" id="search-tag" name="tag"><option value="">"Any"</option>{options}</select>
            </div>
            <div class="field">
                <label for="search-archived">"Show"</label>
                <select class="input select" id="search-archived" name="archived">{shelves}</select>
            </div>
            <button class="button" type="submit">"Search"</button>
            <span class="quiet" role="status">{count}</span>
        </form>
    }
    .into_any()
}

fn list(shown: &[ScenarioSummary]) -> AnyView {
    let rows: Vec<_> = shown.iter().map(row).collect();
    let several = shown.len() > 1;
    let compare = several.then(|| {
        view! {
            <form id=FORM class="inline-form" method="get" action="/compare">
                <button class="button" type="submit">"Compare the chosen"</button>
                <span class="quiet">"Choose two to four."</span>
            </form>
        }
    });
    view! {
        {compare}
        <div class="scroll" role="region" tabindex="0" aria-label="Your scenarios, newest change first">
            <table class="data scenarios">
                <caption class="visually-hidden">"Your scenarios, newest change first"</caption>
                <thead><tr><th scope="col">"Compare"</th><th scope="col">"Scenario"</th><th scope="col">"Plan"</th><th scope="col">"Changed"</th><th scope="col">"In the planner"</th></tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn row(scenario: &ScenarioSummary) -> AnyView {
    let href = format!("/scenarios/{}", flash::segment(&scenario.id));
    let label = format!("Compare {}", scenario.name);
    let archived = scenario.archived.then(|| view! { <small>"Archived"</small> });
    let changed = format::ago(scenario.age_seconds);
    let version = format!("version {}, plan of {}", scenario.number, format::date(&scenario.frozen_at));
    let open = planner(&scenario.query, &scenario.id, scenario.number);
    view! {
        <tr>
            <td><input type="checkbox" form=FORM name="ids" value=scenario.id.clone() aria-label=label /></td>
            <th scope="row"><a href=href dir="auto">{scenario.name.clone()}</a>{archived}{tags(&scenario.tags)}</th>
            <td>{scenario.headline.clone()}</td>
            <td><time datetime=scenario.updated_at.clone() title=scenario.updated_at.clone()>{changed}</time><small>{version}</small></td>
            <td><a href=open aria-label=format!("Open {} in the planner", scenario.name)>"Open"</a></td>
        </tr>
    }
    .into_any()
}

/// The way to what was changed before.
fn older(search: &ListSearch, found: &ScenarioList) -> Option<AnyView> {
    let next = found.next.clone()?;
    let here = address(search, search.shelf);
    let join = if here.contains('?') { '&' } else { '?' };
    let href = format!("{here}{join}after={}", flash::segment(&next));
    Some(view! { <p class="actions"><a class="button" href=href>"Older ones"</a></p> }.into_any())
}
