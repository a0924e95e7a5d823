//! Teams and who is in them.

use super::accounts::AccountId;
use super::audit::{self, Done, Note};
use super::scenarios::{Inserted, OwnerId};
use super::sessions::SessionId;
use super::statements::statements;
use super::{Store, StoreError};
use crate::id::PublicId;
use sqlx::sqlite::SqliteConnection;

statements! {
    // a hash of no token: whatever a browser sends, it is not this owner
    INSERT_OWNER = "INSERT INTO owner (token_hash, kind, created_at) VALUES (randomblob(32), 'team', ?1) RETURNING id";
    INSERT = "INSERT INTO team (public_id, owner_id, name, created_at) VALUES (?1, ?2, ?3, ?4) RETURNING id";
    JOIN = "INSERT INTO member (team_id, account_id, role, joined_at) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (team_id, account_id) DO NOTHING";
    ROLE_OVER = "SELECT member.role FROM team JOIN member ON member.team_id = team.id
                 WHERE team.owner_id = ?1 AND member.account_id = ?2";
    MEMBERS = "SELECT account.id, account.public_id, account.email, member.role, member.joined_at
               FROM member JOIN account ON account.id = member.account_id
               WHERE member.team_id = ?1 ORDER BY member.joined_at, account.id";
    FIND_MEMBER = "SELECT account.id, account.email, member.role
                   FROM member JOIN account ON account.id = member.account_id
                   WHERE member.team_id = ?1 AND account.public_id = ?2";
    OWNERS = "SELECT COUNT(*) FROM member WHERE team_id = ?1 AND role = 'owner'";
    SET_ROLE = "UPDATE member SET role = ?3 WHERE team_id = ?1 AND account_id = ?2";
    REMOVE = "DELETE FROM member WHERE team_id = ?1 AND account_id = ?2";
    END_INVITATIONS = "DELETE FROM invitation WHERE team_id = ?1 AND made_by = ?2";
    TEAMS_OF = "SELECT team.public_id, team.name, member.role FROM member JOIN team ON team.id = member.team_id
                WHERE member.account_id = ?1 ORDER BY member.joined_at, team.id";
    COUNT_TEAMS = "SELECT COUNT(*) FROM member WHERE account_id = ?1";
    FIND_TEAM = "SELECT team.id FROM team JOIN member ON member.team_id = team.id
                 WHERE team.public_id = ?1 AND member.account_id = ?2";
    WORK_IN = "UPDATE session SET team_id = ?2 WHERE id = ?1";
    RENAME = "UPDATE team SET name = ?2 WHERE id = ?1";
}

/// Number of a team inside the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct TeamId(pub(super) i64);

/// What a member may do, each more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, sqlx::Type)]
#[sqlx(rename_all = "lowercase")]
pub enum Role {
    /// Sees everything of the team.
    Viewer,
    /// Saves, changes, deletes and shares scenarios too.
    Editor,
    /// Decides who is in the team too.
    Owner,
}

impl Role {
    /// As forms, pages and the store name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Editor => "editor",
            Self::Owner => "owner",
        }
    }

    /// Reads a name.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Viewer, Self::Editor, Self::Owner].into_iter().find(|role| role.name() == text)
    }
}

/// Someone who is in a team.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Person {
    /// The account.
    pub id: AccountId,
    /// Its public id.
    pub public_id: String,
    /// Its address.
    pub email: String,
    /// Role.
    pub role: Role,
    /// Milliseconds since 1970.
    pub joined_at: i64,
}

/// A team of an account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Membership {
    /// Public id of the team.
    pub public_id: String,
    /// Its name.
    pub name: String,
    /// Role of the account.
    pub role: Role,
}

/// What became of a change of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Changed {
    /// It is done.
    Done,
    /// The team would be without an owner.
    LastOwner,
    /// There is no such member.
    Gone,
}

impl Store {
    /// What an account may do with the scenarios of an owner; nothing when the owner is no team of it.
    ///
    /// # Errors
    /// The database fails.
    pub async fn role_over(&self, owner: OwnerId, account: AccountId) -> Result<Option<Role>, StoreError> {
        Ok(sqlx::query_scalar(ROLE_OVER).bind(owner).bind(account).fetch_optional(self.read()).await?)
    }

    /// The members of a team, oldest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn members(&self, team: TeamId) -> Result<Vec<Person>, StoreError> {
        Ok(sqlx::query_as(MEMBERS).bind(team).fetch_all(self.read()).await?)
    }

    /// The teams of an account, oldest membership first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn teams_of(&self, account: AccountId) -> Result<Vec<Membership>, StoreError> {
        Ok(sqlx::query_as(TEAMS_OF).bind(account).fetch_all(self.read()).await?)
    }

    /// Makes a team with its maker as owner, whose session works in it, unless the account is in `most` already.
    ///
    /// # Errors
    /// The database fails.
    pub async fn insert_team(
        &self,
        account: AccountId,
        session: SessionId,
        new: (&PublicId, &str),
        most: i64,
        now: i64,
    ) -> Result<Inserted, StoreError> {
        let mut tx = self.write().await?;
        let count: i64 = sqlx::query_scalar(COUNT_TEAMS).bind(account).fetch_one(&mut *tx).await?;
        if count >= most {
            tx.rollback().await?;
            return Ok(Inserted::TooMany);
        }
        let team = make(&mut tx, account, new, now).await?;
        work_in(&mut tx, session, team).await?;
        tx.commit().await?;
        Ok(Inserted::Done)
    }

    /// Lets a session work in another team of its account; false when it is none of it.
    ///
    /// # Errors
    /// The database fails.
    pub async fn switch_team(
        &self,
        session: SessionId,
        account: AccountId,
        public_id: &str,
    ) -> Result<bool, StoreError> {
        let mut tx = self.write().await?;
        let query = sqlx::query_scalar(FIND_TEAM).bind(public_id).bind(account);
        let team: Option<TeamId> = query.fetch_optional(&mut *tx).await?;
        if let Some(team) = team {
            work_in(&mut tx, session, team).await?;
        }
        tx.commit().await?;
        Ok(team.is_some())
    }

    /// Renames a team.
    ///
    /// # Errors
    /// The database fails.
    pub async fn rename_team(&self, team: TeamId, by: AccountId, name: &str, now: i64) -> Result<(), StoreError> {
        let mut tx = self.write().await?;
        sqlx::query(RENAME).bind(team).bind(name).execute(&mut *tx).await?;
        audit::note(&mut tx, Note { team, by, done: Done::RenamedTeam, about: None, object: name, now }).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Gives a member another role. Who is no owner any more has no open invitations either.
    ///
    /// # Errors
    /// The database fails.
    pub async fn set_role(
        &self,
        team: TeamId,
        by: AccountId,
        member: &str,
        role: Role,
        now: i64,
    ) -> Result<Changed, StoreError> {
        let mut tx = self.write().await?;
        let found = find(&mut tx, team, member).await?;
        let Some((account, _, before)) = found else {
            tx.rollback().await?;
            return Ok(Changed::Gone);
        };
        if before == Role::Owner && role != Role::Owner && owners(&mut tx, team).await? <= 1 {
            tx.rollback().await?;
            return Ok(Changed::LastOwner);
        }
        if before != role {
            sqlx::query(SET_ROLE).bind(team).bind(account).bind(role.name()).execute(&mut *tx).await?;
            let note = Note { team, by, done: Done::ChangedRole, about: Some(account), object: role.name(), now };
            audit::note(&mut tx, note).await?;
        }
        if role != Role::Owner {
            sqlx::query(END_INVITATIONS).bind(team).bind(account).execute(&mut *tx).await?;
        }
        tx.commit().await?;
        Ok(Changed::Done)
    }

    /// Takes a member out of a team; who does it may be the member. An account that is then in no team gets one of its
    /// own, with the public id `spare`.
    ///
    /// # Errors
    /// The database fails.
    pub async fn remove_member(
        &self,
        team: TeamId,
        by: AccountId,
        member: &str,
        spare: &PublicId,
        now: i64,
    ) -> Result<Changed, StoreError> {
        let mut tx = self.write().await?;
        let Some((account, email, role)) = find(&mut tx, team, member).await? else {
            tx.rollback().await?;
            return Ok(Changed::Gone);
        };
        if role == Role::Owner && owners(&mut tx, team).await? <= 1 {
            tx.rollback().await?;
            return Ok(Changed::LastOwner);
        }
        sqlx::query(REMOVE).bind(team).bind(account).execute(&mut *tx).await?;
        sqlx::query(END_INVITATIONS).bind(team).bind(account).execute(&mut *tx).await?;
        let (done, about) = if by == account { (Done::Left, None) } else { (Done::RemovedMember, Some(account)) };
        audit::note(&mut tx, Note { team, by, done, about, object: "", now }).await?;
        let left: i64 = sqlx::query_scalar(COUNT_TEAMS).bind(account).fetch_one(&mut *tx).await?;
        if left == 0 {
            make_first(&mut tx, account, &email, spare, now).await?;
        }
        tx.commit().await?;
        Ok(Changed::Done)
    }
}

async fn find(
    connection: &mut SqliteConnection,
    team: TeamId,
    member: &str,
) -> Result<Option<(AccountId, String, Role)>, StoreError> {
    Ok(sqlx::query_as(FIND_MEMBER).bind(team).bind(member).fetch_optional(connection).await?)
}

async fn owners(connection: &mut SqliteConnection, team: TeamId) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar(OWNERS).bind(team).fetch_one(connection).await?)
}

/// A session works in a team from now on.
pub(super) async fn work_in(
    connection: &mut SqliteConnection,
    session: SessionId,
    team: TeamId,
) -> Result<(), StoreError> {
    sqlx::query(WORK_IN).bind(session).bind(team).execute(connection).await?;
    Ok(())
}

/// An account is never without a team: what it saves has to belong to one.
pub(super) async fn make_first(
    connection: &mut SqliteConnection,
    account: AccountId,
    email: &str,
    id: &PublicId,
    now: i64,
) -> Result<TeamId, StoreError> {
    let name: String = format!("Team of {email}").chars().take(120).collect();
    make(connection, account, (id, &name), now).await
}

async fn make(
    connection: &mut SqliteConnection,
    account: AccountId,
    (id, name): (&PublicId, &str),
    now: i64,
) -> Result<TeamId, StoreError> {
    let owner: i64 = sqlx::query_scalar(INSERT_OWNER).bind(now).fetch_one(&mut *connection).await?;
    let query = sqlx::query_scalar(INSERT).bind(id.as_str()).bind(owner).bind(name).bind(now);
    let team = TeamId(query.fetch_one(&mut *connection).await?);
    join(connection, team, account, Role::Owner, now).await?;
    let note = Note { team, by: account, done: Done::MadeTeam, about: None, object: "", now };
    audit::note(connection, note).await?;
    Ok(team)
}

/// Makes an account a member; false when it is one already, with whatever role.
pub(super) async fn join(
    connection: &mut SqliteConnection,
    team: TeamId,
    account: AccountId,
    role: Role,
    now: i64,
) -> Result<bool, StoreError> {
    let query = sqlx::query(JOIN).bind(team).bind(account).bind(role.name()).bind(now);
    Ok(query.execute(connection).await?.rows_affected() > 0)
}
