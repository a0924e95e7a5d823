//! What a caller may ask, checked once, where it is parsed.
//!
//! A page, a REST call, a feed and a share link all arrive here: as JSON, or as query pairs whose keys
//! are the same paths joined with dots. Everything wrong is reported at once, field by field.

mod address;
mod estimate_request;
mod model;
mod options;
pub(crate) mod overrides;
mod plan_request;
mod quantity;
pub(crate) mod quotes;
mod reader;

pub use address::{plan_request_from_pairs, plan_request_to_pairs, tree_from_pairs};
pub use estimate_request::{EstimateRequest, LayoutRequest};
pub use model::ModelChoice;
pub use options::{
    Acquisition, AttentionKernel, Facility, HostOffload, Method, Optimizer, Precision, Recompute, Sharding, Software,
    SoftwareStack, StorageClass, Topology,
};
pub use overrides::{Overrides, PricedItem, Quotable, ScalarOverride, quotables};
pub use plan_request::{PLAN_LIMITS, PlanLimits, PlanRequest};
pub use quantity::{QuantityKind, group_digits, parse_quantity};
pub use quotes::{Quote, Quotes};
pub use reader::Form;
