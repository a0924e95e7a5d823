//! The physical build beyond its boxes: floor, weight, cables, heat, and the path of power.

use serde::{Deserialize, Serialize};

/// Racks of one kind beside each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RackRun {
    /// Row, from 1.
    pub row: u64,
    /// First place in the row, from 1.
    pub first_place: u64,
    /// Last place in the row.
    pub last_place: u64,
    /// `servers`, `network` or `storage`.
    pub kind: String,
    /// What they hold: the numbers of servers, or which switches and storage nodes.
    pub holds: String,
}

/// The racks on the floor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FloorDesign {
    /// Rows.
    pub rows: u64,
    /// Blocks of rows beside each other.
    pub blocks: u64,
    /// Racks in the longest row.
    pub racks_per_row: u64,
    /// Length of the longest row, m.
    pub row_meters: f64,
    /// Racks with their aisles, m².
    pub area_m2: f64,
    /// Where each rack stands, row by row; the first rows of a large hall.
    pub racks: Vec<RackRun>,
    /// Racks in the rows that are not listed.
    pub more_racks: u64,
    /// How the figures came about.
    pub why: String,
}

/// Weight and noise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeightDesign {
    /// One system, kg; absent where unknown, as all that follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_kg: Option<f64>,
    /// A full rack of servers, kg.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack_kg: Option<f64>,
    /// What it puts on the floor below it, kg/m².
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub floor_kg_per_m2: Option<f64>,
    /// How the figures came about.
    pub why: String,
}

/// Cables of a level in one class of length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CableCount {
    /// Longer than this, m.
    pub over_meters: f64,
    /// Up to this, m; absent for the last class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to_meters: Option<f64>,
    /// Cables.
    pub links: u64,
}

/// Cables of one level of the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CableLevel {
    /// `device`, `near` or `far`, as the links of the network.
    pub id: String,
    /// The kind of cable, one for the whole level.
    pub cable: String,
    /// `copper`, `multimode` or `single_mode`.
    pub medium: String,
    /// Cables.
    pub links: u64,
    /// Their mean length, m: what the bill counts with.
    pub mean_meters: f64,
    /// The longest, m.
    pub longest_meters: f64,
    /// Counts by length, shortest first, without empty classes.
    pub by_length: Vec<CableCount>,
}

/// The cables of the scale-out network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CableDesign {
    /// Level by level.
    pub levels: Vec<CableLevel>,
    /// How the figures came about.
    pub why: String,
}

/// What carries the heat away, at full load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatDesign {
    /// Heat of all racks, kW; absent where unknown, as all that follows from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heat_kw: Option<f64>,
    /// Of it, carried by air through the racks, kW.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub air_kw: Option<f64>,
    /// Flow of that air, m³/h.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub air_m3_per_hour: Option<f64>,
    /// Flow of that air, cubic feet per minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub air_cfm: Option<f64>,
    /// Heat that leaves the racks by water, kW: from cold plates, or from rear doors after the air has carried it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub water_kw: Option<f64>,
    /// Flow of that water, l/min.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub water_liters_per_minute: Option<f64>,
    /// Water that the site uses while training, m³ a day, at the average of data centers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub make_up_m3_per_day: Option<f64>,
    /// How the figures came about.
    pub why: String,
}

/// One stage of the path of power.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerStage {
    /// `utility`, `generator`, `transformer`, `ups`, `busway` or `rack_feed`.
    pub id: String,
    /// Units in all.
    pub units: u64,
    /// Units that carry the load without spare.
    pub needed: u64,
    /// What one path, or all generators together, must carry, kVA.
    pub load_kva: f64,
    /// Least rating of one unit, kVA.
    pub unit_kva: f64,
}

/// The path of power from the utility to the racks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeedDesign {
    /// Feeds of a rack.
    pub feeds: u64,
    /// Voltage between phases, V.
    pub volts: f64,
    /// What each feed of a full rack of servers carries when the other is lost, kW; absent where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack_kw: Option<f64>,
    /// Current of that, A in each phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack_amps: Option<f64>,
    /// Least rating of its breaker, A.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rack_breaker_amps: Option<f64>,
    /// Power supplies of a system; absent where unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supplies: Option<u64>,
    /// Power supplies that it needs at full load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub supplies_needed: Option<u64>,
    /// Feeds of a rack with which a system holds full load when one is lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feeds_to_hold: Option<u64>,
    /// Stages from the utility to the rack; those of a plant only for a load that is worth one.
    pub stages: Vec<PowerStage>,
    /// How the figures came about.
    pub why: String,
}
