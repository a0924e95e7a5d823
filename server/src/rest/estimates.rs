//! `/estimates`: one cluster and layout in, time, memory and utilization out; or up to 1,000 of them at once.

use super::body::JsonBody;
use super::files::File;
use super::problem::ApiProblem;
use super::query::Query;
use crate::limits::gate::refused;
use crate::limits::{Action, Client};
use crate::service::planning::Planning;
use crate::state::AppState;
use crate::tables::estimates as tables;
use axum::Json;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use engine::request::{Form, tree_from_pairs};
use engine::{Estimate, EstimateRequest, FieldProblem, Problem};
use serde::Serialize;
use serde_json::Value;
use std::time::Duration;

/// Most requests in one array.
pub const BATCH_MAX: usize = 1_000;
/// Estimates of an array that cost about as much as a plan, and count as one request.
const COUNTED_AS_ONE: usize = 16;

/// One element of the answer to an array.
#[derive(Serialize)]
#[serde(untagged)]
enum Element {
    Estimate(Box<Estimate>),
    Problem(ApiProblem),
}

/// Estimate for the request in the query
///
/// The keys are those of the JSON request, joined with dots, such as `layout.tensor=8`. A key that starts with `_`
/// is ignored.
#[utoipa::path(get, path = "/estimates", operation_id = "getEstimate", tag = "Estimates",
    responses((status = 200, description = "The estimate", body = ref("#/components/schemas/Estimate"))))]
pub async fn get_estimate(State(planning): State<Planning>, query: Query) -> Result<Json<Estimate>, ApiProblem> {
    let request = EstimateRequest::parse(&tree_from_pairs(query.pairs)?, Form::Text)?;
    one(&planning, request).await.map(Json)
}

/// Estimates for the request, or the array of requests, in the body
///
/// An array of up to 1,000 gives an array of the same length in the same order: each element is an estimate, or the
/// problem of that element. One bad element does not touch the others.
#[utoipa::path(post, path = "/estimates", operation_id = "postEstimates", tag = "Estimates",
    request_body(content = ref("#/components/schemas/EstimateRequestOrBatch"), content_type = "application/json"),
    responses((status = 200, description = "The estimate, or one element for each request", body = ref("#/components/schemas/EstimateOrBatch"))))]
pub async fn post_estimates(
    State(state): State<AppState>,
    Extension(client): Extension<Client>,
    query: Query,
    body: JsonBody,
) -> Result<Response, ApiProblem> {
    query.finish()?;
    let planning = &state.planning;
    match body.0 {
        Value::Array(items) => {
            if let Err(wait) = spend(&state, client, items.len()) {
                return Ok(refused(&state, Action::Compute, wait));
            }
            Ok(Json(batch(planning, &items).await?).into_response())
        }
        single => Ok(Json(one(planning, EstimateRequest::parse(&single, Form::Json)?).await?).into_response()),
    }
}

/// Estimate as one row of CSV, for the request in the query
#[utoipa::path(get, path = "/estimates.csv", operation_id = "getEstimateCsv", tag = "Estimates",
    responses(
        (status = 200, description = "The estimate", content_type = "text/csv", body = String),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_estimate_csv(
    State(planning): State<Planning>,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let dialect = query.take_dialect()?;
    let request = EstimateRequest::parse(&tree_from_pairs(query.pairs)?, Form::Text)?;
    let estimate = one(&planning, request).await?;
    let table = tables::estimates(vec![tables::Row { number: 1, outcome: Ok(estimate) }]);
    Ok(File::delimited(&table, dialect, "estimate".into())?.respond(&headers))
}

/// Estimates as rows of CSV, for the request, or the array of requests, in the body
///
/// A row for each request in its order, with its number; what is wrong with one is in its own row.
#[utoipa::path(post, path = "/estimates.csv", operation_id = "postEstimatesCsv", tag = "Estimates",
    request_body(content = ref("#/components/schemas/EstimateRequestOrBatch"), content_type = "application/json"),
    responses((status = 200, description = "A row for each request", content_type = "text/csv", body = String)))]
pub async fn post_estimates_csv(
    State(state): State<AppState>,
    Extension(client): Extension<Client>,
    mut query: Query,
    body: JsonBody,
) -> Result<Response, ApiProblem> {
    let dialect = query.take_dialect()?;
    query.finish()?;
    let outcomes = match body.0 {
        Value::Array(items) => {
            if let Err(wait) = spend(&state, client, items.len()) {
                return Ok(refused(&state, Action::Compute, wait));
            }
            each(&state.planning, &items).await?
        }
        single => vec![Ok(one(&state.planning, EstimateRequest::parse(&single, Form::Json)?).await?)],
    };
    let rows = outcomes.into_iter().zip(1..).map(|(outcome, number)| tables::Row { number, outcome });
    Ok(File::delimited(&tables::estimates(rows.collect()), dialect, "estimates".into())?.respond(&HeaderMap::new()))
}

/// The request itself has been counted; a batch counts as a few more.
fn spend(state: &AppState, client: Client, items: usize) -> Result<(), Duration> {
    let more = u32::try_from(items.min(BATCH_MAX) / COUNTED_AS_ONE).unwrap_or(u32::MAX);
    state.gates.spend(Action::Compute, client, more)
}

async fn one(planning: &Planning, request: EstimateRequest) -> Result<Estimate, ApiProblem> {
    let answer = planning.estimates(vec![request]).await?.pop();
    let answer = answer.ok_or_else(|| ApiProblem::of_status(StatusCode::INTERNAL_SERVER_ERROR))?;
    Ok(answer?)
}

async fn batch(planning: &Planning, items: &[Value]) -> Result<Vec<Element>, ApiProblem> {
    let elements = each(planning, items).await?.into_iter().map(|outcome| match outcome {
        Ok(estimate) => Element::Estimate(Box::new(estimate)),
        Err(problem) => Element::Problem(problem.into()),
    });
    Ok(elements.collect())
}

/// What becomes of each of many, in their order.
async fn each(planning: &Planning, items: &[Value]) -> Result<Vec<Result<Estimate, Problem>>, ApiProblem> {
    if items.len() > BATCH_MAX {
        let message = format!("the array has {} requests; send at most {BATCH_MAX} at once", items.len());
        return Err(Problem::invalid(vec![FieldProblem::new("", "too_many", message)]).into());
    }
    let parsed: Vec<Result<EstimateRequest, Problem>> =
        items.iter().map(|item| EstimateRequest::parse(item, Form::Json)).collect();
    let good = parsed.iter().filter_map(|request| request.as_ref().ok().cloned()).collect();
    // one answer for each request that could be read, in order
    let mut answers = planning.estimates(good).await?.into_iter();
    let outcomes = parsed.into_iter().map(|request| match request {
        Ok(_) => answers.next().ok_or_else(|| ApiProblem::of_status(StatusCode::INTERNAL_SERVER_ERROR)),
        Err(problem) => Ok(Err(problem)),
    });
    outcomes.collect()
}
