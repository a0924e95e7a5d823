//! Reading an [`Architecture`]: strict about keys, because a key that is passed over counts another model.

use super::{Architecture, AttentionWindow, Biases, LowRankAttention, MixtureOfExperts, Norm, QkNorm};
use serde::Deserialize;

/// The keys of an architecture as written, mixture of experts included.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fields {
    layers: u32,
    hidden: u32,
    heads: u32,
    kv_heads: u32,
    head_dim: Option<u32>,
    ffn: u32,
    vocab: u32,
    gated_ffn: bool,
    tied_embeddings: bool,
    experts: Option<u32>,
    experts_per_token: Option<u32>,
    expert_ffn: Option<u32>,
    shared_experts: Option<u32>,
    shared_expert_ffn: Option<u32>,
    shared_expert_gate: Option<bool>,
    dense_layers: Option<u32>,
    every: Option<u32>,
    expert_groups: Option<u32>,
    groups_per_token: Option<u32>,
    router_bias: Option<bool>,
    expert_bias: Option<bool>,
    low_rank_attention: Option<LowRankAttention>,
    window: Option<AttentionWindow>,
    #[serde(default)]
    norm: Norm,
    norms_per_layer: Option<u32>,
    #[serde(default)]
    qk_norm: QkNorm,
    #[serde(default)]
    biases: Biases,
    #[serde(default)]
    attention_sinks: bool,
    #[serde(default)]
    learned_positions: u32,
    #[serde(default)]
    embedding_norm: bool,
    embedding_width: Option<u32>,
    #[serde(default)]
    no_final_norm: bool,
}

impl Fields {
    /// The mixture of experts, or which key of it is missing.
    fn moe(&self) -> Result<Option<MixtureOfExperts>, String> {
        let Some(experts) = self.experts else {
            let orphan = [
                ("experts_per_token", self.experts_per_token.is_some()),
                ("expert_ffn", self.expert_ffn.is_some()),
                ("shared_experts", self.shared_experts.is_some_and(|n| n > 0)),
                ("shared_expert_ffn", self.shared_expert_ffn.is_some()),
                ("shared_expert_gate", self.shared_expert_gate == Some(true)),
                ("dense_layers", self.dense_layers.is_some_and(|n| n > 0)),
                ("every", self.every.is_some_and(|n| n > 1)),
                ("expert_groups", self.expert_groups.is_some_and(|n| n > 1)),
                ("groups_per_token", self.groups_per_token.is_some_and(|n| n > 1)),
                ("router_bias", self.router_bias == Some(true)),
                ("expert_bias", self.expert_bias == Some(true)),
            ];
            return match orphan.iter().find(|(_, given)| *given) {
                None => Ok(None),
                Some((key, _)) => {
                    Err(format!("{key} is given without experts; add experts, or leave {key} out for a dense model"))
                }
            };
        };
        let required = |key: &str, value: Option<u32>| {
            value.ok_or_else(|| format!("{key} is required with experts; a dense model leaves experts out"))
        };
        Ok(Some(MixtureOfExperts {
            experts,
            experts_per_token: required("experts_per_token", self.experts_per_token)?,
            expert_ffn: required("expert_ffn", self.expert_ffn)?,
            shared_experts: self.shared_experts.unwrap_or(0),
            shared_expert_ffn: self.shared_expert_ffn,
            shared_expert_gate: self.shared_expert_gate.unwrap_or(false),
            dense_layers: self.dense_layers.unwrap_or(0),
            every: self.every.unwrap_or(1),
            expert_groups: self.expert_groups.unwrap_or(1),
            groups_per_token: self.groups_per_token.unwrap_or(1),
            router_bias: self.router_bias.unwrap_or(false),
            expert_bias: self.expert_bias.unwrap_or(false),
        }))
    }
}

impl TryFrom<Fields> for Architecture {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Self, String> {
        let moe = fields.moe()?;
        let head_dim = match fields.head_dim {
            Some(size) => size,
            None if fields.heads > 0 && fields.hidden.is_multiple_of(fields.heads) => fields.hidden / fields.heads,
            None => {
                return Err(format!(
                    "head_dim is required where heads {} does not divide hidden {}",
                    fields.heads, fields.hidden
                ));
            }
        };
        Ok(Self {
            layers: fields.layers,
            hidden: fields.hidden,
            heads: fields.heads,
            kv_heads: fields.kv_heads,
            head_dim,
            ffn: fields.ffn,
            vocab: fields.vocab,
            gated_ffn: fields.gated_ffn,
            tied_embeddings: fields.tied_embeddings,
            moe,
            low_rank_attention: fields.low_rank_attention,
            window: fields.window,
            norm: fields.norm,
            norms_per_layer: fields.norms_per_layer.unwrap_or(2),
            qk_norm: fields.qk_norm,
            biases: fields.biases,
            attention_sinks: fields.attention_sinks,
            learned_positions: fields.learned_positions,
            embedding_norm: fields.embedding_norm,
            embedding_width: fields.embedding_width,
            no_final_norm: fields.no_final_norm,
        })
    }
}
