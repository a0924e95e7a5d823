//! The network as a drawing: levels of switches above the servers, at most a handful of each.

use super::build_section::topology;
use crate::format;
use engine::answer::NetworkDesign;
use std::fmt::Write;

/// Boxes of a level; where there are more, the last stands for the rest.
const MOST: u64 = 7;
const WIDTH: f64 = 340.0;
/// Where boxes begin: the names of levels stand before them.
const LEFT: f64 = 104.0;
const BOX: f64 = 18.0;
const STEP: f64 = 62.0;

/// One level: its name, how many there are, and the boxes that are drawn.
struct Level {
    name: String,
    count: u64,
    y: f64,
}

impl Level {
    fn boxes(&self) -> u64 {
        self.count.min(MOST)
    }

    fn width(&self) -> f64 {
        ((WIDTH - LEFT) / self.boxes() as f64 - 6.0).min(28.0)
    }

    /// The middle of a box.
    fn x(&self, index: u64) -> f64 {
        LEFT + (WIDTH - LEFT) * (index as f64 + 0.5) / self.boxes() as f64
    }

    /// The boxes of this level that stand for those of another below one of its boxes.
    fn above(&self, other: &Self, index: u64) -> u64 {
        index * self.boxes() / other.boxes().max(1)
    }
}

/// The drawing; it says in words what it shows.
pub(super) fn draw(network: &NetworkDesign, servers: u64) -> String {
    let level = |n: u64, one: &str, many: &str, row: f64| Level {
        name: format::plural(n as f64, one, many),
        count: n,
        y: 6.0 + row * STEP,
    };
    let flat = matches!(network.topology.as_str(), "dragonfly" | "torus" | "single_switch" | "rail_only");
    let tiers: Vec<(u64, &str, &str)> = if flat {
        vec![(network.switches, "switch", "switches")]
    } else {
        vec![(network.cores, "core", "cores"), (network.spines, "spine", "spines"), (network.leaves, "leaf", "leaves")]
    };
    let mut levels: Vec<Level> = tiers
        .into_iter()
        .filter(|(n, _, _)| *n > 0)
        .chain([(servers, "server", "servers")])
        .enumerate()
        .map(|(row, (n, one, many))| level(n, one, many, row as f64))
        .collect();
    levels.retain(|level| level.count > 0);
    let height = 12.0 + STEP * (levels.len().saturating_sub(1)) as f64 + BOX;
    let names: Vec<&str> = levels.iter().map(|l| l.name.as_str()).collect();
    let label = format!("{}: {}, from top to bottom", topology(&network.topology), names.join(", "));
    let mut out =
        format!("<svg class=\"chart net\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{label}\">");
    for pair in levels.windows(2) {
        if let [upper, lower] = pair {
            let is_last = lower.name.ends_with("server") || lower.name.ends_with("servers");
            // a server of a network by rail has a link to each leaf; of any other to one
            let all = !is_last || network.topology.starts_with("rail_");
            links(&mut out, upper, lower, all);
        }
    }
    for (row, level) in levels.iter().enumerate() {
        let is_servers = row + 1 == levels.len();
        if !is_servers && matches!(network.topology.as_str(), "dragonfly" | "torus") && level.boxes() > 1 {
            let y = level.y + BOX / 2.0;
            let _ = write!(
                out,
                "<line class=\"net-link\" x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\"/>",
                level.x(0),
                level.x(level.boxes() - 1)
            );
        }
        boxes(&mut out, level, if is_servers { "net-server" } else { "net-switch" });
    }
    out.push_str("</svg>");
    out
}

fn links(out: &mut String, upper: &Level, lower: &Level, all: bool) {
    for below in 0..lower.boxes() {
        let one = upper.above(lower, below);
        for above in (0..upper.boxes()).filter(|above| all || *above == one) {
            let _ = write!(
                out,
                "<line class=\"net-link\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
                upper.x(above),
                upper.y + BOX,
                lower.x(below),
                lower.y
            );
        }
    }
}

fn boxes(out: &mut String, level: &Level, class: &str) {
    let (y, width) = (level.y, level.width());
    let _ = write!(out, "<text class=\"net-name\" x=\"0\" y=\"{:.1}\">{}</text>", y + 13.5, level.name);
    for index in 0..level.boxes() {
        let x = level.x(index);
        let rest = level.count - (level.boxes() - 1);
        let is_rest = index + 1 == level.boxes() && rest > 1;
        let more = if is_rest { " net-more" } else { "" };
        let _ = write!(
            out,
            "<rect class=\"{class}{more}\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BOX}\" rx=\"3\"/>",
            x - width / 2.0
        );
        if is_rest {
            let text = if rest < 1_000 { format!("+{rest}") } else { "…".into() };
            let _ = write!(
                out,
                "<text class=\"net-rest\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{text}</text>",
                y + 13.0
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::fixture;

    #[test]
    fn every_size_and_shape_is_drawn_inside_its_frame() {
        let mut network = fixture::plan().build.and_then(|b| b.network).expect("a network");
        for topology in ["single_switch", "fat_tree", "rail_optimized", "rail_only", "dragonfly", "torus"] {
            for (leaves, spines, cores, servers) in
                [(1, 0, 0, 2), (4, 2, 0, 15), (8, 4, 0, 32), (512, 512, 256, 16_384)]
            {
                network.topology = topology.into();
                (network.leaves, network.spines, network.cores) = (leaves, spines, cores);
                network.switches = leaves + spines + cores;
                let svg = draw(&network, servers);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                let right = svg.split(" x=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
                assert!(right.clone().all(|x| (0.0..WIDTH).contains(&x)), "{svg}");
                let drawn = svg.matches("net-server").count() as u64;
                assert_eq!(drawn, servers.min(MOST), "{topology}");
            }
        }
    }

    #[test]
    fn the_boxes_and_the_rest_are_all_there_are() {
        let level = Level { name: "9 leaves".into(), count: 9, y: 0.0 };
        let mut out = String::new();
        boxes(&mut out, &level, "x");
        assert_eq!(out.matches("<rect").count(), 7);
        assert!(out.contains(">+3<"), "six boxes and three more: {out}");
    }
}
