//! Tables of plans, estimates and the catalog: typed columns with stable names.
//!
//! One definition feeds all three forms: CSV ([`delimited`]), JSON rows ([`records`]) and workbooks ([`workbook`]). A
//! column keeps its name and place for good; new ones are added at the end.

mod assumptions;
mod bill;
pub mod catalog;
mod curves;
pub mod delimited;
pub mod estimates;
mod floor;
mod frontier;
pub mod listing;
mod notes;
pub mod plan;
pub mod records;
pub mod scenario;
mod sensitivity;
mod summary;
mod tiers;
mod utilization;
pub mod workbook;

use engine::catalog::Range;
use serde::Serialize;
use serde_json::Value;
use std::borrow::Cow;

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Words, or a value whose kind differs by row.
    Text,
    /// TRUE or FALSE.
    Flag,
    /// A count.
    Integer,
    /// A measure; its unit is in the name.
    Number,
    /// US dollars, to the cent.
    Money,
    /// US dollars per something, which a cent may be too coarse for.
    Rate,
    /// A share, 0 to 1; shown in percent where cells have a format.
    Percent,
    /// ISO 8601: a day, a month or a year.
    Date,
    /// An address on the web.
    Link,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// Stable name in `snake_case`, with its unit.
    pub name: Cow<'static, str>,
    /// Name for people.
    pub label: Cow<'static, str>,
    /// What its cells hold.
    pub kind: Kind,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Unknown, or there is none.
    Empty,
    /// Words, a date or an address.
    Text(String),
    /// Yes or no.
    Flag(bool),
    /// A count.
    Integer(i64),
    /// A finite number.
    Number(f64),
}

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Stable name.
    pub name: Cow<'static, str>,
    /// Columns.
    pub columns: Vec<Column>,
    /// Rows, each as long as the columns are many.
    pub rows: Vec<Vec<Cell>>,
}

/// A column with how a row fills it.
struct Field<R> {
    name: &'static str,
    label: &'static str,
    kind: Kind,
    of: fn(&R) -> Cell,
}

fn field<R>(name: &'static str, label: &'static str, kind: Kind, of: fn(&R) -> Cell) -> Field<R> {
    Field { name, label, kind, of }
}

fn table<R>(name: &'static str, rows: impl IntoIterator<Item = R>, fields: &[Field<R>]) -> Table {
    let columns = fields.iter().map(|f| Column { name: f.name.into(), label: f.label.into(), kind: f.kind }).collect();
    let rows = rows.into_iter().map(|row| fields.iter().map(|f| (f.of)(&row)).collect()).collect();
    Table { name: name.into(), columns, rows }
}

impl Cell {
    /// The value as text and JSON show it: amounts to the cent, rates to a millionth, no negative zero.
    fn settled(&self, kind: Kind) -> Self {
        let Self::Number(number) = self else { return self.clone() };
        let scale = match kind {
            Kind::Money => 100.0,
            Kind::Rate => 1e6,
            _ => return Self::Number(number + 0.0),
        };
        Self::Number((number * scale).round() / scale + 0.0)
    }
}

impl Cell {
    /// What a single value of JSON is; an object or an array is several, and empty here.
    fn of_single(value: &Value) -> Self {
        match value {
            Value::Bool(flag) => Self::Flag(*flag),
            Value::String(text) => text.into(),
            Value::Number(number) => match (number.as_i64(), number.as_f64()) {
                (Some(whole), _) => Self::Integer(whole),
                (None, number) => number.into(),
            },
            Value::Null | Value::Object(_) | Value::Array(_) => Self::Empty,
        }
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        if number.is_finite() { Self::Number(number) } else { Self::Empty }
    }
}

impl From<u64> for Cell {
    fn from(count: u64) -> Self {
        i64::try_from(count).map_or(Self::Number(count as f64), Self::Integer)
    }
}

impl From<u32> for Cell {
    fn from(count: u32) -> Self {
        Self::Integer(i64::from(count))
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        if text.is_empty() { Self::Empty } else { Self::Text(text) }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&String> for Cell {
    fn from(text: &String) -> Self {
        text.clone().into()
    }
}

impl<T: Into<Self>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

/// The id of a choice, as the API writes it.
fn id(choice: impl Serialize) -> Cell {
    match serde_json::to_value(choice) {
        Ok(Value::String(id)) => id.into(),
        _ => Cell::Empty,
    }
}

/// The low ends, typical values and high ends of what may be absent.
fn low(range: Option<Range>) -> Cell {
    range.map(|range| range.low).into()
}

fn typical(range: Option<Range>) -> Cell {
    range.map(|range| range.typical).into()
}

fn high(range: Option<Range>) -> Cell {
    range.map(|range| range.high).into()
}

/// Text as a part of a column's name: other signs than letters and digits become `_`.
fn plain_name(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}
