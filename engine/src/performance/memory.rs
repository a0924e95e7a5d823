//! Memory of the fullest device, part by part.

use super::job::Job;
use super::machine::Machine;
use super::place::{Place, ShardCost, Split};
use super::stages::{Pipeline, Stage};
use crate::answer::MemoryGib;
use crate::request::{Sharding, SoftwareStack};
use crate::units::{Bytes, GIB};

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
}

/// Parameters of a device of a stage.
pub(crate) fn device_parameters(job: &Job, stage: &Stage, split: &Split) -> DeviceParameters {
    let t = f64::from(split.tensor);
    let expert_split = f64::from(split.expert) * f64::from(split.expert_tensor);
    let mut parameters = DeviceParameters::default();
    for (kind, count) in job.shape.kinds.iter().zip(&stage.layers) {
        let dense = (kind.attention_parameters + kind.dense_ffn_parameters) as f64 / t
            + (kind.router_parameters + kind.norm_parameters) as f64;
        let experts = kind.expert_parameters as f64 / expert_split;
        parameters.dense += count * dense;
        parameters.expert += count * experts;
        if *count > 0.0 {
            parameters.largest_layer = parameters.largest_layer.max(dense + experts);
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
    let parameters = device_parameters(job, stage, split);
    let state = job.state_bytes(split.sharding, machine.software.stack);
    let (dense_group, expert_group) = (f64::from(split.dense_group()), f64::from(split.expert_group()));
    let shared = |share: bool| {
        if share { parameters.dense / dense_group + parameters.expert / expert_group } else { parameters.all() }
    };
    let weights = state.weights * shared(split.sharding == Sharding::Full);
    let gradients = state.gradients * shared(split.sharding >= Sharding::Gradients);
    let optimizer = state.optimizer * shared(split.sharding >= Sharding::Optimizer);

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
    // head's gradient is there from the start of the backward pass
    let gathered = if split.sharding == Sharding::Full {
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
        state.weights + state.gradients + state.optimizer
    };
    let bytes = sharding.map_or_else(|| least(Sharding::Full).min(least(Sharding::None)), least);
    Bytes(bytes * job.shape.parameters as f64)
}

/// Activations in flight on the first stage, which no sharding takes away: never more than what the fullest device
/// needs.
pub(crate) fn activations_alone(cost: &ShardCost, pipeline: &Pipeline, micro_batches: f64) -> Bytes {
    let Some(first) = pipeline.distinct.first() else { return Bytes::ZERO };
    let kept: Bytes = cost.layers.iter().zip(&first.layers).map(|(layer, count)| layer.kept * *count).sum();
    kept * pipeline.in_flight(first.first, micro_batches)
}

/// Memory of the fullest device.
pub(crate) fn fullest(machine: &Machine, job: &Job, cost: &ShardCost, place: &Place<'_>) -> MemoryGib {
    let mut fullest = MemoryGib::default();
    for stage in &place.pipeline.distinct {
        let memory = stage_memory(machine, job, cost, place, stage);
        if memory.total > fullest.total {
            fullest = memory;
        }
    }
    fullest
}
