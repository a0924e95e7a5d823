//! What somebody has, as a file to keep.

use super::failures::as_worded;
use crate::auth::{owner, session};
use crate::service::ServiceError;
use crate::state::AppState;
use axum::extract::State;
use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

/// The account of who is logged in as JSON; others are led to the log-in.
pub async fn export(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let session = session::read(&headers, state.transport());
    let exported = async {
        let actor = state.accounts.actor(session.as_ref(), owner::read(&headers, state.transport())).await?;
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
        Err(ServiceError::NotLoggedIn) if is_browser(&headers) => {
            (StatusCode::FOUND, [(LOCATION, "/log-in?next=%2Faccount")]).into_response()
        }
        Err(error) => {
            error.log();
            error.status().into_response()
        }
    }
}

fn is_browser(headers: &HeaderMap) -> bool {
    headers.get(ACCEPT).and_then(|value| value.to_str().ok()).is_some_and(|accept| accept.contains("text/html"))
}
