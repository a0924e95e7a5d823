//! The pipeline of one step as a timeline: which stage works on which micro-batch, forward and backward, and when it
//! waits.
//!
//! The order of passes is that of one forward, one backward (Narayanan et al., "Efficient large-scale language model
//! training on GPU clusters", 2021), interleaved where a device holds several runs of layers.

use crate::charts::escape;
use crate::format;
use engine::answer::Estimate;
use engine::request::Recompute;
use std::fmt::Write;

const WIDTH: f64 = 340.0;
/// Where the bars begin: the names of stages stand before them.
const LEFT: f64 = 54.0;
const TOP: f64 = 4.0;
const ROW: f64 = 16.0;
/// Stages that are drawn; of more, the first and the last.
const MOST_STAGES: usize = 8;
/// Passes of a stage that are drawn: all of them up to the first, as many rounds as it takes up to the second.
const ALL_PASSES: usize = 72;
const MOST_PASSES: usize = 128;

/// One pass of one micro-batch over one run of layers.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pass {
    micro_batch: usize,
    chunk: usize,
    is_backward: bool,
    start: f64,
    end: f64,
}

/// Stages, runs of layers on each, and micro-batches.
#[derive(Clone, Copy, Debug)]
struct Shape {
    stages: usize,
    chunks: usize,
    micro_batches: usize,
    /// Time of a backward pass over that of a forward pass.
    backward: f64,
}

/// The drawing with its caption; none without a pipeline.
pub(super) fn draw(estimate: &Estimate, micro_batches: f64) -> Option<(String, String)> {
    let layout = &estimate.layout;
    let (stages, chunks) = (layout.pipeline as usize, layout.virtual_pipeline.max(1) as usize);
    if stages < 2 || micro_batches < 1.0 {
        return None;
    }
    let all = micro_batches.round() as usize;
    let drawn = drawn(stages, chunks, all)?;
    let backward = if layout.recompute == Recompute::Full { 3.0 } else { 2.0 };
    let shape = Shape { stages, chunks, micro_batches: drawn, backward };
    let rows = schedule(shape)?;
    let bubble = estimate.time_seconds.pipeline_bubble / estimate.step_seconds;
    let shown = if drawn < all {
        format!("{drawn} of its {} micro-batches are drawn; the others repeat the middle", format::count(all as f64))
    } else {
        format!("all {drawn} micro-batches are drawn")
    };
    let caption = format!(
        "One step, left to right: forward passes dark, backward passes light, empty where a stage waits. {shown}. \
         Over the whole step, stages wait {} of the time.",
        format::percent(bubble)
    );
    Some((svg(&rows, &caption), caption))
}

/// Micro-batches to draw: enough for fill, a middle and drain. Interleaving takes them in rounds of as many as stages.
fn drawn(stages: usize, chunks: usize, all: usize) -> Option<usize> {
    if all * chunks * 2 <= ALL_PASSES && (chunks == 1 || all.is_multiple_of(stages)) {
        return Some(all);
    }
    let fitting = (2 * stages).min(MOST_PASSES / (2 * chunks)).min(all);
    if chunks == 1 {
        return Some(fitting.max(1));
    }
    let rounds = fitting / stages * stages;
    (rounds > 0).then_some(rounds)
}

/// Every pass of every stage; none if the order can't be kept, which would be a fault of it.
fn schedule(shape: Shape) -> Option<Vec<Vec<Pass>>> {
    let Shape { stages: p, chunks: v, micro_batches: m, backward } = shape;
    let orders: Vec<Vec<(usize, usize, bool)>> = (0..p).map(|stage| order(shape, stage)).collect();
    let mut ends = vec![None; p * v * m * 2];
    let at = |stage: usize, chunk: usize, micro: usize, back: bool| {
        ((stage * v + chunk) * m + micro) * 2 + usize::from(back)
    };
    let mut rows: Vec<Vec<Pass>> = vec![Vec::new(); p];
    let total: usize = orders.iter().map(Vec::len).sum();
    let mut done = 0;
    while done < total {
        let before = done;
        for stage in 0..p {
            while let Some(&(micro, chunk, back)) = orders[stage].get(rows[stage].len()) {
                let needs = match (back, stage) {
                    (false, 0) if chunk == 0 => None,
                    (false, 0) => Some(at(p - 1, chunk - 1, micro, false)),
                    (false, _) => Some(at(stage - 1, chunk, micro, false)),
                    (true, s) if s + 1 < p => Some(at(s + 1, chunk, micro, true)),
                    (true, _) if chunk + 1 == v => Some(at(stage, chunk, micro, false)),
                    (true, _) => Some(at(0, chunk + 1, micro, true)),
                };
                let ready = match needs.map(|index| ends[index]) {
                    None => 0.0,
                    Some(Some(end)) => end,
                    Some(None) => break,
                };
                let start = rows[stage].last().map_or(0.0, |pass: &Pass| pass.end).max(ready);
                let end = start + if back { backward } else { 1.0 } / v as f64;
                ends[at(stage, chunk, micro, back)] = Some(end);
                rows[stage].push(Pass { micro_batch: micro, chunk, is_backward: back, start, end });
                done += 1;
            }
        }
        if done == before {
            return None;
        }
    }
    Some(rows)
}

/// The passes of a stage in order: micro-batch, run of layers, and whether it goes back.
fn order(shape: Shape, stage: usize) -> Vec<(usize, usize, bool)> {
    let Shape { stages: p, chunks: v, micro_batches: m, .. } = shape;
    let total = m * v;
    let warm_up = match v {
        1 => (p - stage - 1).min(total),
        _ if m == p => total,
        _ => ((p - stage - 1) * 2 + (v - 1) * p).min(total),
    };
    let of = |k: usize, back: bool| {
        let (round, within) = (k / (p * v), k % (p * v));
        let chunk = if back { v - 1 - within / p } else { within / p };
        (round * p + within % p, chunk, back)
    };
    let mut passes = Vec::with_capacity(2 * total);
    passes.extend((0..warm_up).map(|k| of(k, false)));
    for k in warm_up..total {
        passes.push(of(k, false));
        passes.push(of(k - warm_up, true));
    }
    passes.extend((total - warm_up..total).map(|k| of(k, true)));
    passes
}

fn svg(rows: &[Vec<Pass>], caption: &str) -> String {
    let end = rows.iter().filter_map(|row| row.last()).map(|pass| pass.end).fold(f64::MIN_POSITIVE, f64::max);
    let x = |time: f64| LEFT + (WIDTH - LEFT) * time / end;
    let picked: Vec<usize> = if rows.len() <= MOST_STAGES {
        (0..rows.len()).collect()
    } else {
        (0..MOST_STAGES / 2).chain(rows.len() - MOST_STAGES / 2..rows.len()).collect()
    };
    let height = TOP * 2.0 + picked.len() as f64 * ROW;
    let mut out = format!(
        "<svg class=\"chart timeline\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">",
        escape(caption)
    );
    for (line, &stage) in picked.iter().enumerate() {
        let top = TOP + line as f64 * ROW;
        let _ = write!(
            out,
            "<text class=\"tick\" x=\"0\" y=\"{:.1}\">Stage {}</text>\
             <rect class=\"track\" x=\"{LEFT}\" y=\"{top}\" width=\"{:.1}\" height=\"{:.1}\"/>",
            top + ROW * 0.68,
            stage + 1,
            WIDTH - LEFT,
            ROW - 4.0
        );
        for (is_backward, class) in [(false, "fl c1 seg"), (true, "fl c1 seg back")] {
            let mut outline = String::new();
            for pass in rows[stage].iter().filter(|pass| pass.is_backward == is_backward) {
                let width = x(pass.end) - x(pass.start);
                let _ = write!(outline, "M{:.1} {top}h{width:.1}v{:.0}h-{width:.1}z", x(pass.start), ROW - 4.0);
            }
            let _ = write!(out, "<path class=\"{class}\" d=\"{outline}\"/>");
        }
    }
    out.push_str("</svg>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Length of the schedule, and what a stage waits of it on average.
    fn waits(shape: Shape) -> (f64, f64) {
        let rows = schedule(shape).expect("an order that can be kept");
        let end = rows.iter().flat_map(|row| row.last()).map(|pass| pass.end).fold(0.0, f64::max);
        let work: f64 = rows.iter().flatten().map(|pass| pass.end - pass.start).sum();
        (end, 1.0 - work / (end * shape.stages as f64))
    }

    #[test]
    fn the_bubble_is_that_of_the_paper() {
        for (p, v, m) in [(2, 1, 4), (4, 1, 8), (8, 1, 16), (4, 2, 8), (4, 4, 8), (8, 2, 16), (2, 3, 6)] {
            let shape = Shape { stages: p, chunks: v, micro_batches: m, backward: 2.0 };
            let (end, idle) = waits(shape);
            // (p − 1)/v rounds of one forward and one backward pass beyond the work itself
            let work = 3.0 * m as f64;
            let bubble = 3.0 * (p - 1) as f64 / v as f64;
            assert!((end - work - bubble).abs() < 1e-9, "p {p} v {v} m {m}: {end} for {work} + {bubble}");
            assert!((idle - bubble / (work + bubble)).abs() < 1e-9);
        }
    }

    #[test]
    fn each_stage_does_each_pass_once_and_one_at_a_time() {
        for (p, v, m) in [(3, 1, 7), (4, 2, 4), (16, 1, 2), (5, 3, 10)] {
            let rows = schedule(Shape { stages: p, chunks: v, micro_batches: m, backward: 3.0 }).expect("kept");
            for row in rows {
                assert_eq!(row.len(), 2 * v * m);
                let mut kinds: Vec<_> = row.iter().map(|x| (x.micro_batch, x.chunk, x.is_backward)).collect();
                kinds.sort_unstable();
                kinds.dedup();
                assert_eq!(kinds.len(), 2 * v * m);
                assert!(row.windows(2).all(|pair| pair[1].start >= pair[0].end - 1e-9));
            }
        }
    }

    #[test]
    fn what_is_drawn_stays_small() {
        for (p, v, m) in [(2, 1, 1), (16, 1, 2048), (16, 8, 512), (4, 2, 60), (8, 4, 8), (3, 2, 7)] {
            if let Some(drawn) = drawn(p, v, m) {
                assert!(drawn >= 1 && drawn <= m && drawn * v * 2 <= MOST_PASSES.max(2), "{p} {v} {m}: {drawn}");
                assert!(v == 1 || drawn.is_multiple_of(p));
            }
        }
    }
}
