//! Stacked bars, upright and lying.

use super::canvas::{self, Anchor, Canvas};
use super::{Frame, Mapping, Size, axes, name_in_room, names_room, spread};
use crate::charts::{Figure, Format, Scale};

/// Bars beside each other that a pointer can tell apart.
const MOST_TITLES: usize = 16;

fn segment(color: usize) -> String {
    format!("fl seg c{color}")
}

/// Upright stacks over categories.
pub(super) fn stacks(figure: &Figure, size: Size, width: f64) -> String {
    let wide = size == Size::Wide;
    let height = if wide { 300.0 } else { 250.0 };
    let label_room = if wide { names_room(figure) } else { 8.0 };
    let (y, y_ticks) = Mapping::covering(Scale::Linear, 0.0, top(figure), if wide { 5 } else { 4 });
    let count = figure.x.categories.len().max(1) as f64;
    let x = Mapping { scale: Scale::Linear, low: -0.5, high: count - 0.5 };
    let frame = Frame::inside(width, height, label_room, x, y);
    let mut canvas = Canvas::figure(figure, size, width, height);
    axes::draw(&mut canvas, figure, &frame, &[], &y_ticks);
    // as many names along the axis as fit
    let least = (count * 34.0 / frame.width).ceil() as usize;
    let every = [1, 2, 3, 6, 12, 24].into_iter().find(|step| *step >= least).unwrap_or(least);
    let bar = (frame.width / count * 0.68).min(56.0);
    let mut outlines = vec![String::new(); figure.series.len()];
    for (index, name) in figure.x.categories.iter().enumerate() {
        let center = frame.px(index as f64);
        let mut base = 0.0;
        for (series, outline) in figure.series.iter().zip(&mut outlines) {
            let value = value_at(&series.points, index);
            let (low, high) = (frame.py(base), frame.py(base + value));
            let left = center - bar / 2.0;
            match (value > 0.0, wide && figure.x.categories.len() <= MOST_TITLES) {
                (true, true) => {
                    let class = segment(series.color);
                    let title = format!("{} {name}: {} {}", figure.x.label, series.label, figure.y.format.value(value));
                    canvas.rect_with_title(left, high, bar, low - high, &class, &title);
                }
                // no pointer rests on a phone, or hits one of many: the bars of a series are one outline
                (true, false) => canvas::add_rect(outline, left, high, bar, low - high),
                _ => {}
            }
            base += value;
        }
        if (index + 1) % every == 0 {
            canvas.text(center, frame.bottom() + 17.0, Anchor::Middle, "tick", name);
        }
    }
    for (series, outline) in figure.series.iter().zip(&outlines).filter(|(_, outline)| !outline.is_empty()) {
        canvas.path(outline, &segment(series.color));
    }
    if let Some(reference) = &figure.reference {
        let y = frame.py(reference.value);
        canvas.line(frame.left, y, frame.right(), y, "ref");
        canvas.text(frame.left + 4.0, y - 5.0, Anchor::Start, "note", &reference.label);
    }
    if wide {
        names_beside_last(&mut canvas, figure, &frame, bar);
    }
    canvas.finish()
}

/// The highest stack, or the line above it.
pub(super) fn top(figure: &Figure) -> f64 {
    if figure.y.format == Format::Percent {
        return 1.0;
    }
    let highest = totals(figure, figure.x.categories.len()).into_iter().fold(0.0, f64::max);
    highest.max(figure.reference.as_ref().map_or(0.0, |r| r.value))
}

/// Names of the segments of the last stack, moved apart.
fn names_beside_last(canvas: &mut Canvas, figure: &Figure, frame: &Frame, bar: f64) {
    let last = figure.x.categories.len().saturating_sub(1);
    let mut base = 0.0;
    let mut places = Vec::new();
    for (index, series) in figure.series.iter().enumerate() {
        let value = value_at(&series.points, last);
        places.push((frame.py(base + value / 2.0), index));
        base += value;
    }
    let right = frame.px(last as f64) + bar / 2.0;
    for (y, index) in spread(places.clone(), 15.0, frame.top, frame.bottom()) {
        let Some(series) = figure.series.get(index) else { continue };
        let at = places.get(index).map_or(y, |p| p.0);
        canvas.polyline(
            &[(right + 2.0, at), (frame.right() + 6.0, y), (frame.right() + 10.0, y)],
            &format!("tie c{}", series.color),
            "",
        );
        canvas.text(
            frame.right() + 14.0,
            y + 4.0,
            Anchor::Start,
            &format!("name c{}", series.color),
            &name_in_room(figure, &series.label),
        );
    }
}

/// Lying stacks, one for each category; the values stand in the legend and the table.
pub(super) fn rows(figure: &Figure, size: Size, width: f64) -> String {
    let wide = size == Size::Wide;
    let rows = figure.y.categories.len().max(1);
    let thickness = 26.0;
    let gap = if wide { 12.0 } else { 30.0 };
    let name_room = if wide && rows > 1 { 130.0 } else { 2.0 };
    let head = if wide { 6.0 } else { 20.0 };
    let height = head + rows as f64 * (thickness + gap) + 40.0;
    let totals = totals(figure, rows);
    let most = totals.iter().copied().fold(0.0, f64::max).max(figure.reference.as_ref().map_or(0.0, |r| r.value));
    let (mut x, ticks) = Mapping::covering(Scale::Linear, 0.0, most, if wide { 6 } else { 4 });
    let x_high = if figure.x.format == Format::Percent { 1.0 } else { most * 1.0001 };
    x.high = x_high.max(f64::MIN_POSITIVE);
    let y = Mapping { scale: Scale::Linear, low: 0.0, high: 1.0 };
    let frame =
        Frame { left: name_room, top: head, width: width - name_room - 14.0, height: height - head - 40.0, x, y };
    let mut canvas = Canvas::figure(figure, size, width, height);
    for tick in ticks.iter().filter(|t| **t <= x_high * 1.001) {
        let px = frame.px(*tick);
        canvas.line(px, frame.top, px, frame.bottom(), "grid");
        axes::tick_below(&mut canvas, px, frame.bottom() + 14.0, &figure.x.format.tick(*tick));
    }
    canvas.text(frame.right(), frame.bottom() + 31.0, Anchor::End, "axis-name", &figure.x.label);
    for (row, name) in figure.y.categories.iter().enumerate() {
        let top = frame.top + row as f64 * (thickness + gap) + if wide { gap / 2.0 } else { 12.0 };
        if rows > 1 {
            let (nx, ny, anchor) = if wide {
                (name_room - 10.0, top + thickness / 2.0 + 4.0, Anchor::End)
            } else {
                (0.0, top - 6.0, Anchor::Start)
            };
            canvas.text(nx, ny, anchor, "row-name", name);
        }
        if let Some(reference) = &figure.reference {
            canvas.rect(frame.left, top, frame.px(reference.value) - frame.left, thickness, "track");
        }
        let mut base = 0.0;
        for series in &figure.series {
            let value = value_at(&series.points, row);
            let (left, right) = (frame.px(base), frame.px(base + value));
            let text = figure.x.format.value(value);
            if value > 0.0 {
                canvas.rect_with_title(
                    left,
                    top,
                    right - left,
                    thickness,
                    &format!("fl seg c{}", series.color),
                    &format!("{name}: {} {text}", series.label),
                );
                if right - left > text.chars().count() as f64 * 7.0 + 6.0 {
                    canvas.text((left + right) / 2.0, top + thickness / 2.0 + 4.0, Anchor::Middle, "inside", &text);
                }
            }
            base += value;
        }
        if let Some(reference) = &figure.reference {
            let px = frame.px(reference.value);
            canvas.line(px, top - 4.0, px, top + thickness + 4.0, "ref");
            if row == 0 && !wide {
                canvas.text(px, top - 7.0, Anchor::End, "note", &reference.label);
            } else if row == 0 {
                canvas.text(px - 6.0, top + thickness / 2.0 + 4.0, Anchor::End, "note", &reference.label);
            }
        }
    }
    canvas.finish()
}

fn totals(figure: &Figure, count: usize) -> Vec<f64> {
    (0..count).map(|index| figure.series.iter().map(|s| value_at(&s.points, index)).sum()).collect()
}

/// The value of a category; 0 where the series has none.
fn value_at(points: &[(f64, f64)], index: usize) -> f64 {
    points.iter().find(|p| p.0 as usize == index).map_or(0.0, |p| if p.1.is_finite() { p.1.max(0.0) } else { 0.0 })
}
