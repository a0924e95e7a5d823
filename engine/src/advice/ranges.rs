//! Days and cost of the shown run as a distribution over throughput, failures and prices.

use super::acquire::{self, Acquired, days_of};
use super::candidates::{Field, Sized};
use crate::answer::{Percentiles, RunRanges, TierPlan};
use crate::catalog::Range;
use crate::economics::cents;
use crate::economics::inputs::{Input, Inputs};
use crate::economics::quasi::{Draw, draws};
use crate::economics::rental::{Rental, Run};
use crate::operation::reliability::{FailureInputs, reliability};
use crate::request::PlanRequest;
use crate::units::HOURS_PER_MONTH;

/// Normal deviate of the 90th percentile.
const NINETIETH: f64 = 1.281_551_6;

/// What the draws vary of one run; the layout stays as found.
struct Varied<'a> {
    request: &'a PlanRequest,
    inputs: Inputs,
    sized: &'a Sized,
    rental: Option<&'a Rental>,
    failures: FailureInputs,
    failures_per_gpu_year: Range,
    restart_hours: Range,
    extras: Input,
    running_other: Range,
    running_place: Range,
    running_energy: Range,
}

/// Percentiles of the shown tier's days and cost.
pub(super) fn ranges(
    request: &PlanRequest,
    inputs: &Inputs,
    field: &Field,
    sized: &Sized,
    tier: &TierPlan,
) -> Option<RunRanges> {
    let cost = tier.cost.as_ref()?;
    let option = sized.options.iter().find(|o| o.acquisition == cost.acquisition && o.label == cost.label)?;
    Some(of_draws(&Varied::new(request, inputs, field, sized, option), draws()))
}

fn of_draws(varied: &Varied<'_>, draws: &[Draw]) -> RunRanges {
    let mut inputs = varied.inputs.clone();
    let (mut days, mut usd): (Vec<f64>, Vec<f64>) = draws.iter().map(|d| varied.run(&mut inputs, d)).unzip();
    let percentiles = |p: Percentiles, f: fn(f64) -> f64| Percentiles { p10: f(p.p10), p50: f(p.p50), p90: f(p.p90) };
    RunRanges {
        days: percentiles(of_sample(&mut days), |d| d),
        total_usd: percentiles(of_sample(&mut usd), cents),
        draws: draws.len() as u32,
    }
}

impl<'a> Varied<'a> {
    fn new(request: &'a PlanRequest, inputs: &Inputs, field: &'a Field, sized: &'a Sized, option: &Acquired) -> Self {
        let failures = acquire::failures(inputs, f64::from(sized.gpus), sized.reliability.checkpoint_bytes);
        let rental = option.rental.map(|i| &field.rentals(sized)[i]);
        let failures = rental.map_or(failures, |r| acquire::failures_of(inputs, r, &failures));
        let of = |keys: &[&str]| {
            let parts = sized.own.iter().flat_map(|own| &own.parts).filter(|p| keys.contains(&p.key));
            parts.fold(Range::exactly(0.0), |sum, p| sum.plus(p.month))
        };
        Self {
            request,
            inputs: inputs.clone(),
            sized,
            rental,
            failures,
            failures_per_gpu_year: inputs.failures_per_gpu_year.range,
            restart_hours: inputs.restart_hours.range,
            extras: inputs.cloud_extras_share.clone(),
            running_other: of(&["support", "insurance", "software", "staff", "demand_charge"]),
            running_place: of(&["colocation", "own_facility"]),
            running_energy: of(&["energy"]),
        }
    }

    /// Days and cost of one draw, USD.
    fn run(&self, inputs: &mut Inputs, draw: &Draw) -> (f64, f64) {
        let failing = FailureInputs {
            failures_per_gpu_year: two_sided(self.failures_per_gpu_year, draw.failures),
            restart_hours: two_sided(self.restart_hours, draw.restart),
            ..self.failures
        };
        let e = &self.sized.estimate;
        let band = Range { low: e.band.low, typical: e.tokens_per_second_per_gpu, high: e.band.high };
        let gpus = f64::from(self.sized.gpus);
        let per_second = two_piece_normal(band, draw.throughput) * gpus;
        let days = days_of(self.request.training_tokens as f64, per_second, reliability(&failing).goodput);
        let hours = days * 24.0;
        let usd = match (self.rental, &self.sized.own) {
            (Some(rental), _) => {
                inputs.cloud_extras_share.range.typical = two_sided(self.extras.range, draw.other);
                let run = Run { gpus, hours, ..Run::of(self.request, self.sized.storage) };
                rental.run(inputs, &run, two_sided(rental.price, draw.devices)).total
            }
            (None, Some(own)) => {
                let month = two_sided(self.running_energy, draw.electricity)
                    + two_sided(self.running_place, draw.place)
                    + two_sided(self.running_other, draw.other);
                two_sided(own.capital, draw.devices) + month * hours / HOURS_PER_MONTH
            }
            (None, None) => 0.0,
        };
        (days, usd)
    }
}

/// Quantile of a range whose typical value is its median: half the draws on each side, thinning out linearly to the end.
///
/// A plain triangle would have its median on the longer side: above the headline wherever a price can rise further than
/// it can fall. What is called typical is what half of the buyers pay less than.
fn two_sided(range: Range, u: f64) -> f64 {
    let (a, c, b) = (range.low, range.typical, range.high);
    if u < 0.5 { a + (c - a) * (2.0 * u).sqrt() } else { b - (b - c) * (2.0 * (1.0 - u)).sqrt() }
}

/// A median with a 10th and a 90th percentile, as the band of a throughput states them; never below a quarter of it.
fn two_piece_normal(band: Range, deviate: f64) -> f64 {
    let side = if deviate < 0.0 { band.typical - band.low } else { band.high - band.typical };
    (band.typical + side * deviate / NINETIETH).max(0.25 * band.typical)
}

/// 10th, 50th and 90th percentile; sorts the sample in part.
fn of_sample(sample: &mut [f64]) -> Percentiles {
    let mut at = |share: f64| {
        let index = ((sample.len() as f64 * share) as usize).min(sample.len().saturating_sub(1));
        sample.select_nth_unstable_by(index, f64::total_cmp).1.to_owned()
    };
    Percentiles { p10: at(0.1), p50: at(0.5), p90: at(0.9) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::economics::quasi::tests::pseudo_random;
    use crate::request::Form;
    use serde_json::json;

    #[test]
    fn a_range_has_its_ends_its_median_and_its_mean() {
        let range = Range { low: 1.0, typical: 2.0, high: 6.0 };
        assert_eq!((two_sided(range, 0.0), two_sided(range, 0.5), two_sided(range, 1.0)), (1.0, 2.0, 6.0));
        assert!((1..1_000).all(|i| two_sided(range, f64::from(i) / 1e3) > two_sided(range, f64::from(i - 1) / 1e3)));
        // half of it has the mean of a triangle that rises to 2, half that of one that falls from 2 to 6
        let by_hand = 0.5 * (1.0 + 2.0 / 3.0) + 0.5 * (2.0 + 4.0 / 3.0);
        let mean: f64 = (0..10_000).map(|i| two_sided(range, (f64::from(i) + 0.5) / 1e4)).sum::<f64>() / 1e4;
        assert!((mean - by_hand).abs() < 1e-4, "{mean} {by_hand}");
        assert_eq!(two_sided(Range::exactly(5.0), 0.7), 5.0);
    }

    /// The 2,048 points give what 100,000 pseudo-random draws give, to one percent.
    #[test]
    fn percentiles_converge_to_those_of_a_large_random_sample() {
        let random = pseudo_random(100_000);
        for acquisition in ["buy", "on_demand", "spot", "reserved"] {
            let request = json!({"model": {"preset": "llama-3.1-8b"}, "training_tokens": 200_000_000_000_u64,
                "accelerators": ["h100-sxm", "b200"], "max_gpus": 64, "acquisition": [acquisition]});
            let request = PlanRequest::parse(&request, Form::Json).expect("valid");
            let inputs = Inputs::of(&request);
            let field = Field::search(&request, &inputs);
            let sized = field.sized.iter().rfind(|s| !s.options.is_empty()).expect("an offer");
            let varied = Varied::new(&request, &inputs, &field, sized, &sized.options[0]);
            let (found, reference) = (of_draws(&varied, draws()), of_draws(&varied, &random));
            for (a, b) in [(found.days, reference.days), (found.total_usd, reference.total_usd)] {
                assert!(a.p10 < a.p50 && a.p50 < a.p90, "{acquisition} {a:?}");
                for (x, y) in [(a.p10, b.p10), (a.p50, b.p50), (a.p90, b.p90)] {
                    assert!((x / y - 1.0).abs() < 0.01, "{acquisition}: {x} {y}");
                }
            }
        }
    }
}
