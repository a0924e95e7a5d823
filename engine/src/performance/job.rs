//! What is trained, counted once for a whole search.

use crate::request::{HostOffload, Method, Optimizer, Sharding, SoftwareStack};
use crate::workload::{Architecture, ModelShape};

/// A model, its method and its batch.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub architecture: Architecture,
    pub shape: ModelShape,
    pub context_length: u64,
    pub method: Method,
    pub optimizer: Optimizer,
    pub host_offload: HostOffload,
    /// Sequences of one optimizer step.
    pub global_batch: u64,
    /// Training FLOPs of one token, causal attention.
    pub flops_per_token: f64,
    /// The same with full attention.
    pub flops_per_token_full: f64,
    /// Trained parameters (adapters only, for LoRA).
    pub trained_share: f64,
}

/// Rank of LoRA adapters on every linear layer.
pub(crate) const LORA_RANK: f64 = 16.0;

impl Job {
    pub(crate) fn new(
        architecture: Architecture,
        context_length: u64,
        method: Method,
        optimizer: Optimizer,
        global_batch: u64,
    ) -> Self {
        let shape = ModelShape::of(&architecture);
        let heads = f64::from(architecture.heads);
        let width = f64::from(architecture.qk_head_dim() + architecture.v_head_dim());
        let linear = shape.forward_matmul_flops_per_token();
        let attention = architecture.attention_flops_per_token(context_length);
        let full: f64 = shape
            .kinds
            .iter()
            .map(|kind| 2.0 * heads * width * f64::from(kind.count) * kind.window.min(context_length) as f64)
            .sum();
        // backward costs twice the forward; frozen weights need no weight gradient
        let linear_passes = if method == Method::Lora { 2.0 } else { 3.0 };
        let trained_share = match method {
            Method::Lora => adapter_parameters(&architecture) / shape.parameters as f64,
            _ => 1.0,
        };
        Self {
            context_length,
            method,
            optimizer,
            host_offload: HostOffload::None,
            global_batch,
            flops_per_token: linear_passes * linear + 3.0 * attention,
            flops_per_token_full: linear_passes * linear + 3.0 * full,
            trained_share,
            architecture,
            shape,
        }
    }

    /// The same with part of it in the host's memory.
    pub(crate) fn with_host_offload(self, host_offload: HostOffload) -> Self {
        Self { host_offload, ..self }
    }

    /// Bytes of weights, gradients and optimizer states per parameter held on a device before sharding by data
    /// parallelism.
    ///
    /// Mixed precision: 2-byte weights; 4-byte gradients (2 when fully sharded, where each micro-batch reduces
    /// them away); a 4-byte master copy and the states of the optimizer (Rajbhandari et al. 2019, arXiv 1910.02054).
    /// Hand-written CUDA trainers keep everything in 2 bytes with stochastic rounding, and no master copy.
    pub(crate) fn state_bytes(&self, sharding: Sharding, stack: SoftwareStack) -> StateBytes {
        let states = match self.optimizer {
            Optimizer::Adamw => 8.0,
            Optimizer::Adamw16bit | Optimizer::AdamwBf16 => 4.0,
            Optimizer::Adamw8bit => 2.0,
            Optimizer::Muon | Optimizer::Sgd => 4.0,
            // factored second moment: rows and columns instead of a matrix
            Optimizer::Adafactor => 0.05,
        };
        let (gradients, optimizer) = match (self.optimizer, stack, sharding) {
            (Optimizer::AdamwBf16, ..) => (2.0, states),
            (_, SoftwareStack::CudaNative, _) => (2.0, states / 2.0),
            (_, _, Sharding::Full) => (2.0, 4.0 + states),
            _ => (4.0, 4.0 + states),
        };
        StateBytes {
            weights: 2.0,
            gradients: gradients * self.trained_share,
            optimizer: optimizer * self.trained_share,
        }
    }

    /// Bytes of one checkpoint: 2-byte weights with master copy and optimizer states (14 a parameter for AdamW);
    /// adapters alone for LoRA.
    pub(crate) fn checkpoint_bytes(&self) -> f64 {
        let state = self.state_bytes(Sharding::None, SoftwareStack::MegatronCore);
        self.shape.parameters as f64 * (2.0 * self.trained_share + state.optimizer)
    }

    /// Ranks that split the matrices of one expert: the tensor-parallel group where experts are not spread, and where
    /// every device has one expert only; else each is whole on its device.
    pub(crate) fn expert_tensor(&self, tensor: u32, expert: u32) -> u32 {
        let all_spread = self.experts() == Some(expert);
        if expert > 1 && !all_spread { 1 } else { tensor }
    }

    /// Mixture of experts.
    pub(crate) fn experts(&self) -> Option<u32> {
        self.architecture.moe.as_ref().map(|m| m.experts)
    }
}

/// Bytes per parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateBytes {
    pub weights: f64,
    pub gradients: f64,
    pub optimizer: f64,
}

/// Parameters of rank-16 adapters on the attention and feed-forward matrices.
fn adapter_parameters(a: &Architecture) -> f64 {
    let (h, f) = (f64::from(a.hidden), f64::from(a.ffn));
    let q = f64::from(a.heads) * f64::from(a.qk_head_dim());
    let kv = f64::from(a.kv_heads) * f64::from(a.head_dim);
    let attention = 2.0 * (h + q) + 2.0 * (h + kv);
    let ffn = if a.gated_ffn { 3.0 } else { 2.0 } * (h + f);
    f64::from(a.layers) * LORA_RANK * (attention + ffn)
}
