//! Refits the constants of the performance model to the published measurements.
//!
//! Damped Gauss-Newton on log(predicted/measured), reweighted so that it approaches the least sum of absolute
//! errors (a few misprinted rows must not bend the rest), with a weak pull of each constant towards its physical
//! starting value. Nothing is random.

use super::compare::Case;
use crate::catalog::{Basis, Calibration};

/// One constant that is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name, such as `gemm_efficiency.b200.fp8`.
    pub name: String,
    /// Value it is pulled to.
    pub start: f64,
    /// Strength of the pull: an error of 100 % in the constant weighs as much as this error in one row.
    pub pull: f64,
    /// Largest value.
    pub most: f64,
}

/// Below this error a row counts squared, above it linearly; narrower in each pass, so that a fit from far away is
/// not caught by the first rows that it meets.
const PASSES: [f64; 3] = [0.2, 0.1, 0.04];

/// Most that multiplications may sustain of the peak on the data sheet. The peak is at a stated boost clock, above which
/// consumer cards run.
const MOST_GEMM: f64 = 1.15;

/// Reads and writes fitted constants by name.
pub fn value(calibration: &mut Calibration, name: &str) -> Option<f64> {
    slot(calibration, name).map(|v| *v)
}

fn slot<'a>(calibration: &'a mut Calibration, name: &str) -> Option<&'a mut f64> {
    let parts: Vec<&str> = name.split('|').collect();
    match parts.as_slice() {
        ["gemm", accelerator, precision] => {
            let entry = calibration.gemm_efficiency.get_mut(*accelerator)?;
            match *precision {
                "bf16" => Some(&mut entry.bf16),
                "fp8" => entry.fp8.as_mut(),
                _ => entry.fp4.as_mut(),
            }
        }
        ["attention", generation] => calibration.attention_efficiency.get_mut(*generation),
        ["grouped", generation] => calibration.grouped_efficiency.get_mut(*generation),
        [constant] => calibration.constants.by_name(constant).map(|c| &mut c.value),
        _ => None,
    }
}

/// Every constant at its starting value: a fit knows nothing of the one before.
pub fn at_start(calibration: &Calibration) -> Calibration {
    let mut fresh = calibration.clone();
    for (accelerator, start) in &calibration.gemm_start {
        if let Some(entry) = fresh.gemm_efficiency.get_mut(accelerator) {
            (entry.bf16, entry.fp8, entry.fp4) = (start.bf16, start.fp8, start.fp4);
        }
    }
    fresh.attention_efficiency.clone_from(&calibration.attention_start);
    fresh.grouped_efficiency.clone_from(&calibration.grouped_start);
    fresh.constants.reset();
    fresh
}

fn with(calibration: &Calibration, parameters: &[Parameter], logs: &[f64]) -> Calibration {
    let mut changed = calibration.clone();
    for (parameter, log) in parameters.iter().zip(logs) {
        if let Some(slot) = slot(&mut changed, &parameter.name) {
            *slot = log.exp().min(parameter.most);
        }
    }
    changed
}

/// The constants that are fitted: an efficiency for each accelerator and precision with at least two rows, and the
/// global constants named, each with the strength of its pull.
pub fn parameters(calibration: &Calibration, cases: &[&Case], globals: &[(&str, f64)]) -> Vec<Parameter> {
    let mut all = Vec::new();
    for (accelerator, start) in &calibration.gemm_start {
        if calibration.gemm(accelerator).basis != Basis::Measured {
            continue;
        }
        for (precision, start) in [("bf16", Some(start.bf16)), ("fp8", start.fp8), ("fp4", start.fp4)] {
            let of = |c: &&&Case| c.row.accelerator == *accelerator && c.row.precision().id() == precision;
            let rows = cases.iter().filter(of).count();
            if let (Some(start), true) = (start, rows >= 2) {
                // a handful of rows must not drag an efficiency to where no kernel has been seen
                let pull = if rows >= 8 { 0.05 } else { 0.2 };
                all.push(Parameter { name: format!("gemm|{accelerator}|{precision}"), start, pull, most: MOST_GEMM });
            }
        }
    }
    for (name, pull) in globals {
        let start = match name.split_once('|') {
            Some(("attention", generation)) => calibration.attention_start.get(generation).copied(),
            Some(("grouped", generation)) => calibration.grouped_start.get(generation).copied(),
            _ => calibration.constants.clone().by_name(name).map(|c| c.start),
        };
        let Some(start) = start else { continue };
        let most = match *name {
            // streaming kernels reach nine tenths of the data sheet at best
            "memory_bandwidth_share" => 0.92,
            n if n.contains('|') || n.ends_with("_share") || n.ends_with("exposed") || n.ends_with("overlap") => 1.0,
            _ => f64::MAX,
        };
        all.push(Parameter { name: (*name).to_owned(), start, pull: *pull, most });
    }
    all
}

/// Something measured that constants are fitted to.
pub trait Observed {
    /// Logarithm of predicted over measured.
    fn log_ratio(&self, calibration: &Calibration) -> f64;

    /// Weight in a fit.
    fn weight(&self) -> f64 {
        1.0
    }
}

/// Fits; returns the changed constants.
pub fn fit<T: Observed>(
    calibration: &Calibration,
    parameters: &[Parameter],
    cases: &[&T],
    rounds: usize,
) -> Calibration {
    // always from the starting values, so that the committed constants are no input of their own fit
    let mut logs: Vec<f64> = parameters.iter().map(|p| p.start.max(1e-9).ln()).collect();
    for narrow in PASSES {
        logs = descend(calibration, parameters, cases, logs, rounds, narrow);
    }
    with(calibration, parameters, &logs)
}

fn descend<T: Observed>(
    calibration: &Calibration,
    parameters: &[Parameter],
    cases: &[&T],
    mut logs: Vec<f64>,
    rounds: usize,
    narrow: f64,
) -> Vec<f64> {
    let residuals = |logs: &[f64]| -> Vec<f64> {
        let changed = with(calibration, parameters, logs);
        cases.iter().map(|case| case.log_ratio(&changed)).collect()
    };
    let loss = |r: &[f64], logs: &[f64]| -> f64 {
        let rows: f64 = r.iter().zip(cases).map(|(r, c)| c.weight() * huber(*r, narrow)).sum();
        let pulls: f64 =
            parameters.iter().zip(logs).map(|(p, l)| (p.pull * (l - p.start.ln())).powi(2) / (2.0 * narrow)).sum();
        rows + pulls
    };
    let mut current = residuals(&logs);
    let mut best = loss(&current, &logs);
    let mut damping = 1e-2;
    let mut idle = 0;
    for _ in 0..rounds {
        let n = parameters.len();
        let step = 4e-3;
        let columns: Vec<Vec<f64>> = (0..n)
            .map(|j| {
                let mut moved = logs.clone();
                moved[j] += step;
                residuals(&moved).iter().zip(&current).map(|(a, b)| (a - b) / step).collect()
            })
            .collect();
        let weights: Vec<f64> = current.iter().zip(cases).map(|(r, c)| c.weight() / r.abs().max(narrow)).collect();
        let mut normal = vec![vec![0.0; n]; n];
        let mut gradient = vec![0.0; n];
        for i in 0..n {
            for j in 0..=i {
                let sum: f64 = weights.iter().enumerate().map(|(k, w)| w * columns[i][k] * columns[j][k]).sum();
                normal[i][j] = sum;
                normal[j][i] = sum;
            }
            gradient[i] = weights.iter().enumerate().map(|(k, w)| w * columns[i][k] * current[k]).sum();
            let pull = parameters[i].pull.powi(2) / narrow;
            normal[i][i] += pull;
            gradient[i] += pull * (logs[i] - parameters[i].start.ln());
        }
        let mut improved = false;
        for _ in 0..6 {
            let mut damped = normal.clone();
            for (i, row) in damped.iter_mut().enumerate() {
                row[i] *= 1.0 + damping;
                row[i] += 1e-9;
            }
            let Some(delta) = solve(damped, gradient.clone()) else { break };
            let moved: Vec<f64> = logs
                .iter()
                .zip(&delta)
                .zip(parameters)
                .map(|((l, d), p)| (l - d.clamp(-0.5, 0.5)).min(p.most.ln()))
                .collect();
            let next = residuals(&moved);
            let next_loss = loss(&next, &moved);
            if next_loss < best - 1e-9 {
                improved = best - next_loss > 1e-5 * best;
                (logs, current, best) = (moved, next, next_loss);
                damping = (damping * 0.3).max(1e-6);
                break;
            }
            damping *= 4.0;
        }
        idle = if improved { 0 } else { idle + 1 };
        if idle >= 3 {
            break;
        }
    }
    logs
}

fn huber(r: f64, narrow: f64) -> f64 {
    let r = r.abs();
    if r <= narrow { r * r / (2.0 * narrow) } else { r - narrow / 2.0 }
}

/// Solves a symmetric positive system by elimination with pivoting.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Option<Vec<f64>> {
    let n = b.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|x, y| a[*x][i].abs().total_cmp(&a[*y][i].abs()))?;
        a.swap(i, pivot);
        b.swap(i, pivot);
        if a[i][i].abs() < 1e-14 {
            return None;
        }
        for row in i + 1..n {
            let factor = a[row][i] / a[i][i];
            if factor == 0.0 {
                continue;
            }
            let pivot_row = a[i].clone();
            for (left, above) in a[row].iter_mut().zip(&pivot_row).skip(i) {
                *left -= factor * above;
            }
            b[row] -= factor * b[i];
        }
    }
    for i in (0..n).rev() {
        for j in i + 1..n {
            b[i] -= a[i][j] * b[j];
        }
        b[i] /= a[i][i];
    }
    Some(b)
}
