//! Cloud against on-premises: curves by month, a useful hour by utilization, and when buying pays back.
//!
//! One measure stands behind all of them: what has been paid by a month. Owning pays the purchase at the start, then
//! interest on what is not yet written off, running cost, and rent for the demand above what is owned; renting pays
//! the same work at the rental's price. Resale is left out on both axes: it comes on top at the end. So the break-even
//! in months, the one in utilization (over the horizon), the curves and the useful hour agree: buying has the lower
//! curve at the end of the horizon exactly when it pays back within it, and exactly when the utilization of the request
//! is at or above the break-even. A rental that can't do the work of the request's utilization is not compared.

mod parts;

use super::cents;
use super::demand::{LONGEST_MONTHS, Month, months};
use super::hybrid;
use super::inputs::Inputs;
use super::ownership::Ownership;
use super::rental::Rental;
use crate::answer::{BreakEven, CloudVsOnPrem, CostCurve, UsefulHourPoint};
use crate::catalog::Range;
use crate::request::{Acquisition, PlanRequest};
use crate::units::HOURS_PER_MONTH;
pub(crate) use parts::{Crossing, Parts, Point, RivalParts, Sums};
use std::collections::BTreeMap;

/// A rental that can hold the whole cluster.
pub(crate) struct Rival<'a> {
    pub rental: &'a Rental,
    /// Hours of it that do the work of one steady hour of the compared cluster: other than 1 where its network is
    /// slower or faster, or where machines are taken away and work is done again.
    pub hours_per_useful_hour: f64,
}

impl Rival<'_> {
    /// Rent for a steady hour's work of every device, USD per month: low, typical, high.
    fn full_month(&self, inputs: &Inputs, gpus: f64) -> Range {
        self.rental.month(inputs, gpus, 1.0).map(|usd| usd * self.hours_per_useful_hour)
    }

    /// Share of all its hours that the work of a steady cluster takes at a utilization.
    pub(crate) fn needed(&self, utilization: f64) -> f64 {
        utilization * self.hours_per_useful_hour
    }

    /// It can do the work of a utilization. Machines that are taken away can't make up for it: more of them are taken
    /// away more often. A slower network of steady machines is made up for by a few more.
    pub(crate) fn reaches(&self, utilization: f64) -> bool {
        self.rental.acquisition != Acquisition::Spot || self.needed(utilization) <= 1.0 + 1e-9
    }

    fn is_committed(&self) -> bool {
        self.rental.acquisition == Acquisition::Reserved
    }

    /// Months of one term; 1 without.
    fn term_months(&self) -> usize {
        (self.rental.commitment_months as usize).max(1)
    }
}

/// What is compared: a cluster that may be owned, the demand for it, and what can be rented instead.
pub(crate) struct Case<'a> {
    request: &'a PlanRequest,
    inputs: &'a Inputs,
    gpus: f64,
    own: Option<&'a Ownership>,
    rivals: &'a [Rival<'a>],
    /// Takes what is above the capacity: the cheapest without commitment, on demand before spot.
    burst: Option<&'a Rival<'a>>,
    burst_month: f64,
    months: Vec<Month>,
}

/// Which end of the ranges is taken.
type End = fn(Range) -> f64;
const TYPICAL: End = |r| r.typical;

impl<'a> Case<'a> {
    pub(crate) fn new(
        request: &'a PlanRequest,
        inputs: &'a Inputs,
        gpus: u32,
        own: Option<&'a Ownership>,
        rivals: &'a [Rival<'a>],
    ) -> Self {
        let gpus = f64::from(gpus);
        let cheapest = |way: Acquisition| {
            rivals
                .iter()
                .filter(|r| r.rental.acquisition == way && r.reaches(request.utilization))
                .min_by(|a, b| a.full_month(inputs, gpus).typical.total_cmp(&b.full_month(inputs, gpus).typical))
        };
        let burst = cheapest(Acquisition::OnDemand).or_else(|| cheapest(Acquisition::Spot));
        let burst_month = burst.map_or(0.0, |b| b.full_month(inputs, gpus).typical);
        Self { request, inputs, gpus, own, rivals, burst, burst_month, months: months(request, inputs) }
    }

    /// The rivals that can do the work of the request's utilization.
    fn compared(&self) -> impl Iterator<Item = &'a Rival<'a>> {
        self.rivals.iter().filter(|r| r.reaches(self.request.utilization))
    }

    fn horizon(&self) -> usize {
        self.request.horizon_months as usize
    }

    /// Rent of a month's demand above the capacity, USD.
    fn above(&self, month: &Month, utilization: f64) -> f64 {
        self.burst_month * (month.demand * utilization - 1.0).max(0.0) * month.price
    }

    /// Cumulative cost of owning at the end of each month, from month 0, USD.
    fn own_curve(&self, own: &Ownership, utilization: f64, length: usize, end: End) -> Vec<f64> {
        let capital = end(own.capital);
        let (idle, busy) = (end(own.running_range(0.0)), end(own.running_range(1.0)));
        let mut spent = 0.0;
        let mut curve = Vec::with_capacity(length + 1);
        curve.push(capital);
        for (index, month) in self.months.iter().take(length).enumerate() {
            let used = (month.demand * utilization).min(1.0);
            spent += idle + (busy - idle) * used + self.above(month, utilization);
            curve.push(own.purchase_and_interest(capital, (index + 1) as f64) + spent);
        }
        curve
    }

    /// Cumulative cost of renting the same work at the end of each month, USD. A commitment pays every hour, and what is
    /// above it comes from the rental that the owner would burst to.
    fn rent_curve(&self, rival: &Rival<'_>, utilization: f64, length: usize, end: End) -> Vec<f64> {
        let full = end(rival.full_month(self.inputs, self.gpus));
        let mut spent = 0.0;
        let mut curve = Vec::with_capacity(length + 1);
        curve.push(0.0);
        for (index, month) in self.months.iter().enumerate().take(length) {
            spent += if rival.is_committed() {
                full * self.began(rival, index).price + self.above(month, utilization)
            } else {
                full * month.demand * utilization * month.price
            };
            curve.push(spent);
        }
        curve
    }

    /// The month in which the term of a commitment began: its price is that of that month.
    fn began(&self, rival: &Rival<'_>, index: usize) -> Month {
        self.months[index - index % rival.term_months()]
    }

    /// Rent that a commitment still takes after the horizon, until its term ends, USD.
    fn owed(&self, rival: &Rival<'_>) -> f64 {
        let (horizon, term) = (self.horizon(), rival.term_months());
        let left = horizon.next_multiple_of(term) - horizon;
        let began = self.months.get(horizon - horizon % term).map_or(1.0, |m| m.price);
        left as f64 * rival.full_month(self.inputs, self.gpus).typical * began
    }

    /// Owning less renting at the end of the horizon, USD.
    fn gap(&self, own: &Ownership, rival: &Rival<'_>, utilization: f64) -> f64 {
        let last = |curve: Vec<f64>| curve.last().copied().unwrap_or(0.0);
        let horizon = self.horizon();
        last(self.own_curve(own, utilization, horizon, TYPICAL))
            - last(self.rent_curve(rival, utilization, horizon, TYPICAL))
    }

    /// Device-hours of work over the horizon that are paid for, in full hours of the compared cluster.
    fn work(&self, utilization: f64) -> f64 {
        let served = |m: &Month| {
            let demand = m.demand * utilization;
            if self.burst.is_some() { demand } else { demand.min(1.0) }
        };
        self.months.iter().take(self.horizon()).map(served).sum::<f64>() * self.gpus * HOURS_PER_MONTH
    }

    /// Utilization from which on buying is cheaper over the horizon, solved exactly; `None`: at none.
    fn break_even_utilization(&self, own: &Ownership, rival: &Rival<'_>) -> Option<f64> {
        let Some((below, above)) = self.stretch(own, rival)? else { return Some(0.0) };
        let (a, b) = (self.gap(own, rival, below), self.gap(own, rival, above));
        Some((below + (above - below) * a / (a - b)).clamp(below, above))
    }

    /// The utilizations between which buying becomes cheaper over the horizon; `None`: at none, `Some(None)`: at every.
    ///
    /// The gap between owning and renting is linear in the utilization but where a month's demand passes the capacity.
    /// The answer is the low end of the stretch that holds the request's utilization, when buying is cheaper there; else
    /// the first utilization above it.
    fn stretch(&self, own: &Ownership, rival: &Rival<'_>) -> Option<Option<(f64, f64)>> {
        let asked = self.request.utilization;
        let mut at: Vec<f64> = vec![0.0, asked, 1.0];
        at.extend(self.months.iter().take(self.horizon()).map(|m| 1.0 / m.demand).filter(|u| *u < 1.0));
        at.sort_by(f64::total_cmp);
        at.dedup();
        let points: Vec<(f64, f64)> = at.into_iter().map(|u| (u, self.gap(own, rival, u))).collect();
        let here = points.iter().position(|p| p.0 == asked)?;
        if points[here].1 <= 0.0 {
            let below = points[..here].iter().rposition(|p| p.1 > 0.0);
            return Some(below.map(|i| (points[i].0, points[i + 1].0)));
        }
        let above = points[here..].iter().position(|p| p.1 <= 0.0)? + here;
        Some(Some((points[above - 1].0, points[above].0)))
    }

    /// Compares owning with every rental of the same work.
    pub(crate) fn compare(&self, accelerator: &str, goodput: f64) -> CloudVsOnPrem {
        let (request, horizon) = (self.request, self.horizon());
        let asked = request.utilization;
        let in_cents = |curve: Vec<f64>| curve.into_iter().map(cents).collect::<Vec<f64>>();
        let ends: [End; 3] = [TYPICAL, |r| r.low, |r| r.high];
        let mut curves = Vec::new();
        let mut break_even = Vec::new();
        if let Some(own) = self.own {
            let [typical, low, high] = ends.map(|end| in_cents(self.own_curve(own, asked, horizon, end)));
            curves.push(curve("buy", "Buy", typical, low, high));
            let owned = self.own_curve(own, asked, LONGEST_MONTHS as usize, TYPICAL);
            for rival in self.compared() {
                let rent = self.rent_curve(rival, asked, LONGEST_MONTHS as usize, TYPICAL);
                let months = payback(&owned, &rent, horizon);
                break_even.push(BreakEven {
                    against: rival.rental.id(),
                    label: rival.rental.label(),
                    months,
                    utilization: self.break_even_utilization(own, rival).filter(|u| rival.reaches(*u)),
                    within_life: months.is_some_and(|m| m <= own.life_months),
                });
            }
        }
        // soonest first, never last
        let months = |b: &BreakEven| b.months.unwrap_or(f64::MAX);
        break_even.sort_by(|a, b| months(a).total_cmp(&months(b)).then_with(|| a.label.cmp(&b.label)));
        let hybrid = self.own.zip(self.burst).map(|(own, burst)| {
            let (answer, [typical, low, high]) = hybrid::split(request, own, &self.months, &self.peak(burst));
            curves.push(curve("hybrid", "Own the base, rent the peak", typical, low, high));
            answer
        });
        for rival in self.compared() {
            let [typical, low, high] = ends.map(|end| in_cents(self.rent_curve(rival, asked, horizon, end)));
            let owed_usd = cents(self.owed(rival));
            curves.push(CostCurve { owed_usd, ..curve(&rival.rental.id(), &rival.rental.label(), typical, low, high) });
        }
        CloudVsOnPrem {
            gpus: self.gpus as u32,
            accelerator: accelerator.into(),
            months: (0..=request.horizon_months).collect(),
            curves,
            owned_useful_hour_usd: self.useful_hour(asked, goodput).usd_per_useful_gpu_hour.get("buy").copied(),
            by_utilization: rows().map(|utilization| self.useful_hour(utilization, goodput)).collect(),
            break_even,
            hybrid,
            resale_usd: self.own.map(|own| {
                let share = self.inputs.residual_at.at(f64::from(request.horizon_months) / 12.0);
                Range {
                    low: cents(own.capital.low * share.low),
                    typical: cents(own.capital.typical * share.typical),
                    high: cents(own.capital.high * share.high),
                }
            }),
        }
    }

    /// What the demand above an owned base is rented from.
    fn peak(&self, burst: &Rival<'_>) -> hybrid::Peak {
        let full_month = burst.full_month(self.inputs, self.gpus);
        hybrid::Peak { full_month, id: burst.rental.id(), label: burst.rental.label() }
    }

    /// Cost over the horizon of an hour that trains, USD: what is paid ÷ hours of work ÷ goodput.
    fn useful_hour(&self, utilization: f64, goodput: f64) -> UsefulHourPoint {
        let hours = (self.work(utilization) * goodput).max(f64::MIN_POSITIVE);
        let last = |curve: Vec<f64>| cents(curve.last().copied().unwrap_or(0.0) / hours);
        let horizon = self.horizon();
        let mut by_curve = BTreeMap::new();
        if let Some(own) = self.own {
            by_curve.insert("buy".to_owned(), last(self.own_curve(own, utilization, horizon, TYPICAL)));
        }
        for rival in self.compared().filter(|r| r.reaches(utilization)) {
            by_curve.insert(rival.rental.id(), last(self.rent_curve(rival, utilization, horizon, TYPICAL)));
        }
        UsefulHourPoint { utilization, usd_per_useful_gpu_hour: by_curve }
    }
}

/// Utilizations of the rows of useful hours.
fn rows() -> impl Iterator<Item = f64> {
    (1..=10).map(|tenth| f64::from(tenth) / 10.0)
}

fn curve(id: &str, label: &str, cumulative_usd: Vec<f64>, low_usd: Vec<f64>, high_usd: Vec<f64>) -> CostCurve {
    CostCurve { id: id.into(), label: label.into(), cumulative_usd, low_usd, high_usd, owed_usd: 0.0 }
}

/// Month from which on buying stays cheaper to the end of the horizon; where it is dearer at the horizon, the first
/// month beyond at which it becomes cheaper. Within a month the curves are straight lines, so the crossing is exact.
fn payback(own: &[f64], rent: &[f64], horizon: usize) -> Option<f64> {
    let gap = |i: usize| own[i] - rent[i];
    let Some(month) = dearer_last(own, rent, horizon) else {
        return own.get(horizon).and_then(|_| (gap(horizon) <= 0.0).then_some(0.0));
    };
    let (before, after) = (gap(month), gap(month + 1));
    Some(month as f64 + before / (before - after))
}

/// The last month in which buying has paid more before it has paid less; `None`: never less, or never more.
fn dearer_last(own: &[f64], rent: &[f64], horizon: usize) -> Option<usize> {
    let gap = |i: usize| own[i] - rent[i];
    let length = own.len().min(rent.len());
    let horizon = horizon.min(length.checked_sub(1)?);
    if gap(horizon) <= 0.0 {
        return (0..horizon).rev().find(|i| gap(*i) > 0.0);
    }
    Some((horizon + 1..length).find(|i| gap(*i) <= 0.0)? - 1)
}
