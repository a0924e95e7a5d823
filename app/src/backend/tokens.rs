//! What pages and forms need of the tokens of the API: the port that `server` implements. It knows who asks, and in which
//! team.

use super::UiError;

/// A token. The token itself is shown once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenSummary {
    /// Public id.
    pub id: String,
    /// Name.
    pub name: String,
    /// `read` or `write`.
    pub scope: String,
    /// Address of who made it.
    pub made_by: String,
    /// ISO 8601 UTC.
    pub expires_at: String,
    /// It has ended.
    pub ended: bool,
    /// ISO 8601 UTC, to the hour.
    pub last_used_at: Option<String>,
}

/// Tokens of the team that who asks works in.
#[async_trait::async_trait]
pub trait TokenBackend: Send + Sync + 'static {
    /// The tokens, newest first.
    async fn tokens(&self) -> Result<Vec<TokenSummary>, UiError>;

    /// Makes a token; returns it, and it is never shown again.
    async fn create_token(&self, name: String, scope: String, days: String) -> Result<String, UiError>;

    /// Revokes a token.
    async fn revoke_token(&self, token: String) -> Result<(), UiError>;
}
