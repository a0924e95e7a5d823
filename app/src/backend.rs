//! What the pages need from the server: the port that `server` implements.
//!
//! Server functions and pages reach it through Leptos context (`Arc<dyn Backend>`), both while rendering and
//! over HTTP. It already knows who is calling.

pub mod accounts;
pub mod links;
pub mod prices;
pub mod teams;

pub use crate::ui_error::UiError;
use engine::{Plan, PlanRequest};
use links::LinkSummary;
use prices::{BookUse, Prices};
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

/// A plan, and how it stands to the price book of the caller's team.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: std::sync::Arc<Plan>,
    /// Its use of the price book; none for callers without quotes.
    pub book: Option<BookUse>,
}

/// What the pages need from the server.
#[async_trait::async_trait]
pub trait Backend: Send + Sync + 'static {
    /// Plans, with the quotes of the caller's team under what the request says itself; answers are cached by what is
    /// planned.
    async fn plan(&self, request: PlanRequest, prices: Prices) -> Result<Planned, UiError>;

    /// Saves a scenario for the caller and returns its id. Gives the caller an owner cookie if there is none.
    async fn save_scenario(&self, name: String, request: PlanRequest, prices: Prices) -> Result<String, UiError>;

    /// The caller's scenarios, newest first.
    async fn scenarios(&self) -> Result<Vec<ScenarioSummary>, UiError>;

    /// One of the caller's scenarios.
    async fn scenario(&self, id: String) -> Result<ScenarioDetail, UiError>;

    /// Renames one of the caller's scenarios.
    async fn rename_scenario(&self, id: String, name: String) -> Result<(), UiError>;

    /// Deletes one of the caller's scenarios and its links.
    async fn delete_scenario(&self, id: String) -> Result<(), UiError>;
}
