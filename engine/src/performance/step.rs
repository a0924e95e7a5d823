//! One optimizer step, put together from layers, pipeline and data parallelism.

use super::collectives::{Group, point_to_point};
use super::job::Job;
use super::layer::{PassTime, Shard};
use super::machine::Machine;
use super::memory::{DeviceParameters, device_parameters};
use super::place::{Place, ShardCost, Split};
use super::stages::{Pipeline, Stage};
use crate::answer::TimeSeconds;
use crate::request::{HostOffload, Sharding, SoftwareStack};
use crate::units::{Bytes, Seconds};

/// Time of one step, part by part.
pub(crate) fn step_time(machine: &Machine, job: &Job, cost: &ShardCost, place: &Place<'_>) -> TimeSeconds {
    let Place { pipeline, split, micro_batches, .. } = place;
    let c = machine.constants;
    let gpus = f64::from(split.tensor * split.context * split.data * pipeline.stages);
    let m = *micro_batches;
    let StageTimes { slowest, bubble, .. } = stage_times(cost, pipeline);
    let mut pass = PassTime::default();
    for (layer, count) in cost.layers.iter().zip(&slowest.layers) {
        pass.add(&layer.time, *count);
    }
    if slowest.head {
        pass.add(&cost.head.time, 1.0);
    }
    let parameters = device_parameters(job, cost, slowest);
    let transfer = transfer_time(machine, job, &cost.shard, pipeline, gpus) * m;
    let passes = Passes { total: pass.total(), backward: pass.backward };
    let data = data_time(machine, job, split, &parameters, passes, window(pipeline, m), m, Group::gather_or_scatter);
    let data = data + host_time(machine, job, split, &parameters, passes.total) * m;
    let optimizer = optimizer_time(machine, job, split, &parameters);
    let mut time = TimeSeconds {
        compute: pass.compute.0 * m,
        memory_bound: pass.memory_bound.0 * m,
        tensor: pass.tensor.0 * m,
        context: pass.context.0 * m,
        expert: pass.expert.0 * m,
        pipeline_bubble: bubble.0,
        pipeline_transfer: transfer.0,
        data: data.0,
        optimizer: optimizer.0,
        overhead: pass.overhead.0 * m + c.step_floor_ms * 1e-3,
    };
    time.overhead +=
        time.total() * (jitter(machine, split.tensor * split.context * split.data * pipeline.stages) - 1.0);
    time
}

/// Stragglers and jitter grow with the number of devices: a factor of the whole step.
pub(crate) fn jitter(machine: &Machine, gpus: u32) -> f64 {
    1.0 + machine.constants.jitter_per_doubling * f64::from(gpus).log2()
}

/// What a shard's step on a pipeline takes at least, for each sharding: all but the starts of collectives and what
/// travels to the host.
pub(crate) struct LeastStep<'a> {
    machine: &'a Machine,
    job: &'a Job,
    parameters: DeviceParameters,
    passes: Passes,
    window: f64,
    micro_batches: f64,
    /// Of every sharding.
    common: Seconds,
}

impl<'a> LeastStep<'a> {
    /// With `gpus` devices in all.
    pub(crate) fn new(
        machine: &'a Machine,
        job: &'a Job,
        cost: &ShardCost,
        pipeline: &Pipeline,
        times: &StageTimes<'_>,
        micro_batches: f64,
        gpus: u32,
    ) -> Self {
        let stage = times.slowest;
        let backward: f64 = cost.layers.iter().zip(&stage.layers).map(|(l, count)| l.time.backward.0 * count).sum();
        let backward = Seconds(backward) + if stage.head { cost.head.time.backward } else { Seconds::ZERO };
        let transfer = transfer_time(machine, job, &cost.shard, pipeline, f64::from(gpus)) * micro_batches;
        Self {
            machine,
            job,
            parameters: device_parameters(job, cost, stage),
            passes: Passes { total: times.busy, backward },
            window: window(pipeline, micro_batches),
            micro_batches,
            common: times.least(micro_batches) + transfer + Seconds(machine.constants.step_floor_ms * 1e-3),
        }
    }

    /// Seconds of a step, without jitter.
    pub(crate) fn of(&self, split: &Split) -> Seconds {
        let Self { machine, job, parameters, passes, .. } = self;
        let collective = Group::least_of_gather_or_scatter;
        self.common
            + data_time(machine, job, split, parameters, *passes, self.window, self.micro_batches, collective)
            + optimizer_time(machine, job, split, parameters)
    }
}

/// What the stages of a pipeline need for one micro-batch.
pub(crate) struct StageTimes<'a> {
    slowest: &'a Stage,
    /// One micro-batch on the slowest stage.
    busy: Seconds,
    /// Fill and drain: every other stage works once for the first and the last micro-batch.
    bubble: Seconds,
}

impl StageTimes<'_> {
    /// What a step takes at least: the slowest stage's work on all micro-batches, and the bubble.
    pub(crate) fn least(&self, micro_batches: f64) -> Seconds {
        self.busy * micro_batches + self.bubble
    }
}

pub(crate) fn stage_times<'a>(cost: &ShardCost, pipeline: &'a Pipeline) -> StageTimes<'a> {
    let mut slowest = &pipeline.distinct[0];
    let mut busy = Seconds::ZERO;
    let mut sum = Seconds::ZERO;
    for stage in &pipeline.distinct {
        let layers: f64 = cost.layers.iter().zip(&stage.layers).map(|(layer, count)| layer.total.0 * count).sum();
        let total = Seconds(layers) + if stage.head { cost.head.total } else { Seconds::ZERO };
        sum += total * f64::from(stage.devices);
        if total > busy {
            (slowest, busy) = (stage, total);
        }
    }
    let bubble = (sum - busy).max(Seconds::ZERO) / f64::from(pipeline.virtual_stages);
    StageTimes { slowest, busy, bubble }
}

/// Exposed transfers between stages of one micro-batch: forward and backward, for each virtual stage.
fn transfer_time(machine: &Machine, job: &Job, shard: &Shard, pipeline: &Pipeline, gpus: f64) -> Seconds {
    if pipeline.stages == 1 {
        return Seconds::ZERO;
    }
    let c = machine.constants;
    let split = if machine.software.sequence_parallel { f64::from(shard.tensor) } else { 1.0 };
    let tokens = f64::from(shard.micro_batch) * job.context_length as f64 / f64::from(shard.context);
    let bytes = Bytes(2.0 * tokens * f64::from(job.architecture.hidden) / split);
    let once = point_to_point(machine, bytes, gpus > f64::from(machine.domain));
    let exposed = match (machine.software.overlap_communication, pipeline.virtual_stages) {
        (true, 1) => c.transfer_exposed_plain,
        (true, _) => c.transfer_exposed_interleaved,
        (false, _) => 1.0,
    };
    once * (2.0 * f64::from(pipeline.virtual_stages) * exposed)
}

/// One micro-batch on a stage.
#[derive(Clone, Copy)]
struct Passes {
    total: Seconds,
    /// Of it, the backward part.
    backward: Seconds,
}

/// Exposed communication of gradients and weights; `collective` says what an all-gather or reduce-scatter takes.
#[expect(clippy::too_many_arguments, reason = "what travels, and what hides it")]
fn data_time(
    machine: &Machine,
    job: &Job,
    split: &Split,
    parameters: &DeviceParameters,
    passes: Passes,
    window: f64,
    m: f64,
    collective: impl Fn(Group, &Machine, Bytes) -> Seconds,
) -> Seconds {
    if split.dense_group() == 1 {
        return Seconds::ZERO;
    }
    let c = &machine.constants;
    let dense = Group::strided(machine, split.dense_group(), split.tensor);
    let expert = Group::strided(machine, split.expert_group(), split.expert_tensor * split.expert);
    let both = |bytes: f64| {
        let dense_part = collective(dense, machine, Bytes(bytes * parameters.dense));
        let expert_part = if parameters.expert > 0.0 {
            collective(expert, machine, Bytes(bytes * parameters.expert))
        } else {
            Seconds::ZERO
        };
        dense_part + expert_part
    };
    let overlap = machine.software.overlap_communication;
    let (forward, backward) = (passes.total - passes.backward, passes.backward);
    let exposed = |communication: Seconds, work: Seconds| {
        let hidden = if overlap { work * c.sharded_overlap } else { Seconds::ZERO };
        let shown = (communication - hidden).max(machine.scale_up_latency);
        shown + (communication - shown).max(Seconds::ZERO) * c.overlap_interference
    };
    match split.sharding {
        // interleaving leaves the last chunks of several micro-batches to hide behind
        Sharding::None => exposed(both(4.0 * job.trained_share) * 2.0, backward * window),
        Sharding::Optimizer => {
            exposed(both(4.0 * job.trained_share), backward * window)
                + exposed(both(2.0) * job.trained_share, forward * window)
        }
        Sharding::Gradients => {
            exposed(both(4.0 * job.trained_share), backward) * m + exposed(both(2.0) * job.trained_share, forward)
        }
        Sharding::Full => {
            // eager frameworks copy what they gather and reduce; compilers write it in place
            let copied = match machine.software.stack {
                SoftwareStack::PytorchFsdp | SoftwareStack::Deepspeed => c.sharded_copy_bytes,
                _ => 4.0,
            };
            let copies = Bytes(copied * parameters.all()) / machine.memory_rate;
            let gather = both(2.0);
            let reduce = both(2.0 * job.trained_share);
            (exposed(gather, forward) + exposed(gather + reduce, backward) + copies) * m
        }
    }
}

/// Micro-batches whose passes hide a reduction: one, or more when stages are interleaved.
fn window(pipeline: &Pipeline, m: f64) -> f64 {
    let v = f64::from(pipeline.virtual_stages);
    if v == 1.0 { 1.0 } else { (f64::from(pipeline.stages) * (v - 1.0) / v).clamp(1.0, m.max(1.0)) }
}

/// Exposed traffic with the host of one micro-batch: weights in for each pass, gradients out and in again to be added to.
fn host_time(machine: &Machine, job: &Job, split: &Split, parameters: &DeviceParameters, pass: Seconds) -> Seconds {
    if job.host_offload != HostOffload::Everything {
        return Seconds::ZERO;
    }
    let states = job.state_bytes(split.sharding, machine.software.stack);
    // 8-bit weights travel as such
    let weights = if machine.low_precision { 1.0 } else { states.weights };
    let bytes = 2.0 * (weights + states.gradients) * parameters.local(split, Sharding::Full);
    let hidden = pass * machine.constants.host_overlap;
    (Bytes(bytes) / machine.host_rate - hidden).max(Seconds::ZERO)
}

/// Reads gradient, master weight and states, writes them back and the 2-byte weight.
fn optimizer_time(machine: &Machine, job: &Job, split: &Split, parameters: &DeviceParameters) -> Seconds {
    let states = job.state_bytes(split.sharding, machine.software.stack);
    let bytes = states.gradients + 2.0 * states.optimizer + states.weights * job.trained_share;
    let local = parameters.local(split, Sharding::Optimizer);
    let update = Bytes(bytes * local) / machine.memory_rate;
    match job.host_offload {
        HostOffload::None => update,
        // states come in and go out again
        _ => update + Bytes(2.0 * states.optimizer * local) / machine.host_rate,
    }
}
