//! Share links, as pages and forms need them.

use super::RequestBackend;
use crate::service::clock;
use crate::service::scenarios::links::{self, LinkWish, Shared};
use crate::store::links::{Link, LinkChange};
use app::backend::UiError;
use app::backend::links::{LinkBackend, LinkState, LinkSummary, NewLink, SharedPlan};
use engine::Plan;
use std::sync::Arc;

const DAY: i64 = 24 * 60 * 60 * 1000;

impl RequestBackend {
    async fn change_link(&self, link: &str, change: LinkChange) -> Result<(), UiError> {
        let changed = self.state.scenarios.change_link(self.actor().await?, link, change).await;
        changed.map_err(|error| self.failed(error))
    }

    fn shown(&self, shared: Shared) -> SharedPlan {
        SharedPlan {
            kind: shared.kind.name().to_owned(),
            name: shared.name,
            as_of: clock::iso(shared.as_of),
            picture: format!("{}/cards/{}.png", self.state.config.public_url.trim_end_matches('/'), shared.card),
            plan: shared.plan,
        }
    }
}

#[async_trait::async_trait]
impl LinkBackend for RequestBackend {
    async fn create_link(
        &self,
        scenario: String,
        kind: String,
        label: String,
        days: String,
    ) -> Result<NewLink, UiError> {
        let wish = LinkWish { kind: &kind, label: &label, days: &days };
        let made = self.state.scenarios.create_link(self.actor().await?, &scenario, wish).await;
        let (token, kind) = made.map_err(|error| self.failed(error))?;
        Ok(NewLink { token: token.expose().to_owned(), kind: kind.name().to_owned() })
    }

    async fn pause_link(&self, link: String) -> Result<(), UiError> {
        self.change_link(&link, LinkChange::Pause).await
    }

    async fn resume_link(&self, link: String) -> Result<(), UiError> {
        self.change_link(&link, LinkChange::Resume).await
    }

    async fn revoke_link(&self, link: String) -> Result<(), UiError> {
        self.change_link(&link, LinkChange::Revoke).await
    }

    async fn rotate_link(&self, link: String) -> Result<NewLink, UiError> {
        let rotated = self.state.scenarios.rotate_link(self.actor().await?, &link).await;
        let (token, kind) = rotated.map_err(|error| self.failed(error))?;
        Ok(NewLink { token: token.expose().to_owned(), kind: kind.name().to_owned() })
    }

    async fn shared(&self, token: String) -> Result<SharedPlan, UiError> {
        let shared = self.state.scenarios.open(&token, self.viewing).await.map_err(|error| self.failed(error))?;
        Ok(self.shown(shared))
    }

    async fn shared_today(&self, token: String) -> Result<(SharedPlan, Arc<Plan>), UiError> {
        let opened = self.state.scenarios.open_today(&token).await;
        let (shared, today) = opened.map_err(|error| self.failed(error))?;
        Ok((self.shown(shared), today))
    }
}

/// The links of a scenario, as they stand now.
pub(super) fn summaries(links: Vec<Link>) -> Vec<LinkSummary> {
    let now = clock::now();
    links.into_iter().map(|link| summary(link, now)).collect()
}

fn summary(link: Link, now: i64) -> LinkSummary {
    let state = match links::state(&link, now) {
        links::LinkState::Active => LinkState::Active,
        links::LinkState::Paused => LinkState::Paused,
        links::LinkState::Expired => LinkState::Expired,
        links::LinkState::Revoked => LinkState::Revoked,
    };
    LinkSummary {
        state,
        id: link.public_id,
        kind: link.kind.name().to_owned(),
        label: link.label,
        created_at: clock::iso(link.created_at),
        views: u64::try_from(link.views).unwrap_or(0),
        last_view_at: link.last_view_at.map(clock::iso),
        expires_at: link.expires_at.map(clock::iso),
        // a link that ends in an hour ends in a day
        days_left: link.expires_at.map(|end| u64::try_from((end - now + DAY - 1).div_euclid(DAY)).unwrap_or(0)),
    }
}
