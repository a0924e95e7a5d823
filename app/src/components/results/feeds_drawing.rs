//! The path of power as a one-line drawing: two paths from the utility down to the rack.

use crate::format;
use engine::answer::{FeedDesign, PowerStage};
use std::fmt::Write;

const WIDTH: f64 = 340.0;
const BOX: f64 = 36.0;
const STEP: f64 = 54.0;
/// Width of a box of one path.
const SIDE: f64 = 108.0;
/// Middles of the two paths.
const PATHS: [(f64, &str); 2] = [(56.0, "A"), (284.0, "B")];

/// The drawing; it says in words what it shows. `None` where no feed can be sized.
pub(super) fn draw(feeds: &FeedDesign) -> Option<String> {
    let kw = feeds.rack_kw?;
    let chain: Vec<&PowerStage> =
        feeds.stages.iter().filter(|s| !matches!(s.id.as_str(), "generator" | "rack_feed")).collect();
    let generator = feeds.stages.iter().find(|s| s.id == "generator");
    let steps = chain.len().max(1);
    let height = 4.0 + steps as f64 * STEP + BOX + 4.0;
    let words: Vec<String> = chain.iter().map(|s| format!("{} {}", name(&s.id), each(s))).collect();
    let words = if words.is_empty() { vec!["supply of the building".to_owned()] } else { words };
    let rack = format!("rack of {}", format::kilowatts(kw));
    let label = format!("Two paths, each: {}, {rack}", words.join(", "));
    let mut out = format!(
        "<svg class=\"chart net oneline\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{label}\">"
    );
    for (x, _) in PATHS {
        let _ = write!(
            out,
            "<line class=\"net-link\" x1=\"{x}\" y1=\"{BOX}\" x2=\"{x}\" y2=\"{:.1}\"/>",
            height - BOX - 4.0
        );
    }
    let row = |index: usize| 4.0 + index as f64 * STEP;
    if let Some(generator) = generator {
        let y = row(0) + STEP / 2.0;
        let middle = y + BOX / 2.0;
        for ((x, _), end) in PATHS.iter().zip([128.0, WIDTH - 128.0]) {
            let _ =
                write!(out, "<line class=\"net-link\" x1=\"{x}\" y1=\"{middle:.1}\" x2=\"{end}\" y2=\"{middle:.1}\"/>");
        }
        boxed(&mut out, WIDTH / 2.0, y, 84.0, "Generators", &sized(generator.units, generator.unit_kva));
    }
    if chain.is_empty() {
        for (x, path) in PATHS {
            boxed(&mut out, x, row(0), SIDE, &format!("Building {path}"), "supply");
        }
    }
    for (index, stage) in chain.iter().enumerate() {
        for (x, path) in PATHS {
            boxed(&mut out, x, row(index), SIDE, &format!("{} {path}", name(&stage.id)), &each(stage));
        }
    }
    let breaker =
        feeds.rack_breaker_amps.map_or_else(String::new, |a| format!(", breakers from {} A", format::count(a.ceil())));
    boxed(
        &mut out,
        WIDTH / 2.0,
        row(steps),
        WIDTH - 4.0,
        &format!("Rack, {} feeds", feeds.feeds),
        &format!("{}{breaker}", format::kilowatts(kw)),
    );
    out.push_str("</svg>");
    Some(out)
}

/// A stage in words.
pub(super) fn name(id: &str) -> &str {
    match id {
        "utility" => "Utility",
        "generator" => "Generators",
        "transformer" => "Transformer",
        "ups" => "UPS",
        "busway" => "Busway",
        "rack_feed" => "Rack feed",
        other => other,
    }
}

/// The units of one path.
fn each(stage: &PowerStage) -> String {
    sized(stage.needed, stage.unit_kva)
}

pub(super) fn sized(units: u64, kva: f64) -> String {
    let kva = format::count(kva.ceil());
    if units == 1 { format!("{kva} kVA") } else { format!("{} × {kva} kVA", format::count(units as f64)) }
}

fn boxed(out: &mut String, middle: f64, y: f64, width: f64, name: &str, rating: &str) {
    let _ = write!(
        out,
        "<rect class=\"oneline-box\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{width}\" height=\"{BOX}\" rx=\"3\"/><text class=\"net-name\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{name}</text><text class=\"net-rest\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{rating}</text>",
        middle - width / 2.0,
        y + 15.0,
        y + 29.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feeds(ids: &[&str]) -> FeedDesign {
        let stage =
            |id: &&str| PowerStage { id: (*id).into(), units: 4, needed: 2, load_kva: 2_000.0, unit_kva: 1_200.0 };
        FeedDesign {
            feeds: 2,
            volts: 415.0,
            rack_kw: Some(40.8),
            rack_amps: Some(59.7),
            rack_breaker_amps: Some(74.7),
            supplies: None,
            supplies_needed: None,
            feeds_to_hold: None,
            stages: ids.iter().map(stage).collect(),
            why: String::new(),
        }
    }

    #[test]
    fn every_stage_is_on_both_paths_and_inside_the_frame() {
        let all = ["utility", "generator", "transformer", "ups", "busway", "rack_feed"];
        let plant = draw(&feeds(&all)).expect("sized");
        // four stages on two paths, the generators, the rack
        assert_eq!(plant.matches("<rect").count(), 10, "{plant}");
        assert!(plant.contains("UPS A") && plant.contains("UPS B") && plant.contains("2 × 1,200 kVA"), "{plant}");
        let small = draw(&feeds(&["rack_feed"])).expect("sized");
        assert!(small.contains("Building A") && small.contains("breakers from 75 A"), "{small}");
        for svg in [plant, small] {
            let right = svg.split(" x=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
            assert!(right.clone().all(|x| (0.0..WIDTH).contains(&x)) && !svg.contains("NaN"), "{svg}");
        }
        assert_eq!(draw(&FeedDesign { rack_kw: None, ..feeds(&all) }), None);
    }
}
