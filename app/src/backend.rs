//! What the pages need from the server: the port that `server` implements.
//!
//! Server functions and pages reach it through Leptos context (`Arc<dyn Backend>`), both while rendering and
//! over HTTP. It already knows who is calling.

pub mod accounts;
pub mod docs;
pub mod teams;
pub mod tokens;

pub use crate::ui_error::UiError;
use engine::{Plan, PlanRequest};
use serde::{Deserialize, Serialize};

/// A saved scenario in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioSummary {
    /// Public id.
    pub id: String,
    /// Name given by its owner.
    pub name: String,
    /// Headline of its plan.
    pub headline: String,
    /// Query of its inputs, without `?`.
    pub query: String,
    /// Creation, ISO 8601 UTC.
    pub created_at: String,
    /// Last change, ISO 8601 UTC.
    pub updated_at: String,
}

/// A share link of a scenario, as its owner sees it. The token itself is shown once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkSummary {
    /// Public id of the link.
    pub id: String,
    /// Creation, ISO 8601 UTC.
    pub created_at: String,
    /// Times that it was opened.
    pub views: u64,
    /// It no longer opens.
    pub revoked: bool,
}

/// A saved scenario with its frozen plan and its links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScenarioDetail {
    /// The scenario.
    pub summary: ScenarioSummary,
    /// The plan as it was when saved.
    pub plan: Plan,
    /// Its links.
    pub links: Vec<LinkSummary>,
    /// The caller may rename, share and delete it; viewers of a team may not.
    pub may_change: bool,
}

/// A plan opened by its share link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedPlan {
    /// Name of the scenario.
    pub name: String,
    /// When it was frozen, ISO 8601 UTC.
    pub frozen_at: String,
    /// The plan as it was.
    pub plan: Plan,
}

/// What the pages need from the server.
#[async_trait::async_trait]
pub trait Backend: Send + Sync + 'static {
    /// Plans; answers are cached by request.
    async fn plan(&self, request: PlanRequest) -> Result<std::sync::Arc<Plan>, UiError>;

    /// Saves a scenario for the caller and returns its id. Gives the caller an owner cookie if there is none.
    async fn save_scenario(&self, name: String, request: PlanRequest) -> Result<String, UiError>;

    /// The caller's scenarios, newest first.
    async fn scenarios(&self) -> Result<Vec<ScenarioSummary>, UiError>;

    /// One of the caller's scenarios.
    async fn scenario(&self, id: String) -> Result<ScenarioDetail, UiError>;

    /// Renames one of the caller's scenarios.
    async fn rename_scenario(&self, id: String, name: String) -> Result<(), UiError>;

    /// Deletes one of the caller's scenarios and its links.
    async fn delete_scenario(&self, id: String) -> Result<(), UiError>;

    /// Makes a share link to the frozen plan of a scenario; returns the token, which is never shown again.
    async fn create_link(&self, scenario: String) -> Result<String, UiError>;

    /// Revokes a link of one of the caller's scenarios.
    async fn revoke_link(&self, link: String) -> Result<(), UiError>;

    /// The plan behind a share link. Unknown and revoked look the same.
    async fn shared(&self, token: String) -> Result<SharedPlan, UiError>;
}
