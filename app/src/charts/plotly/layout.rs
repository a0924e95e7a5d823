//! What stands around the data of a chart.

use crate::charts::{Axis, Figure, Format, Kind, Scale, svg, ticks::ticks};
use plotly::Layout;
use plotly::common::{Font, Label, Title};
use plotly::layout::{
    Annotation, AxisType, BarMode, HoverMode, Margin, Shape, ShapeLine, ShapeType, UniformText, UniformTextMode,
};

/// Axes, margins, hovering, lines and notes of a figure.
pub(super) fn layout(figure: &Figure) -> Layout {
    let font = || Font::new().size(12).color("$ink2").family("system-ui, sans-serif");
    // one row needs no name of its own
    let named_rows = figure.kind == Kind::Tornado || figure.y.categories.len() > 1;
    let left = match figure.kind {
        Kind::Tornado => 210,
        Kind::Rows if named_rows => 110,
        Kind::Rows => 12,
        _ => 62,
    };
    // days of different series are rarely the same
    let unified = matches!(figure.kind, Kind::Lines | Kind::Stacks) && figure.x.scale != Scale::Time;
    let mut layout = Layout::new()
        .font(font())
        .paper_background_color("rgba(0,0,0,0)")
        .plot_background_color("rgba(0,0,0,0)")
        .margin(Margin::new().left(left).right(14).top(12).bottom(46))
        .hover_mode(if unified { HoverMode::XUnified } else { HoverMode::Closest })
        .hover_label(Label::new().background_color("$panel").border_color("$line").font(font().color("$ink")))
        // the legend of the page names the series
        .show_legend(false)
        .x_axis(axis(figure, &figure.x, figure.x_range()))
        .y_axis(
            axis(
                figure,
                &figure.y,
                if figure.kind == Kind::Scatter { figure.y_range() } else { svg::y_extent(figure) },
            )
            .show_tick_labels(named_rows || figure.kind != Kind::Rows),
        );
    if matches!(figure.kind, Kind::Stacks | Kind::Rows) {
        // a value that does not fit its part is left to the table, not squeezed
        let values = UniformText::new().mode(UniformTextMode::Hide).min_size(11);
        layout = layout.bar_mode(BarMode::Stack).bar_gap(0.3).uniform_text(values);
    }
    if figure.kind == Kind::Tornado {
        layout = layout.bar_mode(BarMode::Overlay).bar_gap(0.45);
    }
    let lone = !matches!(figure.kind, Kind::Tornado | Kind::Scatter);
    if let Some(reference) = figure.reference.as_ref().filter(|_| lone) {
        let line = ShapeLine::new().color("$ink").width(1.5);
        let shape = Shape::new().shape_type(ShapeType::Line).line(line);
        layout = layout.shapes(vec![if figure.kind == Kind::Rows {
            shape.x0(reference.value).x1(reference.value).y_ref("paper").y0(0).y1(1)
        } else {
            shape.y0(reference.value).y1(reference.value).x_ref("paper").x0(0).x1(1)
        }]);
    }
    // notes that would stand on one another are left to the table
    let apart = figure.x_range().1 * 0.11;
    let mut last = f64::NEG_INFINITY;
    let marks = figure.marks.iter().filter(|mark| {
        let free = mark.x - last >= apart;
        if free {
            last = mark.x;
        }
        free
    });
    let notes = marks.map(|mark| {
        Annotation::new()
            .x(log_if(&figure.x, mark.x))
            .y(log_if(&figure.y, mark.y))
            .text(&mark.text)
            .show_arrow(true)
            .background_color("$panel")
            .border_pad(1.0)
            .arrow_color("$ink2")
            .ax(24)
            .ay(28)
            .font(font().color("$ink"))
    });
    layout.annotations(notes.collect())
}

/// Plotly places notes on logarithmic axes by exponent.
fn log_if(axis: &Axis, value: f64) -> f64 {
    if axis.scale == Scale::Log { value.max(f64::MIN_POSITIVE).log10() } else { value }
}

fn axis(figure: &Figure, of: &Axis, (low, high): (f64, f64)) -> plotly::layout::Axis {
    let tornado = figure.kind == Kind::Tornado;
    let label = match of.format {
        Format::Category if figure.kind != Kind::Stacks => String::new(),
        Format::Category => of.label.clone(),
        _ if tornado => "Change of the cost, USD".into(),
        _ => of.label.clone(),
    };
    let axis = plotly::layout::Axis::new()
        .title(Title::from(label))
        .color("$ink2")
        .grid_color("$line")
        .line_color("$line")
        .zero_line_color("$line")
        .auto_margin(true);
    let axis = match (of.format, of.scale) {
        (Format::Category, _) => return axis.type_(AxisType::Category).show_grid(false),
        (_, Scale::Time) => return axis.type_(AxisType::Date),
        (_, Scale::Log) => {
            // the round values of the drawing, in its words
            let values = ticks(Scale::Log, low, high, 6);
            let texts = values.iter().map(|v| of.format.tick(*v)).collect();
            let ends = (values.first().copied().unwrap_or(low), values.last().copied().unwrap_or(high));
            return axis
                .type_(AxisType::Log)
                .tick_text(texts)
                .tick_values(values)
                .range(vec![ends.0.log10(), ends.1.log10()]);
        }
        _ if tornado => {
            // room for the values beside the bars
            let base = figure.reference.as_ref().map_or(0.0, |r| r.value);
            let (low, high) = figure.y_range();
            let (low, high) = (low.min(base) - base, high.max(base) - base);
            let room = (high - low) * 0.22;
            axis.range(vec![low - room, high + room])
        }
        _ => axis.range(vec![0.0, if figure.kind == Kind::Rows { row_end(figure) } else { high }]),
    };
    match of.format {
        Format::Usd => axis.tick_format("$~s"),
        Format::Percent => axis.tick_format(".0%"),
        _ => axis.tick_format("~s"),
    }
}

/// Right end of lying stacks: the whole, or the limit.
fn row_end(figure: &Figure) -> f64 {
    if figure.x.format == Format::Percent {
        return 1.0;
    }
    let total: f64 = figure.series.iter().filter_map(|s| s.points.first()).map(|p| p.1).sum();
    total.max(figure.reference.as_ref().map_or(0.0, |r| r.value)) * 1.005
}
