//! What every request passes through, from the outside in.

use super::failures;
use crate::state::AppState;
use crate::{headers, limits, telemetry};
use axum::Router;
use axum::http::{Response, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use std::any::Any;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate, SizeAbove};
use tower_http::csrf::CsrfLayer;
use tower_http::timeout::TimeoutLayer;

/// Pages and data are compressed as they are made; files were when the site was built.
pub fn compressed(router: Router<AppState>) -> Router<AppState> {
    let worthwhile = SizeAbove::new(1024).and(NotForContentType::IMAGES);
    router.layer(CompressionLayer::new().br(true).gzip(true).no_deflate().no_zstd().compress_when(worthwhile))
}

/// The layers around everything. The last one added is the first that a request meets.
pub fn around(router: Router<AppState>, state: &AppState) -> Router<AppState> {
    router
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, state.config.limits.answer_time))
        .layer(from_fn_with_state(state.clone(), limits::body::receive))
        .layer(csrf(state))
        .layer(from_fn_with_state(state.clone(), limits::gate::shed))
        .layer(from_fn_with_state(state.clone(), limits::gate::count))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(failures::word))
        .layer(from_fn_with_state(state.clone(), headers::protect))
        .layer(from_fn_with_state(state.clone(), telemetry::observe))
}

/// Refuses what a page of another site sends with our cookies. Programs, which send neither header, pass.
fn csrf(state: &AppState) -> CsrfLayer {
    let layer = CsrfLayer::new();
    match layer.clone().add_trusted_origin(&state.config.public_url) {
        Ok(with_origin) => with_origin,
        Err(error) => {
            // the address was checked at the start; without it the Host header decides alone
            tracing::warn!(%error, "the public URL is no trusted origin");
            layer
        }
    }
}

/// A panic is a fault of ours: logged, and answered like any other failure.
fn panicked(reason: Box<dyn Any + Send + 'static>) -> Response<axum::body::Body> {
    let words = reason.downcast_ref::<String>().map(String::as_str).or_else(|| reason.downcast_ref::<&str>().copied());
    tracing::error!(reason = words.unwrap_or("unknown"), "a handler panicked");
    let mut response = Response::new(axum::body::Body::empty());
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::store::Store;
    use axum::body::Body;
    use axum::extract::Request;
    use axum::routing::get;
    use std::time::Duration;
    use tower::ServiceExt;

    async fn fails() -> &'static str {
        std::hint::black_box(None).expect("a fault of ours")
    }

    async fn sleeps() -> &'static str {
        tokio::time::sleep(Duration::from_secs(60)).await;
        "late"
    }

    #[tokio::test]
    async fn a_panic_and_a_late_answer_are_worded_for_their_caller() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let mut config = Config::for_database(&directory.path().join("t.sqlite"));
        config.limits.answer_time = Duration::from_millis(50);
        let state = AppState::new(config.clone(), Store::open_or_create(&config.database).await.expect("opens"));
        let router = Router::new()
            .route("/api/v1/fails", get(fails))
            .route("/fails", get(fails))
            .route("/api/v1/late", get(sleeps));
        let router = around(router, &state).with_state(state.clone());
        for (path, status, media_type) in [
            ("/api/v1/fails", 500, "application/problem+json"),
            ("/fails", 500, "text/html; charset=utf-8"),
            ("/api/v1/late", 503, "application/problem+json"),
        ] {
            let request = Request::builder().uri(path).body(Body::empty()).expect("a request");
            let response = router.clone().oneshot(request).await.expect("an answer");
            assert_eq!(response.status().as_u16(), status, "{path}");
            assert_eq!(response.headers()["content-type"], media_type, "{path}");
            assert!(response.headers().contains_key("content-security-policy"), "{path}");
            assert_eq!(response.headers().contains_key("retry-after"), status == 503, "{path}");
        }
    }
}
