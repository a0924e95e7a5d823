//! `/scenarios/{id}/links` and `/links/{id}`: who may look without an account.

use super::BASE;
use super::bearer::Bearer;
use super::body::JsonBody;
use super::input::Fields;
use super::problem::ApiProblem;
use crate::auth::secret::ShareToken;
use crate::service::clock::{iso, now};
use crate::service::scenarios::links::{LinkState, LinkWish, state as state_of};
use crate::state::AppState;
use crate::store::links::{Link, LinkChange, LinkKind};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use engine::{FieldProblem, Problem};
use serde::Serialize;

/// A link; its token is shown when it is made, and never again.
#[derive(Debug, Serialize)]
pub struct LinkAnswer {
    id: String,
    scenario: String,
    kind: &'static str,
    label: String,
    state: &'static str,
    views: i64,
    last_view_at: Option<String>,
    expires_at: Option<String>,
    created_at: String,
}

/// The links of a scenario.
#[derive(Debug, Serialize)]
pub struct ListAnswer {
    links: Vec<LinkAnswer>,
}

/// A link with its token.
#[derive(Debug, Serialize)]
pub struct TokenAnswer {
    link: LinkAnswer,
    token: String,
    url: String,
}

fn answer(link: Link, scenario: &str) -> LinkAnswer {
    let state = match state_of(&link, now()) {
        LinkState::Active => "active",
        LinkState::Paused => "paused",
        LinkState::Expired => "expired",
        LinkState::Revoked => "revoked",
    };
    LinkAnswer {
        id: link.public_id,
        scenario: scenario.to_owned(),
        kind: link.kind.name(),
        label: link.label,
        state,
        views: link.views,
        last_view_at: link.last_view_at.map(iso),
        expires_at: link.expires_at.map(iso),
        created_at: iso(link.created_at),
    }
}

/// The links of a scenario, newest first
#[utoipa::path(get, path = "/scenarios/{id}/links", operation_id = "getLinks", tag = "Links", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id of the scenario")),
    responses((status = 200, description = "The links", body = ref("#/components/schemas/LinkList"))))]
pub async fn get_links(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
) -> Result<Json<ListAnswer>, ApiProblem> {
    let links = state.scenarios.links(&bearer.actor(), &id).await?;
    Ok(Json(ListAnswer { links: links.into_iter().map(|link| answer(link, &id)).collect() }))
}

/// Make a link
///
/// Of the kind frozen (the plan as it is now), live (what the scenario has), or feed (the same as data for spreadsheets). The
/// token is in this answer and in no other.
#[utoipa::path(post, path = "/scenarios/{id}/links", operation_id = "postLink", tag = "Links", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id of the scenario")),
    request_body(content = ref("#/components/schemas/LinkInput"), content_type = "application/json"),
    responses((status = 201, description = "The link; Location says where it is looked after", body = ref("#/components/schemas/LinkToken"))))]
pub async fn post_link(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    body: JsonBody,
) -> Result<(StatusCode, [(axum::http::HeaderName, String); 1], Json<TokenAnswer>), ApiProblem> {
    let mut fields = Fields::of(body.0, &["kind", "label", "days"])?;
    let (kind, label) = (fields.text("kind").unwrap_or_default(), fields.text("label").unwrap_or_default());
    let days = fields.amount("days").unwrap_or_default();
    fields.finish()?;
    let wish = LinkWish { kind: &kind, label: &label, days: &days };
    let made = state.scenarios.make_link(&bearer.actor(), &id, wish).await?;
    let (link, scenario) = state.scenarios.link(&bearer.actor(), made.id.as_str()).await?;
    let location = format!("{BASE}/links/{}", made.id.as_str());
    Ok((StatusCode::CREATED, [(LOCATION, location)], Json(with_token(&state, link, &scenario, &made.token))))
}

fn with_token(state: &AppState, link: Link, scenario: &str, token: &ShareToken) -> TokenAnswer {
    let (site, token) = (state.config.public_url.trim_end_matches('/'), token.expose());
    let url = match link.kind {
        LinkKind::Feed => format!("{site}{BASE}/feeds/{token}/summary.csv"),
        LinkKind::Frozen | LinkKind::Live => format!("{site}/s/{token}"),
    };
    TokenAnswer { link: answer(link, scenario), token: token.to_owned(), url }
}

/// A link
#[utoipa::path(get, path = "/links/{id}", operation_id = "getLink", tag = "Links", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id of the link, which is not its token")),
    responses((status = 200, description = "The link", body = ref("#/components/schemas/Link"))))]
pub async fn get_link(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
) -> Result<Json<LinkAnswer>, ApiProblem> {
    let (link, scenario) = state.scenarios.link(&bearer.actor(), &id).await?;
    Ok(Json(answer(link, &scenario)))
}

/// Pause or resume a link
#[utoipa::path(patch, path = "/links/{id}", operation_id = "patchLink", tag = "Links", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id of the link, which is not its token")),
    request_body(content = ref("#/components/schemas/LinkChange"), content_type = "application/json"),
    responses((status = 200, description = "The link as it is now", body = ref("#/components/schemas/Link"))))]
pub async fn patch_link(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
    body: JsonBody,
) -> Result<Json<LinkAnswer>, ApiProblem> {
    let mut fields = Fields::of(body.0, &["paused"])?;
    let paused = fields.flag("paused");
    fields.finish()?;
    let change = match paused {
        Some(true) => LinkChange::Pause,
        Some(false) => LinkChange::Resume,
        None => {
            let message = "`paused` is missing; send true or false";
            return Err(Problem::invalid(vec![FieldProblem::new("/paused", "required", message)]).into());
        }
    };
    state.scenarios.change_link(&bearer.actor(), &id, change).await?;
    get_link(State(state), bearer, Path(id)).await
}

/// Revoke a link
///
/// For good: it opens nothing from then on. Revoking it again is no fault.
#[utoipa::path(delete, path = "/links/{id}", operation_id = "deleteLink", tag = "Links", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id of the link, which is not its token")),
    responses((status = 204, description = "It is revoked")))]
pub async fn delete_link(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiProblem> {
    state.scenarios.change_link(&bearer.actor(), &id, LinkChange::Revoke).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Give a link another token
///
/// The old one opens nothing from then on. The new one is in this answer and in no other.
#[utoipa::path(post, path = "/links/{id}/rotate", operation_id = "rotateLink", tag = "Links", security(("bearer" = [])),
    params(("id" = String, Path, description = "Public id of the link, which is not its token")),
    responses((status = 200, description = "The link with its new token", body = ref("#/components/schemas/LinkToken"))))]
pub async fn rotate_link(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(id): Path<String>,
) -> Result<Json<TokenAnswer>, ApiProblem> {
    let (token, _) = state.scenarios.rotate_link(&bearer.actor(), &id).await?;
    let (link, scenario) = state.scenarios.link(&bearer.actor(), &id).await?;
    Ok(Json(with_token(&state, link, &scenario, &token)))
}
