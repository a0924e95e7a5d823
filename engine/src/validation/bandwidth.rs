//! Measured bus bandwidths of collectives, and the constants of collectives fitted to them.

use super::compare::{Summary, summarize};
use super::fit::Observed;
use crate::catalog::{Calibration, Catalog};
use crate::performance::{Group, Links, Machine};
use crate::request::{Precision, Software};
use crate::units::Bytes;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// One point of a published curve, as shipped in `engine/validation/bandwidth.csv`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BandwidthPoint {
    /// Stable id.
    pub id: String,
    /// System as published.
    pub system: String,
    /// Accelerator id.
    pub accelerator: String,
    /// Ranks.
    pub gpus: u32,
    /// Devices joined by the scale-up link.
    pub domain: u32,
    /// Fabric id; empty inside one domain.
    pub fabric: Option<String>,
    /// Network rate per device, Gb/s.
    pub network_gbps_per_gpu: Option<f64>,
    /// `all_reduce`, `all_gather` or `reduce_scatter`.
    pub collective: String,
    /// The switches of the domain may add up (no ring was forced).
    pub in_switch: bool,
    /// Size of the gathered or reduced buffer, bytes.
    pub message_bytes: f64,
    /// Measured bus bandwidth, GB/s.
    pub busbw_gb_per_second: f64,
    /// Publication.
    pub source: String,
    /// Where in it.
    pub reference: String,
}

static ALL: LazyLock<Vec<BandwidthPoint>> = LazyLock::new(|| {
    let text = include_str!("../../validation/bandwidth.csv");
    let read: Result<Vec<BandwidthPoint>, csv::Error> =
        csv::Reader::from_reader(text.as_bytes()).deserialize().collect();
    match read {
        Ok(points) => points,
        Err(why) => unreachable!("embedded bandwidths: {why}"),
    }
});

/// All shipped points.
pub fn bandwidth_points() -> &'static [BandwidthPoint] {
    &ALL
}

impl BandwidthPoint {
    /// Predicted bus bandwidth with given constants, GB/s: the share of the buffer that each rank exchanges, over the time.
    pub fn predicted(&self, calibration: &Calibration) -> Option<f64> {
        let catalog = Catalog::get();
        let accelerator = catalog.accelerator(&self.accelerator)?;
        let fabric = catalog.fabric(self.fabric.as_deref().unwrap_or("infiniband"))?;
        let network_gbps = self.network_gbps_per_gpu.unwrap_or(0.0);
        let links = Links { fabric, network_gbps, domain: self.domain };
        let machine = Machine::new(calibration, accelerator, &links, Precision::Bf16, Software::default(), 1.0);
        let machine = if self.in_switch { machine } else { machine.without_in_switch_reduction() };
        let group = Group::strided(&machine, self.gpus, 1);
        let whole = Bytes(self.message_bytes);
        let (passes, time) = match self.collective.as_str() {
            "all_reduce" => (2.0, group.all_reduce(&machine, whole)),
            _ => (1.0, group.gather_or_scatter(&machine, whole)),
        };
        let exchanged = passes * f64::from(self.gpus - 1) / f64::from(self.gpus) * self.message_bytes;
        Some(exchanged / time.0 / 1e9)
    }
}

impl Observed for BandwidthPoint {
    fn log_ratio(&self, calibration: &Calibration) -> f64 {
        self.predicted(calibration).map_or(0.0, |p| (p / self.busbw_gb_per_second).ln())
    }
}

/// Errors of the points with at least so many bytes.
pub fn bandwidth_errors(calibration: &Calibration, at_least_bytes: f64) -> Summary {
    let large = bandwidth_points().iter().filter(|p| p.message_bytes >= at_least_bytes);
    summarize(large.filter_map(|p| Some(p.predicted(calibration)? / p.busbw_gb_per_second - 1.0)))
}
