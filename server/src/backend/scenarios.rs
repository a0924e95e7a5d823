//! Scenarios with a history, as pages and forms need them.

use super::{RequestBackend, summary};
use crate::service::actor::Actor;
use crate::service::scenarios::{Asked, Edit, Listing, Reason, Search, VersionDetail};
use crate::service::{ServiceError, clock};
use crate::store::teams::Role;
use crate::store::versions::{Expected, Stamp, Version};
use app::backend::prices::Prices;
use app::backend::scenarios::{
    AgainView, Archiving, DifferenceView, ListSearch, Saving, SavingVersion, ScenarioBackend, ScenarioList,
    VersionSummary, VersionView,
};
use app::backend::{ScenarioSummary, UiError};
use app::inputs::Origin;
use engine::{Plan, PlanRequest};

#[async_trait::async_trait]
impl ScenarioBackend for RequestBackend {
    async fn list(&self, search: ListSearch) -> Result<ScenarioList, UiError> {
        self.said(self.state.scenarios.list(self.actor().await?, &Search::whole(search)).await).map(found)
    }

    async fn saving(&self, origin: Option<Origin>) -> Saving {
        // the plan is shown even when nobody can say who asks
        let Ok(actor) = self.known().await else { return Saving::default() };
        let viewer_of = match actor {
            Actor::Member(member) if member.role < Role::Editor => Some(member.team_name.clone()),
            _ => None,
        };
        let version = match origin {
            Some(origin) => {
                self.state.scenarios.glance(actor, &origin.scenario).await.ok().and_then(|(scenario, role)| {
                    (role >= Role::Editor).then(|| SavingVersion {
                        base: i64::from(origin.version),
                        current: scenario.number,
                        name: scenario.name,
                        scenario: scenario.public_id,
                    })
                })
            }
            None => None,
        };
        Saving { version, viewer_of }
    }

    async fn version(&self, id: String, number: Option<i64>) -> Result<VersionView, UiError> {
        let actor = self.actor().await?;
        let number = match number {
            Some(number) => number,
            None => self.said(self.state.scenarios.glance(actor, &id).await)?.0.number,
        };
        Ok(view(self.said(self.state.scenarios.version(actor, &id, number).await)?))
    }

    async fn difference(&self, id: String, from: i64, to: i64) -> Result<DifferenceView, UiError> {
        let found = self.said(self.state.scenarios.difference(self.actor().await?, &id, from, to).await)?;
        Ok(DifferenceView { from: view(found.from), to: view(found.to), comparison: found.comparison })
    }

    async fn again(&self, id: String) -> Result<AgainView, UiError> {
        let found = self.said(self.state.scenarios.again(self.actor().await?, &id).await)?;
        Ok(AgainView {
            scenario: summary(found.scenario),
            today: found.today,
            comparison: found.comparison,
            may_change: found.role >= Role::Editor,
        })
    }

    async fn compared(&self, ids: Vec<String>) -> Result<Vec<(ScenarioSummary, Plan)>, UiError> {
        let found = self.said(self.state.scenarios.compared(self.actor().await?, &ids).await)?;
        Ok(found.into_iter().map(|(scenario, plan)| (summary(scenario), plan)).collect())
    }

    async fn save_version(
        &self,
        id: String,
        base: Option<i64>,
        request: PlanRequest,
        prices: Prices,
    ) -> Result<i64, UiError> {
        let actor = self.actor().await?;
        let asked = Asked { request, prices };
        let saved = self.state.scenarios.save_version(actor, &id, asked, Reason::Saved, since(base)).await;
        self.number(saved)
    }

    async fn keep_again(&self, id: String, base: Option<i64>) -> Result<i64, UiError> {
        let kept = self.state.scenarios.keep_again(self.actor().await?, &id, since(base)).await;
        self.number(kept)
    }

    async fn restore_version(&self, id: String, number: i64) -> Result<i64, UiError> {
        // nothing is lost by it, whatever others did meanwhile
        let restored = self.state.scenarios.restore(self.actor().await?, &id, number, Expected::default()).await;
        self.number(restored)
    }

    async fn rename(&self, id: String, name: String, edition: Option<i64>) -> Result<(), UiError> {
        self.edit(&id, Edit { name: Some(name), ..Edit::default() }, edition).await
    }

    async fn describe(
        &self,
        id: String,
        notes: String,
        tags: Vec<String>,
        edition: Option<i64>,
    ) -> Result<(), UiError> {
        self.edit(&id, Edit { notes: Some(notes), tags: Some(tags), ..Edit::default() }, edition).await
    }

    async fn archive(&self, id: String, archiving: Archiving) -> Result<(), UiError> {
        let archived = Some(archiving == Archiving::PutAway);
        self.edit(&id, Edit { archived, ..Edit::default() }, None).await
    }

    async fn duplicate(&self, id: String) -> Result<String, UiError> {
        let copy = self.said(self.state.scenarios.duplicate(self.actor().await?, &id).await)?;
        Ok(copy.into_string())
    }
}

impl RequestBackend {
    fn said<T>(&self, outcome: Result<T, ServiceError>) -> Result<T, UiError> {
        outcome.map_err(|error| self.failed(error))
    }

    fn number(&self, outcome: Result<Stamp, ServiceError>) -> Result<i64, UiError> {
        self.said(outcome).map(|stamp| stamp.number)
    }

    async fn edit(&self, id: &str, edit: Edit, edition: Option<i64>) -> Result<(), UiError> {
        let expected = Expected { number: None, edition };
        self.said(self.state.scenarios.edit(self.actor().await?, id, edit, expected).await).map(drop)
    }
}

/// Nothing may have been saved since this version.
fn since(base: Option<i64>) -> Expected {
    Expected { number: base, edition: None }
}

/// What a search found, as pages have it.
pub(crate) fn found(found: Listing) -> ScenarioList {
    ScenarioList { scenarios: found.scenarios.into_iter().map(summary).collect(), all: found.all, tags: found.tags }
}

fn view(found: VersionDetail) -> VersionView {
    VersionView {
        scenario: summary(found.scenario),
        version: version(found.version),
        plan: found.plan,
        may_change: found.role >= Role::Editor,
    }
}

pub(super) fn version(version: Version) -> VersionSummary {
    let who = match (version.who, version.author.as_str()) {
        (Some(email), _) => email,
        (None, "account") => "Someone whose account is deleted".to_owned(),
        (None, "browser") => "A browser without an account".to_owned(),
        (None, _) => "Not recorded".to_owned(),
    };
    VersionSummary {
        number: version.number,
        headline: version.headline,
        query: version.query,
        engine_version: version.engine_version,
        catalog_version: version.catalog_version,
        frozen_at: clock::iso(version.frozen_at),
        saved_at: clock::iso(version.saved_at),
        who,
        reason: version.reason,
    }
}
