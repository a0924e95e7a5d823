//! Versions of scenarios, and changing a scenario without overwriting what someone else has changed meanwhile.
//!
//! A scenario has two counts: the number of its current version (inputs and plan), and its edition (texts: name, notes,
//! tags, archived or not), so that a new name does not stand in the way of a new plan.

use super::accounts::AccountId;
use super::audit::{self, Done};
use super::scenarios::{ScenarioId, Tags};
use super::statements::statements;
use super::{Store, StoreError};
use sqlx::sqlite::SqliteConnection;

/// Versions that are kept of one scenario; beyond them the oldest go.
pub const VERSIONS_MAX: i64 = 100;

statements! {
    STAMP = "SELECT number, version AS edition FROM scenario WHERE id = ?1";
    EDIT = "UPDATE scenario SET name = coalesce(?2, name), notes = coalesce(?3, notes), tags = coalesce(?4, tags),
                   archived_at = CASE ?5 WHEN 1 THEN coalesce(archived_at, max(?6, 1)) WHEN 0 THEN NULL ELSE archived_at END,
                   version = version + 1, updated_at = max(?6, created_at) WHERE id = ?1";
    // the plan of the version that is no longer the current one
    KEEP_PLAN = "UPDATE scenario_version SET plan = (SELECT plan FROM scenario WHERE id = ?1)
                 WHERE scenario_id = ?1 AND number = (SELECT number FROM scenario WHERE id = ?1)";
    RENEW = "UPDATE scenario SET headline = ?2, query = ?3, request = ?4, plan = ?5, engine_version = ?6, catalog_version = ?7,
                    frozen_at = ?8, cost_usd = ?9, days = ?10, number = number + 1, updated_at = max(?8, created_at) WHERE id = ?1";
    RESTORE = "UPDATE scenario SET (headline, query, request, plan, engine_version, catalog_version, frozen_at, cost_usd, days) =
                      (SELECT headline, query, request, plan, engine_version, catalog_version, frozen_at, cost_usd, days
                       FROM scenario_version AS v WHERE v.scenario_id = ?1 AND v.number = ?2),
                      number = number + 1, updated_at = max(?3, created_at)
               WHERE id = ?1 AND EXISTS (SELECT 1 FROM scenario_version AS v WHERE v.scenario_id = ?1 AND v.number = ?2)";
    NOTE = "INSERT INTO scenario_version (scenario_id, number, headline, query, request, engine_version, catalog_version, frozen_at, author, account_id, reason, saved_at, cost_usd, days)
            SELECT id, number, headline, query, request, engine_version, catalog_version, frozen_at, ?2, ?3, ?4, ?5, cost_usd, days FROM scenario WHERE id = ?1";
    FORGET = "DELETE FROM scenario_version WHERE scenario_id = ?1
              AND number <= (SELECT number FROM scenario WHERE id = ?1) - ?2";
    LIST = "SELECT v.number, v.headline, v.query, v.engine_version, v.catalog_version, v.frozen_at, v.author, account.email AS who, v.reason, v.saved_at
            FROM scenario_version AS v LEFT JOIN account ON account.id = v.account_id WHERE v.scenario_id = ?1 ORDER BY v.number DESC";
    FIND = "SELECT v.number, v.headline, v.query, v.engine_version, v.catalog_version, v.frozen_at, v.author, account.email AS who, v.reason, v.saved_at
            FROM scenario_version AS v LEFT JOIN account ON account.id = v.account_id WHERE v.scenario_id = ?1 AND v.number = ?2";
    PLAN = "SELECT coalesce(v.plan, scenario.plan) FROM scenario_version AS v JOIN scenario ON scenario.id = v.scenario_id
            WHERE v.scenario_id = ?1 AND v.number = ?2";
}

/// A version without its plan.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Version {
    /// Its number, from 1.
    pub number: i64,
    /// Headline of the plan.
    pub headline: String,
    /// Query of the inputs.
    pub query: String,
    /// Engine that made the plan.
    pub engine_version: String,
    /// Catalog that the plan is from.
    pub catalog_version: String,
    /// When the plan was made, milliseconds since 1970.
    pub frozen_at: i64,
    /// What saved it: `account`, `browser`, or `unknown` where it was saved before that was noted.
    pub author: String,
    /// Address of the account; none when there was none, or it is deleted.
    pub who: Option<String>,
    /// Why it was saved.
    pub reason: String,
    /// When it was saved, milliseconds since 1970.
    pub saved_at: i64,
}

/// Inputs and plan of a new version.
#[derive(Clone, Debug)]
pub struct Content {
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
    /// Typical cost of the run that the plan shows, US dollars; none where it has no price.
    pub cost_usd: Option<f64>,
    /// Typical length of that run, days; none where there is no run.
    pub days: Option<f64>,
}

/// What a new version is to hold.
#[derive(Clone, Copy, Debug, Default)]
pub enum Renewal<'a> {
    /// There is to be none.
    #[default]
    None,
    /// This plan, and why it is saved.
    Plan(&'a Content, &'a str),
    /// What the version of this number holds.
    Earlier(i64),
}

/// What is to be changed of a scenario; what is absent stays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change<'a> {
    /// A new name, 1 to 120 characters.
    pub name: Option<&'a str>,
    /// New notes, up to 4,000 characters.
    pub notes: Option<&'a str>,
    /// New tags.
    pub tags: Option<&'a Tags>,
    /// Put away, or taken out again.
    pub archived: Option<bool>,
    /// A new version.
    pub renewal: Renewal<'a>,
}

/// What a scenario has to be at for a change to be made; what is absent is not looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    /// Number of the current version.
    pub number: Option<i64>,
    /// Edition of the texts.
    pub edition: Option<i64>,
}

/// Where a scenario is in its history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Stamp {
    /// Number of the current version.
    pub number: i64,
    /// Edition of the texts.
    pub edition: i64,
}

/// What became of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Changed {
    /// It is made.
    Done(Stamp),
    /// Someone else has changed the scenario since.
    Conflict,
    /// There is no such scenario, or no such version of it.
    Gone,
}

impl Store {
    /// Changes a scenario: all that is asked, or nothing.
    ///
    /// # Errors
    /// The database fails.
    pub async fn change_scenario(
        &self,
        id: ScenarioId,
        change: &Change<'_>,
        expected: Expected,
        by: Option<AccountId>,
        now: i64,
    ) -> Result<Changed, StoreError> {
        let mut tx = self.write().await?;
        let stamp: Option<Stamp> = sqlx::query_as(STAMP).bind(id).fetch_optional(&mut *tx).await?;
        let refused = match stamp {
            None => Some(Changed::Gone),
            Some(stamp) if !expected.allows(stamp) => Some(Changed::Conflict),
            Some(_) if !renew(&mut tx, id, change.renewal, by, now).await? => Some(Changed::Gone),
            Some(_) => None,
        };
        if let Some(refused) = refused {
            tx.rollback().await?;
            return Ok(refused);
        }
        edit(&mut tx, id, change, by, now).await?;
        let stamp = sqlx::query_as(STAMP).bind(id).fetch_one(&mut *tx).await?;
        tx.commit().await?;
        Ok(Changed::Done(stamp))
    }

    /// The versions of a scenario that are kept, newest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn versions(&self, id: ScenarioId) -> Result<Vec<Version>, StoreError> {
        Ok(sqlx::query_as(LIST).bind(id).fetch_all(self.read()).await?)
    }

    /// One version of a scenario.
    ///
    /// # Errors
    /// The database fails.
    pub async fn version(&self, id: ScenarioId, number: i64) -> Result<Option<Version>, StoreError> {
        Ok(sqlx::query_as(FIND).bind(id).bind(number).fetch_optional(self.read()).await?)
    }

    /// The plan of a version as JSON.
    ///
    /// # Errors
    /// The database fails.
    pub async fn version_plan(&self, id: ScenarioId, number: i64) -> Result<Option<String>, StoreError> {
        Ok(sqlx::query_scalar(PLAN).bind(id).bind(number).fetch_optional(self.read()).await?)
    }
}

impl Expected {
    fn allows(self, stamp: Stamp) -> bool {
        self.number.is_none_or(|number| number == stamp.number)
            && self.edition.is_none_or(|edition| edition == stamp.edition)
    }
}

/// Makes a new version; false when there is no such earlier one.
async fn renew(
    connection: &mut SqliteConnection,
    id: ScenarioId,
    renewal: Renewal<'_>,
    by: Option<AccountId>,
    now: i64,
) -> Result<bool, StoreError> {
    if matches!(renewal, Renewal::None) {
        return Ok(true);
    }
    sqlx::query(KEEP_PLAN).bind(id).execute(&mut *connection).await?;
    let (renewed, reason, done) = match renewal {
        Renewal::None => return Ok(true),
        Renewal::Plan(content, reason) => {
            let query = sqlx::query(RENEW)
                .bind(id)
                .bind(&content.headline)
                .bind(&content.query)
                .bind(&content.request)
                .bind(&content.plan)
                .bind(&content.engine_version)
                .bind(&content.catalog_version)
                .bind(now)
                .bind(content.cost_usd)
                .bind(content.days);
            (query.execute(&mut *connection).await?, reason.to_owned(), Done::SavedVersion)
        }
        Renewal::Earlier(number) => {
            let query = sqlx::query(RESTORE).bind(id).bind(number).bind(now);
            (query.execute(&mut *connection).await?, format!("restored from {number}"), Done::RestoredVersion)
        }
    };
    if renewed.rows_affected() == 0 {
        return Ok(false);
    }
    note_version(connection, id, by, &reason, now).await?;
    sqlx::query(FORGET).bind(id).bind(VERSIONS_MAX).execute(&mut *connection).await?;
    audit::note_scenario(connection, id, by, done, now).await?;
    Ok(true)
}

async fn edit(
    connection: &mut SqliteConnection,
    id: ScenarioId,
    change: &Change<'_>,
    by: Option<AccountId>,
    now: i64,
) -> Result<(), StoreError> {
    let done = [
        change.name.map(|_| Done::RenamedScenario),
        change.notes.or(change.tags.map(|_| "")).map(|_| Done::DescribedScenario),
        change.archived.map(|archived| if archived { Done::ArchivedScenario } else { Done::UnarchivedScenario }),
    ];
    if done.iter().all(Option::is_none) {
        return Ok(());
    }
    sqlx::query(EDIT)
        .bind(id)
        .bind(change.name)
        .bind(change.notes)
        .bind(change.tags.map(Tags::to_json))
        .bind(change.archived)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    for done in done.into_iter().flatten() {
        audit::note_scenario(connection, id, by, done, now).await?;
    }
    Ok(())
}

/// Notes what a scenario holds as the version of its number.
pub(super) async fn note_version(
    connection: &mut SqliteConnection,
    id: ScenarioId,
    by: Option<AccountId>,
    reason: &str,
    now: i64,
) -> Result<(), StoreError> {
    let author = if by.is_some() { "account" } else { "browser" };
    sqlx::query(NOTE).bind(id).bind(author).bind(by).bind(reason).bind(now).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::scenarios::{Keeper, NewScenario, Scenario};
    use super::super::tests::fresh;
    use super::*;
    use crate::auth::secret::OwnerToken;
    use crate::id::PublicId;

    fn content(plan: i64) -> Content {
        Content {
            headline: format!("h{plan}"),
            query: format!("q{plan}"),
            request: "{}".into(),
            plan: plan.to_string(),
            engine_version: "1".into(),
            catalog_version: "1".into(),
            cost_usd: Some(plan as f64 * 1e6),
            days: Some(plan as f64),
        }
    }

    async fn saved(store: &Store) -> Scenario {
        let public_id = PublicId::random().expect("random");
        let id = public_id.clone();
        let scenario = NewScenario { public_id, name: "n".into(), content: content(1) };
        let token = OwnerToken::random().expect("random").hash();
        let _ = store.insert_scenario(Keeper::Browser(token), &scenario, None, 1, 10).await.expect("kept");
        store.scenario(id.as_str()).await.expect("reads").expect("there")
    }

    async fn renew(store: &Store, id: ScenarioId, renewal: Renewal<'_>, number: Option<i64>) -> Changed {
        let expected = Expected { number, edition: None };
        let change = Change { renewal, ..Change::default() };
        store.change_scenario(id, &change, expected, None, 20).await.expect("writes")
    }

    async fn plan(store: &Store, id: ScenarioId, number: i64) -> Option<String> {
        store.version_plan(id, number).await.expect("reads")
    }

    #[tokio::test]
    async fn each_save_is_a_version_and_an_earlier_one_comes_back_as_the_newest() {
        let (_directory, store) = fresh().await;
        let id = saved(&store).await.id;
        let second = content(2);
        let stamp = |number| Changed::Done(Stamp { number, edition: 1 });
        assert_eq!(renew(&store, id, Renewal::Plan(&second, "saved"), Some(1)).await, stamp(2));
        assert_eq!(renew(&store, id, Renewal::Plan(&second, "saved"), Some(1)).await, Changed::Conflict);
        assert_eq!(renew(&store, id, Renewal::Earlier(1), None).await, stamp(3));
        assert_eq!(renew(&store, id, Renewal::Earlier(9), None).await, Changed::Gone);
        for (number, expected) in [(1, Some("1")), (2, Some("2")), (3, Some("1")), (4, None)] {
            assert_eq!(plan(&store, id, number).await.as_deref(), expected, "{number}");
        }
        let figures: (f64, f64) =
            sqlx::query_as("SELECT cost_usd, days FROM scenario").fetch_one(store.read()).await.expect("reads");
        assert_eq!(figures, (1e6, 1.0), "the figures are those of the plan that came back");
        let versions = store.versions(id).await.expect("reads");
        let told: Vec<_> = versions.iter().map(|v| (v.number, v.reason.as_str(), v.frozen_at, v.saved_at)).collect();
        assert_eq!(told, [(3, "restored from 1", 10, 20), (2, "saved", 20, 20), (1, "saved", 10, 10)]);
        let own: Vec<(i64, bool)> = sqlx::query_as("SELECT number, plan IS NULL FROM scenario_version ORDER BY number")
            .fetch_all(store.read())
            .await
            .expect("reads");
        assert_eq!(own, [(1, false), (2, false), (3, true)], "the plan of the current version is kept once");
    }

    #[tokio::test]
    async fn the_oldest_versions_go_and_the_current_one_never() {
        let (_directory, store) = fresh().await;
        let id = saved(&store).await.id;
        for plan in 2..=VERSIONS_MAX + 5 {
            let _ = renew(&store, id, Renewal::Plan(&content(plan), "saved"), None).await;
        }
        let numbers: Vec<_> = store.versions(id).await.expect("reads").into_iter().map(|v| v.number).collect();
        assert_eq!(numbers, (6..=VERSIONS_MAX + 5).rev().collect::<Vec<_>>());
        assert_eq!(plan(&store, id, VERSIONS_MAX + 5).await, Some((VERSIONS_MAX + 5).to_string()));
        assert_eq!(plan(&store, id, 5).await, None);
        assert_eq!(renew(&store, id, Renewal::Earlier(5), None).await, Changed::Gone);
    }

    #[tokio::test]
    async fn texts_and_plans_conflict_each_with_their_kind_only() {
        let (_directory, store) = fresh().await;
        let id = saved(&store).await.id;
        let edition = |edition| Expected { number: None, edition: Some(edition) };
        let tags = Tags(vec!["a b".into(), "ü".into()]);
        let change = Change { name: Some("new"), notes: Some("x"), tags: Some(&tags), ..Change::default() };
        let changed = store.change_scenario(id, &change, edition(1), None, 30).await.expect("writes");
        assert_eq!(changed, Changed::Done(Stamp { number: 1, edition: 2 }));
        let again = store.change_scenario(id, &change, edition(1), None, 30).await.expect("writes");
        assert_eq!(again, Changed::Conflict);
        assert_ne!(renew(&store, id, Renewal::Plan(&content(2), "saved"), Some(1)).await, Changed::Conflict);
        let archive = |archived| Change { archived: Some(archived), ..Change::default() };
        for (archived, at) in [(true, Some(40)), (true, Some(40)), (false, None)] {
            let now = 40 + i64::from(at.is_none());
            let _ =
                store.change_scenario(id, &archive(archived), Expected::default(), None, now).await.expect("writes");
            let rows: Option<i64> =
                sqlx::query_scalar("SELECT archived_at FROM scenario").fetch_one(store.read()).await.expect("reads");
            assert_eq!(rows, at);
        }
        let row: (String, String, String) =
            sqlx::query_as("SELECT name, notes, tags FROM scenario").fetch_one(store.read()).await.expect("reads");
        assert_eq!(row, ("new".into(), "x".into(), tags.to_json()));
    }
}
