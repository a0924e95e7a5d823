//! The caller's scenarios: searched, filtered by tag, put in order, taken along, chosen for comparison.

mod list;
mod table;

pub use list::{list, search};

use crate::backend::scenarios::{ListSearch, ScenarioList, Shelf};
use crate::components::{Message, flash_message};
use crate::flash;
use crate::format;
use crate::listing::{self, Listing, View};
use crate::pages::Description;
use crate::pages::{has_flag, problem, query_value};
use crate::server_functions::{accounts, scenarios};
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;

/// The list, or what it is for.
#[component]
pub fn ScenariosPage() -> impl IntoView {
    let flash = flash::take();
    let (deleted, welcome) = (has_flag("deleted"), has_flag("welcome"));
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let pairs = listing::query(&query);
    let page = query_value("page").parse().unwrap_or(1);
    Suspend::new(async move {
        let search = search(&pairs);
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
        let body = if found.all == 0 { none_yet() } else { shown(&found, &search, &pairs, page) };
        view! {
            <Title text="Scenarios · Clusterwright" />
            <Description text="Saved plans: searched, put in order, compared and taken along as a file." />
            <main class="page page-wide" id="main">
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

fn shown(found: &ScenarioList, search: &ListSearch, pairs: &[(String, String)], page: usize) -> AnyView {
    let list = list(found);
    let view = View::read(&list, list::PLACE, pairs);
    let table = match found.scenarios.len() {
        0 => no_match(search, &view),
        _ => table::table(&found.scenarios, &list, &view, page),
    };
    view! {
        <section id=list::PLACE.anchor aria-label="List">
            {listing::form_saying(&list, &view, count(found, &list, &view))}
            {table}
        </section>
    }
    .into_any()
}

/// How many are shown, and of how many.
fn count(found: &ScenarioList, list: &Listing, view: &View) -> String {
    let (shown, all) = (found.scenarios.len(), list.count(found.all));
    match view.is_narrowed() {
        true => format!("{} of {all}: {}", format::count(shown as f64), view.described(list)),
        false if shown == found.all => format!("All {all}"),
        false => format!("{} of {all}: in use", format::count(shown as f64)),
    }
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
fn no_match(search: &ListSearch, view: &View) -> AnyView {
    let searched = !search.text.is_empty() || !search.tag.is_empty();
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
    let archived = view.of_kind("archived", Shelf::All.name()).address();
    view! {
        <div class="empty">
            <h2>{title}</h2>
            <p>{text}</p>
            <p class="actions">
                <a class="button" href="/scenarios">"Show all in use"</a>
                <a class="button" href=archived>"Look among the archived ones, too"</a>
            </p>
        </div>
    }
    .into_any()
}
