//! Racks: what fits in one, what cools it, what goes with it.

use super::Figure;
use serde::{Deserialize, Serialize};

/// Figures of racks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RackFigures {
    /// Density that a rear-door heat exchanger still cools, kW.
    pub rear_door_rack_kw: Figure,
    /// Most 8-GPU servers in one rack.
    pub servers_per_rack: Figure,
    /// Height of an 8-GPU server, rack units.
    pub server_rack_units: Figure,
    /// Height of a rack, rack units.
    pub rack_units: Figure,
    /// Power distribution units per rack.
    pub pdus_per_rack: Figure,
    /// Heat that one coolant distribution unit carries, kW.
    pub coolant_unit_kw: Figure,
    /// Price of one coolant distribution unit, USD.
    pub coolant_unit_usd: Figure,
    /// Ports of a server to the network for storage, management and users.
    pub front_end_ports_per_node: Figure,
}
