//! `/log`: what was done in a team.

use super::bearer::Bearer;
use super::etag::Tagged;
use super::files::fault;
use super::problem::ApiProblem;
use super::query::Query;
use crate::service::clock::iso;
use crate::state::AppState;
use crate::store::audit::Line;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use engine::{FieldProblem, Problem};
use serde::Serialize;

/// Most lines of one page.
const LIMIT_MAX: usize = 100;
const LIMIT: usize = 50;

/// Something that was done.
#[derive(Debug, Serialize)]
struct LineAnswer {
    at: String,
    who: Option<String>,
    action: String,
    object: String,
    about: Option<String>,
}

#[derive(Debug, Serialize)]
struct LogAnswer {
    lines: Vec<LineAnswer>,
    next: Option<String>,
}

impl From<Line> for LineAnswer {
    fn from(line: Line) -> Self {
        Self { at: iso(line.at), who: line.who, action: line.action, object: line.object, about: line.about }
    }
}

/// What was done in the team
///
/// Newest first, page by page: `next` is the `cursor` of the next page, and null on the last. Lines are kept for 400 days.
#[utoipa::path(get, path = "/log", operation_id = "getLog", tag = "Log", security(("bearer" = [])),
    params(
        ("limit" = Option<u32>, Query, description = "Most of them at once, 1 to 100; 50 if absent"),
        ("cursor" = Option<String>, Query, description = "next of the page before")),
    responses(
        (status = 200, description = "A page of the log", body = ref("#/components/schemas/Log")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_log(
    State(state): State<AppState>,
    bearer: Bearer,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let limit = query.take_limit(LIMIT, LIMIT_MAX)?;
    let cursor = query.take("cursor");
    query.finish_known(&["limit", "cursor"])?;
    let page = state.teams.log(&bearer.actor(), cursor.as_deref(), limit).await?;
    let answer = LogAnswer { lines: page.lines.into_iter().map(LineAnswer::from).collect(), next: page.next };
    let body = serde_json::to_vec(&answer).map_err(fault)?;
    Ok(Tagged::new(body, "application/json", "private, no-cache").respond(&headers))
}

impl Query {
    /// Takes the most entries of a page out of the pairs.
    ///
    /// # Errors
    /// It is no number from 1 to `most`.
    pub fn take_limit(&mut self, usual: usize, most: usize) -> Result<usize, ApiProblem> {
        let Some(text) = self.take("limit") else { return Ok(usual) };
        text.parse().ok().filter(|limit| (1..=most).contains(limit)).ok_or_else(|| {
            let shown: String = text.chars().take(60).collect();
            let message = format!("`limit` is `{shown}`; use 1 to {most}");
            Problem::invalid(vec![FieldProblem::new("/limit", "out_of_range", message)]).into()
        })
    }
}
