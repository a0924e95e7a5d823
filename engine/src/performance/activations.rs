//! What one layer keeps for its backward pass, in bytes per token of a device.
//!
//! Korthikanti et al. 2022 (arXiv 2205.05198), generalized: grouped heads, gated feed-forward, fused attention
//! (no maps), experts. 2 bytes an element unless said.

use super::job::Job;
use super::layer::Shard;
use super::machine::Machine;
use crate::request::{Recompute, Software, SoftwareStack};
use crate::workload::LayerShape;

/// Parts of one layer's activations, bytes per token.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Activations {
    /// Input of the layer.
    layer_in: f64,
    /// Inputs of the norms, the layer's own among them.
    norms_in: f64,
    /// Outputs of the norms: inputs of the projections.
    norms_out: f64,
    /// Queries, keys and values, with low-rank latents.
    projections: f64,
    /// Output of attention.
    attention_out: f64,
    /// Attention maps where they go through memory, else the log-sum-exp of each head.
    maps: f64,
    /// The log-sum-exp alone.
    log_sums: f64,
    /// Inputs of the activation function.
    ffn_in: f64,
    /// Its output: input of the last matrix.
    ffn_act: f64,
    /// Inputs and outputs of the experts that a token visits, and inputs of their activation function.
    experts_in: f64,
    /// Outputs of the experts' activation function.
    experts_act: f64,
    /// Outputs of every second dense matrix, which is what PyTorch's selective policy keeps.
    every_second_output: f64,
}

impl Activations {
    pub(crate) fn of(machine: &Machine, job: &Job, layer: &LayerShape, shard: &Shard) -> Self {
        let a = &job.architecture;
        let t = f64::from(shard.tensor);
        let split = if machine.software.sequence_parallel { t } else { 1.0 };
        let hidden = f64::from(a.hidden);
        let heads = f64::from(a.heads);
        let q = heads * f64::from(a.qk_head_dim());
        let out = heads * f64::from(a.v_head_dim());
        let kv = f64::from(a.kv_heads) * f64::from(a.qk_head_dim() + a.v_head_dim());
        let gated = if a.gated_ffn { 2.0 } else { 1.0 };
        let visits =
            if layer.has_experts { a.moe.as_ref().map_or(0.0, |m| f64::from(m.experts_per_token)) } else { 0.0 };
        let dense_ffn = layer.dense_ffn_width as f64;
        let expert_ffn = layer.active_expert_width as f64;
        let low_rank = a.low_rank_attention.as_ref().map_or(0.0, |l| f64::from(l.kv_rank + l.query_rank.unwrap_or(0)));
        // inputs of multiplications in 8 bits are kept as such where kernels are written for it
        let native = machine.software.stack == SoftwareStack::CudaNative;
        let operand = if native && machine.low_precision { 1.0 } else { 2.0 };
        let log_sums = 4.0 * heads / t;
        Self {
            layer_in: 2.0 * hidden / split,
            norms_in: 2.0 * 2.0 * hidden / split,
            norms_out: 2.0 * operand * hidden / split,
            projections: 2.0 * (q + kv + low_rank) / t,
            attention_out: 2.0 * out / t,
            maps: if machine.unfused_attention { 5.0 * heads / t * job.context_length as f64 } else { log_sums },
            log_sums,
            ffn_in: 2.0 * gated * dense_ffn / t,
            ffn_act: operand * dense_ffn / t,
            experts_in: (2.0 * visits * hidden * 2.0 + 2.0 * gated * expert_ffn) / t,
            experts_act: operand * expert_ffn / t,
            every_second_output: (q + kv + gated * dense_ffn) / t + 2.0 * hidden / split,
        }
    }

    fn everything(&self) -> f64 {
        self.norms_in
            + self.norms_out
            + self.projections
            + self.attention_out
            + self.maps
            + self.ffn_in
            + self.ffn_act
            + self.experts_in
            + self.experts_act
    }

    /// What is kept of each layer, and what is alive besides in the one whose backward pass runs.
    ///
    /// "Selective" is what each family calls so: norms and activation functions again (Megatron); everything but
    /// attention and every second matrix's output (PyTorch); all but residuals and norms (hand-written CUDA).
    pub(crate) fn kept_and_working(&self, recompute: Recompute, stack: SoftwareStack) -> (f64, f64) {
        let everything = self.everything();
        let attention = self.projections + self.attention_out;
        let kept = match (recompute, stack) {
            (Recompute::None, _) => return (everything, 0.0),
            (Recompute::Full, _) => return (self.layer_in, everything),
            (Recompute::Selective, SoftwareStack::PytorchFsdp) => {
                self.layer_in + self.attention_out + self.log_sums + self.every_second_output
            }
            (Recompute::Selective, SoftwareStack::CudaNative) => self.norms_in + self.norms_out,
            (Recompute::Selective, _) => self.norms_in + attention + self.log_sums + self.ffn_in + self.experts_in,
        };
        let kept = kept.min(everything);
        (kept, everything - kept)
    }
}

/// Bytes alive per logit around the loss.
///
/// In place, a quarter of the tokens at a time (hand-written CUDA; two of its published runs would have no room
/// otherwise): one 2-byte buffer. Fused: logits and gradient, 2 bytes each. Vocabulary-parallel
/// loss of Megatron, XLA: a 32-bit softmax that becomes the gradient, beside the 2-byte one. PyTorch, which compiles
/// layers and not the loss: log-softmax, its gradient and that of the logits, 32 bits each.
pub(crate) fn logit_bytes(software: &Software) -> f64 {
    let eager = match software.stack {
        SoftwareStack::PytorchFsdp => true,
        SoftwareStack::Deepspeed | SoftwareStack::Other => !software.compiled,
        _ => false,
    };
    match (software.stack, software.fused_loss) {
        (SoftwareStack::CudaNative, true) => 0.5,
        (_, true) => 4.0,
        (_, false) if eager => 12.0,
        (_, false) => 6.0,
    }
}
