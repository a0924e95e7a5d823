//! Decisions that people take by rules of thumb, computed for one plan instead.
//!
//! Each answer stands on figures of the plan or of a few further searches of single clusters, and says what would turn
//! it. Asked for apart from the plan, as it costs about as much again.

mod accelerator;
mod fabric;
mod money;
mod node;
mod precision;
mod scene;
mod small;
mod topology;

#[cfg(test)]
mod tests;

use crate::answer::Plan;
use scene::Scene;
pub(crate) use scene::{job_of, storage_of};
use serde::{Deserialize, Serialize};

/// One figure that a decision stands on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionFigure {
    /// Stable key within the decision.
    pub key: String,
    /// Name for people.
    pub label: String,
    /// Value.
    pub value: f64,
    /// Unit.
    pub unit: String,
}

/// One decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// Stable key: `fabric`, `accelerator`, `one_node`, `consumer_cards`, `fp8`, `buy_above`, `team`, `topology`,
    /// `node_memory`.
    pub key: String,
    /// The question for people.
    pub question: String,
    /// The answer in one or two sentences.
    pub answer: String,
    /// The figures behind it.
    pub because: Vec<DecisionFigure>,
    /// What would change the answer; null where nothing that the engine knows does.
    pub turns_at: Option<String>,
}

impl Decision {
    fn new(key: &str, question: &str, answer: String) -> Self {
        Self { key: key.into(), question: question.into(), answer, because: Vec::new(), turns_at: None }
    }

    fn with(mut self, key: &str, label: &str, value: f64, unit: &str) -> Self {
        // a figure that can't be a number is left out rather than shown
        if value.is_finite() {
            self.because.push(DecisionFigure { key: key.into(), label: label.into(), value, unit: unit.into() });
        }
        self
    }

    fn turning(mut self, at: impl Into<String>) -> Self {
        self.turns_at = Some(at.into());
        self
    }
}

/// Decides for the cluster that a plan shows. A decision that can't be computed for it is left out: all of them where
/// the plan has no cluster that fits.
///
/// Costs up to a few dozen searches of one cluster each, tens of milliseconds in all: ask when it is looked at.
pub fn decisions(plan: &Plan) -> Vec<Decision> {
    let Some(scene) = Scene::of(plan) else { return Vec::new() };
    let all = [
        fabric::decide,
        topology::decide,
        accelerator::decide,
        node::one_node,
        small::consumer_cards,
        precision::decide,
        money::buy_above,
        money::team,
        node::memory,
    ];
    all.iter().filter_map(|decide| decide(&scene)).collect()
}
