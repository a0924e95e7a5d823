//! The port of `app` for one request: it knows the caller by the owner cookie, and gives one to who saves first.

use crate::auth::owner::{self, Transport};
use crate::auth::secret::OwnerToken;
use crate::service::planning::Planning;
use crate::service::scenarios::Scenarios;
use crate::service::{ServiceError, clock};
use crate::state::AppState;
use crate::store::links::Link;
use crate::store::scenarios::Scenario;
use app::backend::{Backend, LinkSummary, ScenarioDetail, ScenarioSummary, SharedPlan, UiError};
use axum::http::HeaderMap;
use axum::http::header::SET_COOKIE;
use engine::{Plan, PlanRequest};
use leptos_axum::ResponseOptions;
use std::sync::Arc;

/// The backend of one request.
pub struct RequestBackend {
    planning: Planning,
    scenarios: Scenarios,
    transport: Transport,
    caller: Option<OwnerToken>,
    response: Option<ResponseOptions>,
}

impl RequestBackend {
    /// For a request with these headers, whose answer takes cookies from `response`.
    pub fn new(state: &AppState, headers: &HeaderMap, response: Option<ResponseOptions>) -> Self {
        Self {
            planning: state.planning.clone(),
            scenarios: state.scenarios.clone(),
            transport: state.transport(),
            caller: owner::read(headers, state.transport()),
            response,
        }
    }

    /// What went wrong, in words; the answer says so by its status too. A form of a browser without scripts is led to a
    /// page that shows the words, and that redirect goes before the status.
    fn failed(&self, error: ServiceError) -> UiError {
        if let Some(response) = &self.response {
            response.set_status(error.status());
        }
        ui_error(error)
    }

    fn caller(&self) -> Option<&OwnerToken> {
        self.caller.as_ref()
    }
}

#[async_trait::async_trait]
impl Backend for RequestBackend {
    async fn plan(&self, request: PlanRequest) -> Result<Arc<Plan>, UiError> {
        self.planning.plan(request).await.map_err(|error| self.failed(error))
    }

    async fn save_scenario(&self, name: String, request: PlanRequest) -> Result<String, UiError> {
        let saved = self.scenarios.save(self.caller(), &name, request).await.map_err(|error| self.failed(error))?;
        // also to a known owner: each save puts off the day when the browser forgets
        if let (Some(response), Some(cookie)) = (&self.response, owner::set(&saved.owner, self.transport)) {
            response.append_header(SET_COOKIE, cookie);
        }
        Ok(saved.id.into_string())
    }

    async fn scenarios(&self) -> Result<Vec<ScenarioSummary>, UiError> {
        let scenarios = self.scenarios.list(self.caller()).await.map_err(|error| self.failed(error))?;
        Ok(scenarios.into_iter().map(summary).collect())
    }

    async fn scenario(&self, id: String) -> Result<ScenarioDetail, UiError> {
        let found = self.scenarios.get(self.caller(), &id).await.map_err(|error| self.failed(error))?;
        Ok(ScenarioDetail {
            summary: summary(found.scenario),
            plan: found.plan,
            links: found.links.into_iter().map(link).collect(),
        })
    }

    async fn rename_scenario(&self, id: String, name: String) -> Result<(), UiError> {
        self.scenarios.rename(self.caller(), &id, &name).await.map_err(|error| self.failed(error))
    }

    async fn delete_scenario(&self, id: String) -> Result<(), UiError> {
        self.scenarios.delete(self.caller(), &id).await.map_err(|error| self.failed(error))
    }

    async fn create_link(&self, scenario: String) -> Result<String, UiError> {
        let token = self.scenarios.create_link(self.caller(), &scenario).await.map_err(|error| self.failed(error))?;
        Ok(token.expose().to_owned())
    }

    async fn revoke_link(&self, link: String) -> Result<(), UiError> {
        self.scenarios.revoke_link(self.caller(), &link).await.map_err(|error| self.failed(error))
    }

    async fn shared(&self, token: String) -> Result<SharedPlan, UiError> {
        let shared = self.scenarios.open(&token).await.map_err(|error| self.failed(error))?;
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
            say("not_found", "There is nothing here. It may have been deleted, or belong to another browser.")
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
