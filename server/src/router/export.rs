//! What somebody has, as a file to keep.

use super::failures::as_worded;
use crate::auth::{owner, session};
use crate::service::ServiceError;
use crate::service::actor::Actor;
use crate::state::AppState;
use axum::extract::State;
use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

/// The account of who is logged in as JSON; others are led to the log-in.
pub async fn export(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let exported = async {
        let actor = who_asks(&state, &headers).await?;
        state.accounts.export(&actor).await
    };
    match exported.await {
        Ok(value) => as_worded(
            (
                [
                    (CONTENT_TYPE, "application/json"),
                    (CONTENT_DISPOSITION, "attachment; filename=\"clusterwright-account.json\""),
                ],
                format!("{value:#}\n"),
            )
                .into_response(),
        ),
        Err(error) => refused(&error, &headers, "/log-in?next=%2Faccount"),
    }
}

/// Whom a request comes from, by its cookies.
pub(super) async fn who_asks(state: &AppState, headers: &HeaderMap) -> Result<Actor, ServiceError> {
    let session = session::read(headers, state.transport());
    state.accounts.actor(session.as_ref(), owner::read(headers, state.transport())).await
}

/// A browser that is not logged in is led to the log-in; everyone else is told what is wrong.
pub(super) fn refused(error: &ServiceError, headers: &HeaderMap, log_in: &'static str) -> Response {
    if matches!(error, ServiceError::NotLoggedIn) && is_browser(headers) {
        return (StatusCode::FOUND, [(LOCATION, log_in)]).into_response();
    }
    error.log();
    error.status().into_response()
}

fn is_browser(headers: &HeaderMap) -> bool {
    headers.get(ACCEPT).and_then(|value| value.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}
