//! Switches, transceivers and cables of the scale-out network.

use super::Figure;
use serde::{Deserialize, Serialize};

/// A switch.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// Stable identifier, such as `quantum-2-qm9700`.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Fabric id that it is of.
    pub fabric: String,
    /// Ports at `port_gbps` (after breakout where that is usual).
    pub ports: u32,
    /// Rate of one port, Gb/s.
    pub port_gbps: u32,
    /// Price, USD.
    pub usd: Figure,
    /// Typical draw, W.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watts: Option<Figure>,
}

/// A transceiver with its share of the cable.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optic {
    /// Stable identifier, such as `400g-dr4`.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Rate, Gb/s.
    pub gbps: u32,
    /// Price of one transceiver (two per link), USD; absent for cables with fixed ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd_each: Option<Figure>,
    /// Price of the cable whatever its length, USD.
    pub cable_usd: Figure,
    /// Price of the cable per meter, USD.
    pub cable_usd_per_meter: Figure,
    /// Draw of one end, W.
    pub watts_each: Figure,
    /// Longest reach, m.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reach_meters: Option<f64>,
}
