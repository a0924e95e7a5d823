//! What pages and forms need of teams: the port that `server` implements. It knows who asks, and in which team.

use super::UiError;

/// Someone who is in the team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberSummary {
    /// Public id.
    pub id: String,
    /// Address.
    pub email: String,
    /// `owner`, `editor` or `viewer`.
    pub role: String,
    /// ISO 8601 UTC.
    pub joined_at: String,
    /// It is who asks.
    pub me: bool,
}

/// An invitation that nobody has used yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvitationSummary {
    /// Public id.
    pub id: String,
    /// Role that it gives.
    pub role: String,
    /// Address of who made it.
    pub made_by: String,
    /// ISO 8601 UTC.
    pub expires_at: String,
}

/// Something that was done in the team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// ISO 8601 UTC.
    pub at: String,
    /// Address of who did it; none when that account is deleted.
    pub who: Option<String>,
    /// Name of what was done, such as `saved_scenario`.
    pub action: String,
    /// What it was done to.
    pub object: String,
    /// Whom it was done to.
    pub about: Option<String>,
}

/// Days that what was done is kept.
pub const LOG_DAYS: i64 = 400;

/// A page of what was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// Newest first.
    pub lines: Vec<LogLine>,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
    /// Newer lines are on a page before it.
    pub is_later_page: bool,
}

/// A team of who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamSummary {
    /// Public id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Role of who asks.
    pub role: String,
    /// It is the one that they work in.
    pub current: bool,
}

/// The team as its members see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamDetail {
    /// Name.
    pub name: String,
    /// Role of who asks.
    pub role: String,
    /// Who is in it.
    pub members: Vec<MemberSummary>,
    /// Who may come in; empty for those who are no owners.
    pub invitations: Vec<InvitationSummary>,
    /// What was done.
    pub log: Log,
    /// All teams of who asks.
    pub teams: Vec<TeamSummary>,
}

/// What an invitation opens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Name of the team.
    pub team: String,
    /// Role that it gives.
    pub role: String,
    /// Address of who made it.
    pub made_by: String,
}

/// Teams, members and invitations.
#[async_trait::async_trait]
pub trait TeamBackend: Send + Sync + 'static {
    /// The team that who asks works in, with the page of its log that a cursor names; the first without one.
    async fn team(&self, log_from: Option<String>) -> Result<TeamDetail, UiError>;

    /// Makes a team, and works in it.
    async fn create_team(&self, name: String) -> Result<(), UiError>;

    /// Works in another team of who asks.
    async fn switch_team(&self, team: String) -> Result<(), UiError>;

    /// Renames the team.
    async fn rename_team(&self, name: String) -> Result<(), UiError>;

    /// Makes an invitation; returns the token, which is never shown again.
    async fn create_invitation(&self, role: String) -> Result<String, UiError>;

    /// Withdraws an invitation.
    async fn withdraw_invitation(&self, invitation: String) -> Result<(), UiError>;

    /// What an invitation opens. Unknown, used and expired look the same.
    async fn offer(&self, token: String) -> Result<Offer, UiError>;

    /// Joins the team of an invitation, and works in it.
    async fn accept_invitation(&self, token: String) -> Result<(), UiError>;

    /// Gives a member another role.
    async fn change_role(&self, member: String, role: String) -> Result<(), UiError>;

    /// Takes a member out of the team.
    async fn remove_member(&self, member: String) -> Result<(), UiError>;

    /// Leaves the team.
    async fn leave_team(&self) -> Result<(), UiError>;
}
