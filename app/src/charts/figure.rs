//! The data of a chart, before any rendering.

use super::time;
use crate::format;

/// What an axis counts, and how its values are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// US dollars.
    Usd,
    /// A share, in percent.
    Percent,
    /// Days.
    Days,
    /// Devices, months and other counts.
    Count,
    /// GiB.
    Gib,
    /// Device-hours.
    Hours,
    /// Tokens per second.
    Rate,
    /// Days, counted from 1 January 1970.
    Date,
    /// Names, not numbers.
    Category,
}

impl Format {
    /// A value with its unit.
    pub fn value(self, value: f64) -> String {
        match self {
            Self::Usd => format::money(value),
            Self::Percent => format::percent(value),
            Self::Days => format::days(value),
            Self::Gib => format::gib(value),
            Self::Hours => format!("{} h", format::compact(value)),
            Self::Rate => format!("{} tokens/s", format::compact(value)),
            Self::Date => format::date(&time::iso(value)),
            Self::Count | Self::Category => format::compact(value),
        }
    }

    /// A value beside a tick, where the axis label says the unit.
    pub fn tick(self, value: f64) -> String {
        match self {
            Self::Usd if value == 0.0 => "$0".into(),
            Self::Usd => format!("${}", format::compact(value)),
            Self::Percent => format::percent(value),
            Self::Date => time::month(value),
            _ => format::compact(value),
        }
    }
}

/// How an axis maps values to places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps, from zero.
    Linear,
    /// Equal factors.
    Log,
    /// Equal times, from the first.
    Time,
}

/// One axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Its label, with the unit.
    pub label: String,
    /// What it counts.
    pub format: Format,
    /// Mapping.
    pub scale: Scale,
    /// Names along the axis, where it holds no numbers.
    pub categories: Vec<String>,
}

impl Axis {
    /// An axis of numbers from zero.
    pub fn linear(label: &str, format: Format) -> Self {
        Self { label: label.into(), format, scale: Scale::Linear, categories: Vec::new() }
    }

    /// An axis of factors.
    pub fn log(label: &str, format: Format) -> Self {
        Self { scale: Scale::Log, ..Self::linear(label, format) }
    }

    /// An axis of days.
    pub fn time(label: &str) -> Self {
        Self { scale: Scale::Time, ..Self::linear(label, Format::Date) }
    }

    /// An axis of names.
    pub fn categories(label: &str, categories: Vec<String>) -> Self {
        Self { categories, ..Self::linear(label, Format::Category) }
    }
}

/// Which shape the data has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lines over numbers, with bands.
    Lines,
    /// Named points over numbers, joined by steps.
    Frontier,
    /// Upright stacks over the categories of x.
    Stacks,
    /// Lying stacks, one for each category of y.
    Rows,
    /// Lying bars from a base, two for each category of y.
    Tornado,
    /// Points over numbers on two equal axes, read against the line where both are the same.
    Scatter,
}

/// One series.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Its name.
    pub label: String,
    /// Its place in the palette, from 1; it also picks dash and marker.
    pub color: usize,
    /// Points; over categories, x is the place of the category.
    pub points: Vec<(f64, f64)>,
    /// Low and high at each point; empty where unknown.
    pub band: Vec<(f64, f64)>,
    /// Name of each point; empty where points have none.
    pub names: Vec<String>,
    /// Where each point leads; empty where points lead nowhere.
    pub links: Vec<String>,
}

impl Series {
    /// A series without band and names.
    pub fn new(label: impl Into<String>, color: usize, points: Vec<(f64, f64)>) -> Self {
        Self { label: label.into(), color, points, band: Vec::new(), names: Vec::new(), links: Vec::new() }
    }
}

/// A point that the title speaks of.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Place.
    pub x: f64,
    /// Place.
    pub y: f64,
    /// What it says.
    pub text: String,
}

/// A line that values are read against: a limit, a base.
#[derive(Clone, Debug, PartialEq)]
pub struct Reference {
    /// Its value.
    pub value: f64,
    /// What it is.
    pub label: String,
}

/// One chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Id in the page.
    pub id: &'static str,
    /// The finding, as a sentence without a full stop.
    pub title: String,
    /// What is shown, with its unit and its terms.
    pub subtitle: String,
    /// Shape.
    pub kind: Kind,
    /// Along.
    pub x: Axis,
    /// Up.
    pub y: Axis,
    /// Data.
    pub series: Vec<Series>,
    /// Points with a note.
    pub marks: Vec<Mark>,
    /// A line to read values against.
    pub reference: Option<Reference>,
    /// Series that the table has and the drawing does not.
    pub undrawn: Vec<Series>,
    /// Where a month stands along x, if charts of the page are read together: month and value.
    pub months: Vec<(u32, f64)>,
}

impl Figure {
    /// What the table has and the drawing does not, as a sentence; empty where the drawing has all.
    pub fn left_out(&self) -> String {
        match self.undrawn.iter().map(|series| series.label.as_str()).collect::<Vec<_>>().as_slice() {
            [] => String::new(),
            names => format!("In the table only, for room: {}.", names.join("; ")),
        }
    }

    /// All the figure has to say, for those who can't see it.
    pub fn description(&self) -> String {
        let names: Vec<&str> = self.series.iter().map(|s| s.label.as_str()).collect();
        let over = if self.x.label.is_empty() { String::new() } else { format!(" by {}", self.x.label.to_lowercase()) };
        format!(
            "{}. {}{over}. Series: {}. {}{}The figures are in the table below the chart.",
            self.title,
            self.subtitle,
            names.join(", "),
            self.left_out(),
            if self.undrawn.is_empty() { "" } else { " " }
        )
    }

    /// A figure without data and marks.
    pub fn new(id: &'static str, kind: Kind, x: Axis, y: Axis) -> Self {
        Self {
            id,
            title: String::new(),
            subtitle: String::new(),
            kind,
            x,
            y,
            series: Vec::new(),
            marks: Vec::new(),
            reference: None,
            undrawn: Vec::new(),
            months: Vec::new(),
        }
    }

    /// Largest and smallest value along x.
    pub(super) fn x_range(&self) -> (f64, f64) {
        if self.kind == Kind::Scatter {
            return self.both_range();
        }
        range(self.series.iter().flat_map(|s| s.points.iter().map(|p| p.0)))
    }

    /// Largest and smallest value along y, bands left out.
    pub(super) fn y_range(&self) -> (f64, f64) {
        if self.kind == Kind::Scatter {
            return self.both_range();
        }
        range(self.series.iter().flat_map(|s| s.points.iter().map(|p| p.1)))
    }

    /// Axes that are compared with each other cover the same values.
    fn both_range(&self) -> (f64, f64) {
        range(self.series.iter().flat_map(|s| s.points.iter().flat_map(|p| [p.0, p.1])))
    }
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.filter(|v| v.is_finite()).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}
