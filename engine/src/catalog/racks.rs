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
    /// Rows, aisles and cable trays.
    pub floor: FloorFigures,
    /// What carries heat away.
    pub heat: HeatFigures,
    /// From the utility to the rack.
    pub feeds: FeedFigures,
}

/// Rows, aisles and cable trays.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FloorFigures {
    /// Most racks in a row.
    pub racks_per_row: Figure,
    /// Width of a rack and its place, m.
    pub rack_width_meters: Figure,
    /// Depth of a rack, m.
    pub rack_depth_meters: Figure,
    /// Width of a system that is a rack, m.
    pub rack_system_width_meters: Figure,
    /// Depth of a system that is a rack, m.
    pub rack_system_depth_meters: Figure,
    /// Aisle in front of the racks, and between two blocks of rows, m.
    pub cold_aisle_meters: Figure,
    /// Aisle behind the racks, m.
    pub hot_aisle_meters: Figure,
    /// Cable from the tray to a device, at each end, m.
    pub cable_drop_meters: Figure,
    /// Spare length of a cable, m.
    pub cable_slack_meters: Figure,
    /// A rack with its power distribution and cables, kg.
    pub rack_own_kg: Figure,
}

/// What carries heat away.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeatFigures {
    /// Density of air, kg/m³.
    pub air_kg_per_m3: Figure,
    /// Heat capacity of air, kJ/(kg K).
    pub air_kj_per_kg_kelvin: Figure,
    /// Rise of the air's temperature through a server, K.
    pub air_rise_kelvin: Figure,
    /// Density of water, kg/l.
    pub water_kg_per_liter: Figure,
    /// Heat capacity of water, kJ/(kg K).
    pub water_kj_per_kg_kelvin: Figure,
    /// Rise of the water's temperature, K.
    pub water_rise_kelvin: Figure,
    /// Water that a site uses for each kWh of IT, l.
    pub water_liters_per_kwh: Figure,
}

/// From the utility to the rack.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FeedFigures {
    /// Voltage between phases at the rack, V.
    pub volts: Figure,
    /// Real over apparent power.
    pub power_factor: Figure,
    /// Share of its rating that a breaker carries all the time.
    pub breaker_share: Figure,
    /// Largest transformer, kVA.
    pub transformer_kva: Figure,
    /// Largest UPS, kVA.
    pub ups_kva: Figure,
    /// Largest generator, kW.
    pub generator_kw: Figure,
}
