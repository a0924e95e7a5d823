//! Where a shard's layers go: pipeline, degrees, sharding, and micro-batches.

use super::layer::{HeadCost, LayerCost, Shard};
use super::stages::Pipeline;
use crate::request::Sharding;

/// Degrees that split parameters and states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub tensor: u32,
    pub context: u32,
    pub expert: u32,
    /// Ranks that split the matrices of one expert.
    pub expert_tensor: u32,
    pub data: u32,
    pub sharding: Sharding,
}

impl Split {
    /// Ranks that share the states of dense parameters.
    pub(crate) fn dense_group(&self) -> u32 {
        self.data * self.context
    }

    /// Ranks that share the states of one expert: also those of the tensor-parallel group that hold it whole.
    pub(crate) fn expert_group(&self) -> u32 {
        (self.tensor / self.expert_tensor * self.data * self.context / self.expert).max(1)
    }
}

/// One pipeline, split and number of micro-batches of a shard.
pub(crate) struct Place<'a> {
    pub pipeline: &'a Pipeline,
    pub split: Split,
    /// Micro-batches of one step and replica.
    pub micro_batches: f64,
    /// Sequences of one step.
    pub batch: f64,
}

/// Layers and head costed for one shard.
pub(crate) struct ShardCost {
    pub shard: Shard,
    /// By kind of layer.
    pub layers: Vec<LayerCost>,
    pub head: HeadCost,
    /// Device-seconds per sequence of a whole replica, without bubble, data parallelism and floor.
    pub device_seconds: f64,
    /// FLOPs done again per token.
    pub recomputed_per_token: f64,
}
