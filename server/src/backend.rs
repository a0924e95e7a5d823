//! The ports of `app` for one request: it knows the caller by the session or the owner cookie, and gives an owner cookie
//! to who saves first without an account.

mod accounts;
mod teams;
mod tokens;

use crate::auth::owner;
use crate::auth::secret::{OwnerToken, SessionToken};
use crate::auth::session;
use crate::service::actor::Actor;
use crate::service::{ServiceError, clock};
use crate::state::AppState;
use crate::store::links::Link;
use crate::store::scenarios::Scenario;
use crate::store::teams::Role;
use app::backend::{Backend, LinkSummary, ScenarioDetail, ScenarioSummary, SharedPlan, UiError};
use axum::http::header::{RETRY_AFTER, SET_COOKIE, USER_AGENT};
use axum::http::{HeaderMap, HeaderValue};
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
    /// Looked up once, and only where it matters who asks.
    actor: OnceCell<Actor>,
    response: Option<ResponseOptions>,
}

impl RequestBackend {
    /// For a request with these headers, whose answer takes cookies from `response`.
    pub fn new(state: &AppState, headers: &HeaderMap, response: Option<ResponseOptions>) -> Self {
        let user_agent = headers.get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        Self {
            session: session::read(headers, state.transport()),
            owner: owner::read(headers, state.transport()),
            user_agent: user_agent.to_owned(),
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
    async fn plan(&self, request: PlanRequest) -> Result<Arc<Plan>, UiError> {
        self.state.planning.plan(request).await.map_err(|error| self.failed(error))
    }

    async fn save_scenario(&self, name: String, request: PlanRequest) -> Result<String, UiError> {
        let saved =
            self.state.scenarios.save(self.actor().await?, &name, request).await.map_err(|error| self.failed(error))?;
        // also to a known owner: each save puts off the day when the browser forgets
        self.give(saved.owner.and_then(|token| owner::set(&token, self.state.transport())));
        Ok(saved.id.into_string())
    }

    async fn scenarios(&self) -> Result<Vec<ScenarioSummary>, UiError> {
        let scenarios = self.state.scenarios.list(self.actor().await?).await.map_err(|error| self.failed(error))?;
        Ok(scenarios.into_iter().map(summary).collect())
    }

    async fn scenario(&self, id: String) -> Result<ScenarioDetail, UiError> {
        let found = self.state.scenarios.get(self.actor().await?, &id).await.map_err(|error| self.failed(error))?;
        Ok(ScenarioDetail {
            summary: summary(found.scenario),
            plan: found.plan,
            links: found.links.into_iter().map(link).collect(),
            may_change: found.role >= Role::Editor,
        })
    }

    async fn rename_scenario(&self, id: String, name: String) -> Result<(), UiError> {
        self.state.scenarios.rename(self.actor().await?, &id, &name).await.map_err(|error| self.failed(error))
    }

    async fn delete_scenario(&self, id: String) -> Result<(), UiError> {
        self.state.scenarios.delete(self.actor().await?, &id).await.map_err(|error| self.failed(error))
    }

    async fn create_link(&self, scenario: String) -> Result<String, UiError> {
        let token = self
            .state
            .scenarios
            .create_link(self.actor().await?, &scenario)
            .await
            .map_err(|error| self.failed(error))?;
        Ok(token.expose().to_owned())
    }

    async fn revoke_link(&self, link: String) -> Result<(), UiError> {
        self.state.scenarios.revoke_link(self.actor().await?, &link).await.map_err(|error| self.failed(error))
    }

    async fn shared(&self, token: String) -> Result<SharedPlan, UiError> {
        let shared = self.state.scenarios.open(&token).await.map_err(|error| self.failed(error))?;
        Ok(SharedPlan { name: shared.name, frozen_at: clock::iso(shared.frozen_at), plan: shared.plan })
    }
}

fn summary(scenario: Scenario) -> ScenarioSummary {
    ScenarioSummary {
        id: scenario.public_id,
        name: scenario.name,
        headline: scenario.headline,
        query: scenario.query,
        created_at: clock::iso(scenario.created_at),
        updated_at: clock::iso(scenario.updated_at),
    }
}

fn link(link: Link) -> LinkSummary {
    LinkSummary {
        id: link.public_id,
        created_at: clock::iso(link.created_at),
        views: u64::try_from(link.views).unwrap_or(0),
        revoked: link.revoked_at.is_some(),
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
