//! Owners and their scenarios.

use super::accounts::AccountId;
use super::audit::{self, Done};
use super::statements::statements;
use super::{Store, StoreError};
use crate::auth::secret::TokenHash;
use crate::id::PublicId;
use sqlx::sqlite::SqliteConnection;

statements! {
    FIND_OWNER = "SELECT id FROM owner WHERE token_hash = ?1 AND kind = 'browser'";
    INSERT_OWNER = "INSERT INTO owner (token_hash, created_at) VALUES (?1, ?2) RETURNING id";
    COUNT = "SELECT COUNT(*) FROM scenario WHERE owner_id = ?1";
    INSERT = "INSERT INTO scenario (public_id, owner_id, name, headline, query, request, plan, engine_version, catalog_version, created_at, updated_at)
              VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10)";
    LIST = "SELECT id, public_id, owner_id, name, headline, query, created_at, updated_at
            FROM scenario WHERE owner_id = ?1 ORDER BY updated_at DESC, id DESC";
    FIND = "SELECT id, public_id, owner_id, name, headline, query, created_at, updated_at FROM scenario WHERE public_id = ?1";
    PLAN = "SELECT plan FROM scenario WHERE id = ?1";
    RENAME = "UPDATE scenario SET name = ?2, version = version + 1, updated_at = max(?3, created_at) WHERE id = ?1";
    DELETE = "DELETE FROM scenario WHERE id = ?1";
}

/// Number of an owner inside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct OwnerId(i64);

/// Number of a scenario inside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct ScenarioId(pub(super) i64);

/// A scenario to be kept.
#[derive(Debug)]
pub struct NewScenario {
    /// Its public id.
    pub public_id: PublicId,
    /// Name, 1 to 120 characters.
    pub name: String,
    /// Headline of the plan.
    pub headline: String,
    /// Query of the inputs.
    pub query: String,
    /// Inputs as JSON.
    pub request: String,
    /// Plan as JSON.
    pub plan: String,
    /// Engine that made the plan.
    pub engine_version: String,
    /// Catalog that the plan is from.
    pub catalog_version: String,
}

/// A scenario without its plan.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Scenario {
    /// Number inside the store.
    pub id: ScenarioId,
    /// Public id.
    pub public_id: String,
    /// Whose it is.
    pub owner_id: OwnerId,
    /// Name.
    pub name: String,
    /// Headline of the plan.
    pub headline: String,
    /// Query of the inputs.
    pub query: String,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub updated_at: i64,
}

/// Who is to own what is saved.
#[derive(Clone, Copy, Debug)]
pub enum Keeper {
    /// A browser with this token; one that is not known becomes known.
    Browser(TokenHash),
    /// A team.
    Team(OwnerId),
}

impl Store {
    /// The browser behind a token.
    ///
    /// # Errors
    /// The database fails.
    pub async fn owner(&self, token: TokenHash) -> Result<Option<OwnerId>, StoreError> {
        Ok(sqlx::query_scalar(FIND_OWNER).bind(token.as_bytes()).fetch_optional(self.read()).await?)
    }

    /// Keeps a scenario for a browser or a team, unless there are `most` already.
    ///
    /// # Errors
    /// The database fails.
    pub async fn insert_scenario(
        &self,
        keeper: Keeper,
        scenario: &NewScenario,
        by: Option<AccountId>,
        most: i64,
        now: i64,
    ) -> Result<Inserted, StoreError> {
        let mut tx = self.write().await?;
        let owner = match keeper {
            Keeper::Team(owner) => owner,
            Keeper::Browser(token) => browser(&mut tx, token, now).await?,
        };
        let count: i64 = sqlx::query_scalar(COUNT).bind(owner).fetch_one(&mut *tx).await?;
        if count >= most {
            tx.rollback().await?;
            return Ok(Inserted::TooMany);
        }
        let inserted = sqlx::query(INSERT)
            .bind(scenario.public_id.as_str())
            .bind(owner)
            .bind(&scenario.name)
            .bind(&scenario.headline)
            .bind(&scenario.query)
            .bind(&scenario.request)
            .bind(&scenario.plan)
            .bind(&scenario.engine_version)
            .bind(&scenario.catalog_version)
            .bind(now)
            .execute(&mut *tx)
            .await?;
        let id = ScenarioId(inserted.last_insert_rowid());
        audit::note_scenario(&mut tx, id, by, Done::SavedScenario, now).await?;
        tx.commit().await?;
        Ok(Inserted::Done)
    }

    /// The scenarios of an owner, newest change first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn scenarios(&self, owner: OwnerId) -> Result<Vec<Scenario>, StoreError> {
        Ok(sqlx::query_as(LIST).bind(owner).fetch_all(self.read()).await?)
    }

    /// A scenario by its public id, whoever owns it.
    ///
    /// # Errors
    /// The database fails.
    pub async fn scenario(&self, public_id: &str) -> Result<Option<Scenario>, StoreError> {
        Ok(sqlx::query_as(FIND).bind(public_id).fetch_optional(self.read()).await?)
    }

    /// The frozen plan of a scenario as JSON.
    ///
    /// # Errors
    /// The database fails.
    pub async fn scenario_plan(&self, id: ScenarioId) -> Result<Option<String>, StoreError> {
        Ok(sqlx::query_scalar(PLAN).bind(id).fetch_optional(self.read()).await?)
    }

    /// Renames a scenario; false when it has gone.
    ///
    /// # Errors
    /// The database fails.
    pub async fn rename_scenario(
        &self,
        id: ScenarioId,
        name: &str,
        by: Option<AccountId>,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let done = sqlx::query(RENAME).bind(id).bind(name).bind(now).execute(&mut *tx).await?.rows_affected();
        audit::note_scenario(&mut tx, id, by, Done::RenamedScenario, now).await?;
        tx.commit().await?;
        Ok(done > 0)
    }

    /// Deletes a scenario with its links; false when it has gone.
    ///
    /// # Errors
    /// The database fails.
    pub async fn delete_scenario(&self, id: ScenarioId, by: Option<AccountId>, now: i64) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        audit::note_scenario(&mut tx, id, by, Done::DeletedScenario, now).await?;
        let done = sqlx::query(DELETE).bind(id).execute(&mut *tx).await?.rows_affected();
        tx.commit().await?;
        Ok(done > 0)
    }
}

/// The browser with this token, which becomes known.
async fn browser(connection: &mut SqliteConnection, token: TokenHash, now: i64) -> Result<OwnerId, StoreError> {
    let known = sqlx::query_scalar(FIND_OWNER).bind(token.as_bytes()).fetch_optional(&mut *connection).await?;
    match known {
        Some(owner) => Ok(owner),
        None => Ok(sqlx::query_scalar(INSERT_OWNER).bind(token.as_bytes()).bind(now).fetch_one(connection).await?),
    }
}

/// What became of an insertion that has a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Inserted {
    /// It is kept.
    Done,
    /// There are as many as there may be.
    TooMany,
    /// What it belongs to has been deleted meanwhile.
    Gone,
}
