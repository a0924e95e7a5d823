//! Scenarios and share links: who may, then the store.
//!
//! What belongs to someone else does not exist for a caller. A share link opens for anyone who holds it; one that does
//! not open looks the same whatever the reason.

pub mod links;

mod changes;
mod listing;
mod looking;

pub use app::backend::scenarios::Shelf;
pub use changes::{Edit, Reason};
pub use listing::{Listing, Search};
pub use looking::{Again, Difference, VersionDetail};

use super::actor::{Actor, allow};
use super::planning::Planning;
use super::price_books::PriceBooks;
use super::{ServiceError, clock};
use crate::auth::secret::OwnerToken;
use crate::id::{PublicId, plausible};
use crate::store::Store;
use crate::store::links::Link;
use crate::store::scenarios::{Inserted, Keeper, NewScenario, OwnerId, Scenario};
use crate::store::sessions::SessionId;
use crate::store::teams::Role;
use crate::store::versions::{Content, Version};
use app::backend::prices::Prices;
use app::inputs::Inputs;
use engine::request::{plan_request_from_pairs, plan_request_to_pairs};
use engine::{FieldProblem, Plan, PlanRequest, Problem};
use std::sync::Arc;

/// Longest name, characters.
pub const NAME_MAX: usize = 120;
const SCENARIOS_MAX: i64 = 500;
const TOO_MANY: &str = "You have 500 scenarios, which is the most. Delete one that you no longer need.";

/// A scenario that was saved.
#[derive(Debug)]
pub struct Saved {
    /// Its public id.
    pub id: PublicId,
    /// The token that owns it, the browser's or a new one; none when a team owns it.
    pub owner: Option<OwnerToken>,
}

/// A scenario with what belongs to it.
#[derive(Debug)]
pub struct Detailed {
    /// The scenario.
    pub scenario: Scenario,
    /// Its plan as it was when saved.
    pub plan: Plan,
    /// Its links, newest first.
    pub links: Vec<Link>,
    /// Its versions, newest first.
    pub versions: Vec<Version>,
    /// What the caller may do with it.
    pub role: Role,
}

/// What is planned for: the inputs, and which prices.
#[derive(Debug)]
pub struct Asked {
    /// The inputs.
    pub request: PlanRequest,
    /// With the quotes of the team, or without.
    pub prices: Prices,
}

impl Asked {
    /// As the address of the planner has it. Quotes of a price book are no inputs: a copy is planned with those that hold
    /// then.
    fn query(&self) -> String {
        match self.prices {
            Prices::Team => query_of(&self.request),
            Prices::Catalog => format!("{}&{}={}", query_of(&self.request), Inputs::PRICE_BOOK, Inputs::WITHOUT),
        }
    }

    /// Of an address that was kept. It may name what a newer catalog no longer has.
    fn of_query(query: &str) -> Result<Self, ServiceError> {
        let pairs = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| !key.starts_with('_'));
        let request = plan_request_from_pairs(pairs).map_err(|Problem { errors, .. }| ServiceError::Invalid(errors))?;
        Ok(Self { request, prices: Inputs::from_query(query).prices() })
    }
}

/// The scenario service.
#[derive(Clone, Debug)]
pub struct Scenarios {
    store: Store,
    planning: Planning,
    price_books: PriceBooks,
}

impl Scenarios {
    /// Over a store, with plans from a planning service.
    pub fn new(store: Store, planning: Planning) -> Self {
        Self { price_books: PriceBooks::new(store.clone()), store, planning }
    }

    /// Saves a scenario with its plan. Without a name it gets one from its inputs.
    ///
    /// # Errors
    /// The name can't be used, there are too many, or computing or storing failed.
    pub async fn save(
        &self,
        caller: &Actor,
        name: &str,
        request: PlanRequest,
        prices: Prices,
    ) -> Result<Saved, ServiceError> {
        let name = match tidy_name(name).as_str() {
            "" => app::components::scenario_name(&request).chars().take(NAME_MAX).collect(),
            _ => checked_name(name)?,
        };
        let (keeper, owner) = self.keeper(caller).await?;
        let asked = Asked { request, prices };
        let query = asked.query();
        let plan = self.plan_for(caller, asked).await?;
        let id = PublicId::random()?;
        let scenario = NewScenario { public_id: id.clone(), name, content: content(&plan, query)? };
        match self.store.insert_scenario(keeper, &scenario, caller.account(), SCENARIOS_MAX, clock::now()).await? {
            Inserted::Done => Ok(Saved { id, owner }),
            Inserted::TooMany => Err(ServiceError::TooMany(TOO_MANY)),
            Inserted::Gone => Err(ServiceError::NotFound),
        }
    }

    /// The plan of a request for a caller: with the price book of the team, as the planner shows it.
    async fn plan_for(&self, caller: &Actor, asked: Asked) -> Result<Arc<Plan>, ServiceError> {
        let priced = self.price_books.priced(caller, asked.request, asked.prices).await?;
        self.planning.plan(priced.request).await
    }

    /// One of the caller's scenarios with plan and links.
    ///
    /// # Errors
    /// It is not the caller's, or reading failed.
    pub async fn get(&self, caller: &Actor, id: &str) -> Result<Detailed, ServiceError> {
        let (scenario, role) = self.found(caller, id, Role::Viewer).await?;
        let plan = self.plan_of(&scenario, scenario.number).await?;
        let links = self.store.links(scenario.id).await?;
        let versions = self.store.versions(scenario.id).await?;
        Ok(Detailed { plan, links, versions, scenario, role })
    }

    /// Deletes one of the caller's scenarios; its links open no longer.
    ///
    /// # Errors
    /// It is not the caller's, or storing failed.
    pub async fn delete(&self, caller: &Actor, id: &str) -> Result<(), ServiceError> {
        let scenario = self.owned(caller, id, Role::Editor).await?;
        let done = self.store.delete_scenario(scenario.id, caller.account(), clock::now()).await?;
        if done { Ok(()) } else { Err(ServiceError::NotFound) }
    }

    /// Who is to own what a caller saves. A browser without a known token becomes a new owner: a token that it brought
    /// and we do not know is never made valid.
    async fn keeper(&self, caller: &Actor) -> Result<(Keeper, Option<OwnerToken>), ServiceError> {
        let token = match caller {
            Actor::Member(member) => {
                allow(member.role, Role::Editor)?;
                return Ok((Keeper::Team(member.owner), None));
            }
            Actor::Browser(Some(token)) if self.store.owner(token.hash()).await?.is_some() => token.clone(),
            Actor::Browser(_) => OwnerToken::random()?,
        };
        Ok((Keeper::Browser(token.hash()), Some(token)))
    }

    async fn owned(&self, caller: &Actor, id: &str, least: Role) -> Result<Scenario, ServiceError> {
        Ok(self.found(caller, id, least).await?.0)
    }

    async fn found(&self, caller: &Actor, id: &str, least: Role) -> Result<(Scenario, Role), ServiceError> {
        let found = if plausible(id) { self.store.scenario(id).await? } else { None };
        let found = found.ok_or(ServiceError::NotFound)?;
        let role = self.check(caller, found.owner_id, least).await?;
        Ok((found, role))
    }

    /// The plan of a version.
    async fn plan_of(&self, scenario: &Scenario, number: i64) -> Result<Plan, ServiceError> {
        let text = self.store.version_plan(scenario.id, number).await?.ok_or(ServiceError::NotFound)?;
        stored_plan(&text)
    }

    /// What a caller may do with the scenarios of an owner. Someone else's do not exist; those of any team of the caller
    /// do, whichever team the caller works in.
    async fn check(&self, caller: &Actor, owner: OwnerId, least: Role) -> Result<Role, ServiceError> {
        match caller {
            // a token is for one team, and for no more than its scope
            Actor::Member(member) if member.session == SessionId::NONE => {
                let role = if owner == member.owner { member.role } else { return Err(ServiceError::NotFound) };
                allow(role, least).map(|()| role)
            }
            Actor::Member(member) => {
                let role = self.store.role_over(owner, member.account).await?.ok_or(ServiceError::NotFound)?;
                allow(role, least).map(|()| role)
            }
            Actor::Browser(Some(token)) if self.store.owner(token.hash()).await? == Some(owner) => Ok(Role::Owner),
            Actor::Browser(_) => Err(ServiceError::NotFound),
        }
    }
}

/// A name without what would spoil the line that it stands in: line breaks and other white space become one space each,
/// control characters and those that turn the direction of writing are left out.
pub(super) fn tidy_name(name: &str) -> String {
    let kept: String = name.chars().filter(|c| c.is_whitespace() || is_text(*c)).collect();
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Neither a control character nor one that turns the direction of writing.
fn is_text(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !(c.is_control() || turns)
}

/// A name as it is kept: tidy, 1 to 120 characters.
pub(super) fn checked_name(name: &str) -> Result<String, ServiceError> {
    let kept = tidy_name(name);
    let (code, message) = match kept.chars().count() {
        0 => ("required", format!("A scenario needs a name of 1 to {NAME_MAX} characters. Type one and try again.")),
        1..=NAME_MAX => return Ok(kept),
        length => ("too_long", format!("The name has {length} characters; use at most {NAME_MAX}.")),
    };
    Err(ServiceError::Invalid(vec![FieldProblem::new("/name", code, message)]))
}

/// A plan with its inputs, as a version keeps them.
fn content(plan: &Plan, query: String) -> Result<Content, ServiceError> {
    let shown = plan.shown();
    Ok(Content {
        cost_usd: shown.and_then(|tier| tier.cost.as_ref()).map(|cost| cost.total_usd.typical),
        days: shown.and_then(|tier| tier.days).map(|days| days.typical),
        headline: plan.headline.clone(),
        query,
        request: json(&plan.request)?,
        plan: json(plan)?,
        engine_version: plan.engine_version.clone(),
        catalog_version: plan.catalog_version.clone(),
    })
}

/// The inputs as the address of the planner has them.
fn query_of(request: &PlanRequest) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(plan_request_to_pairs(request)).finish()
}

fn json<T: serde::Serialize>(value: &T) -> Result<String, ServiceError> {
    serde_json::to_string(value).map_err(|error| ServiceError::Internal(error.to_string()))
}

fn stored_plan(text: &str) -> Result<Plan, ServiceError> {
    serde_json::from_str(text).map_err(ServiceError::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_are_tidy_and_bounded() {
        for (given, kept) in [
            ("  Run 1\n ", "Run 1"),
            ("two\r\nlines\tand\u{2028}more", "two lines and more"),
            ("\u{202e}gpj.exe\u{202c}\u{2066}x\u{2069}", "gpj.exex"),
            ("a\u{0}b\u{1b}[31mc\u{7f}\u{9b}", "ab[31mc"),
            ("خطة", "خطة"),
            ("👩‍💻 plan", "👩‍💻 plan"),
        ] {
            assert_eq!(checked_name(given).ok().as_deref(), Some(kept), "{given:?}");
        }
        assert_eq!(checked_name(&"ü".repeat(120)).ok().map(|n| n.chars().count()), Some(120));
        for bad in ["", " \t\u{0}", "\u{202e}\u{200f}", &"a".repeat(121)] {
            assert!(matches!(checked_name(bad), Err(ServiceError::Invalid(_))), "{bad:?}");
        }
    }

    fn assert_query_reads_back(body: &serde_json::Value) {
        let request = PlanRequest::parse(body, engine::request::Form::Json).expect("a request");
        let query = query_of(&request);
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        assert_eq!(engine::request::plan_request_from_pairs(pairs).as_ref(), Ok(&request), "{query}");
    }

    #[test]
    fn the_saved_query_opens_the_same_plan() {
        let dense = json!({ "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "ffn": 14336, "vocab": 32000 });
        let mut sparse = dense.clone();
        sparse["experts"] = json!(8);
        sparse["experts_per_token"] = json!(2);
        let mine = json!({ "pue": 1.2, "server_usd": { "h100-sxm": 300_000 }, "gpu_hour_usd": { "aws": { "h100-sxm": 3.5 } } });
        for body in [
            json!({ "model": { "preset": "llama-3.1-70b" }, "budget_usd": 5e6, "accelerators": ["h100-sxm", "b200"] }),
            json!({ "model": { "parameters_billion": 100, "active_parameters_billion": 10 }, "utilization": 0.35 }),
            json!({ "model": { "architecture": dense }, "acquisition": ["buy", "spot"], "precision": "fp8" }),
            json!({ "model": { "architecture": sparse }, "method": "lora" }),
            json!({ "model": { "preset": "llama-3.1-8b" }, "overrides": mine, "software": { "stack": "deepspeed" } }),
        ] {
            assert_query_reads_back(&body);
        }
    }

    /// A given value that equals the default of the model alone is left out of the query, and comes back as the
    /// default of the model with its method or stack, which is another one.
    #[test]
    fn the_saved_query_keeps_values_that_are_defaults_elsewhere() {
        let model = json!({ "preset": "llama-3.1-8b" });
        let plain = PlanRequest::parse(&json!({ "model": model }), engine::request::Form::Json).expect("a request");
        for body in [
            json!({ "model": model, "software": { "stack": "deepspeed", "compiled": true } }),
            json!({ "model": model, "method": "lora", "training_tokens": plain.training_tokens }),
            json!({ "model": model, "method": "lora", "global_batch_tokens": plain.global_batch_tokens }),
        ] {
            assert_query_reads_back(&body);
        }
    }
}
