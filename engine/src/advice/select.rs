//! The three tiers sized to the job, their verdicts, and the recommendation.

use super::acquire::Acquired;
use super::candidates::{Field, Sized};
use super::compare;
use super::footprint;
use super::headline::{days_text, limit_days, limit_usd, money, tenths, thousands};
use crate::answer::{Cluster, CostOption, Reason, Recommended, TierCost, TierId, TierPlan, Verdict};
use crate::catalog::Catalog;
use crate::economics::cents;
use crate::economics::inputs::Inputs;
use crate::operation::network::why;
use crate::request::{Acquisition, PlanRequest};
use crate::units::grouped;

/// Costs this near count as equal, and the faster wins.
const EQUAL_COST: f64 = 1.01;

/// The purchase or rent is within what may be spent.
pub(super) fn within_budget(request: &PlanRequest, option: &Acquired) -> bool {
    request.budget_usd.is_none_or(|budget| option.cash <= budget)
        && request.monthly_budget_usd.is_none_or(|budget| option.month <= budget)
}

fn in_time(request: &PlanRequest, option: &Acquired) -> bool {
    request.deadline_days.is_none_or(|deadline| option.days.typical <= deadline)
}

/// Deadline and budget are met.
pub(super) fn meets(request: &PlanRequest, option: &Acquired) -> bool {
    within_budget(request, option) && in_time(request, option)
}

/// The power that is available is enough, or none is stated.
pub(super) fn power_is_enough(request: &PlanRequest, sized: &Sized) -> bool {
    request.max_power_kw.is_none_or(|kw| sized.power_kw <= kw)
}

pub(super) fn id(tier: TierId) -> &'static str {
    match tier {
        TierId::Starter => "starter",
        TierId::Workhorse => "workhorse",
        TierId::Beast => "beast",
    }
}

/// Sizes one tier to the job.
pub(super) fn tier(request: &PlanRequest, inputs: &Inputs, field: &Field, tier: TierId) -> TierPlan {
    let class = Catalog::get().tiers.iter().find(|t| t.id == id(tier));
    let (least, most) = class.map_or((1, u32::MAX), |t| (t.min_nodes, t.max_nodes.unwrap_or(u32::MAX)));
    let members: Vec<&Sized> =
        field.sized.iter().filter(|s| (least..=most).contains(&s.nodes) && power_is_enough(request, s)).collect();
    let pairs: Vec<(&Sized, &Acquired)> =
        members.iter().filter(|s| s.found.fits).flat_map(|s| s.options.iter().map(move |o| (*s, o))).collect();
    let feasible = pairs.iter().filter(|(_, o)| meets(request, o));
    if let Some((sized, option)) = cheapest(feasible.copied()) {
        return build(
            request,
            inputs,
            field,
            tier,
            (sized, option),
            Verdict::Fits,
            fits_reasons(request, sized, option),
        );
    }
    let in_time_pairs = pairs.iter().filter(|(_, o)| in_time(request, o)).copied();
    if let Some((sized, option)) = in_time_pairs.min_by(|a, b| a.1.cash.total_cmp(&b.1.cash)) {
        return build(
            request,
            inputs,
            field,
            tier,
            (sized, option),
            Verdict::OverBudget,
            over_budget_reasons(request, sized, option),
        );
    }
    let affordable = pairs.iter().filter(|(_, o)| within_budget(request, o)).copied();
    let fastest = affordable.min_by(|a, b| a.1.days.typical.total_cmp(&b.1.days.typical));
    let fastest =
        fastest.or_else(|| pairs.iter().copied().min_by(|a, b| a.1.days.typical.total_cmp(&b.1.days.typical)));
    if let Some((sized, option)) = fastest {
        return build(
            request,
            inputs,
            field,
            tier,
            (sized, option),
            Verdict::TooSlow,
            too_slow_reasons(request, sized, option),
        );
    }
    unplaced(request, tier, &members, field)
}

/// The least cost; costs within one percent count as equal, and the faster wins.
fn cheapest<'a>(pairs: impl Iterator<Item = (&'a Sized, &'a Acquired)> + Clone) -> Option<(&'a Sized, &'a Acquired)> {
    let least = pairs.clone().map(|(_, o)| o.total.typical).min_by(f64::total_cmp)?;
    pairs
        .filter(|(_, o)| o.total.typical <= least * EQUAL_COST)
        .min_by(|a, b| a.1.days.typical.total_cmp(&b.1.days.typical))
}

fn build(
    request: &PlanRequest,
    inputs: &Inputs,
    field: &Field,
    tier: TierId,
    (sized, option): (&Sized, &Acquired),
    verdict: Verdict,
    reasons: Vec<Reason>,
) -> TierPlan {
    let gpu_hours = option.days.typical * 24.0 * f64::from(sized.gpus);
    let twin = compare::owned(field, sized);
    TierPlan {
        tier,
        verdict,
        reasons,
        cluster: Some(cluster_of(sized)),
        estimate: Some(sized.estimate.clone()),
        days: Some(option.days),
        goodput: Some(option.goodput),
        cost: Some(TierCost {
            acquisition: option.acquisition,
            provider: option.provider.clone(),
            label: option.label.clone(),
            total_usd: option.total.map(cents),
            usd_per_gpu_hour: cents(option.usd_per_gpu_hour),
            usd_per_million_tokens: option.total.typical / (request.training_tokens as f64 / 1e6),
            minimum_months: option.minimum_months,
            capital_usd: twin.and_then(|s| s.own.as_ref()).map(|own| own.capital.map(cents)),
            gpu_hours,
            options: options(request, sized, twin),
        }),
        footprint: footprint::of(inputs, sized, option.days.typical, request.utilization),
    }
}

/// Every way of having a cluster, cheapest first: where the rented one can't be bought as it is, because its network is
/// the provider's, the same devices are bought with a network of one's own, in their own days.
fn options(request: &PlanRequest, sized: &Sized, twin: Option<&Sized>) -> Vec<CostOption> {
    let mut all: Vec<CostOption> =
        sized.options.iter().map(|o| o.as_option(request, sized.reliability.goodput)).collect();
    let apart = twin.filter(|twin| !std::ptr::eq(*twin, sized));
    let purchase =
        apart.and_then(|twin| Some((twin, twin.options.iter().find(|o| o.acquisition == Acquisition::Buy)?)));
    if let Some((twin, purchase)) = purchase {
        let note = format!(
            "Bought with a network of its own{}: the run takes {}.",
            twin.network.as_ref().map(|n| format!(" ({})", why::in_short(n))).unwrap_or_default(),
            days_text(purchase.days.typical)
        );
        let option = purchase.as_option(request, twin.reliability.goodput);
        all.push(CostOption { note: Some(note), ..option });
        all.sort_by(|a, b| a.total_usd.typical.total_cmp(&b.total_usd.typical));
    }
    all
}

fn limits(request: &PlanRequest) -> String {
    match (request.deadline_days, request.budget_usd) {
        (Some(days), Some(usd)) => format!("{} and {}", limit_days(days), limit_usd(usd)),
        (Some(days), None) => limit_days(days),
        (None, Some(usd)) => limit_usd(usd),
        (None, None) => String::new(),
    }
}

fn fits_reasons(request: &PlanRequest, sized: &Sized, option: &Acquired) -> Vec<Reason> {
    let m = &sized.found.memory;
    let mut reasons = vec![Reason::new(
        "within_limits",
        format!(
            "Finishes in {} for {}; {}.",
            days_text(option.days.typical),
            money(option.total.typical),
            match limits(request) {
                none if none.is_empty() => "neither a deadline nor a budget is set".into(),
                limits => format!("the limits are {limits}"),
            }
        ),
    )];
    reasons.push(Reason::new(
        "memory_fits",
        format!("The fullest device holds {} of {} GiB.", tenths(m.total), tenths(m.usable)),
    ));
    reasons
}

fn over_budget_reasons(request: &PlanRequest, sized: &Sized, option: &Acquired) -> Vec<Reason> {
    let what = if option.acquisition == Acquisition::Buy { "buying it" } else { "renting it" };
    let mut reasons = Vec::new();
    if let Some(budget) = request.budget_usd.filter(|b| option.cash > *b) {
        let (cash, over) = (money(option.cash), money(option.cash - budget));
        // a budget that is next to nothing leaves the whole sum over
        let over = if over == cash { "far".to_owned() } else { format!("{over} more") };
        let than = if over == "far" { "above" } else { "than" };
        reasons.push(Reason::new(
            "over_budget",
            format!(
                "{} {} finish in {}, but {what} takes {cash}: {over} {than} the budget of {}.",
                grouped(sized.gpus),
                sized.accelerator.short,
                days_text(option.days.typical),
                limit_usd(budget)
            ),
        ));
    }
    if let Some(budget) = request.monthly_budget_usd.filter(|b| option.month > *b) {
        let text = format!("It takes {} a month; the budget is {} a month.", money(option.month), limit_usd(budget));
        reasons.push(Reason::new("over_monthly_budget", text));
    }
    reasons
}

fn too_slow_reasons(request: &PlanRequest, sized: &Sized, option: &Acquired) -> Vec<Reason> {
    let deadline = request.deadline_days.unwrap_or(f64::MAX);
    let mut reasons = vec![Reason::new(
        "misses_deadline",
        format!(
            "The fastest here, {} {}, takes {}; the deadline is {}, {:.1} times less.",
            grouped(sized.gpus),
            sized.accelerator.short,
            days_text(option.days.typical),
            limit_days(deadline),
            option.days.typical / deadline
        ),
    )];
    if !within_budget(request, option) {
        reasons.push(Reason::new("over_budget", format!("It also takes {}, above the budget.", money(option.cash))));
    }
    reasons
}

/// A tier in which the model fits nowhere, or for which nothing may be used.
fn unplaced(request: &PlanRequest, tier: TierId, members: &[&Sized], field: &Field) -> TierPlan {
    let empty = |verdict, reasons| TierPlan {
        tier,
        verdict,
        reasons,
        cluster: None,
        estimate: None,
        days: None,
        goodput: None,
        cost: None,
        footprint: None,
    };
    let fitting = members.iter().find(|s| s.found.fits);
    if let Some(sized) = fitting {
        let text = format!(
            "The model fits on {} {}, but no price is known for any allowed way of having them; give one under overrides.",
            grouped(sized.gpus),
            sized.accelerator.short
        );
        return TierPlan {
            cluster: Some(cluster_of(sized)),
            estimate: Some(sized.estimate.clone()),
            ..empty(Verdict::OverBudget, vec![Reason::new("no_price", text)])
        };
    }
    let gap = |s: &&&Sized| s.found.memory.total - s.found.memory.usable;
    if let Some(sized) = members.iter().min_by(|a, b| gap(a).total_cmp(&gap(b))) {
        let m = &sized.found.memory;
        let text = format!(
            "The model does not fit: on {} {} the fullest device needs {} GiB and has {}, {} GiB too few with the leanest layout.",
            grouped(sized.gpus),
            sized.accelerator.short,
            tenths(m.total),
            tenths(m.usable),
            tenths(m.total - m.usable)
        );
        return TierPlan {
            cluster: Some(cluster_of(sized)),
            estimate: Some(sized.estimate.clone()),
            ..empty(Verdict::TooSmall, vec![Reason::new("memory", text)])
        };
    }
    let smallest = field.sized.iter().map(|s| s.gpus).min();
    let text = match (request.max_power_kw, smallest) {
        (Some(kw), Some(_)) => format!(
            "No cluster of this size is allowed: the limits are {} devices and {} kW.",
            grouped(request.max_gpus),
            thousands(kw)
        ),
        _ => format!(
            "No cluster of this size is allowed: the largest is {} devices, and the accelerators, providers and ways of acquiring must offer it.",
            grouped(request.max_gpus)
        ),
    };
    let smallest_class = if tier == TierId::Beast { Verdict::TooSmall } else { Verdict::TooSlow };
    empty(smallest_class, vec![Reason::new("nothing_allowed", text)])
}

fn cluster_of(sized: &Sized) -> Cluster {
    let a = sized.accelerator;
    Cluster {
        accelerator: a.id.clone(),
        accelerator_label: a.label.clone(),
        accelerator_short: a.short.clone(),
        gpus: sized.gpus,
        nodes: sized.nodes,
        gpus_per_node: a.gpus_per_node,
        scale_up_domain: a.scale_up_domain,
        fabric: sized.fabric.clone(),
        network_gbps_per_gpu: sized.network_gbps,
        power_kw: sized.power_kw,
    }
}

/// A tier that fits is oversized when a smaller one does the job for no more money.
pub(super) fn mark_oversized(request: &PlanRequest, tiers: &mut [TierPlan]) {
    let does = if request.has_limits() { "meets the limits too" } else { "does the same run" };
    for index in 1..tiers.len() {
        let Some(own) = tiers[index].cost.as_ref().filter(|_| tiers[index].verdict == Verdict::Fits) else { continue };
        let own_usd = own.total_usd.typical;
        let smaller = tiers[..index]
            .iter()
            .find(|t| t.verdict == Verdict::Fits && t.cost.as_ref().is_some_and(|c| c.total_usd.typical <= own_usd));
        let Some(smaller) = smaller else { continue };
        let saved = smaller.days.map_or(0.0, |d| d.typical) - tiers[index].days.map_or(0.0, |d| d.typical);
        let more = own_usd - smaller.cost.as_ref().map_or(0.0, |c| c.total_usd.typical);
        let name = id(smaller.tier);
        let text = match (saved > 0.0, more > 0.0) {
            (true, true) => {
                format!("The {name} tier {does}; this one saves {} for {} more.", days_text(saved), money(more))
            }
            (true, false) => {
                format!("The {name} tier {does} for about the same money; this one saves {}.", days_text(saved))
            }
            (false, _) => format!("The {name} tier does the job no later and for no more money."),
        };
        tiers[index].verdict = Verdict::Oversized;
        tiers[index].reasons.insert(0, Reason::new("smaller_tier_suffices", text));
    }
}

/// The tier that fits for the least money.
pub(super) fn recommend(request: &PlanRequest, tiers: &[TierPlan]) -> Option<Recommended> {
    let best = tiers.iter().filter(|t| t.verdict == Verdict::Fits).min_by(|a, b| {
        let usd = |t: &TierPlan| t.cost.as_ref().map_or(f64::MAX, |c| c.total_usd.typical);
        usd(a).total_cmp(&usd(b))
    })?;
    let cost = best.cost.as_ref()?;
    let days = best.days?;
    let mut reasons = vec![Reason::new(
        "least_cost",
        format!(
            "The least cost {}, to one percent: {} in {}.",
            match limits(request) {
                none if none.is_empty() => "of all that is allowed".into(),
                limits => format!("within {limits}"),
            },
            money(cost.total_usd.typical),
            days_text(days.typical)
        ),
    )];
    if let Some(next) = cost.options.iter().find(|o| o.label != cost.label) {
        reasons.push(Reason::new(
            "next_best",
            format!(
                "The next best way of having the same cluster is {} at {}.",
                next.label,
                money(next.total_usd.typical)
            ),
        ));
    }
    if cost.acquisition == Acquisition::Buy {
        reasons.push(Reason::new(
            "purchase_in_full",
            "The purchase is counted in full; the hardware remains for further work.",
        ));
    }
    super::recommended(best, reasons)
}

/// Without a recommendation: the tier nearest to the limits.
pub(super) fn nearest(tiers: &[TierPlan]) -> TierId {
    let rank = |t: &TierPlan| match t.verdict {
        Verdict::Fits | Verdict::Oversized => 0,
        Verdict::OverBudget if t.cost.is_some() => 1,
        Verdict::TooSlow if t.cost.is_some() => 2,
        Verdict::OverBudget | Verdict::TooSlow => 4,
        Verdict::TooSmall => 3,
    };
    let measure = |t: &TierPlan| match t.verdict {
        Verdict::TooSlow => t.days.map_or(f64::MAX, |d| d.typical),
        Verdict::TooSmall => t.estimate.as_ref().map_or(f64::MAX, |e| e.memory_gap_gib),
        _ => t.cost.as_ref().map_or(f64::MAX, |c| c.total_usd.typical),
    };
    tiers
        .iter()
        .min_by(|a, b| rank(a).cmp(&rank(b)).then(measure(a).total_cmp(&measure(b))))
        .map_or(TierId::Starter, |t| t.tier)
}

/// Why nothing is recommended, and what comes nearest.
pub(super) fn why_not(tiers: &[TierPlan]) -> Vec<Reason> {
    let nearest = nearest(tiers);
    let mut reasons: Vec<Reason> = tiers.iter().filter(|t| t.tier == nearest).flat_map(|t| t.reasons.clone()).collect();
    reasons.extend(tiers.iter().filter(|t| t.tier != nearest).filter_map(|t| t.reasons.first().cloned()));
    reasons
}
