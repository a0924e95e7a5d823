//! Many plans at once: an array of requests, or a sheet with one request a row.

use super::files::{File, fault};
use super::problem::ApiProblem;
use super::query::{Detail, Query};
use super::upload::{CsvBody, Sheet};
use crate::limits::gate::refused;
use crate::limits::{Action, Client};
use crate::service::ServiceError;
use crate::state::AppState;
use crate::tables::estimates::{key, problem_columns};
use crate::tables::{Cell, Column, Kind, Table, plan as tables};
use axum::Json;
use axum::extract::{Extension, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use engine::request::{Form, plan_request_from_pairs};
use engine::{FieldProblem, Plan, PlanRequest, Problem};
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;

/// Most plans at once.
pub const PLANS_MAX: usize = 50;

/// One element of the answer to an array.
#[derive(Serialize)]
#[serde(untagged)]
enum Element {
    Plan(Box<Plan>),
    Problem(ApiProblem),
}

/// Why one of many has no plan.
enum Missing {
    Invalid(Problem),
    NotMade(ServiceError),
}

impl From<Missing> for ApiProblem {
    fn from(missing: Missing) -> Self {
        match missing {
            Missing::Invalid(problem) => problem.into(),
            Missing::NotMade(error) => error.into(),
        }
    }
}

/// Plans for each request of an array, in its order: each its own plan or problem.
pub async fn plans(state: &AppState, client: Client, items: &[Value], detail: Detail) -> Result<Response, ApiProblem> {
    if items.len() > PLANS_MAX {
        return Err(too_many("array has", "requests", items.len()));
    }
    let requests = items.iter().map(|item| PlanRequest::parse(item, Form::Json)).collect();
    let answers = match plan_each(state, client, requests).await {
        Ok(answers) => answers,
        Err(refused) => return Ok(refused),
    };
    let elements = answers.into_iter().map(|answer| match (answer, detail) {
        (Ok(plan), Detail::Plain) => Element::Plan(Box::new(plan.without_explanations())),
        (Ok(plan), Detail::Explained) => Element::Plan(Box::new(Plan::clone(&plan))),
        (Err(missing), _) => Element::Problem(missing.into()),
    });
    Ok(Json(elements.collect::<Vec<_>>()).into_response())
}

/// A plan for each row of a sheet
///
/// The first row names inputs as the address of the planner does, such as `model.preset`, `training_tokens`,
/// `budget_usd`; `id` and `name`, if there are such columns, come back beside the answer. Each further row is one plan,
/// up to 50. The answer has a row for each: its key figures, or each field that is wrong with its value and what to do.
/// Comma, semicolon and tab are told apart by the first row; with `decimal=comma` numbers such as `0,6` are read too.
#[utoipa::path(post, path = "/plans/batch.csv", operation_id = "postPlanSheet", tag = "Plans",
    request_body(content = String, content_type = "text/csv"),
    responses((status = 200, description = "A row for each row", content_type = "text/csv", body = String)))]
pub async fn post_sheet(
    State(state): State<AppState>,
    Extension(client): Extension<Client>,
    mut query: Query,
    body: CsvBody,
) -> Result<Response, ApiProblem> {
    let dialect = query.take_dialect()?;
    query.finish()?;
    let sheet = Sheet::read(&body.0, dialect.decimal)?;
    if sheet.rows.len() > PLANS_MAX {
        return Err(too_many("sheet has", "rows below its first", sheet.rows.len()));
    }
    let requests = sheet.rows.iter().map(|row| plan_request_from_pairs(row.pairs.iter().cloned())).collect();
    let answers = match plan_each(&state, client, requests).await {
        Ok(answers) => answers,
        Err(refused) => return Ok(refused),
    };
    let mut columns = vec![column("row", Kind::Integer)];
    columns.extend(["id", "name", "status"].map(|name| column(name, Kind::Text)));
    let [field, remedy]: [Column; 2] = problem_columns().try_into().map_err(|_| fault("two columns are not two"))?;
    columns.extend([field, column("error_value", Kind::Text), remedy]);
    columns.extend(tables::key_columns());
    let rows = sheet.rows.iter().zip(answers).map(|(row, answer)| {
        let (status, error, plan) = match answer {
            Ok(plan) => ("ok", vec![Cell::Empty; 3], Some(plan)),
            Err(missing) => ("error", wrong(&missing, &row.pairs), None),
        };
        let mut cells = vec![row.number.into(), row.id.as_str().into(), row.name.as_str().into(), status.into()];
        cells.extend(error);
        cells.extend(tables::key_figures(plan.as_deref()));
        cells
    });
    let table = Table { name: "plans".into(), columns, rows: rows.collect() };
    Ok(File::delimited(&table, dialect, "plans".into())?.respond(&HeaderMap::new()))
}

/// Field, value and remedy of what is wrong; of several, each with the same number of `; `.
fn wrong(missing: &Missing, pairs: &[(String, String)]) -> Vec<Cell> {
    match missing {
        Missing::Invalid(problem) => {
            let keys: Vec<String> = problem.errors.iter().map(|error| key(&error.pointer)).collect();
            let value =
                |key: &String| pairs.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value.as_str());
            let values: Vec<&str> = keys.iter().map(value).collect();
            let remedies: Vec<&str> = problem.errors.iter().map(|error| error.message.as_str()).collect();
            vec![keys.join("; ").into(), values.join("; ").into(), remedies.join("; ").into()]
        }
        Missing::NotMade(ServiceError::Busy) => {
            let again = "There was no time left for this row; send it again: what was computed is kept.";
            vec![Cell::Empty, Cell::Empty, again.into()]
        }
        Missing::NotMade(_) => {
            vec![Cell::Empty, Cell::Empty, "Something went wrong on the server; send it again.".into()]
        }
    }
}

/// The request itself has been counted; each further plan is one more. The answer, or the refusal of them all.
async fn plan_each(
    state: &AppState,
    client: Client,
    requests: Vec<Result<PlanRequest, Problem>>,
) -> Result<Vec<Result<Arc<Plan>, Missing>>, Response> {
    let good: Vec<PlanRequest> = requests.iter().filter_map(|request| request.as_ref().ok().cloned()).collect();
    let more = u32::try_from(good.len().saturating_sub(1)).unwrap_or(u32::MAX);
    if more > 0
        && let Err(wait) = state.gates.spend(Action::Compute, client, more)
    {
        return Err(refused(state, Action::Compute, wait));
    }
    let mut answers = state.planning.plans(good).await.into_iter();
    let each = requests.into_iter().map(|request| match request {
        Ok(_) => answers.next().unwrap_or(Err(ServiceError::Busy)).map_err(Missing::NotMade),
        Err(problem) => Err(Missing::Invalid(problem)),
    });
    Ok(each.collect())
}

fn column(name: &'static str, kind: Kind) -> Column {
    Column { name: name.into(), label: name.into(), kind }
}

fn too_many(what: &str, of: &str, count: usize) -> ApiProblem {
    let message = format!("the {what} {count} {of}; send at most {PLANS_MAX} at once");
    Problem::invalid(vec![FieldProblem::new("", "too_many", message)]).into()
}
