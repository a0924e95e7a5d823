//! The whole plan.

use super::comparison::CloudVsOnPrem;
use super::money::{Footprint, Inverse, OverrideUse, OwnershipCost, RunRanges};
use super::utilization::Utilization;
use super::{Build, Estimate, Explanation, Layout};
use crate::catalog::{OfferTerm, Range};
use crate::request::{Acquisition, PlanRequest};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A reason as code and text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// Stable code.
    pub code: String,
    /// One sentence for a person.
    pub text: String,
}

impl Reason {
    /// Builds one.
    pub fn new(code: &str, text: impl Into<String>) -> Self {
        Self { code: code.into(), text: text.into() }
    }
}

/// A size class of cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TierId {
    /// 1 to 4 nodes.
    Starter,
    /// 5 to 15 nodes.
    Workhorse,
    /// 16 nodes and up.
    Beast,
}

/// How a tier stands to the job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Within the limits.
    Fits,
    /// Misses the deadline.
    TooSlow,
    /// The model does not fit in its memory.
    TooSmall,
    /// Costs more than the budget.
    OverBudget,
    /// Within the limits, but a smaller tier does the job for no more money.
    Oversized,
}

/// The devices of a plan and how they are joined.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cluster {
    /// Accelerator id.
    pub accelerator: String,
    /// Its name.
    pub accelerator_label: String,
    /// Its short name, such as `H100`.
    pub accelerator_short: String,
    /// Devices.
    pub gpus: u32,
    /// Servers (trays).
    pub nodes: u32,
    /// Devices per server.
    pub gpus_per_node: u32,
    /// Devices joined by the scale-up link.
    pub scale_up_domain: u32,
    /// Fabric id between servers.
    pub fabric: String,
    /// Network rate per device, Gb/s.
    pub network_gbps_per_gpu: f64,
    /// Draw at the facility while training, kW (with overhead and PUE).
    pub power_kw: f64,
}

/// What one way of acquiring costs for this run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostOption {
    /// Way of acquiring.
    pub acquisition: Acquisition,
    /// Provider id; absent when bought.
    pub provider: Option<String>,
    /// Name for people: the provider and its term, or `Buy`; no two ways of a cluster share it.
    pub label: String,
    /// Paid per device-hour, USD; when bought: the cost of an owned hour at the request's utilization.
    pub usd_per_gpu_hour: f64,
    /// Cost of this run, USD. A purchase counts in full, with what running it takes until the end of the run; a
    /// commitment counts its hours of this run.
    pub total_usd: Range,
    /// Money that leaves the account by the end of the run, USD (a commitment pays its whole term).
    pub cash_usd: f64,
    /// Date of the price.
    pub as_of: String,
    /// Source of the price.
    pub source: String,
    /// The cash is within the budget, or there is none.
    pub within_budget: bool,
    /// Fabric id that the offer comes with; absent where it is unknown.
    pub fabric: Option<String>,
    /// Days of the run when it is acquired so: spot machines are taken away, and the run takes longer.
    pub days: Range,
    /// Productive share of the calendar when it is acquired so.
    pub goodput: f64,
    /// Storage, egress and support in `total_usd`, USD; 0 when bought, where they are part of the cluster.
    pub extras_usd: f64,
    /// How the offer is paid; null when bought.
    pub term: Option<OfferTerm>,
    /// Months that are paid at least; 0 without a commitment.
    pub minimum_months: f64,
    /// Longest run that can be booked, days; null without a bound.
    pub max_days: Option<f64>,
    /// Age of the price at the catalog's version, days; null for your own price.
    pub age_days: Option<i64>,
    /// The price is older than six months.
    pub stale: bool,
    /// What a reader of this row must know: a prepaid block, a term longer than the run, interruptions.
    pub note: Option<String>,
}

/// What a tier costs for this run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TierCost {
    /// The way of acquiring that is counted in `total_usd`.
    pub acquisition: Acquisition,
    /// Provider id; absent when bought.
    pub provider: Option<String>,
    /// Name for people.
    pub label: String,
    /// Months of commitment; 0 without one.
    pub minimum_months: f64,
    /// For this run, USD.
    pub total_usd: Range,
    /// Per device-hour, USD.
    pub usd_per_gpu_hour: f64,
    /// Per million tokens, USD.
    pub usd_per_million_tokens: f64,
    /// Purchase of the whole cluster, USD; absent where no price is known.
    pub capital_usd: Option<Range>,
    /// Device-hours of the run.
    pub gpu_hours: f64,
    /// Every way of acquiring this cluster, cheapest first.
    pub options: Vec<CostOption>,
}

/// One size class sized to the job.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TierPlan {
    /// Which.
    pub tier: TierId,
    /// How it stands to the job.
    pub verdict: Verdict,
    /// Why.
    pub reasons: Vec<Reason>,
    /// The cluster; absent only if nothing that is allowed exists in this class.
    pub cluster: Option<Cluster>,
    /// Its estimate; with `fits: false` where the model does not fit.
    pub estimate: Option<Estimate>,
    /// Days of the run with failures and checkpoints; absent where the model does not fit.
    pub days: Option<Range>,
    /// Productive share of the calendar.
    pub goodput: Option<f64>,
    /// What it costs; absent where the model does not fit or no price is known.
    pub cost: Option<TierCost>,
    /// Energy and carbon of the run; absent where it has no days or its draw is not known.
    pub footprint: Option<Footprint>,
}

/// The recommendation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recommended {
    /// Tier.
    pub tier: TierId,
    /// Way of acquiring.
    pub acquisition: Acquisition,
    /// Provider id; absent when bought.
    pub provider: Option<String>,
    /// Months of commitment; 0 without one.
    pub minimum_months: f64,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// One cluster on the frontier of cost against time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Accelerator id.
    pub accelerator: String,
    /// Its short name.
    pub accelerator_short: String,
    /// Devices.
    pub gpus: u32,
    /// Way of acquiring.
    pub acquisition: Acquisition,
    /// Provider id; absent when bought.
    pub provider: Option<String>,
    /// Months of commitment; 0 without one.
    pub minimum_months: f64,
    /// Days of the run.
    pub days: f64,
    /// Cost of the run, USD.
    pub total_usd: f64,
    /// MFU.
    pub mfu: f64,
    /// Layout.
    pub layout: Layout,
}

/// One line of the bill of materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BillLine {
    /// What.
    pub item: String,
    /// How many.
    pub quantity: f64,
    /// Unit of the quantity.
    pub unit: String,
    /// Price of one, USD; absent where no price is known or another line holds it, never free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit_usd: Option<Range>,
    /// Quantity × typical price, USD; absent as the price is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_usd: Option<f64>,
    /// The line that holds the price of this one; without it and without a price, the purchase leaves this line out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub included_in: Option<String>,
    /// Source of the price.
    pub source: String,
    /// Date of the price.
    pub as_of: String,
    /// How the quantity came about.
    pub why: String,
    /// Path under `overrides` of the price, such as `item_usd.quantum-2-qm9700`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price_key: Option<String>,
}

/// What one input moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensitivityRow {
    /// Stable key of the input.
    pub input: String,
    /// Name for people.
    pub label: String,
    /// Its low value.
    pub low: f64,
    /// Its high value.
    pub high: f64,
    /// Unit of the input.
    pub unit: String,
    /// Cost of the run at the low value, USD.
    pub total_usd_low: f64,
    /// Cost of the run at the high value, USD.
    pub total_usd_high: f64,
}

/// How much a notice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Think about it.
    Warning,
    /// Do something about it.
    Critical,
}

/// Something that a reader of the plan must know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// Stable code.
    pub code: String,
    /// How much it matters.
    pub severity: Severity,
    /// One or two sentences.
    pub text: String,
    /// Where it comes from.
    pub source: String,
}

/// The answer to a [`PlanRequest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Version of the engine.
    pub engine_version: String,
    /// Version of the catalog.
    pub catalog_version: String,
    /// The request with defaults filled in.
    pub request: PlanRequest,
    /// The answer in one sentence.
    pub headline: String,
    /// The recommendation; null when nothing meets the limits (see `no_recommendation`).
    pub recommended: Option<Recommended>,
    /// Why there is no recommendation, and the nearest plan; empty when there is one.
    pub no_recommendation: Vec<Reason>,
    /// The three size classes; always three.
    pub tiers: Vec<TierPlan>,
    /// The cheapest cluster of all that meets the limits.
    pub cheapest: Option<Candidate>,
    /// The fastest cluster of all that meets the limits.
    pub fastest: Option<Candidate>,
    /// Cost against time: no other cluster is both cheaper and faster than one of these.
    pub frontier: Vec<Candidate>,
    /// Utilization by size and by month.
    pub utilization: Utilization,
    /// Cloud against on-premises.
    pub cloud_vs_on_prem: CloudVsOnPrem,
    /// What to buy for the recommended (or nearest) cluster.
    pub bill_of_materials: Vec<BillLine>,
    /// The physical build of the same cluster; absent only if there is no cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<Build>,
    /// What each input moves, largest first.
    pub sensitivity: Vec<SensitivityRow>,
    /// What owning the shown cluster costs by the month and the hour; null where no purchase price is known.
    pub ownership: Option<OwnershipCost>,
    /// Days and cost of the shown tier as a distribution; null where it has none.
    pub ranges: Option<RunRanges>,
    /// What the limits allow: the smallest cluster for the date, the most tokens, the utilization at which buying wins.
    pub inverse: Inverse,
    /// The caller's own figures, with what they replace.
    pub overridden: Vec<OverrideUse>,
    /// What a reader must know.
    pub notices: Vec<Notice>,
    /// Tier whose cluster the charts and the bill are of: the recommended one, or the nearest.
    pub shown_tier: TierId,
    /// Layouts that were evaluated.
    pub layouts_evaluated: u64,
    /// How each figure came about, by key such as `tiers.workhorse.days`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanations: Option<BTreeMap<String, Explanation>>,
}

impl Plan {
    /// The same plan without its explanations, as the API sends it unless asked.
    pub fn without_explanations(&self) -> Self {
        Self { explanations: None, ..self.clone() }
    }

    /// The tier whose cluster the charts and the bill are of.
    pub fn shown(&self) -> Option<&TierPlan> {
        self.tiers.iter().find(|t| t.tier == self.shown_tier)
    }
}
