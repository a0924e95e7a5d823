//! Published training measurements, what the engine predicts for each of them, and the fit of its constants.

mod compare;
pub mod fit;
mod measurement;
pub mod refit;

pub use compare::{Case, Comparison, Summary, compare, compare_with, summarize};
pub use measurement::{Measurement, measurements};
