//! Which pipelines a cluster has room for, and how the batch falls on them.

use super::options::degrees;
use crate::performance::job::Job;
use crate::performance::stages::Pipeline;
use crate::request::LayoutRequest;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// How the global batch may be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BatchRule {
    /// Micro-batches and replicas divide the batch.
    Exact,
    /// The batch may be rounded to whole micro-batches, by at most an eighth.
    Nearest,
}

/// A pipeline on a number of devices, for one micro-batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    /// Index among the pipelines.
    pub pipeline: usize,
    pub data: u32,
    pub micro_batches: f64,
    pub batch: f64,
    /// Bubble over the work of the fullest stage, were all stages equal.
    pub fill: f64,
    /// Micro-batches in flight on the first stage.
    pub in_flight: f64,
}

/// Every legal placing of a job's layers, and where they go on clusters: the same for all machines, so that it is worked
/// out once for all of them.
#[derive(Debug)]
pub(crate) struct Pipelines {
    all: Vec<Pipeline>,
    rule: BatchRule,
    global_batch: u64,
    /// Made when first asked for.
    placed: Mutex<Placed>,
}

/// Placements by devices over replicas, and micro-batch.
type Placed = BTreeMap<(u32, u32), Arc<[Placement]>>;

impl Pipelines {
    /// All pipelines on up to `largest` devices.
    pub(crate) fn new(job: &Job, given: &LayoutRequest, rule: BatchRule, largest: u32) -> Self {
        let layers = job.architecture.layers;
        let place = if given.virtual_pipeline.is_some() { Pipeline::place_by_hand } else { Pipeline::place };
        let mut all = Vec::new();
        for p in degrees(given.pipeline, 1..=layers.min(largest), |_| true) {
            for v in degrees(given.virtual_pipeline, 1..=((layers + 2) / p).max(1), |_| true) {
                all.extend(place(&job.shape, p, v));
            }
        }
        Self { all, rule, global_batch: job.global_batch, placed: Mutex::default() }
    }

    pub(super) fn get(&self, placement: &Placement) -> &Pipeline {
        &self.all[placement.pipeline]
    }

    /// Every pipeline that divides so many ranks (devices over those of a replica), and the batch in whole rounds.
    pub(super) fn placements(&self, ranks: u32, micro_batch: u32) -> Arc<[Placement]> {
        // what a search that broke off has left there is whole
        let mut placed = self.placed.lock().unwrap_or_else(PoisonError::into_inner);
        placed.entry((ranks, micro_batch)).or_insert_with(|| self.place(ranks, micro_batch)).clone()
    }

    fn place(&self, ranks: u32, micro_batch: u32) -> Arc<[Placement]> {
        let mut placements = Vec::new();
        let mut first = 0;
        for same_stages in self.all.chunk_by(|a, b| a.stages == b.stages) {
            let from = first;
            first += same_stages.len();
            let stages = same_stages[0].stages;
            if !ranks.is_multiple_of(stages) {
                continue;
            }
            let data = ranks / stages;
            let Some((micro_batches, batch)) = self.batch(micro_batch, data) else { continue };
            // interleaving needs whole rounds of micro-batches
            let rounds = micro_batches.is_multiple_of(u64::from(stages));
            let micro_batches = micro_batches as f64;
            for (index, pipeline) in same_stages.iter().enumerate() {
                if rounds || pipeline.virtual_stages == 1 {
                    placements.push(Placement {
                        pipeline: from + index,
                        data,
                        micro_batches,
                        batch,
                        fill: f64::from(stages - 1) / (micro_batches * f64::from(pipeline.virtual_stages)),
                        in_flight: pipeline.in_flight(0, micro_batches),
                    });
                }
            }
        }
        placements.into()
    }

    /// Micro-batches per replica and the sequences of a step.
    fn batch(&self, micro_batch: u32, data: u32) -> Option<(u64, f64)> {
        let once = u64::from(micro_batch) * u64::from(data);
        let wanted = self.global_batch;
        let (whole, rest) = (wanted / once, wanted % once);
        match self.rule {
            BatchRule::Exact => (rest == 0).then_some((whole, wanted as f64)),
            BatchRule::Nearest => {
                let micro_batches = (whole + u64::from(2 * rest >= once)).max(1);
                let batch = micro_batches * once;
                // within an eighth of what was asked for
                (8 * batch.abs_diff(wanted) <= wanted).then_some((micro_batches, batch as f64))
            }
        }
    }
}
