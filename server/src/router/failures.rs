//! Failures that no handler worded: each gets the form that its caller reads.
//!
//! Under `/api` that is a problem document, for a person a plain page. One net around everything catches what the
//! router, the layers and libraries answer by themselves, so that none of them leaks its own form.

use super::table::{self, Caller};
use crate::rest::problem::{ApiProblem, MEDIA_TYPE};
use crate::tables::delimited;
use app::pages::{CLOSED_LINK, PRIVATE_SCENARIO};
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use serde_json::Value;

/// A problem lists what is wrong with each of some hundred fields at most.
const PROBLEM_MAX: usize = 256 * 1024;

/// The form that a caller reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A problem document, whatever else was said.
    Problem,
    /// A problem document, unless the answer has a body: a server function words its own errors.
    ProblemIfBare,
    /// One cell of a sheet.
    Cell,
    /// One line of text.
    Line,
    /// A page, unless the answer has a body.
    Page,
}

fn form(path: &str, headers: &HeaderMap) -> Form {
    let person =
        headers.get(ACCEPT).and_then(|value| value.to_str().ok()).is_some_and(|accept| accept.contains("text/html"));
    match path.strip_prefix("/api") {
        Some(rest) if rest.starts_with("/fn/") => {
            if person {
                Form::Page
            } else {
                Form::ProblemIfBare
            }
        }
        Some("") => Form::Problem,
        Some("/docs") => Form::Page,
        Some(rest) if rest.starts_with("/v1/") && rest.ends_with(".csv") => Form::Cell,
        Some(rest) if rest.starts_with("/v1/") && rest.contains("/value/") => Form::Line,
        // who asks here is a sheet, also where it mistypes the ending
        Some(rest) if rest.starts_with("/v1/feeds/") => Form::Cell,
        Some(rest) if rest.starts_with('/') => Form::Problem,
        _ => Form::Page,
    }
}

/// The net. It is below the compression too, where what handlers word as a problem becomes the form of its caller.
pub async fn word(request: Request, next: Next) -> Response {
    let form = form(request.uri().path(), request.headers());
    let missing = missing(request.uri().path());
    let response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let media_type = response.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let worded = match form {
        Form::Problem => media_type == MEDIA_TYPE,
        Form::ProblemIfBare => !media_type.is_empty(),
        Form::Cell => media_type.starts_with("text/csv"),
        Form::Line => media_type.starts_with("text/plain") && is_asset_text(&response),
        // a library's own words come as plain text with a length; ours and Leptos' are pages
        Form::Page => {
            media_type.starts_with("text/html")
                || media_type.starts_with("application/json")
                || is_asset_text(&response)
        }
    };
    let mut response = if worded { response } else { reword(response, form, missing).await };
    if status == StatusCode::SERVICE_UNAVAILABLE && !response.headers().contains_key(RETRY_AFTER) {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("2"));
    }
    response
}

/// Says that a missing file is missing in plain text: a page in its place would be taken for the file.
pub fn missing_file() -> Response {
    let mut response =
        (StatusCode::NOT_FOUND, [(CONTENT_TYPE, "text/plain; charset=utf-8")], "Not found\n").into_response();
    response.extensions_mut().insert(Worded);
    response
}

/// The answer has been worded on purpose.
#[derive(Clone, Copy, Debug)]
struct Worded;

fn is_asset_text(response: &Response) -> bool {
    response.extensions().get::<Worded>().is_some()
}

/// Marks an answer whose words are meant as they are.
pub fn as_worded(mut response: Response) -> Response {
    response.extensions_mut().insert(Worded);
    response
}

/// For every route that does not answer a method; the router adds `Allow`.
pub async fn method_not_allowed() -> StatusCode {
    StatusCode::METHOD_NOT_ALLOWED
}

async fn reword(response: Response, form: Form, missing: Words) -> Response {
    let status = response.status();
    let (parts, body) = response.into_parts();
    let mut worded = match form {
        Form::Cell => {
            let text = delimited::cell(&words(status, body).await).unwrap_or_default();
            (status, [(CONTENT_TYPE, delimited::MEDIA_TYPE)], text).into_response()
        }
        Form::Line => as_worded((status, words(status, body).await).into_response()),
        Form::Problem => ApiProblem::of_status(status).into_response(),
        Form::ProblemIfBare => ApiProblem::of_status(status).for_scripts().into_response(),
        Form::Page => (status, Html(page(status, missing))).into_response(),
    };
    // what else the answer says stays, such as Retry-After and cookies
    for (name, value) in &parts.headers {
        let of_the_body = [CONTENT_TYPE, CONTENT_LENGTH, CONTENT_ENCODING].contains(name);
        if !of_the_body && !worded.headers().contains_key(name) {
            worded.headers_mut().append(name.clone(), value.clone());
        }
    }
    worded
}

/// What a sheet shows in place of its figures: the words of the problem, if there is one.
async fn words(status: StatusCode, body: Body) -> String {
    let bytes = to_bytes(body, PROBLEM_MAX).await.unwrap_or_default();
    let problem: Value = match serde_json::from_slice(&bytes) {
        Ok(problem) => problem,
        Err(_) => serde_json::to_value(ApiProblem::of_status(status)).unwrap_or_default(),
    };
    let messages: Vec<&str> =
        problem["errors"].as_array().into_iter().flatten().filter_map(|error| error["message"].as_str()).collect();
    let words = if messages.is_empty() {
        problem["detail"].as_str().unwrap_or_default().to_owned()
    } else {
        messages.join("; ")
    };
    format!("Error {}: {words}", status.as_u16())
}

/// A head and a text.
type Words = (&'static str, &'static str);

/// What is said where nothing is at a path: a file of a plan is missing for the reasons that its page is.
fn missing(path: &str) -> Words {
    match table::caller_of(path) {
        Caller::LinkHolder => CLOSED_LINK,
        Caller::Owner(_) if path.contains("/plan.") => PRIVATE_SCENARIO,
        _ => ("Not found", "There is no page at this address."),
    }
}

/// A page of our own words only: it holds nothing that a caller sent.
fn page(status: StatusCode, missing: Words) -> String {
    let (title, text) = match status {
        StatusCode::FORBIDDEN => {
            ("Refused", "This form was sent from another site. Open the page here and send it again.")
        }
        StatusCode::NOT_FOUND => missing,
        StatusCode::METHOD_NOT_ALLOWED => ("Not possible", "This address can't be used in this way."),
        StatusCode::PAYLOAD_TOO_LARGE => {
            ("Too large", "What was sent is too large. Send less, such as a shorter model configuration.")
        }
        StatusCode::REQUEST_TIMEOUT => {
            ("Too slow", "What was sent did not arrive in time. Check the connection and send it again.")
        }
        StatusCode::TOO_MANY_REQUESTS => {
            ("Too many requests", "Your network has asked for more than its share. Wait a moment and try again.")
        }
        StatusCode::SERVICE_UNAVAILABLE => {
            ("Busy", "This took too long, or the server is busy. Try again in a moment.")
        }
        _ if status.is_client_error() => ("Refused", "The request can't be used. Reload the page and try again."),
        _ => ("Something went wrong", "The fault is ours and has been logged. Try again in a moment."),
    };
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title} · Clusterwright</title></head>\
         <body><main><h1>{title}</h1><p>{text}</p><p><a href=\"/\">To the planner</a></p></main></body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_caller_reads_its_own_form() {
        let program = HeaderMap::new();
        let mut browser = HeaderMap::new();
        browser.insert(ACCEPT, HeaderValue::from_static("text/html,*/*"));
        assert_eq!(form("/api/v1/plans", &browser), Form::Problem);
        assert_eq!(form("/api", &program), Form::Problem);
        assert_eq!(form("/api/v1/plans.csv", &browser), Form::Cell);
        assert_eq!(form("/plans.csv", &program), Form::Page);
        assert_eq!(form("/api/v1/plans/value/total_usd", &program), Form::Line);
        assert_eq!(form("/api/v1/feeds/abc/tiers", &program), Form::Cell);
        assert_eq!(form("/api/v1/feeds/abc/value/total_usd", &program), Form::Line);
        assert_eq!(form("/api/docs", &program), Form::Page);
        assert_eq!(form("/apiary", &program), Form::Page);
        assert_eq!(form("/api/fn/replan", &program), Form::ProblemIfBare);
        assert_eq!(form("/api/fn/save_scenario", &browser), Form::Page);
        assert_eq!(form("/scenarios", &program), Form::Page);
    }
}
