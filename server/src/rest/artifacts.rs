//! `/plans/artifacts`: the files that an engineer starts from, one by one, as a list, and together.

use super::etag::Tagged;
use super::files::{File, KEPT, fault};
use super::problem::ApiProblem;
use super::query::Query;
use crate::service::planning::Planning;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use engine::request::plan_request_from_pairs;
use engine::{Handover, handover};
use std::io::{Cursor, Write};
use zip::ZipWriter;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;

/// The files of a plan, for the request in the query
///
/// Each with its text, what to know before using it and what reads it without a complaint; what can't be written for
/// this plan is listed with the reason.
#[utoipa::path(get, path = "/plans/artifacts", operation_id = "getPlanArtifacts", tag = "Plans",
    responses(
        (status = 200, description = "The files", content_type = "application/json", body = ref("#/components/schemas/Handover")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_artifacts(
    State(planning): State<Planning>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let files = files(&planning, query).await?;
    let body = serde_json::to_vec(&files).map_err(fault)?;
    Ok(Tagged::new(body, "application/json", KEPT).respond(&headers))
}

/// One file of a plan, for the request in the query
#[utoipa::path(get, path = "/plans/artifacts/{name}", operation_id = "getPlanArtifact", tag = "Plans",
    params(("name" = String, Path, description = "Name of the file, such as `megatron-lm.sh`")),
    responses(
        (status = 200, description = "The file", content_type = "text/plain", body = String),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag"),
        (status = 404, description = "There is no file of this name for this plan, and why", content_type = "application/problem+json", body = ref("#/components/schemas/Problem"))))]
pub async fn get_artifact(
    State(planning): State<Planning>,
    Path(name): Path<String>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let files = files(&planning, query).await?;
    match files.artifact(&name) {
        Some(file) => {
            let (stem, ending) = file.name.rsplit_once('.').unwrap_or((&file.name, "txt"));
            let body = file.text.clone().into_bytes();
            let media_type = "text/plain; charset=utf-8";
            Ok(File { body, media_type, name: stem.to_owned(), ending: ending.to_owned() }.respond(&headers))
        }
        None => Err(missing(&files, &name)),
    }
}

/// All files of a plan as a ZIP archive, for the request in the query
#[utoipa::path(get, path = "/plans/artifacts.zip", operation_id = "getPlanArchive", tag = "Plans",
    responses(
        (status = 200, description = "The archive", content_type = "application/zip", body = String),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag"),
        (status = 404, description = "There are no files for this plan", content_type = "application/problem+json", body = ref("#/components/schemas/Problem"))))]
pub async fn get_archive(
    State(planning): State<Planning>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let files = files(&planning, query).await?;
    if files.artifacts.is_empty() {
        return Err(missing(&files, "artifacts.zip"));
    }
    let body = planning.on_a_core(move || archive(&files)).await?.map_err(fault)?;
    let name = "clusterwright-plan".to_owned();
    Ok(File { body, media_type: "application/zip", name, ending: "zip".to_owned() }.respond(&headers))
}

async fn files(planning: &Planning, query: Query) -> Result<Handover, ApiProblem> {
    let plan = planning.plan(plan_request_from_pairs(query.pairs)?).await?;
    Ok(planning.on_a_core(move || handover(&plan)).await?)
}

/// Why there is no such file.
fn missing(files: &Handover, name: &str) -> ApiProblem {
    let shown: String = name.chars().take(60).collect();
    let detail = match files.refused.iter().find(|refused| refused.name == name) {
        Some(refused) => format!("{shown} can't be written for this plan: {}", refused.reason),
        None if files.artifacts.is_empty() => "the plan shows no cluster, so there is nothing to configure".to_owned(),
        None => {
            let names: Vec<&str> = files.artifacts.iter().map(|file| file.name.as_str()).collect();
            format!("there is no file `{shown}`; there are {}", names.join(", "))
        }
    };
    ApiProblem::new(StatusCode::NOT_FOUND, "not_found", detail)
}

/// Scripts keep their right to run. Every file has the same old date, so that the same plan gives the same archive.
fn archive(files: &Handover) -> Result<Vec<u8>, ZipError> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for file in &files.artifacts {
        let rights = if file.name.ends_with(".sh") || file.name.ends_with(".sbatch") { 0o755 } else { 0o644 };
        archive.start_file(&file.name, SimpleFileOptions::DEFAULT.unix_permissions(rights))?;
        archive.write_all(file.text.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}
