//! Failures as RFC 9457 problem documents: a stable code, a sentence that says what to do, and each bad field.

use crate::service::ServiceError;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use engine::{FieldProblem, Problem};
use serde::Serialize;

/// Media type of a problem document.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// A failure as callers of the API see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ApiProblem {
    /// Names the kind of problem; a URN, nothing to fetch.
    #[serde(rename = "type")]
    kind: String,
    title: &'static str,
    status: u16,
    code: String,
    detail: String,
    errors: Vec<FieldProblem>,
}

/// A problem that the scripts of our pages read too: as extension members (RFC 9457, 3.2) it has what `app::UiError` has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScriptProblem {
    #[serde(flatten)]
    problem: ApiProblem,
    message: String,
    fields: [(String, String); 0],
}

impl ApiProblem {
    /// A problem with a status, a stable code and a sentence.
    pub fn new(status: StatusCode, code: &str, detail: impl Into<String>) -> Self {
        Self {
            kind: format!("urn:clusterwright:problem:{code}"),
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            code: code.to_owned(),
            detail: detail.into(),
            errors: Vec::new(),
        }
    }

    /// The problem of an answer that has only a status: what the router and the layers around it refuse.
    pub fn of_status(status: StatusCode) -> Self {
        let (code, detail) = match status {
            StatusCode::BAD_REQUEST => ("bad_request", "The request can't be read."),
            StatusCode::FORBIDDEN => (
                "cross_site",
                "This request came from a page of another site, or its Origin and Host differ; send it from this site, or without an Origin header.",
            ),
            StatusCode::NOT_FOUND => {
                ("not_found", "There is nothing at this address; GET /api/v1/openapi.json lists what there is.")
            }
            StatusCode::METHOD_NOT_ALLOWED => (
                "method_not_allowed",
                "This address does not answer this method; the Allow header lists those that it does.",
            ),
            StatusCode::PAYLOAD_TOO_LARGE => ("too_large", "The body is too large; send at most 256 KiB."),
            StatusCode::REQUEST_TIMEOUT => ("too_slow", "The body did not arrive in time; send it again."),
            StatusCode::TOO_MANY_REQUESTS => (
                "rate_limited",
                "There were too many requests from this network; the Retry-After header says in how many seconds to come back.",
            ),
            StatusCode::URI_TOO_LONG => ("too_long", "The address is too long; send the request as JSON with POST."),
            StatusCode::SERVICE_UNAVAILABLE => {
                ("unavailable", "This took too long or the server is busy; try again in a moment.")
            }
            _ if status.is_client_error() => ("refused", "The request was refused."),
            _ => (
                "internal",
                "Something went wrong on the server; it has been logged. Try again, and report the x-request-id header if it stays.",
            ),
        };
        Self::new(status, code, detail)
    }

    /// Adds a bad field.
    pub fn with(mut self, field: FieldProblem) -> Self {
        self.errors.push(field);
        self
    }

    /// The same for the scripts of our pages.
    pub fn for_scripts(self) -> ScriptProblem {
        ScriptProblem { message: self.detail.clone(), problem: self, fields: [] }
    }

    /// The stable code.
    pub fn code(&self) -> &str {
        &self.code
    }
}

impl From<Problem> for ApiProblem {
    fn from(problem: Problem) -> Self {
        let base = Self::new(StatusCode::UNPROCESSABLE_ENTITY, &problem.code, problem.detail);
        Self { errors: problem.errors, ..base }
    }
}

impl From<ServiceError> for ApiProblem {
    fn from(error: ServiceError) -> Self {
        error.log();
        let status = error.status();
        match error {
            ServiceError::NotFound => Self::new(status, "not_found", "There is no such object, or it is not yours."),
            ServiceError::NotLoggedIn => Self::new(status, "not_logged_in", "This takes an account; log in first."),
            ServiceError::Forbidden(text) => Self::new(status, "forbidden", text),
            ServiceError::Invalid(errors) => Problem::invalid(errors).into(),
            ServiceError::Conflict(_) => Self::new(
                status,
                "conflict",
                "Someone has changed this since; read it again, and send your change with its new ETag.",
            ),
            ServiceError::TooMany(text) => Self::new(status, "limit_reached", text),
            ServiceError::Busy => Self::new(status, "busy", "All cores are computing; try again in a moment."),
            ServiceError::TooSoon(_)
            | ServiceError::Unavailable(_)
            | ServiceError::Unreadable(_)
            | ServiceError::Internal(_) => Self::of_status(status),
        }
    }
}

impl IntoResponse for ApiProblem {
    fn into_response(self) -> Response {
        respond(self.status, &self)
    }
}

impl IntoResponse for ScriptProblem {
    fn into_response(self) -> Response {
        respond(self.problem.status, &self)
    }
}

fn respond(status: u16, document: &impl Serialize) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, serde_json::to_vec(document).unwrap_or_default()).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(MEDIA_TYPE));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_problem_keeps_its_fields() {
        let problem = Problem::invalid(vec![FieldProblem::new("/gpus", "out_of_range", "`gpus` is 0; use 1 to 9")]);
        let value = serde_json::to_value(ApiProblem::from(problem)).expect("JSON");
        assert_eq!(
            value,
            serde_json::json!({
                "type": "urn:clusterwright:problem:invalid_request",
                "title": "Unprocessable Entity",
                "status": 422,
                "code": "invalid_request",
                "detail": "`gpus` is 0; use 1 to 9",
                "errors": [{"pointer": "/gpus", "code": "out_of_range", "message": "`gpus` is 0; use 1 to 9"}],
            })
        );
    }

    #[test]
    fn scripts_read_a_problem_as_their_error() {
        let problem = ApiProblem::of_status(StatusCode::TOO_MANY_REQUESTS).for_scripts();
        let error: app::UiError = serde_json::from_slice(&serde_json::to_vec(&problem).expect("JSON")).expect("reads");
        assert_eq!((error.code.as_str(), error.message), ("rate_limited", problem.message));
    }

    #[test]
    fn what_went_wrong_inside_stays_inside() {
        let value = serde_json::to_string(&ApiProblem::from(ServiceError::Internal("table owner is gone".into())))
            .expect("JSON");
        assert!(!value.contains("owner"), "{value}");
    }
}
