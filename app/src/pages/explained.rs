//! How one figure of a plan came about: a page of its own, whose `#explanation` scripts show in a dialog.

use crate::components::Purpose;
use crate::components::results::explanation;
use crate::pages::Description;
use crate::server_functions::{backend, set_status};
use engine::Plan;
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;
use std::sync::Arc;

/// The figure that the address of this page asks for.
pub(super) fn asked_for() -> Option<String> {
    explanation::asked_for(use_context::<Parts>()?.uri.query()?)
}

/// The address of this page without its query.
pub(super) fn here() -> String {
    use_context::<Parts>().map(|parts| parts.uri.path().to_owned()).unwrap_or_else(|| "/".into())
}

/// The page; `back` leads to the plan.
pub(super) async fn page(plan: Arc<Plan>, key: &str, back: String, purpose: Purpose) -> AnyView {
    let Some((title, body)) = explanation::page(&plan, key) else {
        set_status(404);
        return view! {
            <Title text="No such figure · Clusterwright" />
            <Description text="This plan does not explain such a figure." />
            <main id="main" class="page page-narrow">
                <h1>"This plan does not explain such a figure"</h1>
                <p class="actions"><a class="button" href=back>"Back to the plan"</a></p>
            </main>
        }
        .into_any();
    };
    // a server that is busy leaves them out
    let found = match backend() {
        Ok(backend) => backend.influences(Arc::clone(&plan), key.to_owned()).await.unwrap_or_default(),
        Err(_) => Vec::new(),
    };
    let form = (purpose == Purpose::Planner).then_some(back.as_str());
    let influences = explanation::influences(&plan, key, &found, form);
    view! {
        <Title text=format!("{title} · Clusterwright") />
        <Description text=format!("{title}: the formula, the values and the sources behind this figure. {}", plan.headline) />
        <main id="main" class="page page-narrow">
            <nav class="crumbs" aria-label="Breadcrumb"><a href=back>"Back to the plan"</a></nav>
            <h1 id="explanation-title">{title}</h1>
            <p class="quiet">{plan.headline.clone()}</p>
            <div id="explanation">{body}{influences}</div>
        </main>
    }
    .into_any()
}
