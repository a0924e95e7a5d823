//! Files of the built site: hashed ones for ever, others asked again.

use super::failures::missing_file;
use crate::config::Config;
use axum::Router;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use tower::ServiceExt;
use tower_http::services::ServeDir;

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("public, no-cache");

/// Script, WebAssembly and style, compressed when the site was built.
pub fn package(config: &Config) -> Router {
    let files = ServeDir::new(config.site_root.join("pkg")).precompressed_br().precompressed_gzip();
    // a name with a hash never holds anything else
    let cache = if config.hash_file.is_some() { FOR_EVER } else { ASK_AGAIN };
    Router::new().fallback_service(files).layer(middleware::from_fn(move |request: Request, next: Next| {
        let cache = cache.clone();
        async move { finish(next.run(request).await, cache) }
    }))
}

/// A file of the root of the site, such as the icon; none if there is no such file.
pub async fn root_file(config: &Config, request: Request) -> Option<Response> {
    let path = request.uri().path();
    // names of files have a dot; a directory is no page of ours
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.') && !name.starts_with('.'));
    let reads = request.method() == Method::GET || request.method() == Method::HEAD;
    if !is_file || !reads {
        return None;
    }
    let files = ServeDir::new(&config.site_root)
        .precompressed_br()
        .precompressed_gzip()
        .append_index_html_on_directories(false);
    let response = files.oneshot(request).await.into_response();
    Some(finish(response, ASK_AGAIN))
}

fn finish(mut response: Response, cache: HeaderValue) -> Response {
    let status = response.status();
    if status == StatusCode::NOT_FOUND {
        return missing_file();
    }
    if status.is_success() || status == StatusCode::NOT_MODIFIED {
        response.headers_mut().insert(CACHE_CONTROL, cache);
    }
    response
}
