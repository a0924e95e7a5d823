//! How one figure of a plan came about: a page of its own, whose `#explanation` scripts show in a dialog.

use crate::components::results::explanation;
use crate::server_functions::set_status;
use engine::Plan;
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;

/// The figure that the address of this page asks for.
pub(super) fn asked_for() -> Option<String> {
    explanation::asked_for(use_context::<Parts>()?.uri.query()?)
}

/// The address of this page without its query.
pub(super) fn here() -> String {
    use_context::<Parts>().map(|parts| parts.uri.path().to_owned()).unwrap_or_else(|| "/".into())
}

/// The page; `back` leads to the plan.
pub(super) fn page(plan: &Plan, key: &str, back: String) -> AnyView {
    let Some((title, body)) = explanation::page(plan, key) else {
        set_status(404);
        return view! {
            <Title text="No such figure · Clusterwright" />
            <main id="main" class="page page-narrow">
                <h1>"This plan does not explain such a figure"</h1>
                <p class="actions"><a class="button" href=back>"Back to the plan"</a></p>
            </main>
        }
        .into_any();
    };
    view! {
        <Title text=format!("{title} · Clusterwright") />
        <main id="main" class="page page-narrow">
            <nav class="crumbs" aria-label="Breadcrumb"><a href=back>"Back to the plan"</a></nav>
            <h1 id="explanation-title">{title}</h1>
            <p class="quiet">{plan.headline.clone()}</p>
            <div id="explanation">{body}</div>
        </main>
    }
    .into_any()
}
