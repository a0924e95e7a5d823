//! How the figures of floor, weight, cables, heat and the path of power came about.

use super::{cited, source_of, term};
use crate::answer::{Build, CableDesign, Explanation, FeedDesign, FloorDesign, HeatDesign, Term, WeightDesign};
use crate::catalog::{Accelerator, Catalog};
use crate::economics::inputs::Inputs;
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
    build: &Build,
    into: &mut BTreeMap<String, Explanation>,
) {
    let mut book = Book(into);
    if let Some(design) = &build.floor {
        floor(design, build.racks.count, &mut book);
    }
    if let (Some(design), Some(accelerator)) = (&build.weight, accelerator) {
        weight(design, build.racks.servers_per_rack, accelerator, &mut book);
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
    let terms = vec![
        term("racks", racks as f64, "racks", "the racks of the build"),
        term("racks in a row, at most", f.racks_per_row.value, "racks", &cited(&f.racks_per_row)),
        term("width of a place", f.rack_width_meters.value, "m", &cited(&f.rack_width_meters)),
        term("depth of a rack", f.rack_depth_meters.value, "m", &cited(&f.rack_depth_meters)),
        term("cold aisle", f.cold_aisle_meters.value, "m", &cited(&f.cold_aisle_meters)),
        term("hot aisle", f.hot_aisle_meters.value, "m", &cited(&f.hot_aisle_meters)),
    ];
    let formula = "rows = racks ÷ racks in a row, rounded up; area = length of the rows × (their depth + cold aisles in front of them + hot aisles behind them), with a cold aisle between blocks";
    book.put("floor.area_m2", "Floor for racks and aisles", design.area_m2, "m²", formula, terms);
}

fn weight(design: &WeightDesign, per_rack: u64, accelerator: &Accelerator, book: &mut Book<'_>) {
    let (Some(kg), Some(rack), Some(load)) = (&accelerator.system_kg, design.rack_kg, design.floor_kg_per_m2) else {
        return;
    };
    let f = &Catalog::get().racks.floor;
    let mut terms = vec![
        term("system", kg.value, "kg", &cited(kg)),
        term("load on the floor", load, "kg/m²", "weight ÷ (width × depth of the rack)"),
    ];
    if !crate::operation::racks::is_rack(accelerator) {
        terms.push(term("systems in a rack, at most", per_rack as f64, "systems", "power and space of a rack"));
        terms.push(term("rack, power distribution, cables", f.rack_own_kg.value, "kg", &cited(&f.rack_own_kg)));
    }
    book.put("weight.rack_kg", "Weight of a full rack of servers", rack, "kg", &design.why, terms);
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
        "all power of IT becomes heat: IT power at full load",
        vec![term("IT power at full load", heat, "kW", "build.power.facility_kw")],
    );
    if let (Some(kw), Some(flow)) = (design.air_kw, design.air_m3_per_hour) {
        book.put(
            "heat.air_m3_per_hour",
            "Air through the racks",
            flow,
            "m³/h",
            "heat × 3,600 ÷ (density × heat capacity × rise); 1 m³/h is 0.5886 cubic feet a minute",
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
            "heat × 60 ÷ (density × heat capacity × rise)",
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
            "IT power at full load × load while training × 24 h × water for each kWh",
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
            "kW × 1,000 ÷ (√3 × voltage × power factor); breaker = current ÷ share that it carries all the time",
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
            "the least n with supplies − ⌈supplies ÷ n⌉ ≥ supplies that are needed",
            vec![
                term("supplies", all as f64, "supplies", "data sheet, see the accelerator catalog"),
                term("needed", needed as f64, "supplies", "data sheet, see the accelerator catalog"),
            ],
        );
    }
    let it = build.power.it_kw.unwrap_or_default();
    let facility = build.power.facility_kw.unwrap_or_default();
    for stage in &design.stages {
        let (title, formula, load) = match stage.id.as_str() {
            "utility" => (
                "Supply of the utility",
                "facility at full load ÷ power factor, once for each path",
                term("facility at full load", facility, "kW", "build.power.facility_kw"),
            ),
            "generator" => (
                "Generators",
                "facility at full load ÷ rating, rounded up, and one more",
                term("facility at full load", facility, "kW", "build.power.facility_kw"),
            ),
            "transformer" => (
                "Transformers",
                "facility at full load ÷ power factor ÷ rating, rounded up, for each path",
                term("facility at full load", facility, "kW", "build.power.facility_kw"),
            ),
            "ups" => (
                "Uninterruptible supplies",
                "IT at full load ÷ power factor ÷ rating, rounded up, for each path",
                term("IT at full load", it, "kW", "build.power.facility_kw"),
            ),
            "busway" => (
                "Busways along the rows",
                "full racks of servers of a row, or its racks' share of IT at full load where that is more, ÷ power factor; one for each row and path",
                term("IT at full load", it, "kW", "build.power.facility_kw"),
            ),
            _ => (
                "Feeds of racks",
                "full rack ÷ power factor, one for each rack and feed",
                term("full rack", design.rack_kw.unwrap_or_default(), "kW", "nameplate of its servers"),
            ),
        };
        let rating = match stage.id.as_str() {
            "generator" => Some(&f.generator_kw),
            "transformer" => Some(&f.transformer_kva),
            "ups" => Some(&f.ups_kva),
            _ => None,
        };
        let mut terms = vec![load, factor(), term("load", stage.load_kva, "kVA", "load ÷ power factor")];
        let unit = if stage.id == "generator" { "kW" } else { "kVA" };
        terms.extend(rating.map(|r| term("largest unit", r.value, unit, &cited(r))));
        book.put(&format!("feeds.stages.{}", stage.id), title, stage.units as f64, "units", formula, terms);
    }
}
