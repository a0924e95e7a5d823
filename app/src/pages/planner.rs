//! The planner: inputs on the left, the answer on the right; all of it in the address.

use crate::backend::{Planned, UiError};
use crate::components::{ErrorSummary, Icon, PlannerForm, Purpose, Results, brief, explanation, flash_message, icon};
use crate::flash::{self, Flash};
use crate::inputs::{InputErrors, Inputs};
use crate::islands::PlannerLive;
use crate::pages::Description;
use crate::pages::{explained, has_empty_fields};
use crate::server_functions::{backend, saving, set_status};
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;

/// The planner.
#[component]
pub fn PlannerPage() -> impl IntoView {
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let inputs = Inputs::of_page(&query);
    if has_empty_fields(&query) {
        leptos_axum::redirect(&format!("/?{}", inputs.query()));
        return ().into_any();
    }
    match explained::asked_for() {
        Some(key) => explanation(inputs, key),
        None => page(inputs),
    }
}

/// How one figure came about; what can't be planned has the page of the planner.
fn explanation(inputs: Inputs, key: String) -> AnyView {
    let page = Suspend::new(async move {
        let planned = match (inputs.request(), backend()) {
            (Ok(request), Ok(backend)) => backend.plan(request, inputs.prices()).await.ok(),
            _ => None,
        };
        match planned {
            Some(planned) => {
                explained::page(planned.plan, &key, format!("/?{}", inputs.query()), Purpose::Planner).await
            }
            None => planner(inputs, None).await,
        }
    });
    page.into_any()
}

fn page(inputs: Inputs) -> AnyView {
    let flash = flash::take();
    let page = Suspend::new(planner(inputs, flash));
    view! {
        <Description text="Describe the model, the tokens, the budget and the deadline; get the cluster, its cost to buy or rent, and how well it will be used." />
        {page}
    }
    .into_any()
}

async fn planner(inputs: Inputs, flash: Option<Flash>) -> AnyView {
    let Answer { errors, brief, results } = answer(&inputs).await;
    // a form without them is a form, too
    let builds = match backend() {
        Ok(backend) => backend.reference_builds().await,
        Err(_) => &[],
    };
    let asked = explanation::form(Some(&inputs.query()));
    view! {
            <div class="planner">
                <aside class="planner-side" aria-label="Inputs">
                    <a class="brief" href="#headline"><span class="visually-hidden">"Answer: "</span><b id="brief">{brief}</b>{icon(Icon::Down)}</a>
                    <PlannerForm inputs=inputs errors=errors builds=builds />
                </aside>
                <main class="planner-main" id="main">
                    {flash_message(flash.as_ref())}
                    <p class="message message-critical" id="trouble" role="alert" hidden></p>
                    {asked}
                    <div id="results">{results}</div>
                    <p class="visually-hidden" role="status" id="announcer"></p>
                    <PlannerLive />
                </main>
            </div>
    }
    .into_any()
}

/// What the server says to the inputs.
struct Answer {
    errors: InputErrors,
    /// In one line, for the bar above the form on narrow screens.
    brief: String,
    results: AnyView,
}

async fn answer(inputs: &Inputs) -> Answer {
    let planned = match (inputs.request(), backend()) {
        (Err(errors), _) => return wrong(errors),
        (_, Err(error)) => return failed(&error),
        (Ok(request), Ok(backend)) => backend.plan(request, inputs.prices()).await,
    };
    match planned {
        Ok(Planned { plan, book }) => {
            let title = format!("{} · Clusterwright", plan.headline);
            let brief = brief(&plan);
            let saving = saving(inputs).await;
            let results = view! {
                <Title text=title />
                <Results plan=plan book=book query=inputs.query() purpose=Purpose::Planner saving=saving />
            };
            Answer { errors: InputErrors::new(Vec::new()), brief, results: results.into_any() }
        }
        Err(error) if error.code == "invalid_request" && !error.fields.is_empty() => {
            wrong(InputErrors::new(error.fields))
        }
        Err(error) => failed(&error),
    }
}

/// The inputs can't be planned for: say which, and invent no result.
fn wrong(errors: InputErrors) -> Answer {
    set_status(422);
    let results = view! {
        <Title text="Some inputs need attention · Clusterwright" />
        <h1 class="headline" id="headline">"Some inputs need attention before there is a plan"</h1>
        <ErrorSummary errors=errors.clone() />
        <p class="nothing">"Your inputs are kept as you typed them. Mend the marked fields and plan again, or " <a href="/">"start from the example"</a>"."</p>
    };
    Answer { brief: errors.brief(), errors, results: results.into_any() }
}

/// The server could not plan.
fn failed(error: &UiError) -> Answer {
    set_status(error.status());
    let again = match () {
        _ if error.is_passing() => "Your inputs are kept. Try again in a moment.",
        _ => "Your inputs are kept. Try again; if it happens again, the operator of this site can find it in the log.",
    };
    let results = view! {
        <Title text="No plan right now · Clusterwright" />
        <h1 class="headline" id="headline">"There is no plan right now"</h1>
        <p class="message message-critical" role="alert">{error.advice().to_owned()}</p>
        <p class="nothing">{again}</p>
    };
    Answer { errors: InputErrors::new(Vec::new()), brief: "No plan right now".into(), results: results.into_any() }
}
