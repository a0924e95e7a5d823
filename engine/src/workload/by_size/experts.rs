//! A mixture of experts of given total and active sizes.

use super::dense::{Frame, frames};
use crate::workload::{Architecture, MixtureOfExperts};

/// Experts of a layer at most.
const MOST_EXPERTS: f64 = 4_096.0;

/// One way to spend the sizes on experts.
struct Candidate {
    frame: Frame,
    per_token: u32,
    shared: u32,
    experts: u32,
    width: u32,
    error: f64,
    strangeness: f64,
}

/// The mixture of experts nearest to the law among those with both counts within 2 %, else the nearest in size.
///
/// Depth, width and attention are those of a dense model of the active size; its feed-forward is cut into the
/// visited experts: two coarse ones without a shared one (Mixtral) where the total is a few times the active
/// size, eight fine ones and a shared one (DeepSeek) where it is more.
pub(super) fn of_size(total: f64, active: f64) -> Architecture {
    let mut best: Option<Candidate> = None;
    for frame in frames(active) {
        for (per_token, shared) in [(8, 1), (8, 0), (6, 2), (4, 0), (4, 1), (2, 0), (1, 1), (1, 0)] {
            let candidate = spend(frame, per_token, shared, total, active);
            if best.as_ref().is_none_or(|best| candidate.better_than(best)) {
                best = Some(candidate);
            }
        }
    }
    match best {
        Some(candidate) => candidate.architecture(),
        None => super::dense::of_size(total),
    }
}

/// Width and number of experts that meet the two sizes within one frame.
///
/// Active: fixed + (q + s)·w·u + E·L·h, total: fixed + (E + s)·w·u + E·L·h, where u is what a unit of width
/// costs and L·h what an expert costs in routers.
fn spend(frame: Frame, per_token: u32, shared: u32, total: f64, active: f64) -> Candidate {
    let unit = frame.per_width();
    let router = f64::from(frame.layers) * f64::from(frame.hidden);
    let visited = f64::from(per_token + shared);
    let mut experts = f64::from(per_token);
    let mut width = 0.0;
    // the routers couple the two, but weakly
    for _ in 0..4 {
        let exact = (active - frame.fixed - experts * router) / (visited * unit);
        width = [256.0, 64.0, 16.0]
            .iter()
            .map(|step| ((exact / step).round() * step).max(16.0))
            .find(|rounded| (rounded - exact).abs() * visited * unit < 0.01 * active)
            .unwrap_or(16.0);
        let spread = (total - frame.fixed - f64::from(shared) * width * unit) / (width * unit + router);
        // a number that divides over devices, where the size allows it
        let step = [32.0, 8.0, 4.0, 2.0]
            .into_iter()
            .find(|step| ((spread / step).round() * step - spread).abs() * width * unit < 0.01 * total)
            .unwrap_or(1.0);
        experts = ((spread / step).round() * step).clamp(f64::from(per_token), MOST_EXPERTS);
    }
    let found_active = frame.fixed + visited * width * unit + experts * router;
    let found_total = found_active + (experts - f64::from(per_token)) * width * unit;
    let error = (found_active / active - 1.0).abs().max((found_total / total - 1.0).abs());
    let coarse = total / active < 6.0;
    let usual = if coarse { per_token == 2 } else { per_token == 8 && shared == 1 };
    let round = match (experts as u32).trailing_zeros() {
        0 => 0.2,
        1 => 0.08,
        2 => 0.03,
        _ => 0.0,
    };
    let strangeness = frame.strangeness(visited * width) + round + if usual { 0.0 } else { 0.2 };
    Candidate { frame, per_token, shared, experts: experts as u32, width: width as u32, error, strangeness }
}

impl Candidate {
    /// A size that fits comes before a shape that looks right.
    fn better_than(&self, other: &Self) -> bool {
        match (self.error <= 0.02, other.error <= 0.02) {
            (true, true) => self.strangeness < other.strangeness,
            (false, false) => self.error < other.error,
            (fits, _) => fits,
        }
    }

    fn architecture(&self) -> Architecture {
        let visited = self.per_token + self.shared;
        let mut architecture = self.frame.with_ffn(self.width * visited);
        architecture.moe = Some(MixtureOfExperts {
            experts: self.experts,
            experts_per_token: self.per_token,
            expert_ffn: self.width,
            shared_experts: self.shared,
            shared_expert_ffn: None,
            shared_expert_gate: false,
            dense_layers: 0,
            every: 1,
            expert_groups: 1,
            groups_per_token: 1,
            router_bias: false,
            expert_bias: false,
        });
        architecture
    }
}
