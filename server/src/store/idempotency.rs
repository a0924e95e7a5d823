//! Answers that are kept for a day, so that a request that is sent again is not done again.

use super::statements::statements;
use super::teams::TeamId;
use super::{Store, StoreError};

statements! {
    FORGET = "DELETE FROM idempotency WHERE created_at <= ?1";
    FIND = "SELECT asked, location, etag, body, created_at FROM idempotency WHERE team_id = ?1 AND key = ?2";
    BEGIN = "INSERT INTO idempotency (team_id, key, asked, created_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (team_id, key) DO UPDATE SET created_at = excluded.created_at";
    FINISH = "UPDATE idempotency SET location = ?3, etag = ?4, body = ?5 WHERE team_id = ?1 AND key = ?2";
    DROP = "DELETE FROM idempotency WHERE team_id = ?1 AND key = ?2 AND body IS NULL";
}

/// An answer about something that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// Where it is.
    pub location: String,
    /// Its tag then.
    pub etag: String,
    /// The document.
    pub body: Vec<u8>,
}

/// How a request stands to those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Begun {
    /// It is the first: do it.
    First,
    /// It has been answered.
    Answered(KeptAnswer),
    /// The key belongs to another request.
    OtherRequest,
    /// The first is still being answered.
    Running,
}

#[derive(sqlx::FromRow)]
struct Row {
    asked: Vec<u8>,
    location: Option<String>,
    etag: Option<String>,
    body: Option<Vec<u8>>,
    created_at: i64,
}

impl Store {
    /// Begins a request under a key of a team, unless it was begun before. Answers from before `forgotten` are deleted; a
    /// request that was begun before `given_up` and never answered is begun again.
    ///
    /// # Errors
    /// The database fails.
    pub async fn begin_once(
        &self,
        team: TeamId,
        key: &str,
        asked: &[u8; 32],
        now: i64,
        (forgotten, given_up): (i64, i64),
    ) -> Result<Begun, StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(FORGET).bind(forgotten).execute(&mut *tx).await?;
        let found: Option<Row> = sqlx::query_as(FIND).bind(team).bind(key).fetch_optional(&mut *tx).await?;
        let begun = match found {
            Some(row) if row.asked != asked => Begun::OtherRequest,
            Some(Row { location: Some(location), etag: Some(etag), body: Some(body), .. }) => {
                Begun::Answered(KeptAnswer { location, etag, body })
            }
            Some(row) if row.created_at > given_up => Begun::Running,
            _ => Begun::First,
        };
        if begun == Begun::First {
            sqlx::query(BEGIN).bind(team).bind(key).bind(asked.as_slice()).bind(now).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(begun)
    }

    /// Keeps the answer of a request; without one, the key is free again.
    ///
    /// # Errors
    /// The database fails.
    pub async fn end_once(&self, team: TeamId, key: &str, answer: Option<&KeptAnswer>) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        let query = match answer {
            Some(KeptAnswer { location, etag, body }) => {
                sqlx::query(FINISH).bind(team).bind(key).bind(location).bind(etag).bind(body)
            }
            None => sqlx::query(DROP).bind(team).bind(key),
        };
        query.execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}
