//! `/estimates`: one cluster and layout in, time, memory and utilization out; or up to 1,000 of them at once.

use super::body::JsonBody;
use super::problem::ApiProblem;
use super::query::Query;
use crate::limits::gate::refused;
use crate::limits::{Action, Client};
use crate::service::planning::Planning;
use crate::state::AppState;
use axum::Json;
use axum::extract::{Extension, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use engine::request::{Form, tree_from_pairs};
use engine::{Estimate, EstimateRequest, FieldProblem, Problem};
use serde::Serialize;
use serde_json::Value;

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
            // the request itself has been counted
            let more = u32::try_from(items.len().min(BATCH_MAX) / COUNTED_AS_ONE).unwrap_or(u32::MAX);
            if let Err(wait) = state.gates.spend(Action::Compute, client, more) {
                return Ok(refused(&state, Action::Compute, wait));
            }
            Ok(Json(batch(planning, &items).await?).into_response())
        }
        single => Ok(Json(one(planning, EstimateRequest::parse(&single, Form::Json)?).await?).into_response()),
    }
}

async fn one(planning: &Planning, request: EstimateRequest) -> Result<Estimate, ApiProblem> {
    let answer = planning.estimates(vec![request]).await?.pop();
    let answer = answer.ok_or_else(|| ApiProblem::of_status(StatusCode::INTERNAL_SERVER_ERROR))?;
    Ok(answer?)
}

async fn batch(planning: &Planning, items: &[Value]) -> Result<Vec<Element>, ApiProblem> {
    if items.len() > BATCH_MAX {
        let message = format!("the array has {} requests; send at most {BATCH_MAX} at once", items.len());
        return Err(Problem::invalid(vec![FieldProblem::new("", "too_many", message)]).into());
    }
    let parsed: Vec<Result<EstimateRequest, Problem>> =
        items.iter().map(|item| EstimateRequest::parse(item, Form::Json)).collect();
    let good = parsed.iter().filter_map(|request| request.as_ref().ok().cloned()).collect();
    let mut answers = planning.estimates(good).await?.into_iter();
    let elements = parsed.into_iter().map(|request| {
        // one answer for each request that could be read, in order
        match request.map(|_| answers.next()) {
            Ok(Some(Ok(estimate))) => Element::Estimate(Box::new(estimate)),
            Ok(Some(Err(problem))) | Err(problem) => Element::Problem(problem.into()),
            Ok(None) => Element::Problem(ApiProblem::of_status(StatusCode::INTERNAL_SERVER_ERROR)),
        }
    });
    Ok(elements.collect())
}
