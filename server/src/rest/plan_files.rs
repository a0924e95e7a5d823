//! `/plans.csv`, `/plans.xlsx`, `/plans.json`: a plan as tables.

use super::body::JsonBody;
use super::etag::Tagged;
use super::files::{File, KEPT, fault};
use super::problem::ApiProblem;
use super::query::Query;
use crate::service::planning::Planning;
use crate::tables::{plan as tables, records, workbook};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use engine::request::{Form, plan_request_from_pairs};
use engine::{Plan, PlanRequest};
use serde_json::{Map, Value};

/// What a caller gets who names no table.
const FIRST: &str = "summary";

/// One table of a plan as CSV, for the request in the query
///
/// RFC 4180 with CRLF in UTF-8: stable column names with units, new columns only at the end, amounts in US dollars to the
/// cent, ISO 8601 dates, TRUE and FALSE, an empty cell for what is unknown. Text that a spreadsheet could take for a
/// formula begins with an apostrophe; numbers never do. The other keys are those of the planner's address.
#[utoipa::path(get, path = "/plans.csv", operation_id = "getPlanCsv", tag = "Plans",
    responses(
        (status = 200, description = "The table", content_type = "text/csv", body = String),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_csv(
    State(planning): State<Planning>,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let ask = Csv::take(&mut query)?;
    let plan = planning.plan(plan_request_from_pairs(query.pairs)?).await?;
    ask.file(&plan).map(|file| file.respond(&headers))
}

/// One table of a plan as CSV, for the request in the body
#[utoipa::path(post, path = "/plans.csv", operation_id = "postPlanCsv", tag = "Plans",
    request_body(content = ref("#/components/schemas/PlanRequest"), content_type = "application/json"),
    responses((status = 200, description = "The table", content_type = "text/csv", body = String)))]
pub async fn post_csv(
    State(planning): State<Planning>,
    mut query: Query,
    body: JsonBody,
) -> Result<Response, ApiProblem> {
    let ask = Csv::take(&mut query)?;
    query.finish()?;
    let plan = planning.plan(PlanRequest::parse(&body.0, Form::Json)?).await?;
    ask.file(&plan).map(|file| file.respond(&HeaderMap::new()))
}

struct Csv {
    table: &'static str,
    dialect: crate::tables::delimited::Dialect,
}

impl Csv {
    fn take(query: &mut Query) -> Result<Self, ApiProblem> {
        let table = query.take_table(&tables::names())?.unwrap_or(FIRST);
        Ok(Self { table, dialect: query.take_dialect()? })
    }

    fn file(&self, plan: &Plan) -> Result<File, ApiProblem> {
        let table = tables::table(plan, self.table).ok_or_else(|| fault("a table that is listed is none"))?;
        File::delimited(&table, self.dialect, format!("{} {}", tables::words(plan), self.table.replace('_', " ")))
    }
}

/// One figure of a plan as bare text, for the request in the query
///
/// A column of the table `summary`, such as `total_usd`: for functions of spreadsheets that read one cell from an address.
/// A point is the decimal sign; what is unknown is empty.
#[utoipa::path(get, path = "/plans/value/{field}", operation_id = "getPlanValue", tag = "Plans",
    params(("field" = String, Path, description = "Name of the column")),
    responses(
        (status = 200, description = "The figure", content_type = "text/plain", body = String),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag"),
        (status = 404, description = "There is no such figure", content_type = "text/plain", body = String)))]
pub async fn get_value(
    State(planning): State<Planning>,
    Path(field): Path<String>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let names = tables::figures();
    if !names.contains(&field) {
        let shown: String = field.chars().take(60).collect();
        let detail = format!("there is no figure `{shown}`; there are {}", names.join(", "));
        return Err(ApiProblem::new(StatusCode::NOT_FOUND, "not_found", detail));
    }
    let plan = planning.plan(plan_request_from_pairs(query.pairs)?).await?;
    let text = tables::figure(&plan, &field).unwrap_or_default();
    Ok(Tagged::new(text, "text/plain; charset=utf-8", KEPT).respond(&headers))
}

/// A plan as a workbook, for the request in the query
///
/// Sheets: Summary, Tiers, Options, Bill of materials, Curves, Utilization, Sensitivity, Assumptions, Sources. A unit
/// price on the bill is an input: line totals, sums and the summary follow it.
#[utoipa::path(get, path = "/plans.xlsx", operation_id = "getPlanWorkbook", tag = "Plans",
    responses(
        (status = 200, description = "The workbook", content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", body = String),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_xlsx(
    State(planning): State<Planning>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let plan = planning.plan(plan_request_from_pairs(query.pairs)?).await?;
    Ok(book(&planning, plan).await?.respond(&headers))
}

/// A plan as a workbook, for the request in the body
#[utoipa::path(post, path = "/plans.xlsx", operation_id = "postPlanWorkbook", tag = "Plans",
    request_body(content = ref("#/components/schemas/PlanRequest"), content_type = "application/json"),
    responses((status = 200, description = "The workbook", content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", body = String)))]
pub async fn post_xlsx(State(planning): State<Planning>, query: Query, body: JsonBody) -> Result<Response, ApiProblem> {
    query.finish()?;
    let plan = planning.plan(PlanRequest::parse(&body.0, Form::Json)?).await?;
    Ok(book(&planning, plan).await?.respond(&HeaderMap::new()))
}

async fn book(planning: &Planning, plan: std::sync::Arc<Plan>) -> Result<File, ApiProblem> {
    let name = format!("{} plan", tables::words(&plan));
    let body = planning.on_a_core(move || workbook::write(&plan, None)).await?.map_err(fault)?;
    Ok(File { body, media_type: workbook::MEDIA_TYPE, name, ending: "xlsx".to_owned() })
}

/// The tables of a plan as JSON rows, for the request in the query
///
/// With `table` a list of rows, each an object by column; without it an object of all tables by name.
#[utoipa::path(get, path = "/plans.json", operation_id = "getPlanRows", tag = "Plans",
    responses(
        (status = 200, description = "The rows", content_type = "application/json", body = ref("#/components/schemas/Rows")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_json(
    State(planning): State<Planning>,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let table = query.take_table(&tables::names())?;
    let plan = planning.plan(plan_request_from_pairs(query.pairs)?).await?;
    Ok(rows(&plan, table).respond(&headers))
}

/// The tables of a plan as JSON rows, for the request in the body
#[utoipa::path(post, path = "/plans.json", operation_id = "postPlanRows", tag = "Plans",
    request_body(content = ref("#/components/schemas/PlanRequest"), content_type = "application/json"),
    responses((status = 200, description = "The rows", content_type = "application/json", body = ref("#/components/schemas/Rows"))))]
pub async fn post_json(
    State(planning): State<Planning>,
    mut query: Query,
    body: JsonBody,
) -> Result<Response, ApiProblem> {
    let table = query.take_table(&tables::names())?;
    query.finish()?;
    let plan = planning.plan(PlanRequest::parse(&body.0, Form::Json)?).await?;
    Ok(rows(&plan, table).respond(&HeaderMap::new()))
}

fn rows(plan: &Plan, table: Option<&'static str>) -> File {
    let of = |name| tables::table(plan, name).map_or(Value::Null, |table| records::records(&table));
    let (value, what) = match table {
        Some(name) => (of(name), name),
        None => {
            let all: Map<String, Value> = tables::names().into_iter().map(|name| (name.to_owned(), of(name))).collect();
            (Value::Object(all), "tables")
        }
    };
    let name = format!("{} {}", tables::words(plan), what.replace('_', " "));
    File { body: value.to_string().into_bytes(), media_type: "application/json", name, ending: "json".to_owned() }
}
