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
    pub data: u32,
    pub sharding: Sharding,
}

impl Split {
    /// Ranks that share the states of dense parameters.
    pub(crate) fn dense_group(&self) -> u32 {
        self.data * self.context
    }

    /// Ranks that share the states of one expert: once experts are spread, tensor-parallel ranks hold different ones.
    pub(crate) fn expert_group(&self) -> u32 {
        match self.expert {
            1 => self.dense_group(),
            expert => (self.data * self.context * self.tensor / expert).max(1),
        }
    }

    /// Devices between two ranks that share the states of one expert.
    pub(crate) fn expert_stride(&self) -> u32 {
        if self.expert > 1 { self.expert } else { self.tensor }
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
