//! The money of a plan: conservation, one measure of break-even, ranges, inverse questions, prices and explanations.

mod support;

#[path = "money/agreement.rs"]
mod agreement;
#[path = "money/conservation.rs"]
mod conservation;
#[path = "money/explained.rs"]
mod explained;
#[path = "money/inverse.rs"]
mod inverse;
#[path = "money/overrides.rs"]
mod overrides;
#[path = "money/ownership.rs"]
mod ownership;
#[path = "money/prices.rs"]
mod prices;
#[path = "money/projection.rs"]
mod projection;
#[path = "money/published.rs"]
mod published;
#[path = "money/ways.rs"]
mod ways;

use engine::Plan;
use serde_json::{Value, json};

/// A small request that is planned quickly, with more keys.
fn asked(extra: Value) -> Plan {
    let mut request =
        json!({"model": {"preset": "llama-3.1-8b"}, "training_tokens": 200_000_000_000_u64, "max_gpus": 64});
    if let (Some(request), Some(extra)) = (request.as_object_mut(), extra.as_object()) {
        request.extend(extra.clone());
    }
    support::plan(request)
}
