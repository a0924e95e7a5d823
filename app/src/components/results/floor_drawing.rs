//! The floor as a drawing: rows of racks seen from above, at most a handful of rows.

use crate::format;
use engine::answer::FloorDesign;
use std::fmt::Write;

/// Rows that are drawn.
const MOST: u64 = 8;
const WIDTH: f64 = 340.0;
/// Where racks begin: the numbers of rows stand before them.
const LEFT: f64 = 44.0;
const DEPTH: f64 = 18.0;
/// Between the fronts of two rows, and between their backs.
const COLD: f64 = 16.0;
const HOT: f64 = 8.0;

/// The drawing; it says in words what it shows.
pub(super) fn draw(floor: &FloorDesign) -> String {
    let rows = floor.rows.min(MOST);
    let top = |row: u64| {
        let before = row - 1;
        4.0 + before as f64 * DEPTH + before.div_ceil(2) as f64 * COLD + (before / 2) as f64 * HOT
    };
    let more = floor.rows - rows;
    let height = top(rows) + DEPTH + if more > 0 { 20.0 } else { 4.0 };
    let place = ((WIDTH - LEFT) / floor.racks_per_row.max(1) as f64).min(24.0);
    let mut out = format!(
        "<svg class=\"chart net floor\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">",
        label(floor)
    );
    for row in 1..=rows {
        let _ = write!(out, "<text class=\"net-name\" x=\"0\" y=\"{:.1}\">{row}</text>", top(row) + 13.0);
    }
    for run in floor.racks.iter().filter(|run| run.row <= rows) {
        let (class, letter) = match run.kind.as_str() {
            "network" => ("net-switch", "N"),
            "storage" => ("floor-storage", "S"),
            _ => ("net-server", ""),
        };
        for at in run.first_place..=run.last_place {
            let (x, y) = (LEFT + (at - 1) as f64 * place, top(run.row));
            let _ = write!(
                out,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{DEPTH}\" rx=\"2\"/>",
                (place - 2.0).max(1.0)
            );
            if !letter.is_empty() {
                let _ = write!(
                    out,
                    "<text class=\"floor-letter\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{letter}</text>",
                    x + (place - 2.0) / 2.0,
                    y + 13.0
                );
            }
        }
    }
    if more > 0 {
        let rows = format::plural(more as f64, "row", "rows");
        let _ = write!(out, "<text class=\"net-rest\" x=\"{LEFT}\" y=\"{:.1}\">+{rows}</text>", height - 5.0);
    }
    out.push_str("</svg>");
    out
}

fn label(floor: &FloorDesign) -> String {
    let rows = format::plural(floor.rows as f64, "row", "rows");
    let racks = format::plural(floor.racks_per_row as f64, "rack", "racks");
    let kinds: Vec<&str> =
        [("servers", "servers"), ("network", "switches (N) in the middle"), ("storage", "storage (S) at the end")]
            .into_iter()
            .filter(|(kind, _)| floor.racks.iter().any(|run| run.kind == *kind))
            .map(|(_, words)| words)
            .collect();
    format!("{rows} of at most {racks}, seen from above: {}", kinds.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::answer::RackRun;

    fn floor(rows: u64, per_row: u64) -> FloorDesign {
        let run = |row, first_place, last_place, kind: &str| RackRun {
            row,
            first_place,
            last_place,
            kind: kind.into(),
            holds: "x".into(),
        };
        let middle = per_row.div_ceil(2);
        let racks =
            (1..=rows).flat_map(|row| [run(row, 1, middle, "servers"), run(row, middle + 1, per_row, "network")]);
        FloorDesign {
            rows,
            blocks: 1,
            racks_per_row: per_row,
            row_meters: 1.0,
            area_m2: 1.0,
            racks: racks.filter(|run| run.first_place <= run.last_place).collect(),
            more_racks: 0,
            why: String::new(),
        }
    }

    #[test]
    fn rows_are_drawn_inside_the_frame_and_the_rest_is_counted() {
        for (rows, per_row) in [(1, 1), (1, 3), (3, 16), (8, 16), (35, 16)] {
            let svg = draw(&floor(rows, per_row));
            let right = svg.split(" x=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
            assert!(right.clone().all(|x| (0.0..WIDTH).contains(&x)), "{svg}");
            assert_eq!(svg.matches("<rect").count() as u64, rows.min(MOST) * per_row, "{svg}");
            assert_eq!(svg.contains(">+27 rows<"), rows == 35, "{svg}");
        }
    }
}
