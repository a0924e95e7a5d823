//! An owned base and a rented peak: how many nodes to own for the least cost.

use super::cents;
use super::demand::Month;
use super::ownership::Ownership;
use crate::answer::Hybrid;
use crate::catalog::Range;
use crate::request::PlanRequest;
use crate::units::HOURS_PER_MONTH;

/// What the split assumes of the demand.
const ASSUMPTION: &str = "Demand is counted in device-hours of a month and may be spread over it: owned nodes are filled first, and only what is above a full month of them is rented. Work that can't wait for a free hour takes more.";

/// What the peak is rented from.
pub(crate) struct Peak {
    /// Rent of the compared cluster's work for a full month, USD.
    pub full_month: Range,
    pub id: String,
    pub label: String,
}

/// The compared cluster cut into its nodes, with the demand in nodes.
struct Split<'a> {
    own: &'a Ownership,
    months: &'a [Month],
    utilization: f64,
    /// Purchase and interest of one node over the horizon, USD.
    bought: f64,
    /// Running cost of one node in a month without work, and what work adds, USD.
    idle: f64,
    work: f64,
    /// Rent of one node's full month, USD.
    rent: f64,
}

impl<'a> Split<'a> {
    /// With every price at one end of its range.
    fn of(request: &PlanRequest, own: &'a Ownership, months: &'a [Month], peak: &Peak, end: fn(Range) -> f64) -> Self {
        let nodes = own.nodes.max(1.0);
        let (idle, busy) = (end(own.running_range(0.0)), end(own.running_range(1.0)));
        Split {
            own,
            months,
            utilization: request.utilization,
            bought: own.purchase_and_interest(end(own.capital), f64::from(request.horizon_months)) / nodes,
            idle: (idle - own.site_month) / nodes,
            work: (busy - idle) / nodes,
            rent: end(peak.full_month) / nodes,
        }
    }

    /// Cost of owning so many nodes and renting what is above them over the horizon, USD.
    ///
    /// Every node costs the compared cluster's average; the site's first engineers are there from the first node on.
    fn cost(&self, nodes: u32) -> f64 {
        let owned = f64::from(nodes);
        let site = if nodes > 0 { self.own.site_month * self.months.len() as f64 } else { 0.0 };
        let by_month = |m: &Month| self.month(m, owned);
        owned * self.bought + site + self.months.iter().map(by_month).sum::<f64>()
    }

    fn month(&self, m: &Month, owned: f64) -> f64 {
        let (base, peak) = self.base_and_peak(m, owned);
        base + peak
    }

    /// Running the base for a month, and renting what is above it, USD.
    fn base_and_peak(&self, m: &Month, owned: f64) -> (f64, f64) {
        let demand = m.demand * self.utilization * self.own.nodes;
        let served = demand.min(owned);
        let rent = self.rent * m.price;
        (owned * self.idle + served * self.work.min(rent), (demand - served) * rent)
    }

    /// Number of nodes with the least cost.
    ///
    /// From one node on the cost is the sum of a line and of hinges max(0, demand − nodes) that never turn down (work is
    /// done wherever it is cheaper), so it is convex. The least of a convex function is where its difference turns
    /// from falling to rising: found by halving, then set against owning nothing.
    fn best(&self, most: u32) -> u32 {
        let (mut low, mut high) = (1, most.max(1));
        while low < high {
            let middle = low + (high - low) / 2;
            if self.cost(middle + 1) < self.cost(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if self.cost(0) <= self.cost(low) { 0 } else { low }
    }
}

/// The months of the horizon.
fn within<'a>(request: &PlanRequest, months: &'a [Month]) -> &'a [Month] {
    &months[..(request.horizon_months as usize).min(months.len())]
}

/// What a split costs over the horizon, by what it is paid for, USD.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SplitParts {
    /// Purchase of the base and interest on it.
    pub bought: f64,
    /// Running the base.
    pub running: f64,
    /// Rent of the demand above it.
    pub rented: f64,
}

/// The parts of the cost of owning so many nodes.
pub(crate) fn parts(request: &PlanRequest, own: &Ownership, months: &[Month], peak: &Peak, nodes: u32) -> SplitParts {
    let cut = Split::of(request, own, within(request, months), peak, |r| r.typical);
    let owned = f64::from(nodes);
    let site = if nodes > 0 { own.site_month * cut.months.len() as f64 } else { 0.0 };
    let both = cut.months.iter().map(|m| cut.base_and_peak(m, owned));
    let (running, rented) = both.fold((site, 0.0), |sum, (base, peak)| (sum.0 + base, sum.1 + peak));
    SplitParts { bought: owned * cut.bought, running, rented }
}

/// The least-cost split over the horizon, and the cumulative cost by month of that split with every price typical, low
/// and high, USD.
///
/// Demand is in device-hours of a month and may be spread over it: the owned nodes are filled first.
pub(crate) fn split(request: &PlanRequest, own: &Ownership, months: &[Month], peak: &Peak) -> (Hybrid, [Vec<f64>; 3]) {
    let (months, nodes) = (within(request, months), own.nodes.max(1.0));
    let cut = |end: fn(Range) -> f64| Split::of(request, own, months, peak, end);
    let typical = cut(|r| r.typical);
    let demand = |m: &Month| m.demand * request.utilization * own.nodes;
    let most = months.iter().map(demand).fold(0.0, f64::max).ceil();
    let best = typical.best(most as u32);
    let owned = f64::from(best);
    let curve = |cut: &Split<'_>, capital: f64| {
        let capital = capital / nodes * owned;
        let mut curve = vec![cents(capital)];
        let mut spent = 0.0;
        for (index, month) in months.iter().enumerate() {
            spent += cut.month(month, owned) + if best > 0 { own.site_month } else { 0.0 };
            curve.push(cents(own.purchase_and_interest(capital, (index + 1) as f64) + spent));
        }
        curve
    };
    let curves = [
        curve(&typical, own.capital.typical),
        curve(&cut(|r| r.low), own.capital.low),
        curve(&cut(|r| r.high), own.capital.high),
    ];
    let per_node = own.gpus / nodes * HOURS_PER_MONTH;
    let all: f64 = months.iter().map(demand).sum::<f64>() * per_node;
    let rented: f64 = months.iter().map(|m| (demand(m) - owned).max(0.0)).sum::<f64>() * per_node;
    let answer = Hybrid {
        owned_nodes: best,
        owned_gpus: (owned * own.gpus / nodes).round() as u32,
        against: peak.id.clone(),
        label: peak.label.clone(),
        upfront_usd: cents(own.capital.typical / nodes * owned),
        total_usd: cents(typical.cost(best)),
        own_nothing_usd: cents(typical.cost(0)),
        work_gpu_hours: all,
        rented_gpu_hours: rented,
        assumption: ASSUMPTION.into(),
    };
    (answer, curves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn own(nodes: f64, capital: f64, fixed: f64, site: f64, energy: f64) -> Ownership {
        Ownership {
            gpus: nodes * 8.0,
            nodes,
            capital: Range::exactly(capital * nodes),
            servers_usd: capital * nodes,
            it_kw: nodes,
            fixed_month: Range::exactly(fixed * nodes + site),
            site_month: site,
            energy_busy_month: Range::exactly(energy * nodes),
            energy_idle_month: Range::exactly(0.3 * energy * nodes),
            life_months: 48.0,
            cost_of_capital: 0.08,
            residual: Range::exactly(0.2),
            parts: Vec::new(),
        }
    }

    proptest! {
        /// Halving finds what trying every number finds, and owning nothing or everything never costs less.
        #[test]
        fn the_split_is_the_least_of_all(
            nodes in 1u32..40, capital in 1e4..1e6f64, fixed in 0.0..2e4f64, site in 0.0..5e4f64, energy in 0.0..2e3f64,
            rent in 100.0..8e4f64, utilization in 0.01..1.0f64,
            demand in prop::collection::vec((0.0..4.0f64, 0.01..2.0f64), 1..60),
        ) {
            let own = own(f64::from(nodes), capital, fixed, site, energy);
            let months: Vec<Month> = demand.iter().map(|(demand, price)| Month { demand: *demand, price: *price }).collect();
            let all = f64::from(nodes);
            let cut = Split {
                own: &own,
                months: &months,
                utilization,
                bought: own.purchase_and_interest(own.capital.typical, months.len() as f64) / all,
                idle: (own.running_month(0.0) - site) / all,
                work: (own.running_month(1.0) - own.running_month(0.0)) / all,
                rent,
            };
            let most = demand.iter().map(|(d, _)| d * utilization * all).fold(0.0, f64::max).ceil() as u32;
            let found = cut.cost(cut.best(most));
            let least = (0..=most.max(1) + 2).map(|n| cut.cost(n)).fold(f64::MAX, f64::min);
            prop_assert!(found <= least * (1.0 + 1e-12) + 1e-6, "{found} {least}");
        }
    }
}
