//! A decoder-only transformer, described well enough to count every parameter.

mod check;
mod fields;
mod heads;

use serde::{Deserialize, Serialize};

/// Architecture of a decoder-only transformer.
///
/// The fields are those of the API; what families add to them is optional and off by default. Reading
/// one refuses unknown keys and half a mixture of experts, since either would count another model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "fields::Fields")]
pub struct Architecture {
    /// Transformer layers, L.
    pub layers: u32,
    /// Width of the residual stream, h.
    pub hidden: u32,
    /// Query heads, a.
    pub heads: u32,
    /// Key/value heads, k (grouped-query attention); equal to `heads` for multi-head attention.
    pub kv_heads: u32,
    /// Size of one head, n; not always hidden/heads.
    pub head_dim: u32,
    /// Width of the dense feed-forward, f.
    pub ffn: u32,
    /// Vocabulary, V (rows of the embedding as stored).
    pub vocab: u32,
    /// Gated feed-forward (three matrices instead of two).
    pub gated_ffn: bool,
    /// The output head is the embedding.
    pub tied_embeddings: bool,
    /// Mixture of experts.
    #[serde(skip_serializing_if = "Option::is_none", flatten)]
    pub moe: Option<MixtureOfExperts>,
    /// Low-rank attention of the DeepSeek family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low_rank_attention: Option<LowRankAttention>,
    /// Sliding-window (or chunked) attention on some layers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub window: Option<AttentionWindow>,
    /// Kind of norm.
    #[serde(skip_serializing_if = "is_default")]
    pub norm: Norm,
    /// Norms of a layer: 2 for most, 4 where sublayers are normed on both sides, 1 where attention and feed-forward share one.
    #[serde(skip_serializing_if = "is_two")]
    pub norms_per_layer: u32,
    /// Norms on query and key heads: parameters of width head_dim each, or of the whole projection.
    #[serde(skip_serializing_if = "is_default")]
    pub qk_norm: QkNorm,
    /// Which projections have biases.
    #[serde(skip_serializing_if = "is_default")]
    pub biases: Biases,
    /// One learned sink logit per head.
    #[serde(skip_serializing_if = "is_default")]
    pub attention_sinks: bool,
    /// Rows of a learned position table; 0 for rotary or ALiBi.
    #[serde(skip_serializing_if = "is_default")]
    pub learned_positions: u32,
    /// A norm right after the embedding.
    #[serde(skip_serializing_if = "is_default")]
    pub embedding_norm: bool,
    /// Width of the token embedding where it is not the hidden width: two projections then lead in
    /// and out of the layers (OPT-350M).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub embedding_width: Option<u32>,
    /// There is no norm after the last layer.
    #[serde(skip_serializing_if = "is_default")]
    pub no_final_norm: bool,
}

/// Mixture of experts.
///
/// Its keys stand among those of the [`Architecture`], which reads them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MixtureOfExperts {
    /// Routed experts of a layer, E.
    pub experts: u32,
    /// Routed experts that a token uses, q.
    pub experts_per_token: u32,
    /// Width of one routed expert.
    pub expert_ffn: u32,
    /// Experts that every token uses.
    pub shared_experts: u32,
    /// Width of one shared expert; the routed width unless said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shared_expert_ffn: Option<u32>,
    /// A learned gate on the shared expert (one row of the hidden width).
    #[serde(skip_serializing_if = "is_default")]
    pub shared_expert_gate: bool,
    /// First layers with a dense feed-forward of width `ffn`.
    pub dense_layers: u32,
    /// Every n-th layer has experts (1: all after the dense ones; 2: every other).
    #[serde(skip_serializing_if = "is_one")]
    pub every: u32,
    /// Groups that the experts are dealt into; 1: the router chooses among all of them.
    #[serde(skip_serializing_if = "is_one")]
    pub expert_groups: u32,
    /// Groups that the experts of one token may come from (DeepSeek-V3: 4 of 8).
    #[serde(skip_serializing_if = "is_one")]
    pub groups_per_token: u32,
    /// One stored correction value per expert in the router.
    #[serde(skip_serializing_if = "is_default")]
    pub router_bias: bool,
    /// Biases inside each expert.
    #[serde(skip_serializing_if = "is_default")]
    pub expert_bias: bool,
}

/// Low-rank (latent) attention: keys and values come from a shared low-rank latent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LowRankAttention {
    /// Rank of the query projection; absent for a full one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_rank: Option<u32>,
    /// Rank of the key/value latent.
    pub kv_rank: u32,
    /// Rotary part of a query or key head.
    pub rope_head_dim: u32,
    /// Part of a query or key head without position.
    pub nope_head_dim: u32,
    /// Size of a value head.
    pub value_head_dim: u32,
}

/// Layers whose attention sees only a window (sliding or chunked).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttentionWindow {
    /// Tokens that such a layer sees.
    pub tokens: u32,
    /// One layer in this many sees everything; 0: none does.
    pub global_every: u32,
    /// The windows are fixed chunks that don't overlap (Llama 4) instead of sliding along.
    #[serde(default, skip_serializing_if = "is_default")]
    pub chunked: bool,
}

/// Kind of norm.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Norm {
    /// One weight a channel.
    #[default]
    Rms,
    /// Weight and bias a channel.
    Layer,
    /// Weight a channel, no bias.
    LayerNoBias,
    /// No parameters.
    Parameterless,
}

/// Norms on queries and keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QkNorm {
    /// None.
    #[default]
    None,
    /// One weight vector of head_dim for queries and one for keys.
    PerHeadDim,
    /// A weight for each channel of the query and of the key projection.
    FullProjection,
}

/// Which projections carry a bias.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Biases {
    /// Query, key and value.
    pub qkv: bool,
    /// Attention output.
    pub attention_output: bool,
    /// Feed-forward.
    pub ffn: bool,
    /// Output head.
    pub head: bool,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
fn is_one(value: &u32) -> bool {
    *value == 1
}
fn is_two(value: &u32) -> bool {
    *value == 2
}
