//! One scenario: its frozen plan, its name, its links.

mod conflict;
mod history;
mod links;
mod texts;
mod version;

pub use conflict::{ConflictPage, Posted};
pub use version::{AgainPage, DifferencePage, VersionPage};

pub(super) use texts::tags;
pub(super) use version::planner;

use crate::backend::ScenarioDetail;
use crate::components::{Message, Purpose, Results, flash_message};
use crate::flash;
use crate::format;
use crate::pages::Description;
use crate::pages::not_found::PrivateScenario;
use crate::pages::{explained, has_flag, origin, problem};
use crate::server_functions::backend;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;
use std::sync::Arc;

/// What the last form did, by the flag that the address carries.
const DONE: [(&str, &str); 8] = [
    ("saved", "Saved. These figures stay as they are; share them below."),
    ("renamed", "Renamed."),
    ("described", "Notes and tags are saved."),
    ("duplicated", "This is the copy. Its history begins here."),
    ("archived", "Archived: it has left the list, and its links go on working."),
    ("unarchived", "It is back in the list."),
    ("restored", "Restored as the newest version. Nothing was deleted."),
    ("revoked", "The link is revoked: it no longer opens for anyone."),
];

/// One of the caller's scenarios.
#[component]
pub fn ScenarioPage() -> impl IntoView {
    let id = use_params_map().get_untracked().get("id").unwrap_or_default();
    let flash = flash::take();
    let done: Vec<_> = DONE
        .iter()
        .filter(|(flag, _)| has_flag(flag))
        .map(|(_, text)| view! { <Message tone="good" text=*text /> })
        .collect();
    let origin = origin();
    let (figure, here) = (explained::asked_for(), explained::here());
    Suspend::new(async move {
        let scenario = match backend() {
            Ok(backend) => backend.scenario(id).await,
            Err(error) => Err(error),
        };
        let scenario = match scenario {
            Ok(scenario) => scenario,
            Err(error) if error.code == "not_found" => return view! { <PrivateScenario /> }.into_any(),
            Err(error) => return problem(&error),
        };
        if let Some(key) = figure {
            return explained::page(Arc::new(scenario.plan), &key, here, Purpose::Frozen).await;
        }
        let new_link = links::new_address(flash.as_ref(), &origin);
        let query = scenario.summary.query.clone();
        let files = format!("/scenarios/{}/plan", flash::segment(&scenario.summary.id));
        view! {
            <Title text=format!("{} · {} · Clusterwright", scenario.summary.name, scenario.plan.headline) />
            <Description text=scenario.plan.headline.clone() />
            <main class="page" id="main">
                {flash_message(flash.as_ref())}
                {done}
                {head(&scenario)}
                {texts::texts(&scenario.summary)}
                {scenario.may_change.then(|| texts::manage(&scenario))}
                {scenario.may_change.then(|| links::links(&scenario, new_link))}
                {history::history(&scenario)}
                <div id="results"><Results plan=Arc::new(scenario.plan) query=query purpose=Purpose::Frozen files=files /></div>
                <p class="visually-hidden" role="status" id="announcer"></p>
            </main>
        }
        .into_any()
    })
}

fn head(scenario: &ScenarioDetail) -> AnyView {
    let plan = &scenario.plan;
    let summary = &scenario.summary;
    let frozen = format!(
        "Version {}, frozen on {} with catalog {}, engine {}",
        summary.number,
        format::date(&summary.frozen_at),
        plan.catalog_version,
        plan.engine_version
    );
    let open = planner(&summary.query, &summary.id, summary.number);
    let again = format!("/scenarios/{}/again", flash::segment(&summary.id));
    let archived = summary.archived.then(
        || view! { <Message tone="info" text="This scenario is archived: it is not in the list unless asked for." /> },
    );
    view! {
        <nav class="crumbs" aria-label="Breadcrumb"><a href="/scenarios">"Scenarios"</a></nav>
        {archived}
        <div class="page-head">
            <div>
                <p class="eyebrow">{frozen}</p>
                <h1 dir="auto">{summary.name.clone()}</h1>
            </div>
            <p class="actions">
                <a class="button button-primary" href=open>"Open in the planner"</a>
                <a class="button" href=again>"Plan again with today's prices"</a>
            </p>
        </div>
    }
    .into_any()
}
