//! Memory of the fullest device, part by part.

use super::job::Job;
use super::layer::Shard;
use super::machine::Machine;
use super::place::{Place, ShardCost, Split};
use super::stages::{Pipeline, Stage};
use crate::answer::MemoryGib;
use crate::request::{HostOffload, Sharding, SoftwareStack};
use crate::units::{Bytes, GIB};

/// Parameters of one layer on one device, before sharding by data parallelism.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LayerParameters {
    pub dense: f64,
    pub expert: f64,
}

impl LayerParameters {
    pub(crate) fn of(job: &Job, kind: usize, shard: &Shard) -> Self {
        let kind = &job.shape.kinds[kind];
        let t = f64::from(shard.tensor);
        let expert_split = f64::from(shard.expert) * f64::from(job.expert_tensor(shard.tensor, shard.expert));
        Self {
            dense: (kind.attention_parameters + kind.dense_ffn_parameters) as f64 / t
                + (kind.router_parameters + kind.norm_parameters) as f64,
            expert: kind.expert_parameters as f64 / expert_split,
        }
    }
}

/// Parameters of one device, before sharding by data parallelism.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct DeviceParameters {
    pub dense: f64,
    pub expert: f64,
    /// Parameters of the largest layer: what fully sharded data parallelism gathers.
    pub largest_layer: f64,
    /// Embedding, head and last norm.
    pub outside_layers: f64,
    /// The head of it.
    pub head: f64,
}

/// What a process takes of a device before it allocates anything, GiB.
const CUDA_CONTEXT_GIB: f64 = 0.5;

impl DeviceParameters {
    pub(crate) fn all(&self) -> f64 {
        self.dense + self.expert
    }

    /// Those whose states a device holds itself, where `least` is the sharding that splits them.
    pub(crate) fn local(&self, split: &Split, least: Sharding) -> f64 {
        if split.sharding < least {
            return self.all();
        }
        self.dense / f64::from(split.dense_group()) + self.expert / f64::from(split.expert_group())
    }
}

/// Parameters of a device of a stage.
pub(crate) fn device_parameters(job: &Job, cost: &ShardCost, stage: &Stage) -> DeviceParameters {
    let t = f64::from(cost.shard.tensor);
    let mut parameters = DeviceParameters::default();
    for (layer, count) in cost.layers.iter().zip(&stage.layers) {
        let LayerParameters { dense, expert } = layer.parameters;
        parameters.dense += count * dense;
        parameters.expert += count * expert;
        if *count > 0.0 {
            parameters.largest_layer = parameters.largest_layer.max(dense + expert);
        }
    }
    let shape = &job.shape;
    if stage.embedding {
        parameters.outside_layers += shape.embedding_parameters as f64 / t;
    }
    if stage.head {
        let head = if job.architecture.tied_embeddings && !stage.embedding {
            // the last stage keeps its own copy of a tied embedding
            shape.embedding_parameters
        } else {
            shape.head_parameters
        };
        parameters.head = (head as f64) / t;
        parameters.outside_layers += parameters.head + shape.final_norm_parameters as f64;
    }
    parameters.dense += parameters.outside_layers;
    parameters
}

/// Memory of a device of a stage.
fn stage_memory(machine: &Machine, job: &Job, cost: &ShardCost, place: &Place<'_>, stage: &Stage) -> MemoryGib {
    let split = &place.split;
    let parameters = device_parameters(job, cost, stage);
    let state = job.state_bytes(split.sharding, machine.software.stack);
    let on_device = |bytes: f64, offloaded: HostOffload| if job.host_offload >= offloaded { 0.0 } else { bytes };
    let (streamed, updated) = (HostOffload::Everything, HostOffload::Optimizer);
    let weights = on_device(state.weights * parameters.local(split, Sharding::Full), streamed);
    let gradients = on_device(state.gradients * parameters.local(split, Sharding::Gradients), streamed);
    let optimizer = on_device(state.optimizer * parameters.local(split, Sharding::Optimizer), updated);

    let mut kept = Bytes::ZERO;
    let mut working = Bytes::ZERO;
    for (layer, count) in cost.layers.iter().zip(&stage.layers) {
        kept += layer.kept * *count;
        if *count > 0.0 {
            working = working.max(layer.working);
        }
    }
    let activations = kept * place.pipeline.in_flight(stage.first, place.micro_batches) + working;
    let logits = if stage.head { cost.head.logits } else { Bytes::ZERO };
    // gathered weights of two layers and the unsharded gradient of one; embedding and head stay gathered, and the
    // head's gradient is there from the start of the backward pass. Weights from the host come the same way
    let gathered = if split.sharding == Sharding::Full || job.host_offload == streamed {
        parameters.largest_layer * (2.0 * 2.0 + 4.0) + 2.0 * parameters.outside_layers + 2.0 * parameters.head
    } else {
        0.0
    };
    let c = machine.constants;
    let fragmented = c.fragmentation_share * (activations.0 + logits.0);
    let buffers = if machine.software.stack == SoftwareStack::CudaNative {
        // all buffers are laid out once: no caching allocator
        CUDA_CONTEXT_GIB * GIB + gathered
    } else {
        c.context_gib * GIB + fragmented + gathered
    };

    let mut memory = MemoryGib {
        weights: weights / GIB,
        gradients: gradients / GIB,
        optimizer: optimizer / GIB,
        activations: activations.gib(),
        logits: logits.gib(),
        buffers: buffers / GIB,
        total: 0.0,
        usable: machine.usable.gib(),
    };
    memory.total =
        memory.weights + memory.gradients + memory.optimizer + memory.activations + memory.logits + memory.buffers;
    memory
}

/// Weights, gradients and optimizer states of the whole model, held once: what no layout goes below.
pub(crate) fn least_state(machine: &Machine, job: &Job, sharding: Option<Sharding>) -> Bytes {
    let least = |sharding| {
        let state = job.state_bytes(sharding, machine.software.stack);
        match job.host_offload {
            HostOffload::None => state.weights + state.gradients + state.optimizer,
            HostOffload::Optimizer => state.weights + state.gradients,
            HostOffload::Everything => 0.0,
        }
    };
    let bytes = sharding.map_or_else(|| least(Sharding::Full).min(least(Sharding::None)), least);
    Bytes(bytes * job.shape.parameters as f64)
}

/// Activations in flight on the first stage, which no sharding takes away: never more than what the fullest device
/// needs.
pub(crate) fn activations_alone(cost: &ShardCost, pipeline: &Pipeline, in_flight: f64) -> Bytes {
    let Some(first) = pipeline.distinct.first() else { return Bytes::ZERO };
    let kept: f64 = cost.layers.iter().zip(&first.layers).map(|(layer, count)| layer.kept.0 * *count).sum();
    Bytes(kept * in_flight)
}

/// Memory of the fullest device.
pub(crate) fn fullest(machine: &Machine, job: &Job, cost: &ShardCost, place: &Place<'_>) -> MemoryGib {
    fullest_while(machine, job, cost, place, |_| true).unwrap_or_default()
}

/// Memory of the fullest device, if every device has room.
pub(crate) fn fullest_that_fits(
    machine: &Machine,
    job: &Job,
    cost: &ShardCost,
    place: &Place<'_>,
) -> Option<MemoryGib> {
    fullest_while(machine, job, cost, place, |memory| memory.total <= memory.usable)
}

/// Stops at the first stage that is not acceptable.
fn fullest_while(
    machine: &Machine,
    job: &Job,
    cost: &ShardCost,
    place: &Place<'_>,
    acceptable: impl Fn(&MemoryGib) -> bool,
) -> Option<MemoryGib> {
    let mut fullest = MemoryGib::default();
    for stage in &place.pipeline.distinct {
        let memory = stage_memory(machine, job, cost, place, stage);
        if !acceptable(&memory) {
            return None;
        }
        if memory.total > fullest.total {
            fullest = memory;
        }
    }
    Some(fullest)
}
