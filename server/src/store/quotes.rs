//! The price books of teams: rows are only added, and the newest one of a key is what holds.

use super::accounts::AccountId;
use super::audit::{self, Done, Note};
use super::statements::statements;
use super::teams::TeamId;
use super::{Store, StoreError};

statements! {
    CURRENT = "SELECT quote.key, quote.version, quote.value, quote.supplier, quote.valid_until, quote.note, quote.at,
                      account.email AS who
               FROM quote LEFT JOIN account ON account.id = quote.account_id
               WHERE quote.team_id = ?1 AND quote.value IS NOT NULL AND quote.version =
                     (SELECT MAX(newer.version) FROM quote AS newer
                      WHERE newer.team_id = quote.team_id AND newer.key = quote.key)
               ORDER BY quote.key";
    HISTORY = "SELECT quote.key, quote.version, quote.value, quote.supplier, quote.valid_until, quote.note, quote.at,
                      account.email AS who
               FROM quote LEFT JOIN account ON account.id = quote.account_id
               WHERE quote.team_id = ?1 AND quote.key = ?2 ORDER BY quote.version DESC LIMIT ?3";
    NEWEST = "SELECT version, value IS NOT NULL FROM quote WHERE team_id = ?1 AND key = ?2 ORDER BY version DESC LIMIT 1";
    COUNT = "SELECT COUNT(*) FROM quote WHERE team_id = ?1";
    INSERT = "INSERT INTO quote (team_id, key, version, value, supplier, valid_until, note, account_id, at)
              VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
}

/// A row of a price book.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct Quote {
    /// Path under `overrides`.
    pub key: String,
    /// Counts the changes of the key.
    pub version: i64,
    /// The price or rate; none where the quote was removed.
    pub value: Option<f64>,
    /// Who offered it; may be empty.
    pub supplier: String,
    /// The last day on which it holds, `2026-11-30`; none until it is changed.
    pub valid_until: Option<String>,
    /// A remark; may be empty.
    pub note: String,
    /// Milliseconds since 1970.
    pub at: i64,
    /// Address of who changed it; none when that account is deleted.
    pub who: Option<String>,
}

/// A change of a price book.
#[derive(Clone, Copy, Debug)]
pub struct NewQuote<'a> {
    /// Path under `overrides`.
    pub key: &'a str,
    /// The price or rate; none removes the quote.
    pub value: Option<f64>,
    /// Who offered it.
    pub supplier: &'a str,
    /// The last day on which it holds.
    pub valid_until: Option<&'a str>,
    /// A remark.
    pub note: &'a str,
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Quoted {
    /// It holds, as this version.
    Done(i64),
    /// Someone else has changed the key meanwhile.
    Stale,
    /// There is no such quote to remove.
    Gone,
    /// There are as many rows as there may be.
    TooMany,
}

impl Store {
    /// The quotes that a team has, by key.
    ///
    /// # Errors
    /// The database fails.
    pub async fn quotes(&self, team: TeamId) -> Result<Vec<Quote>, StoreError> {
        Ok(sqlx::query_as(CURRENT).bind(team).fetch_all(self.read()).await?)
    }

    /// What a key had, newest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn quote_history(&self, team: TeamId, key: &str, most: i64) -> Result<Vec<Quote>, StoreError> {
        Ok(sqlx::query_as(HISTORY).bind(team).bind(key).bind(most).fetch_all(self.read()).await?)
    }

    /// Changes a quote of a team, if the caller knows the one that holds: its version, or none where there is none.
    ///
    /// # Errors
    /// The database fails.
    pub async fn quote(
        &self,
        team: TeamId,
        by: AccountId,
        quote: NewQuote<'_>,
        seen: Option<i64>,
        most: i64,
        now: i64,
    ) -> Result<Quoted, StoreError> {
        let mut tx = self.write().await?;
        let newest: Option<(i64, bool)> =
            sqlx::query_as(NEWEST).bind(team).bind(quote.key).fetch_optional(&mut *tx).await?;
        let holds = newest.filter(|(_, holds)| *holds).map(|(version, _)| version);
        if quote.value.is_none() && holds.is_none() {
            return Ok(Quoted::Gone);
        }
        if holds != seen {
            return Ok(Quoted::Stale);
        }
        // removing is always possible
        let count: i64 = sqlx::query_scalar(COUNT).bind(team).fetch_one(&mut *tx).await?;
        if quote.value.is_some() && count >= most {
            return Ok(Quoted::TooMany);
        }
        let version = newest.map_or(1, |(version, _)| version + 1);
        sqlx::query(INSERT)
            .bind(team)
            .bind(quote.key)
            .bind(version)
            .bind(quote.value)
            .bind(quote.supplier)
            .bind(quote.valid_until)
            .bind(quote.note)
            .bind(by)
            .bind(now)
            .execute(&mut *tx)
            .await?;
        let done = if quote.value.is_some() { Done::ChangedQuote } else { Done::RemovedQuote };
        audit::note(&mut tx, Note { team, by, done, about: None, object: quote.key, now }).await?;
        tx.commit().await?;
        Ok(Quoted::Done(version))
    }
}
