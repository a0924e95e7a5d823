//! `/feeds/{token}`: the current plan of a scenario for spreadsheets, which can't send headers. The token in the address
//! opens this and nothing else.

use super::etag::Tagged;
use super::frozen::FrozenPlan;
use super::problem::ApiProblem;
use super::query::Query;
use crate::service::clock::iso;
use crate::service::scenarios::links::Feed;
use crate::state::AppState;
use crate::tables::{plan, scenario};
use axum::extract::{Path, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;
use engine::{FieldProblem, Problem};

/// Sheets with many cells of one feed ask once a minute.
const KEPT: &str = "private, max-age=60, must-revalidate";

/// One table of a shared scenario as CSV
///
/// What the scenario has now. Keys that are not known are ignored. A link that is unknown, paused, revoked or has ended
/// is answered alike.
#[utoipa::path(get, path = "/feeds/{token}/{table}", operation_id = "getFeedTable", tag = "Feeds",
    params(
        ("token" = String, Path, description = "Token of a link of the kind feed"),
        ("table" = String, Path, description = "Name of the table with .csv")),
    responses(
        (status = 200, description = "The table", content_type = "text/csv", body = String),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_table(
    State(state): State<AppState>,
    Path((token, file)): Path<(String, String)>,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let feed = state.scenarios.open_feed(&token).await?;
    let names = scenario::names();
    let wanted = file.strip_suffix(".csv").and_then(|name| names.iter().find(|known| **known == name));
    // not a 404, which would count as a guess of a token
    let table = wanted.ok_or_else(|| unknown("table", &file, &format!("{}.csv", names.join(".csv, "))))?;
    let dialect = query.take_dialect()?;
    let link = feed.link;
    let mut response = frozen(feed).csv(table, dialect)?.respond(&headers);
    state.scenarios.count_feed(link).await;
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(KEPT));
    Ok(response)
}

/// One figure of a shared scenario as bare text
///
/// A column of the table `summary`, such as `total_usd`, for functions that read one cell from an address. A point is the
/// decimal sign; what is unknown is empty. Keys that are not known are ignored.
#[utoipa::path(get, path = "/feeds/{token}/value/{field}", operation_id = "getFeedValue", tag = "Feeds",
    params(
        ("token" = String, Path, description = "Token of a link of the kind feed"),
        ("field" = String, Path, description = "Name of the column")),
    responses(
        (status = 200, description = "The figure", content_type = "text/plain", body = String),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_value(
    State(state): State<AppState>,
    Path((token, field)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let feed = state.scenarios.open_feed(&token).await?;
    let figure = plan::figure(&feed.plan, &field);
    let text = figure.ok_or_else(|| unknown("field", &field, &plan::figures().join(", ")))?;
    state.scenarios.count_feed(feed.link).await;
    Ok(Tagged::new(text, "text/plain; charset=utf-8", KEPT).respond(&headers))
}

fn frozen(feed: Feed) -> FrozenPlan {
    FrozenPlan { name: feed.name, version: feed.number, frozen_at: iso(feed.as_of), plan: feed.plan }
}

fn unknown(what: &str, given: &str, known: &str) -> ApiProblem {
    let shown: String = given.chars().take(60).collect();
    let message = format!("`{what}` is `{shown}`; use one of {known}");
    Problem::invalid(vec![FieldProblem::new(format!("/{what}"), "unknown_id", message)]).into()
}
