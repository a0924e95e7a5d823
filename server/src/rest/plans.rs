//! `/plans`: a request in, a plan out.

use super::body::JsonBody;
use super::problem::ApiProblem;
use super::query::{Detail, Query};
use crate::service::ServiceError;
use crate::service::planning::Planning;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use engine::request::{Form, plan_request_from_pairs};
use engine::{Plan, PlanRequest};

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

/// Plan for the request in the body
#[utoipa::path(post, path = "/plans", operation_id = "postPlan", tag = "Plans",
    params(("explain" = Option<bool>, Query, description = "Add the formula and the values behind each figure")),
    request_body(content = ref("#/components/schemas/PlanRequest"), content_type = "application/json"),
    responses((status = 200, description = "The plan", body = ref("#/components/schemas/Plan"))))]
pub async fn post_plan(
    State(planning): State<Planning>,
    mut query: Query,
    body: JsonBody,
) -> Result<Response, ApiProblem> {
    let detail = query.take_explain()?;
    query.finish()?;
    let request = PlanRequest::parse(&body.0, Form::Json)?;
    answer(&planning, request, detail).await
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
