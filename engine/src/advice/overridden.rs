//! The caller's own figures, with what they replace and whether a figure that is shown is computed with them.

use super::candidates::{Field, Sized};
use super::compare;
use crate::answer::{Candidate, OverrideUse, Plan};
use crate::catalog::Catalog;
use crate::economics::bill;
use crate::economics::inputs::Inputs;
use crate::operation::racks;
use crate::request::overrides::items as id;
use crate::request::{Acquisition, Facility, PlanRequest};
use std::collections::BTreeSet;

/// Every override of the request, as far as it is a number.
pub(super) fn overridden(request: &PlanRequest, inputs: &Inputs, field: &Field, plan: &Plan) -> Vec<OverrideUse> {
    let values = request.overrides.values();
    if values.is_empty() {
        return Vec::new();
    }
    let shown = Shown::of(request, inputs, field, plan);
    let planned = |id: &str| field.sized.iter().any(|s| s.accelerator.id == id);
    let offered = |provider: &str| request.providers.is_empty() || request.providers.iter().any(|p| p == provider);
    let one = |known: &crate::request::Quotable, value: f64| {
        let parts: Vec<&str> = known.key.splitn(3, '.').collect();
        let (used, considered) = match parts.as_slice() {
            ["server_usd", accelerator] => {
                let buying = request.allows(Acquisition::Buy) && planned(accelerator);
                (shown.bought.contains(*accelerator), buying)
            }
            ["item_usd", item] => {
                let used = shown.items.contains(*item);
                (used, used)
            }
            ["gpu_hour_usd", provider, accelerator] => {
                let used = shown.rented.contains(&((*provider).to_owned(), (*accelerator).to_owned()));
                (used, known.catalog.is_some() && offered(provider) && planned(accelerator))
            }
            ["efficiency", accelerator] => (shown.trained.contains(*accelerator), planned(accelerator)),
            _ => {
                let used = shown.reads(request, &known.key);
                (used, used)
            }
        };
        let (source, as_of) = request.quotes.source(&known.key);
        OverrideUse {
            key: known.key.clone(),
            label: known.label.clone(),
            unit: known.unit.into(),
            value,
            replaces: of_region(request, &known.key).unwrap_or(known.catalog.map(|c| c.typical)),
            used,
            considered: used || considered,
            source,
            as_of,
        }
    };
    values.into_iter().map(|(known, value)| one(known, value)).collect()
}

/// The region's own figure in place of the general one; `None` for what no region has.
fn of_region(request: &PlanRequest, path: &str) -> Option<Option<f64>> {
    let region = Catalog::get().region(&request.region)?;
    let figure = match path {
        "electricity_usd_per_kwh" => &region.electricity_usd_per_kwh,
        "colocation_usd_per_kw_month" => &region.colocation_usd_per_kw_month,
        "carbon_g_per_kwh" => return Some(region.carbon_g_per_kwh.as_ref().map(|f| f.value)),
        _ => return None,
    };
    figure.as_ref().map(|f| Some(f.value))
}

/// What the figures of a plan are of.
struct Shown<'a> {
    plan: &'a Plan,
    /// Accelerators that are bought in a row of the plan, or priced in its bill.
    bought: BTreeSet<String>,
    /// Parts with a price of the caller's on the bill of a cluster that is bought in a row.
    items: BTreeSet<String>,
    /// Providers and accelerators that are rented in a row or a curve.
    rented: BTreeSet<(String, String)>,
    /// Accelerators of any row.
    trained: BTreeSet<String>,
    /// A way of acquiring is in a row.
    owned: bool,
    spot: bool,
    /// A rental is compared by the month.
    rental_curve: bool,
    /// A bill is shown, or a purchase is in a row.
    billed: bool,
    /// A network is bought whose uplinks follow the oversubscription.
    oversubscribed: bool,
    /// Servers are placed in racks.
    racked: bool,
}

impl<'a> Shown<'a> {
    fn of(request: &PlanRequest, inputs: &Inputs, field: &Field, plan: &'a Plan) -> Self {
        let mut shown = Self {
            plan,
            bought: BTreeSet::new(),
            items: BTreeSet::new(),
            rented: BTreeSet::new(),
            trained: BTreeSet::new(),
            owned: plan.ownership.is_some(),
            spot: false,
            rental_curve: false,
            billed: !plan.bill_of_materials.is_empty(),
            oversubscribed: false,
            racked: false,
        };
        let mut purchases: Vec<&Sized> = Vec::new();
        for tier in &plan.tiers {
            let Some(cluster) = &tier.cluster else { continue };
            shown.trained.insert(cluster.accelerator.clone());
            for option in tier.cost.iter().flat_map(|c| &c.options) {
                shown.row(&cluster.accelerator, option.acquisition, option.provider.as_deref());
            }
            purchases.extend(field.find(tier).and_then(|s| compare::owned(field, s)));
        }
        let inverse = &plan.inverse;
        let of_tokens = inverse.most_tokens.as_ref().map(|m| &m.candidate);
        let named = [&plan.cheapest, &plan.fastest, &inverse.smallest_for_deadline].into_iter().flatten();
        for candidate in plan.frontier.iter().chain(named).chain(of_tokens) {
            shown.trained.insert(candidate.accelerator.clone());
            shown.row(&candidate.accelerator, candidate.acquisition, candidate.provider.as_deref());
            purchases.extend(purchase(field, candidate));
        }
        let comparison = &plan.cloud_vs_on_prem;
        for curve in comparison.curves.iter().filter(|c| c.id != "buy" && c.id != "hybrid") {
            if let Some((term, provider)) = curve.id.split_once('-') {
                shown.rental_curve = true;
                shown.spot |= term == Acquisition::Spot.id();
                shown.rented.insert((provider.to_owned(), comparison.accelerator.clone()));
            }
        }
        // the bill is of the shown cluster as it would be bought, whether buying is allowed or not
        let of_bill = plan.shown().filter(|_| shown.billed).and_then(|t| field.find(t));
        purchases.extend(of_bill.map(|s| compare::bought(field, s)));
        for sized in purchases {
            shown.purchase(request, inputs, sized);
        }
        let placed = plan.shown().and_then(|t| field.find(t)).map(|s| compare::bought(field, s));
        shown.racked |= placed.is_some_and(|s| !racks::is_rack(s.accelerator));
        shown.oversubscribed |= placed.and_then(|s| s.network).is_some_and(|n| n.oversubscribes());
        shown
    }

    fn row(&mut self, accelerator: &str, acquisition: Acquisition, provider: Option<&str>) {
        self.owned |= acquisition == Acquisition::Buy;
        self.spot |= acquisition == Acquisition::Spot;
        if let Some(provider) = provider {
            self.rented.insert((provider.to_owned(), accelerator.to_owned()));
        }
    }

    fn purchase(&mut self, request: &PlanRequest, inputs: &Inputs, sized: &Sized) {
        let (accelerator, network) = (sized.accelerator, sized.network.as_ref());
        let Some(bill) = bill::bill(request, inputs, accelerator, sized.gpus, network, &sized.storage) else { return };
        self.billed = true;
        self.bought.insert(accelerator.id.clone());
        self.items.extend(bill.quoted());
        self.racked |= !racks::is_rack(accelerator);
        self.oversubscribed |= network.is_some_and(|n| n.oversubscribes());
    }

    /// A figure that is shown is computed with this scalar.
    fn reads(&self, request: &PlanRequest, name: &str) -> bool {
        let tiers = || self.plan.tiers.iter();
        let quoted = |item: &str| request.overrides.item_usd.contains_key(item);
        match name {
            "colocation_usd_per_kw_month" => self.owned && request.facility == Facility::Colocation,
            "facility_usd_per_mw" | "facility_life_years" => self.owned && request.facility == Facility::Own,
            "tax_share" | "spare_share" => self.billed,
            "installation_share" => self.billed && !quoted(id::INSTALLATION),
            "storage_usd_per_tb" => self.billed && !quoted(id::STORAGE_NODE) && !quoted(id::STORAGE_DRIVE),
            "network_share_of_capital" => self.billed && !quoted(id::NETWORK),
            "pue" | "load_factor" | "server_overhead" => {
                self.owned || tiers().any(|t| t.cluster.as_ref().is_some_and(|c| c.power_kw > 0.0))
            }
            "carbon_g_per_kwh" | "embodied_kg_per_server" => tiers().any(|t| t.footprint.is_some()),
            "hardware_life_years" => self.owned || tiers().any(|t| t.footprint.is_some()),
            "failures_per_gpu_year" | "restart_hours" | "checkpoint_write_gb_per_second" => {
                tiers().any(|t| t.days.is_some())
            }
            "spot_interruptions_per_hour" => self.spot,
            "lead_time_months" => self.plan.utilization.next_block.is_some(),
            "oversubscription" => self.oversubscribed,
            "rack_kw" => self.racked,
            "egress_usd_per_gb" | "object_storage_usd_per_gb_month" | "cloud_extras_share" => !self.rented.is_empty(),
            "price_trend_per_year" => self.rental_curve,
            // energy, people, support, insurance, software, capital
            _ => self.owned,
        }
    }
}

/// The cluster of a row that is bought.
fn purchase<'a>(field: &'a Field, candidate: &Candidate) -> Option<&'a Sized> {
    let same = |s: &&Sized| s.accelerator.id == candidate.accelerator && s.gpus == candidate.gpus && s.own.is_some();
    field.sized.iter().find(same).filter(|_| candidate.acquisition == Acquisition::Buy)
}
