//! A form that someone else was faster than: answered with 412 and a page that shows both.
//!
//! The server function leads to the page of the conflict. Here that page is rendered in place of the redirect, with what
//! was sent: a text of thousands of characters does not fit into an address, and nothing that was typed may get lost.

use super::pages;
use crate::state::AppState;
use app::pages::Posted;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Functions whose forms can meet a newer version.
const FUNCTIONS: [&str; 4] =
    ["/api/fn/save_version", "/api/fn/keep_again", "/api/fn/rename_scenario", "/api/fn/describe_scenario"];

/// Shows the page of a conflict in place of leading to it.
pub async fn show(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if request.method() != Method::POST || !FUNCTIONS.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    // the layer around everything has bounded it
    let Ok(bytes) = to_bytes(body, usize::MAX).await else { return StatusCode::BAD_REQUEST.into_response() };
    let mut page = Request::new(Body::empty());
    page.headers_mut().clone_from(&parts.headers);
    for name in [CONTENT_TYPE, CONTENT_LENGTH] {
        page.headers_mut().remove(name);
    }
    page.extensions_mut().clone_from(&parts.extensions);
    let response = next.run(Request::from_parts(parts, Body::from(bytes.clone()))).await;
    let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (path, why) = location.split_once('?').unwrap_or((location, ""));
    let is_conflict = path.starts_with("/scenarios/") && path.ends_with("/conflict");
    // what can't be used comes with the reason
    let status = if why.is_empty() { StatusCode::PRECONDITION_FAILED } else { StatusCode::UNPROCESSABLE_ENTITY };
    let Some(uri) = (is_conflict && response.status().is_redirection()).then(|| location.parse().ok()).flatten() else {
        return response;
    };
    *page.uri_mut() = uri;
    page.extensions_mut().insert(Posted(form_urlencoded::parse(&bytes).into_owned().collect()));
    let mut response = pages::render(&state, page).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = status;
    }
    response
}
