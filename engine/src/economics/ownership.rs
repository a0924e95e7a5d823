//! What a cluster costs to own: capital, running, and one hour of it.

use super::bill::Bill;
use super::inputs::Inputs;
use crate::catalog::Range;
use crate::request::Facility;
use crate::units::HOURS_PER_MONTH;

/// One part of the running cost of a month at full use, USD.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Stable key: `energy`, `colocation` or `own_facility`, `support`, `insurance`, `software`, `staff`,
    /// `demand_charge`.
    pub key: &'static str,
    pub month: Range,
}

/// Owning a cluster.
#[derive(Clone, Debug)]
pub(crate) struct Ownership {
    /// Devices and nodes.
    pub gpus: f64,
    pub nodes: f64,
    /// Purchase of everything, USD.
    pub capital: Range,
    /// Of it, the servers without spares, USD.
    pub servers_usd: f64,
    /// Maximum draw of all IT, kW (nameplate × overhead): what is contracted.
    pub it_kw: f64,
    /// Running cost that does not depend on use, USD per month.
    pub fixed_month: Range,
    /// Of it, what a site costs at any size (the first engineers).
    pub site_month: f64,
    /// Energy of a month when every hour works, and when none does, USD.
    pub energy_busy_month: Range,
    pub energy_idle_month: Range,
    /// Life of the hardware, months.
    pub life_months: f64,
    /// Annual cost of capital.
    pub cost_of_capital: f64,
    /// Residual value at the end of the life, share.
    pub residual: Range,
    /// Parts of the running cost of a month at full use.
    pub parts: Vec<Part>,
}

/// Product of two ranges of positive figures, end by end.
fn times(a: Range, b: Range) -> Range {
    Range { low: a.low * b.low, typical: a.typical * b.typical, high: a.high * b.high }
}

/// Payment per month that pays a price back over a number of months at an annual rate, less what it then fetches:
/// (C − R/(1+r)^n)·r/(1−(1+r)^−n) with r the rate of a month; (C − R)/n without interest.
pub(crate) fn annuity(price: f64, residual: f64, annual_rate: f64, months: f64) -> f64 {
    let (rate, months) = (annual_rate / 12.0, months.max(1.0));
    if rate <= 0.0 {
        return (price - residual) / months;
    }
    (price - residual / (1.0 + rate).powf(months)) * rate / (1.0 - (1.0 + rate).powf(-months))
}

impl Ownership {
    /// Adds up what owning costs.
    ///
    /// Energy = nameplate kW × overhead × load × PUE × price × hours. Place: colocation per contracted kW, which is
    /// nameplate × overhead, or an own facility per MW of the same, as an annuity over its life without residual
    /// value; never both. A demand charge is on the draw while training. Support and insurance are shares of the
    /// servers' price.
    pub(crate) fn new(inputs: &Inputs, bill: &Bill, gpus: f64, nodes: f64, nameplate_kw: f64) -> Self {
        let contracted = inputs.server_overhead.range.map(|overhead| nameplate_kw * overhead);
        let drawn = times(contracted, inputs.pue.range);
        let price = inputs.electricity_usd_per_kwh.range.map(|usd| usd * HOURS_PER_MONTH);
        let energy = |load: f64| times(drawn, price).map(|usd| usd * load);
        let load = inputs.load_factor.value();
        let idle = inputs.idle_factor.value().min(load);
        let rate = inputs.cost_of_capital.value();
        let place = match inputs.facility {
            Facility::Colocation => {
                Part { key: "colocation", month: times(contracted, inputs.colocation_usd_per_kw_month.range) }
            }
            Facility::Own => {
                let months = inputs.facility_life_years.value() * 12.0;
                let mw = contracted.map(|kw| kw / 1_000.0);
                let built = times(mw, inputs.facility_usd_per_mw.range);
                Part { key: "own_facility", month: built.map(|usd| annuity(usd, 0.0, rate, months)) }
            }
        };
        let of_servers = |share: Range| share.map(|s| bill.servers.typical * s / 12.0);
        let engineer = inputs.staff_usd_per_year.value() / 12.0;
        let site = inputs.staff_base().map(|fte| fte * engineer);
        let staff = site.plus(inputs.staff_of_nodes(nodes).map(|fte| fte * engineer));
        let demand_charge = inputs.demand_charge_usd_per_kw_month.unwrap_or(0.0);
        let fixed = [
            place,
            Part { key: "support", month: of_servers(inputs.support_share_per_year.range) },
            Part { key: "insurance", month: of_servers(inputs.insurance_share_per_year.range) },
            Part { key: "software", month: inputs.software_usd_per_gpu_year.range.map(|usd| usd * gpus / 12.0) },
            Part { key: "staff", month: staff },
            Part { key: "demand_charge", month: drawn.map(|kw| kw * load * demand_charge) },
        ];
        let fixed_month = fixed.iter().fold(Range::exactly(0.0), |sum, part| sum.plus(part.month));
        let energy_busy_month = energy(load);
        let mut parts = vec![Part { key: "energy", month: energy_busy_month }];
        parts.extend(fixed);
        let life_years = inputs.hardware_life_years.value();
        Self {
            gpus,
            nodes,
            capital: bill.total,
            servers_usd: bill.servers.typical,
            it_kw: contracted.typical,
            fixed_month,
            site_month: site.typical,
            energy_busy_month,
            energy_idle_month: energy(idle),
            life_months: life_years * 12.0,
            cost_of_capital: rate,
            residual: inputs.residual_at.at(life_years),
            parts,
        }
    }

    /// Running cost of a month at a utilization, USD.
    pub(crate) fn running_month(&self, utilization: f64) -> f64 {
        self.running_range(utilization).typical
    }

    /// The same with every input at its low and high end.
    pub(crate) fn running_range(&self, utilization: f64) -> Range {
        let (busy, idle) = (utilization, 1.0 - utilization);
        self.fixed_month.plus(self.energy_busy_month.map(|e| e * busy)).plus(self.energy_idle_month.map(|e| e * idle))
    }

    /// The parts of the running cost of a month at a utilization, USD.
    pub(crate) fn month_by_part(&self, utilization: f64) -> impl Iterator<Item = (&'static str, Range)> + '_ {
        let (busy, idle) = (utilization, 1.0 - utilization);
        let energy = self.energy_busy_month.map(|e| e * busy).plus(self.energy_idle_month.map(|e| e * idle));
        self.parts.iter().map(move |p| (p.key, if p.key == "energy" { energy } else { p.month }))
    }

    /// Capital as an annuity per month, less the residual value at the end of the life.
    pub(crate) fn annuity_month(&self) -> Range {
        let of =
            |capital: f64, residual: f64| annuity(capital, capital * residual, self.cost_of_capital, self.life_months);
        Range {
            low: of(self.capital.low, self.residual.high),
            typical: of(self.capital.typical, self.residual.typical),
            high: of(self.capital.high, self.residual.low),
        }
    }

    /// Capital less residual value over the life, without interest, per month.
    pub(crate) fn straight_line_month(&self) -> Range {
        let of = |capital: f64, residual: f64| annuity(capital, capital * residual, 0.0, self.life_months);
        Range {
            low: of(self.capital.low, self.residual.high),
            typical: of(self.capital.typical, self.residual.typical),
            high: of(self.capital.high, self.residual.low),
        }
    }

    /// Annuity and running cost of a month over the life, USD.
    pub(crate) fn month(&self, utilization: f64) -> Range {
        self.annuity_month().plus(self.running_range(utilization))
    }

    /// Cost of one device-hour that holds work, over the life and with resale, USD.
    pub(crate) fn useful_hour(&self, utilization: f64) -> Range {
        let hours = self.gpus * HOURS_PER_MONTH * utilization.max(1e-6);
        self.month(utilization).map(|usd| usd / hours)
    }

    /// Purchase and interest paid after a number of months, USD: interest on the capital that is not yet written off
    /// (straight line to the residual value over the life). Resale is not counted.
    pub(crate) fn purchase_and_interest(&self, capital: f64, months: f64) -> f64 {
        let life = self.life_months.max(1.0);
        let m = months.min(life);
        let unpaid = m - m * m / (2.0 * life) * (1.0 - self.residual.typical);
        capital + capital * self.cost_of_capital / 12.0 * unpaid
    }
}

#[cfg(test)]
mod tests {
    use super::annuity;

    #[test]
    fn an_annuity_is_that_of_a_loan() {
        // 100,000 at 6 % over 10 years: 1,110.21 a month, as every loan table prints
        assert!((annuity(100_000.0, 0.0, 0.06, 120.0) - 1_110.21).abs() < 0.01);
        assert_eq!(annuity(48_000.0, 0.0, 0.0, 48.0), 1_000.0);
        // paid month by month, discounted, it is worth the price less the discounted residual value
        let (rate, months): (f64, i32) = (0.08 / 12.0, 48);
        let paid = annuity(1e6, 2e5, 0.08, 48.0);
        let worth: f64 = (1..=months).map(|m| paid / (1.0 + rate).powi(m)).sum();
        assert!((worth + 2e5 / (1.0 + rate).powi(months) - 1e6).abs() < 1e-3);
    }
}
