//! Reads the body of a request against its limits of size and time, before anything else is done for it.
//!
//! Handlers get bodies that are complete: a caller who sends slowly holds neither a core nor a connection to the
//! database, and is told so in the form that it reads.

use crate::state::AppState;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;

/// Largest body of the API, bytes: an array of 1,000 estimates.
pub const BODY_MAX: usize = 256 * 1024;
/// Largest form, bytes: a pasted model configuration with room to spare.
pub const FORM_MAX: usize = 64 * 1024;
/// What is read and thrown away beyond that, so that a caller that is still sending gets to see the answer.
const DRAIN_MAX: usize = 4 * 1024 * 1024;

/// Hands on a request whose body is complete.
pub async fn receive(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let most = if parts.uri.path().starts_with("/api/v1/") { BODY_MAX } else { FORM_MAX };
    let bytes = match tokio::time::timeout(state.config.limits.body_time, read(body, most)).await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(status)) => return status.into_response(),
        Err(_) => return StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    next.run(Request::from_parts(parts, Body::from(bytes))).await
}

async fn read(mut body: Body, most: usize) -> Result<Vec<u8>, StatusCode> {
    let mut bytes = Vec::new();
    let mut received = 0usize;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| StatusCode::BAD_REQUEST)?;
        let Some(data) = frame.data_ref() else { continue };
        received = received.saturating_add(data.len());
        if received > DRAIN_MAX {
            break;
        }
        if received <= most {
            bytes.extend_from_slice(data);
        }
    }
    if received > most { Err(StatusCode::PAYLOAD_TOO_LARGE) } else { Ok(bytes) }
}
