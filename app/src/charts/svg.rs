//! Charts as SVG, rendered on the server: colors by class (so that dark mode works), no inline style.

mod axes;
mod bars;
mod canvas;
mod lines;
mod scatter;
mod tornado;

use super::{Figure, Kind, Scale, text, ticks::ticks};
use canvas::Canvas;
pub(crate) use canvas::escape;

/// The two drawings of a chart: each column width gets text that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// From 660 px: labels beside the lines.
    Wide,
    /// Below: the legend under the chart names the series.
    Narrow,
}

/// Draws a figure.
pub fn svg(figure: &Figure, size: Size) -> String {
    let width = match size {
        Size::Wide => 800.0,
        Size::Narrow => 340.0,
    };
    match figure.kind {
        Kind::Lines | Kind::Frontier => lines::draw(figure, size, width),
        Kind::Stacks => bars::stacks(figure, size, width),
        Kind::Rows => bars::rows(figure, size, width),
        Kind::Tornado => tornado::draw(figure, size, width),
        Kind::Scatter => scatter::draw(figure, size, width),
    }
}

/// The key of a series for a legend.
pub fn legend_key(kind: Kind, color: usize) -> String {
    let mut canvas = Canvas::key();
    match kind {
        Kind::Lines | Kind::Frontier => {
            canvas.polyline(&[(0.0, 6.0), (24.0, 6.0)], &format!("ln c{color}"), dash(color));
            canvas.marker(12.0, 6.0, color, 3.5);
        }
        Kind::Scatter => canvas.point(12.0, 6.0, color, 4.0),
        _ => canvas.rect(6.0, 0.0, 12.0, 12.0, &format!("fl c{color}")),
    }
    canvas.finish()
}

/// Dashes of a series: told apart without color.
pub(super) fn dash(color: usize) -> &'static str {
    ["", "8 4", "2 4", "10 3 2 3", "5 3", "1 3", "12 4", "6 2 2 2"].get(color.wrapping_sub(1)).copied().unwrap_or("")
}

/// A rectangle of the drawing with its two mappings.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    x: Mapping,
    y: Mapping,
}

/// From values to places 0 to 1.
#[derive(Clone, Copy)]
struct Mapping {
    scale: Scale,
    low: f64,
    high: f64,
}

impl Mapping {
    /// The mapping that covers a range with round ends, and the ticks along it.
    fn covering(scale: Scale, low: f64, high: f64, count: usize) -> (Self, Vec<f64>) {
        let ticks = ticks(scale, low, high, count);
        let (first, last) = (ticks.first().copied().unwrap_or(0.0), ticks.last().copied().unwrap_or(1.0));
        (Self { scale, low: first, high: if last > first { last } else { first + 1.0 } }, ticks)
    }

    fn place(self, value: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear | Scale::Time => (value - self.low) / (self.high - self.low),
            Scale::Log => (value.max(f64::MIN_POSITIVE) / self.low).ln() / (self.high / self.low).ln(),
        };
        if share.is_finite() { share } else { 0.0 }
    }
}

impl Frame {
    fn px(&self, x: f64) -> f64 {
        self.left + self.x.place(x) * self.width
    }

    fn py(&self, y: f64) -> f64 {
        self.top + (1.0 - self.y.place(y)) * self.height
    }

    fn right(&self) -> f64 {
        self.left + self.width
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// Low and high end of the y axis, as drawn.
pub(super) fn y_extent(figure: &Figure) -> (f64, f64) {
    let (low, high) = figure.y_range();
    let (low, high) = match figure.kind {
        Kind::Stacks => (0.0, bars::top(figure)),
        _ => (low, high),
    };
    let (mapping, _) = Mapping::covering(figure.y.scale, low, high, 5);
    (mapping.low, mapping.high)
}

/// Size of the names of series, which are strong, and what stands between the data and a name: its tie and a gap.
const NAME_SIZE: f64 = 12.0 * text::BOLD;
const TIE: f64 = 17.0;
/// Least and most that the names of series may take from the data.
const NAMES_LEAST: f64 = 90.0;
const NAMES_MOST: f64 = 240.0;

/// Room at the right of the data for the names of its series, with their ties.
pub(super) fn names_room(figure: &Figure) -> f64 {
    let longest = figure.series.iter().map(|series| text::width(&series.label, NAME_SIZE)).fold(0.0, f64::max);
    (longest + TIE).clamp(NAMES_LEAST, NAMES_MOST).ceil()
}

/// The name of a series as it fits into that room.
pub(super) fn name_in_room(figure: &Figure, label: &str) -> String {
    text::fit(label, NAME_SIZE, names_room(figure) - TIE)
}

/// Heights at which the names of series stand beside the data, 0 to 1 from the bottom, none over another.
pub(super) fn name_places(figure: &Figure, height: f64) -> Vec<(f64, usize)> {
    let (low, high) = y_extent(figure);
    let mapping = Mapping { scale: figure.y.scale, low, high };
    let stacked = figure.kind == Kind::Stacks;
    let mut base = 0.0;
    let mut ends = Vec::new();
    for (index, series) in figure.series.iter().enumerate() {
        let Some((_, value)) = series.points.last() else { continue };
        let at = if stacked { base + value / 2.0 } else { *value };
        base += value;
        ends.push(((1.0 - mapping.place(at).clamp(0.0, 1.0)) * height, index));
    }
    spread(ends, 16.0, 0.0, height).into_iter().map(|(y, index)| (1.0 - y / height, index)).collect()
}

/// Moves labels apart so that none overlaps another: places from the top, each with at least `gap`.
fn spread(mut labels: Vec<(f64, usize)>, gap: f64, top: f64, bottom: f64) -> Vec<(f64, usize)> {
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut floor = top;
    for label in &mut labels {
        label.0 = label.0.max(floor);
        floor = label.0 + gap;
    }
    let mut ceiling = bottom;
    for label in labels.iter_mut().rev() {
        label.0 = label.0.min(ceiling);
        ceiling = label.0 - gap;
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_keep_their_distance() {
        let placed = spread(vec![(100.0, 0), (101.0, 1), (99.0, 2), (250.0, 3)], 15.0, 10.0, 255.0);
        assert!(placed.windows(2).all(|pair| pair[1].0 - pair[0].0 >= 14.999), "{placed:?}");
        assert!(placed.iter().all(|(y, _)| (10.0..=255.0).contains(y)));
    }
}
