//! The physical build of a cluster: network, storage, racks, power.

use super::physical::{CableDesign, FeedDesign, FloorDesign, HeatDesign, WeightDesign};
use serde::{Deserialize, Serialize};

/// Links by where they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkLinks {
    /// From devices to switches.
    pub device: u64,
    /// Leaf to spine, inside a dragonfly group, or along a torus.
    pub near: u64,
    /// Spine to core, or between dragonfly groups.
    pub far: u64,
}

/// The scale-out network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkDesign {
    /// `single_switch`, `fat_tree`, `rail_optimized`, `dragonfly` or `torus`.
    pub topology: String,
    /// Levels of switches; 1 for dragonfly and torus.
    pub tiers: u32,
    /// Switch model.
    pub switch: String,
    /// Ports of one switch.
    pub switch_ports: u32,
    /// Rate of one switch port, Gb/s.
    pub switch_port_gbps: u32,
    /// Network ports of one server.
    pub ports_per_node: u64,
    /// Switches that devices are plugged into.
    pub leaves: u64,
    /// Switches of the second tier.
    pub spines: u64,
    /// Switches of the third tier.
    pub cores: u64,
    /// All switches.
    pub switches: u64,
    /// Links.
    pub links: NetworkLinks,
    /// What half the devices can send over what can cross the worst halving; 1 is non-blocking.
    pub oversubscription: f64,
    /// Traffic per direction that can cross the worst halving of the devices, Gb/s.
    pub bisection_gbps: f64,
    /// How the counts came about.
    pub why: String,
    /// How the bisection bandwidth came about.
    pub bisection_why: String,
}

/// The shared storage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StorageDesign {
    /// Usable capacity that is needed, TB.
    pub needed_tb: f64,
    /// Usable capacity of the drives, TB.
    pub usable_tb: f64,
    /// Read rate that is needed, GB/s.
    pub read_gb_per_second: f64,
    /// Write rate that is needed, GB/s.
    pub write_gb_per_second: f64,
    /// Nodes.
    pub nodes: u64,
    /// Drives in all nodes.
    pub drives: u64,
    /// What sets the number of drives: `capacity`, `read_rate` or `write_rate`.
    pub binds: String,
    /// How the counts came about.
    pub why: String,
}

/// The racks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RackDesign {
    /// All racks.
    pub count: u64,
    /// Racks of servers.
    pub server_racks: u64,
    /// Racks of switches and storage alone.
    pub service_racks: u64,
    /// Servers in a full rack; 1 for a rack system.
    pub servers_per_rack: u64,
    /// Nameplate of a full rack of servers, kW; absent where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kw_each: Option<f64>,
    /// `air`, `rear_door` or `direct_liquid`.
    pub cooling: String,
    /// How the counts came about.
    pub why: String,
}

/// Power at full load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerDesign {
    /// Nameplate of the servers, kW; absent where unknown, as all that follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub servers_kw: Option<f64>,
    /// Typical draw of switches and transceivers, kW, as a part of `it_kw`; absent where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network_kw: Option<f64>,
    /// Servers, network, storage and hosts, kW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub it_kw: Option<f64>,
    /// At the facility with its overhead, kW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facility_kw: Option<f64>,
    /// Of it, drawn while training, kW: what a cluster's `power_kw` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub training_kw: Option<f64>,
    /// How the figures came about.
    pub why: String,
}

/// The physical build of a cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Build {
    /// The scale-out network; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkDesign>,
    /// Why there is no scale-out network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_network: Option<String>,
    /// The shared storage.
    pub storage: StorageDesign,
    /// The racks.
    pub racks: RackDesign,
    /// Power at full load.
    pub power: PowerDesign,
    /// Where the racks stand; absent in plans of before it was counted, as all that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor: Option<FloorDesign>,
    /// Weight and noise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<WeightDesign>,
    /// Cables of the scale-out network by length; absent where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cables: Option<CableDesign>,
    /// Heat and what carries it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heat: Option<HeatDesign>,
    /// The path of power.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feeds: Option<FeedDesign>,
}
