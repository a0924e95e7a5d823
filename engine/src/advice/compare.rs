//! Owning the shown cluster against every way of renting the same work.

use super::candidates::{Field, Sized};
use crate::answer::{CloudVsOnPrem, OwnershipCost, RunningPart};
use crate::catalog::Range;
use crate::economics::cents;
use crate::economics::comparison::{Case, Parts, Rival};
use crate::economics::inputs::Inputs;
use crate::economics::ownership::Ownership;
use crate::request::PlanRequest;
use crate::units::HOURS_PER_MONTH;

/// The same number of the same devices as it would be owned: a rented cluster may have another network.
pub(super) fn owned<'a>(field: &'a Field, shown: &'a Sized) -> Option<&'a Sized> {
    if shown.own.is_some() {
        return Some(shown);
    }
    let same = |s: &&Sized| s.accelerator.id == shown.accelerator.id && s.gpus == shown.gpus && s.found.fits;
    field.sized.iter().filter(same).find(|s| s.own.is_some())
}

/// The cluster that would be bought in place of the shown one: itself where none is known.
pub(super) fn bought<'a>(field: &'a Field, shown: &'a Sized) -> &'a Sized {
    owned(field, shown).unwrap_or(shown)
}

/// Compares at equal work.
pub(super) fn compare(request: &PlanRequest, inputs: &Inputs, field: &Field, shown: &Sized) -> CloudVsOnPrem {
    let base = bought(field, shown);
    let rivals = rivals(field, shown, base);
    Case::new(request, inputs, shown.gpus, base.own.as_ref(), &rivals)
        .compare(&shown.accelerator.id, base.reliability.goodput)
}

/// What the figures of that comparison are put together from; `owned_nodes` is of its split.
pub(super) fn parts(
    request: &PlanRequest,
    inputs: &Inputs,
    field: &Field,
    shown: &Sized,
    owned_nodes: Option<u32>,
) -> Parts {
    let base = bought(field, shown);
    let rivals = rivals(field, shown, base);
    Case::new(request, inputs, shown.gpus, base.own.as_ref(), &rivals).parts(owned_nodes)
}

/// Rentals that can't do the work of the request's utilization and are not compared: name, and share of all their hours
/// that it would take.
pub(super) fn out_of_reach(request: &PlanRequest, field: &Field, shown: &Sized) -> Vec<(String, f64)> {
    let rivals = rivals(field, shown, bought(field, shown));
    let beyond = rivals.iter().filter(|r| !r.reaches(request.utilization));
    beyond.map(|r| (r.rental.label(), r.needed(request.utilization))).collect()
}

/// Every rental of the same work, cheapest first: one whose network makes a step slower needs more of its hours.
fn rivals<'a>(field: &'a Field, shown: &Sized, base: &Sized) -> Vec<Rival<'a>> {
    let work = base.tokens_per_second * base.reliability.goodput;
    let mut rivals: Vec<Rival<'_>> = Vec::new();
    for sized in &field.sized {
        if sized.accelerator.id != shown.accelerator.id || sized.gpus != shown.gpus || !sized.found.fits {
            continue;
        }
        let rentals = field.rentals(sized);
        for option in &sized.options {
            let Some(rental) = option.rental.map(|i| &rentals[i]) else { continue };
            // a block of capacity that is booked for days can't be held for years
            if rental.offer.max_days.is_none() {
                let hours_per_useful_hour = work / (sized.tokens_per_second * option.goodput).max(1e-9);
                rivals.push(Rival { rental, hours_per_useful_hour });
            }
        }
    }
    let cost = |r: &Rival<'_>| r.rental.price.typical * r.hours_per_useful_hour;
    rivals.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
    // one curve for each provider and term: the cheapest
    let mut kept: Vec<Rival<'_>> = Vec::new();
    for rival in rivals {
        if kept.iter().all(|k| k.rental.id() != rival.rental.id()) {
            kept.push(rival);
        }
    }
    kept
}

pub(super) fn nothing(request: &PlanRequest) -> CloudVsOnPrem {
    CloudVsOnPrem {
        gpus: 0,
        accelerator: String::new(),
        months: (0..=request.horizon_months).collect(),
        curves: Vec::new(),
        by_utilization: Vec::new(),
        owned_useful_hour_usd: None,
        break_even: Vec::new(),
        hybrid: None,
        resale_usd: None,
    }
}

/// Hours of a run on a cluster from which nothing is taken away.
pub(super) fn run_hours(request: &PlanRequest, sized: &Sized) -> f64 {
    request.training_tokens as f64 / (sized.tokens_per_second * sized.reliability.goodput) / 3_600.0
}

/// What owning costs by the month and the hour, over the life of the hardware.
pub(super) fn ownership(request: &PlanRequest, inputs: &Inputs, sized: &Sized) -> Option<OwnershipCost> {
    let own = sized.own.as_ref()?;
    let utilization = request.utilization;
    let goodput = sized.reliability.goodput;
    let total = own.month(utilization);
    // the parts as shown add up to the total as shown
    let running = running(own, utilization);
    let running_usd = running.iter().fold(Range::exactly(0.0), |sum, part| sum.plus(part.usd_per_month)).map(cents);
    let annuity = own.annuity_month().map(cents);
    let owned_hour = total.typical / (own.gpus * HOURS_PER_MONTH);
    let used_hour = owned_hour / utilization;
    let tokens = request.training_tokens as f64;
    let usd_per_run = used_hour * own.gpus * run_hours(request, sized);
    Some(OwnershipCost {
        accelerator: sized.accelerator.id.clone(),
        gpus: sized.gpus,
        facility: inputs.facility,
        capital_usd: own.capital.map(cents),
        residual_usd: Range {
            low: cents(own.capital.low * own.residual.low),
            typical: cents(own.capital.typical * own.residual.typical),
            high: cents(own.capital.high * own.residual.high),
        },
        life_months: own.life_months,
        annuity_usd_per_month: annuity,
        straight_line_usd_per_month: own.straight_line_month().map(cents),
        running,
        running_usd_per_month: running_usd,
        total_usd_per_month: annuity.plus(running_usd).map(cents),
        usd_per_owned_gpu_hour: owned_hour,
        usd_per_useful_gpu_hour: used_hour / goodput,
        usd_per_run: cents(usd_per_run),
        usd_per_million_tokens: usd_per_run / (tokens / 1e6),
    })
}

fn running(own: &Ownership, utilization: f64) -> Vec<RunningPart> {
    own.month_by_part(utilization)
        .filter(|(key, month)| *key != "demand_charge" || month.high > 0.0)
        .map(|(key, month)| RunningPart { part: key.into(), label: label(key).into(), usd_per_month: month.map(cents) })
        .collect()
}

fn label(key: &str) -> &'static str {
    match key {
        "energy" => "Energy",
        "colocation" => "Colocation",
        "own_facility" => "Own facility",
        "support" => "Hardware support",
        "insurance" => "Insurance",
        "software" => "Licensed software",
        "staff" => "Staff",
        _ => "Demand charge",
    }
}
