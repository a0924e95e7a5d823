//! The pages, one file each.

mod account;
mod api_docs;
mod catalog;
mod compare;
mod decisions;
mod description;
mod explained;
pub mod listings;
mod method;
mod not_found;
mod planner;
mod price_book;
mod rules;
mod scenario;
mod scenarios;
mod shared;
mod team;
mod validation;

pub use account::{AccountPage, LogInPage, ResetPage, SignUpPage};
pub use api_docs::ApiDocsPage;
pub use catalog::CatalogPage;
pub use compare::{ComparePage, list as compared};
pub use decisions::DecisionsPage;
pub use method::MethodPage;
pub use not_found::{CLOSED_LINK, NotFound, PRIVATE_SCENARIO};
pub use planner::PlannerPage;
pub use price_book::{PriceBookPage, quotes};
pub use rules::RulesPage;
pub use scenario::{AgainPage, ConflictPage, DifferencePage, Posted, ScenarioPage, VersionPage};
pub use scenarios::{ScenariosPage, list as saved, search as saved_search};
pub use shared::{SharedPage, SharedTodayPage};
pub use team::{InvitePage, TeamPage, TokensPage};
pub use validation::ValidationPage;

use description::Description;

use crate::backend::UiError;
use crate::server_functions::set_status;
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;

/// A page that the server could not fill.
fn problem(error: &UiError) -> AnyView {
    set_status(error.status());
    view! {
        <Title text="Something went wrong · Clusterwright" />
        <Description text="This page can't be shown right now." />
        <main id="main" class="page page-narrow">
            <h1>"This page can't be shown right now"</h1>
            <p class="message message-critical" role="alert">{error.message.clone()}</p>
            <p class="actions"><a class="button" href="/">"Open the planner"</a></p>
        </main>
    }
    .into_any()
}

/// The address of this page carries this flag, such as `saved`.
fn has_flag(flag: &str) -> bool {
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    form_urlencoded::parse(query.as_bytes()).any(|(key, _)| key == flag)
}

/// What the address of this page says of a name; empty when it says nothing.
fn query_value(name: &str) -> String {
    query_values(name).into_iter().next().unwrap_or_default()
}

/// All that the address of this page says of a name.
fn query_values(name: &str) -> Vec<String> {
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let found = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == name);
    found.map(|(_, value)| value.into_owned()).collect()
}

/// The query carries empty fields, as a form without scripts sends them; such an address is worth shortening.
fn has_empty_fields(query: &str) -> bool {
    form_urlencoded::parse(query.as_bytes()).any(|(_, value)| value.trim().is_empty())
}

/// The address of this site as the visitor typed it, such as `https://example.com`.
fn origin() -> String {
    let Some(parts) = use_context::<Parts>() else { return String::new() };
    let header = |name: &str| parts.headers.get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
    let host = header("x-forwarded-host").or(header("host")).unwrap_or_default();
    let clean = host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':' | b'[' | b']'));
    if host.is_empty() || !clean {
        return String::new();
    }
    let scheme = if header("x-forwarded-proto").as_deref() == Some("https") { "https" } else { "http" };
    format!("{scheme}://{host}")
}
