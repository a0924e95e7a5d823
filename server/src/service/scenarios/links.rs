//! Share links: who may make and change them, and what they open.

use super::{Scenarios, stored_plan, tidy_name};
use crate::auth::secret::ShareToken;
use crate::id::{PublicId, plausible};
use crate::service::actor::Actor;
use crate::service::{ServiceError, clock};
use crate::store::links::{Link, LinkChange, LinkId, LinkKey, LinkKind, NewLink, Opened};
use crate::store::scenarios::Inserted;
use crate::store::teams::Role;
use engine::{FieldProblem, Plan};
use std::sync::Arc;

const LINKS_MAX: i64 = 50;
/// Longest label, characters.
const LABEL_MAX: usize = 80;
const DAY: i64 = 24 * 60 * 60 * 1000;
/// After how many days a link may end; `never` is the other choice.
const LIVES: [(&str, Option<i64>); 4] = [("7", Some(7)), ("30", Some(30)), ("90", Some(90)), ("never", None)];

/// What a new link is to be, as a form says it.
#[derive(Clone, Copy, Debug)]
pub struct LinkWish<'a> {
    /// `frozen`, `live` or `feed`; empty is frozen.
    pub kind: &'a str,
    /// What its owner calls it; may be empty.
    pub label: &'a str,
    /// `7`, `30`, `90` or `never`; empty is 30.
    pub days: &'a str,
}

/// How a link stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// It opens.
    Active,
    /// It opens again when it is resumed.
    Paused,
    /// Its time is over.
    Expired,
    /// It does not open any more.
    Revoked,
}

/// How a link stands at a time.
pub fn state(link: &Link, now: i64) -> LinkState {
    match link {
        _ if link.revoked_at.is_some() => LinkState::Revoked,
        _ if link.expires_at.is_some_and(|end| end <= now) => LinkState::Expired,
        _ if link.paused_at.is_some() => LinkState::Paused,
        _ => LinkState::Active,
    }
}

/// Whether someone who opens a link is a reader to be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewing {
    /// Someone who reads it.
    Reader,
    /// A program that previews it, or the next look of the same reader.
    Uncounted,
}

/// What a share link shows.
#[derive(Debug)]
pub struct Shared {
    /// What kind of link it is.
    pub kind: LinkKind,
    /// Name of the scenario, as it was or is.
    pub name: String,
    /// From when the plan is, milliseconds since 1970: when it was made, or when the scenario was last changed.
    pub as_of: i64,
    /// Names the picture of the link.
    pub card: String,
    /// Changes when what is shown does.
    pub version: i64,
    /// The plan.
    pub plan: Plan,
}

/// What a feed gives: the current plan of a scenario.
#[derive(Debug)]
pub struct Feed {
    /// The link, to be counted once it has answered.
    pub link: LinkId,
    /// Name of the scenario.
    pub name: String,
    /// When the scenario was last changed, milliseconds since 1970.
    pub as_of: i64,
    /// Number of the scenario's current version.
    pub number: i64,
    /// Counts the changes of the scenario: with the engine and catalog of the plan, what an `ETag` is made of.
    pub version: i64,
    /// The plan.
    pub plan: Plan,
}

/// A link that was made.
#[derive(Debug)]
pub struct MadeLink {
    /// Its public id.
    pub id: PublicId,
    /// Its token, which is not kept.
    pub token: ShareToken,
    /// What it opens.
    pub kind: LinkKind,
}

impl Scenarios {
    /// The links of one of the caller's scenarios, newest first.
    ///
    /// # Errors
    /// It is not the caller's, or reading failed.
    pub async fn links(&self, caller: &Actor, id: &str) -> Result<Vec<Link>, ServiceError> {
        let scenario = self.owned(caller, id, Role::Viewer).await?;
        Ok(self.store.links(scenario.id).await?)
    }

    /// A link of one of the caller's scenarios, and the public id of that.
    ///
    /// # Errors
    /// It is not the caller's, or reading failed.
    pub async fn link(&self, caller: &Actor, link: &str) -> Result<(Link, String), ServiceError> {
        let found = if plausible(link) { self.store.link(link).await? } else { None };
        let found = found.ok_or(ServiceError::NotFound)?;
        self.check(caller, found.owner_id, Role::Viewer).await?;
        Ok((found.link, found.scenario))
    }

    /// Makes a share link to one of the caller's scenarios. The token is not kept and can't be shown again.
    ///
    /// # Errors
    /// It is not the caller's, the wish can't be read, there are too many, or storing failed.
    pub async fn create_link(
        &self,
        caller: &Actor,
        id: &str,
        wish: LinkWish<'_>,
    ) -> Result<(ShareToken, LinkKind), ServiceError> {
        self.make_link(caller, id, wish).await.map(|made| (made.token, made.kind))
    }

    /// The same, with its public id.
    ///
    /// # Errors
    /// As [`Self::create_link`].
    pub async fn make_link(&self, caller: &Actor, id: &str, wish: LinkWish<'_>) -> Result<MadeLink, ServiceError> {
        let scenario = self.owned(caller, id, Role::Editor).await?;
        let (kind, label, life) = read(wish)?;
        let (token, now) = (ShareToken::random()?, clock::now());
        let link = NewLink {
            public_id: PublicId::random()?,
            token: token.hash(),
            card: PublicId::random()?,
            kind,
            label,
            expires_at: life.map(|days| now + days * DAY),
        };
        match self.store.insert_link(scenario.id, &link, caller.account(), LINKS_MAX, now).await? {
            Inserted::Done => Ok(MadeLink { id: link.public_id, token, kind }),
            Inserted::TooMany => Err(ServiceError::TooMany(
                "This scenario has 50 share links, which is the most. Save it again to share it further.",
            )),
            Inserted::Gone => Err(ServiceError::NotFound),
        }
    }

    /// Pauses, resumes or revokes a link of one of the caller's scenarios. Revoking is for good, and again is no fault.
    ///
    /// # Errors
    /// It is not the caller's, it is revoked, or storing failed.
    pub async fn change_link(&self, caller: &Actor, link: &str, change: LinkChange) -> Result<(), ServiceError> {
        let (id, _) = self.owned_link(caller, link).await?;
        let done = self.store.change_link(id, change, caller.account(), clock::now()).await?;
        if done { Ok(()) } else { Err(REVOKED) }
    }

    /// Gives a link of one of the caller's scenarios another token: the old one opens nothing from then on, the new one
    /// is not kept and can't be shown again.
    ///
    /// # Errors
    /// It is not the caller's, it is revoked, or storing failed.
    pub async fn rotate_link(&self, caller: &Actor, link: &str) -> Result<(ShareToken, LinkKind), ServiceError> {
        let (id, kind) = self.owned_link(caller, link).await?;
        let (token, card) = (ShareToken::random()?, PublicId::random()?);
        let done = self.store.rotate_link(id, token.hash(), &card, caller.account(), clock::now()).await?;
        if done { Ok((token, kind)) } else { Err(REVOKED) }
    }

    /// The plan behind a share link.
    ///
    /// # Errors
    /// It is unknown, of a feed, expired, paused or revoked, which nobody can tell apart; or reading failed.
    pub async fn open(&self, token: &str, viewing: Viewing) -> Result<Shared, ServiceError> {
        let token = ShareToken::parse(token).ok_or(ServiceError::NotFound)?;
        let opened = self.opened(LinkKey::Page(token.hash())).await?;
        let id = opened.id;
        let shared = shared(opened)?;
        if viewing == Viewing::Reader {
            self.count(id).await;
        }
        Ok(shared)
    }

    /// The plan behind a share link, and the one that the same inputs have with today's catalog.
    ///
    /// # Errors
    /// As [`Self::open`], or computing failed.
    pub async fn open_today(&self, token: &str) -> Result<(Shared, Arc<Plan>), ServiceError> {
        let shared = self.open(token, Viewing::Uncounted).await?;
        let today = self.planning.plan(shared.plan.request.clone()).await?;
        Ok((shared, today))
    }

    /// What the picture of a share link shows.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub async fn open_card(&self, card: &str) -> Result<Shared, ServiceError> {
        if !plausible(card) {
            return Err(ServiceError::NotFound);
        }
        shared(self.opened(LinkKey::Card(card)).await?)
    }

    /// The current plan of the scenario behind a feed.
    ///
    /// # Errors
    /// It is unknown, of a page, expired, paused or revoked, which nobody can tell apart; or reading failed.
    pub async fn open_feed(&self, token: &str) -> Result<Feed, ServiceError> {
        let token = ShareToken::parse(token).ok_or(ServiceError::NotFound)?;
        let Opened { id, name, as_of, number, version, plan, .. } = self.opened(LinkKey::Feed(token.hash())).await?;
        Ok(Feed { link: id, name, as_of, number, version, plan: stored_plan(&plan)? })
    }

    /// Counts that a feed has given what it was asked for; what was asked for in vain is no opening.
    pub async fn count_feed(&self, link: LinkId) {
        self.count(link).await;
    }

    async fn opened(&self, key: LinkKey<'_>) -> Result<Opened, ServiceError> {
        self.store.open_link(key, clock::now()).await?.ok_or(ServiceError::NotFound)
    }

    async fn count(&self, link: LinkId) {
        // a reader gets the plan even when the disk is full: a view that is not counted is no loss
        if let Err(error) = self.store.count_view(link, clock::now()).await {
            tracing::warn!(%error, "a view was not counted");
        }
    }

    async fn owned_link(&self, caller: &Actor, link: &str) -> Result<(LinkId, LinkKind), ServiceError> {
        let found = if plausible(link) { self.store.link_owner(link).await? } else { None };
        let found = found.ok_or(ServiceError::NotFound)?;
        self.check(caller, found.owner_id, Role::Editor).await?;
        Ok((found.id, found.kind))
    }
}

const REVOKED: ServiceError = ServiceError::Forbidden("A revoked link stays revoked. Create a new one.");

fn shared(opened: Opened) -> Result<Shared, ServiceError> {
    let Opened { kind, name, as_of, card_id, version, plan, .. } = opened;
    Ok(Shared { kind, name, as_of, card: card_id, version, plan: stored_plan(&plan)? })
}

/// Kind, label and days of a wish.
fn read(wish: LinkWish<'_>) -> Result<(LinkKind, String, Option<i64>), ServiceError> {
    let mut problems = Vec::new();
    let mut wrong =
        |pointer: &str, code: &str, message: String| problems.push(FieldProblem::new(pointer, code, message));
    let kind = if wish.kind.is_empty() { Some(LinkKind::Frozen) } else { LinkKind::parse(wish.kind) };
    if kind.is_none() {
        wrong("/kind", "unknown_id", "Choose frozen, live or feed as the kind of the link.".into());
    }
    let days = if wish.days.is_empty() { "30" } else { wish.days };
    let life = LIVES.iter().find(|(name, _)| *name == days).map(|(_, days)| *days);
    if life.is_none() {
        wrong("/days", "unknown_id", "Choose 7, 30 or 90 days or never for when the link ends.".into());
    }
    let label = tidy_name(wish.label);
    let length = label.chars().count();
    if length > LABEL_MAX {
        wrong("/label", "too_long", format!("The label has {length} characters; use at most {LABEL_MAX}."));
    }
    match (kind, life) {
        (Some(kind), Some(life)) if problems.is_empty() => Ok((kind, label, life)),
        _ => Err(ServiceError::Invalid(problems)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read_with_their_defaults_and_every_mistake_is_named() {
        let wish = |kind, label, days| read(LinkWish { kind, label, days });
        assert!(matches!(wish("", "", ""), Ok((LinkKind::Frozen, label, Some(30))) if label.is_empty()));
        let read = wish("feed", " for\r\nthe board\u{202e} ", "never").expect("reads");
        assert_eq!(read, (LinkKind::Feed, "for the board".to_owned(), None));
        let Err(ServiceError::Invalid(problems)) = wish("open", &"ä".repeat(81), "31") else {
            unreachable!("three mistakes")
        };
        let pointers: Vec<&str> = problems.iter().map(|problem| problem.pointer.as_str()).collect();
        assert_eq!(pointers, ["/kind", "/days", "/label"]);
    }

    #[test]
    fn a_link_is_in_the_state_that_decides() {
        let link = |expires_at, paused_at, revoked_at| Link {
            public_id: String::new(),
            kind: LinkKind::Live,
            label: String::new(),
            views: 0,
            last_view_at: None,
            expires_at,
            paused_at,
            revoked_at,
            created_at: 1,
        };
        for (link, expected) in [
            (link(None, None, None), LinkState::Active),
            (link(Some(101), None, None), LinkState::Active),
            (link(Some(100), None, None), LinkState::Expired),
            (link(Some(100), Some(5), None), LinkState::Expired),
            (link(Some(101), Some(5), None), LinkState::Paused),
            (link(Some(100), Some(5), Some(6)), LinkState::Revoked),
        ] {
            assert_eq!(state(&link, 100), expected, "{link:?}");
        }
    }
}
