//! Share links: each holds a snapshot of its own, or follows its scenario.

use super::accounts::AccountId;
use super::audit::{self, Done};
use super::scenarios::{Inserted, OwnerId, ScenarioId};
use super::statements::statements;
use super::{Store, StoreError};
use crate::auth::secret::TokenHash;
use crate::id::PublicId;

statements! {
    COUNT = "SELECT COUNT(*) FROM share_link WHERE scenario_id = ?1";
    INSERT_FROZEN = "INSERT INTO share_link (public_id, token_hash, card_id, scenario_id, kind, label, expires_at, created_at,
                         name, plan, engine_version, catalog_version, frozen_at)
                     SELECT ?1, ?2, ?3, id, ?5, ?6, ?7, ?8, name, plan, engine_version, catalog_version, frozen_at
                     FROM scenario WHERE id = ?4";
    INSERT_FOLLOWING = "INSERT INTO share_link (public_id, token_hash, card_id, scenario_id, kind, label, expires_at, created_at)
                        SELECT ?1, ?2, ?3, id, ?5, ?6, ?7, ?8 FROM scenario WHERE id = ?4";
    LIST = "SELECT public_id, kind, label, views, last_view_at, expires_at, paused_at, revoked_at, created_at
            FROM share_link WHERE scenario_id = ?1 ORDER BY id DESC";
    FIND = "SELECT share_link.public_id, share_link.kind, label, views, last_view_at, expires_at, paused_at, revoked_at,
                   share_link.created_at, scenario.public_id AS scenario, scenario.owner_id
            FROM share_link JOIN scenario ON scenario.id = share_link.scenario_id WHERE share_link.public_id = ?1";
    OWNER_OF = "SELECT share_link.id, share_link.kind, scenario.owner_id FROM share_link
                JOIN scenario ON scenario.id = share_link.scenario_id WHERE share_link.public_id = ?1";
    REVOKE = "UPDATE share_link SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1";
    PAUSE = "UPDATE share_link SET paused_at = coalesce(paused_at, ?2) WHERE id = ?1 AND revoked_at IS NULL";
    RESUME = "UPDATE share_link SET paused_at = NULL WHERE id = ?1 AND revoked_at IS NULL";
    // the picture of the old link goes with it
    ROTATE = "UPDATE share_link SET token_hash = ?2, card_id = ?3 WHERE id = ?1 AND revoked_at IS NULL";
    OPEN = "SELECT share_link.id, share_link.kind, share_link.card_id, scenario.number,
                   scenario.number + scenario.version - 1 AS version,
                   coalesce(share_link.name, scenario.name) AS name, coalesce(share_link.plan, scenario.plan) AS plan,
                   coalesce(share_link.frozen_at, scenario.frozen_at) AS as_of
            FROM share_link JOIN scenario ON scenario.id = share_link.scenario_id
            WHERE (share_link.token_hash = ?1 OR share_link.card_id = ?2) AND (share_link.kind = 'feed') = ?3
                  AND share_link.revoked_at IS NULL AND share_link.paused_at IS NULL
                  AND (share_link.expires_at IS NULL OR share_link.expires_at > ?4)";
    COUNT_VIEW = "UPDATE share_link SET views = views + 1, last_view_at = ?2 WHERE id = ?1";
}

/// Number of a link inside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct LinkId(i64);

/// What a link opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "lowercase")]
pub enum LinkKind {
    /// The plan as it was when the link was made.
    Frozen,
    /// What the scenario has when the link is opened.
    Live,
    /// As live, as data for spreadsheets, and on no page.
    Feed,
}

impl LinkKind {
    /// As forms, pages and the store name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Frozen => "frozen",
            Self::Live => "live",
            Self::Feed => "feed",
        }
    }

    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Frozen, Self::Live, Self::Feed].into_iter().find(|kind| kind.name() == text)
    }
}

/// A link to be kept.
#[derive(Debug)]
pub struct NewLink {
    /// Its public id.
    pub public_id: PublicId,
    /// Hash of its token.
    pub token: TokenHash,
    /// Name of its picture.
    pub card: PublicId,
    /// What it opens.
    pub kind: LinkKind,
    /// What its owner calls it; may be empty.
    pub label: String,
    /// When it ends, milliseconds since 1970; none is never.
    pub expires_at: Option<i64>,
}

/// A link as its owner sees it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Link {
    /// Public id.
    pub public_id: String,
    /// What it opens.
    pub kind: LinkKind,
    /// What its owner calls it.
    pub label: String,
    /// Times that it was opened.
    pub views: i64,
    /// When it was opened last, milliseconds since 1970.
    pub last_view_at: Option<i64>,
    /// When it ends, milliseconds since 1970; none is never.
    pub expires_at: Option<i64>,
    /// Since when it is paused, milliseconds since 1970.
    pub paused_at: Option<i64>,
    /// Milliseconds since 1970; absent while it was not revoked.
    pub revoked_at: Option<i64>,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

/// A link with what it belongs to.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct PlacedLink {
    /// The link.
    #[sqlx(flatten)]
    pub link: Link,
    /// Public id of its scenario.
    pub scenario: String,
    /// Whose its scenario is.
    pub owner_id: OwnerId,
}

/// A link with whose it is.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct OwnedLink {
    /// Number of the link.
    pub id: LinkId,
    /// What it opens.
    pub kind: LinkKind,
    /// Whose its scenario is.
    pub owner_id: OwnerId,
}

/// What a link opens.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Opened {
    /// Number of the link.
    pub id: LinkId,
    /// What kind it is.
    pub kind: LinkKind,
    /// Name of its picture.
    pub card_id: String,
    /// Number of the current version of its scenario.
    pub number: i64,
    /// Counts the changes of its scenario.
    pub version: i64,
    /// Name of the scenario, as it was or is.
    pub name: String,
    /// Plan as JSON.
    pub plan: String,
    /// From when the plan is, milliseconds since 1970: when it was made, or when the scenario was last changed.
    pub as_of: i64,
}

/// How a caller names a link.
#[derive(Clone, Copy, Debug)]
pub enum LinkKey<'a> {
    /// By its token, to a page.
    Page(TokenHash),
    /// By its token, to data.
    Feed(TokenHash),
    /// By its picture.
    Card(&'a str),
}

/// What is done to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkChange {
    /// It does not open until it is resumed.
    Pause,
    /// It opens again.
    Resume,
    /// It does not open any more.
    Revoke,
}

impl LinkChange {
    fn statement(self) -> &'static str {
        match self {
            Self::Pause => PAUSE,
            Self::Resume => RESUME,
            Self::Revoke => REVOKE,
        }
    }

    fn done(self) -> Done {
        match self {
            Self::Pause => Done::PausedLink,
            Self::Resume => Done::ResumedLink,
            Self::Revoke => Done::RevokedLink,
        }
    }
}

impl Store {
    /// A link by its public id.
    ///
    /// # Errors
    /// The database fails.
    pub async fn link(&self, public_id: &str) -> Result<Option<PlacedLink>, StoreError> {
        Ok(sqlx::query_as(FIND).bind(public_id).fetch_optional(self.read()).await?)
    }

    /// Makes a link to a scenario, unless there are `most` already.
    ///
    /// # Errors
    /// The database fails.
    pub async fn insert_link(
        &self,
        scenario: ScenarioId,
        link: &NewLink,
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
        let insert = if link.kind == LinkKind::Frozen { INSERT_FROZEN } else { INSERT_FOLLOWING };
        let inserted = sqlx::query(insert)
            .bind(link.public_id.as_str())
            .bind(link.token.as_bytes())
            .bind(link.card.as_str())
            .bind(scenario)
            .bind(link.kind)
            .bind(&link.label)
            .bind(link.expires_at)
            .bind(now)
            .execute(&mut *tx)
            .await?
            .rows_affected();
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

    /// A link by its public id.
    ///
    /// # Errors
    /// The database fails.
    pub async fn link_owner(&self, public_id: &str) -> Result<Option<OwnedLink>, StoreError> {
        Ok(sqlx::query_as(OWNER_OF).bind(public_id).fetch_optional(self.read()).await?)
    }

    /// Pauses, resumes or revokes a link; false when it is revoked already. A second time changes nothing.
    ///
    /// # Errors
    /// The database fails.
    pub async fn change_link(
        &self,
        id: LinkId,
        change: LinkChange,
        by: Option<AccountId>,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        audit::note_link(&mut tx, id, by, change.done(), now).await?;
        let query = sqlx::query(change.statement()).bind(id);
        let query = if change == LinkChange::Resume { query } else { query.bind(now) };
        let done = query.execute(&mut *tx).await?.rows_affected();
        tx.commit().await?;
        Ok(done > 0)
    }

    /// Gives a link another token and picture, and forgets the old ones; false when it is revoked.
    ///
    /// # Errors
    /// The database fails.
    pub async fn rotate_link(
        &self,
        id: LinkId,
        token: TokenHash,
        card: &PublicId,
        by: Option<AccountId>,
        now: i64,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        audit::note_link(&mut tx, id, by, Done::RotatedLink, now).await?;
        let query = sqlx::query(ROTATE).bind(id).bind(token.as_bytes()).bind(card.as_str());
        let done = query.execute(&mut *tx).await?.rows_affected();
        tx.commit().await?;
        Ok(done > 0)
    }

    /// What a token or a picture opens; nothing when it is unknown, of another kind, expired, paused or revoked.
    ///
    /// # Errors
    /// The database fails.
    pub async fn open_link(&self, key: LinkKey<'_>, now: i64) -> Result<Option<Opened>, StoreError> {
        let (token, card, feed) = match &key {
            LinkKey::Page(token) => (Some(token.as_bytes()), None, false),
            LinkKey::Feed(token) => (Some(token.as_bytes()), None, true),
            LinkKey::Card(card) => (None, Some(*card), false),
        };
        let query = sqlx::query_as(OPEN).bind(token).bind(card).bind(feed).bind(now);
        Ok(query.fetch_optional(self.read()).await?)
    }

    /// Counts one more view.
    ///
    /// # Errors
    /// The database fails.
    pub async fn count_view(&self, id: LinkId, now: i64) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(COUNT_VIEW).bind(id).bind(now).execute(&mut *tx).await?;
        tx.commit().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
