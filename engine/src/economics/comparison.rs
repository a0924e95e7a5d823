//! Cloud against on-premises: curves by month, a useful hour by utilization, and when buying pays back.

use super::cents;
use super::inputs::Inputs;
use super::ownership::Ownership;
use super::rental::Rental;
use crate::answer::{BreakEven, CloudVsOnPrem, CostCurve, UsefulHourPoint};
use crate::catalog::Range;
use crate::request::PlanRequest;
use crate::units::HOURS_PER_MONTH;
use std::collections::BTreeMap;

/// Months looked ahead for a break-even; beyond that it is never.
const LONGEST_MONTHS: f64 = 120.0;

/// Demand and price of one month, as factors of the first.
struct Month {
    /// Demand, device-hours per owned device-hour; may pass 1.
    demand: f64,
    /// Rental price factor.
    price: f64,
}

fn month(request: &PlanRequest, inputs: &Inputs, index: u32) -> Month {
    let growth = (1.0 + request.demand_growth_per_month).powi(index as i32);
    let trend = (1.0 + inputs.price_trend_per_year.value()).powf(f64::from(index) / 12.0);
    Month { demand: request.utilization * growth, price: trend }
}

/// A rental that can hold the whole cluster, and how many of its hours do the work of one steady hour.
pub(crate) struct Rival<'a> {
    pub rental: &'a Rental,
    /// 1, or more where machines are taken away and work is done again.
    pub hours_per_useful_hour: f64,
}

impl Rival<'_> {
    /// Rent of one month that does the work of `utilization`, USD.
    fn month(&self, inputs: &Inputs, gpus: f64, utilization: f64) -> Range {
        self.rental.month(inputs, gpus, utilization).map(|usd| usd * self.hours_per_useful_hour)
    }
}

/// Cumulative cost of a rental over whole months, USD, for low, typical and high price.
fn rent_curve(request: &PlanRequest, inputs: &Inputs, rival: &Rival<'_>, gpus: f64, months: u32) -> [Vec<f64>; 3] {
    let mut curves = [vec![0.0], vec![0.0], vec![0.0]];
    for index in 0..months {
        let at = month(request, inputs, index);
        let rent = rival.month(inputs, gpus, at.demand).map(|usd| usd * at.price);
        for (curve, usd) in curves.iter_mut().zip([rent.low, rent.typical, rent.high]) {
            let last = curve.last().copied().unwrap_or(0.0);
            curve.push(last + usd);
        }
    }
    curves
}

/// Cumulative cost of owning over whole months, USD; demand above what is owned is rented from `burst`.
fn own_curve(
    request: &PlanRequest,
    inputs: &Inputs,
    own: &Ownership,
    capital: f64,
    burst: Option<&Rival<'_>>,
    months: u32,
) -> Vec<f64> {
    let mut curve = vec![cents(own.cumulative(capital, 0.0, 0.0))];
    let mut rented = 0.0;
    let mut running = 0.0;
    for index in 0..months {
        let at = month(request, inputs, index);
        running += own.running_month(at.demand.min(1.0));
        let above = (at.demand - 1.0).max(0.0);
        rented += burst.map_or(0.0, |b| b.month(inputs, own.gpus, above).typical * at.price);
        let capital_and_interest =
            own.cumulative(capital, f64::from(index + 1), 0.0) - own.running_month(0.0) * f64::from(index + 1);
        curve.push(capital_and_interest + running + rented);
    }
    curve
}

/// Month at which the first curve falls below the second, within the month by straight line.
fn crossing(own: &[f64], rent: &[f64]) -> Option<f64> {
    let gap = |i: usize| own[i] - rent[i];
    if gap(0) <= 0.0 {
        return Some(0.0);
    }
    (1..own.len().min(rent.len())).find(|i| gap(*i) <= 0.0).map(|i| {
        let (before, after) = (gap(i - 1), gap(i));
        (i - 1) as f64 + before / (before - after)
    })
}

/// Utilization above which an owned useful hour is cheaper than a rented one, solved exactly; `None`: at none.
///
/// Owned: (K + f + u·e)/(730·N·u), rented on demand: p, so u = (K + f)/(730·N·p − e). A commitment is paid at any
/// utilization: it is beaten at all or none.
pub(crate) fn break_even_utilization(inputs: &Inputs, own: &Ownership, rival: &Rival<'_>) -> Option<f64> {
    let at_zero = own.capital_month(own.capital.typical) + own.running_month(0.0);
    let slope = own.running_month(1.0) - own.running_month(0.0);
    let full_rent = rival.month(inputs, own.gpus, 1.0).typical;
    if rival.rental.acquisition == crate::request::Acquisition::Reserved {
        return (at_zero < full_rent).then_some(0.0);
    }
    if full_rent <= slope {
        return None;
    }
    let utilization = at_zero / (full_rent - slope);
    (utilization <= 1.0).then_some(utilization)
}

/// Compares owning with every rental of the same devices.
pub(crate) fn compare(
    request: &PlanRequest,
    inputs: &Inputs,
    accelerator: &str,
    gpus: u32,
    own: Option<&Ownership>,
    rivals: &[Rival<'_>],
) -> CloudVsOnPrem {
    let horizon = request.horizon_months;
    let months: Vec<u32> = (0..=horizon).collect();
    let devices = f64::from(gpus);
    let burst = rivals.iter().find(|r| r.rental.acquisition == crate::request::Acquisition::OnDemand);
    let mut curves = Vec::new();
    let mut break_even = Vec::new();
    let long = LONGEST_MONTHS as u32;
    if let Some(own) = own {
        let part = |capital: f64, m: u32| -> Vec<f64> {
            own_curve(request, inputs, own, capital, burst, m).into_iter().map(cents).collect()
        };
        curves.push(CostCurve {
            id: "buy".into(),
            label: "Buy".into(),
            cumulative_usd: part(own.capital.typical, horizon),
            low_usd: part(own.capital.low, horizon),
            high_usd: part(own.capital.high, horizon),
        });
        let owned = own_curve(request, inputs, own, own.capital.typical, burst, long);
        for rival in rivals {
            let [_, rent, _] = rent_curve(request, inputs, rival, devices, long);
            break_even.push(BreakEven {
                against: rival.rental.id(),
                label: rival.rental.label(),
                months: crossing(&owned, &rent),
                utilization: break_even_utilization(inputs, own, rival),
            });
        }
    }
    for rival in rivals {
        let rental = rival.rental;
        let [low, typical, high] =
            rent_curve(request, inputs, rival, devices, horizon).map(|c| c.into_iter().map(cents).collect());
        curves.push(CostCurve {
            id: rental.id(),
            label: rental.label(),
            cumulative_usd: typical,
            low_usd: low,
            high_usd: high,
        });
    }
    let by_utilization = (1..=10)
        .map(|tenth| {
            let utilization = f64::from(tenth) / 10.0;
            let mut by_curve = BTreeMap::new();
            if let Some(own) = own {
                by_curve.insert("buy".to_owned(), cents(own.useful_hour(utilization).typical));
            }
            for rival in rivals {
                let useful = devices * HOURS_PER_MONTH * utilization;
                by_curve.insert(rival.rental.id(), cents(rival.month(inputs, devices, utilization).typical / useful));
            }
            UsefulHourPoint { utilization, usd_per_useful_gpu_hour: by_curve }
        })
        .collect();
    CloudVsOnPrem { gpus, accelerator: accelerator.into(), months, curves, by_utilization, break_even }
}
