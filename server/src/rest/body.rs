//! Reads a JSON body: its type, its syntax and its depth, each with a problem of its own. Its size and the time it may
//! take are limited before ([`crate::limits::body`]).

use super::problem::ApiProblem;
use crate::limits::body::BODY_MAX;
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use engine::FieldProblem;
use serde_json::Value;

/// Deepest nesting: a request has 5 levels, a pasted model configuration a few more.
const DEPTH_MAX: usize = 16;

/// The JSON value of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonBody(pub Value);

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiProblem;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Self::Rejection> {
        let (parts, body) = request.into_parts();
        let media_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        if !is_json(media_type) {
            return Err(wrong_type(media_type));
        }
        let bytes = to_bytes(body, BODY_MAX).await;
        let bytes = bytes.map_err(|_| ApiProblem::of_status(StatusCode::PAYLOAD_TOO_LARGE))?;
        parse(&bytes).map(JsonBody)
    }
}

fn is_json(media_type: &str) -> bool {
    let bare = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    bare == "application/json" || (bare.starts_with("application/") && bare.ends_with("+json"))
}

fn wrong_type(media_type: &str) -> ApiProblem {
    let sent: String = media_type.chars().take(60).collect();
    let detail = match sent.as_str() {
        "" => "The body has no Content-Type; send JSON with `Content-Type: application/json`.".to_owned(),
        sent => format!("The body is `{sent}`; send JSON with `Content-Type: application/json`."),
    };
    ApiProblem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", detail)
}

fn parse(bytes: &[u8]) -> Result<Value, ApiProblem> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        let detail = "The body is empty; send a JSON object such as {\"model\": {\"preset\": \"llama-3.1-70b\"}}.";
        return Err(ApiProblem::new(StatusCode::BAD_REQUEST, "malformed_json", detail));
    }
    let value: Value = serde_json::from_slice(bytes).map_err(|error| malformed(&error))?;
    if depth(&value) > DEPTH_MAX {
        return Err(too_deep());
    }
    Ok(value)
}

fn malformed(error: &serde_json::Error) -> ApiProblem {
    // the parser stops at 128 levels to save its stack
    let text = error.to_string();
    if text.starts_with("recursion limit exceeded") {
        return too_deep();
    }
    let place = format!("line {}, column {}", error.line(), error.column());
    let reason = text.split(" at line ").next().unwrap_or(&text).to_owned();
    let detail = format!("The body is not JSON at {place}: {reason}.");
    let field = FieldProblem::new("", "malformed_json", format!("{reason} at {place}"));
    ApiProblem::new(StatusCode::BAD_REQUEST, "malformed_json", detail).with(field)
}

fn too_deep() -> ApiProblem {
    let detail = format!("The JSON nests deeper than {DEPTH_MAX} levels; no request needs that.");
    ApiProblem::new(StatusCode::BAD_REQUEST, "too_deep", detail)
}

fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(fields) => 1 + fields.values().map(depth).max().unwrap_or(0),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        parse(text.as_bytes()).map_or_else(|problem| problem.code().to_owned(), |_| "ok".into())
    }

    #[test]
    fn odd_json_is_refused_with_its_place() {
        assert_eq!(code("{\"a\": 1}"), "ok");
        assert_eq!(code(""), "malformed_json");
        assert_eq!(code("{\"a\": NaN}"), "malformed_json");
        assert_eq!(code("{\"a\": 1e400}"), "malformed_json");
        assert_eq!(code("{\"a\": 1} x"), "malformed_json");
        assert_eq!(code("\u{feff}{}"), "malformed_json");
        let problem = serde_json::to_value(parse(b"{\n  \"a\": tru\n}").expect_err("malformed")).expect("JSON");
        assert_eq!(problem["detail"], "The body is not JSON at line 3, column 0: expected ident.");
    }

    #[test]
    fn numbers_beyond_any_size_do_not_panic() {
        assert_eq!(code(&format!("[{}]", "9".repeat(5_000))), "malformed_json");
        assert_eq!(code(&format!("[1{}e-5000]", "0".repeat(20))), "ok");
    }

    #[test]
    fn nesting_is_bounded() {
        assert_eq!(code(&format!("{}1{}", "[".repeat(16), "]".repeat(16))), "ok");
        assert_eq!(code(&format!("{}1{}", "[".repeat(17), "]".repeat(17))), "too_deep");
        assert_eq!(code(&"[".repeat(100_000)), "too_deep");
    }

    #[test]
    fn the_type_may_have_parameters() {
        assert!(is_json("application/json; charset=utf-8") && is_json("application/merge-patch+json"));
        assert!(!is_json("text/plain") && !is_json("") && !is_json("application/x-www-form-urlencoded"));
    }
}
