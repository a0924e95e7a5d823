//! Ways of having a cluster for a run: days, cost, cash.

use super::candidates::Sized;
use crate::answer::CostOption;
use crate::catalog::Range;
use crate::economics::cents;
use crate::economics::inputs::Inputs;
use crate::economics::rental::Rental;
use crate::operation::reliability::{FailureInputs, reliability};
use crate::request::{Acquisition, PlanRequest};
use crate::units::{GB, HOURS_PER_MONTH};

/// One way of having a cluster.
#[derive(Clone, Debug)]
pub(super) struct Acquired {
    pub acquisition: Acquisition,
    pub provider: Option<String>,
    pub label: String,
    /// Days of the run.
    pub days: Range,
    /// Productive share of the calendar.
    pub goodput: f64,
    /// Cost of the run, USD; a purchase counts in full.
    pub total: Range,
    /// Paid by the end of the run, USD.
    pub cash: f64,
    /// Paid per month, USD.
    pub month: f64,
    pub usd_per_gpu_hour: f64,
    pub source: String,
    pub as_of: String,
    pub fabric: Option<String>,
    /// Index of the rental; absent when bought.
    pub rental: Option<usize>,
}

/// Failure inputs of a cluster of devices that nobody takes away.
pub(super) fn failures(inputs: &Inputs, gpus: f64, checkpoint_bytes: f64) -> FailureInputs {
    let per_gpu = crate::catalog::Catalog::get().costs.storage_write_gb_per_second_per_gpu.value;
    let write = inputs.checkpoint_write_gb_per_second.unwrap_or(per_gpu * gpus);
    FailureInputs {
        gpus,
        failures_per_gpu_year: inputs.failures_per_gpu_year.value(),
        taken_away_per_hour: 0.0,
        restart_hours: inputs.restart_hours.value(),
        checkpoint_bytes,
        write_bytes_per_second: write * GB,
    }
}

/// Days = tokens / (tokens/s × goodput), with the band of the throughput.
fn days(request: &PlanRequest, sized: &Sized, goodput: f64) -> Range {
    let at = |per_gpu: f64| {
        let seconds = request.training_tokens as f64 / (per_gpu * f64::from(sized.gpus) * goodput.max(1e-9));
        seconds / 86_400.0
    };
    let e = &sized.estimate;
    Range { low: at(e.band.high), typical: at(e.tokens_per_second_per_gpu), high: at(e.band.low) }
}

/// Every way of having this cluster, cheapest first.
pub(super) fn options(
    request: &PlanRequest,
    inputs: &Inputs,
    sized: &Sized,
    rentals: &[Rental],
    failures: &FailureInputs,
) -> Vec<Acquired> {
    let mut all = Vec::new();
    let gpus = f64::from(sized.gpus);
    let steady = sized.reliability.goodput;
    if let Some(own) = &sized.own {
        let days = days(request, sized, steady);
        let paid = |capital: f64, d: f64| capital + own.running_month(1.0) * d * 24.0 / HOURS_PER_MONTH;
        let capital = own.capital;
        let total = Range {
            low: paid(capital.low, days.low),
            typical: paid(capital.typical, days.typical),
            high: paid(capital.high, days.high),
        };
        all.push(Acquired {
            acquisition: Acquisition::Buy,
            provider: None,
            label: "Buy".into(),
            days,
            goodput: steady,
            total,
            cash: total.typical,
            month: own.capital_month(own.capital.typical) + own.running_month(request.utilization),
            usd_per_gpu_hour: own.useful_hour(request.utilization).typical,
            source: "bill of materials and running costs of this plan".into(),
            as_of: crate::catalog::Catalog::get().version.clone(),
            fabric: Some(sized.fabric.clone()),
            rental: None,
        });
    }
    for (index, rental) in rentals.iter().enumerate().filter(|(_, r)| r.can_hold(sized.gpus)) {
        let goodput = match rental.acquisition {
            Acquisition::Spot => {
                let machines = (gpus / f64::from(rental.offer.gpus.max(1))).ceil();
                let taken_away_per_hour = inputs.spot_interruptions_per_hour.value() * machines;
                reliability(&FailureInputs { taken_away_per_hour, ..*failures }).goodput
            }
            _ => steady,
        };
        let days = days(request, sized, goodput);
        if rental.offer.max_days.is_some_and(|most| days.typical > most) {
            continue;
        }
        let run = |price: f64, d: f64| {
            let scale = if rental.price.typical > 0.0 { price / rental.price.typical } else { 1.0 };
            let (total, cash) = rental.run(inputs, gpus, d * 24.0, request.utilization);
            (total * scale, cash * scale)
        };
        let (typical, cash) = run(rental.price.typical, days.typical);
        all.push(Acquired {
            acquisition: rental.acquisition,
            provider: Some(rental.offer.provider.clone()),
            label: rental.label(),
            days,
            goodput,
            total: Range { low: run(rental.price.low, days.low).0, typical, high: run(rental.price.high, days.high).0 },
            cash,
            month: rental.month(inputs, gpus, 1.0).typical,
            usd_per_gpu_hour: rental.price.typical,
            source: rental.source.clone(),
            as_of: rental.as_of.clone(),
            fabric: rental.offer.fabric.clone(),
            rental: Some(index),
        });
    }
    all.sort_by(|a, b| a.total.typical.total_cmp(&b.total.typical));
    all
}

impl Acquired {
    /// As a line of the answer.
    pub(super) fn as_option(&self, request: &PlanRequest) -> CostOption {
        CostOption {
            acquisition: self.acquisition,
            provider: self.provider.clone(),
            label: self.label.clone(),
            usd_per_gpu_hour: cents(self.usd_per_gpu_hour),
            total_usd: self.total.map(cents),
            cash_usd: cents(self.cash),
            as_of: self.as_of.clone(),
            source: self.source.clone(),
            within_budget: super::select::within_budget(request, self),
            fabric: self.fabric.clone(),
        }
    }
}
