//! Teams and who is in them.

use super::accounts::AccountId;
use super::scenarios::OwnerId;
use super::statements::statements;
use super::{Store, StoreError};
use crate::id::PublicId;
use sqlx::sqlite::SqliteConnection;

statements! {
    // a hash of no token: whatever a browser sends, it is not this owner
    INSERT_OWNER = "INSERT INTO owner (token_hash, kind, created_at) VALUES (randomblob(32), 'team', ?1) RETURNING id";
    INSERT = "INSERT INTO team (public_id, owner_id, name, created_at) VALUES (?1, ?2, ?3, ?4) RETURNING id";
    JOIN = "INSERT INTO member (team_id, account_id, role, joined_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (team_id, account_id) DO NOTHING";
    ROLE_OVER = "SELECT member.role FROM team JOIN member ON member.team_id = team.id
                 WHERE team.owner_id = ?1 AND member.account_id = ?2";
}

/// Number of a team inside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct TeamId(pub(super) i64);

/// What a member may do, each more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(rename_all = "lowercase")]
pub enum Role {
    /// Sees everything of the team.
    Viewer,
    /// Saves, changes, deletes and shares scenarios too.
    Editor,
    /// Decides who is in the team too.
    Owner,
}

impl Role {
    /// As forms, pages and the store name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Editor => "editor",
            Self::Owner => "owner",
        }
    }

    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Viewer, Self::Editor, Self::Owner].into_iter().find(|role| role.name() == text)
    }
}

impl Store {
    /// What an account may do with the scenarios of an owner; nothing when the owner is no team of it.
    ///
    /// # Errors
    /// The database fails.
    pub async fn role_over(&self, owner: OwnerId, account: AccountId) -> Result<Option<Role>, StoreError> {
        Ok(sqlx::query_scalar(ROLE_OVER).bind(owner).bind(account).fetch_optional(self.read()).await?)
    }
}

/// Makes a team without members.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    id: &PublicId,
    name: &str,
    now: i64,
) -> Result<TeamId, StoreError> {
    let owner: i64 = sqlx::query_scalar(INSERT_OWNER).bind(now).fetch_one(&mut *connection).await?;
    let query = sqlx::query_scalar(INSERT).bind(id.as_str()).bind(owner).bind(name).bind(now);
    Ok(TeamId(query.fetch_one(&mut *connection).await?))
}

/// Makes an account a member; one who is a member already keeps the role.
pub(super) async fn join(
    connection: &mut SqliteConnection,
    team: TeamId,
    account: AccountId,
    role: Role,
    now: i64,
) -> Result<(), StoreError> {
    sqlx::query(JOIN).bind(team).bind(account).bind(role.name()).bind(now).execute(connection).await?;
    Ok(())
}
