//! `/scenarios/{id}/versions`: the history of a scenario.

use super::bearer::Bearer;
use super::conditional::tagged;
use super::problem::ApiProblem;
use super::scenarios::{expected, now, tag};
use crate::service::ServiceError;
use crate::service::clock::iso;
use crate::state::AppState;
use crate::store::versions::Version;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;

#[derive(Debug, Serialize)]
struct VersionAnswer {
    number: i64,
    headline: String,
    query: String,
    engine_version: String,
    catalog_version: String,
    frozen_at: String,
    saved_at: String,
    saved_by: Option<String>,
    reason: String,
}

#[derive(Debug, Serialize)]
struct ListAnswer {
    versions: Vec<VersionAnswer>,
}

#[derive(Debug, Serialize)]
struct DetailAnswer<'a> {
    version: VersionAnswer,
    plan: &'a engine::Plan,
}

impl From<Version> for VersionAnswer {
    fn from(version: Version) -> Self {
        Self {
            number: version.number,
            headline: version.headline,
            query: version.query,
            engine_version: version.engine_version,
            catalog_version: version.catalog_version,
            frozen_at: iso(version.frozen_at),
            saved_at: iso(version.saved_at),
            saved_by: version.who,
            reason: version.reason,
        }
    }
}

/// The versions of a scenario, newest first
#[utoipa::path(get, path = "/scenarios/{id}/versions", operation_id = "getVersions", tag = "Scenarios", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id")),
    responses(
        (status = 200, description = "The versions that are kept", body = ref("#/components/schemas/VersionList")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_versions(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let (scenario, versions) = state.scenarios.versions(&bearer.actor(), &id).await?;
    let versions = versions.into_iter().map(VersionAnswer::from).collect();
    Ok(tagged(&headers, &tag(&scenario), &ListAnswer { versions }))
}

/// A version with its plan
///
/// The plan is the one that was made then: neither the catalog nor the engine of today changes it.
#[utoipa::path(get, path = "/scenarios/{id}/versions/{number}", operation_id = "getVersion", tag = "Scenarios", security(("bearer" = [])),
    params(
        ("id" = String, Path, description = "Public id"),
        ("number" = u32, Path, description = "Number of the version, from 1")),
    responses((status = 200, description = "The version", body = ref("#/components/schemas/VersionDetail"))))]
pub async fn get_version(
    State(state): State<AppState>,
    bearer: Bearer,
    Path((id, number)): Path<(String, String)>,
) -> Result<Response, ApiProblem> {
    let detail = state.scenarios.version(&bearer.actor(), &id, read(&number)?).await?;
    let plan = detail.plan.without_explanations();
    let answer = DetailAnswer { version: detail.version.into(), plan: &plan };
    Ok(axum::response::IntoResponse::into_response(axum::Json(&answer)))
}

/// Make an earlier version the newest one
///
/// Inputs and frozen plan; nothing is planned again, and no version is lost.
#[utoipa::path(post, path = "/scenarios/{id}/versions/{number}/restore", operation_id = "restoreVersion", tag = "Scenarios", security(("bearer" = [])),
    params(
        ("id" = String, Path, description = "Public id"),
        ("number" = u32, Path, description = "Number of the version, from 1"),
        ("If-Match" = Option<String>, Header, description = "The ETag of the scenario that was read")),
    responses((status = 200, description = "The scenario as it is now", body = ref("#/components/schemas/Scenario"))))]
pub async fn restore_version(
    State(state): State<AppState>,
    bearer: Bearer,
    Path((id, number)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let actor = bearer.actor();
    let (scenario, _) = state.scenarios.glance(&actor, &id).await?;
    let expected = expected(&headers, &scenario)?;
    state.scenarios.restore(&actor, &id, read(&number)?, expected).await?;
    now(&state, &actor, &id).await
}

/// What is no number is no version.
fn read(number: &str) -> Result<i64, ServiceError> {
    number.parse().ok().filter(|number| *number >= 1).ok_or(ServiceError::NotFound)
}
