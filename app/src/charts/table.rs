//! The figures of a chart as a table: the same data, with units, for everyone.

use super::{Figure, Format, Kind};
use crate::format;

/// A table of texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Column names.
    pub head: Vec<String>,
    /// Rows; the first cell names the row.
    pub rows: Vec<Vec<String>>,
}

/// The table of a figure.
pub fn table(figure: &Figure) -> Table {
    match figure.kind {
        Kind::Lines | Kind::Stacks => by_x(figure),
        Kind::Frontier => points(figure),
        Kind::Rows => parts(figure),
        Kind::Tornado => tornado(figure),
        Kind::Scatter => pairs(figure),
    }
}

/// One row for each x, one column for each series, with its band.
fn by_x(figure: &Figure) -> Table {
    let all = || figure.series.iter().chain(&figure.undrawn);
    let mut xs: Vec<f64> = all().flat_map(|s| s.points.iter().map(|p| p.0)).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let head = std::iter::once(figure.x.label.clone()).chain(all().map(|s| s.label.clone())).collect();
    let cell = |x: f64, series: &super::Series| {
        let Some(index) = series.points.iter().position(|p| p.0 == x) else { return "—".to_owned() };
        let typical = series.points.get(index).map_or(0.0, |p| p.1);
        let value = figure.y.format.value(typical);
        match series.band.get(index) {
            Some((low, high)) if high > low => {
                format!("{value} ({}–{})", figure.y.format.value(*low), figure.y.format.value(*high))
            }
            _ => value,
        }
    };
    let number = |x: f64| if figure.x.format == Format::Date { Format::Date.value(x) } else { figure.x.format.tick(x) };
    let name = |x: f64| figure.x.categories.get(x as usize).cloned().unwrap_or_else(|| number(x));
    let rows = xs.iter().map(|x| std::iter::once(name(*x)).chain(all().map(|s| cell(*x, s))).collect()).collect();
    Table { head, rows }
}

fn points(figure: &Figure) -> Table {
    let head = vec!["Plan".into(), figure.x.label.clone(), figure.y.label.clone()];
    let rows = figure.series.iter().flat_map(|series| {
        series.points.iter().enumerate().map(|(index, (x, y))| {
            vec![
                series.names.get(index).cloned().unwrap_or_default(),
                figure.x.format.value(*x),
                figure.y.format.value(*y),
            ]
        })
    });
    Table { head, rows: rows.collect() }
}

/// One row for each point, with how far the value up is from the value along.
fn pairs(figure: &Figure) -> Table {
    let head =
        vec!["Point".into(), "Series".into(), figure.x.label.clone(), figure.y.label.clone(), "Difference".into()];
    let rows = figure.series.iter().flat_map(|series| {
        series.points.iter().enumerate().map(|(index, (x, y))| {
            vec![
                series.names.get(index).cloned().unwrap_or_default(),
                series.label.clone(),
                figure.x.format.value(*x),
                figure.y.format.value(*y),
                format::percent_signed(y / x - 1.0),
            ]
        })
    });
    Table { head, rows: rows.collect() }
}

/// One row for each part, one column for each lying stack.
fn parts(figure: &Figure) -> Table {
    let head = std::iter::once("Part".to_owned()).chain(figure.y.categories.iter().cloned()).collect();
    let value = |points: &[(f64, f64)], row: usize| points.iter().find(|p| p.0 as usize == row).map_or(0.0, |p| p.1);
    let columns = figure.y.categories.len();
    let mut rows: Vec<Vec<String>> = figure
        .series
        .iter()
        .map(|s| {
            std::iter::once(s.label.clone())
                .chain((0..columns).map(|row| figure.x.format.value(value(&s.points, row))))
                .collect()
        })
        .collect();
    let total =
        (0..columns).map(|row| figure.x.format.value(figure.series.iter().map(|s| value(&s.points, row)).sum()));
    rows.push(std::iter::once("Total".to_owned()).chain(total).collect());
    if let Some(reference) = &figure.reference {
        rows.push(
            std::iter::once(reference.label.clone())
                .chain((0..columns).map(|_| figure.x.format.value(reference.value)))
                .collect(),
        );
    }
    Table { head, rows }
}

fn tornado(figure: &Figure) -> Table {
    let head = std::iter::once("Input".to_owned())
        .chain(figure.series.iter().flat_map(|s| [s.label.clone(), format!("Cost, {}", s.label.to_lowercase())]))
        .collect();
    let rows = figure.y.categories.iter().enumerate().map(|(row, name)| {
        let cells = figure.series.iter().flat_map(|s| {
            let value = s.points.get(row).map_or(0.0, |p| p.1);
            [s.names.get(row).cloned().unwrap_or_default(), figure.x.format.value(value)]
        });
        std::iter::once(name.clone()).chain(cells).collect()
    });
    Table { head, rows: rows.collect() }
}

impl Table {
    /// A column holds figures, which stand to the right.
    pub fn is_numeric(&self, column: usize, figure: &Figure) -> bool {
        if figure.kind == Kind::Scatter {
            return column > 1;
        }
        column > 0 || (figure.x.format != Format::Category && matches!(figure.kind, Kind::Lines))
    }
}
