//! Tokens of the API.

use super::accounts::AccountId;
use super::audit::{self, Done, Note};
use super::scenarios::Inserted;
use super::sessions::{Member, SessionId};
use super::statements::statements;
use super::teams::{Role, TeamId};
use super::{Store, StoreError};
use crate::auth::secret::TokenHash;
use crate::id::PublicId;

/// How long those that have ended are still listed, milliseconds.
const SHOWN_AFTER: i64 = 30 * 24 * 60 * 60 * 1000;

statements! {
    END_STALE = "DELETE FROM api_token WHERE expires_at <= ?1";
    COUNT = "SELECT COUNT(*) FROM api_token WHERE team_id = ?1 AND account_id = ?2";
    INSERT = "INSERT INTO api_token (public_id, token_hash, team_id, account_id, name, scope, created_at, expires_at)
              VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    LIST = "SELECT api_token.public_id, api_token.name, api_token.scope, account.email AS made_by, api_token.created_at,
                   api_token.expires_at, api_token.last_used_at
            FROM api_token JOIN account ON account.id = api_token.account_id
            WHERE api_token.team_id = ?1 ORDER BY api_token.id DESC";
    REVOKE = "DELETE FROM api_token WHERE team_id = ?1 AND public_id = ?2 RETURNING name";
    // what it may follows from what its maker may now
    FIND = "SELECT api_token.id AS token, api_token.name, api_token.scope, api_token.expires_at, api_token.last_used_at,
                   account.id AS account, account.public_id, account.email,
                   team.id AS team, team.public_id AS team_public_id, team.name AS team_name, team.owner_id AS owner, member.role
            FROM api_token
            JOIN member ON member.team_id = api_token.team_id AND member.account_id = api_token.account_id
            JOIN account ON account.id = api_token.account_id
            JOIN team ON team.id = api_token.team_id
            WHERE api_token.token_hash = ?1 AND api_token.expires_at > ?2";
    TOUCH = "UPDATE api_token SET last_used_at = ?2 WHERE id = ?1";
}

/// Number of a token inside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, sqlx::Type)]
#[sqlx(transparent)]
pub struct TokenId(i64);

/// What a token is for, each more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::Type)]
#[sqlx(rename_all = "lowercase")]
pub enum Scope {
    /// Reads what belongs to the team.
    Read,
    /// Saves, changes and deletes it too.
    Write,
}

impl Scope {
    /// As forms, the API and the store name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }

    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Read, Self::Write].into_iter().find(|scope| scope.name() == text)
    }

    /// The most that a token may, whoever made it: who is in a team is never decided by a program.
    fn most(self) -> Role {
        match self {
            Self::Read => Role::Viewer,
            Self::Write => Role::Editor,
        }
    }
}

/// A token as members of its team see it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct TokenLine {
    /// Public id.
    pub public_id: String,
    /// Name.
    pub name: String,
    /// What it is for.
    pub scope: Scope,
    /// Address of who made it.
    pub made_by: String,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub expires_at: i64,
    /// Milliseconds since 1970, to the hour.
    pub last_used_at: Option<i64>,
}

/// Who holds a token.
#[derive(Clone, Debug)]
pub struct Holder {
    /// The token.
    pub token: TokenId,
    /// Its name.
    pub name: String,
    /// What it is for.
    pub scope: Scope,
    /// When it ends, milliseconds since 1970.
    pub expires_at: i64,
    /// Milliseconds since 1970, to the hour.
    pub last_used_at: Option<i64>,
    /// Its maker in its team, with the role that the token has. There is no session.
    pub member: Member,
}

#[derive(sqlx::FromRow)]
struct Found {
    token: TokenId,
    name: String,
    scope: Scope,
    expires_at: i64,
    last_used_at: Option<i64>,
    account: AccountId,
    public_id: String,
    email: String,
    team: TeamId,
    team_public_id: String,
    team_name: String,
    owner: super::scenarios::OwnerId,
    role: Role,
}

/// A token to be.
#[derive(Debug)]
pub struct NewToken<'a> {
    /// Its public id.
    pub id: &'a PublicId,
    /// What is kept of it.
    pub token: TokenHash,
    /// Its name.
    pub name: &'a str,
    /// What it is for.
    pub scope: Scope,
    /// When it ends, milliseconds since 1970.
    pub expires_at: i64,
}

impl Store {
    /// Keeps a token of a member, unless there are `most` already.
    ///
    /// # Errors
    /// The database fails.
    pub async fn insert_token(
        &self,
        team: TeamId,
        by: AccountId,
        new: NewToken<'_>,
        most: i64,
        now: i64,
    ) -> Result<Inserted, StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(END_STALE).bind(now.saturating_sub(SHOWN_AFTER)).execute(&mut *tx).await?;
        let count: i64 = sqlx::query_scalar(COUNT).bind(team).bind(by).fetch_one(&mut *tx).await?;
        if count >= most {
            tx.rollback().await?;
            return Ok(Inserted::TooMany);
        }
        sqlx::query(INSERT)
            .bind(new.id.as_str())
            .bind(new.token.as_bytes())
            .bind(team)
            .bind(by)
            .bind(new.name)
            .bind(new.scope.name())
            .bind(now)
            .bind(new.expires_at)
            .execute(&mut *tx)
            .await?;
        audit::note(&mut tx, Note { team, by, done: Done::MadeToken, about: None, object: new.name, now }).await?;
        tx.commit().await?;
        Ok(Inserted::Done)
    }

    /// The tokens of a team, newest first; those that ended lately too.
    ///
    /// # Errors
    /// The database fails.
    pub async fn tokens(&self, team: TeamId) -> Result<Vec<TokenLine>, StoreError> {
        Ok(sqlx::query_as(LIST).bind(team).fetch_all(self.read()).await?)
    }

    /// Revokes a token of a team; false when it is not one of its own.
    ///
    /// # Errors
    /// The database fails.
    pub async fn revoke_token(
        &self,
        team: TeamId,
        by: AccountId,
        public_id: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let name: Option<String> =
            sqlx::query_scalar(REVOKE).bind(team).bind(public_id).fetch_optional(&mut *tx).await?;
        if let Some(name) = &name {
            audit::note(&mut tx, Note { team, by, done: Done::RevokedToken, about: None, object: name, now }).await?;
        }
        tx.commit().await?;
        Ok(name.is_some())
    }

    /// Who holds a token; nobody when it is unknown, revoked or has ended.
    ///
    /// # Errors
    /// The database fails.
    pub async fn holder(&self, token: TokenHash, now: i64) -> Result<Option<Holder>, StoreError> {
        let query = sqlx::query_as(FIND).bind(token.as_bytes()).bind(now);
        let found: Option<Found> = query.fetch_optional(self.read()).await?;
        Ok(found.map(|found| Holder {
            token: found.token,
            name: found.name,
            scope: found.scope,
            expires_at: found.expires_at,
            last_used_at: found.last_used_at,
            member: Member {
                session: SessionId::NONE,
                last_seen_at: now,
                account: found.account,
                public_id: found.public_id,
                email: found.email,
                team: found.team,
                team_public_id: found.team_public_id,
                team_name: found.team_name,
                owner: found.owner,
                role: found.role.min(found.scope.most()),
            },
        }))
    }

    /// Notes that a token is in use.
    ///
    /// # Errors
    /// The database fails.
    pub async fn touch_token(&self, token: TokenId, at: i64) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(TOUCH).bind(token).bind(at).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}
