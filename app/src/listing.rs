//! Lists that a person narrows, orders and takes along: what they hold, and what of it is shown.
//!
//! A [`Listing`] is plain data: columns, rows, and the choices that narrow them. A [`View`] is what the address says of it.
//! Pages draw the two ([`section`]), and files are written of the same two, so that they can't disagree.

mod form;
mod section;
mod shown;
mod view;

#[cfg(test)]
mod tests;

pub use form::{empty, filter, form, form_saying};
pub use section::{head_cells, heads, section, table};
pub use view::{Order, Place, View, is_wordy, query, with_query};

use crate::components::Cell;
use crate::format;
use engine::catalog::{Catalog, Confidence, Figure};
use std::borrow::Cow;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// Yes or no.
    Flag,
    /// A count or a measure; the unit is in the id of the column.
    Number,
    /// US dollars, alone or per something.
    Usd,
    /// A share, 0 to 1.
    Share,
    /// A day, a month or a year.
    Date,
    /// An address on the web.
    Link,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Stable id in `snake_case`, with the unit: a part of addresses and the head in files.
    pub id: &'static str,
    /// Its name, with the unit where the cells don't say it.
    pub label: Cow<'static, str>,
    /// What it holds.
    pub kind: Kind,
    /// It is shown without being asked for.
    pub usual: bool,
}

impl Column {
    /// A column that is shown without being asked for.
    pub const fn new(id: &'static str, label: &'static str, kind: Kind) -> Self {
        Self { id, label: Cow::Borrowed(label), kind, usual: true }
    }

    /// A column that is shown to those who choose it.
    pub const fn more(id: &'static str, label: &'static str, kind: Kind) -> Self {
        Self { id, label: Cow::Borrowed(label), kind, usual: false }
    }

    /// Its cells stand to the right.
    pub fn is_numeric(&self) -> bool {
        matches!(self.kind, Kind::Number | Kind::Usd | Kind::Share)
    }

    /// Its name as the table of a page takes it.
    pub fn head(&self) -> String {
        format!("{}{}", if self.is_numeric() { "#" } else { "" }, self.label)
    }
}

/// What a row holds in a column: what rows are ordered by and files hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nobody knows, or there is none.
    Unknown,
    /// Words.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// A number.
    Number(f64),
}

/// Where a figure comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Source, by its short name.
    pub source: String,
    /// ISO 8601: a day, a month or a year.
    pub date: String,
    /// How sure it is.
    pub confidence: String,
}

/// One value with how it is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// In the page.
    pub cell: Cell,
    /// In files, and for the order.
    pub value: Value,
    /// Where it comes from, if it is a figure with a source of its own.
    pub origin: Option<Origin>,
}

impl From<Cell> for Entry {
    fn from(cell: Cell) -> Self {
        let value = match cell.text.as_str() {
            "" | "—" => Value::Unknown,
            text => Value::Text(text.to_owned()),
        };
        Self { cell, value, origin: None }
    }
}

impl Entry {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Cell::text(text).into()
    }

    /// Nothing known.
    pub fn unknown() -> Self {
        Self::text("—")
    }

    /// Yes or no.
    pub fn flag(flag: bool) -> Self {
        Self { value: Value::Flag(flag), ..Self::text(if flag { "yes" } else { "no" }) }
    }

    /// A number and how it is written; a dash where it is unknown.
    pub fn number(value: Option<f64>, write: fn(f64) -> String) -> Self {
        match value.filter(|value| value.is_finite()) {
            Some(value) => Self { value: Value::Number(value), ..Self::text(write(value)) },
            None => Self::unknown(),
        }
    }

    /// A figure of the catalog: its source and date below it, everything else where a pointer rests.
    pub fn figure(figure: &Figure, write: fn(f64) -> String) -> Self {
        let note = format!("{} · {}", figure.source, figure.date);
        Self {
            cell: Cell { title: Some(provenance(figure, write)), ..Cell::text(write(figure.value)) }.note(note),
            value: Value::Number(figure.value),
            origin: Some(Origin {
                source: figure.source.clone(),
                date: figure.date.clone(),
                confidence: confidence(figure.confidence).to_owned(),
            }),
        }
    }

    /// A figure that may be unknown.
    pub fn maybe(figure: Option<&Figure>, write: fn(f64) -> String) -> Self {
        figure.map_or_else(Self::unknown, |figure| Self::figure(figure, write))
    }

    /// With a quieter second line.
    pub fn note(self, note: impl Into<String>) -> Self {
        Self { cell: self.cell.note(note), ..self }
    }
}

/// How sure a figure is, in a word.
pub fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    }
}

/// Everything that is known of where a figure comes from.
fn provenance(figure: &Figure, write: fn(f64) -> String) -> String {
    let source = Catalog::get()
        .sources
        .iter()
        .find(|s| s.id == figure.source)
        .map_or(figure.source.as_str(), |s| s.title.as_str());
    let range = match (figure.low, figure.high) {
        (None, None) => String::new(),
        (low, high) => {
            format!(", from {} to {}", write(low.unwrap_or(figure.value)), write(high.unwrap_or(figure.value)))
        }
    };
    let remark = figure.note.as_ref().map(|note| format!(". {note}")).unwrap_or_default();
    format!(
        "{}{range}. {source}, {}, {} confidence{remark}",
        write(figure.value),
        format::date(&figure.date),
        confidence(figure.confidence)
    )
}

/// A row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// One for each column.
    pub entries: Vec<Entry>,
    /// What it is for each choice, by id.
    pub kinds: Vec<String>,
    /// Words that find it and are in none of its cells.
    pub words: String,
    /// Where the row as a whole comes from.
    pub origin: Option<Origin>,
}

/// A choice that narrows the rows to those of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its key in the address.
    pub id: &'static str,
    /// Its name.
    pub label: &'static str,
    /// What no choice is called.
    pub all: &'static str,
    /// What can be chosen: id and name, in order.
    pub kinds: Vec<(String, String)>,
}

/// Where files of lists are that are the same for everyone.
pub const VIEWS: &str = "/api/v1/views";

/// A list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listing {
    /// Stable name, a part of the address of its files.
    pub name: &'static str,
    /// Where its files are, by its name and an ending.
    pub files: &'static str,
    /// What it lists, for those who can't see where it stands.
    pub caption: &'static str,
    /// What one row is, and several: `offer`, `offers`.
    pub noun: (&'static str, &'static str),
    /// Columns; the first names the row and is always shown.
    pub columns: Vec<Column>,
    /// Choices.
    pub choices: Vec<Choice>,
    /// Rows in their usual order.
    pub rows: Vec<Row>,
}

impl Listing {
    /// The kinds that the rows have for a choice, each named by a function of its id, in the order of names.
    pub fn kinds(rows: &[Row], place: usize, name: impl Fn(&str) -> String) -> Vec<(String, String)> {
        let ids = rows.iter().filter_map(|row| row.kinds.get(place)).filter(|id| !id.is_empty());
        let mut kinds: Vec<(String, String)> = ids.map(|id| (id.clone(), name(id))).collect();
        kinds.sort_by(|a, b| a.1.to_lowercase().cmp(&b.1.to_lowercase()).then(a.0.cmp(&b.0)));
        kinds.dedup();
        kinds
    }

    /// How many, in words: `12 offers`.
    pub fn count(&self, rows: usize) -> String {
        format::plural(rows as f64, self.noun.0, self.noun.1)
    }
}
