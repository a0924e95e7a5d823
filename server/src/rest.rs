//! The REST API: one file a resource. Handlers read, call a service, and answer; errors are `application/problem+json`.

pub mod artifacts;
pub mod batch;
pub mod bearer;
pub mod body;
pub mod catalog;
mod checked;
pub mod docs;
pub mod estimates;
pub mod etag;
pub mod files;
pub mod largest_model;
pub mod me;
pub mod openapi;
pub mod plan_files;
pub mod plans;
pub mod problem;
pub mod query;
pub mod schema;
pub mod upload;
pub mod validation;

use crate::state::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Where the API lives.
pub const BASE: &str = "/api/v1";

/// Every route of the API with its documentation.
pub fn router() -> OpenApiRouter<AppState> {
    let routes = OpenApiRouter::new()
        .routes(routes!(plans::get_plan, plans::post_plan))
        .routes(routes!(plan_files::get_csv, plan_files::post_csv))
        .routes(routes!(plan_files::get_xlsx, plan_files::post_xlsx))
        .routes(routes!(plan_files::get_json, plan_files::post_json))
        .routes(routes!(plan_files::get_value))
        .routes(routes!(artifacts::get_artifacts))
        .routes(routes!(artifacts::get_artifact))
        .routes(routes!(artifacts::get_archive))
        .routes(routes!(batch::post_sheet))
        .routes(routes!(largest_model::get_largest_model, largest_model::post_largest_model))
        .routes(routes!(estimates::get_estimate, estimates::post_estimates))
        .routes(routes!(estimates::get_estimate_csv, estimates::post_estimates_csv))
        .routes(routes!(catalog::get_catalog))
        .routes(routes!(validation::get_validation))
        .routes(routes!(me::get_me))
        .routes(routes!(openapi::get_openapi));
    OpenApiRouter::with_openapi(openapi::head()).nest(BASE, routes)
}
