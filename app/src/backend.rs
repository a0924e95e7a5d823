//! What the pages need from the server: the port that `server` implements.
//!
//! Server functions and pages reach it through Leptos context (`Arc<dyn Backend>`), both while rendering and
//! over HTTP. It already knows who is calling.

pub mod accounts;
pub mod docs;
pub mod links;
pub mod prices;
pub mod scenarios;
pub mod teams;
pub mod tokens;

pub use crate::ui_error::UiError;
use engine::answer::Influence;
use engine::decisions::Decision;
use engine::rules::{ReferenceBuild, Rule};
use engine::{Plan, PlanRequest};
use links::LinkSummary;
use prices::{BookUse, Prices};
use scenarios::VersionSummary;
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
    /// Remarks, plain text.
    pub notes: String,
    /// Tags, sorted.
    pub tags: Vec<String>,
    /// Number of its current version.
    pub number: i64,
    /// Counts the changes of name, notes and tags.
    pub edition: i64,
    /// It is put away.
    pub archived: bool,
    /// When its plan was made, ISO 8601 UTC.
    pub frozen_at: String,
    /// Creation, ISO 8601 UTC.
    pub created_at: String,
    /// Last change, ISO 8601 UTC.
    pub updated_at: String,
    /// Seconds since the last change.
    pub age_seconds: i64,
    /// Typical cost of the run that its plan shows, US dollars; none where it has no price.
    pub cost_usd: Option<f64>,
    /// Typical length of that run, days; none where there is no run.
    pub days: Option<f64>,
}

/// A saved scenario with its frozen plan, its links and its history.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioDetail {
    /// The scenario.
    pub summary: ScenarioSummary,
    /// The plan as it was when saved.
    pub plan: Plan,
    /// Its links.
    pub links: Vec<LinkSummary>,
    /// Its versions, newest first.
    pub versions: Vec<VersionSummary>,
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

/// A plan with the choices behind it.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The plan.
    pub plan: std::sync::Arc<Plan>,
    /// Its choices; empty where it shows no cluster.
    pub decisions: Vec<Decision>,
}

/// What is computed of the rules of thumb, once in a process.
#[derive(Clone, Copy, Debug)]
pub struct Checked {
    /// The rules with their checks.
    pub rules: &'static [Rule],
    /// The clusters that the field reports recommend.
    pub builds: &'static [ReferenceBuild],
}

/// What the pages need from the server.
#[async_trait::async_trait]
pub trait Backend: Send + Sync + 'static {
    /// Plans, with the quotes of the caller's team under what the request says itself; answers are cached by what is
    /// planned.
    async fn plan(&self, request: PlanRequest, prices: Prices) -> Result<Planned, UiError>;

    /// Plans like [`Backend::plan`], and decides what people decide by rules of thumb.
    async fn decisions(&self, request: PlanRequest, prices: Prices) -> Result<Decided, UiError>;

    /// What a tenth more of each input does to the figure that a plan explains under a key.
    async fn influences(&self, plan: std::sync::Arc<Plan>, key: String) -> Result<Vec<Influence>, UiError>;

    /// The rules of thumb with what is computed of them.
    async fn checked(&self) -> Result<Checked, UiError>;

    /// The clusters that the field reports recommend; none while they are not computed yet.
    async fn reference_builds(&self) -> &'static [ReferenceBuild];

    /// Saves a scenario for the caller and returns its id. Gives the caller an owner cookie if there is none.
    async fn save_scenario(&self, name: String, request: PlanRequest, prices: Prices) -> Result<String, UiError>;

    /// One of the caller's scenarios.
    async fn scenario(&self, id: String) -> Result<ScenarioDetail, UiError>;

    /// Deletes one of the caller's scenarios and its links.
    async fn delete_scenario(&self, id: String) -> Result<(), UiError>;
}
