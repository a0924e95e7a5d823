//! The question turned round: what is the least cluster, the most tokens, the largest model that limits allow.

use super::acquire::{self, days_of, failures_of};
use super::candidates::{Field, Sized};
use super::{points, select};
use crate::answer::{Candidate, CloudVsOnPrem, Inverse, LargestModel, MostTokens};
use crate::catalog::{Catalog, Range};
use crate::economics::inputs::Inputs;
use crate::economics::ownership::Ownership;
use crate::economics::rental::{Rental, Run};
use crate::economics::{bill, cents};
use crate::operation::power;
use crate::operation::reliability::reliability;
use crate::operation::storage::{StorageNeed, storage_need};
use crate::request::{Acquisition, PLAN_LIMITS, PlanRequest};

/// Answers from the clusters that the plan has searched anyway.
pub(super) fn inverse(request: &PlanRequest, inputs: &Inputs, field: &Field, comparison: &CloudVsOnPrem) -> Inverse {
    // curves of rentals are in the order of their cost
    let on_demand = comparison.curves.iter().find(|c| c.id.starts_with(Acquisition::OnDemand.id()));
    let cheapest = on_demand.and_then(|c| comparison.break_even.iter().find(|b| b.against == c.id));
    Inverse {
        smallest_for_deadline: smallest_for_deadline(request, field),
        most_tokens: most_tokens(request, inputs, field),
        buying_wins_from_utilization: cheapest.and_then(|b| b.utilization),
    }
}

/// The fewest devices of the sizes that are searched; the cheapest of so many.
fn smallest_for_deadline(request: &PlanRequest, field: &Field) -> Option<Candidate> {
    let deadline = request.deadline_days?;
    points(field)
        .filter(|(sized, _, _)| select::power_is_enough(request, sized))
        .map(|(_, _, candidate)| candidate)
        .filter(|c| c.days <= deadline)
        .min_by(|a, b| a.gpus.cmp(&b.gpus).then(a.total_usd.total_cmp(&b.total_usd)))
}

/// One cluster and way of acquiring it, for any number of tokens.
struct Way<'a> {
    sized: &'a Sized,
    /// Absent when bought.
    rental: Option<&'a Rental>,
    goodput: f64,
    /// Tokens at which a bound is met at the latest.
    at_most: f64,
}

/// Days, total and cash of a way at a number of tokens.
struct Outcome {
    days: f64,
    total: f64,
    cash: f64,
}

impl Way<'_> {
    fn days(&self, tokens: f64) -> f64 {
        days_of(tokens, self.sized.tokens_per_second, self.goodput)
    }

    fn storage(&self, inputs: &Inputs, tokens: f64) -> StorageNeed {
        let bytes = Catalog::get().costs.bytes_per_token.value;
        let (checkpoint, gpus) = (self.sized.reliability.checkpoint_bytes, f64::from(self.sized.gpus));
        storage_need(tokens, bytes, checkpoint, inputs.storage_rates(gpus))
    }

    /// What the plan would say of so many tokens.
    fn outcome(&self, request: &PlanRequest, inputs: &Inputs, tokens: f64) -> Option<Outcome> {
        let days = self.days(tokens);
        let sized = self.sized;
        let (gpus, storage) = (f64::from(sized.gpus), self.storage(inputs, tokens));
        if let Some(rental) = self.rental {
            let run = Run { gpus, hours: days * 24.0, ..Run::of(request, storage) };
            let rent = rental.run(inputs, &run, rental.price.typical);
            return Some(Outcome { days, total: rent.total, cash: rent.cash });
        }
        let kw = power::nameplate_kw(sized.accelerator, gpus)?;
        let bill = bill::bill(request, inputs, sized.accelerator, sized.gpus, sized.network.as_ref(), &storage)?;
        let own = Ownership::new(inputs, &bill, gpus, f64::from(sized.nodes), kw);
        let total = acquire::paid(&own, Range::exactly(days)).typical;
        Some(Outcome { days, total, cash: total })
    }

    /// The most tokens whose cash is within the budget, by halving: cash never falls with tokens.
    fn most(&self, request: &PlanRequest, inputs: &Inputs) -> Option<f64> {
        let Some(budget) = request.budget_usd else { return Some(self.at_most) };
        let affordable = |tokens: f64| self.outcome(request, inputs, tokens).is_some_and(|o| o.cash <= budget);
        if affordable(self.at_most) {
            return Some(self.at_most);
        }
        let (mut low, mut high) = (0.0, self.at_most);
        for _ in 0..22 {
            let middle = 0.5 * (low + high);
            if affordable(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        (low > 0.0).then_some(low)
    }
}

/// The most tokens within deadline, budget, monthly budget and power.
fn most_tokens(request: &PlanRequest, inputs: &Inputs, field: &Field) -> Option<MostTokens> {
    if request.deadline_days.is_none() && request.budget_usd.is_none() {
        return None;
    }
    let mut ways: Vec<Way<'_>> = Vec::new();
    for sized in field.sized.iter().filter(|s| s.found.fits && select::power_is_enough(request, s)) {
        let monthly = |usd: f64| request.monthly_budget_usd.is_none_or(|budget| usd <= budget);
        let rate = sized.tokens_per_second * 86_400.0;
        let days = request.deadline_days.unwrap_or(f64::MAX);
        let gpus = f64::from(sized.gpus);
        if let Some(own) = sized.own.as_ref().filter(|own| monthly(own.month(request.utilization).typical)) {
            let goodput = sized.reliability.goodput;
            // the storage for fewer tokens may cost nothing, the rest of the purchase remains
            let on_top = 1.0 + inputs.installation_share.value() + inputs.tax_share.value();
            let storage = bill::storage_usd(request, inputs, &sized.storage) * on_top;
            let left = request.budget_usd.map_or(f64::MAX, |b| b - own.capital.typical + storage);
            let affordable = left / (own.running_month(1.0) * 24.0 / crate::units::HOURS_PER_MONTH).max(1e-9);
            let at_most = rate * goodput * days.min(affordable);
            ways.push(Way { sized, rental: None, goodput, at_most });
        }
        let failures = acquire::failures(inputs, gpus, sized.reliability.checkpoint_bytes);
        for rental in field.rentals(sized).iter().filter(|r| r.can_hold(sized.gpus)) {
            if !monthly(rental.month(inputs, gpus, 1.0).typical) {
                continue;
            }
            let goodput = match rental.acquisition {
                Acquisition::Spot => reliability(&failures_of(inputs, rental, &failures)).goodput,
                _ => sized.reliability.goodput,
            };
            let affordable =
                request.budget_usd.map_or(f64::MAX, |b| b / (gpus * 24.0 * rental.price.typical).max(1e-9));
            let days = days.min(affordable).min(rental.offer.max_days.unwrap_or(f64::MAX));
            ways.push(Way { sized, rental: Some(rental), goodput, at_most: rate * goodput * days });
        }
    }
    ways.retain(|w| w.at_most > 0.0);
    ways.sort_by(|a, b| b.at_most.total_cmp(&a.at_most));
    let mut most = 0.0;
    for way in &ways {
        // no later way can do more
        if way.at_most <= most {
            break;
        }
        most = way.most(request, inputs).unwrap_or(0.0).max(most);
    }
    let (fewest, largest) = PLAN_LIMITS.training_tokens;
    let tokens = three_digits_down(most).min(largest as f64);
    if tokens < fewest as f64 {
        return None;
    }
    // of those that do as many, the cheapest
    let within = |o: &Outcome| request.budget_usd.is_none_or(|budget| o.cash <= budget);
    let (way, outcome) = ways
        .iter()
        .take_while(|w| w.at_most >= tokens)
        .filter_map(|w| Some((w, w.outcome(request, inputs, tokens).filter(within)?)))
        .min_by(|a, b| a.1.total.total_cmp(&b.1.total))?;
    let sized = way.sized;
    Some(MostTokens {
        training_tokens: tokens as u64,
        candidate: Candidate {
            accelerator: sized.accelerator.id.clone(),
            accelerator_short: sized.accelerator.short.clone(),
            gpus: sized.gpus,
            acquisition: way.rental.map_or(Acquisition::Buy, |r| r.acquisition),
            provider: way.rental.map(|r| r.offer.provider.clone()),
            minimum_months: way.rental.map_or(0.0, |r| r.commitment_months),
            days: outcome.days,
            total_usd: cents(outcome.total),
            mfu: sized.mfu,
            layout: sized.found.layout,
        },
    })
}

fn three_digits_down(value: f64) -> f64 {
    if value < 1.0 {
        return 0.0;
    }
    let scale = 10f64.powi(value.log10().floor() as i32 - 2);
    // exact for whole numbers up to 1e15
    (value / scale).floor() * scale
}

/// Sizes of model that are tried: two significant digits, 0.1 to 9,900 billion.
const DECADES: u32 = 5;
const STEPS: u32 = 90;

fn size_of(index: u32) -> f64 {
    let (decade, step) = (index / STEPS, index % STEPS);
    // tenths first: 0.10, 0.11, … are written as people write them
    f64::from(10 + step) * 10f64.powi(decade as i32) / 100.0
}

/// The largest dense model, by the size law, that budget, deadline and power allow, on as many tokens per parameter as
/// the request asks for its own model.
///
/// It plans about ten models, so it takes about ten times as long as [`plan`](fn@crate::plan). `None` without a budget
/// or deadline, or when not even the smallest is possible.
pub fn largest_model(request: &PlanRequest) -> Option<LargestModel> {
    if request.deadline_days.is_none() && request.budget_usd.is_none() {
        return None;
    }
    let cheapest = |index: u32| {
        let sized = request.with_size(size_of(index));
        let field = Field::search(&sized, &Inputs::of(&sized));
        let (cheapest, _) = super::within_limits(&sized, &field);
        cheapest.map(|candidate| LargestModel {
            parameters_billion: size_of(index),
            training_tokens: sized.training_tokens,
            candidate,
        })
    };
    let mut best = cheapest(0)?;
    // possible at `low`, and not at `high`
    let (mut low, mut high) = (0, DECADES * STEPS);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match cheapest(middle) {
            Some(found) => {
                best = found;
                low = middle;
            }
            None => high = middle,
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_two_digits_and_rise() {
        assert_eq!((size_of(0), size_of(1), size_of(90), size_of(270)), (0.1, 0.11, 1.0, 100.0));
        assert!((1..DECADES * STEPS).all(|i| size_of(i) > size_of(i - 1)));
    }

    #[test]
    fn tokens_are_rounded_down() {
        for (tokens, rounded) in [(1_234_567.0, 1_230_000.0), (999.9, 999.0), (1e12, 1e12), (0.5, 0.0)] {
            assert_eq!(three_digits_down(tokens), rounded);
        }
    }
}
