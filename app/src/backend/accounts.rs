//! What pages and forms need of accounts: the port that `server` implements. It knows who asks.

use super::UiError;

/// Who is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    /// Address of the account.
    pub email: String,
    /// Name of the team that they work in.
    pub team: String,
    /// `owner`, `editor` or `viewer` of it.
    pub role: String,
}

/// A browser that is logged in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionSummary {
    /// Public id.
    pub id: String,
    /// Browser and system, in a few words.
    pub user_agent: String,
    /// Log-in, ISO 8601 UTC.
    pub created_at: String,
    /// Last use, ISO 8601 UTC.
    pub last_seen_at: String,
    /// It is the one that asks.
    pub current: bool,
}

/// An account as its owner sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountDetail {
    /// Address.
    pub email: String,
    /// Its sessions, last used first.
    pub sessions: Vec<SessionSummary>,
}

/// Accounts and sessions. What logs in or out sets the cookie of the answer.
#[async_trait::async_trait]
pub trait AccountBackend: Send + Sync + 'static {
    /// Who is logged in.
    async fn viewer(&self) -> Result<Option<Viewer>, UiError>;

    /// Who may make an account: `open`, `invitation` or `closed`.
    fn registration(&self) -> &'static str;

    /// Makes an account; what the browser saved before moves to it. With an invitation it joins that team.
    async fn sign_up(&self, email: String, password: String, invitation: Option<String>) -> Result<(), UiError>;

    /// Logs in; what the browser saved before moves to the account.
    async fn log_in(&self, email: String, password: String) -> Result<(), UiError>;

    /// Ends this session.
    async fn log_out(&self) -> Result<(), UiError>;

    /// Ends all sessions of the account.
    async fn log_out_everywhere(&self) -> Result<(), UiError>;

    /// Ends one session of the account.
    async fn end_session(&self, id: String) -> Result<(), UiError>;

    /// The account with its sessions.
    async fn account(&self) -> Result<AccountDetail, UiError>;

    /// Changes the password; other sessions end.
    async fn change_password(&self, old: String, new: String) -> Result<(), UiError>;

    /// Deletes the account, and the teams that nobody else is in.
    async fn delete_account(&self, password: String) -> Result<(), UiError>;

    /// The account whose password a one-time link sets.
    async fn reset_email(&self, token: String) -> Result<String, UiError>;

    /// Sets a password by a one-time link, and logs in.
    async fn reset_password(&self, token: String, password: String) -> Result<(), UiError>;
}
