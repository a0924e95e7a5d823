//! Sessions: who is logged in, where, and in which team.

use super::accounts::AccountId;
use super::audit::{self, Done, Note};
use super::scenarios::OwnerId;
use super::statements::statements;
use super::teams::{Role, TeamId};
use super::{Store, StoreError};
use crate::auth::secret::TokenHash;
use crate::id::PublicId;
use sqlx::sqlite::SqliteConnection;

/// Sessions of one account; the one that was used longest ago ends when there are more.
const MOST: i64 = 50;

statements! {
    INSERT = "INSERT INTO session (public_id, token_hash, account_id, user_agent, created_at, last_seen_at, expires_at, team_id)
              VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7)";
    // the team that it works in, or the one that the account joined first
    FIND = "SELECT session.id AS session, session.last_seen_at, account.id AS account, account.public_id, account.email,
                   team.id AS team, team.public_id AS team_public_id, team.name AS team_name, team.owner_id AS owner, member.role
            FROM session
            JOIN account ON account.id = session.account_id
            JOIN member ON member.account_id = account.id
            JOIN team ON team.id = member.team_id
            WHERE session.token_hash = ?1 AND session.expires_at > ?2 AND session.last_seen_at > ?3
            ORDER BY (member.team_id = session.team_id) DESC, member.joined_at, member.team_id LIMIT 1";
    LIST = "SELECT id, public_id, user_agent, created_at, last_seen_at FROM session
            WHERE account_id = ?1 AND expires_at > ?2 AND last_seen_at > ?3 ORDER BY last_seen_at DESC, id DESC";
    TOUCH = "UPDATE session SET last_seen_at = max(last_seen_at, ?2) WHERE id = ?1";
    END = "DELETE FROM session WHERE id = ?1";
    END_TOKEN = "DELETE FROM session WHERE token_hash = ?1";
    END_ONE = "DELETE FROM session WHERE account_id = ?1 AND public_id = ?2";
    END_ALL = "DELETE FROM session WHERE account_id = ?1";
    END_STALE = "DELETE FROM session WHERE expires_at <= ?1 OR last_seen_at <= ?2";
    END_SURPLUS = "DELETE FROM session WHERE account_id = ?1 AND id NOT IN
                   (SELECT id FROM session WHERE account_id = ?1 ORDER BY last_seen_at DESC, id DESC LIMIT ?2)";
    FIND_BROWSER = "SELECT id FROM owner WHERE token_hash = ?1 AND kind = 'browser'";
    FIRST_TEAM = "SELECT team.id, team.owner_id FROM member JOIN team ON team.id = member.team_id
                  WHERE member.account_id = ?1 AND member.role <> 'viewer' ORDER BY member.joined_at, member.team_id LIMIT 1";
    TAKE_OVER = "UPDATE scenario SET owner_id = ?2 WHERE owner_id = ?1";
    FORGET_OWNER = "DELETE FROM owner WHERE id = ?1";
}

/// Number of a session inside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct SessionId(pub(super) i64);

impl SessionId {
    /// Of no session: who asks with a token has none.
    pub const NONE: Self = Self(0);
}

/// Who is logged in, and what they may do in the team that they work in.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Member {
    /// The session.
    pub session: SessionId,
    /// When it was last seen, milliseconds since 1970.
    pub last_seen_at: i64,
    /// The account.
    pub account: AccountId,
    /// Its public id.
    pub public_id: String,
    /// Its address.
    pub email: String,
    /// The team.
    pub team: TeamId,
    /// Its public id.
    pub team_public_id: String,
    /// Its name.
    pub team_name: String,
    /// What the scenarios of the team belong to.
    pub owner: OwnerId,
    /// Role in the team.
    pub role: Role,
}

/// A session as its account sees it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Session {
    /// Number inside the store.
    pub id: SessionId,
    /// Public id.
    pub public_id: String,
    /// Browser and system, in a few words.
    pub user_agent: String,
    /// Log-in, milliseconds since 1970.
    pub created_at: i64,
    /// Last use, milliseconds since 1970.
    pub last_seen_at: i64,
}

/// When sessions end, as instants of now: a session ends that expires before the first or was last seen before the second.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Milliseconds since 1970.
    pub now: i64,
    /// Milliseconds since 1970.
    pub idle_since: i64,
}

/// A session to be.
#[derive(Debug)]
pub struct NewSession<'a> {
    /// Its public id.
    pub id: &'a PublicId,
    /// What is kept of its token.
    pub token: TokenHash,
    /// Browser and system, in a few words.
    pub user_agent: &'a str,
    /// When it ends whatever happens, milliseconds since 1970.
    pub expires_at: i64,
    /// The team that it works in; the oldest of the account when none is given.
    pub team: Option<TeamId>,
    /// The session that the browser had, which ends.
    pub before: Option<TokenHash>,
    /// The browser's owner, whose scenarios move to the account.
    pub browser: Option<TokenHash>,
}

impl Store {
    /// Starts a session of an account. What the browser saved before moves to the account's own team.
    ///
    /// # Errors
    /// The database fails.
    pub async fn start_session(
        &self,
        account: AccountId,
        session: NewSession<'_>,
        ends: Ends,
    ) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(END_STALE).bind(ends.now).bind(ends.idle_since).execute(&mut *tx).await?;
        audit::forget(&mut tx, ends.now).await?;
        if let Some(before) = session.before {
            sqlx::query(END_TOKEN).bind(before.as_bytes()).execute(&mut *tx).await?;
        }
        sqlx::query(INSERT)
            .bind(session.id.as_str())
            .bind(session.token.as_bytes())
            .bind(account)
            .bind(session.user_agent)
            .bind(ends.now)
            .bind(session.expires_at)
            .bind(session.team)
            .execute(&mut *tx)
            .await?;
        sqlx::query(END_SURPLUS).bind(account).bind(MOST).execute(&mut *tx).await?;
        if let Some(token) = session.browser {
            take_over(&mut tx, account, token, ends.now).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Who a token stands for; nobody when it is unknown or the session has ended.
    ///
    /// # Errors
    /// The database fails.
    pub async fn member(&self, token: TokenHash, ends: Ends) -> Result<Option<Member>, StoreError> {
        let query = sqlx::query_as(FIND).bind(token.as_bytes()).bind(ends.now).bind(ends.idle_since);
        Ok(query.fetch_optional(self.read()).await?)
    }

    /// The sessions of an account, last used first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn sessions(&self, account: AccountId, ends: Ends) -> Result<Vec<Session>, StoreError> {
        let query = sqlx::query_as(LIST).bind(account).bind(ends.now).bind(ends.idle_since);
        Ok(query.fetch_all(self.read()).await?)
    }

    /// A session is in use.
    ///
    /// # Errors
    /// The database fails.
    pub async fn touch_session(&self, id: SessionId, now: i64) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(TOUCH).bind(id).bind(now).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Ends a session.
    ///
    /// # Errors
    /// The database fails.
    pub async fn end_session(&self, id: SessionId) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(END).bind(id).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Ends a session of an account by its public id; false when it is not one of its own.
    ///
    /// # Errors
    /// The database fails.
    pub async fn end_session_of(&self, account: AccountId, public_id: &str) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let ended = sqlx::query(END_ONE).bind(account).bind(public_id).execute(&mut *tx).await?.rows_affected();
        tx.commit().await?;
        Ok(ended > 0)
    }

    /// Ends all sessions of an account.
    ///
    /// # Errors
    /// The database fails.
    pub async fn end_sessions(&self, account: AccountId) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(END_ALL).bind(account).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// What a browser has saved moves to the first team of an account that may change what is in it.
async fn take_over(
    connection: &mut SqliteConnection,
    account: AccountId,
    browser: TokenHash,
    now: i64,
) -> Result<(), StoreError> {
    let query = sqlx::query_scalar(FIND_BROWSER).bind(browser.as_bytes());
    let browser: Option<OwnerId> = query.fetch_optional(&mut *connection).await?;
    let team: Option<(TeamId, OwnerId)> =
        sqlx::query_as(FIRST_TEAM).bind(account).fetch_optional(&mut *connection).await?;
    let (Some(browser), Some((team, owner))) = (browser, team) else { return Ok(()) };
    let moved = sqlx::query(TAKE_OVER).bind(browser).bind(owner).execute(&mut *connection).await?.rows_affected();
    sqlx::query(FORGET_OWNER).bind(browser).execute(&mut *connection).await?;
    if moved > 0 {
        let object = moved.to_string();
        let note = Note { team, by: account, done: Done::BroughtScenarios, about: None, object: &object, now };
        audit::note(connection, note).await?;
    }
    Ok(())
}
