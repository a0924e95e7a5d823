//! Share links: each holds a snapshot of its own.

use super::accounts::AccountId;
use super::audit::{self, Done};
use super::scenarios::{Inserted, OwnerId, ScenarioId};
use super::statements::statements;
use super::{Store, StoreError};
use crate::auth::secret::TokenHash;
use crate::id::PublicId;

statements! {
    COUNT = "SELECT COUNT(*) FROM share_link WHERE scenario_id = ?1";
    INSERT = "INSERT INTO share_link (public_id, token_hash, scenario_id, name, plan, engine_version, catalog_version, frozen_at, created_at)
              SELECT ?1, ?2, id, name, plan, engine_version, catalog_version, frozen_at, ?4 FROM scenario WHERE id = ?3";
    LIST = "SELECT public_id, views, revoked_at, created_at FROM share_link WHERE scenario_id = ?1 ORDER BY id DESC";
    OWNER_OF = "SELECT share_link.id, scenario.owner_id FROM share_link JOIN scenario ON scenario.id = share_link.scenario_id
                WHERE share_link.public_id = ?1";
    REVOKE = "UPDATE share_link SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1";
    OPEN = "SELECT id, name, plan, frozen_at FROM share_link WHERE token_hash = ?1 AND revoked_at IS NULL";
    COUNT_VIEW = "UPDATE share_link SET views = views + 1 WHERE id = ?1";
}

/// Number of a link inside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct LinkId(i64);

/// A link as its owner sees it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Link {
    /// Public id.
    pub public_id: String,
    /// Times that it was opened.
    pub views: i64,
    /// Milliseconds since 1970; absent while it opens.
    pub revoked_at: Option<i64>,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

/// What a link opens.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Snapshot {
    /// Number of the link.
    pub id: LinkId,
    /// Name that the scenario had.
    pub name: String,
    /// Plan as JSON.
    pub plan: String,
    /// When the plan was made, milliseconds since 1970.
    pub frozen_at: i64,
}

impl Store {
    /// Makes a link to the plan that a scenario has now, unless there are `most` already.
    ///
    /// # Errors
    /// The database fails.
    pub async fn insert_link(
        &self,
        scenario: ScenarioId,
        id: &PublicId,
        token: TokenHash,
        by: Option<AccountId>,
        most: i64,
        now: i64,
    ) -> Result<Inserted, StoreError> {
        let mut tx = self.write().await?;
        let count: i64 = sqlx::query_scalar(COUNT).bind(scenario).fetch_one(&mut *tx).await?;
        if count >= most {
            tx.rollback().await?;
            return Ok(Inserted::TooMany);
        }
        let query = sqlx::query(INSERT).bind(id.as_str()).bind(token.as_bytes()).bind(scenario).bind(now);
        let inserted = query.execute(&mut *tx).await?.rows_affected();
        audit::note_scenario(&mut tx, scenario, by, Done::SharedScenario, now).await?;
        tx.commit().await?;
        Ok(if inserted == 0 { Inserted::Gone } else { Inserted::Done })
    }

    /// The links of a scenario, newest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn links(&self, scenario: ScenarioId) -> Result<Vec<Link>, StoreError> {
        Ok(sqlx::query_as(LIST).bind(scenario).fetch_all(self.read()).await?)
    }

    /// A link by its public id, and the owner of its scenario.
    ///
    /// # Errors
    /// The database fails.
    pub async fn link_owner(&self, public_id: &str) -> Result<Option<(LinkId, OwnerId)>, StoreError> {
        Ok(sqlx::query_as(OWNER_OF).bind(public_id).fetch_optional(self.read()).await?)
    }

    /// Closes a link for good; the first time counts.
    ///
    /// # Errors
    /// The database fails.
    pub async fn revoke_link(&self, id: LinkId, by: Option<AccountId>, now: i64) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        audit::note_link(&mut tx, id, by, now).await?;
        sqlx::query(REVOKE).bind(id).bind(now).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }

    /// What a token opens; nothing when it is unknown or revoked.
    ///
    /// # Errors
    /// The database fails.
    pub async fn open_link(&self, token: TokenHash) -> Result<Option<Snapshot>, StoreError> {
        Ok(sqlx::query_as(OPEN).bind(token.as_bytes()).fetch_optional(self.read()).await?)
    }

    /// Counts one more view.
    ///
    /// # Errors
    /// The database fails.
    pub async fn count_view(&self, id: LinkId) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(COUNT_VIEW).bind(id).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::scenarios::{Keeper, NewScenario, Scenario};
    use super::super::tests::fresh;
    use super::super::versions::{Change, Changed, Expected};
    use super::*;
    use crate::auth::secret::{OwnerToken, ShareToken};

    fn new_scenario(name: &str) -> NewScenario {
        NewScenario {
            public_id: PublicId::random().expect("random"),
            name: name.into(),
            headline: "h".into(),
            query: "q".into(),
            request: "{}".into(),
            plan: "{\"a\": 1}".into(),
            engine_version: "1".into(),
            catalog_version: "1".into(),
        }
    }

    async fn saved(store: &Store, name: &str) -> (TokenHash, Scenario) {
        let token = OwnerToken::random().expect("random").hash();
        let scenario = new_scenario(name);
        assert_eq!(
            store.insert_scenario(Keeper::Browser(token), &scenario, None, 1, 10).await.ok(),
            Some(Inserted::Done)
        );
        let found = store.scenario(scenario.public_id.as_str()).await.expect("reads").expect("there");
        (token, found)
    }

    #[tokio::test]
    async fn there_are_at_most_so_many() {
        let (_directory, store) = fresh().await;
        let (token, scenario) = saved(&store, "one").await;
        assert_eq!(
            store.insert_scenario(Keeper::Browser(token), &new_scenario("two"), None, 1, 10).await.ok(),
            Some(Inserted::TooMany)
        );
        assert_eq!(store.scenarios(scenario.owner_id).await.expect("reads").len(), 1);
        for (most, expected) in [(1, Inserted::Done), (1, Inserted::TooMany), (2, Inserted::Done)] {
            let (id, link) = (PublicId::random().expect("random"), ShareToken::random().expect("random"));
            assert_eq!(store.insert_link(scenario.id, &id, link.hash(), None, most, 20).await.ok(), Some(expected));
        }
    }

    #[tokio::test]
    async fn a_link_lives_as_long_as_its_scenario_and_revoking_is_final() {
        let (_directory, store) = fresh().await;
        let (_, scenario) = saved(&store, "one").await;
        let (id, link) = (PublicId::random().expect("random"), ShareToken::random().expect("random"));
        let _ = store.insert_link(scenario.id, &id, link.hash(), None, 9, 20).await.expect("kept");
        let renamed = Change { name: Some("other"), ..Change::default() };
        let changed = store.change_scenario(scenario.id, &renamed, Expected::default(), None, 5).await;
        assert!(matches!(changed, Ok(Changed::Done(_))), "even when the clock went back");
        let snapshot = store.open_link(link.hash()).await.expect("reads").expect("opens");
        assert_eq!((snapshot.name.as_str(), snapshot.frozen_at), ("one", 10), "the snapshot is its own");
        for now in [30, 40] {
            store.revoke_link(snapshot.id, None, now).await.expect("revokes");
        }
        assert!(store.open_link(link.hash()).await.expect("reads").is_none());
        assert_eq!(store.links(scenario.id).await.expect("reads")[0].revoked_at, Some(30), "the first time counts");
        assert!(store.delete_scenario(scenario.id, None, 60).await.expect("deletes"));
        assert!(store.link_owner(id.as_str()).await.expect("reads").is_none());
        let gone = store.insert_link(scenario.id, &id, link.hash(), None, 9, 50).await;
        assert_eq!(gone.ok(), Some(Inserted::Gone));
    }

    #[tokio::test]
    async fn the_schema_refuses_what_no_program_should_write() {
        let (_directory, store) = fresh().await;
        let token = OwnerToken::random().expect("random").hash();
        for spoil in [
            |s: &mut NewScenario| s.name = String::new(),
            |s: &mut NewScenario| s.name = "a".repeat(121),
            |s: &mut NewScenario| s.plan = "no JSON".into(),
        ] {
            let mut scenario = new_scenario("x");
            spoil(&mut scenario);
            assert!(
                store.insert_scenario(Keeper::Browser(token), &scenario, None, 9, 10).await.is_err(),
                "{scenario:?}"
            );
        }
    }
}
