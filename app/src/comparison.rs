//! Plans beside one another: every input and the figures that people decide by, with their differences.
//!
//! Plain data, so that pages and the API tell the same.

mod inputs;
mod results;

use crate::format;
use engine::Plan;
use serde::{Deserialize, Serialize};

/// One of the plans to be compared.
#[derive(Clone, Debug)]
pub struct Side<'a> {
    title: String,
    plan: &'a Plan,
}

impl<'a> Side<'a> {
    /// A plan under a title, such as the name of its scenario.
    pub fn new(title: impl Into<String>, plan: &'a Plan) -> Self {
        Self { title: title.into(), plan }
    }
}

/// Plans beside one another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The plans, in the order given. Differences are from the first.
    pub columns: Vec<Column>,
    /// Rows by what they are about.
    pub groups: Vec<Group>,
}

/// One of the plans.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its title.
    pub title: String,
    /// Its answer in one sentence.
    pub headline: String,
    /// Version of the engine that made it.
    pub engine_version: String,
    /// Version of the catalog that it is from.
    pub catalog_version: String,
}

/// Rows about one thing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// Stable id: `inputs`, `result`, `cost`, `layout`, `utilization`.
    pub id: String,
    /// For people.
    pub title: String,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// One figure or input of every plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Stable key; of an input, its key in the address.
    pub key: String,
    /// For people.
    pub label: String,
    /// The plans do not all have the same.
    pub differs: bool,
    /// What each plan has, in the order of the columns.
    pub values: Vec<Value>,
}

/// What one plan has in a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// For people, with its unit.
    pub text: String,
    /// The number, if it is one: shares from 0 to 1, money in USD; null where it is unknown.
    pub number: Option<f64>,
    /// From what to what it may be, for people; null where that is not known.
    pub range: Option<String>,
    /// The number less that of the first plan; null where one of them has none.
    pub difference: Option<f64>,
    /// The same for people, in the unit and relative; null where there is none.
    pub difference_text: Option<String>,
    /// None of the others is better, and one is worse.
    pub best: bool,
}

impl Value {
    fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// Compares plans, the first with each of the others.
pub fn compare(sides: &[Side<'_>]) -> Comparison {
    let columns = sides.iter().map(|side| Column {
        title: side.title.clone(),
        headline: side.plan.headline.clone(),
        engine_version: side.plan.engine_version.clone(),
        catalog_version: side.plan.catalog_version.clone(),
    });
    let plans: Vec<&Plan> = sides.iter().map(|side| side.plan).collect();
    let mut groups = vec![inputs::group(&plans)];
    groups.extend(results::groups(&plans));
    groups.retain(|group| !group.rows.is_empty());
    Comparison { columns: columns.collect(), groups }
}

impl Comparison {
    /// The rows in which the plans differ, in their groups.
    pub fn only_differences(mut self) -> Self {
        for group in &mut self.groups {
            group.rows.retain(|row| row.differs);
        }
        self.groups.retain(|group| !group.rows.is_empty());
        self
    }

    /// How many rows differ.
    pub fn differences(&self) -> usize {
        self.groups.iter().flat_map(|group| &group.rows).filter(|row| row.differs).count()
    }
}

/// A row of texts.
fn row(key: impl Into<String>, label: impl Into<String>, values: Vec<Value>) -> Row {
    let differs = values.windows(2).any(|pair| pair[0].text != pair[1].text || !is_same(&pair[0], &pair[1]));
    Row { key: key.into(), label: label.into(), differs, values }
}

/// Numbers that differ by less than computing in another order makes of them are the same.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one.number, other.number) {
        (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * a.abs().max(b.abs()),
        (None, None) => true,
        _ => false,
    }
}

/// What a number counts: how it is written, and how a difference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Usd,
    Days,
    Count,
    Share,
    Gib,
    Rate,
    Kilowatts,
    Months,
}

impl Measure {
    fn write(self, value: f64) -> String {
        match self {
            Self::Usd => format::money(value),
            Self::Days => format::days(value),
            Self::Count => format::compact(value),
            Self::Share => format::percent(value),
            Self::Gib => format::gib(value),
            Self::Rate => format!("{} tokens/s", format::compact(value)),
            Self::Kilowatts => format::kilowatts(value),
            Self::Months => format::months(value),
        }
    }

    /// The difference of a value from a base: `+$120K (+4.1%)`, `−2.1 points`.
    fn difference(self, value: f64, base: f64) -> String {
        let difference = value - base;
        let sign = if difference < 0.0 { "\u{2212}" } else { "+" };
        let size = difference.abs();
        let relative =
            if base == 0.0 { String::new() } else { format!(" ({})", format::percent_signed(value / base - 1.0)) };
        match self {
            Self::Share => format!("{sign}{} points", format::significant(size * 100.0, 2)),
            _ => format!("{sign}{}{relative}", self.write(size)),
        }
    }
}

/// Which of two numbers is the better one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Better {
    Lower,
    Higher,
    Neither,
}

/// A row of numbers: with differences from the first, and the best marked.
fn numbers(
    key: &str,
    label: &str,
    (measure, better): (Measure, Better),
    values: Vec<(Option<f64>, Option<String>)>,
) -> Row {
    let base = values.first().and_then(|(number, _)| *number);
    let mut cells: Vec<Value> = values
        .into_iter()
        .map(|(number, range)| Value {
            text: number.map_or_else(|| "—".to_owned(), |number| measure.write(number)),
            number,
            range,
            ..Value::default()
        })
        .collect();
    for cell in cells.iter_mut().skip(1) {
        let (Some(number), Some(base)) = (cell.number, base) else { continue };
        let same = (number - base).abs() <= 1e-9 * number.abs().max(base.abs());
        cell.difference = Some(if same { 0.0 } else { number - base });
        cell.difference_text = (!same).then(|| measure.difference(number, base));
    }
    mark_best(&mut cells, better);
    row(key, label, cells)
}

fn mark_best(cells: &mut [Value], better: Better) {
    let known = || cells.iter().filter_map(|cell| cell.number);
    let (low, high) = known().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), n| (low.min(n), high.max(n)));
    let best = match better {
        Better::Lower => low,
        Better::Higher => high,
        Better::Neither => return,
    };
    if known().count() < 2 || (high - low).abs() <= 1e-9 * high.abs().max(low.abs()) {
        return;
    }
    for cell in cells {
        cell.best = cell.number.is_some_and(|number| (number - best).abs() <= 1e-9 * best.abs());
    }
}

#[cfg(test)]
mod tests;
