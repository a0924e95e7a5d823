//! Accounts and the one-time links that set their passwords.

use super::statements::statements;
use super::teams::{self, TeamId};
use super::{Store, StoreError, invitations};
use crate::auth::secret::TokenHash;
use crate::id::PublicId;
use sqlx::sqlite::SqliteConnection;

statements! {
    INSERT = "INSERT INTO account (public_id, email, password_hash, created_at) VALUES (?1, ?2, ?3, ?4)
              ON CONFLICT (email) DO NOTHING RETURNING id";
    BY_EMAIL = "SELECT id, email, password_hash FROM account WHERE email = ?1";
    BY_ID = "SELECT id, email, password_hash FROM account WHERE id = ?1";
    LIST = "SELECT email, password_hash IS NOT NULL AS has_password, created_at,
                   (SELECT max(last_seen_at) FROM session WHERE account_id = account.id) AS last_seen_at
            FROM account ORDER BY email";
    SET_PASSWORD = "UPDATE account SET password_hash = ?2 WHERE id = ?1";
    REPLACE_PASSWORD = "UPDATE account SET password_hash = ?3 WHERE id = ?1 AND password_hash = ?2";
    INSERT_RESET = "INSERT INTO reset_link (token_hash, account_id, created_at, expires_at) VALUES (?1, ?2, ?3, ?4)";
    FIND_RESET = "SELECT account.id, account.email, account.password_hash FROM reset_link
                  JOIN account ON account.id = reset_link.account_id
                  WHERE reset_link.token_hash = ?1 AND reset_link.expires_at > ?2";
    END_RESETS = "DELETE FROM reset_link WHERE account_id = ?1 OR expires_at <= ?2";
    END_SESSIONS = "DELETE FROM session WHERE account_id = ?1";
}

/// Number of an account inside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct AccountId(pub(super) i64);

/// An account with what is kept of its password. Its `Debug` shows neither.
#[derive(Clone, sqlx::FromRow)]
pub struct Account {
    /// Number inside the store.
    pub id: AccountId,
    /// Address, lower case.
    pub email: String,
    /// Argon2id in PHC form; absent until a password is set.
    pub password_hash: Option<String>,
}

impl std::fmt::Debug for Account {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Account").field("id", &self.id).finish_non_exhaustive()
    }
}

/// An account as an administrator sees it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Listed {
    /// Address.
    pub email: String,
    /// It can log in.
    pub has_password: bool,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Last use of one of its sessions, milliseconds since 1970.
    pub last_seen_at: Option<i64>,
}

/// An account to be.
#[derive(Clone, Copy)]
pub struct NewAccount<'a> {
    /// Address, lower case.
    pub email: &'a str,
    /// Argon2id in PHC form.
    pub password_hash: Option<&'a str>,
    /// Its public id.
    pub id: &'a PublicId,
    /// That of its first team.
    pub team_id: &'a PublicId,
    /// Without this invitation it is not made.
    pub invitation: Option<TokenHash>,
}

/// What became of a new account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Made {
    /// It is there, and in the team that it was invited to.
    Done(AccountId, Option<TeamId>),
    /// There is one with this address.
    Taken,
    /// The invitation can't be used any more.
    NotInvited,
}

impl Store {
    /// Makes an account with a team of its own, and lets it into the team of an invitation.
    ///
    /// # Errors
    /// The database fails.
    pub async fn insert_account(&self, new: NewAccount<'_>, now: i64) -> Result<Made, StoreError> {
        let mut tx = self.write().await?;
        let query = sqlx::query_scalar(INSERT).bind(new.id.as_str()).bind(new.email).bind(new.password_hash).bind(now);
        let Some(account) = query.fetch_optional(&mut *tx).await?.map(AccountId) else {
            tx.rollback().await?;
            return Ok(Made::Taken);
        };
        teams::make_first(&mut tx, account, new.email, new.team_id, now).await?;
        let mut team = None;
        if let Some(token) = new.invitation {
            team = invitations::take(&mut tx, token, account, now).await?;
            if team.is_none() {
                tx.rollback().await?;
                return Ok(Made::NotInvited);
            }
        }
        tx.commit().await?;
        Ok(Made::Done(account, team))
    }

    /// The account with an address.
    ///
    /// # Errors
    /// The database fails.
    pub async fn account_by_email(&self, email: &str) -> Result<Option<Account>, StoreError> {
        Ok(sqlx::query_as(BY_EMAIL).bind(email).fetch_optional(self.read()).await?)
    }

    /// An account.
    ///
    /// # Errors
    /// The database fails.
    pub async fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        Ok(sqlx::query_as(BY_ID).bind(id).fetch_optional(self.read()).await?)
    }

    /// All accounts by address, for administrators.
    ///
    /// # Errors
    /// The database fails.
    pub async fn accounts(&self) -> Result<Vec<Listed>, StoreError> {
        Ok(sqlx::query_as(LIST).fetch_all(self.read()).await?)
    }

    /// Puts a stronger hash of the same password in the place of a known one.
    ///
    /// # Errors
    /// The database fails.
    pub async fn rehash_password(&self, id: AccountId, old: &str, new: &str) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(REPLACE_PASSWORD).bind(id).bind(old).bind(new).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Changes a password, if it is still the known one; all sessions and reset links of the account end.
    ///
    /// # Errors
    /// The database fails.
    pub async fn change_password(&self, id: AccountId, old: &str, new: &str, now: i64) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let changed =
            sqlx::query(REPLACE_PASSWORD).bind(id).bind(old).bind(new).execute(&mut *tx).await?.rows_affected() > 0;
        if changed {
            end_all(&mut tx, id, now).await?;
        }
        tx.commit().await?;
        Ok(changed)
    }

    /// Keeps a one-time link that sets the password of an account; earlier ones of it no longer open.
    ///
    /// # Errors
    /// The database fails.
    pub async fn insert_reset_link(
        &self,
        account: AccountId,
        token: TokenHash,
        now: i64,
        expires_at: i64,
    ) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(END_RESETS).bind(account).bind(now).execute(&mut *tx).await?;
        sqlx::query(INSERT_RESET)
            .bind(token.as_bytes())
            .bind(account)
            .bind(now)
            .bind(expires_at)
            .execute(&mut *tx)
            .await?;
        tx.commit().await?;
        Ok(())
    }

    /// The account whose password a one-time link sets; none when it is unknown, used or expired.
    ///
    /// # Errors
    /// The database fails.
    pub async fn reset_link(&self, token: TokenHash, now: i64) -> Result<Option<Account>, StoreError> {
        Ok(sqlx::query_as(FIND_RESET).bind(token.as_bytes()).bind(now).fetch_optional(self.read()).await?)
    }

    /// Uses a one-time link up: sets the password, and ends all sessions of the account.
    ///
    /// # Errors
    /// The database fails.
    pub async fn use_reset_link(
        &self,
        token: TokenHash,
        password_hash: &str,
        now: i64,
    ) -> Result<Option<Account>, StoreError> {
        let mut tx = self.write().await?;
        let query = sqlx::query_as(FIND_RESET).bind(token.as_bytes()).bind(now);
        let found: Option<Account> = query.fetch_optional(&mut *tx).await?;
        if let Some(account) = &found {
            sqlx::query(SET_PASSWORD).bind(account.id).bind(password_hash).execute(&mut *tx).await?;
            end_all(&mut tx, account.id, now).await?;
        }
        tx.commit().await?;
        Ok(found)
    }
}

/// Whoever has got in somewhere is out.
async fn end_all(connection: &mut SqliteConnection, id: AccountId, now: i64) -> Result<(), StoreError> {
    sqlx::query(END_SESSIONS).bind(id).execute(&mut *connection).await?;
    sqlx::query(END_RESETS).bind(id).bind(now).execute(&mut *connection).await?;
    Ok(())
}
