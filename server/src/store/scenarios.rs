//! Owners and their scenarios.

use super::accounts::AccountId;
use super::audit::{self, Done};
use super::statements::statements;
use super::versions::Content;
use super::{Store, StoreError, versions};
use crate::auth::secret::TokenHash;
use crate::id::PublicId;
use sqlx::sqlite::SqliteConnection;

statements! {
    FIND_OWNER = "SELECT id FROM owner WHERE token_hash = ?1 AND kind = 'browser'";
    INSERT_OWNER = "INSERT INTO owner (token_hash, created_at) VALUES (?1, ?2) RETURNING id";
    COUNT = "SELECT COUNT(*) FROM scenario WHERE owner_id = ?1";
    INSERT = "INSERT INTO scenario (public_id, owner_id, name, headline, query, request, plan, engine_version, catalog_version, frozen_at, created_at, updated_at, cost_usd, days)
              VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?10, ?11, ?12)";
    DUPLICATE = "INSERT INTO scenario (public_id, owner_id, name, headline, query, request, plan, engine_version, catalog_version, notes, tags, frozen_at, created_at, updated_at, cost_usd, days)
                 SELECT ?2, owner_id, ?3, headline, query, request, plan, engine_version, catalog_version, notes, tags, frozen_at, ?4, ?4, cost_usd, days
                 FROM scenario WHERE id = ?1";
    LIST = "SELECT id, public_id, owner_id, name, headline, query, notes, tags, number, version AS edition, archived_at, engine_version, catalog_version, frozen_at, created_at, updated_at, cost_usd, days
            FROM scenario WHERE owner_id = ?1 ORDER BY updated_at DESC, id DESC";
    FIND = "SELECT id, public_id, owner_id, name, headline, query, notes, tags, number, version AS edition, archived_at, engine_version, catalog_version, frozen_at, created_at, updated_at, cost_usd, days
            FROM scenario WHERE public_id = ?1";
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

#[cfg(test)]
impl OwnerId {
    pub(crate) fn for_tests(number: i64) -> Self {
        Self(number)
    }
}

#[cfg(test)]
impl ScenarioId {
    pub(crate) fn for_tests(number: i64) -> Self {
        Self(number)
    }
}

/// A scenario to be kept.
#[derive(Debug)]
pub struct NewScenario {
    /// Its public id.
    pub public_id: PublicId,
    /// Name, 1 to 120 characters.
    pub name: String,
    /// Inputs and plan of its first version.
    pub content: Content,
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
    /// Remarks, plain text.
    pub notes: String,
    /// Tags, sorted.
    #[sqlx(try_from = "String")]
    pub tags: Tags,
    /// Number of its current version.
    pub number: i64,
    /// Counts the changes of its texts: name, notes, tags, archived or not.
    pub edition: i64,
    /// Milliseconds since 1970; absent while it is in use.
    pub archived_at: Option<i64>,
    /// Engine that made the plan.
    pub engine_version: String,
    /// Catalog that the plan is from.
    pub catalog_version: String,
    /// When the plan was made, milliseconds since 1970.
    pub frozen_at: i64,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub updated_at: i64,
    /// Typical cost of the run that the plan shows, US dollars; none where it has no price.
    pub cost_usd: Option<f64>,
    /// Typical length of that run, days; none where there is no run.
    pub days: Option<f64>,
}

/// Tags of a scenario, which the store keeps as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(pub Vec<String>);

impl TryFrom<String> for Tags {
    type Error = serde_json::Error;

    fn try_from(json: String) -> Result<Self, Self::Error> {
        serde_json::from_str(&json).map(Self)
    }
}

impl Tags {
    pub(super) fn to_json(&self) -> String {
        serde_json::json!(self.0).to_string()
    }
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
        let content = &scenario.content;
        let inserted = sqlx::query(INSERT)
            .bind(scenario.public_id.as_str())
            .bind(owner)
            .bind(&scenario.name)
            .bind(&content.headline)
            .bind(&content.query)
            .bind(&content.request)
            .bind(&content.plan)
            .bind(&content.engine_version)
            .bind(&content.catalog_version)
            .bind(now)
            .bind(content.cost_usd)
            .bind(content.days)
            .execute(&mut *tx)
            .await?;
        let id = ScenarioId(inserted.last_insert_rowid());
        versions::note_version(&mut tx, id, by, "saved", now).await?;
        audit::note_scenario(&mut tx, id, by, Done::SavedScenario, now).await?;
        tx.commit().await?;
        Ok(Inserted::Done)
    }

    /// Keeps what a scenario has now once more, under another name and for the same owner, unless there are `most`
    /// already. The copy begins a history of its own.
    ///
    /// # Errors
    /// The database fails.
    pub async fn duplicate_scenario(
        &self,
        source: &Scenario,
        copy: &Copy<'_>,
        by: Option<AccountId>,
        most: i64,
        now: i64,
    ) -> Result<Inserted, StoreError> {
        let mut tx = self.write().await?;
        let count: i64 = sqlx::query_scalar(COUNT).bind(source.owner_id).fetch_one(&mut *tx).await?;
        if count >= most {
            tx.rollback().await?;
            return Ok(Inserted::TooMany);
        }
        let query = sqlx::query(DUPLICATE).bind(source.id).bind(copy.public_id.as_str()).bind(copy.name).bind(now);
        let inserted = query.execute(&mut *tx).await?;
        if inserted.rows_affected() == 0 {
            tx.rollback().await?;
            return Ok(Inserted::Gone);
        }
        let id = ScenarioId(inserted.last_insert_rowid());
        versions::note_version(&mut tx, id, by, copy.reason, now).await?;
        audit::note_scenario(&mut tx, id, by, Done::DuplicatedScenario, now).await?;
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

/// A copy to be kept.
#[derive(Debug)]
pub struct Copy<'a> {
    /// Its public id.
    pub public_id: &'a PublicId,
    /// Its name, 1 to 120 characters.
    pub name: &'a str,
    /// Why its first version was saved.
    pub reason: &'a str,
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
