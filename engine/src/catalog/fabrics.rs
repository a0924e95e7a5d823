//! Scale-out fabrics: how much of the line rate a collective gets, and how long a message takes.

use super::Figure;
use serde::{Deserialize, Serialize};

/// One kind of scale-out fabric.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fabric {
    /// `infiniband`, `roce`, `efa`, `ethernet-tcp`, `omnipath`.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Share of the line rate that large collectives reach.
    pub efficiency: Figure,
    /// Time of one step of a collective between nodes, microseconds.
    pub latency_us: Figure,
    /// Remote direct memory access: without it, collectives cross the host.
    pub rdma: bool,
    /// In-network reduction of all-reduce (SHARP).
    pub in_network_reduction: bool,
    /// What a buyer should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
