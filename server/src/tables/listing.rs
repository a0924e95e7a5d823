//! A list as a page shows it: the rows, columns and order of a view, with where each figure comes from beside it.

use super::{Cell, Column, Kind, Table};
use app::listing::{Kind as Listed, Listing, Origin, Value, View};

/// A part of an origin.
type Part = fn(&Origin) -> &str;

/// What a column of the table is of: the value of a column of the list, or a part of an origin.
#[derive(Clone, Copy)]
enum Of {
    Value(usize),
    Origin(usize, Part),
    Row(Part),
}

/// The parts of an origin.
const ORIGIN: [(&str, &str, Kind, Part); 3] = [
    ("source", "source", Kind::Text, |origin| &origin.source),
    ("date", "date", Kind::Date, |origin| &origin.date),
    ("confidence", "confidence", Kind::Text, |origin| &origin.confidence),
];

/// What a view shows of a list. Which columns there are follows from the list and the columns chosen, not from the rows.
pub fn table(listing: &Listing, view: &View) -> Table {
    let mut columns: Vec<(Of, Column)> = Vec::new();
    for place in listing.shown_columns(view) {
        let Some(listed) = listing.columns.get(place) else { continue };
        let column = Column { name: listed.id.into(), label: listed.label.clone(), kind: kind(listed.kind) };
        columns.push((Of::Value(place), column));
        if listing.rows.iter().any(|row| row.entries.get(place).is_some_and(|entry| entry.origin.is_some())) {
            columns.extend(ORIGIN.map(|(id, label, kind, part)| {
                let (name, label) = (format!("{}_{id}", listed.id), format!("{}: {label}", listed.label));
                (Of::Origin(place, part), Column { name: name.into(), label: label.into(), kind })
            }));
        }
    }
    if listing.rows.iter().any(|row| row.origin.is_some()) {
        columns.extend(
            ORIGIN
                .map(|(id, label, kind, part)| (Of::Row(part), Column { name: id.into(), label: label.into(), kind })),
        );
    }
    let rows = listing.shown(view).into_iter().filter_map(|place| listing.rows.get(place)).map(|row| {
        let cell = |of: Of| match of {
            Of::Value(place) => row.entries.get(place).map_or(Cell::Empty, |entry| cell(&entry.value)),
            Of::Origin(place, part) => row.entries.get(place).and_then(|entry| entry.origin.as_ref()).map(part).into(),
            Of::Row(part) => row.origin.as_ref().map(part).into(),
        };
        columns.iter().map(|(of, _)| cell(*of)).collect()
    });
    let rows = rows.collect();
    Table { name: listing.name.into(), columns: columns.into_iter().map(|(_, column)| column).collect(), rows }
}

fn kind(listed: Listed) -> Kind {
    match listed {
        Listed::Text => Kind::Text,
        Listed::Flag => Kind::Flag,
        Listed::Number => Kind::Number,
        Listed::Usd => Kind::Rate,
        Listed::Share => Kind::Percent,
        Listed::Date => Kind::Date,
        Listed::Link => Kind::Link,
    }
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::Unknown => Cell::Empty,
        Value::Text(text) => text.into(),
        Value::Flag(flag) => (*flag).into(),
        Value::Number(number) => (*number).into(),
    }
}
