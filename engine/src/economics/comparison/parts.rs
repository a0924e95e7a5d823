//! What the figures of a comparison are put together from.

use super::{Case, Rival, TYPICAL};
use crate::economics::demand::LONGEST_MONTHS;
use crate::economics::hybrid::{self, SplitParts};
use crate::economics::ownership::Ownership;
use std::collections::BTreeMap;

/// Sums of the months up to the horizon at one utilization.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums {
    pub utilization: f64,
    /// Device-hours of work that is paid for.
    pub work_gpu_hours: f64,
    /// Months of full work of what is owned.
    pub worked_months: f64,
    /// Rent of the demand above the capacity, USD.
    pub above_usd: f64,
}

/// One rental against owning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RivalParts {
    /// USD per device-hour.
    pub price: f64,
    /// Hours of it that do the work of one steady hour.
    pub hours_per_useful_hour: f64,
    /// Every hour of a term is paid.
    pub committed: bool,
    /// Sum over the months of the horizon of what is paid by factor of the first price: of each month's demand over a
    /// steady month's, or of 1 where every hour is paid.
    pub paid_months: f64,
    /// Around the month at which buying pays back.
    pub months: Option<Crossing>,
    /// Around the utilization from which on buying is cheaper.
    pub utilization: Option<Crossing>,
}

/// Two points between which owning and renting cost the same: their place on the axis, and what each costs there, USD.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub before: Point,
    pub after: Point,
}

/// One point of both curves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub at: f64,
    pub own: f64,
    pub rent: f64,
}

/// The parts of a whole comparison.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    /// At the request's utilization, and at that of each row by utilization.
    pub asked: Sums,
    pub rows: Vec<Sums>,
    pub rivals: BTreeMap<String, RivalParts>,
    pub split: Option<SplitParts>,
}

impl Case<'_> {
    /// The parts; `owned_nodes` is of the split.
    pub(crate) fn parts(&self, owned_nodes: Option<u32>) -> Parts {
        let rival = |r: &Rival<'_>| {
            let crossing = |own: &Ownership| (self.months_around(own, r), self.utilization_around(own, r));
            let (months, utilization) = self.own.map_or((None, None), crossing);
            let parts = RivalParts {
                price: r.rental.price.typical,
                hours_per_useful_hour: r.hours_per_useful_hour,
                committed: r.is_committed(),
                paid_months: self.paid_months(r),
                months,
                utilization,
            };
            (r.rental.id(), parts)
        };
        let split = self
            .own
            .zip(self.burst)
            .zip(owned_nodes)
            .map(|((own, burst), nodes)| hybrid::parts(self.request, own, &self.months, &self.peak(burst), nodes));
        Parts {
            asked: self.sums(self.request.utilization),
            rows: super::rows().map(|utilization| self.sums(utilization)).collect(),
            rivals: self.compared().map(rival).collect(),
            split,
        }
    }

    fn sums(&self, utilization: f64) -> Sums {
        let months = || self.months.iter().take(self.horizon());
        Sums {
            utilization,
            work_gpu_hours: self.work(utilization),
            worked_months: months().map(|m| (m.demand * utilization).min(1.0)).sum(),
            above_usd: months().map(|m| self.above(m, utilization)).sum(),
        }
    }

    fn paid_months(&self, rival: &Rival<'_>) -> f64 {
        let paid = |(index, month): (usize, &super::Month)| {
            if rival.is_committed() { self.began(rival, index).price } else { month.demand * month.price }
        };
        self.months.iter().enumerate().take(self.horizon()).map(paid).sum()
    }

    fn months_around(&self, own: &Ownership, rival: &Rival<'_>) -> Option<Crossing> {
        let (asked, length) = (self.request.utilization, LONGEST_MONTHS as usize);
        let (own, rent) = (self.own_curve(own, asked, length, TYPICAL), self.rent_curve(rival, asked, length, TYPICAL));
        let month = super::dearer_last(&own, &rent, self.horizon())?;
        let point = |m: usize| Point { at: m as f64, own: own[m], rent: rent[m] };
        Some(Crossing { before: point(month), after: point(month + 1) })
    }

    fn utilization_around(&self, own: &Ownership, rival: &Rival<'_>) -> Option<Crossing> {
        let (before, after) = self.stretch(own, rival)??;
        let horizon = self.horizon();
        let last = |curve: Vec<f64>| curve.last().copied().unwrap_or(0.0);
        let point = |at: f64| Point {
            at,
            own: last(self.own_curve(own, at, horizon, TYPICAL)),
            rent: last(self.rent_curve(rival, at, horizon, TYPICAL)),
        };
        Some(Crossing { before: point(before), after: point(after) })
    }
}
