//! A shared plan: frozen, read only, for anyone who has its link.

use crate::components::{Purpose, Results};
use crate::format;
use crate::pages::not_found::NotFound;
use crate::pages::{explained, problem};
use crate::server_functions::backend;
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
        let shared = match backend() {
            Ok(backend) => backend.shared(token).await,
            Err(error) => Err(error),
        };
        let shared = match shared {
            Ok(shared) => shared,
            Err(error) if error.code == "not_found" => {
                // unknown and revoked look the same
                return view! { <NotFound /> }.into_any();
            }
            Err(error) => return problem(&error),
        };
        if let Some(key) = figure {
            return explained::page(&shared.plan, &key, here);
        }
        let pairs = engine::request::plan_request_to_pairs(&shared.plan.request);
        let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let frozen = format!(
            "Frozen on {} with catalog {}, engine {}",
            format::date(&shared.frozen_at),
            shared.plan.catalog_version,
            shared.plan.engine_version
        );
        let copy = format!("/?{query}");
        view! {
            <Title text=format!("{} · {} · Clusterwright", shared.name, shared.plan.headline) />
            <main class="page" id="main">
                <div class="page-head">
                    <div>
                        <p class="eyebrow">{frozen}</p>
                        <h1>{shared.name}</h1>
                    </div>
                    <p class="actions"><a class="button button-primary" href=copy>"Open a copy in the planner"</a></p>
                </div>
                <p class="quiet">"These figures do not change. A copy in the planner is computed with today's catalog."</p>
                <div id="results"><Results plan=Arc::new(shared.plan) query=query purpose=Purpose::Frozen /></div>
                <p class="visually-hidden" role="status" id="announcer"></p>
            </main>
        }
        .into_any()
    });
    // outside of what is awaited: a tag of the head that is rendered later finds no head
    view! { <Meta name="robots" content="noindex" />{page} }
}
