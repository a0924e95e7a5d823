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
    /// The formula in words and symbols.
    pub formula: String,
    /// The values put in.
    pub terms: Vec<Term>,
}
