//! The caller's scenarios.

use crate::components::{Cell, DataTable, Message, flash_message};
use crate::flash;
use crate::format;
use crate::pages::{has_flag, problem};
use crate::server_functions::{accounts, backend};
use leptos::prelude::*;
use leptos_meta::Title;

/// The list, or what it is for.
#[component]
pub fn ScenariosPage() -> impl IntoView {
    let flash = flash::take();
    let (deleted, welcome) = (has_flag("deleted"), has_flag("welcome"));
    Suspend::new(async move {
        let scenarios = match backend() {
            Ok(backend) => backend.scenarios().await,
            Err(error) => Err(error),
        };
        let scenarios = match scenarios {
            Ok(scenarios) => scenarios,
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
        let body = if scenarios.is_empty() {
            view! {
                <div class="empty">
                    <h2>"No scenario is saved yet"</h2>
                    <p>"A scenario keeps a plan as it is today: the figures stay, with the catalog and the engine they came from. Save one from the planner, then compare it, rename it, or share it with a link that needs no account."</p>
                    <p class="actions"><a class="button button-primary" href="/">"Open the planner"</a></p>
                </div>
            }
            .into_any()
        } else {
            let rows = scenarios
                .iter()
                .map(|s| {
                    vec![
                        Cell::text(&s.name).link(format!("/scenarios/{}", flash::segment(&s.id))),
                        Cell::text(&s.headline),
                        Cell::text(format::date(&s.created_at)),
                        Cell::text("Open a copy").link(format!("/?{}", s.query)),
                    ]
                })
                .collect();
            let head = ["Scenario", "Plan", "Saved", "In the planner"].map(str::to_owned).to_vec();
            view! { <DataTable caption="Your scenarios, newest first" head=head rows=rows class="data-wrap" /> }
                .into_any()
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
