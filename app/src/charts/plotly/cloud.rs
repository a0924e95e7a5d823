//! Points around the line where both axes are the same.

use super::{color, hover, round};
use crate::charts::{Figure, Series};
use plotly::common::{DashType, HoverInfo, Line, Marker, MarkerSymbol, Mode};
use plotly::{Plot, Scatter};

/// The line where both axes are the same, and those a reference share above and below it.
pub(super) fn diagonals(plot: &mut Plot, figure: &Figure) {
    // beyond the ends of the axes, which cut it
    let (low, high) = figure.x_range();
    let (low, high) = (round(low / 10.0), round(high * 10.0));
    let mut line = |factor: f64, line: Line| {
        plot.add_trace(
            Scatter::new(vec![low, high], vec![round(low * factor), round(high * factor)])
                .mode(Mode::Lines)
                .line(line)
                .show_legend(false)
                .hover_info(HoverInfo::Skip),
        );
    };
    line(1.0, Line::new().color("$ink").width(1.5));
    if let Some(reference) = &figure.reference {
        for factor in [1.0 + reference.value, 1.0 - reference.value] {
            line(factor, Line::new().color("$ink2").width(1.0).dash(DashType::Dash));
        }
    }
}

/// The points of a series.
pub(super) fn points(plot: &mut Plot, figure: &Figure, series: &Series) {
    let template = format!(
        "%{{hovertext}}<br>{} %{{x:{}}}<br>{} %{{y:{}}}<extra></extra>",
        figure.x.label,
        hover(&figure.x),
        figure.y.label,
        hover(&figure.y)
    );
    plot.add_trace(
        Scatter::new(
            series.points.iter().map(|p| round(p.0)).collect(),
            series.points.iter().map(|p| round(p.1)).collect(),
        )
        .name(&series.label)
        .mode(Mode::Markers)
        .hover_text_array(series.names.clone())
        .hover_template(template)
        .marker(Marker::new().color(color(series.color)).size(7).symbol(symbol(series.color))),
    );
}

/// Hollow, and full where the shapes come round again, as in the drawing.
fn symbol(color: usize) -> MarkerSymbol {
    match (color % 4, color > 4) {
        (1, false) => MarkerSymbol::CircleOpen,
        (2, false) => MarkerSymbol::SquareOpen,
        (3, false) => MarkerSymbol::TriangleUpOpen,
        (_, false) => MarkerSymbol::DiamondOpen,
        (_, true) => super::symbol(color),
    }
}
