//! The best layout of a cluster: every legal one is considered, and bounds skip only what can't win.
//!
//! The cost of a layer depends on tensor, context and expert degree, micro-batch and recompute, not on the
//! pipeline, the sharding or the number of devices. It is computed once per search and sorted by the least
//! time that any cluster could need with it: once that bound is above the best step found, the rest can't win.
//! On each pipeline, a step without the starts of its collectives is a closer bound, asked before memory is.

use super::job::Job;
use super::layer::{LayerCost, Shard, head_cost, layer_cost};
use super::machine::Machine;
use super::memory::{activations_alone, fullest, fullest_that_fits, least_state};
use super::place::{Place, ShardCost, Split};
use super::rules::{context_is_legal, expert_is_legal, tensor_is_legal};
use super::stages::Pipeline;
use super::step::{LeastStep, StageTimes, jitter, stage_times, step_time};
use crate::answer::{Layout, MemoryGib, TimeSeconds};
use crate::request::{LayoutRequest, Recompute, Sharding, SoftwareStack};
use crate::units::Seconds;
use std::sync::Arc;

mod leaders;
mod options;
mod placement;
#[cfg(test)]
mod twin;

use leaders::Leaders;
use options::{choices, degrees, divisors, longest_context, micro_batches, powers_of_two};
use placement::Placement;
pub(crate) use placement::{BatchRule, Pipelines};

/// A layout with its time and memory.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub layout: Layout,
    pub time: TimeSeconds,
    pub step_seconds: f64,
    pub memory: MemoryGib,
    pub fits: bool,
    /// Sequences of a step, after rounding.
    pub batch: f64,
    /// FLOPs that the hardware does per token beyond the model's.
    pub recomputed_per_token: f64,
}

impl Found {
    /// Tokens per second of the whole cluster.
    pub(crate) fn tokens_per_second(&self, job: &Job) -> f64 {
        self.batch * job.context_length as f64 / self.step_seconds
    }
}

/// A search over one machine and job; `best` can be asked for many cluster sizes.
pub(crate) struct Search<'a> {
    machine: &'a Machine,
    job: &'a Job,
    given: LayoutRequest,
    costed: Vec<ShardCost>,
    /// Devices of a replica (tensor × context) and micro-batch, of which many shards have the same.
    forms: Vec<(u32, u32)>,
    /// The form of each shard.
    form_of: Vec<usize>,
    pipelines: &'a Pipelines,
    /// Shard, stages and virtual stages of the last size's best layout.
    last_winner: Option<(usize, u32, u32)>,
    /// Layouts that were evaluated so far.
    pub(crate) evaluated: u64,
}

impl<'a> Search<'a> {
    /// Costs every shard that a cluster of up to `largest` devices could use.
    pub(crate) fn new(
        machine: &'a Machine,
        job: &'a Job,
        given: LayoutRequest,
        pipelines: &'a Pipelines,
        largest: u32,
    ) -> Self {
        let mut costed = Vec::new();
        for tensor in degrees(given.tensor, 1..=machine.domain.min(largest), |t| tensor_is_legal(job, t)) {
            let contexts = powers_of_two((largest / tensor).min(longest_context(job)));
            for context in degrees(given.context, contexts, |c| context_is_legal(job, c)) {
                let experts = divisors(job.experts().unwrap_or(1)).filter(|e| *e <= largest);
                for expert in degrees(given.expert, experts, |e| expert_is_legal(job, tensor, e, e * tensor)) {
                    for micro_batch in micro_batches(given.micro_batch_sequences, job.global_batch) {
                        for recompute in choices(given.recompute, Recompute::ALL) {
                            let shard = Shard { tensor, context, expert, micro_batch, recompute };
                            costed.push(ShardCost::new(machine, job, shard));
                        }
                    }
                }
            }
        }
        // times are positive, whose bits are in their order; costs are large to move about
        costed.sort_by_cached_key(|costed| costed.device_seconds.to_bits());
        let mut forms = Vec::new();
        let form_of = costed.iter().map(|costed| place_of(&mut forms, form(&costed.shard))).collect();
        Self { machine, job, given, costed, forms, form_of, pipelines, last_winner: None, evaluated: 0 }
    }

    /// The fastest layout of `gpus` devices that fits in memory.
    pub(crate) fn best(&mut self, gpus: u32) -> Option<Found> {
        // each state exists at least once: the fullest device holds no less than the mean of all
        if least_state(self.machine, self.job, self.given.sharding) / f64::from(gpus) > self.machine.usable {
            return None;
        }
        let floor = Seconds(self.machine.constants.step_floor_ms * 1e-3);
        let jitter = jitter(self.machine, gpus);
        let most_batch = 1.125 * self.job.global_batch as f64;
        let mut leaders = Leaders::default();
        let placed = self.placed(gpus);
        // what won on fewer devices is a good start
        if let Some((shard, stages, virtual_stages)) = self.last_winner {
            let same = |p: &&Placement| {
                let pipeline = self.pipelines.get(p);
                pipeline.stages == stages && pipeline.virtual_stages == virtual_stages
            };
            if let Some(placement) = placed[self.form_of[shard]].iter().flat_map(|p| p.iter()).find(same) {
                let times = stage_times(&self.costed[shard], self.pipelines.get(placement));
                self.evaluated += self.try_shardings(shard, placement, &times, jitter, &mut leaders).evaluated;
            }
        }
        let mut evaluated = 0;
        for (index, costed) in self.costed.iter().enumerate() {
            // what this shard needs on any pipeline with any sharding, without bubble and data parallelism
            let work = costed.device_seconds / f64::from(gpus);
            let most_fill = |leaders: &Leaders| (leaders.bound / jitter - floor.0 / most_batch) / work - 1.0;
            let mut fill = most_fill(&leaders);
            if fill <= 0.0 {
                break;
            }
            // plain stages that are too full are fuller still when interleaved: more micro-batches are in flight
            let mut too_full = 0;
            let Some(placements) = &placed[self.form_of[index]] else { continue };
            for placement in placements.iter() {
                let pipeline = self.pipelines.get(placement);
                let Pipeline { stages, virtual_stages, .. } = *pipeline;
                if placement.fill >= fill || (virtual_stages > 1 && stages == too_full) {
                    continue;
                }
                let equal = virtual_stages == 1 && self.job.architecture.layers.is_multiple_of(stages);
                if activations_alone(costed, pipeline, placement.in_flight) > self.machine.usable {
                    too_full = if equal { stages } else { too_full };
                    continue;
                }
                if !self.expert_fits(&costed.shard, placement) {
                    continue;
                }
                let times = stage_times(costed, pipeline);
                let least = times.least(placement.micro_batches) + floor;
                if least.0 * jitter / placement.batch >= leaders.bound {
                    continue;
                }
                let tried = self.try_shardings(index, placement, &times, jitter, &mut leaders);
                evaluated += tried.evaluated;
                if tried.all_too_full && equal {
                    too_full = stages;
                }
                fill = most_fill(&leaders);
            }
        }
        self.evaluated += evaluated;
        let (shard, winner) = leaders.simplest()?;
        self.last_winner = Some((shard, winner.layout.pipeline, winner.layout.virtual_pipeline));
        Some(winner)
    }

    /// Tries every sharding of one shard on one pipeline.
    fn try_shardings(
        &self,
        shard: usize,
        placement: &Placement,
        times: &StageTimes<'_>,
        jitter: f64,
        leaders: &mut Leaders,
    ) -> Tried {
        let costed = &self.costed[shard];
        let mut tried = Tried { evaluated: 0, all_too_full: true };
        let mut last_too_full = false;
        let pipeline = self.pipelines.get(placement);
        let gpus = placement.data * costed.shard.context * costed.shard.tensor * pipeline.stages;
        let least = LeastStep::new(self.machine, self.job, costed, pipeline, times, placement.micro_batches, gpus);
        for sharding in self.shardings(placement.data * costed.shard.context, pipeline.stages) {
            // unshared states take more than shared ones
            if *sharding == Sharding::None && last_too_full {
                continue;
            }
            let place = self.place(&costed.shard, placement, *sharding);
            if !leaders.want(least.of(&place.split).0 * jitter / placement.batch) {
                (tried.all_too_full, last_too_full) = (false, false);
                continue;
            }
            tried.evaluated += 1;
            let memory = fullest_that_fits(self.machine, self.job, costed, &place);
            last_too_full = memory.is_none();
            if let Some(memory) = memory {
                tried.all_too_full = false;
                let time = step_time(self.machine, self.job, costed, &place);
                if leaders.want(time.total() / place.batch) {
                    leaders.take(shard, found(costed, &place, memory, time));
                }
            }
        }
        tried
    }

    /// The layout of `gpus` devices that needs the least memory on its fullest device: what comes nearest to
    /// fitting where nothing fits.
    pub(crate) fn leanest(&mut self, gpus: u32) -> Option<Found> {
        let mut leanest: Option<Found> = None;
        let mut evaluated = 0;
        let placed = self.placed(gpus);
        for (costed, form) in self.costed.iter().zip(&self.form_of) {
            let Some(placements) = &placed[*form] else { continue };
            for placement in placements.iter() {
                if !self.expert_fits(&costed.shard, placement) {
                    continue;
                }
                for sharding in
                    self.shardings(placement.data * costed.shard.context, self.pipelines.get(placement).stages)
                {
                    evaluated += 1;
                    let place = self.place(&costed.shard, placement, *sharding);
                    let memory = fullest(self.machine, self.job, costed, &place);
                    if leanest.as_ref().is_none_or(|l| memory.total < l.memory.total) {
                        let time = step_time(self.machine, self.job, costed, &place);
                        leanest = Some(found(costed, &place, memory, time));
                    }
                }
            }
        }
        self.evaluated += evaluated;
        leanest
    }

    /// Where shards of each form can go on so many devices; nowhere if their replicas don't divide them.
    fn placed(&self, gpus: u32) -> Vec<Option<Arc<[Placement]>>> {
        let of = |&(replica, micro_batch): &(u32, u32)| {
            gpus.is_multiple_of(replica).then(|| self.pipelines.placements(gpus / replica, micro_batch))
        };
        self.forms.iter().map(of).collect()
    }

    fn expert_fits(&self, shard: &Shard, placement: &Placement) -> bool {
        expert_is_legal(self.job, shard.tensor, shard.expert, placement.data * shard.context * shard.tensor)
    }

    fn place(&self, shard: &Shard, placement: &Placement, sharding: Sharding) -> Place<'_> {
        let split = Split {
            tensor: shard.tensor,
            context: shard.context,
            expert: shard.expert,
            expert_tensor: self.job.expert_tensor(shard.tensor, shard.expert),
            data: placement.data,
            sharding,
        };
        let Placement { micro_batches, batch, .. } = *placement;
        Place { pipeline: self.pipelines.get(placement), split, micro_batches, batch }
    }

    /// Shardings worth trying, the leanest first: what the software has, nothing to share in a group of one, and none that gathers
    /// for each micro-batch on several stages.
    fn shardings(&self, group: u32, stages: u32) -> &'static [Sharding] {
        use Sharding::{Full, Gradients, None, Optimizer};
        match self.given.sharding {
            Some(None) => return &[None],
            Some(Optimizer) => return &[Optimizer],
            Some(Gradients) => return &[Gradients],
            Some(Full) => return &[Full],
            Option::None => {}
        }
        match (group, stages, self.machine.software.stack) {
            (1, ..) => &[None],
            (_, 1, SoftwareStack::Deepspeed) => &[Full, Gradients, Optimizer, None],
            (_, 1, SoftwareStack::PytorchFsdp) => &[Full, Gradients, None],
            (_, 1, _) => &[Full, Optimizer, None],
            (_, _, _) => &[Optimizer, None],
        }
    }
}

fn found(costed: &ShardCost, place: &Place<'_>, memory: MemoryGib, time: TimeSeconds) -> Found {
    Found {
        layout: layout(&costed.shard, place.pipeline, &place.split),
        step_seconds: time.total(),
        time,
        fits: memory.total <= memory.usable,
        memory,
        batch: place.batch,
        recomputed_per_token: costed.recomputed_per_token,
    }
}

/// Devices of a replica and micro-batch: what says on which pipelines a shard can go.
fn form(shard: &Shard) -> (u32, u32) {
    (shard.tensor * shard.context, shard.micro_batch)
}

/// Where a form is among those known, which it joins.
fn place_of(forms: &mut Vec<(u32, u32)>, form: (u32, u32)) -> usize {
    forms.iter().position(|known| *known == form).unwrap_or_else(|| {
        forms.push(form);
        forms.len() - 1
    })
}

/// What came of a shard on a pipeline.
struct Tried {
    evaluated: u64,
    /// No sharding fits.
    all_too_full: bool,
}

fn layout(shard: &Shard, pipeline: &Pipeline, split: &Split) -> Layout {
    Layout {
        tensor: shard.tensor,
        pipeline: pipeline.stages,
        virtual_pipeline: pipeline.virtual_stages,
        context: shard.context,
        expert: shard.expert,
        data: split.data,
        sharding: split.sharding,
        micro_batch_sequences: shard.micro_batch,
        recompute: shard.recompute,
    }
}

impl ShardCost {
    fn new(machine: &Machine, job: &Job, shard: Shard) -> Self {
        let layers: Vec<LayerCost> =
            (0..job.shape.kinds.len()).map(|kind| layer_cost(machine, job, kind, &shard)).collect();
        let head = head_cost(machine, job, &shard);
        let counts = job.shape.kinds.iter().map(|k| f64::from(k.count));
        let replica: f64 = layers.iter().zip(counts).map(|(layer, count)| layer.time.total().0 * count).sum::<f64>()
            + head.time.total().0;
        let devices = f64::from(shard.tensor) * f64::from(shard.context);
        let tokens = f64::from(shard.micro_batch) * job.context_length as f64;
        let recomputed: f64 =
            layers.iter().zip(&job.shape.kinds).map(|(layer, kind)| layer.recomputed.0 * f64::from(kind.count)).sum();
        Self {
            shard,
            layers,
            head,
            device_seconds: replica * devices / f64::from(shard.micro_batch),
            recomputed_per_token: recomputed * devices / tokens,
        }
    }
}
