//! Which pipelines a cluster has room for, and how the batch falls on them.

use super::options::degrees;
use crate::performance::job::Job;
use crate::performance::layer::Shard;
use crate::performance::stages::Pipeline;
use crate::request::LayoutRequest;
use std::collections::BTreeMap;

/// How the global batch may be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BatchRule {
    /// Micro-batches and replicas divide the batch.
    Exact,
    /// The batch may be rounded to whole micro-batches, by at most an eighth.
    Nearest,
}

/// Every legal placing of a job's layers on up to `largest` devices, by number of stages; the same for all machines.
pub(crate) fn pipelines(job: &Job, given: &LayoutRequest, largest: u32) -> Vec<Vec<Pipeline>> {
    let layers = job.architecture.layers;
    let place = if given.virtual_pipeline.is_some() { Pipeline::place_by_hand } else { Pipeline::place };
    let interleaved = |p: u32| degrees(given.virtual_pipeline, 1..=((layers + 2) / p).max(1), |_| true);
    degrees(given.pipeline, 1..=layers.min(largest), |_| true)
        .into_iter()
        .map(|p| interleaved(p).into_iter().filter_map(|v| place(&job.shape, p, v)).collect())
        .collect()
}

/// A pipeline on a number of devices, for one size of replica and one micro-batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement<'a> {
    pub pipeline: &'a Pipeline,
    pub data: u32,
    pub micro_batches: f64,
    pub batch: f64,
    /// Bubble over the work of the fullest stage, were all stages equal.
    pub fill: f64,
    /// Micro-batches in flight on the first stage.
    pub in_flight: f64,
}

/// Placements of one cluster size, made when a shard of their replica and micro-batch first asks.
pub(super) struct Placements<'a> {
    job: &'a Job,
    pipelines: &'a [Vec<Pipeline>],
    rule: BatchRule,
    gpus: u32,
    made: BTreeMap<(u32, u32), Vec<Placement<'a>>>,
}

impl<'a> Placements<'a> {
    pub(super) fn new(job: &'a Job, pipelines: &'a [Vec<Pipeline>], rule: BatchRule, gpus: u32) -> Self {
        Self { job, pipelines, rule, gpus, made: BTreeMap::new() }
    }

    pub(super) fn of(&mut self, shard: &Shard) -> &[Placement<'a>] {
        let key = (shard.tensor * shard.context, shard.micro_batch);
        if !self.made.contains_key(&key) {
            self.made.insert(key, self.make(key.0, key.1));
        }
        self.made.get(&key).map_or(&[], Vec::as_slice)
    }

    /// Every pipeline that divides the devices left by a replica, and the batch, in whole rounds.
    fn make(&self, replica: u32, micro_batch: u32) -> Vec<Placement<'a>> {
        let gpus = self.gpus;
        if replica > gpus || !gpus.is_multiple_of(replica) {
            return Vec::new();
        }
        let ranks = gpus / replica;
        let mut placements = Vec::new();
        for same_stages in self.pipelines {
            let Some(stages) = same_stages.first().map(|p| p.stages).filter(|p| ranks.is_multiple_of(*p)) else {
                continue;
            };
            let data = ranks / stages;
            let Some((micro_batches, batch)) = self.batch(micro_batch, data) else { continue };
            // interleaving needs whole rounds of micro-batches
            let rounds = micro_batches.is_multiple_of(u64::from(stages));
            let micro_batches = micro_batches as f64;
            for pipeline in same_stages.iter().filter(|p| rounds || p.virtual_stages == 1) {
                placements.push(Placement {
                    pipeline,
                    data,
                    micro_batches,
                    batch,
                    fill: f64::from(stages - 1) / (micro_batches * f64::from(pipeline.virtual_stages)),
                    in_flight: pipeline.in_flight(0, micro_batches),
                });
            }
        }
        placements
    }

    /// Micro-batches per replica and the sequences of a step.
    fn batch(&self, micro_batch: u32, data: u32) -> Option<(u64, f64)> {
        let once = u64::from(micro_batch) * u64::from(data);
        let wanted = self.job.global_batch;
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
