//! Logs: to stderr, by route template, with a request id, and without anything that a caller could want kept secret.
//!
//! Paths and queries are never logged: they hold share tokens, budgets and error texts. The template of the route
//! says what was called.

use crate::config::LogFormat;
use crate::state::AppState;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use std::io::IsTerminal;
use std::time::Instant;
use tracing::{Instrument, Level};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::{FilterExt, filter_fn};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

/// Header that carries the id of a request.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Starts logging; the second call in a process does nothing.
///
/// # Errors
/// The filter can't be read.
pub fn start(format: LogFormat, filter: &str) -> Result<(), String> {
    let filter =
        EnvFilter::try_new(filter).map_err(|error| format!("can't read the log filter `{filter}`: {error}"))?;
    let filter = filter.and(filter_fn(|event| may_be_logged(event.target(), *event.level())));
    let in_color = std::io::stderr().is_terminal();
    let layer = tracing_subscriber::fmt::layer().with_ansi(in_color).with_writer(std::io::stderr);
    let registry = tracing_subscriber::registry();
    let started = match format {
        LogFormat::Text => registry.with(layer.with_target(false).with_filter(filter)).try_init(),
        LogFormat::Json => {
            let layer = layer.json().flatten_event(true).with_current_span(true).with_span_list(false);
            registry.with(layer.with_filter(filter)).try_init()
        }
    };
    if started.is_err() {
        tracing::debug!("logging has been started before");
    }
    Ok(())
}

/// Libraries do not know what is secret here: below warnings some of them write addresses, with the tokens in them.
fn may_be_logged(target: &str, level: Level) -> bool {
    let root = target.split("::").next().unwrap_or_default();
    level <= Level::WARN || matches!(root, "server" | "app" | "engine" | "clusterwright")
}

/// Gives a request its id and its span, and logs and counts how it ended.
pub async fn observe(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let id = request_id(&request);
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str).to_owned();
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default(), method = %request.method(), route);
    let method = request.method().clone();
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let mut response = async {
        let start = Instant::now();
        let response = next.run(request).await;
        let took = start.elapsed();
        state.metrics.answered(&route, &method, response.status(), took);
        let (status, duration_ms) = (response.status().as_u16(), took.as_millis() as u64);
        match status {
            500.. => tracing::error!(status, duration_ms, "answered"),
            _ => tracing::info!(status, duration_ms, "answered"),
        }
        response
    }
    .instrument(span)
    .await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// The id that a proxy gave, if it is short and plain; otherwise a new one.
fn request_id(request: &Request) -> HeaderValue {
    let given = request.headers().get(REQUEST_ID).filter(|value| {
        let bytes = value.as_bytes();
        (8..=64).contains(&bytes.len()) && bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b))
    });
    let made = || crate::id::PublicId::random().ok().and_then(|id| HeaderValue::from_str(id.as_str()).ok());
    given.cloned().or_else(made).unwrap_or(HeaderValue::from_static("none"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_heard_only_when_they_warn() {
        for (target, level, expected) in [
            ("server::service", Level::TRACE, true),
            ("app", Level::DEBUG, true),
            ("tower_http::csrf::service", Level::TRACE, false),
            ("sqlx::query", Level::INFO, false),
            ("sqlx::query", Level::WARN, true),
            ("hyper", Level::ERROR, true),
            ("server_fn", Level::DEBUG, false),
        ] {
            assert_eq!(may_be_logged(target, level), expected, "{target} {level}");
        }
    }
}
