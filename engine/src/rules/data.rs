//! The files of `engine/catalog/rules/` as they are written.

use super::{Case, Citation, Contradiction, RuleGroup, RuleVerdict};
use crate::catalog::OfferTerm;
use crate::catalog::embedded;
use serde::Deserialize;
use std::sync::LazyLock;

/// Everything the files hold.
pub(super) struct Data {
    pub groups: Vec<RuleGroup>,
    pub cases: Vec<Case>,
    pub builds: Vec<BuildData>,
    pub contradictions: Vec<Contradiction>,
    pub rules: Vec<RuleData>,
}

/// One rule.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleData {
    pub id: String,
    pub group: String,
    pub report: u8,
    pub claim: u8,
    pub rule: String,
    pub verdict: RuleVerdict,
    pub why: String,
    #[serde(default)]
    pub sources: Vec<Citation>,
    #[serde(default)]
    pub case: Option<String>,
    #[serde(default)]
    pub checks: Vec<CheckData>,
}

/// What is calculated.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum CheckData {
    Figure(FigureData),
    Possible(PossibleData),
}

/// A product over a product, beside what the rule says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FigureData {
    /// What the figure is.
    pub what: String,
    pub unit: String,
    /// The figure of the rule; without it, the calculation is shown and compared with nothing.
    #[serde(default)]
    pub said: Option<Said>,
    /// What the figure of the rule is multiplied with and divided by before it is compared.
    #[serde(default)]
    pub said_times: Vec<TermData>,
    #[serde(default)]
    pub said_over: Vec<TermData>,
    pub computed: Vec<TermData>,
    #[serde(default)]
    pub over: Vec<TermData>,
    /// Relative difference that still agrees.
    #[serde(default = "tenth")]
    pub within: f64,
}

fn tenth() -> f64 {
    0.1
}

/// One figure, or a range.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Said {
    One(f64),
    Range([f64; 2]),
}

/// Whether the engine finds a layout that is legal and fits.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PossibleData {
    /// What would be possible.
    pub what: String,
    /// Case of an estimate.
    pub possible: String,
    /// What the rule says of it.
    pub said: bool,
}

/// One factor.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum TermData {
    Catalog(CatalogTerm),
    Result(ResultTerm),
    Build(BuildTerm),
    Offers(OffersTerm),
    Claimed(ClaimedTerm),
    Known(KnownTerm),
    Cited(CitedTerm),
}

/// A figure or number of the catalog, with its range.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CatalogTerm {
    /// Path such as `accelerators.b200.memory_gb`, `costs.pue` or `fabrics.roce.efficiency`.
    pub catalog: String,
    #[serde(default)]
    pub of: Option<String>,
}

/// A figure of a plan or an estimate.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResultTerm {
    /// Id of the case.
    pub case: String,
    /// Path to the figure: names, indexes, `*` for the range over a list, `key=value` for the item of a list.
    pub at: String,
    pub of: String,
    #[serde(default)]
    pub unit: String,
}

/// A figure of a counted cluster, see [`super::BuildCost`].
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildTerm {
    /// Id of the cluster.
    pub build: String,
    /// Field.
    pub at: String,
    pub of: String,
}

/// Lowest, median and highest rental price of the catalog, USD per device-hour.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OffersTerm {
    /// Accelerator id.
    pub offers: String,
    pub term: OfferTerm,
}

/// A further number that the rule itself gives.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClaimedTerm {
    pub claimed: f64,
    pub of: String,
}

/// A constant of arithmetic: a unit, the bytes of a number format, a share.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KnownTerm {
    pub known: f64,
    pub of: String,
}

/// A published figure that the catalog has no place for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CitedTerm {
    pub cited: f64,
    #[serde(default)]
    pub low: Option<f64>,
    #[serde(default)]
    pub high: Option<f64>,
    pub of: String,
    #[serde(default)]
    pub unit: String,
    pub source: String,
    pub date: String,
}

/// A cluster to count.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildData {
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Accelerator id.
    pub accelerator: String,
    pub gpus: u32,
    /// Fabric id.
    pub fabric: String,
    /// Id of the case: what is trained on it, and the cost inputs.
    pub case: String,
    /// Purchase price that a field report gives, USD; the high end is absent where it is open.
    #[serde(default)]
    pub said_usd: Option<Vec<f64>>,
    /// What the field report says it is for, in our words; with it the cluster is a reference build.
    #[serde(default)]
    pub said_for: Option<String>,
    /// What a reader must know of the planner's page of this cluster.
    #[serde(default)]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Frame {
    #[serde(rename = "group")]
    groups: Vec<RuleGroup>,
    #[serde(rename = "build")]
    builds: Vec<BuildData>,
    #[serde(rename = "contradiction")]
    contradictions: Vec<Contradiction>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    #[serde(rename = "case")]
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleFile {
    #[serde(rename = "rule")]
    rules: Vec<RuleData>,
}

macro_rules! rule_files {
    ($($name:literal),+ $(,)?) => {
        /// Name and text of each file of rules.
        pub(super) const RULE_FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../catalog/rules/", $name)))),+];
    };
}

rule_files!(
    "accelerators.toml",
    "network.toml",
    "topology.toml",
    "collectives.toml",
    "parallelism.toml",
    "throughput.toml",
    "storage.toml",
    "operation.toml",
    "power.toml",
    "prices.toml",
    "cloud_or_own.toml",
    "sizing.toml",
);

/// The frame that the rules hang in.
pub(super) const FRAME: &str = include_str!("../../catalog/rules/frame.toml");

/// The cases.
pub(super) const CASES: &str = include_str!("../../catalog/rules/cases.toml");

/// The embedded rules.
pub(super) static DATA: LazyLock<Data> = LazyLock::new(|| {
    let Frame { groups, builds, contradictions } = embedded("rules/frame.toml", FRAME);
    let CaseFile { cases } = embedded("rules/cases.toml", CASES);
    let read = |(name, text): &(&str, &str)| embedded::<RuleFile>(&format!("rules/{name}"), text).rules;
    let rules = RULE_FILES.iter().flat_map(read).collect();
    Data { groups, cases, builds, contradictions, rules }
});
