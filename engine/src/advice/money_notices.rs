//! What a reader must know of the money: old prices, spot, unused quotes, engineers.

use super::candidates::Sized;
use super::headline::{days_text, money, months_text};
use crate::answer::{OverrideUse, Plan, Severity};
use crate::catalog::Catalog;
use crate::economics::age;
use crate::request::{Acquisition, PlanRequest, Topology};
use crate::units::grouped;

type Say<'a> = dyn FnMut(&str, Severity, String, &str) + 'a;

/// Notices on prices and ways of acquiring.
pub(super) fn money_notices(plan: &Plan, say: &mut Say<'_>) {
    spot(plan, say);
    over_budget(plan, say);
    long_commitment(plan, say);
    beyond_life(plan, say);
    stale(plan, say);
    let quotes = &plan.request.quotes.0;
    for own in plan.overridden.iter().filter(|o| !o.used && !quotes.contains_key(&o.key)) {
        say("override_unused", Severity::Warning, unused(plan, own), "your request");
    }
    // a price book is for all plans of a team: that some of it is not of this one is no fault
    let idle: Vec<&str> = plan
        .overridden
        .iter()
        .filter(|o| !o.used && quotes.contains_key(&o.key))
        .map(|own| own.label.as_str())
        .collect();
    if !idle.is_empty() {
        let text =
            format!("Quotes of the price book that no figure of this plan is computed with: {}.", idle.join("; "));
        say("quotes_unused", Severity::Info, text, "price book");
    }
    if let Some(block) = &plan.utilization.next_block {
        let when = if block.overdue {
            format!("the lead time of {} is longer than that: rent what is above", months_text(block.lead_time_months))
        } else {
            format!("order it within {}", months_text(block.order_in_months))
        };
        let text = format!(
            "Demand passes the cluster in month {}: {} more devices cover the year from then on; {when}.",
            block.needed_in_month,
            grouped(block.gpus)
        );
        say("saturates", Severity::Info, text, "demand of your request");
    }
}

/// Why a figure of the caller's is in none that is shown.
fn unused(plan: &Plan, own: &OverrideUse) -> String {
    let name = format!("Your {} ({})", own.label, own.key);
    let asked = plan.request.overrides.topology.filter(|t| matches!(t, Topology::Dragonfly | Topology::Torus));
    match (own.considered, own.key.split('.').next().unwrap_or_default(), asked) {
        (true, ..) => {
            format!("{name} is in no figure shown: clusters were compared with it, and none of them is shown.")
        }
        (false, "oversubscription", Some(topology)) => {
            format!("{name} is not used: a {} has no uplinks to thin out.", topology.label().to_lowercase())
        }
        (false, "oversubscription", None) => {
            format!("{name} is not used: no network of more than one switch is bought here.")
        }
        (false, "gpu_hour_usd", _) => format!(
            "{name} is not used: nothing in this plan is computed with it. A quote counts where the catalog has an offer of the same provider and accelerator."
        ),
        (false, "item_usd", _) => {
            format!("{name} is not used: no cluster that is shown with its purchase takes this part.")
        }
        _ => format!("{name} is not used: nothing in this plan is computed with it."),
    }
}

/// The shown way is spot: its days are longer than those of the same devices on demand.
fn spot(plan: &Plan, say: &mut Say<'_>) {
    let Some(tier) = plan.shown() else { return };
    let Some(cost) = tier.cost.as_ref().filter(|c| c.acquisition == Acquisition::Spot) else { return };
    let option = cost.options.iter().find(|o| o.label == cost.label);
    let point = tier.cluster.as_ref().and_then(|c| plan.utilization.by_cluster_size.iter().find(|p| p.gpus == c.gpus));
    let (Some(option), Some(point)) = (option, point) else { return };
    let text = format!(
        "Spot machines are taken away: the run takes {} instead of {}, and can't be promised for a date.",
        days_text(option.days.typical),
        days_text(point.days)
    );
    let source = &Catalog::get().costs.spot_interruptions_per_hour.source;
    say("spot_lengthens", Severity::Warning, text, source);
}

/// Ways that can't do the work of the horizon, and are not compared over it: a warning where the shown way is one.
pub(super) fn reach_notices(request: &PlanRequest, plan: &Plan, beyond: &[(String, f64)], say: &mut Say<'_>) {
    if beyond.is_empty() {
        return;
    }
    let ways: Vec<String> = beyond
        .iter()
        .map(|(label, needed)| format!("{label} ({:.0}% of all hours would be needed)", 100.0 * needed))
        .collect();
    let text = format!(
        "Left out of the comparison over the horizon, as their machines are taken away too often for the work of steady ones that are used {:.0}% of the time: {}.",
        100.0 * request.utilization,
        ways.join("; ")
    );
    let shown = plan.shown().and_then(|t| t.cost.as_ref()).map(|c| c.label.as_str());
    let severity =
        if beyond.iter().any(|(label, _)| Some(label.as_str()) == shown) { Severity::Warning } else { Severity::Info };
    let source = &Catalog::get().costs.spot_interruptions_per_hour.source;
    say("spot_out_of_reach", severity, text, source);
}

/// The shown way is a commitment beyond the horizon: its last months have no work in this plan.
fn long_commitment(plan: &Plan, say: &mut Say<'_>) {
    let Some(cost) = plan.shown().and_then(|t| t.cost.as_ref()) else { return };
    let horizon = f64::from(plan.request.horizon_months);
    if cost.minimum_months > horizon {
        let text = format!(
            "The commitment is for {} and the horizon {}: the run bears the rent of the months beyond it, and all of them are owed.",
            months_text(cost.minimum_months),
            months_text(horizon)
        );
        say("commitment_beyond_horizon", Severity::Warning, text, "cloud catalog");
    }
}

/// A run that outlives the hardware that it is planned on.
fn beyond_life(plan: &Plan, say: &mut Say<'_>) {
    let Some(days) = plan.shown().and_then(|t| t.days) else { return };
    let given = plan.request.overrides.scalar("hardware_life_years");
    let life = given.unwrap_or(Catalog::get().costs.hardware_life_years.value);
    let years = days.typical / 365.25;
    if years > life {
        let text = format!(
            "The run takes {years:.1} years, and hardware is counted to live for {life:.1}: devices would be replaced on the way, which no figure here holds. Allow a larger cluster, or set a deadline.",
        );
        say("run_beyond_life", Severity::Warning, text, "life of the hardware");
    }
}

/// The budget holds at list prices and typical speed, and not in most of what may come.
fn over_budget(plan: &Plan, say: &mut Say<'_>) {
    let (Some(ranges), Some(budget)) = (&plan.ranges, plan.request.budget_usd) else { return };
    if plan.recommended.is_none() || ranges.total_usd.p50 <= budget {
        return;
    }
    let text = format!(
        "More than half of the draws of prices, speed and failures cost more than the budget: half of them exceed {}. Keep a reserve, or fix the price before you start.",
        money(ranges.total_usd.p50)
    );
    say("draws_pass_budget", Severity::Warning, text, "ranges of the inputs");
}

/// Prices that are older than six months: a warning of those that the cost of the run is made of, and a remark on those
/// that it is only compared with. What the request rules out is neither.
fn stale(plan: &Plan, say: &mut Say<'_>) {
    let Some(cost) = plan.shown().and_then(|t| t.cost.as_ref()) else { return };
    let lines = plan.bill_of_materials.iter().filter(|l| l.unit_usd.is_some() && age::is_stale(&l.as_of));
    let purchase: Vec<String> = lines.map(|l| format!("{} ({})", l.item, l.as_of)).collect();
    let rent = |shown: bool| {
        let old = cost.options.iter().filter(move |o| o.stale && o.provider.is_some());
        old.filter(move |o| (o.label == cost.label) == shown).map(|o| format!("{} ({})", o.label, o.as_of))
    };
    let buys = cost.acquisition == Acquisition::Buy;
    let may_buy = plan.request.allows(Acquisition::Buy);
    let of_answer: Vec<String> = rent(true).chain(purchase.iter().filter(|_| buys).cloned()).collect();
    let compared: Vec<String> = rent(false).chain(purchase.into_iter().filter(|_| may_buy && !buys)).collect();
    if !of_answer.is_empty() {
        let text = format!("Prices older than six months: {}. Ask for new quotes.", of_answer.join("; "));
        say("stale_prices", Severity::Warning, text, "catalog");
    }
    if !compared.is_empty() {
        let text = format!("Compared with prices older than six months: {}.", compared.join("; "));
        say("stale_prices_compared", Severity::Info, text, "catalog");
    }
}

/// Notices on owning the shown cluster.
pub(super) fn purchase_notices(request: &PlanRequest, plan: &Plan, sized: &Sized, say: &mut Say<'_>) {
    if plan.ownership.is_none() {
        let (short, id) = (&sized.accelerator.short, &sized.accelerator.id);
        let known = sized.accelerator.system_usd.is_some() || request.overrides.server_usd.contains_key(id);
        if known {
            return;
        }
        let text = format!(
            "No purchase price of {short} is known, so buying is not compared; give overrides.server_usd.{id}."
        );
        say("no_purchase_price", Severity::Info, text, "accelerator catalog");
    }
    if let Some(life) =
        plan.ownership.as_ref().map(|o| o.life_months).filter(|m| *m < f64::from(request.horizon_months))
    {
        let text = format!(
            "The horizon of {} months is longer than the hardware is used ({}): buying is compared without a replacement.",
            request.horizon_months,
            months_text(life)
        );
        say("horizon_beyond_life", Severity::Warning, text, &Catalog::get().costs.hardware_life_years.source);
    }
    let Some(team) = request.team_size else { return };
    let costs = &Catalog::get().costs;
    let needed = costs.staff_fte_base.value + f64::from(sized.nodes) / costs.staff_nodes_per_fte.value;
    if plan.ownership.is_some() && team < needed {
        let text =
            format!("Owning {} nodes takes about {needed:.1} engineers; the team has {team}.", grouped(sized.nodes));
        say("team_small", Severity::Warning, text, &costs.staff_fte_base.source);
    }
}
