//! From a request to a plan: candidates, the three tiers, the recommendation, and everything around it.

mod acquire;
mod candidates;
mod compare;
mod explained;
mod footprint;
mod headline;
mod health;
mod influence;
mod inverse;
mod money_notices;
mod notices;
mod overridden;
mod projection;
mod ranges;
mod select;
mod sensitivity;

use crate::answer::{Candidate, Plan, Recommended, TierId, TierPlan};
use crate::catalog::Catalog;
use crate::economics::inputs::Inputs;
use crate::economics::{bill, cents};
use crate::operation;
use crate::request::PlanRequest;
use acquire::Acquired;
pub(crate) use acquire::failures;
use candidates::{Field, Sized};
pub use headline::{days_text, limit_days, limit_usd, months_text};
pub(crate) use headline::{money, thousands};
pub use influence::influences;
pub use inverse::largest_model;

/// Plans: searches every allowed accelerator, cluster size and layout, and says what to do.
///
/// Never fails on a checked request: what is not feasible is an answer with reasons.
pub fn plan(request: &PlanRequest) -> Plan {
    let inputs = Inputs::of(request);
    let field = Field::search(request, &inputs);
    plan_of(request, &inputs, &field, None)
}

/// The plan that a field of clusters makes; `shown` holds the tier that the charts and the bill are of.
fn plan_of(request: &PlanRequest, inputs: &Inputs, field: &Field, shown: Option<TierId>) -> Plan {
    let mut tiers: Vec<TierPlan> = TIERS.iter().map(|tier| select::tier(request, inputs, field, *tier)).collect();
    select::mark_oversized(request, &mut tiers);
    let recommended = select::recommend(request, &tiers);
    let found = || recommended.as_ref().map_or_else(|| select::nearest(&tiers), |r| r.tier);
    let shown_tier = shown.unwrap_or_else(found);
    let shown = tiers.iter().find(|t| t.tier == shown_tier);
    let sized = shown.and_then(|t| field.find(t));
    let comparison = match sized {
        Some(sized) => compare::compare(request, inputs, field, sized),
        None => compare::nothing(request),
    };
    let mut recommended = recommended;
    if let Some(recommended) = &mut recommended {
        let way = shown.and_then(|t| t.cost.as_ref()).map_or("", |c| c.label.as_str());
        recommended.reasons.extend(headline::over_the_horizon(request, &comparison, way));
    }
    // what would be bought in place of a rented cluster
    let bought = sized.map(|s| compare::bought(field, s));
    let bill_of_materials = bought
        .and_then(|s| bill::bill(request, inputs, s.accelerator, s.gpus, s.network.as_ref(), &s.storage))
        .map(|b| b.lines(request, inputs))
        .unwrap_or_default();
    let no_recommendation = if recommended.is_none() { select::why_not(&tiers) } else { Vec::new() };
    let (cheapest, fastest) = within_limits(request, field);
    let mut plan = Plan {
        engine_version: crate::ENGINE_VERSION.into(),
        catalog_version: Catalog::get().version.clone(),
        request: request.clone(),
        headline: String::new(),
        utilization: projection::utilization(request, inputs, field, sized),
        ownership: bought.and_then(|s| compare::ownership(request, inputs, s)),
        ranges: sized.zip(shown).and_then(|(sized, tier)| ranges::ranges(request, inputs, field, sized, tier)),
        inverse: inverse::inverse(request, inputs, field, &comparison),
        overridden: Vec::new(),
        sensitivity: sensitivity::sensitivity(request, inputs, field, sized, shown),
        notices: Vec::new(),
        frontier: frontier(field),
        recommended,
        no_recommendation,
        tiers,
        cheapest,
        fastest,
        cloud_vs_on_prem: comparison,
        bill_of_materials,
        build: bought.map(|s| {
            operation::describe::build(request, inputs, s.accelerator, s.gpus, s.network.as_ref(), &s.storage)
        }),
        shown_tier,
        layouts_evaluated: field.evaluated,
        explanations: None,
    };
    plan.overridden = overridden::overridden(request, inputs, field, &plan);
    plan.headline = headline::headline(&plan);
    plan.notices = notices::notices(request, field, &plan, sized);
    plan.explanations = Some(explained::explanations(request, inputs, field, &plan));
    plan
}

const TIERS: [TierId; 3] = [TierId::Starter, TierId::Workhorse, TierId::Beast];

/// One point for each cluster and way of acquiring.
fn points(field: &Field) -> impl Iterator<Item = (&Sized, &Acquired, Candidate)> {
    field.sized.iter().filter(|s| s.found.fits).flat_map(|sized| {
        sized.options.iter().map(move |option| {
            let candidate = Candidate {
                accelerator: sized.accelerator.id.clone(),
                accelerator_short: sized.accelerator.short.clone(),
                gpus: sized.gpus,
                acquisition: option.acquisition,
                provider: option.provider.clone(),
                minimum_months: option.minimum_months,
                days: option.days.typical,
                total_usd: cents(option.total.typical),
                mfu: sized.mfu,
                layout: sized.found.layout,
            };
            (sized, option, candidate)
        })
    })
}

/// The clusters that no other beats in both cost and days, fastest first.
fn frontier(field: &Field) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = points(field).map(|(_, _, c)| c).collect();
    all.sort_by(|a, b| a.days.total_cmp(&b.days).then(a.total_usd.total_cmp(&b.total_usd)));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in all {
        if kept.last().is_none_or(|last| candidate.total_usd < last.total_usd) {
            kept.push(candidate);
        }
    }
    kept
}

/// The cheapest and the fastest that meet deadline, budget and power.
fn within_limits(request: &PlanRequest, field: &Field) -> (Option<Candidate>, Option<Candidate>) {
    let allowed: Vec<Candidate> = points(field)
        .filter(|(sized, option, _)| select::power_is_enough(request, sized) && select::meets(request, option))
        .map(|(_, _, candidate)| candidate)
        .collect();
    let cheapest =
        allowed.iter().min_by(|a, b| a.total_usd.total_cmp(&b.total_usd).then(a.days.total_cmp(&b.days))).cloned();
    let fastest =
        allowed.iter().min_by(|a, b| a.days.total_cmp(&b.days).then(a.total_usd.total_cmp(&b.total_usd))).cloned();
    (cheapest, fastest)
}

/// The recommendation of a tier as it is.
fn recommended(tier: &TierPlan, reasons: Vec<crate::answer::Reason>) -> Option<Recommended> {
    let cost = tier.cost.as_ref()?;
    Some(Recommended {
        tier: tier.tier,
        acquisition: cost.acquisition,
        provider: cost.provider.clone(),
        minimum_months: cost.minimum_months,
        reasons,
    })
}
