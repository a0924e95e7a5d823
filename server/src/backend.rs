//! The ports of `app` for one request: it knows the caller by the session or the owner cookie, and gives an owner cookie
//! to who saves first without an account.

mod accounts;
mod links;
pub(crate) mod prices;
pub(crate) mod scenarios;
mod teams;
mod tokens;
mod viewing;

use crate::auth::owner;
use crate::auth::secret::{OwnerToken, SessionToken};
use crate::auth::session;
use crate::service::actor::Actor;
use crate::service::price_books::Priced;
use crate::service::scenarios::links::Viewing;
use crate::service::{ServiceError, clock};
use crate::state::AppState;
use crate::store::scenarios::Scenario;
use crate::store::teams::Role;
use app::backend::prices::{BookUse, Prices};
use app::backend::{Backend, Checked, Decided, Planned, ScenarioDetail, ScenarioSummary, UiError};
use axum::http::HeaderValue;
use axum::http::header::{RETRY_AFTER, SET_COOKIE, USER_AGENT};
use axum::http::request::Parts;
use engine::answer::Influence;
use engine::rules::ReferenceBuild;
use engine::{Plan, PlanRequest};
use leptos_axum::ResponseOptions;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OnceCell;

/// The backend of one request.
pub struct RequestBackend {
    state: AppState,
    session: Option<SessionToken>,
    owner: Option<OwnerToken>,
    user_agent: String,
    viewing: Viewing,
    /// Looked up once, and only where it matters who asks.
    actor: OnceCell<Actor>,
    response: Option<ResponseOptions>,
}

impl RequestBackend {
    /// For a request, whose answer takes cookies from `response`.
    pub fn new(state: &AppState, parts: &Parts, response: Option<ResponseOptions>) -> Self {
        let headers = &parts.headers;
        let user_agent = headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        Self {
            session: session::read(headers, state.transport()),
            owner: owner::read(headers, state.transport()),
            user_agent: user_agent.to_owned(),
            viewing: viewing::of(parts),
            state: state.clone(),
            actor: OnceCell::new(),
            response,
        }
    }

    /// What went wrong, in words; the answer says so by its status too. A form of a browser without scripts is led to a
    /// page that shows the words, and that redirect goes before the status.
    fn failed(&self, error: ServiceError) -> UiError {
        if let Some(response) = &self.response {
            response.set_status(error.status());
            if let ServiceError::TooSoon(wait) = error {
                response.insert_header(RETRY_AFTER, HeaderValue::from(seconds(wait)));
            }
        }
        ui_error(error)
    }

    async fn actor(&self) -> Result<&Actor, UiError> {
        self.known().await.map_err(|error| self.failed(error))
    }

    async fn known(&self) -> Result<&Actor, ServiceError> {
        let find = || async { self.state.accounts.actor(self.session.as_ref(), self.owner.clone()).await };
        self.actor.get_or_try_init(find).await
    }

    fn give(&self, cookie: Option<HeaderValue>) {
        if let (Some(response), Some(cookie)) = (&self.response, cookie) {
            response.append_header(SET_COOKIE, cookie);
        }
    }
}

/// Whole seconds, rounded up.
fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

#[async_trait::async_trait]
impl Backend for RequestBackend {
    async fn plan(&self, request: PlanRequest, prices: Prices) -> Result<Planned, UiError> {
        let priced = self.state.price_books.priced(self.actor().await?, request, prices).await;
        let Priced { request, book } = priced.map_err(|error| self.failed(error))?;
        let plan = self.state.planning.plan(request).await.map_err(|error| self.failed(error))?;
        Ok(Planned { plan, book: book.map(|used| BookUse { prices, keys: used.keys, expired: used.expired }) })
    }

    async fn decisions(&self, request: PlanRequest, prices: Prices) -> Result<Decided, UiError> {
        let Planned { plan, .. } = self.plan(request, prices).await?;
        let decisions = self.state.planning.decisions(Arc::clone(&plan)).await.map_err(|error| self.failed(error))?;
        Ok(Decided { plan, decisions })
    }

    async fn influences(&self, plan: Arc<Plan>, key: String) -> Result<Vec<Influence>, UiError> {
        self.state.planning.influences(plan, key).await.map_err(|error| self.failed(error))
    }

    async fn checked(&self) -> Result<Checked, UiError> {
        self.state.planning.checked().await.map_err(|error| self.failed(error))
    }

    async fn reference_builds(&self) -> &'static [ReferenceBuild] {
        self.state.planning.checked().await.map_or(&[], |checked| checked.builds)
    }

    async fn save_scenario(&self, name: String, request: PlanRequest, prices: Prices) -> Result<String, UiError> {
        let saved = self.state.scenarios.save(self.actor().await?, &name, request, prices).await;
        let saved = saved.map_err(|error| self.failed(error))?;
        // also to a known owner: each save puts off the day when the browser forgets
        self.give(saved.owner.and_then(|token| owner::set(&token, self.state.transport())));
        Ok(saved.id.into_string())
    }

    async fn scenario(&self, id: String) -> Result<ScenarioDetail, UiError> {
        let found = self.state.scenarios.get(self.actor().await?, &id).await.map_err(|error| self.failed(error))?;
        Ok(ScenarioDetail {
            summary: summary(found.scenario),
            plan: found.plan,
            links: links::summaries(found.links),
            versions: found.versions.into_iter().map(scenarios::version).collect(),
            may_change: found.role >= Role::Editor,
        })
    }

    async fn delete_scenario(&self, id: String) -> Result<(), UiError> {
        self.state.scenarios.delete(self.actor().await?, &id).await.map_err(|error| self.failed(error))
    }
}

pub(crate) fn summary(scenario: Scenario) -> ScenarioSummary {
    ScenarioSummary {
        id: scenario.public_id,
        name: scenario.name,
        headline: scenario.headline,
        query: scenario.query,
        notes: scenario.notes,
        tags: scenario.tags.0,
        number: scenario.number,
        edition: scenario.edition,
        archived: scenario.archived_at.is_some(),
        frozen_at: clock::iso(scenario.frozen_at),
        created_at: clock::iso(scenario.created_at),
        updated_at: clock::iso(scenario.updated_at),
        age_seconds: (clock::now() - scenario.updated_at) / 1_000,
        cost_usd: scenario.cost_usd,
        days: scenario.days,
    }
}

fn ui_error(error: ServiceError) -> UiError {
    error.log();
    let say = |code: &str, message: &str| UiError { code: code.into(), message: message.into(), fields: Vec::new() };
    match error {
        ServiceError::NotFound => {
            say("not_found", "There is nothing here. It may have been deleted, or belong to another browser or team.")
        }
        ServiceError::NotLoggedIn => say("not_logged_in", "Log in to go on."),
        ServiceError::Forbidden(text) => say("forbidden", text),
        ServiceError::Conflict(text) => say("conflict", text),
        ServiceError::TooSoon(wait) => {
            say("rate_limited", &format!("That was tried too often. Wait {} seconds and try again.", seconds(wait)))
        }
        ServiceError::Invalid(errors) => UiError {
            code: "invalid_request".into(),
            message: errors.first().map(|e| e.message.clone()).unwrap_or_default(),
            // a form names its fields with dots
            fields: errors
                .into_iter()
                .map(|e| (e.pointer.trim_start_matches('/').replace('/', "."), e.message))
                .collect(),
        },
        ServiceError::TooMany(text) => say("invalid_request", text),
        ServiceError::Busy => say("busy", "The server is computing for many people. Try again in a moment."),
        ServiceError::Unavailable(_) => say("unavailable", "Storage is busy. Nothing was lost; try again in a moment."),
        ServiceError::Unreadable(_) => {
            say("internal", "This plan was saved by another version and can't be shown. Plan it again from its inputs.")
        }
        ServiceError::Internal(_) => {
            say("internal", "Something went wrong on the server. It has been logged; try again in a moment.")
        }
    }
}
