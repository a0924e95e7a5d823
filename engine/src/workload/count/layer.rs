//! The parameters of one layer.

use super::{LayerShape, total};
use crate::workload::{Architecture, LowRankAttention, MixtureOfExperts, QkNorm};

/// Matrices of a sublayer: their weights, and their biases counted apart because biases cost no matmul.
#[derive(Clone, Copy, Default)]
struct Matrices {
    weights: u64,
    biases: u64,
}

impl Matrices {
    fn all(self) -> u64 {
        self.weights.saturating_add(self.biases)
    }
    fn times(self, n: u32) -> Self {
        Self { weights: self.weights.saturating_mul(n.into()), biases: self.biases.saturating_mul(n.into()) }
    }
}

/// Counts one layer, with experts or dense, that sees `window` tokens (`u64::MAX` for all).
pub(super) fn layer(architecture: &Architecture, has_experts: bool, window: u64, chunked: bool) -> LayerShape {
    let attention = match &architecture.low_rank_attention {
        Some(low) => low_rank_attention(architecture, low),
        None => attention(architecture),
    };
    let experts = if has_experts { architecture.moe.as_ref() } else { None };
    let feed = match experts {
        Some(moe) => experts_of(architecture, moe),
        None => Feed {
            dense: feed_forward(architecture, architecture.ffn, architecture.biases.ffn),
            dense_width: architecture.ffn.into(),
            ..Feed::default()
        },
    };
    LayerShape {
        count: 0,
        attention_parameters: attention.all(),
        dense_ffn_parameters: feed.dense.all(),
        expert_parameters: feed.routed.all(),
        router_parameters: feed.router.all(),
        norm_parameters: norms(architecture),
        active_expert_parameters: feed.visited.all(),
        window,
        chunked,
        dense_ffn_width: feed.dense_width,
        active_expert_width: feed.visited_width,
        has_experts: experts.is_some(),
        active_matmul_weights: total([
            attention.weights,
            feed.dense.weights,
            feed.visited.weights,
            feed.router.weights,
        ]),
    }
}

/// Attention with k key/value heads: query h·a·n, key and value h·k·n each, output a·n·h.
fn attention(architecture: &Architecture) -> Matrices {
    let hidden = u64::from(architecture.hidden);
    let query = u64::from(architecture.heads) * u64::from(architecture.head_dim);
    let key = u64::from(architecture.kv_heads) * u64::from(architecture.head_dim);
    let qkv_width = total([query, key, key]);
    let mut biases = 0_u64;
    if architecture.biases.qkv {
        biases = qkv_width;
    }
    if architecture.biases.attention_output {
        biases = biases.saturating_add(hidden);
    }
    Matrices { weights: hidden.saturating_mul(qkv_width.saturating_add(query)), biases }
}

/// Low-rank attention of DeepSeek, with r the rotary and c the position-free part of a head, v the value head:
///
/// - query: h·rank_q and rank_q·a·(c + r), or h·a·(c + r) where the query is full;
/// - key and value: h·(rank_kv + r) down, rank_kv·a·(c + v) up; the rotary key is shared by the heads;
/// - output: a·v·h.
///
/// A bias, where asked for, stands on the two down projections and on the output, as in the published code.
fn low_rank_attention(architecture: &Architecture, low: &LowRankAttention) -> Matrices {
    let hidden = u64::from(architecture.hidden);
    let heads = u64::from(architecture.heads);
    let kv_rank = u64::from(low.kv_rank);
    let rope = u64::from(low.rope_head_dim);
    let nope = u64::from(low.nope_head_dim);
    let value = u64::from(low.value_head_dim);
    let query_width = heads.saturating_mul(nope + rope);
    let query = match low.query_rank {
        Some(rank) => u64::from(rank).saturating_mul(hidden.saturating_add(query_width)),
        None => hidden.saturating_mul(query_width),
    };
    let down = hidden.saturating_mul(kv_rank + rope);
    let up = kv_rank.saturating_mul(heads.saturating_mul(nope + value));
    let output = heads.saturating_mul(value).saturating_mul(hidden);
    let mut biases = 0_u64;
    if architecture.biases.qkv {
        biases = total([u64::from(low.query_rank.unwrap_or(0)), kv_rank, rope]);
    }
    if architecture.biases.attention_output {
        biases = biases.saturating_add(hidden);
    }
    Matrices { weights: total([query, down, up, output]), biases }
}

/// One feed-forward: gated 3·h·f (biases 2·f + h), plain 2·h·f (biases f + h).
fn feed_forward(architecture: &Architecture, width: u32, with_biases: bool) -> Matrices {
    let hidden = u64::from(architecture.hidden);
    let width = u64::from(width);
    let into: u64 = if architecture.gated_ffn { 2 } else { 1 };
    Matrices {
        weights: (hidden * width).saturating_mul(into + 1),
        biases: if with_biases { into * width + hidden } else { 0 },
    }
}

/// A feed-forward sublayer in parts.
#[derive(Default)]
struct Feed {
    dense: Matrices,
    routed: Matrices,
    visited: Matrices,
    router: Matrices,
    dense_width: u64,
    visited_width: u64,
}

/// Experts: E feed-forwards of which q are visited, shared ones that all visit, a router of E·h (with E
/// stored values more where it has a bias or a correction), and a gate of h on the shared expert.
fn experts_of(architecture: &Architecture, moe: &MixtureOfExperts) -> Feed {
    let hidden = u64::from(architecture.hidden);
    let expert = feed_forward(architecture, moe.expert_ffn, moe.expert_bias);
    let shared_width = moe.shared_expert_ffn.unwrap_or(moe.expert_ffn);
    let gate = if moe.shared_expert_gate { hidden } else { 0 };
    Feed {
        dense: feed_forward(architecture, shared_width, moe.expert_bias).times(moe.shared_experts),
        routed: expert.times(moe.experts),
        visited: expert.times(moe.experts_per_token),
        router: Matrices {
            weights: (u64::from(moe.experts) * hidden).saturating_add(gate),
            biases: if moe.router_bias { moe.experts.into() } else { 0 },
        },
        dense_width: u64::from(shared_width) * u64::from(moe.shared_experts),
        visited_width: u64::from(moe.expert_ffn) * u64::from(moe.experts_per_token),
    }
}

/// Norms of a layer: those of width h; on queries and keys; on the latents of low-rank attention (always
/// one weight a channel); and one sink logit a head.
fn norms(architecture: &Architecture) -> u64 {
    let head = u64::from(architecture.head_dim);
    let width = u64::from(architecture.hidden);
    let sublayers = architecture.norm.parameters(width).saturating_mul(architecture.norms_per_layer.into());
    let queries_and_keys = match architecture.qk_norm {
        QkNorm::None => 0,
        QkNorm::PerHeadDim => 2 * head,
        QkNorm::FullProjection => head.saturating_mul(u64::from(architecture.heads) + u64::from(architecture.kv_heads)),
    };
    let latents = match &architecture.low_rank_attention {
        Some(low) => u64::from(low.query_rank.unwrap_or(0)) + u64::from(low.kv_rank),
        None => 0,
    };
    let sinks = if architecture.attention_sinks { architecture.heads.into() } else { 0 };
    total([sublayers, queries_and_keys, latents, sinks])
}
