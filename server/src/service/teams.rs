//! Teams: who is in them, who may do what, and who comes in.
//!
//! Everything here is about the team that the caller's session works in. Any member sees who is in it and what was done;
//! only owners decide who is. What belongs to another team does not exist.

use super::actor::{Actor, allow};
use super::scenarios::checked_name;
use super::{ServiceError, clock};
use crate::auth::secret::InvitationToken;
use crate::id::{PublicId, plausible};
use crate::store::Store;
use crate::store::audit::Line;
use crate::store::invitations::{Invitation, NewInvitation, Offer};
use crate::store::scenarios::Inserted;
use crate::store::sessions::Member;
use crate::store::teams::{Changed, Membership, Person, Role};
use engine::FieldProblem;

/// How long an invitation can be used, milliseconds.
const INVITATION_LIFE: i64 = 7 * 24 * 60 * 60 * 1000;
const INVITATIONS_MAX: i64 = 50;
const TEAMS_MAX: i64 = 20;
/// Lines of the log that a page shows.
const LINES: usize = 100;

/// A page of the log of a team.
#[derive(Debug, Default)]
pub struct LogPage {
    /// Newest first.
    pub lines: Vec<Line>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
}

/// A team as its members see it.
#[derive(Debug)]
pub struct Team<'a> {
    /// The caller.
    pub member: &'a Member,
    /// Who is in it.
    pub people: Vec<Person>,
    /// Who may come in; only owners see it.
    pub invitations: Vec<Invitation>,
    /// What was done.
    pub log: LogPage,
    /// All teams of the caller.
    pub teams: Vec<Membership>,
}

/// The team service.
#[derive(Clone, Debug)]
pub struct Teams {
    store: Store,
}

impl Teams {
    /// Over a store.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// The caller's team.
    ///
    /// # Errors
    /// Nobody is logged in, or reading failed.
    pub async fn team<'a>(&self, caller: &'a Actor, log_from: Option<&str>) -> Result<Team<'a>, ServiceError> {
        let member = caller.member()?;
        let invitations = match member.role {
            Role::Owner => self.store.invitations(member.team, clock::now()).await?,
            Role::Editor | Role::Viewer => Vec::new(),
        };
        Ok(Team {
            member,
            invitations,
            people: self.store.members(member.team).await?,
            log: self.log(caller, log_from, LINES).await?,
            teams: self.store.teams_of(member.account).await?,
        })
    }

    /// A page of what was done in the caller's team, newest first, of `most` lines: the first, or the one that a cursor names.
    ///
    /// # Errors
    /// Nobody is logged in, the cursor is none that was given out, or reading failed.
    pub async fn log(&self, caller: &Actor, from: Option<&str>, most: usize) -> Result<LogPage, ServiceError> {
        let member = caller.member()?;
        let before = match from {
            None => i64::MAX,
            Some(text) => text.parse().ok().filter(|id| *id > 0).ok_or_else(|| {
                let message = "The cursor is none that this list gave; begin without one.";
                ServiceError::Invalid(vec![FieldProblem::new("/cursor", "unknown_id", message)])
            })?,
        };
        // one more than is shown tells whether there is a next page
        let limit = i64::try_from(most).unwrap_or(i64::MAX - 1) + 1;
        let mut lines = self.store.audit(member.team, before, limit, clock::now()).await?;
        let more = lines.len() > most;
        lines.truncate(most);
        let next = lines.last().filter(|_| more).map(|line| line.id.to_string());
        Ok(LogPage { lines, next })
    }

    /// Makes a team of the caller's, and works in it.
    ///
    /// # Errors
    /// Nobody is logged in, the name can't be used, there are too many, or storing failed.
    pub async fn create(&self, caller: &Actor, name: &str) -> Result<(), ServiceError> {
        let member = caller.member()?;
        let name = team_name(name)?;
        let id = PublicId::random()?;
        let made = self.store.insert_team(member.account, member.session, (&id, &name), TEAMS_MAX, clock::now());
        match made.await? {
            Inserted::Done => Ok(()),
            Inserted::TooMany => {
                Err(ServiceError::TooMany("You are in 20 teams, which is the most. Leave one to make another."))
            }
            Inserted::Gone => Err(ServiceError::NotFound),
        }
    }

    /// Works in another team of the caller's.
    ///
    /// # Errors
    /// It is none of the caller's, or storing failed.
    pub async fn switch(&self, caller: &Actor, team: &str) -> Result<(), ServiceError> {
        let member = caller.member()?;
        let found = plausible(team) && self.store.switch_team(member.session, member.account, team).await?;
        if found { Ok(()) } else { Err(ServiceError::NotFound) }
    }

    /// Renames the team.
    ///
    /// # Errors
    /// The caller is no owner, the name can't be used, or storing failed.
    pub async fn rename(&self, caller: &Actor, name: &str) -> Result<(), ServiceError> {
        let member = owner(caller)?;
        Ok(self.store.rename_team(member.team, member.account, &team_name(name)?, clock::now()).await?)
    }

    /// Makes an invitation. The token is not kept and can't be shown again.
    ///
    /// # Errors
    /// The caller is no owner, there are too many, or storing failed.
    pub async fn invite(&self, caller: &Actor, role: &str) -> Result<InvitationToken, ServiceError> {
        let member = owner(caller)?;
        let role = role_of(role)?;
        let (token, id, now) = (InvitationToken::random()?, PublicId::random()?, clock::now());
        let new = NewInvitation { id: &id, token: token.hash(), role, expires_at: now.saturating_add(INVITATION_LIFE) };
        match self.store.insert_invitation(member.team, member.account, new, INVITATIONS_MAX, now).await? {
            Inserted::Done => Ok(token),
            Inserted::TooMany => Err(ServiceError::TooMany(
                "The team has 50 open invitations, which is the most. Withdraw one that is not needed.",
            )),
            Inserted::Gone => Err(ServiceError::NotFound),
        }
    }

    /// Withdraws an invitation.
    ///
    /// # Errors
    /// The caller is no owner, it is none of the team's, or storing failed.
    pub async fn withdraw(&self, caller: &Actor, invitation: &str) -> Result<(), ServiceError> {
        let member = owner(caller)?;
        let found = plausible(invitation)
            && self.store.withdraw_invitation(member.team, member.account, invitation, clock::now()).await?;
        if found { Ok(()) } else { Err(ServiceError::NotFound) }
    }

    /// What an invitation opens.
    ///
    /// # Errors
    /// It is unknown, used, withdrawn or expired, or reading failed.
    pub async fn offer(&self, token: &str) -> Result<Offer, ServiceError> {
        let token = InvitationToken::parse(token).ok_or(ServiceError::NotFound)?;
        self.store.invitation(token.hash(), clock::now()).await?.ok_or(ServiceError::NotFound)
    }

    /// Joins the team of an invitation, and works in it.
    ///
    /// # Errors
    /// Nobody is logged in, the invitation can't be used, or storing failed.
    pub async fn accept(&self, caller: &Actor, token: &str) -> Result<(), ServiceError> {
        let member = caller.member()?;
        let token = InvitationToken::parse(token).ok_or(ServiceError::NotFound)?;
        let joined = self.store.accept_invitation(token.hash(), member.account, member.session, clock::now()).await?;
        joined.map(drop).ok_or(ServiceError::NotFound)
    }

    /// Gives a member another role.
    ///
    /// # Errors
    /// The caller is no owner, there is no such member, the team would have no owner, or storing failed.
    pub async fn set_role(&self, caller: &Actor, person: &str, role: &str) -> Result<(), ServiceError> {
        let member = owner(caller)?;
        let role = role_of(role)?;
        if !plausible(person) {
            return Err(ServiceError::NotFound);
        }
        said(self.store.set_role(member.team, member.account, person, role, clock::now()).await?)
    }

    /// Takes a member out of the team.
    ///
    /// # Errors
    /// The caller is no owner, there is no such member, the team would have no owner, or storing failed.
    pub async fn remove(&self, caller: &Actor, person: &str) -> Result<(), ServiceError> {
        let member = owner(caller)?;
        if !plausible(person) {
            return Err(ServiceError::NotFound);
        }
        let spare = PublicId::random()?;
        said(self.store.remove_member(member.team, member.account, person, &spare, clock::now()).await?)
    }

    /// Leaves the team.
    ///
    /// # Errors
    /// Nobody is logged in, the team would have no owner, or storing failed.
    pub async fn leave(&self, caller: &Actor) -> Result<(), ServiceError> {
        let member = caller.member()?;
        let spare = PublicId::random()?;
        let left = self.store.remove_member(member.team, member.account, &member.public_id, &spare, clock::now());
        said(left.await?)
    }
}

/// The caller, who has to be an owner of the team.
fn owner(caller: &Actor) -> Result<&Member, ServiceError> {
    let member = caller.member()?;
    allow(member.role, Role::Owner)?;
    Ok(member)
}

fn said(changed: Changed) -> Result<(), ServiceError> {
    match changed {
        Changed::Done => Ok(()),
        Changed::Gone => Err(ServiceError::NotFound),
        Changed::LastOwner => {
            Err(ServiceError::Forbidden("A team needs an owner. Make someone else an owner first, then try again."))
        }
    }
}

fn role_of(text: &str) -> Result<Role, ServiceError> {
    let wrong = || FieldProblem::new("/role", "unknown", "Choose owner, editor or viewer.");
    Role::parse(text).ok_or_else(|| ServiceError::Invalid(vec![wrong()]))
}

fn team_name(name: &str) -> Result<String, ServiceError> {
    checked_name(name).map_err(|error| match error {
        ServiceError::Invalid(problems) => ServiceError::Invalid(
            problems
                .into_iter()
                .map(|problem| {
                    FieldProblem::new("/name", &problem.code, problem.message.replace("A scenario", "A team"))
                })
                .collect(),
        ),
        other => other,
    })
}
