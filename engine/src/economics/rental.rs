//! What a rental offer costs.

use super::inputs::Inputs;
use crate::catalog::{Accelerator, Catalog, Figure, Offer, OfferTerm, ProviderClass, Range};
use crate::operation::storage::StorageNeed;
use crate::request::{Acquisition, PlanRequest};
use crate::units::HOURS_PER_MONTH;

/// Commitment of an offer that does not state one, months.
const ASSUMED_MONTHS: u32 = 12;
/// Form of devices that only their maker's cloud has.
const CLOUD_ONLY: &str = "cloud-only";

/// An offer that may be used in a request, with the price that counts.
#[derive(Clone, Debug)]
pub(crate) struct Rental {
    pub offer: &'static Offer,
    pub acquisition: Acquisition,
    pub provider_label: String,
    /// USD per device-hour: the catalog's, or the caller's.
    pub price: Range,
    pub source: String,
    pub as_of: String,
    /// The price is the caller's.
    pub given: bool,
    /// Fabric and rate when several machines work together; `None`: only one machine.
    pub fabric: Option<String>,
    pub network_gbps: f64,
    /// The fabric is assumed, because the offer doesn't say.
    pub fabric_assumed: bool,
    /// Months of commitment.
    pub commitment_months: f64,
    /// Devices that one machine has, and that are joined without a fabric.
    pub machine_gpus: u32,
    pub joined_gpus: u32,
}

/// Offers of an accelerator that the request allows.
pub(crate) fn rentals(request: &PlanRequest, accelerator: &Accelerator) -> Vec<Rental> {
    let catalog = Catalog::get();
    let reference = accelerator.network_gbps_per_gpu.as_ref().map(|f| f.value);
    let mut found: Vec<Rental> = catalog
        .offers
        .iter()
        .filter(|offer| offer.accelerator == accelerator.id)
        .filter(|offer| request.providers.is_empty() || request.providers.contains(&offer.provider))
        .filter_map(|offer| {
            let acquisition = match offer.term {
                OfferTerm::OnDemand => Acquisition::OnDemand,
                OfferTerm::Reserved | OfferTerm::CapacityBlock => Acquisition::Reserved,
                OfferTerm::Spot => Acquisition::Spot,
            };
            let provider = catalog.provider(&offer.provider)?;
            if !request.allows(acquisition) {
                return None;
            }
            let own = request.overrides.gpu_hour_usd.get(&offer.provider).and_then(|p| p.get(&accelerator.id));
            let (price, source, as_of) = match own {
                Some(usd) => {
                    let (source, as_of) =
                        request.quotes.source(&format!("gpu_hour_usd.{}.{}", offer.provider, accelerator.id));
                    (Range::exactly(*usd), source, as_of)
                }
                None => {
                    let f = &offer.usd_per_gpu_hour;
                    (posted(f), f.source.clone(), f.date.clone())
                }
            };
            // a pod of a cloud's own devices is sold by the device, in slices that its scale-up link joins
            let by_device = accelerator.form == CLOUD_ONLY && offer.gpus < accelerator.gpus_per_node;
            // a whole machine of a provider that sells clusters has the usual network; a single device has none
            let whole_machine = offer.gpus >= accelerator.gpus_per_node && provider.class != ProviderClass::Marketplace;
            let assumed = offer.fabric.is_none() && whole_machine && reference.is_some();
            let fabric = offer.fabric.clone().or_else(|| assumed.then(|| "roce".to_owned()));
            Some(Rental {
                offer,
                acquisition,
                provider_label: provider.label.clone(),
                price,
                source,
                as_of,
                given: own.is_some(),
                network_gbps: offer.network_gbps_per_gpu.or(reference).unwrap_or(0.0),
                fabric,
                fabric_assumed: assumed,
                commitment_months: match offer.term {
                    OfferTerm::Reserved => f64::from(offer.months.unwrap_or(ASSUMED_MONTHS)),
                    _ => 0.0,
                },
                machine_gpus: if by_device { accelerator.gpus_per_node } else { offer.gpus },
                joined_gpus: if by_device { accelerator.scale_up_domain } else { offer.gpus },
            })
        })
        .collect();
    // one offer for each provider, term and length of it: the cheapest
    found.sort_by(|a, b| a.price.typical.total_cmp(&b.price.typical));
    let mut kept: Vec<Rental> = Vec::new();
    for rental in found {
        let same = |k: &Rental| {
            k.offer.provider == rental.offer.provider
                && k.offer.term == rental.offer.term
                && k.offer.months == rental.offer.months
                && k.fabric.is_some() == rental.fabric.is_some()
        };
        if !kept.iter().any(same) {
            kept.push(rental);
        }
    }
    kept
}

/// Range of a posted price: its own, or what is paid over posted prices in general.
fn posted(figure: &Figure) -> Range {
    if figure.low.is_some() || figure.high.is_some() {
        return figure.range();
    }
    Catalog::get().costs.rental_price_ratio.range().map(|factor| factor * figure.value)
}

/// What a run takes of a rental, beside devices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub gpus: f64,
    /// Calendar hours.
    pub hours: f64,
    /// Share of a commitment's hours that hold work.
    pub utilization: f64,
    /// Months in which there is work.
    pub horizon_months: f64,
    pub storage: StorageNeed,
}

impl Run {
    /// A run without devices and hours, with what the request says of the use of what is held.
    pub(crate) fn of(request: &PlanRequest, storage: StorageNeed) -> Self {
        let horizon_months = f64::from(request.horizon_months);
        Self { gpus: 0.0, hours: 0.0, utilization: request.utilization, horizon_months, storage }
    }
}

/// Rent of a run, USD.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rent {
    /// What the run bears.
    pub total: f64,
    /// Of it, storage, egress and support.
    pub extras: f64,
    /// What leaves the account by its end.
    pub cash: f64,
    /// Hours of the calendar, and those that are billed: whole days of a block of capacity.
    pub hours: f64,
    pub billed_hours: f64,
    /// Hours of whole terms of a commitment, and those of them in which there is work; absent without one.
    pub held: Option<Held>,
    /// What is stored while it lasts, and one checkpoint, TB.
    pub stored_tb: f64,
    pub checkpoint_tb: f64,
}

/// A commitment that a run signs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// Hours of whole terms.
    pub hours: f64,
    /// Of them, those within the horizon or the run.
    pub with_work: f64,
    /// Storage, egress and support of all of them, USD.
    pub extras: f64,
}

impl Rental {
    /// The offer can hold a cluster of so many devices.
    pub(crate) fn can_hold(&self, gpus: u32) -> bool {
        self.fabric.is_some() || gpus <= self.joined_gpus
    }

    /// Rent of a run at a price per device-hour.
    ///
    /// On demand and spot pay the hours of the run. A commitment pays every hour of whole terms: the run bears the
    /// hours in which nothing works in proportion, those of a term beyond the horizon among them, and its cash is the
    /// whole of the terms. A capacity block is paid up front for whole days. Storage, egress and support come on top, see [`extras`].
    pub(crate) fn run(&self, inputs: &Inputs, run: &Run, price: f64) -> Rent {
        let days = run.hours / 24.0;
        let billed = if self.offer.term == OfferTerm::CapacityBlock { days.ceil() * 24.0 } else { run.hours };
        let device = run.gpus * billed * price;
        let extras = extras(inputs, device, run.hours, &run.storage);
        let rent = Rent {
            total: device + extras,
            extras,
            cash: device + extras,
            hours: run.hours,
            billed_hours: billed,
            held: None,
            stored_tb: run.storage.needed_tb,
            checkpoint_tb: run.storage.checkpoint_tb,
        };
        if self.commitment_months <= 0.0 {
            return rent;
        }
        let term = self.commitment_months * HOURS_PER_MONTH;
        let hours = (run.hours / term - 1e-9).ceil().max(1.0) * term;
        let with_work = hours.min(run.hours.max(run.horizon_months * HOURS_PER_MONTH));
        let idle = hours / (with_work * run.utilization).max(1e-9);
        let paid = run.gpus * hours * price;
        let held = Held { hours, with_work, extras: self::extras(inputs, paid, hours, &run.storage) };
        Rent {
            total: (device + extras) * idle,
            extras: extras * idle,
            cash: paid + held.extras,
            held: Some(held),
            ..rent
        }
    }

    /// Rent of one month in which a share of the hours holds work, USD: a commitment pays every hour.
    pub(crate) fn month(&self, inputs: &Inputs, gpus: f64, utilization: f64) -> Range {
        let share = if self.acquisition == Acquisition::Reserved { 1.0 } else { utilization };
        let extras = 1.0 + inputs.cloud_extras_share.value();
        self.price.map(|price| gpus * HOURS_PER_MONTH * share * price * extras)
    }

    /// Stable id of the curve.
    pub(crate) fn id(&self) -> String {
        format!("{}-{}", self.term_id(), self.offer.provider)
    }

    fn term_id(&self) -> String {
        match (self.offer.term, self.offer.months) {
            (OfferTerm::CapacityBlock, _) => "capacity_block".into(),
            (OfferTerm::Reserved, Some(months)) => format!("{}_{months}", self.acquisition.id()),
            _ => self.acquisition.id().into(),
        }
    }

    /// The offer does not say how long its commitment is.
    pub(crate) fn term_assumed(&self) -> bool {
        self.offer.term == OfferTerm::Reserved && self.offer.months.is_none()
    }

    /// Name for people.
    pub(crate) fn label(&self) -> String {
        let term = match (self.offer.term, self.offer.months) {
            (OfferTerm::CapacityBlock, _) => "capacity block".to_owned(),
            (OfferTerm::Reserved, Some(months)) => format!("reserved for {months} months"),
            _ => self.acquisition.label().to_lowercase(),
        };
        format!("{}, {term}", self.provider_label)
    }
}

/// Storage, egress and support on top of the devices of a run, USD.
///
/// A share of the device price stands for all three, but never less than what storage (data set, checkpoints and room
/// for work, for as long as the run) and egress (one checkpoint) come to at list price. Where the caller gives the share
/// or one of the prices, it is the share as it stands, plus the parts whose price the caller gives.
fn extras(inputs: &Inputs, device: f64, hours: f64, storage: &StorageNeed) -> f64 {
    let (share, stored, egress) =
        (&inputs.cloud_extras_share, &inputs.object_storage_usd_per_gb_month, &inputs.egress_usd_per_gb);
    let storing = storage.needed_tb * 1_000.0 * stored.value() * hours / HOURS_PER_MONTH;
    let leaving = storage.checkpoint_tb * 1_000.0 * egress.value();
    let by_share = share.value() * device;
    if ![share, stored, egress].iter().any(|input| input.is_given()) {
        return by_share.max(storing + leaving);
    }
    let given = |is_given: bool, usd: f64| if is_given { usd } else { 0.0 };
    by_share + given(stored.is_given(), storing) + given(egress.is_given(), leaving)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::storage::{Rates, storage_need};
    use crate::request::{Form, StorageClass};
    use serde_json::json;

    fn reserved(horizon: u32) -> (PlanRequest, Vec<Rental>) {
        let value = json!({"model": {"preset": "llama-3.2-1b"}, "acquisition": ["reserved"], "horizon_months": horizon,
            "overrides": {"cloud_extras_share": 0}});
        let request = PlanRequest::parse(&value, Form::Json).expect("valid");
        let device = Catalog::get().accelerator("tpu-v5e").expect("in the catalog");
        let found = rentals(&request, device);
        (request, found)
    }

    #[test]
    fn each_length_of_a_commitment_is_a_choice_of_its_own() {
        let (_, found) = reserved(36);
        let ids: Vec<String> = found.iter().map(Rental::id).collect();
        assert_eq!(ids, ["reserved_36-gcp", "reserved_12-gcp"]);
        assert!(found[0].label().ends_with("reserved for 36 months") && found[0].commitment_months == 36.0);
        // sold by the chip, in slices of a pod: 256 are joined without a fabric
        assert!(found.iter().all(|r| r.can_hold(256) && !r.can_hold(264)));
    }

    #[test]
    fn a_commitment_pays_whole_terms_and_the_run_bears_what_the_horizon_has_no_work_for() {
        let paid = |horizon: u32, hours: f64| {
            let (request, found) = reserved(horizon);
            let storage = storage_need(1e9, 4.0, 1e9, Rates::of(StorageClass::Standard, 8.0, None));
            let inputs = Inputs::of(&request);
            let run = Run { gpus: 8.0, hours, utilization: 0.5, horizon_months: f64::from(horizon), storage };
            let longest = &found[0];
            (longest.run(&inputs, &run, 1.0), longest.commitment_months * HOURS_PER_MONTH * 8.0)
        };
        // within the horizon: two hours for each that works, and the whole term in cash
        let (rent, term) = paid(36, 100.0);
        assert!((rent.total - 1_600.0).abs() < 1e-6 && (rent.cash - term).abs() < 1e-6, "{rent:?} {term}");
        // a year of work for three years of rent: three times as much
        let (rent, term) = paid(12, 100.0);
        assert!((rent.total - 4_800.0).abs() < 1e-6 && (rent.cash - term).abs() < 1e-6, "{rent:?}");
        // a run that outlasts the term signs another
        let (rent, term) = paid(12, 36.0 * HOURS_PER_MONTH + 1.0);
        assert!((rent.cash - 2.0 * term).abs() < 1e-3, "{rent:?}");
    }
}
