//! Every number under `overrides` by its path, with what it may be.

use super::items::priced_items;
use super::{EFFICIENCY, GPU_HOUR_USD, ITEM_USD, Overrides, SERVER_USD};
use crate::catalog::{Catalog, Figure, Range};
use std::sync::LazyLock;

/// A number that can be overridden.
#[derive(Clone, Debug, PartialEq)]
pub struct Quotable {
    /// Path under `overrides`, parts joined by dots: `pue`, `server_usd.b200`, `item_usd.quantum-2-qm9700`.
    pub key: String,
    /// Group for people, such as `Servers`.
    pub group: &'static str,
    /// Name for people.
    pub label: String,
    /// Unit for people, such as `USD/kWh`.
    pub unit: &'static str,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// What the catalog says, in that unit; absent where it says nothing that holds everywhere, such as of a provider
    /// without an offer of an accelerator.
    pub catalog: Option<Range>,
}

/// The numbers that can be overridden with an effect, by group: prices of device-hours only where the catalog has an
/// offer; others are read too, and nothing is computed with them.
pub fn quotables() -> Vec<Quotable> {
    let idle = |known: &&Quotable| known.key.starts_with(GPU_HOUR_USD) && known.catalog.is_none();
    Overrides::paths().iter().filter(|known| !idle(known)).cloned().collect()
}

impl Overrides {
    /// Every number that can be overridden: scalars, prices of systems, of device-hours and of the parts of a bill, and
    /// measured efficiencies. The choice of a topology is no number.
    pub fn paths() -> &'static [Quotable] {
        static ALL: LazyLock<Vec<Quotable>> = LazyLock::new(all);
        &ALL
    }

    /// One of [`Overrides::paths`]; `None` for a path that no request may hold.
    pub fn path(path: &str) -> Option<&'static Quotable> {
        Self::paths().iter().find(|known| known.key == path)
    }

    /// The numbers of these overrides with their paths, in the order of [`Overrides::paths`].
    pub fn values(&self) -> Vec<(&'static Quotable, f64)> {
        if self.is_empty() {
            return Vec::new();
        }
        Self::paths().iter().filter_map(|known| Some((known, self.value(&known.key)?))).collect()
    }

    /// The number at a path, if it is given.
    pub fn value(&self, path: &str) -> Option<f64> {
        let mut parts = path.splitn(3, '.');
        let found = match (parts.next()?, parts.next(), parts.next()) {
            (SERVER_USD, Some(id), None) => self.server_usd.get(id),
            (EFFICIENCY, Some(id), None) => self.efficiency.get(id),
            (ITEM_USD, Some(id), None) => self.item_usd.get(id),
            (GPU_HOUR_USD, Some(provider), Some(id)) => self.gpu_hour_usd.get(provider).and_then(|p| p.get(id)),
            (name, None, None) => self.scalars.get(name),
            _ => None,
        };
        found.copied()
    }
}

/// Scalars that have another figure in each region, and one where the caller gives it.
const OF_REGION: [&str; 3] = ["electricity_usd_per_kwh", "colocation_usd_per_kw_month", "carbon_g_per_kwh"];

fn all() -> Vec<Quotable> {
    let catalog = Catalog::get();
    let mut all = Vec::new();
    let mut add = |group, key: String, label: String, unit, (min, max): (f64, f64), catalog: Option<Range>| {
        all.push(Quotable { key, group, label, unit, min, max, catalog });
    };
    for a in &catalog.accelerators {
        let usd = a.system_usd.as_ref().map(Figure::range);
        add(
            "Servers",
            format!("{SERVER_USD}.{}", a.id),
            format!("{} server: {}", a.label, a.system),
            "USD",
            Overrides::SERVER_RANGE,
            usd,
        );
    }
    for item in priced_items() {
        let key = format!("{ITEM_USD}.{}", item.id);
        let usd = item.figure.map(Figure::range);
        add("Parts of the bill", key, item.label.clone(), item.unit, Overrides::ITEM_RANGE, usd);
    }
    for provider in &catalog.providers {
        for a in &catalog.accelerators {
            // a price of the caller's stands beside the cheapest offer; the ends are those of all offers
            let offers = catalog.offers.iter().filter(|o| o.provider == provider.id && o.accelerator == a.id);
            let usd = offers.map(|o| o.usd_per_gpu_hour.range()).reduce(|x, y| Range {
                low: x.low.min(y.low),
                typical: x.typical.min(y.typical),
                high: x.high.max(y.high),
            });
            let label = format!("{} rented from {}, any term", a.label, provider.label);
            let key = format!("{GPU_HOUR_USD}.{}.{}", provider.id, a.id);
            add("Rented, per device-hour", key, label, "USD/GPU-hour", Overrides::GPU_HOUR_RANGE, usd);
        }
    }
    for known in Overrides::SCALARS {
        let group = if known.unit.contains("USD") { "Prices" } else { "Rates and shares" };
        let figure = general(known.name).map(Figure::range);
        let label = if OF_REGION.contains(&known.name) { ", any region" } else { "" };
        let label = format!("{}{label}", known.label);
        add(group, known.name.into(), label, known.unit, (known.min, known.max), figure);
    }
    for a in &catalog.accelerators {
        let label = format!("Measured over predicted, own work of {}", a.label);
        let key = format!("{EFFICIENCY}.{}", a.id);
        let predicted = Some(Range::exactly(1.0));
        add("Measured speed", key, label, "factor", Overrides::EFFICIENCY_RANGE, predicted);
    }
    all
}

/// The catalog's figure that a scalar replaces, where no region has one of its own.
pub(crate) fn general(name: &str) -> Option<&'static Figure> {
    let costs = &Catalog::get().costs;
    Some(match name {
        "electricity_usd_per_kwh" => &costs.electricity_usd_per_kwh,
        "pue" => &costs.pue,
        "colocation_usd_per_kw_month" => &costs.colocation_usd_per_kw_month,
        "facility_usd_per_mw" => &costs.facility_usd_per_mw,
        "facility_life_years" => &costs.facility_life_years,
        "cost_of_capital" => &costs.cost_of_capital,
        "failures_per_gpu_year" => &costs.failures_per_gpu_year,
        "restart_hours" => &costs.restart_hours,
        "spot_interruptions_per_hour" => &costs.spot_interruptions_per_hour,
        "load_factor" => &costs.load_factor,
        "idle_factor" => &costs.idle_factor,
        "server_overhead" => &costs.server_overhead,
        "support_share_per_year" => &costs.support_share_per_year,
        "insurance_share_per_year" => &costs.insurance_share_per_year,
        "software_usd_per_gpu_year" => &costs.software_usd_per_gpu_year,
        "lead_time_months" => &costs.lead_time_months,
        "staff_usd_per_year" => &costs.staff_usd_per_year,
        "network_share_of_capital" => &costs.network_share_of_capital,
        "rack_kw" => &costs.air_cooled_rack_kw,
        "installation_share" => &costs.installation_share,
        "spare_share" => &costs.spare_share,
        "hardware_life_years" => &costs.hardware_life_years,
        "tax_share" => &costs.tax_share,
        "storage_usd_per_tb" => &costs.storage_usd_per_tb,
        "egress_usd_per_gb" => &costs.egress_usd_per_gb,
        "object_storage_usd_per_gb_month" => &costs.object_storage_usd_per_gb_month,
        "cloud_extras_share" => &costs.cloud_extras_share,
        "price_trend_per_year" => &costs.price_trend_per_year,
        "embodied_kg_per_server" => &costs.embodied_kg_per_server,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A list of quotes names what each is of: no two say the same, and what depends on more than a name says on what.
    #[test]
    fn every_figure_has_a_name_of_its_own() {
        let all = Overrides::paths();
        let labels: BTreeSet<String> = all.iter().map(|known| known.label.to_lowercase()).collect();
        assert_eq!(labels.len(), all.len());
        for known in all {
            let says = |words: &str| known.label.contains(words);
            match known.key.split('.').collect::<Vec<_>>().as_slice() {
                ["server_usd", id] => assert!(says("server") && says(&label(id)), "{}", known.label),
                ["gpu_hour_usd", provider, id] => {
                    let provider = Catalog::get().provider(provider).map_or("", |p| p.label.as_str());
                    assert!(says("rented from") && says(provider) && says(&label(id)) && says("any term"));
                }
                [name] if OF_REGION.contains(name) => assert!(says("any region"), "{}", known.label),
                _ => {}
            }
        }
    }

    fn label(accelerator: &str) -> String {
        Catalog::get().accelerator(accelerator).map_or_else(String::new, |a| a.label.clone())
    }
}
