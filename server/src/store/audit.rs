//! What was done in a team, by whom: written in the transaction that does it.

use super::accounts::AccountId;
use super::links::LinkId;
use super::scenarios::ScenarioId;
use super::statements::statements;
use super::teams::TeamId;
use super::{Store, StoreError};
use sqlx::sqlite::SqliteConnection;

statements! {
    NOTE = "INSERT INTO audit (team_id, account_id, action, about_id, object, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    // what belongs to a browser belongs to no team, and nothing is noted
    NOTE_SCENARIO = "INSERT INTO audit (team_id, account_id, action, object, at)
                     SELECT team.id, ?2, ?3, scenario.name, ?4
                     FROM scenario JOIN team ON team.owner_id = scenario.owner_id WHERE scenario.id = ?1";
    NOTE_LINK = "INSERT INTO audit (team_id, account_id, action, object, at)
                 SELECT team.id, ?2, ?3, scenario.name, ?4
                 FROM share_link JOIN scenario ON scenario.id = share_link.scenario_id
                 JOIN team ON team.owner_id = scenario.owner_id
                 WHERE share_link.id = ?1 AND share_link.revoked_at IS NULL";
    LIST = "SELECT audit.id, audit.at, audit.action, audit.object, who.email AS who, about.email AS about
            FROM audit LEFT JOIN account AS who ON who.id = audit.account_id
            LEFT JOIN account AS about ON about.id = audit.about_id
            WHERE audit.team_id = ?1 AND audit.id < ?2 AND audit.at > ?3 ORDER BY audit.id DESC LIMIT ?4";
    FORGET = "DELETE FROM audit WHERE at <= ?1";
}

/// How long what was done is kept, milliseconds.
const KEPT: i64 = app::backend::teams::LOG_DAYS * 24 * 60 * 60 * 1000;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// A scenario was saved.
    SavedScenario,
    /// A scenario was renamed; its new name.
    RenamedScenario,
    /// Notes or tags of a scenario were changed.
    DescribedScenario,
    /// A new version of a scenario was saved.
    SavedVersion,
    /// An earlier version of a scenario was restored.
    RestoredVersion,
    /// A scenario was copied; the name of the copy.
    DuplicatedScenario,
    /// A scenario was put away.
    ArchivedScenario,
    /// A scenario was taken out again.
    UnarchivedScenario,
    /// A scenario was deleted.
    DeletedScenario,
    /// A share link of a scenario was made.
    SharedScenario,
    /// A share link of a scenario was revoked.
    RevokedLink,
    /// A share link of a scenario was paused.
    PausedLink,
    /// A paused share link of a scenario opens again.
    ResumedLink,
    /// A share link of a scenario got another address.
    RotatedLink,
    /// A quote of the price book was put in or changed; its key.
    ChangedQuote,
    /// A quote of the price book was removed; its key.
    RemovedQuote,
    /// What a browser had saved came with its log-in.
    BroughtScenarios,
    /// The team was made.
    MadeTeam,
    /// The team was renamed; its new name.
    RenamedTeam,
    /// An invitation was made; its role.
    Invited,
    /// An invitation was withdrawn; its role.
    WithdrewInvitation,
    /// Someone joined; the role.
    Joined,
    /// A role was changed; the new one.
    ChangedRole,
    /// Someone was removed.
    RemovedMember,
    /// Someone left.
    Left,
    /// A token of the API was made; its name.
    MadeToken,
    /// A token of the API was revoked; its name.
    RevokedToken,
}

impl Done {
    /// As the store and exports name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::SavedScenario => "saved_scenario",
            Self::RenamedScenario => "renamed_scenario",
            Self::DescribedScenario => "described_scenario",
            Self::SavedVersion => "saved_version",
            Self::RestoredVersion => "restored_version",
            Self::DuplicatedScenario => "duplicated_scenario",
            Self::ArchivedScenario => "archived_scenario",
            Self::UnarchivedScenario => "unarchived_scenario",
            Self::DeletedScenario => "deleted_scenario",
            Self::SharedScenario => "shared_scenario",
            Self::RevokedLink => "revoked_link",
            Self::PausedLink => "paused_link",
            Self::ResumedLink => "resumed_link",
            Self::RotatedLink => "rotated_link",
            Self::ChangedQuote => "changed_quote",
            Self::RemovedQuote => "removed_quote",
            Self::BroughtScenarios => "brought_scenarios",
            Self::MadeTeam => "made_team",
            Self::RenamedTeam => "renamed_team",
            Self::Invited => "invited",
            Self::WithdrewInvitation => "withdrew_invitation",
            Self::Joined => "joined",
            Self::ChangedRole => "changed_role",
            Self::RemovedMember => "removed_member",
            Self::Left => "left",
            Self::MadeToken => "made_token",
            Self::RevokedToken => "revoked_token",
        }
    }
}

/// One line of the log.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Line {
    /// Counts the lines of all teams.
    pub id: i64,
    /// Milliseconds since 1970.
    pub at: i64,
    /// Name of what was done.
    pub action: String,
    /// What it was done to.
    pub object: String,
    /// Who did it; none when the account is deleted.
    pub who: Option<String>,
    /// Whom it was done to, if to a person whose account is not deleted.
    pub about: Option<String>,
}

impl Store {
    /// Lines of a team's log before one of them, newest first; what is older than the log is kept is not among them.
    ///
    /// # Errors
    /// The database fails.
    pub async fn audit(&self, team: TeamId, before: i64, most: i64, now: i64) -> Result<Vec<Line>, StoreError> {
        let rows = sqlx::query_as(LIST).bind(team).bind(before).bind(now - KEPT).bind(most);
        Ok(rows.fetch_all(self.read()).await?)
    }
}

/// Lets go of what is older than logs are kept.
pub(super) async fn forget(connection: &mut SqliteConnection, now: i64) -> Result<(), StoreError> {
    sqlx::query(FORGET).bind(now - KEPT).execute(connection).await?;
    Ok(())
}

/// Something in a team.
#[derive(Clone, Copy, Debug)]
pub(super) struct Note<'a> {
    pub(super) team: TeamId,
    pub(super) by: AccountId,
    pub(super) done: Done,
    pub(super) about: Option<AccountId>,
    pub(super) object: &'a str,
    pub(super) now: i64,
}

pub(super) async fn note(connection: &mut SqliteConnection, note: Note<'_>) -> Result<(), StoreError> {
    sqlx::query(NOTE)
        .bind(note.team)
        .bind(note.by)
        .bind(note.done.name())
        .bind(note.about)
        .bind(note.object)
        .bind(note.now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Something done to a scenario.
pub(super) async fn note_scenario(
    connection: &mut SqliteConnection,
    scenario: ScenarioId,
    by: Option<AccountId>,
    done: Done,
    now: i64,
) -> Result<(), StoreError> {
    sqlx::query(NOTE_SCENARIO).bind(scenario).bind(by).bind(done.name()).bind(now).execute(connection).await?;
    Ok(())
}

/// A link is about to be changed; one that is revoked stays as it is, and nothing is noted.
pub(super) async fn note_link(
    connection: &mut SqliteConnection,
    link: LinkId,
    by: Option<AccountId>,
    done: Done,
    now: i64,
) -> Result<(), StoreError> {
    sqlx::query(NOTE_LINK).bind(link).bind(by).bind(done.name()).bind(now).execute(connection).await?;
    Ok(())
}
