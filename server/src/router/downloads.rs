//! The plan of a scenario or a share link as files, as it is frozen: for those who look at its page.

use super::export::who_asks;
use crate::rest::frozen::FrozenPlan;
use crate::rest::problem::ApiProblem;
use crate::rest::query::Query;
use crate::service::ServiceError;
use crate::service::clock::iso;
use crate::service::scenarios::links::Viewing;
use crate::state::AppState;
use crate::tables::scenario;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;

/// What a caller gets who names no table.
const FIRST: &str = "summary";

/// One table of a scenario's plan.
pub async fn scenario_csv(
    State(state): State<AppState>,
    Path(id): Path<String>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    csv(of_scenario(&state, &id, &headers).await?, query, &headers)
}

/// A scenario's plan as a workbook.
pub async fn scenario_xlsx(
    State(state): State<AppState>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    Ok(of_scenario(&state, &id, &headers).await?.book(&state.planning).await?.respond(&headers))
}

/// One table of a version of a scenario.
pub async fn version_csv(
    State(state): State<AppState>,
    Path((id, number)): Path<(String, String)>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    csv(of_version(&state, &id, &number, &headers).await?, query, &headers)
}

/// A version of a scenario as a workbook.
pub async fn version_xlsx(
    State(state): State<AppState>,
    Path((id, number)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    Ok(of_version(&state, &id, &number, &headers).await?.book(&state.planning).await?.respond(&headers))
}

/// One table of what a share link shows.
pub async fn shared_csv(
    State(state): State<AppState>,
    Path(token): Path<String>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    csv(of_link(&state, &token).await?, query, &headers)
}

/// What a share link shows as a workbook.
pub async fn shared_xlsx(
    State(state): State<AppState>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    Ok(of_link(&state, &token).await?.book(&state.planning).await?.respond(&headers))
}

fn csv(plan: FrozenPlan, mut query: Query, headers: &HeaderMap) -> Result<Response, ApiProblem> {
    let table = query.take_table(&scenario::names())?.unwrap_or(FIRST);
    let dialect = query.take_dialect()?;
    Ok(plan.csv(table, dialect)?.respond(headers))
}

async fn of_scenario(state: &AppState, id: &str, headers: &HeaderMap) -> Result<FrozenPlan, ApiProblem> {
    let actor = who_asks(state, headers).await?;
    let found = state.scenarios.get(&actor, id).await?;
    Ok(FrozenPlan {
        name: found.scenario.name,
        version: found.scenario.number,
        frozen_at: iso(found.scenario.frozen_at),
        plan: found.plan,
    })
}

async fn of_version(state: &AppState, id: &str, number: &str, headers: &HeaderMap) -> Result<FrozenPlan, ApiProblem> {
    let actor = who_asks(state, headers).await?;
    let number = number.parse().map_err(|_| ServiceError::NotFound)?;
    let found = state.scenarios.version(&actor, id, number).await?;
    Ok(FrozenPlan {
        name: found.scenario.name,
        version: found.version.number,
        frozen_at: iso(found.version.frozen_at),
        plan: found.plan,
    })
}

/// Whoever downloads has looked, and was counted then.
async fn of_link(state: &AppState, token: &str) -> Result<FrozenPlan, ApiProblem> {
    let shared = state.scenarios.open(token, Viewing::Uncounted).await?;
    Ok(FrozenPlan { name: shared.name, version: shared.version, frozen_at: iso(shared.as_of), plan: shared.plan })
}
