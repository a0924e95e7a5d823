//! A plausible architecture for a bare number of parameters.
//!
//! The depth and width follow published dense models (Llama, Qwen): layers ≈ h/110, three feed-forward
//! matrices of about 3.5 h, heads of 128. A layer then holds about 12.75 h² weights, so P ≈ 0.116 h³.

mod dense;
mod experts;

use super::Architecture;

/// Sizes that the law covers, in parameters.
const SMALLEST: f64 = 1e6;
const LARGEST: f64 = 2e13;

/// Chooses an architecture whose exact count is within 1 % of `total` billion parameters.
///
/// With `active` billions it is a mixture of experts with both counts within 3 %, as far as its experts
/// stay below 4,096; `active` of nearly everything is a dense model. From 0.05 to 10,000 billion; outside
/// of what can be built, the nearest.
pub fn from_parameters_billion(total: f64, active: Option<f64>) -> Architecture {
    let total = parameters(total);
    match active.map(parameters) {
        Some(active) if active < 0.985 * total => experts::of_size(total, active),
        _ => dense::of_size(total),
    }
}

/// Billions to parameters, inside what the law covers.
fn parameters(billions: f64) -> f64 {
    let parameters = billions * 1e9;
    if parameters.is_nan() { SMALLEST } else { parameters.clamp(SMALLEST, LARGEST) }
}
