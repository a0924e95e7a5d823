//! Published training measurements, what the engine predicts for each of them, and the fit of its constants.

mod bandwidth;
mod compare;
pub mod fit;
mod held_out;
mod measurement;
pub mod refit;
mod report;

pub use bandwidth::{BandwidthPoint, bandwidth_errors, bandwidth_points};
pub use compare::{Case, Comparison, Summary, compare, compare_with, summarize};
pub use held_out::{HeldOut, HeldOutKinds};
pub use measurement::{Measurement, measurements};
pub use report::{Group, ModelKind, Report, Row, Summaries, report};
