//! The build beyond its boxes: floor, cables, weight, path of power, heat.

use super::build_section::{block, row, unknown};
use super::{explanation, feeds_drawing, floor_drawing, yours};
use crate::components::data_links::table_links;
use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::answer::{CableDesign, CableLevel, FeedDesign, FloorDesign, HeatDesign, RackRun, WeightDesign};
use leptos::prelude::*;

/// Runs of racks that the page lists; the export has them all.
const LISTED: usize = 12;

fn key(plan: &Plan, part: &str) -> Option<String> {
    explanation::key(plan, format!("build.{part}"))
}

fn measured(value: f64, digits: u32, unit: &str) -> String {
    format!("{} {unit}", format::significant(value, digits))
}

fn meters(value: f64) -> String {
    measured(value, 3, "m")
}

pub(super) fn floor(plan: &Plan, floor: &FloorDesign) -> AnyView {
    let key = || key(plan, "floor.area_m2");
    let rows = format::plural(floor.rows as f64, "row", "rows");
    let title = format!("{rows} on {}", measured(floor.area_m2, 3, "m²"));
    let mut table = vec![
        row("Racks in the longest row", format::count(floor.racks_per_row as f64), key()),
        row("Length of the longest row", meters(floor.row_meters), key()),
        row("Racks with their aisles", measured(floor.area_m2, 3, "m²"), key()),
    ];
    if floor.blocks > 1 {
        table.insert(0, row("Blocks of rows", format::count(floor.blocks as f64), key()));
    }
    let drawing = view! { <div class="network" inner_html=floor_drawing::draw(floor)></div> }.into_any();
    let places = places(floor);
    view! { {block(title, Some(drawing), table, &[&floor.why])} {places} }.into_any()
}

/// What stands where, the first rows of it.
fn places(floor: &FloorDesign) -> AnyView {
    let head = ["Where", "What stands there"].map(str::to_owned).to_vec();
    let place = |run: &RackRun| match (run.first_place, run.last_place) {
        (first, last) if first == last => format!("Row {}, place {first}", run.row),
        (first, last) => format!("Row {}, places {first} to {last}", run.row),
    };
    let listed = floor.racks.iter().take(LISTED);
    let rows = listed.map(|run| vec![Cell::text(place(run)), Cell::text(run.holds.clone())]).collect();
    let more = (floor.racks.len() > LISTED || floor.more_racks > 0)
        .then(|| view! { <p class="quiet">"The table floor of the exports lists more."</p> });
    let title = "Places of the racks";
    view! { <div class="block"><h3>{title}</h3><DataTable caption=title head=head rows=rows />{more}</div> }.into_any()
}

pub(super) fn cables(plan: &Plan, cables: &CableDesign) -> AnyView {
    let all: u64 = cables.levels.iter().map(|l| l.links).sum();
    let longest = cables.levels.iter().map(|l| l.longest_meters).fold(0.0, f64::max);
    let title = format!("{}, the longest {}", format::plural(all as f64, "cable", "cables"), meters(longest));
    let mut table = Vec::new();
    for level in &cables.levels {
        let key = || key(plan, &format!("cables.{}", level.id));
        table.push(vec![
            Cell::text(name(level)).note(medium(&level.medium)),
            Cell::text(format!("{}, {} on average", format::count(level.links as f64), meters(level.mean_meters)))
                .explained(key()),
        ]);
        for count in &level.by_length {
            let class = match count.up_to_meters {
                Some(to) if count.over_meters > 0.0 => format!("over {} to {} m", count.over_meters, to),
                Some(to) => format!("up to {to} m"),
                None => format!("over {} m", count.over_meters),
            };
            table.push(vec![Cell::text(class).note(name(level)), Cell::text(format::count(count.links as f64))]);
        }
    }
    view! { <div>{block(title, None, table, &[&cables.why])}{table_links("cables", "Cables by length")}</div> }
        .into_any()
}

fn name(level: &CableLevel) -> &'static str {
    match level.id.as_str() {
        "device" => "Servers to switches",
        "near" => "Neighboring switches",
        _ => "Distant switches",
    }
}

fn medium(id: &str) -> &str {
    match id {
        "copper" => "copper",
        "multimode" => "multimode fiber",
        "single_mode" => "single-mode fiber",
        other => other,
    }
}

pub(super) fn weight(plan: &Plan, weight: &WeightDesign) -> AnyView {
    let key = || key(plan, "weight.rack_kg");
    let title = match (weight.rack_kg, weight.floor_kg_per_m2) {
        (Some(rack), Some(load)) => {
            format!(
                "A full rack weighs {}, {} on the floor below it",
                measured(rack, 3, "kg"),
                measured(load, 3, "kg/m²")
            )
        }
        _ => "The weight is not known".into(),
    };
    let rows = vec![
        row("One system", unknown(weight.system_kg, |kg| measured(kg, 4, "kg")), None),
        row("A full rack of servers", unknown(weight.rack_kg, |kg| measured(kg, 3, "kg")), key()),
        row("Load on the floor below it", unknown(weight.floor_kg_per_m2, |kg| measured(kg, 3, "kg/m²")), key()),
        row("Noise", "not known".into(), None),
    ];
    block(title, None, rows, &[&weight.why])
}

pub(super) fn heat(plan: &Plan, heat: &HeatDesign) -> AnyView {
    let key = |part: &str| key(plan, &format!("heat.{part}"));
    let title = match (heat.air_m3_per_hour, heat.water_liters_per_minute) {
        (Some(air), Some(water)) => {
            format!("{} of air and {} of water carry the heat", measured(air, 3, "m³/h"), measured(water, 3, "l/min"))
        }
        (Some(air), None) => format!("{} of air carry the heat", measured(air, 3, "m³/h")),
        _ => "What carries the heat is not known".into(),
    };
    let mut rows = vec![
        row("Heat of all racks", unknown(heat.heat_kw, format::kilowatts), key("heat_kw")),
        row("Carried by air", unknown(heat.air_kw, format::kilowatts), key("air_m3_per_hour")),
        vec![
            Cell::text("Air through the racks")
                .note(heat.air_cfm.map_or_else(String::new, |cfm| measured(cfm, 3, "cubic feet a minute"))),
            Cell::text(unknown(heat.air_m3_per_hour, |m3| measured(m3, 3, "m³/h"))).explained(key("air_m3_per_hour")),
        ],
    ];
    if heat.water_kw.is_some() || heat.air_kw.is_none() {
        let flow = || key("water_liters_per_minute");
        rows.push(row("Taken by water", unknown(heat.water_kw, format::kilowatts), flow()));
        rows.push(row(
            "Water at the racks",
            unknown(heat.water_liters_per_minute, |l| measured(l, 3, "l/min")),
            flow(),
        ));
    }
    rows.push(vec![
        Cell::text("Water that the site uses").note("while training").also(yours::mark(plan, &["load_factor"])),
        Cell::text(unknown(heat.make_up_m3_per_day, |m3| measured(m3, 2, "m³ a day")))
            .explained(key("make_up_m3_per_day")),
    ]);
    block(title, None, rows, &[&heat.why])
}

pub(super) fn feeds(plan: &Plan, feeds: &FeedDesign) -> AnyView {
    let amps = || key(plan, "feeds.rack_amps");
    let title = match (feeds.rack_kw, feeds.rack_amps) {
        (Some(kw), Some(a)) => format!(
            "{} feeds for each rack, each for {} and {} A",
            feeds.feeds,
            format::kilowatts(kw),
            format::count(a.ceil())
        ),
        _ => "The feeds of a rack are not known".into(),
    };
    let mut rows: Vec<Vec<Cell>> = feeds
        .stages
        .iter()
        .map(|stage| {
            let spare = stage.units - stage.needed;
            vec![
                Cell::text(feeds_drawing::name(&stage.id)).note(format!(
                    "{} needed, {} spare",
                    format::count(stage.needed as f64),
                    format::count(spare as f64)
                )),
                Cell::text(feeds_drawing::sized(stage.units, stage.unit_kva))
                    .explained(key(plan, &format!("feeds.stages.{}", stage.id))),
            ]
        })
        .collect();
    let volts = format!("{} V, three-phase", format::exact(feeds.volts));
    let current = |a: f64| format!("{} A", format::count(a.ceil()));
    rows.push(vec![
        Cell::text("Current of a rack feed").note(volts),
        Cell::text(unknown(feeds.rack_amps, current)).explained(amps()),
    ]);
    rows.push(row(
        "Its breaker, at least",
        unknown(feeds.rack_breaker_amps, current),
        key(plan, "feeds.rack_breaker_amps"),
    ));
    let supplies = feeds.supplies.zip(feeds.supplies_needed);
    rows.push(row(
        "Power supplies of a system",
        supplies.map_or_else(|| "not known".into(), |(all, needed)| format!("{all}, of which {needed} are needed")),
        None,
    ));
    if let Some(hold) = feeds.feeds_to_hold {
        rows.push(row("Feeds to hold full load without one", hold.to_string(), key(plan, "feeds.feeds_to_hold")));
    }
    let drawing = feeds_drawing::draw(feeds).map(|svg| view! { <div class="network" inner_html=svg></div> }.into_any());
    block(title, drawing, rows, &[&feeds.why])
}
