//! Cost inputs of one request: the catalog's figures with the caller's own over them.

use crate::catalog::{Catalog, Figure, Range};
use crate::operation::storage::Rates;
use crate::request::{Facility, Overrides, PlanRequest, Quotes, StorageClass};

pub(crate) use crate::request::quotes::GIVEN;

/// One input with its range and where it came from.
#[derive(Clone, Debug)]
pub(crate) struct Input {
    pub range: Range,
    pub source: String,
    pub as_of: String,
    given: bool,
}

impl Input {
    pub(crate) fn figure(figure: &Figure) -> Self {
        Self { range: figure.range(), source: figure.source.clone(), as_of: figure.date.clone(), given: false }
    }

    /// An override, with its quote if it has one.
    pub(crate) fn given(value: f64, quotes: &Quotes, path: &str) -> Self {
        let (source, as_of) = quotes.source(path);
        Self { range: Range::exactly(value), source, as_of, given: true }
    }

    pub(crate) fn value(&self) -> f64 {
        self.range.typical
    }

    /// The caller's own figure.
    pub(crate) fn is_given(&self) -> bool {
        self.given
    }
}

macro_rules! inputs {
    ($($name:ident: $field:ident;)+) => {
        /// Every cost input of a request.
        #[derive(Clone, Debug)]
        pub(crate) struct Inputs {
            $(pub $name: Input,)+
            pub facility: Facility,
            pub residual_at: ResidualValue,
            pub staff_fte: Option<f64>,
            pub network_share: Option<f64>,
            pub checkpoint_write_gb_per_second: Option<f64>,
            pub storage_class: StorageClass,
            /// Demand charge of the utility, when the caller states one.
            pub demand_charge_usd_per_kw_month: Option<f64>,
            /// Carbon of the grid; `None` where it is not known for the region.
            pub carbon_g_per_kwh: Option<Input>,
        }

        impl Inputs {
            /// Resolves the inputs of a request; a region's price stands before the general one.
            pub(crate) fn of(request: &PlanRequest) -> Self {
                let costs = &Catalog::get().costs;
                let own = &request.overrides;
                let given = |name: &str| own.scalar(name).map(|value| Input::given(value, &request.quotes, name));
                let pick = |name: &str, default: &Figure| given(name).unwrap_or_else(|| Input::figure(default));
                let mut inputs = Self {
                    $($name: pick(stringify!($name), &costs.$field),)+
                    facility: request.facility,
                    residual_at: ResidualValue::of(own),
                    staff_fte: own.scalar("staff_fte"),
                    network_share: own.scalar("network_share_of_capital"),
                    checkpoint_write_gb_per_second: own.scalar("checkpoint_write_gb_per_second"),
                    storage_class: own.storage_class.unwrap_or_default(),
                    demand_charge_usd_per_kw_month: own.scalar("demand_charge_usd_per_kw_month"),
                    carbon_g_per_kwh: given("carbon_g_per_kwh"),
                };
                inputs.apply_region(request);
                inputs
            }

            /// The value in force of an override by its name; `None` for what has no value of its own.
            pub(crate) fn in_force(&self, name: &str) -> Option<f64> {
                match name {
                    $(stringify!($name) => Some(self.$name.value()),)+
                    "carbon_g_per_kwh" => self.carbon_g_per_kwh.as_ref().map(Input::value),
                    _ => None,
                }
            }
        }
    };
}

inputs! {
    electricity_usd_per_kwh: electricity_usd_per_kwh;
    pue: pue;
    colocation_usd_per_kw_month: colocation_usd_per_kw_month;
    facility_usd_per_mw: facility_usd_per_mw;
    facility_life_years: facility_life_years;
    cost_of_capital: cost_of_capital;
    hardware_life_years: hardware_life_years;
    load_factor: load_factor;
    idle_factor: idle_factor;
    server_overhead: server_overhead;
    support_share_per_year: support_share_per_year;
    insurance_share_per_year: insurance_share_per_year;
    software_usd_per_gpu_year: software_usd_per_gpu_year;
    lead_time_months: lead_time_months;
    staff_usd_per_year: staff_usd_per_year;
    installation_share: installation_share;
    spare_share: spare_share;
    tax_share: tax_share;
    storage_usd_per_tb: storage_usd_per_tb;
    cloud_extras_share: cloud_extras_share;
    egress_usd_per_gb: egress_usd_per_gb;
    object_storage_usd_per_gb_month: object_storage_usd_per_gb_month;
    embodied_kg_per_server: embodied_kg_per_server;
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
        if let (Some(figure), None) = (&region.carbon_g_per_kwh, &self.carbon_g_per_kwh) {
            self.carbon_g_per_kwh = Some(Input::figure(figure));
        }
    }

    /// Rates of the shared storage of a number of devices.
    pub(crate) fn storage_rates(&self, gpus: f64) -> Rates {
        Rates::of(self.storage_class, gpus, self.checkpoint_write_gb_per_second)
    }

    /// Engineers that a site takes at any size; all of them where the caller gives a number.
    pub(crate) fn staff_base(&self) -> Range {
        self.staff_fte.map_or_else(|| Catalog::get().costs.staff_fte_base.range(), Range::exactly)
    }

    /// Engineers that a number of nodes takes on top.
    pub(crate) fn staff_of_nodes(&self, nodes: f64) -> Range {
        if self.staff_fte.is_some() {
            return Range::exactly(0.0);
        }
        let per = Catalog::get().costs.staff_nodes_per_fte.range();
        Range { low: nodes / per.high, typical: nodes / per.typical, high: nodes / per.low }
    }

    /// Engineers for a number of nodes.
    pub(crate) fn staff(&self, nodes: f64) -> f64 {
        self.staff_base().typical + self.staff_of_nodes(nodes).typical
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
