//! Pages and server functions of `app`, with the backend of the caller in their context.

use super::{assets, conflicts, failures, function_errors};
use crate::backend::RequestBackend;
use crate::rest;
use crate::state::AppState;
use axum::Router;
use axum::extract::State;
use axum::http::request::Parts;
use axum::http::{Request, StatusCode};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use leptos::nonce::Nonce;
use leptos::prelude::{provide_context, use_context};
use leptos_axum::{LeptosRoutes, ResponseOptions};
use std::sync::Arc;

/// Routes of pages and server functions.
pub fn routes(state: &AppState) -> Router<AppState> {
    let listed = leptos_axum::generate_route_list(app::App);
    let options = state.leptos.clone();
    Router::new()
        .leptos_routes_with_context(state, listed, context(state), move || app::shell(options.clone()))
        .layer(from_fn(function_errors::restate))
        .layer(from_fn_with_state(state.clone(), conflicts::show))
}

/// What is at no route: a file of the site, or the page that says so.
pub async fn fallback(State(state): State<AppState>, request: Request<axum::body::Body>) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return StatusCode::NOT_FOUND.into_response();
    }
    if path.rsplit('/').next().is_some_and(|name| name.contains('.')) {
        return assets::root_file(&state.config, request).await.unwrap_or_else(failures::missing_file);
    }
    let mut response = render(&state, request).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

/// The page of an address, whichever it is.
pub(super) async fn render(state: &AppState, request: Request<axum::body::Body>) -> Response {
    let options = state.leptos.clone();
    leptos_axum::render_app_async_with_context(context(state), move || app::shell(options.clone()))(request).await
}

/// What pages and server functions find in their context, on both ways in: while rendering and over HTTP.
fn context(state: &AppState) -> impl Fn() + Clone + Send + Sync + 'static {
    let state = state.clone();
    move || {
        let parts = use_context::<Parts>();
        // the nonce of the header, in place of the one that Leptos made up
        if let Some(nonce) = parts.as_ref().and_then(|parts| parts.extensions.get::<Nonce>()) {
            provide_context(nonce.clone());
        }
        let parts = parts.unwrap_or_else(|| Request::new(()).into_parts().0);
        let backend = Arc::new(RequestBackend::new(&state, &parts, use_context::<ResponseOptions>()));
        provide_context(app::backend::docs::DocsSource(rest::docs::docs));
        provide_context::<Arc<dyn app::backend::Backend>>(Arc::clone(&backend) as _);
        provide_context::<Arc<dyn app::backend::accounts::AccountBackend>>(Arc::clone(&backend) as _);
        provide_context::<Arc<dyn app::backend::links::LinkBackend>>(Arc::clone(&backend) as _);
        provide_context::<Arc<dyn app::backend::prices::PriceBackend>>(Arc::clone(&backend) as _);
        provide_context::<Arc<dyn app::backend::scenarios::ScenarioBackend>>(Arc::clone(&backend) as _);
        provide_context::<Arc<dyn app::backend::tokens::TokenBackend>>(Arc::clone(&backend) as _);
        provide_context::<Arc<dyn app::backend::teams::TeamBackend>>(backend);
    }
}
