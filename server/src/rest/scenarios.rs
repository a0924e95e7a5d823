//! `/scenarios`: what a team has saved.

use super::BASE;
use super::bearer::Bearer;
use super::body::JsonBody;
use super::conditional::{Seen, if_match, tagged};
use super::etag::Tagged;
use super::files::fault;
use super::input::Fields;
use super::once::once;
use super::problem::ApiProblem;
use super::query::Query;
use crate::service::actor::Actor;
use crate::service::clock::iso;
use crate::service::scenarios::{Asked, Edit, Search, Shelf};
use crate::state::AppState;
use crate::store::idempotency::KeptAnswer;
use crate::store::scenarios::Scenario;
use crate::store::versions::{Expected, Stamp};
use app::backend::prices::Prices;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use engine::request::Form;
use engine::{FieldProblem, PlanRequest, Problem};
use serde::Serialize;

/// Most scenarios of one page.
const LIMIT_MAX: usize = 100;
const LIMIT: usize = 50;

/// A scenario without its plan.
#[derive(Debug, Serialize)]
pub struct ScenarioAnswer {
    id: String,
    name: String,
    headline: String,
    notes: String,
    tags: Vec<String>,
    archived: bool,
    version: i64,
    edition: i64,
    query: String,
    engine_version: String,
    catalog_version: String,
    frozen_at: String,
    created_at: String,
    updated_at: String,
}

#[derive(Debug, Serialize)]
struct ListAnswer {
    scenarios: Vec<ScenarioAnswer>,
    found: usize,
    tags: Vec<String>,
    next: Option<String>,
}

impl From<Scenario> for ScenarioAnswer {
    fn from(scenario: Scenario) -> Self {
        Self {
            id: scenario.public_id,
            name: scenario.name,
            headline: scenario.headline,
            notes: scenario.notes,
            tags: scenario.tags.0,
            archived: scenario.archived_at.is_some(),
            version: scenario.number,
            edition: scenario.edition,
            query: scenario.query,
            engine_version: scenario.engine_version,
            catalog_version: scenario.catalog_version,
            frozen_at: iso(scenario.frozen_at),
            created_at: iso(scenario.created_at),
            updated_at: iso(scenario.updated_at),
        }
    }
}

/// Changes with whatever of a scenario does.
pub(super) fn tag(scenario: &Scenario) -> String {
    format!("{}.{}", scenario.number, scenario.edition)
}

/// What a scenario has to be at for a change, by `If-Match`.
pub(super) fn expected(headers: &HeaderMap, scenario: &Scenario) -> Result<Expected, ApiProblem> {
    let Stamp { number, edition } = Stamp { number: scenario.number, edition: scenario.edition };
    Ok(match if_match(headers, &tag(scenario))? {
        Seen::Unsaid => Expected::default(),
        Seen::Current => Expected { number: Some(number), edition: Some(edition) },
    })
}

/// The scenarios of the team
///
/// Newest change first, page by page: `next` is the `cursor` of the next page, and null on the last.
#[utoipa::path(get, path = "/scenarios", operation_id = "getScenarios", tag = "Scenarios", security(("bearer" = [])),
    params(
        ("search" = Option<String>, Query, description = "Words, each of which is in the name, the notes, a tag or the headline"),
        ("tag" = Option<String>, Query, description = "A tag"),
        ("archived" = Option<String>, Query, description = "false: those in use; true: archived ones; all; false if absent"),
        ("limit" = Option<u32>, Query, description = "Most of them at once, 1 to 100; 50 if absent"),
        ("cursor" = Option<String>, Query, description = "next of the page before")),
    responses(
        (status = 200, description = "A page of the list", body = ref("#/components/schemas/ScenarioList")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_scenarios(
    State(state): State<AppState>,
    bearer: Bearer,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let search = search(&mut query)?;
    query.finish_known(&["search", "tag", "archived", "limit", "cursor"])?;
    let listing = state.scenarios.list(&bearer.actor(), &search).await?;
    let answer = ListAnswer {
        scenarios: listing.scenarios.into_iter().map(ScenarioAnswer::from).collect(),
        found: listing.found,
        tags: listing.tags,
        next: listing.next,
    };
    let body = serde_json::to_vec(&answer).map_err(fault)?;
    Ok(Tagged::new(body, "application/json", "private, no-cache").respond(&headers))
}

fn search(query: &mut Query) -> Result<Search, ApiProblem> {
    let shelves = [("false", Shelf::InUse), ("true", Shelf::Archived), ("all", Shelf::All)];
    let shelf = match query.take("archived") {
        Some(text) => query.choose("archived", &text, &shelves)?,
        None => Shelf::InUse,
    };
    let limit = query.take_limit(LIMIT, LIMIT_MAX)?;
    let (text, tag) = (query.take("search").unwrap_or_default(), query.take("tag").unwrap_or_default());
    Ok(Search { text, tag, shelf, limit, cursor: query.take("cursor") })
}

/// Plan and save
///
/// Plans for `request` as POST /plans does, with the quotes of the team's price book unless `prices` is catalog, and keeps
/// the plan as version 1 of a new scenario. With an `Idempotency-Key` the same request within 24 hours gets the same
/// answer, and nothing is saved twice.
#[utoipa::path(post, path = "/scenarios", operation_id = "postScenario", tag = "Scenarios", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A name of this request, such as a UUID")),
    request_body(content = ref("#/components/schemas/ScenarioInput"), content_type = "application/json"),
    responses((status = 201, description = "It is saved; Location says where", body = ref("#/components/schemas/Scenario"))))]
pub async fn post_scenario(
    State(state): State<AppState>,
    bearer: Bearer,
    query: Query,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, ApiProblem> {
    query.finish()?;
    let asked_for = format!("POST /scenarios {}", body.0);
    let (edit, asked) = read(body)?;
    let asked = asked.ok_or_else(|| {
        let message = "`request` is missing; send what POST /plans takes";
        ApiProblem::from(Problem::invalid(vec![FieldProblem::new("/request", "required", message)]))
    })?;
    let (actor, made_in) = (bearer.actor(), state.clone());
    once(&state.once, &bearer.0.member, &headers, &asked_for, async move {
        let id = made_in.scenarios.save_described(&actor, edit, asked).await?;
        kept(&made_in, &actor, id.as_str()).await
    })
    .await
}

/// The answer about a scenario that was made.
async fn kept(state: &AppState, actor: &Actor, id: &str) -> Result<KeptAnswer, ApiProblem> {
    let (scenario, _) = state.scenarios.glance(actor, id).await?;
    let (location, etag) = (format!("{BASE}/scenarios/{id}"), tag(&scenario));
    let body = serde_json::to_vec(&ScenarioAnswer::from(scenario)).map_err(fault)?;
    Ok(KeptAnswer { location, etag, body })
}

/// Texts and request of a body.
fn read(body: JsonBody) -> Result<(Edit, Option<Asked>), ApiProblem> {
    let mut fields = Fields::of(body.0, &["name", "notes", "tags", "archived", "prices", "request"])?;
    let edit = Edit {
        name: fields.text("name"),
        notes: fields.text("notes"),
        tags: fields.texts("tags"),
        archived: fields.flag("archived"),
    };
    let prices = fields.choice("prices", &[("team", Prices::Team), ("catalog", Prices::Catalog)]);
    let request = match fields.value("request").map(|value| PlanRequest::parse(&value, Form::Json)) {
        None => {
            if prices.is_some() {
                let message = "`prices` is of a plan; send it with a `request`";
                fields.wrong(FieldProblem::new("/prices", "required", message));
            }
            None
        }
        Some(Ok(request)) => Some(request),
        Some(Err(problem)) => {
            for error in problem.errors {
                fields.wrong(FieldProblem { pointer: format!("/request{}", error.pointer), ..error });
            }
            None
        }
    };
    fields.finish()?;
    Ok((edit, request.map(|request| Asked { request, prices: prices.unwrap_or(Prices::Team) })))
}

/// A scenario
///
/// Its ETag is `"version.edition"`: the number of its version, and the count of changes of its texts.
#[utoipa::path(get, path = "/scenarios/{id}", operation_id = "getScenario", tag = "Scenarios", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id")),
    responses(
        (status = 200, description = "The scenario", body = ref("#/components/schemas/Scenario")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_scenario(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let (scenario, _) = state.scenarios.glance(&bearer.actor(), &id).await?;
    Ok(tagged(&headers, &tag(&scenario), &ScenarioAnswer::from(scenario)))
}

/// Change a scenario
///
/// All that is sent, or nothing. With a `request` it is planned again and that is its next version. `If-Match` with the
/// ETag that was read makes sure that nobody's change is overwritten; without it the change is made in any case.
#[utoipa::path(patch, path = "/scenarios/{id}", operation_id = "patchScenario", tag = "Scenarios", security(("bearer" = [])),
    params(
        ("id" = String, Path, description = "Public id"),
        ("If-Match" = Option<String>, Header, description = "The ETag that was read")),
    request_body(content = ref("#/components/schemas/ScenarioChange"), content_type = "application/json"),
    responses((status = 200, description = "The scenario as it is now", body = ref("#/components/schemas/Scenario"))))]
pub async fn patch_scenario(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, ApiProblem> {
    let actor = bearer.actor();
    let (scenario, _) = state.scenarios.glance(&actor, &id).await?;
    let expected = expected(&headers, &scenario)?;
    let (edit, asked) = read(body)?;
    state.scenarios.change(&actor, &id, edit, asked, expected).await?;
    now(&state, &actor, &id).await
}

/// A scenario after a change.
pub(super) async fn now(state: &AppState, actor: &Actor, id: &str) -> Result<Response, ApiProblem> {
    let (scenario, _) = state.scenarios.glance(actor, id).await?;
    Ok(tagged(&HeaderMap::new(), &tag(&scenario), &ScenarioAnswer::from(scenario)))
}

/// Delete a scenario
///
/// With its versions and its links, which open no longer.
#[utoipa::path(delete, path = "/scenarios/{id}", operation_id = "deleteScenario", tag = "Scenarios", security(("bearer" = [])),
    params(
        ("id" = String, Path, description = "Public id"),
        ("If-Match" = Option<String>, Header, description = "The ETag that was read")),
    responses((status = 204, description = "It is deleted")))]
pub async fn delete_scenario(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiProblem> {
    let actor = bearer.actor();
    let (scenario, _) = state.scenarios.glance(&actor, &id).await?;
    expected(&headers, &scenario)?;
    state.scenarios.delete(&actor, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Copy a scenario
///
/// Inputs, plan, notes and tags, not its history and its links.
#[utoipa::path(post, path = "/scenarios/{id}/duplicate", operation_id = "duplicateScenario", tag = "Scenarios", security(("bearer" = [])),
    params(
        ("id" = String, Path, description = "Public id"),
        ("Idempotency-Key" = Option<String>, Header, description = "A name of this request, such as a UUID")),
    responses((status = 201, description = "The copy; Location says where", body = ref("#/components/schemas/Scenario"))))]
pub async fn duplicate_scenario(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let (actor, made_in) = (bearer.actor(), state.clone());
    let asked = format!("POST /scenarios/{id}/duplicate");
    once(&state.once, &bearer.0.member, &headers, &asked, async move {
        let copy = made_in.scenarios.duplicate(&actor, &id).await?;
        kept(&made_in, &actor, copy.as_str()).await
    })
    .await
}

/// How two to four scenarios differ
///
/// Every input and the figures that people decide by, each with its difference from the first.
#[utoipa::path(get, path = "/compare", operation_id = "compareScenarios", tag = "Scenarios", security(("bearer" = [])),
    params(("ids" = String, Query, description = "Two to four public ids, with commas between them")),
    responses(
        (status = 200, description = "The comparison", body = ref("#/components/schemas/Comparison")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag"),
        (status = 404, description = "One of them is not there, or is not the team's", content_type = "application/problem+json", body = ref("#/components/schemas/Problem"))))]
pub async fn get_comparison(
    State(state): State<AppState>,
    bearer: Bearer,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let ids = query.take("ids").unwrap_or_default();
    query.finish_known(&["ids"])?;
    let ids: Vec<String> = ids.split(',').map(|id| id.trim().to_owned()).collect();
    let comparison = state.scenarios.compare(&bearer.actor(), &ids).await?;
    let body = serde_json::to_vec(&comparison).map_err(fault)?;
    Ok(Tagged::new(body, "application/json", "private, no-cache").respond(&headers))
}
