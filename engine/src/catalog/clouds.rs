//! Cloud providers and their price points.

use super::Figure;
use serde::{Deserialize, Serialize};

/// The class of a provider: prices differ 4 to 5 times between classes for the same device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderClass {
    /// Many small sellers; often without an RDMA fabric.
    Marketplace,
    /// A cloud that sells GPUs first.
    Specialist,
    /// AWS, Azure, Google Cloud, Oracle.
    Hyperscaler,
}

/// A cloud provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// Stable identifier, such as `aws`.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Its class.
    pub class: ProviderClass,
}

/// How an offer is paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OfferTerm {
    /// By the hour, no commitment.
    OnDemand,
    /// Committed for a number of months: every hour is paid.
    Reserved,
    /// A block of time paid up front.
    CapacityBlock,
    /// Interruptible.
    Spot,
}

/// One price point: provider × accelerator × way of paying × region at a date.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// Provider id.
    pub provider: String,
    /// Accelerator id.
    pub accelerator: String,
    /// The provider's name for the machine.
    pub instance: String,
    /// Devices in one such machine.
    pub gpus: u32,
    /// How it is paid.
    pub term: OfferTerm,
    /// Months of commitment, for reserved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub months: Option<u32>,
    /// Longest time that can be booked at this price, days; absent for no bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_days: Option<f64>,
    /// The provider's region, in its words.
    pub region: String,
    /// Price, USD per device-hour; never 0.
    pub usd_per_gpu_hour: Figure,
    /// Fabric id between machines; absent where the offer has none or it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fabric: Option<String>,
    /// Network rate per device, Gb/s; absent where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_gbps_per_gpu: Option<f64>,
}
