//! One scenario: its frozen plan, its name, its links.

mod links;

use crate::backend::ScenarioDetail;
use crate::components::{Message, Purpose, Results, flash_message};
use crate::flash;
use crate::format;
use crate::pages::not_found::NotFound;
use crate::pages::{explained, has_flag, origin, problem};
use crate::server_functions::backend;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;
use std::sync::Arc;

/// What the last form did, by the flag that the address carries.
const DONE: [(&str, &str); 3] = [
    ("saved", "Saved. These figures stay as they are; share them below."),
    ("renamed", "Renamed."),
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
            Err(error) if error.code == "not_found" => return view! { <NotFound /> }.into_any(),
            Err(error) => return problem(&error),
        };
        if let Some(key) = figure {
            return explained::page(&scenario.plan, &key, here);
        }
        let new_link = links::new_address(flash.as_ref(), &origin);
        let query = scenario.summary.query.clone();
        view! {
            <Title text=format!("{} · {} · Clusterwright", scenario.summary.name, scenario.plan.headline) />
            <main class="page" id="main">
                {flash_message(flash.as_ref())}
                {done}
                {head(&scenario)}
                {scenario.may_change.then(|| manage(&scenario))}
                {scenario.may_change.then(|| links::links(&scenario, new_link))}
                <div id="results"><Results plan=Arc::new(scenario.plan) query=query purpose=Purpose::Frozen /></div>
                <p class="visually-hidden" role="status" id="announcer"></p>
            </main>
        }
        .into_any()
    })
}

fn head(scenario: &ScenarioDetail) -> AnyView {
    let plan = &scenario.plan;
    let frozen = format!(
        "Frozen on {} with catalog {}, engine {}",
        format::date(&scenario.summary.created_at),
        plan.catalog_version,
        plan.engine_version
    );
    let copy = format!("/?{}", scenario.summary.query);
    view! {
        <nav class="crumbs" aria-label="Breadcrumb"><a href="/scenarios">"Scenarios"</a></nav>
        <div class="page-head">
            <div>
                <p class="eyebrow">{frozen}</p>
                <h1>{scenario.summary.name.clone()}</h1>
            </div>
            <p class="actions"><a class="button button-primary" href=copy>"Open a copy in the planner"</a></p>
        </div>
    }
    .into_any()
}

/// Renaming and deleting.
fn manage(scenario: &ScenarioDetail) -> AnyView {
    let id = scenario.summary.id.clone();
    view! {
        <div class="manage">
            <details class="manage-item" id="rename">
                <summary>"Rename"</summary>
                <form method="post" action="/api/fn/rename_scenario">
                    <input type="hidden" name="id" value=id.clone() />
                    <label for="rename-name">"New name"</label>
                    <input class="input" id="rename-name" name="name" type="text" required maxlength="120" value=scenario.summary.name.clone() />
                    <button class="button button-primary" type="submit">"Rename"</button>
                </form>
            </details>
            <details class="manage-item" id="delete">
                <summary>"Delete"</summary>
                <form method="post" action="/api/fn/delete_scenario">
                    <input type="hidden" name="id" value=id />
                    <p>"This deletes the scenario and its links for good. People who have a link will see that it no longer opens."</p>
                    <button class="button button-danger" type="submit">"Delete for good"</button>
                </form>
            </details>
        </div>
    }
    .into_any()
}
