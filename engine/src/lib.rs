//! The sizing and cost engine of Clusterwright: pure functions over plain data.
//!
//! Two doors: [`plan`](fn@plan) turns a [`PlanRequest`] into a [`Plan`], and [`estimate`](fn@estimate) turns one explicit
//! cluster and layout into time, memory and utilization. `plan` is a search over `estimate`.
//! The engine reads no clock, no file, no network and no randomness; the catalog is embedded.
#![warn(missing_docs)]

pub mod answer;
pub mod catalog;
pub mod decisions;
pub mod handover;
pub mod problem;
pub mod request;
pub mod rules;
pub mod workload;

pub mod validation;

mod advice;
mod economics;
mod explain;
mod operation;
mod performance;
mod units;

pub use advice::{days_text, influences, largest_model, limit_days, limit_usd, months_text, plan};
pub use answer::{Estimate, Plan};
pub use decisions::decisions;
pub use economics::age::{age_days, days_from_civil, is_stale};
pub use explain::{Covered, covered};
pub use handover::{Handover, handover};
pub use performance::estimate;
pub use problem::{FieldProblem, Problem};
pub use request::{EstimateRequest, PlanRequest, Quotable, quotables};
pub use rules::{reference_builds, rules};

/// Version of the engine, as plans and links record it.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");
