//! The parallel layout drawn on the servers: a row for each pipeline stage, in it the replicas side by side, each with
//! the devices that share its matrices and sequences, and around them the servers they stand in.
//!
//! Ranks are in the order that the engine counts traffic with: tensor, context, data, pipeline, from the nearest
//! neighbors to the farthest.

use crate::charts::escape;
use engine::answer::Layout;
use std::fmt::Write;

const WIDTH: f64 = 340.0;
const LEFT: f64 = 54.0;
const TOP: f64 = 18.0;
const GAP: f64 = 7.0;
/// Most rows and columns; of more, the last stands for the rest.
const MOST: u32 = 6;
/// Most devices of a cell that are drawn one by one.
const MOST_DEVICES: u32 = 16;

/// The drawing and its caption.
pub(super) fn draw(layout: &Layout, per_server: u32) -> Option<(String, String)> {
    let group = layout.tensor * layout.context;
    let servers = per_server.max(1);
    if layout.tensor * layout.context * layout.pipeline * layout.data < 2 {
        return None;
    }
    let caption = caption(layout, group, servers);
    Some((svg(layout, group, servers, &caption), caption))
}

fn caption(layout: &Layout, group: u32, per_server: u32) -> String {
    let stands = match group {
        1 => "Each small box is a GPU that works by itself on its stage".to_owned(),
        _ if group <= per_server => {
            format!("{group} GPUs work as one on a stage, inside one server")
        }
        _ => format!("{group} GPUs work as one on a stage, over {} servers", group.div_ceil(per_server)),
    };
    let frames = if group < per_server && per_server.is_multiple_of(group) && layout.data > 1 {
        format!("; a frame is a server of {per_server}")
    } else {
        String::new()
    };
    let all = match (layout.pipeline, layout.data) {
        (_, 1) => "Rows are the stages of one replica".to_owned(),
        (1, data) => format!("Columns are the {data} replicas, each with all layers"),
        (stages, data) => format!("Columns are the {data} replicas, rows the {stages} stages of their layers"),
    };
    format!("{all}. {stands}{frames}.")
}

fn svg(layout: &Layout, group: u32, per_server: u32, caption: &str) -> String {
    let (columns, rows) = (layout.data.min(MOST), layout.pipeline.min(MOST));
    let cell = ((WIDTH - LEFT) / f64::from(columns)).min(90.0);
    let drawn = group.min(MOST_DEVICES);
    let across = if drawn <= 4 { drawn } else { drawn.div_ceil(2) };
    let down = drawn.div_ceil(across.max(1));
    let side = ((cell - GAP - 4.0) / f64::from(across) - 2.0).clamp(2.0, 13.0);
    let row = f64::from(down) * (side + 2.0) + GAP + 4.0;
    let height = TOP + row * f64::from(rows) + 2.0;
    let mut out = format!(
        "<svg class=\"chart layout-drawing\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"{}\">",
        escape(caption)
    );
    for column in 0..columns {
        let name = name(column, columns, layout.data, "");
        let middle = LEFT + cell * (f64::from(column) + 0.5);
        let _ = write!(out, "<text class=\"tick\" x=\"{middle:.1}\" y=\"11\" text-anchor=\"middle\">{name}</text>");
    }
    // servers that hold several replicas of a stage
    let together = if group < per_server && per_server.is_multiple_of(group) { per_server / group } else { 1 };
    for line in 0..rows {
        let top = TOP + row * f64::from(line);
        let _ = write!(
            out,
            "<text class=\"tick\" x=\"0\" y=\"{:.1}\">{}</text>",
            top + row / 2.0 + 2.0,
            if layout.pipeline == 1 { "All layers".to_owned() } else { name(line, rows, layout.pipeline, "Stage ") }
        );
        // the last of many stands in a server far from the one before it
        let near = if columns < layout.data { columns - 1 } else { columns };
        let firsts = (0..near).step_by(together as usize).map(|first| (first, together.min(near - first)));
        for (first, cells) in firsts.chain((near..columns).map(|last| (last, 1))) {
            let width = cell * f64::from(cells) - GAP / 2.0;
            let _ = write!(
                out,
                "<rect class=\"frame\" x=\"{:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{:.1}\" rx=\"3\"/>",
                LEFT + cell * f64::from(first),
                row - GAP / 2.0
            );
        }
        let mut outline = String::new();
        for column in 0..columns {
            let from =
                LEFT + cell * f64::from(column) + (cell - GAP / 2.0 - f64::from(across) * (side + 2.0) + 2.0) / 2.0;
            for device in 0..drawn {
                let x = from + f64::from(device % across) * (side + 2.0);
                let y = top + (GAP / 2.0 + 2.0) / 2.0 + 1.0 + f64::from(device / across) * (side + 2.0);
                let _ = write!(outline, "M{x:.1} {y:.1}h{side:.1}v{side:.1}h-{side:.1}z");
            }
        }
        let _ = write!(out, "<path class=\"fl c{}\" d=\"{outline}\"/>", line % 8 + 1);
    }
    out.push_str("</svg>");
    out
}

/// A row or column by its number; the last of many is the last there is, after those that are left out.
fn name(index: u32, drawn: u32, all: u32, before: &str) -> String {
    match index {
        last if last + 1 == drawn && drawn < all => format!("… {all}"),
        _ => format!("{before}{}", index + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::request::{Recompute, Sharding};

    fn layout(tensor: u32, pipeline: u32, context: u32, data: u32) -> Layout {
        Layout {
            tensor,
            pipeline,
            virtual_pipeline: 1,
            context,
            expert: 1,
            data,
            sharding: Sharding::Optimizer,
            micro_batch_sequences: 1,
            recompute: Recompute::None,
        }
    }

    #[test]
    fn every_layout_is_drawn_inside_its_frame() {
        for l in [layout(4, 4, 1, 8), layout(8, 16, 2, 64), layout(1, 1, 1, 8), layout(64, 1, 1, 4), layout(1, 2, 1, 3)]
        {
            let (svg, caption) = draw(&l, 8).expect("several devices");
            assert!(!svg.contains("NaN") && svg.len() < 20_000, "{} bytes", svg.len());
            for at in svg.split("M").skip(1).filter_map(|rest| rest.split(' ').next()?.parse::<f64>().ok()) {
                assert!((LEFT..=WIDTH).contains(&at), "{at}: {caption}");
            }
            let named = match l.pipeline {
                1 => 0,
                stages => {
                    if stages > MOST {
                        MOST - 1
                    } else {
                        stages
                    }
                }
            };
            assert_eq!(svg.matches("Stage ").count(), named as usize);
        }
        assert!(draw(&layout(1, 1, 1, 1), 8).is_none());
    }

    #[test]
    fn the_caption_says_where_groups_stand() {
        assert_eq!(
            draw(&layout(8, 2, 1, 2), 8).expect("drawn").1,
            "Columns are the 2 replicas, rows the 2 stages of their layers. 8 GPUs work as one on a stage, inside one server."
        );
        assert!(draw(&layout(8, 2, 2, 2), 8).expect("drawn").1.contains("over 2 servers"));
        assert!(draw(&layout(2, 2, 1, 8), 8).expect("drawn").1.contains("a frame is a server of 8."));
    }
}
