//! `/plans`: a request in, a plan out; or up to 50 of them at once.

use super::batch;
use super::body::JsonBody;
use super::problem::ApiProblem;
use super::query::{Detail, Query};
use crate::limits::Client;
use crate::service::ServiceError;
use crate::service::planning::Planning;
use crate::state::AppState;
use axum::extract::{Extension, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use engine::request::{Form, plan_request_from_pairs};
use engine::{Plan, PlanRequest};
use serde_json::Value;

/// Plan for the request in the query
///
/// The keys are those of the JSON request, joined with dots, such as `model.preset=llama-3.1-70b`. Numbers may be
/// written as people write them: `70B`, `1.5T`, `8k`, `40%`, `$5M`. `utilization`, `demand_growth_per_month` and
/// `demand_seasonality` take percent without its sign too: `60`, `60%` and `0.6` are the same. The query is that of the
/// planner page, so the address of a page becomes data by changing its path. A key that starts with `_` is ignored.
#[utoipa::path(get, path = "/plans", operation_id = "getPlan", tag = "Plans",
    params(("explain" = Option<bool>, Query, description = "Add the formula and the values behind each figure")),
    responses((status = 200, description = "The plan", body = ref("#/components/schemas/Plan"))))]
pub async fn get_plan(State(planning): State<Planning>, mut query: Query) -> Result<Response, ApiProblem> {
    let detail = query.take_explain()?;
    let request = plan_request_from_pairs(query.pairs)?;
    answer(&planning, request, detail).await
}

/// Plans for the request, or the array of requests, in the body
///
/// An array of up to 50 gives an array of the same length in the same order: each element is a plan, or the problem of
/// that element. Elements for which there was no time are problems with the code `busy`: sent again they are answered at
/// once.
#[utoipa::path(post, path = "/plans", operation_id = "postPlan", tag = "Plans",
    params(("explain" = Option<bool>, Query, description = "Add the formula and the values behind each figure")),
    request_body(content = ref("#/components/schemas/PlanRequestOrBatch"), content_type = "application/json"),
    responses((status = 200, description = "The plan, or one element for each request", body = ref("#/components/schemas/PlanOrBatch"))))]
pub async fn post_plan(
    State(state): State<AppState>,
    Extension(client): Extension<Client>,
    mut query: Query,
    body: JsonBody,
) -> Result<Response, ApiProblem> {
    let detail = query.take_explain()?;
    query.finish()?;
    match body.0 {
        Value::Array(items) => batch::plans(&state, client, &items, detail).await,
        single => answer(&state.planning, PlanRequest::parse(&single, Form::Json)?, detail).await,
    }
}

async fn answer(planning: &Planning, request: PlanRequest, detail: Detail) -> Result<Response, ApiProblem> {
    let plan = planning.plan(request).await?;
    let body = match detail {
        Detail::Plain => json(&plan.without_explanations())?,
        Detail::Explained => json(&plan)?,
    };
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

fn json(plan: &Plan) -> Result<Vec<u8>, ApiProblem> {
    serde_json::to_vec(plan).map_err(|error| ServiceError::Internal(error.to_string()).into())
}
