//! What pages and forms need of share links: the port that `server` implements. It knows who asks.

use super::UiError;
use engine::Plan;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How a link stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkState {
    /// It opens.
    Active,
    /// It opens again when it is resumed.
    Paused,
    /// Its time is over.
    Expired,
    /// It does not open any more.
    Revoked,
}

/// A share link of a scenario, as its owner sees it. The token itself is shown once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkSummary {
    /// Public id of the link.
    pub id: String,
    /// `frozen`, `live` or `feed`.
    pub kind: String,
    /// What its owner calls it; may be empty.
    pub label: String,
    /// How it stands.
    pub state: LinkState,
    /// Creation, ISO 8601 UTC.
    pub created_at: String,
    /// Times that it was opened.
    pub views: u64,
    /// When it was opened last, ISO 8601 UTC.
    pub last_view_at: Option<String>,
    /// When it ends, ISO 8601 UTC; none is never.
    pub expires_at: Option<String>,
    /// Days until then, rounded up.
    pub days_left: Option<u64>,
}

/// A link that was just made or rotated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLink {
    /// Its token, which is never shown again.
    pub token: String,
    /// `frozen`, `live` or `feed`.
    pub kind: String,
}

/// A plan opened by its share link.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedPlan {
    /// `frozen` or `live`.
    pub kind: String,
    /// Name of the scenario.
    pub name: String,
    /// When it was frozen, or when its scenario was last changed; ISO 8601 UTC.
    pub as_of: String,
    /// Absolute address of its picture.
    pub picture: String,
    /// The plan.
    pub plan: Plan,
}

/// Share links.
#[async_trait::async_trait]
pub trait LinkBackend: Send + Sync + 'static {
    /// Makes a share link to a scenario: `frozen`, `live` or `feed`, which ends after `7`, `30`, `90` days or `never`.
    async fn create_link(
        &self,
        scenario: String,
        kind: String,
        label: String,
        days: String,
    ) -> Result<NewLink, UiError>;

    /// Keeps a link of one of the caller's scenarios from opening until it is resumed.
    async fn pause_link(&self, link: String) -> Result<(), UiError>;

    /// Lets a paused link open again.
    async fn resume_link(&self, link: String) -> Result<(), UiError>;

    /// Revokes a link of one of the caller's scenarios.
    async fn revoke_link(&self, link: String) -> Result<(), UiError>;

    /// Gives a link of one of the caller's scenarios another token; the old one opens nothing any more.
    async fn rotate_link(&self, link: String) -> Result<NewLink, UiError>;

    /// The plan behind a share link. All that do not open look the same.
    async fn shared(&self, token: String) -> Result<SharedPlan, UiError>;

    /// The plan behind a share link, and the plan of the same inputs with today's catalog.
    async fn shared_today(&self, token: String) -> Result<(SharedPlan, Arc<Plan>), UiError>;
}
