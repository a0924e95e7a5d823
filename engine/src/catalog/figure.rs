//! One figure of the catalog with where it comes from.

use serde::{Deserialize, Serialize};

/// How far a figure can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Confidence {
    /// Read in a primary source, or in several that agree.
    High,
    /// Read in one secondary source, or derived from such.
    Medium,
    /// An estimate, a judgement, or recalled and not re-read.
    Low,
}

/// A figure with its range and provenance. The unit is in the name of the field that holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// The typical value.
    pub value: f64,
    /// The low end, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The high end, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Key into `sources.toml`.
    pub source: String,
    /// Date of the figure: `2026-09-01`, `2026-09` or `2026`.
    pub date: String,
    /// How far to trust it.
    pub confidence: Confidence,
    /// A remark that a reader of the figure needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Low, typical and high of a quantity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Low end.
    pub low: f64,
    /// Typical value.
    pub typical: f64,
    /// High end.
    pub high: f64,
}

impl Range {
    /// A range without width.
    pub fn exactly(value: f64) -> Self {
        Self { low: value, typical: value, high: value }
    }

    /// Applies a monotone increasing function to all three.
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self { low: f(self.low), typical: f(self.typical), high: f(self.high) }
    }

    /// Sum, end by end.
    pub fn plus(self, other: Self) -> Self {
        Self { low: self.low + other.low, typical: self.typical + other.typical, high: self.high + other.high }
    }
}

impl Figure {
    /// Low, typical, high; an unknown end is the typical value.
    pub fn range(&self) -> Range {
        Range { low: self.low.unwrap_or(self.value), typical: self.value, high: self.high.unwrap_or(self.value) }
    }
}

/// Parses an embedded file; a test proves that each one parses.
pub(crate) fn embedded<T: serde::de::DeserializeOwned>(name: &str, text: &str) -> T {
    match toml::from_str(text) {
        Ok(parsed) => parsed,
        Err(why) => unreachable!("embedded {name}: {why}"),
    }
}
