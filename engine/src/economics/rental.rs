//! What a rental offer costs.

use super::inputs::Inputs;
use crate::catalog::{Accelerator, Catalog, Offer, OfferTerm, ProviderClass, Range};
use crate::request::{Acquisition, PlanRequest};

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
    /// Fabric and rate when several machines work together; `None`: only one machine.
    pub fabric: Option<String>,
    pub network_gbps: f64,
    /// The fabric is assumed, because the offer doesn't say.
    pub fabric_assumed: bool,
    /// Months of commitment.
    pub commitment_months: f64,
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
                Some(usd) => (Range::exactly(*usd), "your request".to_owned(), String::new()),
                None => {
                    let f = &offer.usd_per_gpu_hour;
                    (f.range(), f.source.clone(), f.date.clone())
                }
            };
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
                network_gbps: offer.network_gbps_per_gpu.or(reference).unwrap_or(0.0),
                fabric,
                fabric_assumed: assumed,
                commitment_months: match offer.term {
                    OfferTerm::Reserved => f64::from(offer.months.unwrap_or(12)),
                    _ => 0.0,
                },
            })
        })
        .collect();
    // one offer for each provider and way: the cheapest
    found.sort_by(|a, b| a.price.typical.total_cmp(&b.price.typical));
    let mut kept: Vec<Rental> = Vec::new();
    for rental in found {
        let same = |k: &Rental| {
            k.offer.provider == rental.offer.provider
                && k.acquisition == rental.acquisition
                && k.fabric.is_some() == rental.fabric.is_some()
        };
        if !kept.iter().any(same) {
            kept.push(rental);
        }
    }
    kept
}

impl Rental {
    /// The offer can hold a cluster of so many devices.
    pub(crate) fn can_hold(&self, gpus: u32) -> bool {
        self.fabric.is_some() || gpus <= self.offer.gpus
    }

    /// Rent of a run: device-hours × price × (1 + extras). A commitment pays every hour, and the run bears those in
    /// which nothing works in proportion; it pays the whole term in cash.
    pub(crate) fn run(&self, inputs: &Inputs, gpus: f64, hours: f64, utilization: f64) -> (f64, f64) {
        let extras = 1.0 + inputs.cloud_extras_share.value();
        let device_hours = gpus * hours * self.price.typical * extras;
        if self.acquisition == Acquisition::Reserved && self.commitment_months > 0.0 {
            let term = self.commitment_months * crate::units::HOURS_PER_MONTH;
            return (device_hours / utilization, gpus * hours.max(term) * self.price.typical * extras);
        }
        (device_hours, device_hours)
    }

    /// Rent of one month of steady use at a utilization, USD: a commitment pays every hour.
    pub(crate) fn month(&self, inputs: &Inputs, gpus: f64, utilization: f64) -> Range {
        let share = if self.acquisition == Acquisition::Reserved { 1.0 } else { utilization };
        let extras = 1.0 + inputs.cloud_extras_share.value();
        self.price.map(|price| gpus * crate::units::HOURS_PER_MONTH * share * price * extras)
    }

    /// Stable id of the curve.
    pub(crate) fn id(&self) -> String {
        format!("{}-{}", self.acquisition.id(), self.offer.provider)
    }

    /// Name for people.
    pub(crate) fn label(&self) -> String {
        format!("{}, {}", self.provider_label, self.acquisition.label().to_lowercase())
    }
}
