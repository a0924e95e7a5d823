//! What each input moves: bars from a base, largest first.

use super::canvas::{Anchor, Canvas};
use super::{Frame, Mapping, Size, axes};
use crate::charts::{Figure, Scale, text, ticks::ticks};

/// Draws bars from the reference to the values of each series.
pub(super) fn draw(figure: &Figure, size: Size, width: f64) -> String {
    let wide = size == Size::Wide;
    let rows = figure.y.categories.len();
    let (row_height, bar) = if wide { (30.0, 16.0) } else { (44.0, 16.0) };
    let name_room = if wide { 208.0 } else { 4.0 };
    let height = 24.0 + rows.max(1) as f64 * row_height + 40.0;
    let base = figure.reference.as_ref().map_or(0.0, |r| r.value);
    let (low, high) = figure.y_range();
    let (low, high) = (low.min(base), high.max(base));
    let room = (high - low).max(base.abs() * 0.02).max(f64::MIN_POSITIVE) * 0.22;
    let x = Mapping { scale: Scale::Linear, low: (low - room).max(0.0), high: high + room };
    let y = Mapping { scale: Scale::Linear, low: 0.0, high: 1.0 };
    let frame = Frame { left: name_room, top: 24.0, width: width - name_room - 12.0, height: height - 64.0, x, y };
    let mut canvas = Canvas::figure(figure, size, width, height);
    let step: Vec<f64> = ticks(Scale::Linear, 0.0, high - low, 4).into_iter().skip(1).take(1).collect();
    if let Some(step) = step.first() {
        let first = (x.low / step).ceil() as i64;
        for tick in (first..first + 12).map(|i| i as f64 * step).take_while(|t| *t <= x.high) {
            let px = frame.px(tick);
            canvas.line(px, frame.top, px, frame.bottom(), "grid");
            axes::tick_below(&mut canvas, px, frame.bottom() + 15.0, &figure.x.format.tick(tick));
        }
    }
    canvas.text(frame.right(), frame.bottom() + 32.0, Anchor::End, "axis-name", &figure.x.label);
    for (row, name) in figure.y.categories.iter().enumerate() {
        let top =
            frame.top + row as f64 * row_height + if wide { (row_height - bar) / 2.0 } else { row_height - bar - 6.0 };
        if wide {
            canvas.text(
                name_room - 10.0,
                top + 12.0,
                Anchor::End,
                "row-name",
                &text::fit(name, 12.0, name_room - 12.0),
            );
        } else {
            canvas.text(0.0, top - 6.0, Anchor::Start, "row-name", &text::fit(name, 12.0, width));
        }
        for series in &figure.series {
            let Some((_, value)) = series.points.get(row) else { continue };
            let (from, to) = (frame.px(base), frame.px(*value));
            let title = format!(
                "{name}, {}: {}",
                series.names.get(row).unwrap_or(&series.label),
                figure.x.format.value(*value)
            );
            canvas.rect_with_title(from.min(to), top, (to - from).abs(), bar, &format!("fl c{}", series.color), &title);
            if let Some(text) = series.names.get(row).filter(|_| wide) {
                let (x, anchor) = if to < from { (to - 5.0, Anchor::End) } else { (to + 5.0, Anchor::Start) };
                let fits = text::width(text, 11.5);
                if (to < from && to - fits > frame.left - 4.0) || (to >= from && to + fits < width) {
                    canvas.text(x, top + 12.0, anchor, "tick", text);
                }
            }
        }
    }
    if let Some(reference) = &figure.reference {
        let px = frame.px(base);
        canvas.line(px, frame.top - 6.0, px, frame.bottom(), "ref");
        canvas.text(px, 11.0, Anchor::Middle, "note", &reference.label);
    }
    canvas.finish()
}
