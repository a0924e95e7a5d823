//! All that an account has: for taking it along, and for deleting it.

use super::accounts::AccountId;
use super::scenarios::Tags;
use super::statements::statements;
use super::{Store, StoreError};

statements! {
    CREATED = "SELECT created_at FROM account WHERE id = ?1";
    TEAMS = "SELECT team.public_id, team.name, member.role, member.joined_at FROM member JOIN team ON team.id = member.team_id
             WHERE member.account_id = ?1 ORDER BY member.joined_at, team.id";
    SCENARIOS = "SELECT team.public_id AS team, scenario.public_id, scenario.name, scenario.headline, scenario.query, scenario.request,
                        scenario.engine_version, scenario.catalog_version, scenario.notes, scenario.tags, scenario.number, scenario.archived_at,
                        scenario.created_at, scenario.updated_at
                 FROM member JOIN team ON team.id = member.team_id JOIN scenario ON scenario.owner_id = team.owner_id
                 WHERE member.account_id = ?1 ORDER BY scenario.id";
    // what the scenario holds now is told with it
    VERSIONS = "SELECT scenario.public_id AS scenario, v.number, v.headline, v.query, v.request, v.engine_version, v.catalog_version, v.reason, v.saved_at
                FROM member JOIN team ON team.id = member.team_id JOIN scenario ON scenario.owner_id = team.owner_id
                JOIN scenario_version AS v ON v.scenario_id = scenario.id
                WHERE member.account_id = ?1 ORDER BY scenario.id, v.number";
    DONE = "SELECT team.public_id AS team, audit.at, audit.action, audit.object
            FROM audit JOIN team ON team.id = audit.team_id WHERE audit.account_id = ?1 ORDER BY audit.id";
    TOKENS = "SELECT team.public_id AS team, api_token.name, api_token.scope, api_token.created_at, api_token.expires_at,
                     api_token.last_used_at
              FROM api_token JOIN team ON team.id = api_token.team_id WHERE api_token.account_id = ?1 ORDER BY api_token.id";
    QUOTES = "SELECT team.public_id AS team, quote.key, quote.version, quote.value, quote.supplier, quote.valid_until, quote.note, quote.at,
                     quote.account_id IS NOT NULL AND quote.account_id = ?1 AS own
              FROM member JOIN team ON team.id = member.team_id JOIN quote ON quote.team_id = team.id
              WHERE member.account_id = ?1 ORDER BY team.id, quote.key, quote.version";
    LINKS = "SELECT scenario.public_id AS scenario, l.public_id, l.kind, l.label, l.views, l.last_view_at, l.expires_at, l.paused_at,
                    l.revoked_at, l.created_at
             FROM member JOIN team ON team.id = member.team_id JOIN scenario ON scenario.owner_id = team.owner_id
             JOIN share_link AS l ON l.scenario_id = scenario.id
             WHERE member.account_id = ?1 ORDER BY scenario.id, l.id";
    INVITATIONS = "SELECT team.public_id AS team, invitation.role, invitation.created_at, invitation.expires_at
                   FROM invitation JOIN team ON team.id = invitation.team_id WHERE invitation.made_by = ?1 ORDER BY invitation.id";
    ORPHANED = "SELECT team.name FROM team JOIN member ON member.team_id = team.id
                WHERE member.account_id = ?1 AND member.role = 'owner'
                  AND (SELECT COUNT(*) FROM member AS m WHERE m.team_id = team.id) > 1
                  AND (SELECT COUNT(*) FROM member AS m WHERE m.team_id = team.id AND m.role = 'owner') = 1
                ORDER BY team.id LIMIT 1";
    // with the owner go its team, its scenarios, their links, its invitations and its log
    DELETE_ALONE = "DELETE FROM owner WHERE id IN (SELECT team.owner_id FROM team JOIN member ON member.team_id = team.id
                    GROUP BY team.id HAVING COUNT(*) = 1 AND max(member.account_id) = ?1)";
    // a team that stays is not named after who has gone
    UNNAME = "UPDATE team SET name = 'Team' WHERE name = (SELECT substr('Team of ' || email, 1, 120) FROM account WHERE id = ?1)";
    // with the account go its sessions, memberships, invitations and reset links
    DELETE = "DELETE FROM account WHERE id = ?1";
}

/// A team of the account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct KeptTeam {
    /// Public id.
    pub public_id: String,
    /// Name.
    pub name: String,
    /// Role of the account.
    pub role: String,
    /// Milliseconds since 1970.
    pub joined_at: i64,
}

/// A token of the API that it has made.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct KeptToken {
    /// Public id of the team.
    pub team: String,
    /// Name.
    pub name: String,
    /// What it is for.
    pub scope: String,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub expires_at: i64,
    /// Milliseconds since 1970, to the hour.
    pub last_used_at: Option<i64>,
}

/// A scenario of one of its teams.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct KeptScenario {
    /// Public id of the team.
    pub team: String,
    /// Public id.
    pub public_id: String,
    /// Name.
    pub name: String,
    /// Headline of the plan.
    pub headline: String,
    /// Inputs as the address of the planner has them.
    pub query: String,
    /// Inputs as JSON.
    pub request: String,
    /// Engine that made the plan.
    pub engine_version: String,
    /// Catalog that the plan is from.
    pub catalog_version: String,
    /// Remarks.
    pub notes: String,
    /// Tags.
    #[sqlx(try_from = "String")]
    pub tags: Tags,
    /// Number of the current version.
    pub number: i64,
    /// Milliseconds since 1970; absent while it is in use.
    pub archived_at: Option<i64>,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub updated_at: i64,
}

/// A version of one of them.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct KeptVersion {
    /// Public id of the scenario.
    pub scenario: String,
    /// Its number.
    pub number: i64,
    /// Headline of the plan.
    pub headline: String,
    /// Inputs as the address of the planner has them.
    pub query: String,
    /// Inputs as JSON.
    pub request: String,
    /// Engine that made the plan.
    pub engine_version: String,
    /// Catalog that the plan is from.
    pub catalog_version: String,
    /// Why it was saved.
    pub reason: String,
    /// Milliseconds since 1970.
    pub saved_at: i64,
}

/// Something that the account did.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct KeptDeed {
    /// Public id of the team.
    pub team: String,
    /// Milliseconds since 1970.
    pub at: i64,
    /// What was done.
    pub action: String,
    /// What it was done to.
    pub object: String,
}

/// A row of the price book of one of its teams.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct KeptQuote {
    /// Public id of the team.
    pub team: String,
    /// Path under `overrides`.
    pub key: String,
    /// Counts the changes of the key.
    pub version: i64,
    /// The price or rate; none where the quote was removed.
    pub value: Option<f64>,
    /// Who offered it.
    pub supplier: String,
    /// The last day on which it holds.
    pub valid_until: Option<String>,
    /// A remark.
    pub note: String,
    /// Milliseconds since 1970.
    pub at: i64,
    /// The account wrote it.
    pub own: bool,
}

/// A share link of one of its scenarios; the token is not kept.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct KeptLink {
    /// Public id of the scenario.
    pub scenario: String,
    /// Public id.
    pub public_id: String,
    /// `frozen`, `live` or `feed`.
    pub kind: String,
    /// What the team calls it.
    pub label: String,
    /// Times that it was opened.
    pub views: i64,
    /// Milliseconds since 1970.
    pub last_view_at: Option<i64>,
    /// Milliseconds since 1970.
    pub expires_at: Option<i64>,
    /// Milliseconds since 1970.
    pub paused_at: Option<i64>,
    /// Milliseconds since 1970.
    pub revoked_at: Option<i64>,
    /// Milliseconds since 1970.
    pub created_at: i64,
}

/// An invitation that it made and nobody has used.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct KeptInvitation {
    /// Public id of the team.
    pub team: String,
    /// Role that it gives.
    pub role: String,
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Milliseconds since 1970.
    pub expires_at: i64,
}

/// All that an account has, beside its sessions.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Milliseconds since 1970.
    pub created_at: i64,
    /// Its teams.
    pub teams: Vec<KeptTeam>,
    /// Their scenarios.
    pub scenarios: Vec<KeptScenario>,
    /// The versions of these that are kept.
    pub versions: Vec<KeptVersion>,
    /// What it did in them.
    pub done: Vec<KeptDeed>,
    /// Tokens of the API, oldest first.
    pub tokens: Vec<KeptToken>,
    /// The price books of its teams with their history.
    pub quotes: Vec<KeptQuote>,
    /// The share links of the scenarios.
    pub links: Vec<KeptLink>,
    /// Invitations that are open, oldest first.
    pub invitations: Vec<KeptInvitation>,
}

/// What became of a deletion.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Deletion {
    /// Nothing of the account is left.
    Done,
    /// This team would be without an owner.
    LastOwner(String),
}

impl Store {
    /// All that an account has.
    ///
    /// # Errors
    /// The database fails.
    pub async fn kept(&self, account: AccountId) -> Result<Kept, StoreError> {
        // one snapshot of the database for all of it
        let mut tx = self.read().begin().await?;
        let kept = Kept {
            created_at: sqlx::query_scalar(CREATED).bind(account).fetch_one(&mut *tx).await?,
            teams: sqlx::query_as(TEAMS).bind(account).fetch_all(&mut *tx).await?,
            scenarios: sqlx::query_as(SCENARIOS).bind(account).fetch_all(&mut *tx).await?,
            versions: sqlx::query_as(VERSIONS).bind(account).fetch_all(&mut *tx).await?,
            done: sqlx::query_as(DONE).bind(account).fetch_all(&mut *tx).await?,
            tokens: sqlx::query_as(TOKENS).bind(account).fetch_all(&mut *tx).await?,
            quotes: sqlx::query_as(QUOTES).bind(account).fetch_all(&mut *tx).await?,
            links: sqlx::query_as(LINKS).bind(account).fetch_all(&mut *tx).await?,
            invitations: sqlx::query_as(INVITATIONS).bind(account).fetch_all(&mut *tx).await?,
        };
        tx.commit().await?;
        Ok(kept)
    }

    /// Deletes an account, and the teams that nobody else is in with their scenarios.
    ///
    /// # Errors
    /// The database fails.
    pub async fn delete_account(&self, account: AccountId) -> Result<Deletion, StoreError> {
        let mut tx = self.write().await?;
        let orphaned: Option<String> = sqlx::query_scalar(ORPHANED).bind(account).fetch_optional(&mut *tx).await?;
        if let Some(team) = orphaned {
            tx.rollback().await?;
            return Ok(Deletion::LastOwner(team));
        }
        for statement in [DELETE_ALONE, UNNAME, DELETE] {
            sqlx::query(statement).bind(account).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(Deletion::Done)
    }
}
