//! Hands to the explanations what the plan itself doesn't keep.

use super::acquire::Acquired;
use super::candidates::{Field, Sized};
use super::{compare, health, points, projection, select};
use crate::answer::{Candidate, Explanation, Plan};
use crate::economics::bill;
use crate::economics::inputs::Inputs;
use crate::explain::build::Built;
use crate::explain::{self, Background, Lists, Shown, Way};
use crate::operation::power;
use crate::request::{Acquisition, PlanRequest};
use std::collections::BTreeMap;

/// How each figure came about.
pub(super) fn explanations(
    request: &PlanRequest,
    inputs: &Inputs,
    field: &Field,
    plan: &Plan,
) -> BTreeMap<String, Explanation> {
    let mut all = BTreeMap::new();
    for tier in &plan.tiers {
        let Some(sized) = field.find(tier) else { continue };
        let prefix = format!("tiers.{}", select::id(tier.tier));
        explain::tier(request, inputs, tier, &background(request, inputs, field, sized), &prefix, &mut all);
    }
    let shown = plan.shown().and_then(|t| field.find(t));
    let bought = shown.map(|s| compare::bought(field, s));
    explain::whole(plan, inputs, &lists(request, inputs, field, plan, shown), &mut all);
    if let Some(build) = &plan.build {
        let built = bought.map(|s| Built { accelerator: s.accelerator, gpus: s.gpus, network: s.network.as_ref() });
        explain::build::build(request, inputs, built.as_ref(), build, &mut all);
    }
    all
}

fn background<'a>(request: &PlanRequest, inputs: &Inputs, field: &'a Field, sized: &'a Sized) -> Background<'a> {
    let twin = compare::owned(field, sized);
    let mut ways: Vec<Way<'a>> = sized.options.iter().map(|option| way(sized, option)).collect();
    if let Some(twin) = twin.filter(|twin| !std::ptr::eq(*twin, sized)) {
        ways.extend(twin.options.iter().filter(|o| o.acquisition == Acquisition::Buy).map(|o| way(twin, o)));
    }
    Background {
        reliability: &sized.reliability,
        own: twin.and_then(|s| s.own.as_ref()),
        bill: twin
            .and_then(|s| bill::bill(request, inputs, s.accelerator, s.gpus, s.network.as_ref(), &s.storage))
            .map(|b| b.lines(request, inputs))
            .unwrap_or_default(),
        ways,
        job: &field.job,
        batch: sized.found.batch,
        recomputed_per_token: sized.found.recomputed_per_token,
        nameplate_kw: power::nameplate_kw(sized.accelerator, f64::from(sized.gpus)).unwrap_or(0.0),
    }
}

fn way<'a>(sized: &'a Sized, option: &'a Acquired) -> Way<'a> {
    Way {
        acquisition: option.acquisition,
        label: &option.label,
        term: option.term,
        minimum_months: option.minimum_months,
        gpus: f64::from(sized.gpus),
        estimate: &sized.estimate,
        reliability: &option.reliability,
        days: option.days.typical,
        price: option.usd_per_gpu_hour,
        source: &option.source,
        as_of: &option.as_of,
        total: option.total.typical,
        extras: option.extras,
        rent: option.rent.as_ref(),
        own: sized.own.as_ref().filter(|_| option.rent.is_none()),
    }
}

fn lists<'a>(
    request: &PlanRequest,
    inputs: &Inputs,
    field: &'a Field,
    plan: &'a Plan,
    shown: Option<&'a Sized>,
) -> Lists<'a> {
    let bought = shown.map(|s| compare::bought(field, s));
    let named =
        [("cheapest", plan.cheapest.as_ref()), ("fastest", plan.fastest.as_ref()), ("frontier", plan.frontier.first())];
    let of = |candidate: &Candidate| points(field).find(|(.., c)| c == candidate).map(|(s, o, _)| way(s, o));
    let first = plan.utilization.by_cluster_size.first();
    let first_size = first.zip(shown).and_then(|(first, shown)| {
        let same = |s: &&Sized| s.group == shown.group && s.gpus == first.gpus && s.found.fits;
        field.sized.iter().find(same).map(|s| (&s.estimate, &s.reliability))
    });
    let owned_nodes = plan.cloud_vs_on_prem.hybrid.as_ref().map(|h| h.owned_nodes);
    Lists {
        candidates: named.into_iter().filter_map(|(name, c)| c.and_then(|c| Some((name, c, of(c)?)))).collect(),
        first_size,
        shown: shown.map(|s| watched(field, s)),
        parts: shown.map(|s| compare::parts(request, inputs, field, s, owned_nodes)),
        own: bought.and_then(|s| s.own.as_ref()),
        goodput: bought.map_or(1.0, |s| s.reliability.goodput),
        run_gpu_hours: bought.map_or(0.0, |s| compare::run_hours(request, s) * f64::from(s.gpus)),
    }
}

fn watched<'a>(field: &'a Field, sized: &'a Sized) -> Shown<'a> {
    Shown {
        gpus: f64::from(sized.gpus),
        batch: sized.found.batch,
        estimate: &sized.estimate,
        reliability: &sized.reliability,
        read: sized.storage.read_gb_per_second * 1e9,
        needed: projection::needed_bytes_per_second(sized),
        link: health::link_use(field, sized),
    }
}
