//! The caller's own figures over the catalog's.

pub(crate) mod items;
pub(crate) mod paths;

use super::reader::{Fields, Problems};
use super::{StorageClass, Topology};
use crate::catalog::Catalog;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use items::PricedItem;
pub use paths::{Quotable, quotables};

const SERVER_USD: &str = "server_usd";
const GPU_HOUR_USD: &str = "gpu_hour_usd";
const ITEM_USD: &str = "item_usd";
const EFFICIENCY: &str = "efficiency";

/// Figures that replace catalog figures in one request; each use is marked in the answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Overrides {
    /// Scalar overrides by name, see [`Overrides::SCALARS`].
    #[serde(flatten)]
    pub scalars: BTreeMap<String, f64>,
    /// How the switches are joined; automatic if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub topology: Option<Topology>,
    /// Class of the shared storage; standard if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_class: Option<StorageClass>,
    /// Price of one server (system) by accelerator id, USD.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub server_usd: BTreeMap<String, f64>,
    /// Price per device-hour by provider id and accelerator id, USD.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub gpu_hour_usd: BTreeMap<String, BTreeMap<String, f64>>,
    /// Price of one part of a bill of materials by its id, USD: see [`Overrides::items`].
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub item_usd: BTreeMap<String, f64>,
    /// Measured over predicted speed of a device's own work by accelerator id: multiplications, attention, memory traffic.
    /// Communication and launches stay as predicted, so a tenth more is less than a tenth more tokens per second.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub efficiency: BTreeMap<String, f64>,
}

/// A scalar override: its name, what it may be, and its unit for people.
pub struct ScalarOverride {
    /// Name on the wire.
    pub name: &'static str,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Name for people.
    pub label: &'static str,
    /// Unit for people.
    pub unit: &'static str,
}

const fn scalar(name: &'static str, min: f64, max: f64, label: &'static str, unit: &'static str) -> ScalarOverride {
    ScalarOverride { name, min, max, label, unit }
}

impl Overrides {
    /// Every scalar that can be overridden.
    pub const SCALARS: &'static [ScalarOverride] = &[
        scalar("electricity_usd_per_kwh", 0.0, 10.0, "Electricity", "USD/kWh"),
        scalar("pue", 1.0, 5.0, "PUE", "ratio"),
        scalar("colocation_usd_per_kw_month", 0.0, 10_000.0, "Colocation", "USD/kW-month"),
        scalar("facility_usd_per_mw", 1.0, 1e9, "Own facility", "USD/MW of IT"),
        scalar("facility_life_years", 1.0, 50.0, "Life of an own facility", "years"),
        scalar("demand_charge_usd_per_kw_month", 0.0, 1_000.0, "Demand charge of electricity", "USD/kW-month"),
        scalar("carbon_g_per_kwh", 0.0, 5_000.0, "Carbon of the grid", "g CO2e/kWh"),
        scalar("embodied_kg_per_server", 0.0, 1e6, "Embodied carbon", "kg CO2e per 8 devices"),
        scalar("cost_of_capital", 0.0, 1.0, "Cost of capital", "per year"),
        scalar("residual_value", 0.0, 1.0, "Residual value", "share of price"),
        scalar("failures_per_gpu_year", 0.0, 1000.0, "Failures", "per GPU-year"),
        scalar("restart_hours", 0.0, 720.0, "Restart after a failure", "hours"),
        scalar("spot_interruptions_per_hour", 0.0, 100.0, "Spot interruptions", "per machine-hour"),
        scalar("checkpoint_write_gb_per_second", 0.001, 1e6, "Checkpoint write rate", "GB/s"),
        scalar("load_factor", 0.0, 1.5, "Draw while training", "share of maximum"),
        scalar("idle_factor", 0.0, 1.0, "Draw while idle", "share of maximum"),
        scalar("server_overhead", 1.0, 5.0, "Power overhead of network and storage", "factor"),
        scalar("support_share_per_year", 0.0, 1.0, "Hardware support", "share of hardware per year"),
        scalar("insurance_share_per_year", 0.0, 1.0, "Insurance", "share of hardware per year"),
        scalar("software_usd_per_gpu_year", 0.0, 1e6, "Licensed software", "USD per GPU-year"),
        scalar("lead_time_months", 0.0, 60.0, "From order to work", "months"),
        scalar("staff_fte", 0.0, 1e5, "Operations staff", "FTE"),
        scalar("staff_usd_per_year", 0.0, 1e7, "Cost of one engineer", "USD/year"),
        scalar("network_share_of_capital", 0.0, 0.95, "Network share of the cluster price", "share"),
        scalar("oversubscription", 1.0, 32.0, "Oversubscription of the network", "downlinks per uplink"),
        scalar("rack_kw", 0.5, 1_000.0, "Power of one rack", "kW"),
        scalar("installation_share", 0.0, 1.0, "Racks, installation, freight", "share of hardware"),
        scalar("spare_share", 0.0, 1.0, "Spare servers", "share of servers"),
        scalar("hardware_life_years", 0.5, 20.0, "Hardware life", "years"),
        scalar("tax_share", 0.0, 1.0, "Tax and duty", "share of hardware"),
        scalar("storage_usd_per_tb", 0.0, 1e6, "Storage", "USD/TB"),
        scalar("egress_usd_per_gb", 0.0, 10.0, "Egress", "USD/GB"),
        scalar("object_storage_usd_per_gb_month", 0.0, 10.0, "Object storage", "USD/GB-month"),
        scalar("cloud_extras_share", 0.0, 5.0, "Cloud storage, egress and support", "share of device price"),
        scalar("price_trend_per_year", -0.95, 5.0, "Rental price trend", "per year"),
    ];

    /// Range of the price of a system, USD.
    pub const SERVER_RANGE: (f64, f64) = (1.0, 1e9);
    /// Range of the price of a device-hour, USD.
    pub const GPU_HOUR_RANGE: (f64, f64) = (0.001, 10_000.0);
    /// Range of the price of a part of a bill, USD: a price of zero is a missing one.
    pub const ITEM_RANGE: (f64, f64) = (0.01, 1e10);
    /// Range of measured over predicted speed.
    pub const EFFICIENCY_RANGE: (f64, f64) = (0.01, 3.0);

    /// The parts of a bill of materials that `item_usd` prices.
    pub fn items() -> &'static [PricedItem] {
        items::priced_items()
    }

    pub(super) fn read(mut fields: Fields<'_>, problems: &mut Problems) -> Self {
        let catalog = Catalog::get();
        let accelerators: Vec<&str> = catalog.accelerators.iter().map(|a| a.id.as_str()).collect();
        let providers: Vec<&str> = catalog.providers.iter().map(|p| p.id.as_str()).collect();
        let mut overrides = Self::default();
        for known in Self::SCALARS {
            if let Some(value) = fields.number(problems, known.name, known.min, known.max) {
                overrides.scalars.insert(known.name.to_owned(), value);
            }
        }
        overrides.topology = fields.choice(problems, "topology", Topology::ALL, Topology::id);
        overrides.storage_class = fields.choice(problems, "storage_class", StorageClass::ALL, StorageClass::id);
        let mut map = |key, known: &[&str], (min, max)| -> BTreeMap<String, f64> {
            fields.number_map(problems, key, known, min, max).into_iter().collect()
        };
        overrides.server_usd = map(SERVER_USD, &accelerators, Self::SERVER_RANGE);
        overrides.efficiency = map(EFFICIENCY, &accelerators, Self::EFFICIENCY_RANGE);
        let items: Vec<&str> = Self::items().iter().map(|item| item.id.as_str()).collect();
        overrides.item_usd = map(ITEM_USD, &items, Self::ITEM_RANGE);
        if let Some(by_provider) = fields.object(problems, GPU_HOUR_USD) {
            let (min, max) = Self::GPU_HOUR_RANGE;
            for (provider, prices) in by_provider.objects(problems, &providers) {
                let prices = prices.numbers_by_id(problems, &accelerators, min, max);
                overrides.gpu_hour_usd.insert(provider, prices.into_iter().collect());
            }
        }
        fields.finish(problems);
        overrides
    }

    /// The overridden value of a scalar.
    pub fn scalar(&self, name: &str) -> Option<f64> {
        self.scalars.get(name).copied()
    }

    /// The caller asks for a bought network that may block, unlike those of the offers.
    pub fn shapes_network(&self) -> bool {
        matches!(self.topology, Some(Topology::Dragonfly | Topology::Torus))
            || self.scalar("oversubscription").is_some_and(|o| o > 1.0)
    }

    /// Nothing is overridden.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
