//! Ways of having a cluster for a run: days, cost, cash.

use super::candidates::Sized;
use super::headline::days_text;
use crate::answer::CostOption;
use crate::catalog::{OfferTerm, Range};
use crate::economics::inputs::Inputs;
use crate::economics::ownership::Ownership;
use crate::economics::rental::{Rent, Rental, Run};
use crate::economics::{age, cents};
use crate::operation::reliability::{FailureInputs, Reliability, reliability};
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
    /// Of it, storage, egress and support of a rental, USD.
    pub extras: f64,
    /// Paid by the end of the run, USD.
    pub cash: f64,
    /// Paid per month, USD.
    pub month: f64,
    pub usd_per_gpu_hour: f64,
    pub source: String,
    pub as_of: String,
    pub fabric: Option<String>,
    pub term: Option<OfferTerm>,
    pub minimum_months: f64,
    /// The offer doesn't say how long the commitment is.
    pub term_assumed: bool,
    pub max_days: Option<f64>,
    /// Interruptions of one spot machine per hour.
    pub taken_away_per_hour: f64,
    /// Failures and checkpoints of this way.
    pub reliability: Reliability,
    /// Index of the rental, and its rent; absent when bought.
    pub rental: Option<usize>,
    pub rent: Option<Rent>,
}

/// Failure inputs of a cluster of devices that nobody takes away.
pub(crate) fn failures(inputs: &Inputs, gpus: f64, checkpoint_bytes: f64) -> FailureInputs {
    FailureInputs {
        gpus,
        failures_per_gpu_year: inputs.failures_per_gpu_year.value(),
        taken_away_per_hour: 0.0,
        restart_hours: inputs.restart_hours.value(),
        checkpoint_bytes,
        write_bytes_per_second: inputs.storage_rates(gpus).write * GB,
    }
}

/// Days = tokens / (tokens/s × goodput).
pub(super) fn days_of(tokens: f64, tokens_per_second: f64, goodput: f64) -> f64 {
    tokens / (tokens_per_second * goodput.max(1e-9)) / 86_400.0
}

/// Days with the band of the throughput.
fn days(request: &PlanRequest, sized: &Sized, goodput: f64) -> Range {
    let gpus = f64::from(sized.gpus);
    let at = |per_gpu: f64| days_of(request.training_tokens as f64, per_gpu * gpus, goodput);
    let e = &sized.estimate;
    Range { low: at(e.band.high), typical: at(e.tokens_per_second_per_gpu), high: at(e.band.low) }
}

/// Purchase in full and running cost until the end of a run, USD.
pub(super) fn paid(own: &Ownership, days: Range) -> Range {
    let months = days.map(|d| d * 24.0 / HOURS_PER_MONTH);
    let running = own.running_range(1.0);
    Range {
        low: own.capital.low + running.low * months.low,
        typical: own.capital.typical + running.typical * months.typical,
        high: own.capital.high + running.high * months.high,
    }
}

/// Failures of a rental: on spot, machines are taken away too.
pub(super) fn failures_of(inputs: &Inputs, rental: &Rental, failures: &FailureInputs) -> FailureInputs {
    if rental.acquisition != Acquisition::Spot {
        return *failures;
    }
    let machines = (failures.gpus / f64::from(rental.machine_gpus.max(1))).ceil();
    FailureInputs { taken_away_per_hour: inputs.spot_interruptions_per_hour.value() * machines, ..*failures }
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
    if let Some(own) = &sized.own {
        all.push(bought(request, sized, own));
    }
    for (index, rental) in rentals.iter().enumerate().filter(|(_, r)| r.can_hold(sized.gpus)) {
        let reliability = match rental.acquisition {
            Acquisition::Spot => reliability(&failures_of(inputs, rental, failures)),
            _ => sized.reliability,
        };
        let days = days(request, sized, reliability.goodput);
        if rental.offer.max_days.is_some_and(|most| days.typical > most) {
            continue;
        }
        all.push(rented(request, inputs, sized, rental, index, days, reliability));
    }
    all.sort_by(|a, b| a.total.typical.total_cmp(&b.total.typical));
    all
}

fn bought(request: &PlanRequest, sized: &Sized, own: &Ownership) -> Acquired {
    let goodput = sized.reliability.goodput;
    let days = days(request, sized, goodput);
    let total = paid(own, days);
    Acquired {
        acquisition: Acquisition::Buy,
        provider: None,
        label: "Buy".into(),
        days,
        goodput,
        total,
        extras: 0.0,
        cash: total.typical,
        month: own.month(request.utilization).typical,
        usd_per_gpu_hour: own.useful_hour(request.utilization).typical,
        source: "bill of materials and running costs of this plan".into(),
        as_of: server_date(request, sized),
        fabric: Some(sized.fabric.clone()),
        term: None,
        minimum_months: 0.0,
        term_assumed: false,
        max_days: None,
        taken_away_per_hour: 0.0,
        reliability: sized.reliability,
        rental: None,
        rent: None,
    }
}

/// Date of the price of the servers, the largest part of a purchase; empty for the caller's own.
fn server_date(request: &PlanRequest, sized: &Sized) -> String {
    let own = request.overrides.server_usd.contains_key(&sized.accelerator.id);
    sized.accelerator.system_usd.as_ref().filter(|_| !own).map_or_else(String::new, |f| f.date.clone())
}

fn rented(
    request: &PlanRequest,
    inputs: &Inputs,
    sized: &Sized,
    rental: &Rental,
    index: usize,
    days: Range,
    reliability: Reliability,
) -> Acquired {
    let gpus = f64::from(sized.gpus);
    let run = |price: f64, days: f64| {
        let run = Run { gpus, hours: days * 24.0, ..Run::of(request, sized.storage) };
        rental.run(inputs, &run, price)
    };
    let rent = run(rental.price.typical, days.typical);
    Acquired {
        acquisition: rental.acquisition,
        provider: Some(rental.offer.provider.clone()),
        label: rental.label(),
        days,
        goodput: reliability.goodput,
        total: Range {
            low: run(rental.price.low, days.low).total,
            typical: rent.total,
            high: run(rental.price.high, days.high).total,
        },
        extras: rent.extras,
        cash: rent.cash,
        month: rental.month(inputs, gpus, 1.0).typical,
        usd_per_gpu_hour: rental.price.typical,
        source: rental.source.clone(),
        as_of: rental.as_of.clone(),
        fabric: rental.offer.fabric.clone(),
        term: Some(rental.offer.term),
        minimum_months: rental.commitment_months,
        term_assumed: rental.term_assumed(),
        max_days: rental.offer.max_days,
        taken_away_per_hour: inputs.spot_interruptions_per_hour.value(),
        reliability,
        rental: Some(index),
        rent: Some(rent),
    }
}

impl Acquired {
    /// What a commitment takes.
    fn commitment(&self, horizon_months: u32) -> String {
        let term = self.minimum_months;
        let assumed =
            if self.term_assumed { " The offer does not state its length: 12 months are assumed." } else { "" };
        let beyond = if term > f64::from(horizon_months) {
            format!(", also those of the {:.0} months beyond the horizon", term - f64::from(horizon_months))
        } else {
            String::new()
        };
        format!(
            "Every hour of {term:.0} months is paid; the run bears its hours, and those without work in proportion{beyond}.{assumed}"
        )
    }

    /// What machines that are taken away do to the run, and to work that never ends.
    fn taken_away(&self, utilization: f64, steady: f64) -> String {
        let mut text = format!(
            "Machines are taken away ({} an hour and machine): the run takes {} instead of {}.",
            self.taken_away_per_hour,
            days_text(self.days.typical),
            days_text(self.days.typical * self.goodput / steady)
        );
        let needed = utilization * steady / self.goodput;
        if needed > 1.0 {
            text += &format!(
                " They can't do the work of a steady cluster that is used {:.0}% of the time: it would take {:.0}% of all hours.",
                100.0 * utilization,
                100.0 * needed
            );
        }
        text
    }

    /// What a reader of the row must know; `steady` is the goodput when nothing is taken away.
    fn note(&self, request: &PlanRequest, steady: f64) -> Option<String> {
        match self.term? {
            OfferTerm::Spot => Some(self.taken_away(request.utilization, steady)),
            OfferTerm::CapacityBlock => Some(match self.max_days {
                Some(most) => format!("Whole days, paid up front; a block is booked for at most {most:.0} days."),
                None => "Whole days, paid up front.".into(),
            }),
            OfferTerm::Reserved => Some(self.commitment(request.horizon_months)),
            OfferTerm::OnDemand => None,
        }
    }

    /// As a line of the answer; `steady` is the goodput of the cluster when nothing is taken away.
    pub(super) fn as_option(&self, request: &PlanRequest, steady: f64) -> CostOption {
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
            days: self.days,
            goodput: self.goodput,
            extras_usd: cents(self.extras),
            term: self.term,
            minimum_months: self.minimum_months,
            max_days: self.max_days,
            age_days: age::age_days(&self.as_of),
            stale: age::is_stale(&self.as_of),
            note: self.note(request, steady),
        }
    }
}
