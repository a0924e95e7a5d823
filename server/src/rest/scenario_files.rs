//! `/scenarios/{id}/plan`: the frozen plan of a scenario, as JSON and as tables.

use super::bearer::Bearer;
use super::conditional::tagged;
use super::frozen::FrozenPlan;
use super::problem::ApiProblem;
use super::query::{Detail, Query};
use super::scenarios::tag;
use crate::service::clock::iso;
use crate::state::AppState;
use crate::tables::scenario;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;

/// What a caller gets who names no table.
const FIRST: &str = "summary";

/// The frozen plan of a scenario
///
/// As it was when the current version was saved: neither the catalog nor the engine of today changes it.
#[utoipa::path(get, path = "/scenarios/{id}/plan", operation_id = "getScenarioPlan", tag = "Scenarios", security(("bearer" = [])),
    params(
        ("id" = String, Path, description = "Public id"),
        ("explain" = Option<bool>, Query, description = "Add the formula and the values behind each figure")),
    responses(
        (status = 200, description = "The plan", body = ref("#/components/schemas/Plan")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_plan(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let detail = query.take_explain()?;
    query.finish_known(&["explain"])?;
    let found = state.scenarios.get(&bearer.actor(), &id).await?;
    Ok(match detail {
        Detail::Explained => tagged(&headers, &format!("{}.explained", tag(&found.scenario)), &found.plan),
        Detail::Plain => tagged(&headers, &tag(&found.scenario), &found.plan.without_explanations()),
    })
}

/// One table of the frozen plan of a scenario as CSV
#[utoipa::path(get, path = "/scenarios/{id}/plan.csv", operation_id = "getScenarioCsv", tag = "Scenarios", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id")),
    responses(
        (status = 200, description = "The table", content_type = "text/csv", body = String),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_csv(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let table = query.take_table(&scenario::names())?.unwrap_or(FIRST);
    let dialect = query.take_dialect()?;
    query.finish_known(&["table", "bom", "delimiter", "decimal"])?;
    Ok(frozen(&state, &bearer, &id).await?.csv(table, dialect)?.respond(&headers))
}

/// The tables of the frozen plan of a scenario as JSON rows
#[utoipa::path(get, path = "/scenarios/{id}/plan.json", operation_id = "getScenarioRows", tag = "Scenarios", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id")),
    responses(
        (status = 200, description = "The rows", content_type = "application/json", body = ref("#/components/schemas/Rows")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_rows(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let table = query.take_table(&scenario::names())?;
    query.finish_known(&["table"])?;
    Ok(frozen(&state, &bearer, &id).await?.rows(table).respond(&headers))
}

/// The frozen plan of a scenario as a workbook, with the name of the scenario in it
#[utoipa::path(get, path = "/scenarios/{id}/plan.xlsx", operation_id = "getScenarioWorkbook", tag = "Scenarios", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id")),
    responses(
        (status = 200, description = "The workbook", content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", body = String),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_xlsx(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    query.finish_known(&[])?;
    let book = frozen(&state, &bearer, &id).await?.book(&state.planning).await?;
    Ok(book.respond(&headers))
}

async fn frozen(state: &AppState, bearer: &Bearer, id: &str) -> Result<FrozenPlan, ApiProblem> {
    let found = state.scenarios.get(&bearer.actor(), id).await?;
    Ok(FrozenPlan {
        name: found.scenario.name,
        version: found.scenario.number,
        frozen_at: iso(found.scenario.frozen_at),
        plan: found.plan,
    })
}
