//! From a plan to its figures. Titles say what the data says.

mod compared;
mod cost;
mod memory;
mod price_history;
mod sensitivity;
mod time;
mod utilization;
mod validation;

pub use compared::compared_cost;
pub(crate) use cost::in_sentence;
pub use cost::{cost_by_month, useful_hour};
pub use memory::memory;
pub use price_history::{Posted, price_history};
pub use sensitivity::sensitivity;
pub(crate) use time::candidate_name;
pub use time::{frontier, step};
pub use utilization::{by_month, by_size};
pub use validation::predicted_against_measured;

use super::Figure;
use engine::Plan;

/// Every figure of a plan that has data.
pub fn all(plan: &Plan) -> Vec<Figure> {
    [
        cost_by_month(plan),
        useful_hour(plan),
        step(plan),
        frontier(plan, |_| String::new()),
        by_size(plan),
        by_month(plan),
        memory(plan),
        sensitivity(plan),
    ]
    .into_iter()
    .flatten()
    .collect()
}
