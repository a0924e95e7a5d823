//! The whole server as one router: API, pages, server functions, files, and the layers around them.

pub mod assets;
mod cards;
mod compared;
mod conflicts;
mod downloads;
mod export;
pub mod failures;
mod function_errors;
mod health;
mod layers;
mod pages;
mod quotes;
mod saved;
pub mod table;

use crate::rest;
use crate::state::AppState;
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;

/// Builds the router. What is in it is listed in [`table::ROUTES`]; a test compares the two.
pub fn build(state: &AppState) -> Router {
    let (api, _) = rest::router().split_for_parts();
    // words are changed before they are compressed
    let api = api.layer(from_fn_with_state(state.clone(), rest::bearer::guard)).layer(from_fn(failures::word));
    let pages = pages::routes(state)
        .route("/account/export", get(export::export))
        .route("/scenarios/files/{file}", get(saved::file))
        .route("/scenarios/{id}/plan.csv", get(downloads::scenario_csv))
        .route("/scenarios/{id}/plan.xlsx", get(downloads::scenario_xlsx))
        .route("/scenarios/{id}/versions/{number}/plan.csv", get(downloads::version_csv))
        .route("/scenarios/{id}/versions/{number}/plan.xlsx", get(downloads::version_xlsx))
        .route("/s/{token}/plan.csv", get(downloads::shared_csv))
        .route("/s/{token}/plan.xlsx", get(downloads::shared_xlsx))
        .route("/compare/{file}", get(compared::file))
        .route("/price-book/{file}", get(quotes::file))
        .route("/cards/{card}", get(cards::card));
    let dynamic = Router::new().merge(api).merge(pages);
    let router = Router::new()
        .merge(layers::compressed(dynamic))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .nest_service("/pkg", assets::package(&state.config))
        .fallback(pages::fallback)
        .method_not_allowed_fallback(failures::method_not_allowed);
    layers::around(router, state).with_state(state.clone())
}
