//! The best layout of a cluster: every legal one is considered, and bounds skip only what can't win.
//!
//! The cost of a layer depends on tensor, context and expert degree, micro-batch and recompute, not on the
//! pipeline, the sharding or the number of devices. It is computed once per search and sorted by the least
//! time that any cluster could need with it: once that bound is above the best step found, the rest can't win.

use super::job::Job;
use super::layer::{LayerCost, Shard, head_cost, layer_cost};
use super::machine::Machine;
use super::memory::{activations_alone, fullest, least_state};
use super::place::{Place, ShardCost, Split};
use super::rules::{context_is_legal, expert_is_legal, tensor_is_legal};
use super::stages::Pipeline;
use super::step::step_time;
use crate::answer::{Layout, MemoryGib, TimeSeconds};
use crate::request::{LayoutRequest, Recompute, Sharding, SoftwareStack};
use std::collections::BTreeMap;

/// What a visit found out about memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    Fits,
    TooFull,
    NotAsked,
}

#[cfg(test)]
mod twin;

/// How the global batch may be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BatchRule {
    /// Micro-batches and replicas divide the batch.
    Exact,
    /// The batch may be rounded to whole micro-batches, by at most an eighth.
    Nearest,
}

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
    rule: BatchRule,
    costed: Vec<ShardCost>,
    pipelines: Vec<Pipeline>,
    /// Layouts that were evaluated so far.
    pub(crate) evaluated: u64,
}

/// Largest micro-batch tried, sequences.
const LARGEST_MICRO_BATCH: u32 = 64;

impl<'a> Search<'a> {
    /// Costs every shard that a cluster of up to `largest` devices could use.
    pub(crate) fn new(machine: &'a Machine, job: &'a Job, given: LayoutRequest, rule: BatchRule, largest: u32) -> Self {
        let mut costed = Vec::new();
        for tensor in degrees(given.tensor, machine.domain.min(largest), |t| tensor_is_legal(job, t)) {
            for context in degrees(given.context, (largest / tensor).min(longest_context(job)), |c| {
                given.context.is_some() || (c.is_power_of_two() && context_is_legal(job, c))
            }) {
                for expert in degrees(given.expert, job.experts().unwrap_or(1).min(largest), |e| {
                    given.expert.is_some() || expert_is_legal(job, tensor, e, e * tensor)
                }) {
                    for micro_batch in micro_batches(given.micro_batch_sequences, job.global_batch) {
                        for recompute in choices(given.recompute, Recompute::ALL) {
                            let shard = Shard { tensor, context, expert, micro_batch, recompute };
                            costed.push(ShardCost::new(machine, job, shard));
                        }
                    }
                }
            }
        }
        costed.sort_by(|a, b| a.device_seconds.total_cmp(&b.device_seconds));
        let mut search = Self { machine, job, given, rule, costed, pipelines: Vec::new(), evaluated: 0 };
        search.pipelines = search.pipelines(largest);
        search
    }

    fn pipelines(&self, largest: u32) -> Vec<Pipeline> {
        let layers = self.job.architecture.layers;
        let mut all = Vec::new();
        for p in degrees(self.given.pipeline, layers.min(largest), |_| true) {
            for v in degrees(self.given.virtual_pipeline, ((layers + 2) / p).max(1), |_| true) {
                let place =
                    if self.given.virtual_pipeline.is_some() { Pipeline::place_by_hand } else { Pipeline::place };
                if let Some(pipeline) = place(&self.job.shape, p, v) {
                    all.push(pipeline);
                }
            }
        }
        all
    }

    /// The fastest layout of `gpus` devices that fits in memory.
    pub(crate) fn best(&mut self, gpus: u32) -> Option<Found> {
        let mut best: Option<Found> = None;
        // each state exists at least once: the fullest device holds no less than the mean of all
        if least_state(self.machine, self.job, self.given.sharding) / f64::from(gpus) > self.machine.usable {
            return None;
        }
        let c = self.machine.constants;
        // every step pays its floor, and jitter on all of it
        let jitter = 1.0 + c.jitter_per_doubling * f64::from(gpus).log2();
        let floor = c.step_floor_ms * 1e-3 / (1.125 * self.job.global_batch as f64);
        let per_sequence = |device_seconds: f64| (device_seconds / f64::from(gpus) + floor) * jitter;
        let places = self.places(gpus);
        let costed = std::mem::take(&mut self.costed);
        for candidate in &costed {
            // what this shard needs on any pipeline with any sharding, without bubble and data parallelism
            if best.as_ref().is_some_and(|b| per_sequence(candidate.device_seconds) >= b.step_seconds / b.batch) {
                break;
            }
            let machine = self.machine;
            let hopeless = |pipeline: &Pipeline, m: f64| activations_alone(candidate, pipeline, m) > machine.usable;
            self.try_shard(candidate, &places, &hopeless, &mut |search, place| {
                let Place { pipeline, micro_batches, .. } = place;
                if let Some(found) = &best {
                    let fill = f64::from(pipeline.stages - 1) / (micro_batches * f64::from(pipeline.virtual_stages));
                    let least = (candidate.device_seconds / f64::from(gpus) * (1.0 + fill) + floor) * jitter;
                    if least >= found.step_seconds / found.batch {
                        return Room::NotAsked;
                    }
                }
                search.evaluated += 1;
                let memory = fullest(search.machine, search.job, candidate, place);
                if memory.total > memory.usable {
                    return Room::TooFull;
                }
                let found = search.timed(candidate, place, memory);
                if best.as_ref().is_none_or(|b| is_better(&found, b)) {
                    best = Some(found);
                }
                Room::Fits
            });
        }
        self.costed = costed;
        best
    }

    /// The layout of `gpus` devices that needs the least memory on its fullest device: what comes nearest to
    /// fitting where nothing fits.
    pub(crate) fn leanest(&mut self, gpus: u32) -> Option<Found> {
        let mut leanest: Option<Found> = None;
        let places = self.places(gpus);
        let costed = std::mem::take(&mut self.costed);
        for candidate in &costed {
            self.try_shard(candidate, &places, &|_, _| false, &mut |search, place| {
                search.evaluated += 1;
                let memory = fullest(search.machine, search.job, candidate, place);
                if leanest.as_ref().is_none_or(|l| memory.total < l.memory.total) {
                    leanest = Some(search.timed(candidate, place, memory));
                }
                Room::NotAsked
            });
        }
        self.costed = costed;
        leanest
    }

    /// Pipelines that divide the devices left for each size of replica, with the data-parallel degree.
    fn places(&self, gpus: u32) -> BTreeMap<u32, Vec<(usize, u32)>> {
        let mut places = BTreeMap::new();
        for costed in &self.costed {
            let replica = costed.shard.tensor * costed.shard.context;
            if replica > gpus || !gpus.is_multiple_of(replica) || places.contains_key(&replica) {
                continue;
            }
            let ranks = gpus / replica;
            let divides = |(index, pipeline): (usize, &Pipeline)| {
                ranks.is_multiple_of(pipeline.stages).then(|| (index, ranks / pipeline.stages))
            };
            places.insert(replica, self.pipelines.iter().enumerate().filter_map(divides).collect());
        }
        places
    }

    /// Visits every legal pipeline and sharding of a shard, but for pipelines that are hopeless with any sharding.
    fn try_shard(
        &mut self,
        costed: &ShardCost,
        places: &BTreeMap<u32, Vec<(usize, u32)>>,
        hopeless: &dyn Fn(&Pipeline, f64) -> bool,
        visit: &mut dyn FnMut(&mut Self, &Place<'_>) -> Room,
    ) {
        let shard = &costed.shard;
        let replica = shard.tensor * shard.context;
        let Some(places) = places.get(&replica) else { return };
        let pipelines = std::mem::take(&mut self.pipelines);
        let layers = self.job.architecture.layers;
        // plain stages that are too full are fuller still when interleaved: more micro-batches are in flight
        let mut too_full = 0;
        for (index, data) in places {
            let pipeline = &pipelines[*index];
            let data = *data;
            let Pipeline { stages, virtual_stages, .. } = *pipeline;
            if virtual_stages > 1 && stages == too_full {
                continue;
            }
            if !expert_is_legal(self.job, shard.tensor, shard.expert, data * replica) {
                continue;
            }
            let Some((micro_batches, batch)) = self.batch(shard.micro_batch, data) else { continue };
            // interleaving needs whole rounds of micro-batches
            if virtual_stages > 1 && !micro_batches.is_multiple_of(u64::from(stages)) {
                continue;
            }
            let micro_batches = micro_batches as f64;
            let equal = virtual_stages == 1 && layers.is_multiple_of(stages);
            if hopeless(pipeline, micro_batches) {
                too_full = if equal { stages } else { too_full };
                continue;
            }
            let mut all_too_full = equal;
            let mut last = Room::NotAsked;
            for sharding in self.shardings(data * shard.context, stages) {
                let split = Split {
                    tensor: shard.tensor,
                    context: shard.context,
                    expert: shard.expert,
                    expert_tensor: self.job.expert_tensor(shard.tensor, shard.expert),
                    data,
                    sharding: *sharding,
                };
                // unshared states take more than shared ones
                if *sharding == Sharding::None && last == Room::TooFull {
                    continue;
                }
                last = visit(self, &Place { pipeline, split, micro_batches, batch });
                all_too_full &= last == Room::TooFull;
            }
            if all_too_full {
                too_full = stages;
            }
        }
        self.pipelines = pipelines;
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

    fn timed(&self, costed: &ShardCost, place: &Place<'_>, memory: MemoryGib) -> Found {
        let time = step_time(self.machine, self.job, costed, place);
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

/// Faster per sequence; ties (one part in a million) go to the simpler layout.
fn is_better(new: &Found, old: &Found) -> bool {
    let (a, b) = (new.step_seconds / new.batch, old.step_seconds / old.batch);
    if (a - b).abs() > 1e-6 * b {
        return a < b;
    }
    complexity(&new.layout) < complexity(&old.layout)
}

fn complexity(layout: &Layout) -> (u32, u32, u32, u32, u32, Sharding, Recompute) {
    let l = layout;
    (l.pipeline, l.virtual_pipeline, l.context, l.tensor, l.expert, l.sharding, l.recompute)
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

/// The given degree, or every legal one up to a limit.
fn degrees(given: Option<u32>, limit: u32, legal: impl Fn(u32) -> bool) -> Vec<u32> {
    match given {
        Some(degree) => vec![degree],
        None => (1..=limit.max(1)).filter(|n| legal(*n)).collect(),
    }
}

fn choices<T: Copy>(given: Option<T>, all: &[T]) -> Vec<T> {
    given.map_or_else(|| all.to_vec(), |one| vec![one])
}

fn micro_batches(given: Option<u32>, batch: u64) -> Vec<u32> {
    match given {
        Some(micro_batch) => vec![micro_batch],
        None => (0..).map(|i| 1u32 << i).take_while(|b| *b <= LARGEST_MICRO_BATCH && u64::from(*b) <= batch).collect(),
    }
}

/// A context-parallel rank keeps at least 1,024 tokens: below that attention has no rate left.
fn longest_context(job: &Job) -> u32 {
    u32::try_from(job.context_length / 1_024).unwrap_or(u32::MAX).clamp(1, 512)
}
