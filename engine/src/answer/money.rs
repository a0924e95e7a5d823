//! The money, energy and limits of a plan.

use super::plan::Candidate;
use crate::catalog::Range;
use crate::request::Facility;
use serde::{Deserialize, Serialize};

/// One part of the running cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunningPart {
    /// Stable key: `energy`, `colocation` or `own_facility`, `support`, `insurance`, `software`, `staff`,
    /// `demand_charge`.
    pub part: String,
    /// Name for people.
    pub label: String,
    /// USD per month at the request's utilization.
    pub usd_per_month: Range,
}

/// What owning a cluster costs, over the life of the hardware and with its residual value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnershipCost {
    /// Accelerator id.
    pub accelerator: String,
    /// Devices.
    pub gpus: u32,
    /// Where it stands.
    pub facility: Facility,
    /// Purchase of everything, USD.
    pub capital_usd: Range,
    /// What it fetches at the end of its life, USD.
    pub residual_usd: Range,
    /// Life of the hardware, months.
    pub life_months: f64,
    /// Capital less residual value as an annuity at the cost of capital, USD per month.
    pub annuity_usd_per_month: Range,
    /// The same without interest: straight line, USD per month.
    pub straight_line_usd_per_month: Range,
    /// Running cost by part.
    pub running: Vec<RunningPart>,
    /// Sum of the parts, USD per month.
    pub running_usd_per_month: Range,
    /// Annuity and running cost, USD per month.
    pub total_usd_per_month: Range,
    /// Per device-hour that is owned, used or not, USD.
    pub usd_per_owned_gpu_hour: f64,
    /// Per device-hour that trains, USD: owned ÷ utilization ÷ goodput, over the life and with resale;
    /// `cloud_vs_on_prem.owned_useful_hour_usd` is the same hour paid in full over the horizon.
    pub usd_per_useful_gpu_hour: f64,
    /// Share of this run, USD: its device-hours at the price of a used hour.
    pub usd_per_run: f64,
    /// Of this run, per million tokens, USD.
    pub usd_per_million_tokens: f64,
}

/// Energy and carbon of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Footprint {
    /// Energy at the facility, kWh.
    pub energy_kwh: f64,
    /// Carbon of the region's grid, g CO2e/kWh; null where it is not known.
    pub grid_g_per_kwh: Option<f64>,
    /// Carbon of that energy, kg CO2e; null where the grid's is not known.
    pub operational_kg: Option<f64>,
    /// Share of the hardware's working life that the run takes.
    pub life_share: f64,
    /// That share of the carbon of making the servers, kg CO2e.
    pub embodied_kg: f64,
    /// Both, kg CO2e; null where the grid's is not known.
    pub total_kg: Option<f64>,
}

/// An owned base and a rented peak.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hybrid {
    /// Nodes to own; 0: rent everything.
    pub owned_nodes: u32,
    /// Devices to own.
    pub owned_gpus: u32,
    /// Curve id of the rental that takes the peak.
    pub against: String,
    /// Its name for people.
    pub label: String,
    /// Purchase of the base, USD.
    pub upfront_usd: f64,
    /// Cost over the horizon, USD, by the measure of the curves.
    pub total_usd: f64,
    /// Cost over the horizon when everything is rented there, USD.
    pub own_nothing_usd: f64,
    /// Work over the horizon, device-hours.
    pub work_gpu_hours: f64,
    /// Of it, rented, device-hours.
    pub rented_gpu_hours: f64,
    /// What is assumed of the demand.
    pub assumption: String,
}

/// When to buy more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NextBlock {
    /// Month (from 1) in which it must work.
    pub needed_in_month: u32,
    /// Months from order to work.
    pub lead_time_months: f64,
    /// Months from now to the order; 0 where it is now or overdue.
    pub order_in_months: f64,
    /// The lead time is longer than the time that is left: what is above the capacity must be rented.
    pub overdue: bool,
    /// Devices, in whole nodes, that cover the highest demand of the year from then on.
    pub gpus: u32,
}

/// 10th, 50th and 90th percentile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Percentiles {
    /// One in ten is below.
    pub p10: f64,
    /// Half are below.
    pub p50: f64,
    /// Nine in ten are below.
    pub p90: f64,
}

/// Days and cost of a run as a distribution over throughput, failures and prices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRanges {
    /// Days of the run.
    pub days: Percentiles,
    /// Cost of the run, USD.
    pub total_usd: Percentiles,
    /// Draws behind them; the same draws each time.
    pub draws: u32,
}

/// The most tokens that limits allow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MostTokens {
    /// Tokens.
    pub training_tokens: u64,
    /// The cluster that trains on so many; its days and cost are of these tokens.
    pub candidate: Candidate,
}

/// What the limits allow, from the clusters of this plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inverse {
    /// The fewest devices that finish by the deadline, whatever they cost; null without a deadline, or when none does.
    pub smallest_for_deadline: Option<Candidate>,
    /// The most tokens within budget and deadline; null without such a limit, or when nothing is within it.
    pub most_tokens: Option<MostTokens>,
    /// Utilization from which on buying is cheaper over the horizon than the cheapest rental on demand; null: at none,
    /// or nothing to compare.
    pub buying_wins_from_utilization: Option<f64>,
}

/// The largest dense model that limits allow.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LargestModel {
    /// Parameters, billions, to two significant digits.
    pub parameters_billion: f64,
    /// Tokens that it is trained on: as many per parameter as the request asks for its own model.
    pub training_tokens: u64,
    /// The cheapest cluster that does it.
    pub candidate: Candidate,
}

/// A figure of the caller in place of one of the catalog.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverrideUse {
    /// Key under `overrides`, such as `pue` or `gpu_hour_usd.aws.b200`.
    pub key: String,
    /// Name for people.
    pub label: String,
    /// Unit.
    pub unit: String,
    /// The caller's value.
    pub value: f64,
    /// The catalog's value; null where it has none.
    pub replaces: Option<f64>,
    /// A figure that this plan shows is computed with it.
    pub used: bool,
    /// Clusters were compared with it, whether one of them is shown or not.
    pub considered: bool,
    /// Where the value is from: the request, or its quote.
    #[serde(default)]
    pub source: String,
    /// Date of the quote; empty where there is none.
    #[serde(default)]
    pub as_of: String,
}
