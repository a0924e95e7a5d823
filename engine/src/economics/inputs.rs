//! Cost inputs of one request: the catalog's figures with the caller's own over them.

use crate::catalog::{Catalog, Figure, Range};
use crate::request::{Overrides, PlanRequest};

/// One input with its range and where it came from.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub range: Range,
    pub source: String,
    pub as_of: String,
}

impl Input {
    pub(crate) fn figure(figure: &Figure) -> Self {
        Self { range: figure.range(), source: figure.source.clone(), as_of: figure.date.clone() }
    }

    pub(crate) fn given(value: f64) -> Self {
        Self { range: Range::exactly(value), source: "your request".into(), as_of: String::new() }
    }

    pub(crate) fn value(&self) -> f64 {
        self.range.typical
    }
}

macro_rules! inputs {
    ($($name:ident: $field:ident;)+) => {
        /// Every cost input of a request.
        #[derive(Clone, Debug)]
        pub(crate) struct Inputs { $(pub $name: Input,)+ pub residual_at: ResidualValue, pub staff_fte: Option<f64>, pub network_share: Option<f64>, pub checkpoint_write_gb_per_second: Option<f64> }

        impl Inputs {
            /// Resolves the inputs of a request; a region's price stands before the general one.
            pub(crate) fn of(request: &PlanRequest) -> Self {
                let costs = &Catalog::get().costs;
                let own = &request.overrides;
                let pick = |name: &str, default: &Figure| own.scalar(name).map_or_else(|| Input::figure(default), Input::given);
                let mut inputs = Self {
                    $($name: pick(stringify!($name), &costs.$field),)+
                    residual_at: ResidualValue::of(own),
                    staff_fte: own.scalar("staff_fte"),
                    network_share: own.scalar("network_share_of_capital"),
                    checkpoint_write_gb_per_second: own.scalar("checkpoint_write_gb_per_second"),
                };
                inputs.apply_region(request);
                inputs
            }
        }
    };
}

inputs! {
    electricity_usd_per_kwh: electricity_usd_per_kwh;
    pue: pue;
    colocation_usd_per_kw_month: colocation_usd_per_kw_month;
    cost_of_capital: cost_of_capital;
    hardware_life_years: hardware_life_years;
    load_factor: load_factor;
    idle_factor: idle_factor;
    server_overhead: server_overhead;
    support_share_per_year: support_share_per_year;
    insurance_share_per_year: insurance_share_per_year;
    staff_usd_per_year: staff_usd_per_year;
    installation_share: installation_share;
    spare_share: spare_share;
    tax_share: tax_share;
    storage_usd_per_tb: storage_usd_per_tb;
    cloud_extras_share: cloud_extras_share;
    price_trend_per_year: price_trend_per_year;
    failures_per_gpu_year: failures_per_gpu_year;
    restart_hours: restart_hours;
    spot_interruptions_per_hour: spot_interruptions_per_hour;
}

impl Inputs {
    fn apply_region(&mut self, request: &PlanRequest) {
        let Some(region) = Catalog::get().region(&request.region) else { return };
        let own = &request.overrides;
        if let (Some(figure), None) = (&region.electricity_usd_per_kwh, own.scalar("electricity_usd_per_kwh")) {
            self.electricity_usd_per_kwh = Input::figure(figure);
        }
        if let (Some(figure), None) = (&region.colocation_usd_per_kw_month, own.scalar("colocation_usd_per_kw_month")) {
            self.colocation_usd_per_kw_month = Input::figure(figure);
        }
    }

    /// Engineers that a number of nodes takes.
    pub(crate) fn staff(&self, nodes: f64) -> f64 {
        let costs = &Catalog::get().costs;
        self.staff_fte.unwrap_or(costs.staff_fte_base.value + nodes / costs.staff_nodes_per_fte.value)
    }
}

/// Share of the purchase price that hardware fetches by age.
#[derive(Clone, Debug)]
pub(crate) struct ResidualValue {
    /// The same share at any age, when the caller says.
    given: Option<f64>,
}

impl ResidualValue {
    fn of(overrides: &Overrides) -> Self {
        Self { given: overrides.scalar("residual_value") }
    }

    /// Residual value after a number of years: linear between the years of the catalog, 1 at the start, falling
    /// on to 0 two years after the last.
    pub(crate) fn at(&self, years: f64) -> Range {
        if let Some(share) = self.given {
            return Range::exactly(share);
        }
        let table = &Catalog::get().costs.residual_value_by_year;
        let end = |pick: fn(&Figure) -> f64| {
            let at = |index: usize| if index == 0 { 1.0 } else { table.get(index - 1).map_or(0.0, pick) };
            let whole = years.max(0.0).floor();
            let from = at(whole as usize);
            let to = at(whole as usize + 1);
            from + (to - from) * (years.max(0.0) - whole)
        };
        Range {
            low: end(|f| f.low.unwrap_or(f.value)),
            typical: end(|f| f.value),
            high: end(|f| f.high.unwrap_or(f.value)),
        }
    }
}
