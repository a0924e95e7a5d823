//! The frame that charts over two axes share: room for the names of ticks and axes, grid, clip region.

use super::canvas::{Anchor, Canvas};
use super::{Frame, Mapping, Size};
use crate::charts::{Figure, text};

/// Room at the left for the names of ticks, at the top for the name of the y axis, below for that of the x axis.
const LEFT: f64 = 54.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 40.0;
/// Size of the names of ticks.
const TICK_SIZE: f64 = 11.5;

impl Frame {
    /// The frame inside a drawing that leaves room for what stands at the right of the data.
    pub(super) fn inside(width: f64, height: f64, right_room: f64, x: Mapping, y: Mapping) -> Self {
        Self { left: LEFT, top: TOP, width: width - LEFT - right_room, height: height - TOP - BOTTOM, x, y }
    }
}

/// Grid, ticks and names of both axes.
pub(super) fn draw(canvas: &mut Canvas, figure: &Figure, frame: &Frame, x_ticks: &[f64], y_ticks: &[f64]) {
    for tick in y_ticks {
        let y = frame.py(*tick);
        canvas.line(frame.left, y, frame.right(), y, if *tick == 0.0 { "axis" } else { "grid" });
        canvas.text(frame.left - 8.0, y + 4.0, Anchor::End, "tick", &figure.y.format.tick(*tick));
    }
    for tick in x_ticks {
        let x = frame.px(*tick);
        canvas.line(x, frame.bottom(), x, frame.bottom() + 4.0, "axis");
        tick_below(canvas, x, frame.bottom() + 17.0, &figure.x.format.tick(*tick));
    }
    canvas.line(frame.left, frame.bottom(), frame.right(), frame.bottom(), "axis");
    canvas.text(0.0, 11.0, Anchor::Start, "axis-name", &figure.y.label);
    canvas.text(frame.right(), frame.bottom() + 34.0, Anchor::End, "axis-name", &figure.x.label);
}

/// The name of a tick below its place, inside of the drawing also where that is its edge.
pub(super) fn tick_below(canvas: &mut Canvas, x: f64, y: f64, name: &str) {
    let half = text::width(name, TICK_SIZE) / 2.0;
    let (at, anchor) = match () {
        () if x + half > canvas.width() => (canvas.width(), Anchor::End),
        () if x - half < 0.0 => (0.0, Anchor::Start),
        () => (x, Anchor::Middle),
    };
    canvas.text(at, y, anchor, "tick", name);
}

/// Opens the region outside of which no data is drawn; markers at its edge stay whole.
pub(super) fn clip(canvas: &mut Canvas, figure: &Figure, frame: &Frame, size: Size) {
    let part = if size == Size::Wide { "w" } else { "n" };
    let id = format!("{}-{part}", figure.id);
    canvas.clip(&id, frame.left, frame.top - 6.0, frame.width + 6.0, frame.height + 12.0);
}
