//! Conditional requests on what has a version: `ETag`, `If-None-Match`, `If-Match` (RFC 9110, 13).

use super::problem::ApiProblem;
use axum::Json;
use axum::http::header::{ETAG, HeaderName, IF_MATCH, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// What a caller says to have seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Nothing is said: the change is made whatever there is.
    Unsaid,
    /// What there is now.
    Current,
}

/// A document with its tag, or 304 if the caller has it.
pub fn tagged(headers: &HeaderMap, tag: &str, document: &impl Serialize) -> Response {
    let etag = [(ETAG, quoted(tag))];
    if names(headers, IF_NONE_MATCH, tag) {
        return (StatusCode::NOT_MODIFIED, etag).into_response();
    }
    (etag, Json(document)).into_response()
}

/// Compares `If-Match` with what there is.
///
/// # Errors
/// It names something else.
pub fn if_match(headers: &HeaderMap, current: &str) -> Result<Seen, ApiProblem> {
    match headers.contains_key(IF_MATCH) {
        false => Ok(Seen::Unsaid),
        true if names(headers, IF_MATCH, current) => Ok(Seen::Current),
        true => Err(changed()),
    }
}

/// Whether the caller wants only what is not there yet: `If-None-Match: *`.
pub fn only_if_absent(headers: &HeaderMap) -> bool {
    headers.get_all(IF_NONE_MATCH).iter().any(|value| value.as_bytes() == b"*")
}

/// The caller has seen something else than there is.
pub fn changed() -> ApiProblem {
    let detail = "Someone has changed this since; read it again, and send your change with its new ETag in If-Match.";
    ApiProblem::new(StatusCode::PRECONDITION_FAILED, "conflict", detail)
}

/// A tag as the header has it.
pub fn quoted(tag: &str) -> HeaderValue {
    HeaderValue::from_str(&format!("\"{tag}\"")).unwrap_or(HeaderValue::from_static("\"\""))
}

/// A proxy that compresses marks a tag as weak; ours are of versions and not of bytes, so that the mark says nothing.
fn names(headers: &HeaderMap, name: HeaderName, tag: &str) -> bool {
    let given = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    given
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .any(|one| one == "*" || one.trim_start_matches("W/").trim_matches('"') == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_is_compared_with_what_there_is() {
        let seen = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(IF_MATCH, HeaderValue::from_static(value));
            if_match(&headers, "3.2").ok()
        };
        assert_eq!(if_match(&HeaderMap::new(), "3.2").ok(), Some(Seen::Unsaid));
        for right in ["\"3.2\"", "W/\"3.2\"", "\"1.1\", \"3.2\"", "*"] {
            assert_eq!(seen(right), Some(Seen::Current), "{right}");
        }
        for wrong in ["\"3.1\"", "\"\"", "", "\"13.2\""] {
            assert_eq!(seen(wrong), None, "{wrong}");
        }
    }
}
