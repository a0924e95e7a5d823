//! Switches, network cards, transceivers and cables of the scale-out network.

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
    /// Links that one plug of the switch carries: 2 with twin-port transceivers, else 1.
    #[serde(default = "one")]
    pub links_per_cage: u32,
    /// Height, rack units; absent where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack_units: Option<u32>,
    /// Price, USD.
    pub usd: Figure,
    /// Typical draw, W.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub watts: Option<Figure>,
}

fn one() -> u32 {
    1
}

/// A network card with one port.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nic {
    /// Stable identifier, such as `connectx-7`.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Fabric ids that it speaks.
    pub fabrics: Vec<String>,
    /// Makers of accelerators that it is paired with; empty for any.
    #[serde(default)]
    pub vendors: Vec<String>,
    /// Rate, Gb/s.
    pub gbps: u32,
    /// Price, USD.
    pub usd: Figure,
    /// Typical draw, W.
    pub watts: Figure,
}

/// What carries the signal of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Medium {
    /// Passive copper with fixed ends.
    Copper,
    /// Copper with repeaters in its fixed ends.
    ActiveCopper,
    /// Fiber with fixed ends.
    ActiveOptical,
    /// Multimode fiber between transceivers.
    Multimode,
    /// Single-mode fiber between transceivers.
    SingleMode,
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
    /// What carries the signal.
    pub medium: Medium,
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
