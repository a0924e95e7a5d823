//! The same figure for Plotly: data, layout and configuration as JSON, built on the server.
//!
//! Colors are tokens such as `$c1`; the island replaces them with the computed colors of the theme, and adds
//! `names` (the names of series beside their data) where there is room for them.

mod cloud;

use super::{Axis, Figure, Format, Kind, Scale, Series, svg, ticks::ticks, time};
use plotly::common::{
    Fill, Font, Label, Line, Marker, MarkerSymbol, Mode, Orientation, Position, TextAnchor, TextPosition, Title,
};
use plotly::configuration::DisplayModeBar;
use plotly::layout::{
    Annotation, AxisType, BarMode, HoverMode, Margin, Shape, ShapeLine, ShapeType, UniformText, UniformTextMode,
};
use plotly::{Bar, Configuration, Layout, Plot, Scatter};
use serde_json::{Value, json};

const COLORS: [&str; 9] = ["$c1", "$c1", "$c2", "$c3", "$c4", "$c5", "$c6", "$c7", "$c8"];
const BANDS: [&str; 9] = ["$b1", "$b1", "$b2", "$b3", "$b4", "$b5", "$b6", "$b7", "$b8"];

/// The figure as Plotly's JSON (`data`, `layout`, `config`), safe inside a `script` element.
pub fn figure_json(figure: &Figure) -> String {
    let mut plot = Plot::new();
    if figure.kind == Kind::Scatter {
        cloud::diagonals(&mut plot, figure);
    }
    for series in &figure.series {
        match figure.kind {
            Kind::Lines | Kind::Frontier => lines(&mut plot, figure, series),
            Kind::Stacks | Kind::Rows | Kind::Tornado => bars(&mut plot, figure, series),
            Kind::Scatter => cloud::points(&mut plot, figure, series),
        }
    }
    plot.set_layout(layout(figure));
    plot.set_configuration(
        Configuration::new()
            .display_logo(false)
            .responsive(true)
            .display_mode_bar(DisplayModeBar::Hover)
            .show_tips(false),
    );
    // markup can't end the element that holds the data
    let json = tidy(&plot.to_json()).replace('<', "\\u003c");
    let more = json!({ "names": names(figure), "room": svg::names_room(figure), "months": figure.months, "leads": leads(figure) });
    let more = more.to_string().replace('<', "\\u003c");
    match (json.strip_suffix('}'), more.strip_prefix('{')) {
        (Some(open), Some(rest)) => format!("{open},{rest}"),
        _ => json,
    }
}

/// The same JSON with whole numbers written as such (`36` for `36.0`), and with the dashes of the drawing.
fn tidy(json: &str) -> String {
    let Ok(value) = serde_json::from_str(json) else { return json.to_owned() };
    let mut value = whole(value);
    for trace in value.get_mut("data").and_then(Value::as_array_mut).into_iter().flatten() {
        let Some(Value::Object(line)) = trace.get_mut("line") else { continue };
        let name = line.get("color").and_then(Value::as_str).unwrap_or_default();
        let color = COLORS.iter().rposition(|known| *known == name).unwrap_or(0);
        let dash = svg::dash(color);
        if !dash.is_empty() {
            line.insert("dash".into(), format!("{}px", dash.replace(' ', "px,")).into());
        }
    }
    value.to_string()
}

fn whole(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 1e15 => Value::from(float as i64),
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(whole).collect(),
        Value::Object(entries) => entries.into_iter().map(|(key, inner)| (key, whole(inner))).collect(),
        other => other,
    }
}

/// Each point of its series is a month: pointing at one marks that month in the other charts of the page.
fn leads(figure: &Figure) -> bool {
    let is_led =
        |series: &Series| series.points.iter().map(|point| point.0).eq(figure.months.iter().map(|month| month.1));
    !figure.months.is_empty() && figure.series.iter().all(is_led)
}

/// Names of series beside the right end of their data, as in the drawing.
fn names(figure: &Figure) -> Vec<Value> {
    if !matches!(figure.kind, Kind::Lines | Kind::Stacks) {
        return Vec::new();
    }
    let places = svg::name_places(figure, 250.0);
    let name = |(y, index): (f64, usize)| {
        figure.series.get(index).map(|s| {
            json!({
                "text": svg::name_in_room(figure, &s.label), "x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": round(y), "yref": "paper", "yanchor": "middle",
                "showarrow": false, "font": { "color": color(s.color), "size": 12 },
            })
        })
    };
    places.into_iter().filter_map(name).collect()
}

/// Four significant digits: below a pixel, and a third of the bytes.
fn round(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    let scale = 10f64.powf(3.0 - value.abs().log10().floor());
    let rounded = (value * scale).round() / scale;
    if rounded.is_finite() { rounded } else { value }
}

fn color(index: usize) -> &'static str {
    COLORS.get(index).copied().unwrap_or("$c6")
}

fn hover(axis: &Axis) -> &'static str {
    match axis.format {
        Format::Usd => "$.3s",
        Format::Percent => ".1%",
        _ => ".3s",
    }
}

fn lines(plot: &mut Plot, figure: &Figure, series: &Series) {
    if figure.x.scale == Scale::Time {
        return dated(plot, figure, series);
    }
    let x: Vec<f64> = series.points.iter().map(|p| round(p.0)).collect();
    let y: Vec<f64> = series.points.iter().map(|p| round(p.1)).collect();
    if !series.band.is_empty() && series.band.len() == x.len() {
        let edge = |values: Vec<f64>| {
            Scatter::new(x.clone(), values)
                .mode(Mode::Lines)
                .line(Line::new().width(0.0))
                .show_legend(false)
                .hover_info(plotly::common::HoverInfo::Skip)
        };
        plot.add_trace(edge(series.band.iter().map(|b| round(b.0)).collect()));
        let band = BANDS.get(series.color).copied().unwrap_or("$b6");
        plot.add_trace(edge(series.band.iter().map(|b| round(b.1)).collect()).fill(Fill::ToNextY).fill_color(band));
    }
    let frontier = figure.kind == Kind::Frontier;
    let mode = if frontier { Mode::LinesMarkersText } else { Mode::Lines };
    let mut line = Line::new().color(color(series.color)).width(if frontier { 1.5 } else { 2.25 });
    if frontier {
        line = line.shape(plotly::common::LineShape::Vh);
    }
    let mut trace = Scatter::new(x, y).name(&series.label).mode(mode).line(line);
    if !series.links.is_empty() {
        trace = trace.custom_data(series.links.clone());
    }
    if frontier {
        let click = if series.links.is_empty() { "" } else { "<br>Click to plan with it" };
        let template = format!(
            "%{{hovertext}}<br>%{{x:{}}} days, %{{y:{}}}{click}<extra></extra>",
            hover(&figure.x),
            hover(&figure.y)
        );
        trace = trace
            .text_array(free_names(series))
            .text_position_array(name_sides(series.points.len()))
            .text_font(Font::new().color("$ink").size(12))
            .hover_text_array(series.names.clone())
            .hover_template(template)
            .marker(Marker::new().color(color(series.color)).size(9).symbol(symbol(series.color)));
    } else {
        trace = trace.hover_template(format!("%{{y:{}}}", hover(&figure.y)));
    }
    plot.add_trace(trace);
}

/// Marks at days, and lines that only join them.
fn dated(plot: &mut Plot, figure: &Figure, series: &Series) {
    let x: Vec<String> = series.points.iter().map(|p| time::iso(p.0)).collect();
    let y: Vec<f64> = series.points.iter().map(|p| round(p.1)).collect();
    plot.add_trace(
        Scatter::new(x, y)
            .name(&series.label)
            .mode(Mode::LinesMarkers)
            .line(Line::new().color(color(series.color)).width(2.0))
            .marker(Marker::new().color(color(series.color)).size(8).symbol(symbol(series.color)))
            .hover_template(format!(
                "%{{fullData.name}}<br>%{{x|%-d %B %Y}}: %{{y:{}}}<extra></extra>",
                hover(&figure.y)
            )),
    );
}

/// To which side names stand: to the left of the last point, which is at the edge.
fn name_sides(count: usize) -> Vec<Position> {
    (0..count).map(|index| if index + 1 == count { Position::TopLeft } else { Position::TopRight }).collect()
}

/// Names of points that have room for them: none where the next point is near.
fn free_names(series: &Series) -> Vec<String> {
    let near = |index: usize, x: f64| series.points.get(index + 1).is_some_and(|next| next.0 < x * 1.25);
    let name = |(index, point): (usize, &(f64, f64))| {
        if near(index, point.0) { String::new() } else { series.names.get(index).cloned().unwrap_or_default() }
    };
    series.points.iter().enumerate().map(name).collect()
}

fn bars(plot: &mut Plot, figure: &Figure, series: &Series) {
    let names = |series: &Series, axis: &Axis| {
        series.points.iter().map(|p| axis.categories.get(p.0 as usize).cloned().unwrap_or_default()).collect::<Vec<_>>()
    };
    let marker = Marker::new().color(color(series.color));
    let base = figure.reference.as_ref().map_or(0.0, |r| r.value);
    // Plotly's first row is the lowest; ours is the highest, as in the table
    let mut series = series.clone();
    if figure.kind != Kind::Stacks {
        series.points.reverse();
    }
    let values: Vec<f64> =
        series.points.iter().map(|p| round(if figure.kind == Kind::Tornado { p.1 - base } else { p.1 })).collect();
    let trace = if figure.kind == Kind::Stacks {
        Bar::new(names(&series, &figure.x), values.into_iter().map(|v| v.to_string()).collect())
            .hover_template(format!("%{{y:{}}}", hover(&figure.y)))
    } else {
        let values: Vec<String> = values.into_iter().map(|v| v.to_string()).collect();
        Bar::new(values, names(&series, &figure.y))
            .orientation(Orientation::Horizontal)
            .hover_template(format!("%{{x:{}}}", hover(&figure.x)))
    };
    let trace = trace.name(&series.label).marker(marker).inside_text_anchor(TextAnchor::Middle).text_angle(0.0);
    plot.add_trace(match figure.kind {
        Kind::Stacks => trace,
        Kind::Rows => {
            let texts = series.points.iter().map(|p| figure.x.format.value(p.1)).collect();
            trace
                .text_array(texts)
                .text_position(TextPosition::Inside)
                .inside_text_font(Font::new().color("$onc").size(12))
        }
        _ => {
            let texts = series.names.iter().rev().cloned().collect();
            trace
                .text_array(texts)
                .text_position(TextPosition::Outside)
                .outside_text_font(Font::new().color("$ink2").size(12))
        }
    });
}

fn symbol(color: usize) -> MarkerSymbol {
    match color % 4 {
        1 => MarkerSymbol::Circle,
        2 => MarkerSymbol::Square,
        3 => MarkerSymbol::TriangleUp,
        _ => MarkerSymbol::Diamond,
    }
}

fn layout(figure: &Figure) -> Layout {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_short_and_dashes_are_those_of_the_drawing() {
        assert_eq!(tidy(r#"{"x":[1.0,-2.0,0.5],"t":"1.0","n":null}"#), r#"{"n":null,"t":"1.0","x":[1,-2,0.5]}"#);
        assert_eq!(tidy("no JSON"), "no JSON");
        let line = r#"{"data":[{"line":{"color":"$c2"}},{"line":{"color":"$c1"}}]}"#;
        assert_eq!(tidy(line), r#"{"data":[{"line":{"color":"$c2","dash":"8px,4px"}},{"line":{"color":"$c1"}}]}"#);
    }
}
