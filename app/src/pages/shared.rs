//! A shared plan: read only, for anyone who has its link.

mod preview;
mod today;

pub use today::SharedTodayPage;

use crate::backend::UiError;
use crate::backend::links::SharedPlan;
use crate::components::results::explanation;
use crate::components::{Purpose, Results};
use crate::format;
use crate::pages::not_found::ClosedLink;
use crate::pages::{explained, problem};
use crate::server_functions::links;
use leptos::prelude::*;
use leptos_meta::{Meta, Title};
use leptos_router::hooks::use_params_map;
use std::sync::Arc;

/// The plan behind a share link.
#[component]
pub fn SharedPage() -> impl IntoView {
    let token = use_params_map().get_untracked().get("token").unwrap_or_default();
    let (figure, here) = (explained::asked_for(), explained::here());
    let page = Suspend::new(async move {
        let shared = match links() {
            Ok(links) => links.shared(token).await,
            Err(error) => Err(error),
        };
        let shared = match shared {
            Ok(shared) => shared,
            Err(error) => return closed(&error),
        };
        // a figure that the plan does not explain is no missed link: the plan is shown
        if let Some(key) = figure.filter(|key| explanation::page(&shared.plan, key).is_some()) {
            return explained::page(Arc::new(shared.plan), &key, here, Purpose::Frozen).await;
        }
        page(shared, &here)
    });
    view! { {out_of_search()}{page} }
}

/// No search engine keeps it. Outside of what is awaited: a tag of the head that is rendered later finds no head.
fn out_of_search() -> impl IntoView {
    view! { <Meta name="robots" content="noindex" /> }
}

/// Whatever the reason: unknown, expired, paused and revoked look the same.
fn closed(error: &UiError) -> AnyView {
    if error.code == "not_found" {
        return view! { <ClosedLink /> }.into_any();
    }
    problem(error)
}

fn page(shared: SharedPlan, here: &str) -> AnyView {
    preview::tags(&shared);
    let query = query_of(&shared);
    let (state, words) = match shared.kind.as_str() {
        "live" => ("Live: last changed on", "This page follows the scenario: it shows what its owner saved last."),
        _ => ("Frozen on", "These figures do not change. A copy in the planner is computed with today's catalog."),
    };
    let plan = &shared.plan;
    let state = format!(
        "{state} {}, with catalog {}, engine {}",
        format::date(&shared.as_of),
        plan.catalog_version,
        plan.engine_version
    );
    let files = format!("{here}/plan");
    let (copy, today) = (format!("/?{query}"), format!("{here}/today"));
    view! {
        <Title text=format!("{} · {} · Clusterwright", shared.name, plan.headline) />
        <main class="page" id="main">
            <div class="page-head">
                <div>
                    <p class="eyebrow">{state}</p>
                    <h1>{shared.name}</h1>
                </div>
                <p class="actions">
                    <a class="button" href=today rel="nofollow">"Re-plan with today's prices"</a>
                    <a class="button button-primary" href=copy>"Open a copy in the planner"</a>
                </p>
            </div>
            <p class="quiet">{words}</p>
            <div id="results"><Results plan=Arc::new(shared.plan) query=query purpose=Purpose::Frozen files=files /></div>
            <p class="visually-hidden" role="status" id="announcer"></p>
        </main>
    }
    .into_any()
}

/// The inputs of a shared plan as the address of the planner has them.
fn query_of(shared: &SharedPlan) -> String {
    let pairs = crate::components::data_links::pairs(&shared.plan);
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}
