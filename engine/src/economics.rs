//! Money: what a cluster costs to buy and run, what it costs to rent, and when one beats the other.

pub(crate) mod age;
pub(crate) mod bill;
pub(crate) mod comparison;
pub(crate) mod demand;
pub(crate) mod hybrid;
pub(crate) mod inputs;
pub(crate) mod ownership;
pub(crate) mod quasi;
pub(crate) mod rental;

/// Dollars at the edge: finite, in cents, never negative zero.
pub(crate) fn cents(usd: f64) -> f64 {
    if !usd.is_finite() {
        return f64::MAX;
    }
    (usd * 100.0).round() / 100.0 + 0.0
}
