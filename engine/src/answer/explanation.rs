//! How a figure came about.

use serde::{Deserialize, Serialize};

/// One value in a formula.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Term {
    /// Name in the formula.
    pub name: String,
    /// Value put in.
    pub value: f64,
    /// Unit.
    pub unit: String,
    /// Where the value came from, with its date: a catalog figure, the request, or another figure of the plan.
    pub source: String,
}

/// The formula behind one figure, with the values put in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Explanation {
    /// Name of the figure for people.
    pub title: String,
    /// The result.
    pub value: f64,
    /// Unit of the result.
    pub unit: String,
    /// The formula: an expression over the names of the terms (see [`Explanation::computed`]) and, after a semicolon,
    /// what else is to be said; words alone for what no expression gives, such as a search.
    pub formula: String,
    /// The values put in.
    pub terms: Vec<Term>,
}

/// What one input, changed by a tenth of its value, does to a figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Influence {
    /// Path of the input: of the request, or under its `overrides`.
    pub key: String,
    /// Name for people.
    pub label: String,
    /// Unit of the input.
    pub unit: String,
    /// The input as it is.
    pub from: f64,
    /// The input as it is changed to.
    pub to: f64,
    /// The figure then, in its own unit.
    pub value: f64,
}
