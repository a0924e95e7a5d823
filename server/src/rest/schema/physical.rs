//! Floor, weight, cables, heat and the path of power, in the answer to a plan.

use super::{choice, list, number, object, of, text, whole};
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("FloorDesign", floor()),
        ("RackRun", rack_run()),
        ("WeightDesign", weight()),
        ("CableDesign", cables()),
        ("CableLevel", cable_level()),
        ("CableCount", cable_count()),
        ("HeatDesign", heat()),
        ("FeedDesign", feeds()),
        ("PowerStage", power_stage()),
    ]
}

/// Fields of the build that plans of before they were counted do not have.
pub(super) fn fields() -> Vec<(&'static str, Value)> {
    vec![
        ("floor?", of("FloorDesign", "Where the racks stand; absent in plans of before it was counted")),
        ("weight?", of("WeightDesign", "Weight and noise; absent in plans of before it was counted")),
        ("cables?", of("CableDesign", "Cables of the scale-out network by length; absent where there is none")),
        ("heat?", of("HeatDesign", "Heat and what carries it; absent in plans of before it was counted")),
        ("feeds?", of("FeedDesign", "The path of power; absent in plans of before it was counted")),
    ]
}

fn floor() -> Value {
    object(
        "The racks on the floor",
        &[
            ("rows", whole("Rows")),
            ("blocks", whole("Blocks of rows beside each other")),
            ("racks_per_row", whole("Racks in the longest row")),
            ("row_meters", number("Length of the longest row, m")),
            ("area_m2", number("Racks with their aisles, m²")),
            (
                "racks",
                list("Where each rack stands, row by row; the first rows of a large hall", of("RackRun", "Racks")),
            ),
            ("more_racks", whole("Racks in the rows that are not listed")),
            ("why", text("How the figures came about")),
        ],
    )
}

fn rack_run() -> Value {
    object(
        "Racks of one kind beside each other",
        &[
            ("row", whole("Row, from 1")),
            ("first_place", whole("First place in the row, from 1")),
            ("last_place", whole("Last place in the row")),
            ("kind", choice("What stands there", &["servers", "network", "storage"])),
            ("holds", text("The numbers of servers, or which switches and storage nodes")),
        ],
    )
}

fn weight() -> Value {
    object(
        "Weight and noise",
        &[
            ("system_kg?", number("One system, kg; absent where unknown, as all that follows from it")),
            ("rack_kg?", number("A full rack of servers, kg")),
            ("floor_kg_per_m2?", number("What it puts on the floor below it, kg/m²")),
            ("why", text("How the figures came about")),
        ],
    )
}

fn cables() -> Value {
    object(
        "The cables of the scale-out network",
        &[("levels", list("Level by level", of("CableLevel", "A level"))), ("why", text("How the figures came about"))],
    )
}

fn cable_level() -> Value {
    object(
        "Cables of one level of the network",
        &[
            ("id", choice("The level, as the links of the network", &["device", "near", "far"])),
            ("cable", text("The kind of cable, one for the whole level")),
            ("medium", choice("What carries the signal", &["copper", "multimode", "single_mode"])),
            ("links", whole("Cables")),
            ("mean_meters", number("Their mean length, m: what the bill counts with")),
            ("longest_meters", number("The longest, m")),
            (
                "by_length",
                list("Counts by length, shortest first, without empty classes", of("CableCount", "A class of length")),
            ),
        ],
    )
}

fn cable_count() -> Value {
    object(
        "Cables of a level in one class of length",
        &[
            ("over_meters", number("Longer than this, m")),
            ("up_to_meters?", number("Up to this, m; absent for the last class")),
            ("links", whole("Cables")),
        ],
    )
}

fn heat() -> Value {
    object(
        "What carries the heat away, at full load",
        &[
            ("heat_kw?", number("Heat of all racks, kW; absent where unknown, as all that follows from it")),
            ("air_kw?", number("Of it, carried by air through the racks, kW")),
            ("air_m3_per_hour?", number("Flow of that air, m³/h")),
            ("air_cfm?", number("Flow of that air, cubic feet per minute")),
            (
                "water_kw?",
                number(
                    "Heat that leaves the racks by water, kW: from cold plates, or from rear doors; absent where none or unknown",
                ),
            ),
            ("water_liters_per_minute?", number("Flow of that water, l/min")),
            (
                "make_up_m3_per_day?",
                number("Water that the site uses while training, m³ a day, at the average of data centers"),
            ),
            ("why", text("How the figures came about")),
        ],
    )
}

fn feeds() -> Value {
    object(
        "The path of power from the utility to the racks",
        &[
            ("feeds", whole("Feeds of a rack")),
            ("volts", number("Voltage between phases, V")),
            (
                "rack_kw?",
                number(
                    "What each feed of a full rack of servers carries when the other is lost, kW; absent where unknown",
                ),
            ),
            ("rack_amps?", number("Current of that, A in each phase")),
            ("rack_breaker_amps?", number("Least rating of its breaker, A")),
            ("supplies?", whole("Power supplies of a system; absent where unknown")),
            ("supplies_needed?", whole("Power supplies that it needs at full load; absent where unknown")),
            (
                "feeds_to_hold?",
                whole("Feeds of a rack with which a system holds full load when one is lost; absent where unknown"),
            ),
            (
                "stages",
                list(
                    "Stages from the utility to the rack; those of a plant only for a load that is worth one",
                    of("PowerStage", "A stage"),
                ),
            ),
            ("why", text("How the figures came about")),
        ],
    )
}

fn power_stage() -> Value {
    object(
        "One stage of the path of power",
        &[
            ("id", choice("The stage", &["utility", "generator", "transformer", "ups", "busway", "rack_feed"])),
            ("units", whole("Units in all")),
            ("needed", whole("Units that carry the load without spare")),
            ("load_kva", number("What one path, or all generators together, must carry, kVA")),
            ("unit_kva", number("Least rating of one unit, kVA")),
        ],
    )
}
