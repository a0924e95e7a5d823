//! Sizes of attention heads and what attention costs and stores.

use super::Architecture;
use crate::workload::ModelShape;

impl Architecture {
    /// A Llama-like dense architecture: gated, RMS norms, no biases, separate output head.
    pub fn dense(layers: u32, hidden: u32, heads: u32, kv_heads: u32, ffn: u32, vocab: u32) -> Self {
        Self {
            layers,
            hidden,
            heads,
            kv_heads,
            head_dim: hidden / heads.max(1),
            ffn,
            vocab,
            gated_ffn: true,
            tied_embeddings: false,
            moe: None,
            low_rank_attention: None,
            window: None,
            norm: Default::default(),
            norms_per_layer: 2,
            qk_norm: Default::default(),
            biases: Default::default(),
            attention_sinks: false,
            learned_positions: 0,
            embedding_norm: false,
            embedding_width: None,
            no_final_norm: false,
        }
    }

    /// Size of a query or key head as multiplied: rotary and position-free parts together.
    pub fn qk_head_dim(&self) -> u32 {
        match &self.low_rank_attention {
            Some(low) => low.rope_head_dim.saturating_add(low.nope_head_dim),
            None => self.head_dim,
        }
    }

    /// Size of a value head.
    pub fn v_head_dim(&self) -> u32 {
        match &self.low_rank_attention {
            Some(low) => low.value_head_dim,
            None => self.head_dim,
        }
    }

    /// Forward FLOPs of attention scores and values for one token at a context, over all layers.
    ///
    /// A layer costs 2·a·(n_qk + n_v)·(tokens attended on average), which is 4·n·a·s/2 for causal
    /// attention with equal heads; windowed layers attend fewer.
    pub fn attention_flops_per_token(&self, context: u64) -> f64 {
        ModelShape::of(self).forward_attention_flops_per_token(
            context,
            self.heads,
            f64::from(self.qk_head_dim()),
            f64::from(self.v_head_dim()),
        )
    }

    /// Values that one layer's key/value cache holds for one token: 2·k·n, or the latent and its rotary key.
    pub fn kv_values_per_token(&self) -> u64 {
        match &self.low_rank_attention {
            Some(low) => u64::from(low.kv_rank) + u64::from(low.rope_head_dim),
            None => 2 * u64::from(self.kv_heads) * u64::from(self.head_dim),
        }
    }

    /// Bytes of the key/value cache of one sequence of `context` tokens; windowed layers keep their window.
    pub fn kv_cache_bytes(&self, context: u64, bytes_per_value: f64) -> f64 {
        let tokens: f64 =
            ModelShape::of(self).kinds.iter().map(|kind| f64::from(kind.count) * kind.window.min(context) as f64).sum();
        tokens * self.kv_values_per_token() as f64 * bytes_per_value
    }
}
