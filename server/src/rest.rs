//! The REST API: one file a resource. Handlers read, call a service, and answer; errors are `application/problem+json`.

pub mod artifacts;
pub mod batch;
pub mod bearer;
pub mod body;
pub mod catalog;
mod checked;
pub mod conditional;
pub mod docs;
pub mod estimates;
pub mod etag;
pub mod feeds;
pub mod files;
pub mod frozen;
pub mod input;
pub mod largest_model;
pub mod links;
pub mod log;
pub mod me;
pub mod once;
pub mod openapi;
pub mod plan_files;
pub mod plans;
pub mod price_book;
pub mod problem;
pub mod query;
pub mod scenario_files;
pub mod scenarios;
pub mod schema;
pub mod upload;
pub mod validation;
pub mod versions;
pub mod views;

use crate::state::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Where the API lives.
pub const BASE: &str = "/api/v1";

/// What belongs to a team.
fn team() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(scenarios::get_scenarios, scenarios::post_scenario))
        .routes(routes!(scenarios::get_scenario, scenarios::patch_scenario, scenarios::delete_scenario))
        .routes(routes!(scenarios::duplicate_scenario))
        .routes(routes!(scenarios::get_comparison))
        .routes(routes!(scenario_files::get_plan))
        .routes(routes!(scenario_files::get_csv))
        .routes(routes!(scenario_files::get_rows))
        .routes(routes!(scenario_files::get_xlsx))
        .routes(routes!(versions::get_versions))
        .routes(routes!(versions::get_version))
        .routes(routes!(versions::restore_version))
        .routes(routes!(links::get_links, links::post_link))
        .routes(routes!(links::get_link, links::patch_link, links::delete_link))
        .routes(routes!(links::rotate_link))
        .routes(routes!(price_book::get_book))
        .routes(routes!(price_book::get_quote, price_book::put_quote, price_book::delete_quote))
        .routes(routes!(log::get_log))
        .routes(routes!(feeds::get_table))
        .routes(routes!(feeds::get_value))
}

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
        .routes(routes!(views::get_view))
        .routes(routes!(me::get_me))
        .merge(team())
        .routes(routes!(openapi::get_openapi));
    OpenApiRouter::with_openapi(openapi::head()).nest(BASE, routes)
}
