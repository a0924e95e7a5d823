//! Whether the process lives, and whether it is ready for callers.

use super::failures::as_worded;
use crate::state::AppState;
use crate::store::SchemaState;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};

/// The process answers.
pub async fn healthz() -> Response {
    text(StatusCode::OK, "ok\n")
}

/// The database answers, can be written, and has the schema of this program; and the server is not stopping.
pub async fn readyz(State(state): State<AppState>) -> Response {
    if state.is_stopping() {
        return text(StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    match state.store.ping().await {
        Ok(SchemaState::Current { .. }) => text(StatusCode::OK, "ready\n"),
        Ok(other) => {
            tracing::warn!(schema = %other, "not ready");
            text(StatusCode::SERVICE_UNAVAILABLE, "the database has another schema\n")
        }
        Err(error) => {
            tracing::warn!(%error, "not ready");
            text(StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
        }
    }
}

fn text(status: StatusCode, words: &'static str) -> Response {
    as_worded((status, [(CACHE_CONTROL, "no-store")], words).into_response())
}
