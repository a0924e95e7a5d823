//! Demand for device-hours by month, and the rental prices of that month.

use super::inputs::Inputs;
use crate::request::PlanRequest;
use std::f64::consts::TAU;

/// Months looked ahead; what has not happened by then is called never.
pub(crate) const LONGEST_MONTHS: u32 = 120;

/// Demand and price of one month, as factors of the first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Month {
    /// Trend and season of the demand, times the utilization of the request: device-hours per owned device-hour.
    pub demand: f64,
    /// Rental price.
    pub price: f64,
}

/// Factors of each of the months looked ahead: demand_m = (1 + g)^m · (1 + a·sin(2πm/12)), m from 0, mean season 1;
/// price_m = (1 + trend)^(m/12).
pub(crate) fn months(request: &PlanRequest, inputs: &Inputs) -> Vec<Month> {
    (0..LONGEST_MONTHS)
        .map(|m| Month {
            demand: demand_factor(request, m),
            price: (1.0 + inputs.price_trend_per_year.value()).powf(f64::from(m) / 12.0),
        })
        .collect()
}

/// Demand of month `m` (from 0) over that of a steady first month.
pub(crate) fn demand_factor(request: &PlanRequest, m: u32) -> f64 {
    let season = 1.0 + request.demand_seasonality * (TAU * f64::from(m) / 12.0).sin();
    (1.0 + request.demand_growth_per_month).powi(m as i32) * season.max(0.0)
}
