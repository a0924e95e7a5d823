//! Invitations to teams: links that let one account in, once.

use super::accounts::AccountId;
use super::audit::{self, Done, Note};
use super::scenarios::Inserted;
use super::sessions::SessionId;
use super::statements::statements;
use super::teams::{self, Role, TeamId};
use super::{Store, StoreError};
use crate::auth::secret::TokenHash;
use crate::id::PublicId;
use sqlx::sqlite::SqliteConnection;

statements! {
    END_STALE = "DELETE FROM invitation WHERE expires_at <= ?1";
    COUNT = "SELECT COUNT(*) FROM invitation WHERE team_id = ?1";
    INSERT = "INSERT INTO invitation (public_id, token_hash, team_id, role, made_by, created_at, expires_at)
              VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    LIST = "SELECT invitation.public_id, invitation.role, account.email AS made_by, invitation.expires_at
            FROM invitation JOIN account ON account.id = invitation.made_by
            WHERE invitation.team_id = ?1 AND invitation.expires_at > ?2 ORDER BY invitation.id DESC";
    WITHDRAW = "DELETE FROM invitation WHERE team_id = ?1 AND public_id = ?2 RETURNING role";
    FIND = "SELECT invitation.id, invitation.team_id, team.name AS team, invitation.role, account.email AS made_by
            FROM invitation JOIN team ON team.id = invitation.team_id JOIN account ON account.id = invitation.made_by
            WHERE invitation.token_hash = ?1 AND invitation.expires_at > ?2";
    USE_UP = "DELETE FROM invitation WHERE id = ?1";
}

/// An invitation that nobody has used yet, as the owners of its team see it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Invitation {
    /// Public id.
    pub public_id: String,
    /// Role that it gives.
    pub role: Role,
    /// Address of who made it.
    pub made_by: String,
    /// Milliseconds since 1970.
    pub expires_at: i64,
}

/// What an invitation opens.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Offer {
    id: i64,
    team_id: TeamId,
    /// Name of the team.
    pub team: String,
    /// Role that it gives.
    pub role: Role,
    /// Address of who made it.
    pub made_by: String,
}

/// An invitation to be.
#[derive(Debug)]
pub struct NewInvitation<'a> {
    /// Its public id.
    pub id: &'a PublicId,
    /// What is kept of its token.
    pub token: TokenHash,
    /// Role that it gives.
    pub role: Role,
    /// When it ends, milliseconds since 1970.
    pub expires_at: i64,
}

impl Store {
    /// Keeps an invitation, unless there are `most` already.
    ///
    /// # Errors
    /// The database fails.
    pub async fn insert_invitation(
        &self,
        team: TeamId,
        by: AccountId,
        new: NewInvitation<'_>,
        most: i64,
        now: i64,
    ) -> Result<Inserted, StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(END_STALE).bind(now).execute(&mut *tx).await?;
        let count: i64 = sqlx::query_scalar(COUNT).bind(team).fetch_one(&mut *tx).await?;
        if count >= most {
            tx.rollback().await?;
            return Ok(Inserted::TooMany);
        }
        sqlx::query(INSERT)
            .bind(new.id.as_str())
            .bind(new.token.as_bytes())
            .bind(team)
            .bind(new.role.name())
            .bind(by)
            .bind(now)
            .bind(new.expires_at)
            .execute(&mut *tx)
            .await?;
        let note = Note { team, by, done: Done::Invited, about: None, object: new.role.name(), now };
        audit::note(&mut tx, note).await?;
        tx.commit().await?;
        Ok(Inserted::Done)
    }

    /// The invitations of a team that can still be used, newest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn invitations(&self, team: TeamId, now: i64) -> Result<Vec<Invitation>, StoreError> {
        Ok(sqlx::query_as(LIST).bind(team).bind(now).fetch_all(self.read()).await?)
    }

    /// Withdraws an invitation of a team; false when it is not one of its own.
    ///
    /// # Errors
    /// The database fails.
    pub async fn withdraw_invitation(
        &self,
        team: TeamId,
        by: AccountId,
        public_id: &str,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let role: Option<Role> =
            sqlx::query_scalar(WITHDRAW).bind(team).bind(public_id).fetch_optional(&mut *tx).await?;
        if let Some(role) = role {
            let note = Note { team, by, done: Done::WithdrewInvitation, about: None, object: role.name(), now };
            audit::note(&mut tx, note).await?;
        }
        tx.commit().await?;
        Ok(role.is_some())
    }

    /// What a token opens; nothing when it is unknown, used, withdrawn or expired.
    ///
    /// # Errors
    /// The database fails.
    pub async fn invitation(&self, token: TokenHash, now: i64) -> Result<Option<Offer>, StoreError> {
        Ok(sqlx::query_as(FIND).bind(token.as_bytes()).bind(now).fetch_optional(self.read()).await?)
    }

    /// Uses an invitation up: the account joins, and its session works in the team. Who is in the team already leaves
    /// it unused.
    ///
    /// # Errors
    /// The database fails.
    pub async fn accept_invitation(
        &self,
        token: TokenHash,
        account: AccountId,
        session: SessionId,
        now: i64,
    ) -> Result<Option<TeamId>, StoreError> {
        let mut tx = self.write().await?;
        let team = take(&mut tx, token, account, now).await?;
        if let Some(team) = team {
            teams::work_in(&mut tx, session, team).await?;
        }
        tx.commit().await?;
        Ok(team)
    }
}

/// Joins the team of an invitation; none when it can't be used.
pub(super) async fn take(
    connection: &mut SqliteConnection,
    token: TokenHash,
    account: AccountId,
    now: i64,
) -> Result<Option<TeamId>, StoreError> {
    let query = sqlx::query_as(FIND).bind(token.as_bytes()).bind(now);
    let offer: Option<Offer> = query.fetch_optional(&mut *connection).await?;
    let Some(offer) = offer else { return Ok(None) };
    if teams::join(connection, offer.team_id, account, offer.role, now).await? {
        sqlx::query(USE_UP).bind(offer.id).execute(&mut *connection).await?;
        let note =
            Note { team: offer.team_id, by: account, done: Done::Joined, about: None, object: offer.role.name(), now };
        audit::note(connection, note).await?;
    }
    Ok(Some(offer.team_id))
}
