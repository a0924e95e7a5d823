//! What pages and forms need of scenarios with a history: the port that `server` implements. It knows who asks.

use super::prices::Prices;
use super::{ScenarioSummary, UiError};
use crate::comparison::Comparison;
use crate::inputs::Origin;
use engine::{Plan, PlanRequest};
use std::sync::Arc;

/// Which scenarios are meant: those in use, those put away, or both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shelf {
    /// In use.
    #[default]
    InUse,
    /// Archived ones only.
    Archived,
    /// All of them.
    All,
}

impl Shelf {
    /// As the address of the list names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::InUse => "",
            Self::Archived => "only",
            Self::All => "also",
        }
    }

    /// Of an address; whatever it is, it means one of them.
    pub fn of_name(name: &str) -> Self {
        [Self::Archived, Self::All].into_iter().find(|shelf| shelf.name() == name).unwrap_or_default()
    }
}

/// What the list is searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListSearch {
    /// Words.
    pub text: String,
    /// A tag.
    pub tag: String,
    /// In use or archived.
    pub shelf: Shelf,
}

/// What of the list was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScenarioList {
    /// Newest change first; all that were found.
    pub scenarios: Vec<ScenarioSummary>,
    /// How many there are at all.
    pub all: usize,
    /// Every tag there is.
    pub tags: Vec<String>,
}

/// A version in the history of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionSummary {
    /// Its number, from 1.
    pub number: i64,
    /// Headline of its plan.
    pub headline: String,
    /// Query of its inputs, without `?`.
    pub query: String,
    /// Engine that made the plan.
    pub engine_version: String,
    /// Catalog that the plan is from.
    pub catalog_version: String,
    /// When the plan was made, ISO 8601 UTC.
    pub frozen_at: String,
    /// When it was saved, ISO 8601 UTC.
    pub saved_at: String,
    /// Who saved it, in words.
    pub who: String,
    /// Why, in a few words.
    pub reason: String,
}

/// A version with its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct VersionView {
    /// The scenario as it is now.
    pub scenario: ScenarioSummary,
    /// The version.
    pub version: VersionSummary,
    /// Its plan as it was when saved.
    pub plan: Plan,
    /// The caller may change the scenario.
    pub may_change: bool,
}

/// Two versions, and how they differ.
#[derive(Clone, Debug, PartialEq)]
pub struct DifferenceView {
    /// The one that is compared from.
    pub from: VersionView,
    /// The one that is compared with it.
    pub to: VersionView,
    /// How they differ.
    pub comparison: Comparison,
}

/// A frozen plan, and the same inputs planned today.
#[derive(Clone, Debug, PartialEq)]
pub struct AgainView {
    /// The scenario.
    pub scenario: ScenarioSummary,
    /// The plan of today.
    pub today: Arc<Plan>,
    /// How the plans differ.
    pub comparison: Comparison,
    /// The caller may change the scenario.
    pub may_change: bool,
}

/// What can be done with the plan of the planner.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saving {
    /// The scenario that the inputs began from, if the caller may change it.
    pub version: Option<SavingVersion>,
    /// The team in which the caller may look and not save, if it is so.
    pub viewer_of: Option<String>,
}

/// A scenario that a new version can be saved of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavingVersion {
    /// Public id.
    pub scenario: String,
    /// Its name.
    pub name: String,
    /// The version that the inputs began from.
    pub base: i64,
    /// The current version.
    pub current: i64,
}

/// Whether a scenario is put away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archiving {
    /// It leaves the list.
    PutAway,
    /// It comes back to the list.
    TakeOut,
}

/// Scenarios with a history. What changes one may say which version or edition the caller has seen; with none it is done
/// whatever others did meanwhile.
#[async_trait::async_trait]
pub trait ScenarioBackend: Send + Sync + 'static {
    /// The caller's scenarios that are searched for, newest change first.
    async fn list(&self, search: ListSearch) -> Result<ScenarioList, UiError>;

    /// What the caller can do with a plan of the planner. Where that can't be found out, it can be saved as new.
    async fn saving(&self, origin: Option<Origin>) -> Saving;

    /// A version of one of the caller's scenarios; the current one without a number.
    async fn version(&self, id: String, number: Option<i64>) -> Result<VersionView, UiError>;

    /// How two versions of one of the caller's scenarios differ.
    async fn difference(&self, id: String, from: i64, to: i64) -> Result<DifferenceView, UiError>;

    /// One of the caller's scenarios beside the same inputs planned today.
    async fn again(&self, id: String) -> Result<AgainView, UiError>;

    /// Two to four of the caller's scenarios with their plans.
    async fn compared(&self, ids: Vec<String>) -> Result<Vec<(ScenarioSummary, Plan)>, UiError>;

    /// Saves a new version, planned for as [`super::Backend::plan`] does; returns its number.
    async fn save_version(
        &self,
        id: String,
        base: Option<i64>,
        request: PlanRequest,
        prices: Prices,
    ) -> Result<i64, UiError>;

    /// Plans again for the inputs that a scenario has, and saves that as a new version.
    async fn keep_again(&self, id: String, base: Option<i64>) -> Result<i64, UiError>;

    /// Makes what an earlier version holds a new one.
    async fn restore_version(&self, id: String, number: i64) -> Result<i64, UiError>;

    /// Renames.
    async fn rename(&self, id: String, name: String, edition: Option<i64>) -> Result<(), UiError>;

    /// Changes notes and tags.
    async fn describe(&self, id: String, notes: String, tags: Vec<String>, edition: Option<i64>)
    -> Result<(), UiError>;

    /// Puts away, or takes out again.
    async fn archive(&self, id: String, archiving: Archiving) -> Result<(), UiError>;

    /// Copies; returns the id of the copy.
    async fn duplicate(&self, id: String) -> Result<String, UiError>;
}
