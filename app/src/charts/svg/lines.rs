//! Lines and frontiers.

use super::canvas::{Anchor, Canvas};
use super::{Frame, Mapping, Size, axes, dash, name_in_room, names_room, spread};
use crate::charts::text;
use crate::charts::{Figure, Kind, Scale};

/// Draws lines over numbers.
pub(super) fn draw(figure: &Figure, size: Size, width: f64) -> String {
    let wide = size == Size::Wide;
    let height = if wide { 330.0 } else { 260.0 };
    let label_room = if wide && figure.kind == Kind::Lines { names_room(figure) } else { 14.0 };
    let (x_low, x_high) = figure.x_range();
    let (y_low, y_high) = figure.y_range();
    let x_count = if wide { 8 } else { 5 };
    let (mut x, mut x_ticks) = Mapping::covering(figure.x.scale, x_low, x_high, x_count);
    if figure.x.scale != Scale::Log {
        // lines end where their data ends
        x.high = x_high.max(x.low + f64::EPSILON);
        x_ticks.retain(|t| *t <= x_high * 1.0001);
    }
    let (y, y_ticks) = Mapping::covering(figure.y.scale, y_low, y_high, if wide { 5 } else { 4 });
    let frame = Frame::inside(width, height, label_room, x, y);
    let mut canvas = Canvas::figure(figure, size, width, height);
    axes::draw(&mut canvas, figure, &frame, &x_ticks, &y_ticks);
    axes::clip(&mut canvas, figure, &frame, size);
    bands(&mut canvas, figure, &frame);
    for series in &figure.series {
        let points: Vec<(f64, f64)> = series.points.iter().map(|(x, y)| (frame.px(*x), frame.py(*y))).collect();
        match figure.kind {
            Kind::Frontier => frontier(&mut canvas, &points, series.color),
            _ => {
                canvas.polyline(&bends(&points), &format!("ln c{}", series.color), dash(series.color));
                // markers sparse and shifted, so that those of close lines don't cover each other; a dated point is a fact
                let step = if figure.x.scale == Scale::Time { 1 } else { (points.len() / 4).max(1) };
                for (px, py) in points.iter().skip(series.color % step.max(1)).step_by(step) {
                    canvas.marker(*px, *py, series.color, 3.0);
                }
            }
        }
    }
    canvas.end_group();
    match (figure.kind, wide) {
        (Kind::Frontier, _) => point_names(&mut canvas, figure, &frame, wide),
        (_, true) => end_labels(&mut canvas, figure, &frame),
        _ => {}
    }
    marks(&mut canvas, figure, &frame);
    canvas.finish()
}

/// The points where a line bends: what lies on the way between two others within a fifth of a pixel says nothing new.
fn bends(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    let mut start = 0;
    for end in 0..points.len() {
        let (Some(from), Some(to)) = (points.get(start), points.get(end + 1)) else { break };
        let between = points.get(start + 1..=end).unwrap_or_default();
        if end == start || between.iter().all(|point| distance(*point, *from, *to) < 0.2) {
            continue;
        }
        kept.push(*from);
        start = end;
    }
    kept.extend(points.get(start));
    kept.extend(points.last().filter(|_| points.len() > start + 1));
    kept
}

/// From a point to the line through two others.
fn distance(point: (f64, f64), from: (f64, f64), to: (f64, f64)) -> f64 {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = x.hypot(y);
    let across = (point.0 - from.0) * y - (point.1 - from.1) * x;
    if length > 0.0 { across.abs() / length } else { (point.0 - from.0).hypot(point.1 - from.1) }
}

fn bands(canvas: &mut Canvas, figure: &Figure, frame: &Frame) {
    for series in figure.series.iter().filter(|s| !s.band.is_empty() && s.band.len() == s.points.len()) {
        let place = |x: f64, y: f64| (frame.px(x), frame.py(y).clamp(frame.top - 40.0, frame.bottom()));
        let low = series.points.iter().zip(&series.band).map(|((x, _), (low, _))| place(*x, *low));
        let high = series.points.iter().zip(&series.band).rev().map(|((x, _), (_, high))| place(*x, *high));
        let outline: Vec<(f64, f64)> = low.chain(high).collect();
        canvas.polygon(&bends(&outline), &format!("band c{}", series.color));
    }
}

/// Names at the right end of each line, moved apart, each tied to its line.
fn end_labels(canvas: &mut Canvas, figure: &Figure, frame: &Frame) {
    let ends = figure
        .series
        .iter()
        .enumerate()
        .filter_map(|(index, s)| s.points.last().map(|p| (frame.py(p.1).max(frame.top), index)));
    for (y, index) in spread(ends.collect(), 15.0, frame.top, frame.bottom()) {
        let Some(series) = figure.series.get(index) else { continue };
        let at = series.points.last().map_or(y, |p| frame.py(p.1).max(frame.top));
        let x = frame.right();
        canvas.polyline(&[(x + 2.0, at), (x + 8.0, y), (x + 12.0, y)], &format!("tie c{}", series.color), "");
        canvas.text(
            x + 15.0,
            y + 4.0,
            Anchor::Start,
            &format!("name c{}", series.color),
            &name_in_room(figure, &series.label),
        );
    }
}

fn frontier(canvas: &mut Canvas, points: &[(f64, f64)], color: usize) {
    // steps: a plan's cost holds until the next plan is fast enough
    let mut steps = Vec::with_capacity(points.len() * 2);
    for (index, point) in points.iter().enumerate() {
        if let Some(before) = index.checked_sub(1).and_then(|i| points.get(i)) {
            steps.push((point.0, before.1));
        }
        steps.push(*point);
    }
    canvas.polyline(&steps, &format!("ln thin c{color}"), "");
    for (x, y) in points {
        canvas.marker(*x, *y, color, 4.0);
    }
}

/// Names of points: above them, and left out where they would touch a name that stands already.
fn point_names(canvas: &mut Canvas, figure: &Figure, frame: &Frame, wide: bool) {
    let mut taken: Vec<(f64, f64, f64, f64)> = Vec::new();
    for series in &figure.series {
        for ((x, y), name) in series.points.iter().zip(&series.names) {
            let (px, py) = (frame.px(*x), frame.py(*y));
            let width = text::width(name, 12.0 * text::BOLD);
            let left = (px - width / 2.0).clamp(frame.left, (frame.right() - width).max(frame.left));
            // above, else below
            for top in [py - 22.0, py + 8.0] {
                let box_ = (left, top, left + width, top + 14.0);
                let free =
                    taken.iter().all(|t| box_.2 + 4.0 < t.0 || t.2 + 4.0 < box_.0 || box_.3 < t.1 || t.3 < box_.1);
                if free && top > 0.0 && taken.len() < if wide { 12 } else { 5 } {
                    canvas.text(left, top + 11.0, Anchor::Start, "note", name);
                    taken.push(box_);
                    break;
                }
            }
        }
    }
}

fn marks(canvas: &mut Canvas, figure: &Figure, frame: &Frame) {
    let visible =
        figure.marks.iter().filter(|m| m.x <= frame.x.high && m.x >= frame.x.low && m.y <= frame.y.high * 1.001);
    let mut last = f64::NEG_INFINITY;
    for mark in visible {
        let (x, y) = (frame.px(mark.x), frame.py(mark.y));
        canvas.ring(x, y);
        let room = mark.text.chars().count() as f64 * 7.6;
        // the note stands below its ring, where lines have gone up
        let left = (x + 8.0).min(frame.right() - room);
        if left - last > 8.0 {
            canvas.text(left, (y + 20.0).min(frame.bottom() - 4.0), Anchor::Start, "note", &mark.text);
            last = left + room;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_keeps_its_ends_and_its_bends() {
        let straight: Vec<(f64, f64)> = (0..40).map(|i| (f64::from(i), f64::from(i) * 2.0)).collect();
        assert_eq!(bends(&straight), [(0.0, 0.0), (39.0, 78.0)]);
        let bent = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 5.0), (4.0, 10.0)];
        assert_eq!(bends(&bent), [(0.0, 0.0), (2.0, 0.0), (4.0, 10.0)]);
        let there_and_back = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (2.0, 9.0), (1.0, 9.0), (0.0, 9.0)];
        assert_eq!(bends(&there_and_back), [(0.0, 0.0), (2.0, 0.0), (2.0, 9.0), (0.0, 9.0)]);
        // a slow curve does not become a straight line
        let curve: Vec<(f64, f64)> = (0..100).map(|i| (f64::from(i), f64::from(i * i) / 100.0)).collect();
        assert!(bends(&curve).len() > 8);
        assert_eq!(bends(&[(1.0, 1.0)]), [(1.0, 1.0)]);
        assert!(bends(&[]).is_empty());
    }
}
