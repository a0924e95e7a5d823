//! What a cluster costs to own: capital, running, and one hour of it.

use super::bill::Bill;
use super::inputs::Inputs;
use crate::catalog::Range;
use crate::units::HOURS_PER_MONTH;

/// Owning a cluster.
#[derive(Clone, Debug)]
pub(crate) struct Ownership {
    /// Devices.
    pub gpus: f64,
    /// Purchase of everything, USD.
    pub capital: Range,
    /// Running cost that does not depend on use, USD per month.
    pub fixed_month: f64,
    /// Energy of a month when every hour works, and when none does, USD.
    pub energy_busy_month: f64,
    pub energy_idle_month: f64,
    /// Life of the hardware, months.
    pub life_months: f64,
    /// Annual cost of capital.
    pub cost_of_capital: f64,
    /// Residual value at the end of the life, share.
    pub residual: f64,
    /// Parts of the running cost of a month at full use, with name and amount.
    pub running_parts: Vec<(&'static str, f64)>,
}

impl Ownership {
    /// Adds up what owning costs.
    ///
    /// Energy = nameplate kW × overhead × load × PUE × price × hours; colocation is per contracted kW, which is
    /// nameplate × overhead; support and insurance are shares of the servers' price.
    pub(crate) fn new(inputs: &Inputs, bill: &Bill, gpus: f64, nodes: f64, nameplate_kw: f64) -> Self {
        let it_kw = nameplate_kw * inputs.server_overhead.value();
        let energy =
            |load: f64| it_kw * load * inputs.pue.value() * inputs.electricity_usd_per_kwh.value() * HOURS_PER_MONTH;
        let colocation = it_kw * inputs.colocation_usd_per_kw_month.value();
        let support = bill.servers.typical * inputs.support_share_per_year.value() / 12.0;
        let insurance = bill.servers.typical * inputs.insurance_share_per_year.value() / 12.0;
        let staff = inputs.staff(nodes) * inputs.staff_usd_per_year.value() / 12.0;
        let life_years = inputs.hardware_life_years.value();
        let energy_busy_month = energy(inputs.load_factor.value());
        Self {
            gpus,
            capital: bill.total,
            fixed_month: colocation + support + insurance + staff,
            energy_busy_month,
            energy_idle_month: energy(inputs.idle_factor.value().min(inputs.load_factor.value())),
            life_months: life_years * 12.0,
            cost_of_capital: inputs.cost_of_capital.value(),
            residual: inputs.residual_at.at(life_years).typical,
            running_parts: vec![
                ("energy", energy_busy_month),
                ("colocation", colocation),
                ("support", support),
                ("insurance", insurance),
                ("staff", staff),
            ],
        }
    }

    /// Running cost of a month at a utilization, USD.
    pub(crate) fn running_month(&self, utilization: f64) -> f64 {
        self.fixed_month + self.energy_idle_month + utilization * (self.energy_busy_month - self.energy_idle_month)
    }

    /// Capital as an annuity per month: (C − R/(1+r)^L) · r/(1−(1+r)^−L), straight line without interest.
    pub(crate) fn capital_month(&self, capital: f64) -> f64 {
        let rate = self.cost_of_capital / 12.0;
        let months = self.life_months.max(1.0);
        let residual = capital * self.residual;
        if rate <= 0.0 {
            return (capital - residual) / months;
        }
        (capital - residual / (1.0 + rate).powf(months)) * rate / (1.0 - (1.0 + rate).powf(-months))
    }

    /// Cost of one useful device-hour at a utilization, USD: low, typical and high by the capital.
    pub(crate) fn useful_hour(&self, utilization: f64) -> Range {
        let hours = self.gpus * HOURS_PER_MONTH * utilization.max(1e-6);
        self.capital.map(|capital| (self.capital_month(capital) + self.running_month(utilization)) / hours)
    }

    /// Cumulative cost after a number of months at a utilization, USD.
    ///
    /// The purchase at the start, running cost, and interest on the capital not yet written off (straight line over
    /// the life). Resale is not counted.
    pub(crate) fn cumulative(&self, capital: f64, months: f64, utilization: f64) -> f64 {
        let life = self.life_months.max(1.0);
        let m = months.min(life);
        let interest = capital * self.cost_of_capital / 12.0 * (m - m * m / (2.0 * life) * (1.0 - self.residual));
        capital + interest + self.running_month(utilization) * months
    }
}
