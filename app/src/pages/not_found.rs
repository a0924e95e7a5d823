//! A page that does not exist.

use crate::server_functions::set_status;
use leptos::prelude::*;
use leptos_meta::Title;

/// The answer to an unknown address.
#[component]
pub fn NotFound() -> impl IntoView {
    set_status(404);
    view! {
        <Title text="Not found · Clusterwright" />
        <main id="main" class="page page-narrow">
            <p class="eyebrow">"404"</p>
            <h1>"There is no page at this address"</h1>
            <p class="lead">"The link may be mistyped, or the page may have moved. Plans are never moved: an old planner address still opens."</p>
            <p class="actions">
                <a class="button button-primary" href="/">"Open the planner"</a>
                <a class="button" href="/scenarios">"Your scenarios"</a>
            </p>
        </main>
    }
}
