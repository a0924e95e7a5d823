//! A cloud of points around the line where both axes are the same.

use super::canvas::{Anchor, Canvas};
use super::{Frame, Mapping, Size, axes};
use crate::charts::{Figure, text};

/// Size of a note, which is strong.
const NOTE_SIZE: f64 = 12.0 * text::BOLD;

/// Draws points over two equal axes, the diagonal, and the lines a reference share above and below it.
pub(super) fn draw(figure: &Figure, size: Size, width: f64) -> String {
    let wide = size == Size::Wide;
    let height = if wide { 470.0 } else { 340.0 };
    let (low, high) = figure.x_range();
    let (axis, ticks) = Mapping::covering(figure.x.scale, low, high, if wide { 6 } else { 4 });
    let frame = Frame::inside(width, height, 14.0, axis, Mapping { scale: figure.y.scale, ..axis });
    let mut canvas = Canvas::figure(figure, size, width, height);
    axes::draw(&mut canvas, figure, &frame, &ticks, &ticks);
    axes::clip(&mut canvas, figure, &frame, size);
    let mut line = |factor: f64, class: &str| {
        let ends = (frame.py(axis.low * factor), frame.py(axis.high * factor));
        canvas.line(frame.left, ends.0, frame.right(), ends.1, class);
    };
    if let Some(reference) = &figure.reference {
        line(1.0 + reference.value, "ref ref-thin");
        line(1.0 - reference.value, "ref ref-thin");
    }
    line(1.0, "ref");
    for series in &figure.series {
        for (x, y) in &series.points {
            canvas.point(frame.px(*x), frame.py(*y), series.color, if wide { 3.4 } else { 2.8 });
        }
    }
    canvas.end_group();
    if let Some(reference) = &figure.reference {
        // a note of two sentences takes two lines where one is too short
        let fits = text::width(&reference.label, NOTE_SIZE) <= frame.width - 10.0;
        let lines = reference.label.split_once(". ").filter(|_| !fits);
        let lines = lines.map_or_else(|| vec![reference.label.as_str()], |(first, second)| vec![first, second]);
        for (line, words) in (1u8..).zip(lines) {
            canvas.text(frame.left + 10.0, frame.top + 14.0 * f64::from(line), Anchor::Start, "note", words);
        }
    }
    canvas.finish()
}
