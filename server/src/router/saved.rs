//! The scenarios as their list shows them, as a file to keep: all that are found, on whichever page.

use super::export::{refused, who_asks};
use super::failures::as_worded;
use crate::backend::scenarios::found;
use crate::rest::query::Query;
use crate::rest::views;
use crate::service::ServiceError;
use crate::service::scenarios::Search;
use crate::state::AppState;
use app::pages::{saved, saved_search};
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};

/// What the name of the list is, before its ending.
const NAME: &str = "scenarios";

/// `/scenarios/files/scenarios.csv` and other endings: the scenarios of the browser, or of the team that who is logged in
/// works in, with the keys of the page's address.
pub async fn file(
    State(state): State<AppState>,
    Path(file): Path<String>,
    query: Query,
    headers: HeaderMap,
) -> Response {
    let Some((NAME, ending)) = views::named(&file) else {
        return ServiceError::NotFound.status().into_response();
    };
    let read = async {
        let actor = who_asks(&state, &headers).await?;
        state.scenarios.list(&actor, &Search::whole(saved_search(&query.pairs))).await
    };
    match read.await {
        Ok(listing) => match views::answer(&saved(&found(listing)), ending, query) {
            Ok(file) => as_worded(file.respond(&headers)),
            Err(problem) => as_worded(problem.into_response()),
        },
        Err(error) => refused(&error, &headers, "/log-in?next=%2Fscenarios"),
    }
}
