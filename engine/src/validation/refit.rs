//! What is fitted, to which rows, and how over-fitting shows: the one definition that the program `calibrate` and
//! the test of the committed constants share.

use super::bandwidth::{BandwidthPoint, bandwidth_points};
use super::compare::{Case, Summary, summarize};
use super::fit::{Parameter, at_start, fit, parameters};
use super::held_out::HeldOutKinds;
use super::measurement::measurements;
use crate::catalog::{Band, Calibration};
use crate::request::{Method, Precision};
use std::collections::BTreeMap;

/// Global constants fitted to dense rows, each with the strength of the pull to its starting value.
const DENSE: &[(&str, f64)] = &[
    ("attention|ampere", 0.05),
    ("attention|hopper", 0.05),
    ("attention|blackwell", 0.3),
    ("attention|ada", 0.3),
    ("flash2_relative", 0.05),
    ("attention_backward", 0.3),
    ("memory_bandwidth_share", 0.3),
    ("elementwise_hidden", 0.1),
    ("elementwise_ffn", 0.1),
    ("eager_factor", 0.1),
    ("native_traffic", 0.1),
    ("gemm_traffic_exposed", 0.1),
    ("cast_bytes", 0.1),
    ("block_scaling_factor", 0.1),
    ("loss_bytes_fused", 0.2),
    ("loss_bytes_unfused", 0.2),
    ("host_overlap", 0.1),
    ("tensor_exposed", 0.1),
    ("transfer_exposed_plain", 0.2),
    ("transfer_exposed_interleaved", 0.2),
    ("sharded_overlap", 0.2),
    ("sharded_copy_bytes", 0.1),
    ("overlap_interference", 0.1),
    ("jitter_per_doubling", 0.1),
    ("step_floor_ms", 0.1),
    ("layer_launch_us", 0.1),
    ("eager_layer_floor_ms", 0.1),
    ("gemm_tokens", 0.1),
    ("gemm_width", 0.1),
];

/// Constants fitted to measured bus bandwidths, before all others.
const COLLECTIVES: &[(&str, f64)] =
    &[("scale_up_share", 0.1), ("collective_latency_us", 0.1), ("collective_growth_us", 0.1), ("in_switch_gain", 0.1)];

/// Constants fitted to rows with experts, after the dense ones.
const EXPERTS: &[(&str, f64)] = &[
    ("permute_hidden", 0.1),
    ("expert_exposed", 0.1),
    ("expert_layer_ms", 0.1),
    ("local_expert_us", 0.1),
    ("expert_maturity", 0.1),
    ("grouped|hopper", 0.1),
    ("grouped|blackwell", 0.1),
];

/// Rounds of one fit; it stops sooner when it gains nothing.
const ROUNDS: usize = 60;
/// Parts that the groups are dealt into for cross-validation.
const FOLDS: usize = 10;

/// The rows that constants are fitted to: pretraining, one row for each source family × configuration for dense models
/// (sweeps must not outweigh the rest), and every row with experts.
pub fn cases() -> Vec<Case> {
    let used = measurements().iter().filter(|m| m.method == Method::Pretraining && (m.core == 1 || m.has_experts()));
    used.filter_map(Case::of).collect()
}

/// A fit of all constants.
pub struct Fitted {
    /// The constants.
    pub calibration: Calibration,
    /// What was fitted.
    pub parameters: Vec<Parameter>,
}

/// Fits the constants of collectives to measured bandwidths, dense constants to dense rows, then those of experts to the
/// others; rows marked as doubtful are left out.
pub fn refit(start: &Calibration, rows: &[&Case]) -> Fitted {
    let sound = rows.iter().copied().filter(|c| c.row.not_fitted.is_none());
    let (experts, dense): (Vec<&Case>, Vec<&Case>) = sound.partition(|c| c.row.has_experts());
    let start = at_start(start);
    let points: Vec<&BandwidthPoint> = bandwidth_points().iter().collect();
    let of_collectives = parameters(&start, &[], COLLECTIVES);
    let start = &fit(&start, &of_collectives, &points, ROUNDS);
    let mut fitted = parameters(start, &dense, DENSE);
    let first = fit(start, &fitted, &dense, ROUNDS);
    fitted.extend(of_collectives);
    // an efficiency that no dense row tells is fitted to those with experts
    let mut of_experts = parameters(start, &experts, EXPERTS);
    of_experts.retain(|p| fitted.iter().all(|known| known.name != p.name));
    let calibration = fit(&first, &of_experts, &experts, ROUNDS);
    fitted.extend(of_experts);
    Fitted { calibration, parameters: fitted }
}

/// How groups of rows are held out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouping {
    /// Accelerator × model × size band × number format.
    Fine,
    /// Accelerator × model.
    Coarse,
}

impl Grouping {
    fn key(self, case: &Case) -> String {
        let r = case.row;
        match self {
            Self::Fine => format!("{} {} {} {}", r.accelerator, r.model, r.gpus.ilog2() / 3, r.recipe),
            Self::Coarse => format!("{} {}", r.accelerator, r.model),
        }
    }
}

/// Error of each row, predicted by constants that never saw its group: index of the row and predicted/measured − 1.
pub fn cross_validate(start: &Calibration, rows: &[&Case], grouping: Grouping) -> Vec<(usize, f64)> {
    let mut keys: Vec<String> = rows.iter().map(|c| grouping.key(c)).collect();
    keys.sort();
    keys.dedup();
    let fold = |case: &Case| keys.binary_search(&grouping.key(case)).unwrap_or(0) % FOLDS;
    let mut errors = Vec::with_capacity(rows.len());
    for held in 0..FOLDS {
        let seen: Vec<&Case> = rows.iter().copied().filter(|c| fold(c) != held).collect();
        let fitted = refit(start, &seen).calibration;
        for (index, case) in rows.iter().enumerate().filter(|(_, c)| fold(c) == held) {
            if let Some((tokens, _)) = case.tokens(&fitted) {
                errors.push((index, tokens / case.measured - 1.0));
            }
        }
    }
    errors
}

/// Key of the band of a configuration in `calibration.toml`.
pub fn band_key(experts: bool, precision: Precision) -> &'static str {
    match (experts, precision) {
        (true, _) => "experts",
        (false, Precision::Bf16) => "dense_bf16",
        (false, _) => "dense_low_precision",
    }
}

/// Bands from held-out errors: the 10th and 90th percentile of measured/predicted for similar configurations.
pub fn bands(rows: &[&Case], held_out: &[(usize, f64)]) -> BTreeMap<String, Band> {
    let mut by_key: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (index, error) in held_out {
        let row = rows[*index].row;
        by_key.entry(band_key(row.has_experts(), row.precision()).into()).or_default().push(1.0 / (1.0 + error));
    }
    let quantile = |sorted: &[f64], share: f64| sorted[((sorted.len() - 1) as f64 * share).round() as usize];
    by_key
        .into_iter()
        .map(|(key, mut ratios)| {
            ratios.sort_by(f64::total_cmp);
            (key, Band { low: quantile(&ratios, 0.1), high: quantile(&ratios, 0.9) })
        })
        .collect()
}

/// Errors of dense rows, or of those with experts, with given constants.
pub fn errors(calibration: &Calibration, rows: &[&Case], experts: bool) -> Summary {
    let chosen = rows.iter().filter(|c| c.row.has_experts() == experts);
    summarize(chosen.filter_map(|c| c.tokens(calibration).map(|(tokens, _)| tokens / c.measured - 1.0)))
}

/// Held-out errors of dense rows, or of those with experts.
pub fn held_out_errors(rows: &[&Case], held_out: &[(usize, f64)], experts: bool) -> Summary {
    summarize(held_out.iter().filter(|(i, _)| rows[*i].row.has_experts() == experts).map(|(_, e)| *e))
}

/// Held-out errors of both kinds.
pub fn held_out_kinds(rows: &[&Case], held_out: &[(usize, f64)]) -> HeldOutKinds {
    HeldOutKinds { dense: held_out_errors(rows, held_out, false), experts: held_out_errors(rows, held_out, true) }
}
