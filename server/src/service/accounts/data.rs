//! One's own data: taking it along as JSON, and deleting it.

use super::{Accounts, invalid};
use crate::auth::password::{Password, Verdict};
use crate::service::actor::Actor;
use crate::service::{ServiceError, clock};
use crate::store::data::Deletion;
use serde_json::{Value, json};

impl Accounts {
    /// All that the caller has, and may see in the teams that the caller is in.
    ///
    /// # Errors
    /// Nobody is logged in, or reading failed.
    pub async fn export(&self, caller: &Actor) -> Result<Value, ServiceError> {
        let (member, sessions) = self.sessions(caller).await?;
        let kept = self.store.kept(member.account).await?;
        let sessions = sessions.into_iter().map(|session| {
            json!({
                "browser": session.user_agent,
                "created_at": clock::iso(session.created_at),
                "last_seen_at": clock::iso(session.last_seen_at),
            })
        });
        let teams = kept.teams.into_iter().map(|team| {
            json!({ "id": team.public_id, "name": team.name, "role": team.role, "joined_at": clock::iso(team.joined_at) })
        });
        let quotes = kept.quotes.into_iter().map(|quote| {
            json!({
                "team": quote.team,
                "key": quote.key,
                "version": quote.version,
                "value": quote.value,
                "supplier": quote.supplier,
                "valid_until": quote.valid_until,
                "note": quote.note,
                "changed_at": clock::iso(quote.at),
                "changed_by_you": quote.own,
            })
        });
        let invitations = kept.invitations.into_iter().map(|invitation| {
            json!({
                "team": invitation.team,
                "role": invitation.role,
                "created_at": clock::iso(invitation.created_at),
                "expires_at": clock::iso(invitation.expires_at),
            })
        });
        let mut scenarios = Vec::with_capacity(kept.scenarios.len());
        for scenario in kept.scenarios {
            let request: Value = serde_json::from_str(&scenario.request).map_err(ServiceError::Unreadable)?;
            let mut versions = Vec::new();
            for version in kept.versions.iter().filter(|version| version.scenario == scenario.public_id) {
                let request: Value = serde_json::from_str(&version.request).map_err(ServiceError::Unreadable)?;
                versions.push(json!({
                    "number": version.number,
                    "headline": version.headline,
                    "query": version.query,
                    "request": request,
                    "engine_version": version.engine_version,
                    "catalog_version": version.catalog_version,
                    "reason": version.reason,
                    "saved_at": clock::iso(version.saved_at),
                }));
            }
            let links = kept.links.iter().filter(|link| link.scenario == scenario.public_id).map(|link| {
                json!({
                    "id": link.public_id,
                    "kind": link.kind,
                    "label": link.label,
                    "views": link.views,
                    "last_view_at": link.last_view_at.map(clock::iso),
                    "expires_at": link.expires_at.map(clock::iso),
                    "paused_at": link.paused_at.map(clock::iso),
                    "revoked_at": link.revoked_at.map(clock::iso),
                    "created_at": clock::iso(link.created_at),
                })
            });
            scenarios.push(json!({
                "id": scenario.public_id,
                "team": scenario.team,
                "name": scenario.name,
                "headline": scenario.headline,
                "query": scenario.query,
                "request": request,
                "engine_version": scenario.engine_version,
                "catalog_version": scenario.catalog_version,
                "notes": scenario.notes,
                "tags": scenario.tags.0,
                "archived_at": scenario.archived_at.map(clock::iso),
                "version": scenario.number,
                "versions": versions,
                "links": links.collect::<Vec<_>>(),
                "created_at": clock::iso(scenario.created_at),
                "updated_at": clock::iso(scenario.updated_at),
            }));
        }
        let done = kept.done.into_iter().map(|deed| {
            json!({ "team": deed.team, "at": clock::iso(deed.at), "action": deed.action, "object": deed.object })
        });
        let tokens = kept.tokens.into_iter().map(|token| {
            json!({
                "team": token.team,
                "name": token.name,
                "scope": token.scope,
                "created_at": clock::iso(token.created_at),
                "expires_at": clock::iso(token.expires_at),
                "last_used_at": token.last_used_at.map(clock::iso),
            })
        });
        Ok(json!({
            "email": member.email,
            "created_at": clock::iso(kept.created_at),
            "sessions": sessions.collect::<Vec<_>>(),
            "teams": teams.collect::<Vec<_>>(),
            "scenarios": scenarios,
            "done": done.collect::<Vec<_>>(),
            "tokens": tokens.collect::<Vec<_>>(),
            "price_book": quotes.collect::<Vec<_>>(),
            "invitations": invitations.collect::<Vec<_>>(),
        }))
    }

    /// Deletes the account of the caller, who has to know the password, with all that nobody else is in.
    ///
    /// # Errors
    /// The password is wrong, a team would be without an owner, or storing failed.
    pub async fn delete(&self, caller: &Actor, password: &str) -> Result<(), ServiceError> {
        let member = caller.member()?;
        let account = self.store.account(member.account).await?.ok_or(ServiceError::NotLoggedIn)?;
        let kept = account.password_hash.as_deref();
        if self.passwords.compare(Password::typed(password), kept).await? == Verdict::Wrong {
            return Err(invalid("/delete_password", "wrong", "This is not your password."));
        }
        match self.store.delete_account(account.id).await? {
            Deletion::Done => Ok(()),
            Deletion::LastOwner(team) => Err(invalid(
                "/delete_password",
                "last_owner",
                format!(
                    "“{team}” has other members and no other owner. Make one of them an owner, or remove them, then try again."
                ),
            )),
        }
    }
}
