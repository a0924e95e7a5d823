//! How the figures of floor, weight, cables, heat and the path of power came about.

use super::{cited, source_of, term};
use crate::answer::{
    Build, CableDesign, Explanation, FeedDesign, FloorDesign, HeatDesign, PowerStage, Term, WeightDesign,
};
use crate::catalog::{Accelerator, Catalog, Figure};
use crate::economics::inputs::Inputs;
use crate::operation::feeds::PATHS;
use std::collections::BTreeMap;

/// Explanations under `build.`.
struct Book<'a>(&'a mut BTreeMap<String, Explanation>);

impl Book<'_> {
    fn put(&mut self, key: &str, title: &str, value: f64, unit: &str, formula: &str, terms: Vec<Term>) {
        let explanation = Explanation { title: title.into(), value, unit: unit.into(), formula: formula.into(), terms };
        self.0.insert(format!("build.{key}"), explanation);
    }
}

/// Explains the build beyond its boxes under keys such as `build.floor.area_m2`.
pub(crate) fn physical(
    inputs: &Inputs,
    accelerator: Option<&Accelerator>,
    systems: u64,
    build: &Build,
    into: &mut BTreeMap<String, Explanation>,
) {
    let mut book = Book(into);
    if let Some(design) = &build.floor {
        floor(design, build.racks.count, &mut book);
    }
    if let (Some(design), Some(accelerator)) = (&build.weight, accelerator) {
        weight(design, build, systems, accelerator, &mut book);
    }
    if let Some(design) = &build.cables {
        cables(design, &mut book);
    }
    if let Some(design) = &build.heat {
        heat(design, build, inputs, &mut book);
    }
    if let Some(design) = &build.feeds {
        feeds(design, build, &mut book);
    }
}

fn floor(design: &FloorDesign, racks: u64, book: &mut Book<'_>) {
    let f = &Catalog::get().racks.floor;
    let most = &f.racks_per_row;
    let terms = vec![
        term("blocks", design.blocks as f64, "blocks", "beside each other, so that the hall is about square"),
        term("places", design.racks_per_row as f64, "racks", "racks ÷ rows, rounded up"),
        term("width of a place", f.rack_width_meters.value, "m", &cited(&f.rack_width_meters)),
        term("cold aisle", f.cold_aisle_meters.value, "m", &cited(&f.cold_aisle_meters)),
        term("rows", design.rows as f64, "rows", "racks ÷ racks in a row, rounded up"),
        term("depth of a rack", f.rack_depth_meters.value, "m", &cited(&f.rack_depth_meters)),
        term("hot aisle", f.hot_aisle_meters.value, "m", &cited(&f.hot_aisle_meters)),
        term("racks", racks as f64, "racks", "the racks of the build"),
        term("racks in a row", most.value, "racks", &format!("at most; {}", cited(most))),
    ];
    let formula = "(blocks × (places × width of a place + cold aisle) − cold aisle) × (⌈rows ÷ blocks⌉ × depth of a rack + ⌈⌈rows ÷ blocks⌉ ÷ 2⌉ × cold aisle + (⌊⌈rows ÷ blocks⌉ ÷ 2⌋ + 1) × hot aisle); the rows with a cold aisle in front of each pair and a hot one behind, a cold aisle between blocks; rows: racks ÷ racks in a row, rounded up";
    book.put("floor.area_m2", "Floor for racks and aisles", design.area_m2, "m²", formula, terms);
}

fn weight(design: &WeightDesign, build: &Build, systems: u64, accelerator: &Accelerator, book: &mut Book<'_>) {
    let (Some(kg), Some(rack), Some(load)) = (&accelerator.system_kg, design.rack_kg, design.floor_kg_per_m2) else {
        return;
    };
    let f = &Catalog::get().racks.floor;
    let mut terms = vec![
        term("system", kg.value, "kg", &cited(kg)),
        term("load on the floor", load, "kg/m²", "weight ÷ (width × depth of the rack)"),
    ];
    let formula = if crate::operation::racks::is_rack(accelerator) {
        "system"
    } else {
        let in_full = build.racks.servers_per_rack.min(systems);
        terms.push(term("systems in it", in_full as f64, "systems", "power and space of a rack"));
        terms.push(term("rack", f.rack_own_kg.value, "kg", &cited(&f.rack_own_kg)));
        "system × systems in it + rack"
    };
    let formula = format!("{formula}; {}. The load on the floor is that over its width and depth", design.why);
    book.put("weight.rack_kg", "Weight of a full rack of servers", rack, "kg", &formula, terms);
}

fn cables(design: &CableDesign, book: &mut Book<'_>) {
    let f = &Catalog::get().racks.floor;
    for level in &design.levels {
        let title = match level.id.as_str() {
            "device" => "Cables from servers to switches",
            "near" => "Cables between neighboring switches",
            _ => "Cables between distant switches",
        };
        let terms = vec![
            term("cables", level.links as f64, "cables", "links of the network"),
            term("longest", level.longest_meters, "m", "places of the racks"),
            term("end from the tray to a device", f.cable_drop_meters.value, "m", &cited(&f.cable_drop_meters)),
            term("spare", f.cable_slack_meters.value, "m", &cited(&f.cable_slack_meters)),
            term("width of a place", f.rack_width_meters.value, "m", &cited(&f.rack_width_meters)),
        ];
        book.put(&format!("cables.{}", level.id), title, level.mean_meters, "m on average", &design.why, terms);
    }
}

fn heat(design: &HeatDesign, build: &Build, inputs: &Inputs, book: &mut Book<'_>) {
    let f = &Catalog::get().racks.heat;
    let Some(heat) = design.heat_kw else { return };
    book.put(
        "heat.heat_kw",
        "Heat of all racks at full load",
        heat,
        "kW",
        "IT power at full load; all power of IT becomes heat",
        vec![term("IT power at full load", heat, "kW", "build.power.facility_kw")],
    );
    if let (Some(kw), Some(flow)) = (design.air_kw, design.air_m3_per_hour) {
        book.put(
            "heat.air_m3_per_hour",
            "Air through the racks",
            flow,
            "m³/h",
            "heat that air carries × 3,600 ÷ (density × heat capacity × rise); 1 m³/h is 0.5886 cubic feet a minute",
            vec![
                term("heat that air carries", kw, "kW", "heat of the racks less what cold plates take"),
                term("density", f.air_kg_per_m3.value, "kg/m³", &cited(&f.air_kg_per_m3)),
                term("heat capacity", f.air_kj_per_kg_kelvin.value, "kJ/(kg K)", &cited(&f.air_kj_per_kg_kelvin)),
                term("rise", f.air_rise_kelvin.value, "K", &cited(&f.air_rise_kelvin)),
            ],
        );
    }
    if let (Some(kw), Some(flow)) = (design.water_kw, design.water_liters_per_minute) {
        book.put(
            "heat.water_liters_per_minute",
            "Water at the racks",
            flow,
            "l/min",
            "heat that water takes × 60 ÷ (density × heat capacity × rise)",
            vec![
                term("heat that water takes", kw, "kW", "cold plates of the systems, or doors of their racks"),
                term("density", f.water_kg_per_liter.value, "kg/l", &cited(&f.water_kg_per_liter)),
                term("heat capacity", f.water_kj_per_kg_kelvin.value, "kJ/(kg K)", &cited(&f.water_kj_per_kg_kelvin)),
                term("rise", f.water_rise_kelvin.value, "K", &cited(&f.water_rise_kelvin)),
            ],
        );
    }
    if let Some(water) = design.make_up_m3_per_day {
        let it = build.power.it_kw.unwrap_or(heat);
        book.put(
            "heat.make_up_m3_per_day",
            "Water that the site uses",
            water,
            "m³ a day",
            "IT power at full load × load while training × 24 × water for each kWh ÷ 1,000; a thousand liters are a cubic meter",
            vec![
                term("IT power at full load", it, "kW", "build.power.facility_kw"),
                term("load while training", inputs.load_factor.value(), "share", &source_of(&inputs.load_factor)),
                term("water for each kWh", f.water_liters_per_kwh.value, "l", &cited(&f.water_liters_per_kwh)),
            ],
        );
    }
}

fn feeds(design: &FeedDesign, build: &Build, book: &mut Book<'_>) {
    let f = &Catalog::get().racks.feeds;
    let factor = || term("power factor", f.power_factor.value, "ratio", &cited(&f.power_factor));
    if let (Some(kw), Some(amps), Some(breaker)) = (design.rack_kw, design.rack_amps, design.rack_breaker_amps) {
        book.put(
            "feeds.rack_amps",
            "Current of a feed that carries a full rack",
            amps,
            "A",
            "full rack × 1,000 ÷ (√(3) × voltage × power factor); breaker: current ÷ share of a breaker that it carries all the time",
            vec![
                term("full rack", kw, "kW", "nameplate of its servers"),
                term("voltage", f.volts.value, "V", &cited(&f.volts)),
                factor(),
                term("share of a breaker", f.breaker_share.value, "share", &cited(&f.breaker_share)),
                term("breaker, at least", breaker, "A", "current ÷ share"),
            ],
        );
    }
    if let (Some(all), Some(needed), Some(feeds)) = (design.supplies, design.supplies_needed, design.feeds_to_hold) {
        book.put(
            "feeds.feeds_to_hold",
            "Feeds with which a system holds full load when one is lost",
            feeds as f64,
            "feeds",
            "max(⌈supplies ÷ (supplies − needed)⌉, 2); the least number of feeds of which one can be lost with its supplies",
            vec![
                term("supplies", all as f64, "supplies", "data sheet, see the accelerator catalog"),
                term("needed", needed as f64, "supplies", "data sheet, see the accelerator catalog"),
            ],
        );
    }
    for stage in &design.stages {
        power_stage(stage, design, build, book);
    }
}

/// One stage of the path of power: its load under its own key, then how many units carry it.
fn power_stage(stage: &PowerStage, design: &FeedDesign, build: &Build, book: &mut Book<'_>) {
    let f = &Catalog::get().racks.feeds;
    let factor = term("power factor", f.power_factor.value, "ratio", &cited(&f.power_factor));
    let kw = |name: &str, value: Option<f64>, source: &str| term(name, value.unwrap_or_default(), "kW", source);
    let facility = || kw("facility at full load", build.power.facility_kw, "build.power.facility_kw");
    let it = || kw("IT at full load", build.power.it_kw, "build.power.facility_kw");
    let rack = || kw("full rack", design.rack_kw, "nameplate of its servers");
    let count = |name: &str, value: u64, source: &str| term(name, value as f64, name, source);
    let per_row = || build.floor.as_ref().map_or(1, |floor| floor.racks_per_row);
    let (title, formula, mut terms) = match stage.id.as_str() {
        "utility" => (
            "Supply of the utility",
            "facility at full load ÷ power factor; on each of the paths, in a supply of its own",
            vec![facility()],
        ),
        "generator" => ("Generators", "facility at full load ÷ power factor; all together", vec![facility()]),
        "transformer" => ("Transformers", "facility at full load ÷ power factor; on each path", vec![facility()]),
        "ups" => ("Uninterruptible supplies", "IT at full load ÷ power factor; on each path", vec![it()]),
        "busway" => (
            "Busways along the rows",
            "min(max(full rack × min(places of a row, racks of servers), IT at full load × min(places of a row, racks) ÷ racks), IT at full load) ÷ power factor; full racks of a row, or its racks' share of everything where that is more",
            vec![
                rack(),
                term("places of a row", per_row() as f64, "racks", "racks ÷ rows, rounded up"),
                term("racks of servers", build.racks.server_racks as f64, "racks", "the racks of the build"),
                term("racks", build.racks.count as f64, "racks", "the racks of the build"),
                it(),
            ],
        ),
        _ => ("Feeds of racks", "full rack ÷ power factor; on each feed", vec![rack()]),
    };
    terms.push(factor);
    let key = format!("feeds.stages.{}", stage.id);
    let paths = || count("paths", PATHS, "2N, an assumption: the power distribution units of a rack imply it");
    if stage.id == "utility" {
        // what is asked for is a rating: there is one supply for each path
        terms.push(paths());
        return book.put(&key, title, stage.load_kva, "kVA", formula, terms);
    }
    book.put(&format!("{key}.load_kva"), &format!("{title}: load"), stage.load_kva, "kVA", formula, terms);
    let load = || term("load", stage.load_kva, "kVA", formula.split(';').next().unwrap_or_default());
    let largest = |figure: &Figure, kva: f64| term("largest unit", kva, "kVA", &cited(figure));
    let (formula, terms) = match stage.id.as_str() {
        "generator" => (
            "max(⌈load ÷ largest unit⌉, 1) + 1; one more than is needed, each rated for the load, at most the largest unit",
            vec![load(), largest(&f.generator_kw, f.generator_kw.value / f.power_factor.value)],
        ),
        "transformer" => (
            "max(⌈load ÷ largest unit⌉, 1) × paths; each rated for the load, at most the largest unit",
            vec![load(), largest(&f.transformer_kva, f.transformer_kva.value), paths()],
        ),
        "ups" => (
            "max(⌈load ÷ largest unit⌉, 1) × paths; each rated for the load, at most the largest unit",
            vec![load(), largest(&f.ups_kva, f.ups_kva.value), paths()],
        ),
        "busway" => ("rows × paths; each carries the load", vec![count("rows", stage.needed, "rows"), paths(), load()]),
        _ => (
            "racks × feeds; each carries the load",
            vec![
                count("racks", stage.needed, "the racks of the build"),
                count("feeds", design.feeds, "power distribution units of a rack"),
                load(),
            ],
        ),
    };
    book.put(&key, title, stage.units as f64, "units", formula, terms);
}
