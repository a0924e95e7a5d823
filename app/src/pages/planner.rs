//! The planner: inputs on the left, the answer on the right; all of it in the address.

use crate::backend::UiError;
use crate::components::{ErrorSummary, PlannerForm, Purpose, Results, flash_message};
use crate::flash;
use crate::inputs::{InputErrors, Inputs};
use crate::islands::PlannerLive;
use crate::server_functions::{backend, set_status};
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::{Meta, Title};

/// The planner.
#[component]
pub fn PlannerPage() -> impl IntoView {
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let given = Inputs::from_query(&query);
    // an address without inputs opens with the worked example
    let inputs = if given.query().is_empty() { Inputs::example() } else { given };
    // a form without scripts sends its empty fields too; the address is kept short and worth sharing
    if form_urlencoded::parse(query.as_bytes()).any(|(_, value)| value.trim().is_empty()) {
        leptos_axum::redirect(&format!("/?{}", inputs.query()));
    }
    let flash = flash::take();
    Suspend::new(async move {
        let (errors, results) = match inputs.request() {
            Err(errors) => {
                set_status(422);
                (errors.clone(), wrong(errors))
            }
            Ok(request) => match backend() {
                Err(error) => (InputErrors::new(Vec::new()), failed(&error)),
                Ok(backend) => match backend.plan(request).await {
                    Ok(plan) => {
                        let title = format!("{} · Clusterwright", plan.headline);
                        let view = view! { <Title text=title /><Results plan=plan query=inputs.query() purpose=Purpose::Planner /> };
                        (InputErrors::new(Vec::new()), view.into_any())
                    }
                    Err(error) if error.code == "invalid_request" && !error.fields.is_empty() => {
                        set_status(422);
                        let errors = InputErrors::new(error.fields);
                        (errors.clone(), wrong(errors))
                    }
                    Err(error) => (InputErrors::new(Vec::new()), failed(&error)),
                },
            },
        };
        view! {
            <Meta name="description" content="Describe the model, the tokens, the budget and the deadline; get the cluster, its cost to buy or rent, and how well it will be used." />
            <div class="planner">
                <aside class="planner-side" aria-label="Inputs"><PlannerForm inputs=inputs errors=errors /></aside>
                <main class="planner-main" id="main">
                    {flash_message(flash.as_ref())}
                    <p class="message message-critical" id="trouble" role="alert" hidden></p>
                    <div id="results">{results}</div>
                    <p class="visually-hidden" role="status" id="announcer"></p>
                    <PlannerLive />
                </main>
            </div>
        }
    })
}

/// The inputs can't be planned for: say which, and invent no result.
fn wrong(errors: InputErrors) -> AnyView {
    view! {
        <Title text="Some inputs need attention · Clusterwright" />
        <h1 class="headline" id="headline">"Some inputs need attention before there is a plan"</h1>
        <ErrorSummary errors=errors />
        <p class="nothing">"Your inputs are kept as you typed them. Mend the fields above and plan again, or " <a href="/">"start from the example"</a>"."</p>
    }
    .into_any()
}

/// The server could not plan.
fn failed(error: &UiError) -> AnyView {
    set_status(error.status());
    let again = match error.code.as_str() {
        "busy" | "unavailable" => "Your inputs are kept. Try again in a moment.",
        _ => "Your inputs are kept. Try again; if it happens again, the operator of this site can find it in the log.",
    };
    view! {
        <Title text="No plan right now · Clusterwright" />
        <h1 class="headline" id="headline">"There is no plan right now"</h1>
        <p class="message message-critical" role="alert">{error.message.clone()}</p>
        <p class="nothing">{again}</p>
    }
    .into_any()
}
