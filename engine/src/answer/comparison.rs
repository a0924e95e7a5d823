//! Buying against renting, by month and by utilization.

use super::money::Hybrid;
use crate::catalog::Range;
use crate::request::Acquisition;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Cumulative cost by month of one way of acquiring.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostCurve {
    /// Stable id: `buy`, or way of paying and provider, such as `on_demand-aws` or `reserved_36-gcp`.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Cumulative cost at each of `months`, USD.
    pub cumulative_usd: Vec<f64>,
    /// Low end, where known.
    pub low_usd: Vec<f64>,
    /// High end, where known.
    pub high_usd: Vec<f64>,
    /// What a commitment still takes after the horizon, until its term ends, USD; in none of the points.
    pub owed_usd: f64,
}

/// Cost over the horizon of an hour that trains, at one utilization: what is paid ÷ hours of work ÷ goodput.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UsefulHourPoint {
    /// Utilization, 0 to 1.
    pub utilization: f64,
    /// Cost of one useful device-hour by curve id, USD; without those that can't do the work of this utilization.
    pub usd_per_useful_gpu_hour: BTreeMap<String, f64>,
}

/// When buying pays back against one rival.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BreakEven {
    /// Curve id of the rival.
    pub against: String,
    /// Its name for people.
    pub label: String,
    /// Months until what has been paid for buying is less than for renting, at the request's utilization, resale not
    /// counted; null: never (within ten years).
    pub months: Option<f64>,
    /// Utilization from which on buying is cheaper over the horizon, by the same measure; null: at none that the rival
    /// can do the work of. It is at or
    /// below the request's utilization exactly when `months` is within the horizon.
    pub utilization: Option<f64>,
    /// The hardware is still within its economic life when buying pays back.
    pub within_life: bool,
}

/// Cloud against on-premises. A way that can't do the work of the request's utilization is in none of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CloudVsOnPrem {
    /// Devices that are compared.
    pub gpus: u32,
    /// Accelerator id that is compared.
    pub accelerator: String,
    /// The months of the curves, from 0.
    pub months: Vec<u32>,
    /// Cumulative cost.
    pub curves: Vec<CostCurve>,
    /// Cost of a useful hour by utilization.
    pub by_utilization: Vec<UsefulHourPoint>,
    /// Cost of an owned hour that trains at the request's utilization by the measure of the curves, USD: the purchase in
    /// full over the horizon, resale left out; null where no purchase price is known. `ownership` has the same hour over
    /// the life of the hardware and with resale.
    pub owned_useful_hour_usd: Option<f64>,
    /// When buying pays back: soonest first, never last.
    pub break_even: Vec<BreakEven>,
    /// The least-cost split into an owned base and a rented peak over the horizon; null where one of them has no price.
    pub hybrid: Option<Hybrid>,
    /// What the owned hardware would fetch at the end of the horizon, USD; in none of the curves and break-evens.
    pub resale_usd: Option<Range>,
}

impl CloudVsOnPrem {
    /// The rival that buying is measured against in a sentence: the way of acquiring of this label, or else what costs
    /// least over the horizon on demand, or else at all.
    pub fn rival(&self, way: &str) -> Option<&BreakEven> {
        let end = |id: &str| self.curves.iter().find(|c| c.id == id).and_then(|c| c.cumulative_usd.last()).copied();
        let cheapest = |prefix: &str| {
            let all = self.break_even.iter().filter(|b| b.against.starts_with(prefix));
            all.min_by(|a, b| end(&a.against).unwrap_or(f64::MAX).total_cmp(&end(&b.against).unwrap_or(f64::MAX)))
        };
        let same = self.break_even.iter().find(|b| b.label == way);
        same.or_else(|| cheapest(Acquisition::OnDemand.id())).or_else(|| cheapest(""))
    }
}
