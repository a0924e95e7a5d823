//! Server functions answer 500 to whatever goes wrong, also when a caller sent a form that can't be read. Here each
//! error gets the status that its code stands for.

use crate::rest::problem::ApiProblem;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// An error is a code and a sentence.
const ERROR_MAX: usize = 64 * 1024;

/// Restates the status of what server functions answer.
pub async fn restate(request: Request, next: Next) -> Response {
    let is_function = request.uri().path().starts_with("/api/fn/");
    let response = next.run(request).await;
    if !is_function {
        return response;
    }
    if sends_back(&response) {
        return StatusCode::UNPROCESSABLE_ENTITY.into_response();
    }
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || !is_json(&response) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let bytes = to_bytes(body, ERROR_MAX).await.unwrap_or_default();
    // the target of a form says what went wrong on the page that it leads to, where a program does not look
    let Ok(error) = serde_json::from_slice::<app::UiError>(&bytes) else {
        let mut bare = without_words(status);
        bare.headers_mut().extend(parts.headers.remove(RETRY_AFTER).map(|wait| (RETRY_AFTER, wait)));
        return bare;
    };
    if status == StatusCode::INTERNAL_SERVER_ERROR {
        parts.status = StatusCode::from_u16(error.status()).unwrap_or(status);
    }
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(bytes))
}

/// The answer of a function that led to a page with its words, to a program. What only functions refuse is said here: for
/// others, 403 means that a page of another site asked.
fn without_words(status: StatusCode) -> Response {
    let (code, detail) = match status {
        StatusCode::FORBIDDEN => {
            ("forbidden", "Your role in this team does not allow this, or a setting of this server does not.")
        }
        StatusCode::PRECONDITION_FAILED => {
            ("conflict", "Someone has changed this since; look at it again, and send what you want to keep.")
        }
        _ => return status.into_response(),
    };
    ApiProblem::new(status, code, detail).for_scripts().into_response()
}

/// A form of a browser without scripts that could not be read: Leptos sends it back to where it came from, with the
/// error in the address. Errors that people can make come another way, so this one gets a page that says it.
fn sends_back(response: &Response) -> bool {
    let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    location.split_once('?').is_some_and(|(_, query)| query.split('&').any(|pair| pair.starts_with("__err=")))
}

fn is_json(response: &Response) -> bool {
    let media_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    media_type.is_some_and(|media_type| media_type.starts_with("application/json"))
}
