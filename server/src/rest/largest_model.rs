//! `/largest-model`: limits in, the largest model that they allow out.

use super::body::JsonBody;
use super::problem::ApiProblem;
use super::query::Query;
use crate::service::planning::Planning;
use axum::Json;
use axum::extract::State;
use engine::PlanRequest;
use engine::answer::LargestModel;
use engine::request::{Form, plan_request_from_pairs};
use serde::Serialize;

/// The answer.
#[derive(Debug, Serialize)]
pub struct Answer {
    largest_model: Option<LargestModel>,
}

/// Largest model for the limits in the query
///
/// The keys are those of a plan. The model of the request gives the tokens per parameter; the answer is the largest dense
/// model, of the usual depth and width for its size, that fits budget, deadline and power on as many.
#[utoipa::path(get, path = "/largest-model", operation_id = "getLargestModel", tag = "Plans",
    responses((status = 200, description = "The largest model", body = ref("#/components/schemas/LargestModelAnswer"))))]
pub async fn get_largest_model(State(planning): State<Planning>, query: Query) -> Result<Json<Answer>, ApiProblem> {
    answer(&planning, plan_request_from_pairs(query.pairs)?).await
}

/// Largest model for the limits in the body
#[utoipa::path(post, path = "/largest-model", operation_id = "postLargestModel", tag = "Plans",
    request_body(content = ref("#/components/schemas/PlanRequest"), content_type = "application/json"),
    responses((status = 200, description = "The largest model", body = ref("#/components/schemas/LargestModelAnswer"))))]
pub async fn post_largest_model(
    State(planning): State<Planning>,
    query: Query,
    body: JsonBody,
) -> Result<Json<Answer>, ApiProblem> {
    query.finish()?;
    answer(&planning, PlanRequest::parse(&body.0, Form::Json)?).await
}

async fn answer(planning: &Planning, request: PlanRequest) -> Result<Json<Answer>, ApiProblem> {
    Ok(Json(Answer { largest_model: planning.largest_model(request).await? }))
}
