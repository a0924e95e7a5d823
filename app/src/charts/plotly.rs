//! The same figure for Plotly: data, layout and configuration as JSON, built on the server.
//!
//! Colors are tokens such as `$c1`; the island replaces them with the computed colors of the theme, and adds
//! `names` (the names of series beside their data) where there is room for them.

mod cloud;
mod layout;

use super::{Axis, Figure, Format, Kind, Scale, Series, svg, time};
use plotly::common::{Fill, Font, Line, Marker, MarkerSymbol, Mode, Orientation, Position, TextAnchor, TextPosition};
use plotly::configuration::DisplayModeBar;
use plotly::{Bar, Configuration, Plot, Scatter};
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
    plot.set_layout(layout::layout(figure));
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
