//! A page that does not exist.

use crate::pages::Description;
use crate::server_functions::set_status;
use leptos::prelude::*;
use leptos_meta::Title;

/// The answer to an unknown address.
#[component]
pub fn NotFound() -> impl IntoView {
    page(
        "There is no page at this address",
        "The link may be mistyped, or the page may have moved. Plans are never moved: an old planner address still opens.",
    )
}

/// What is said of a share link that does not open, in a head and a text: whatever the reason, it is the same, so that
/// nobody learns of a link that was.
pub const CLOSED_LINK: (&str, &str) = (
    "This link doesn't open",
    "It may be mistyped, or its owner may have paused, replaced or revoked it, or its time may be over. Ask whoever sent it to you.",
);

/// What is said of a scenario that the caller may not see, or that there is none of: both look the same.
pub const PRIVATE_SCENARIO: (&str, &str) = (
    "This scenario is private, or there is none",
    "A scenario opens for the browser that saved it, and for the members of its team once they are logged in. Whoever sent you this address can make a share link, which opens for everyone who has it.",
);

/// The answer to a share link that does not open.
#[component]
pub fn ClosedLink() -> impl IntoView {
    page(CLOSED_LINK.0, CLOSED_LINK.1)
}

/// The answer to the address of a scenario that the caller may not see.
#[component]
pub fn PrivateScenario() -> impl IntoView {
    page(PRIVATE_SCENARIO.0, PRIVATE_SCENARIO.1)
}

fn page(title: &'static str, text: &'static str) -> impl IntoView {
    set_status(404);
    view! {
        <Title text="Not found · Clusterwright" />
        <Description text=text />
        <main id="main" class="page page-narrow">
            <p class="eyebrow">"404"</p>
            <h1>{title}</h1>
            <p class="lead">{text}</p>
            <p class="actions">
                <a class="button button-primary" href="/">"Open the planner"</a>
                <a class="button" href="/scenarios">"Your scenarios"</a>
            </p>
        </main>
    }
}
