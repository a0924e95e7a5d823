//! Tokens of the API: who makes them, and who holds one.

use super::actor::{Actor, allow};
use super::scenarios::checked_name;
use super::{ServiceError, clock};
use crate::auth::api_token::ApiToken;
use crate::id::{PublicId, plausible};
use crate::store::Store;
use crate::store::scenarios::Inserted;
use crate::store::teams::Role;
use crate::store::tokens::{Holder, NewToken, Scope, TokenLine};
use engine::FieldProblem;

/// Days for which a token is good unless its maker says.
pub const DAYS: u32 = 90;
/// Days for which it is good at most.
pub const DAYS_MAX: u32 = 365;
const DAY: i64 = 24 * 60 * 60 * 1000;
const HOUR: i64 = 60 * 60 * 1000;
/// Of one member in one team.
const TOKENS_MAX: i64 = 20;

/// The token service.
#[derive(Clone, Debug)]
pub struct Tokens {
    store: Store,
}

impl Tokens {
    /// Over a store.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// The tokens of the caller's team, for those who may make some.
    ///
    /// # Errors
    /// Nobody is logged in, the caller is a viewer, or reading failed.
    pub async fn list(&self, caller: &Actor) -> Result<Vec<TokenLine>, ServiceError> {
        let member = caller.member()?;
        allow(member.role, Role::Editor)?;
        Ok(self.store.tokens(member.team).await?)
    }

    /// Makes a token of the caller for the team. It is not kept and can't be shown again.
    ///
    /// # Errors
    /// The caller is a viewer, a field can't be used, there are too many, or storing failed.
    pub async fn make(&self, caller: &Actor, name: &str, scope: &str, days: &str) -> Result<ApiToken, ServiceError> {
        let member = caller.member()?;
        allow(member.role, Role::Editor)?;
        let name = token_name(name)?;
        let wrong =
            |field: &str, code: &str, text: String| ServiceError::Invalid(vec![FieldProblem::new(field, code, text)]);
        let scope = Scope::parse(scope).ok_or_else(|| wrong("/scope", "unknown_id", "Choose read or write.".into()))?;
        let days = match days.trim() {
            "" => DAYS,
            text => text.parse().ok().filter(|days| (1..=DAYS_MAX).contains(days)).ok_or_else(|| {
                let shown: String = text.chars().take(20).collect();
                wrong(
                    "/days",
                    "out_of_range",
                    format!("A token is good for 1 to {DAYS_MAX} days, not {shown}; use {DAYS}."),
                )
            })?,
        };
        let (token, id, now) = (ApiToken::random()?, PublicId::random()?, clock::now());
        let expires_at = now.saturating_add(i64::from(days) * DAY);
        let new = NewToken { id: &id, token: token.hash(), name: &name, scope, expires_at };
        match self.store.insert_token(member.team, member.account, new, TOKENS_MAX, now).await? {
            Inserted::Done => Ok(token),
            Inserted::TooMany => Err(ServiceError::TooMany(
                "You have 20 tokens in this team, which is the most. Revoke one that is not needed.",
            )),
            Inserted::Gone => Err(ServiceError::NotFound),
        }
    }

    /// Revokes a token of the caller's team, whoever made it: one that has leaked can't wait for its maker.
    ///
    /// # Errors
    /// The caller is a viewer, it is none of the team's, or storing failed.
    pub async fn revoke(&self, caller: &Actor, token: &str) -> Result<(), ServiceError> {
        let member = caller.member()?;
        allow(member.role, Role::Editor)?;
        let found =
            plausible(token) && self.store.revoke_token(member.team, member.account, token, clock::now()).await?;
        if found { Ok(()) } else { Err(ServiceError::NotFound) }
    }

    /// Who holds a token.
    ///
    /// # Errors
    /// It is unknown, revoked or has ended, or reading failed.
    pub async fn holder(&self, token: &ApiToken) -> Result<Holder, ServiceError> {
        let now = clock::now();
        let holder = self.store.holder(token.hash(), now).await?.ok_or(ServiceError::NotLoggedIn)?;
        let hour = now - now % HOUR;
        if holder.last_used_at.is_none_or(|at| at < hour)
            && let Err(error) = self.store.touch_token(holder.token, hour).await
        {
            // who can't write can still read
            tracing::warn!(%error, "a token is not noted as in use");
        }
        Ok(holder)
    }
}

fn token_name(name: &str) -> Result<String, ServiceError> {
    checked_name(name).map_err(|error| match error {
        ServiceError::Invalid(problems) => {
            let mended = problems.into_iter().map(|problem| {
                FieldProblem::new("/name", &problem.code, problem.message.replace("A scenario", "A token"))
            });
            ServiceError::Invalid(mended.collect())
        }
        other => other,
    })
}
