//! Mixtures of experts.

use super::decoder::{KeyValueHeads, attention_bias, base, head_dim};
use super::reader::Reader;
use super::windows;
use crate::workload::{Architecture, MixtureOfExperts, Norm, QkNorm};

/// Routed experts without anything else.
pub(super) fn routed(experts: u32, experts_per_token: u32, expert_ffn: u32) -> MixtureOfExperts {
    MixtureOfExperts {
        experts,
        experts_per_token,
        expert_ffn,
        shared_experts: 0,
        shared_expert_ffn: None,
        shared_expert_gate: false,
        dense_layers: 0,
        every: 1,
        expert_groups: 1,
        groups_per_token: 1,
        router_bias: false,
        expert_bias: false,
    }
}

/// Experts as wide as the feed-forward that the configuration names.
fn uniform(reader: &mut Reader<'_>, architecture: &Architecture, experts: &[&str]) -> MixtureOfExperts {
    let experts = reader.size("experts", experts);
    let per_token = reader.size("experts_per_token", &["num_experts_per_tok", "experts_per_token"]);
    routed(experts, per_token, architecture.ffn)
}

pub(super) fn mixtral(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, None, false);
    let window = reader.optional("window/tokens", &["sliding_window"]);
    architecture.window = windows::everywhere(window);
    architecture.moe = Some(uniform(reader, &architecture, &["num_local_experts", "num_experts"]));
    architecture
}

/// Grok-1: norms before and after each sublayer.
pub(super) fn grok(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, None, true);
    architecture.norms_per_layer = 4;
    architecture.moe = Some(uniform(reader, &architecture, &["num_experts", "num_local_experts"]));
    architecture
}

pub(super) fn olmoe(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::AsHeads, None, false);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.qk_norm = QkNorm::FullProjection;
    architecture.moe = Some(uniform(reader, &architecture, &["num_experts", "num_local_experts"]));
    architecture
}

/// gpt-oss: biases in router and experts, a sink for each head, every other layer windowed.
pub(super) fn gpt_oss(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, Some(64), false);
    attention_bias(reader, &mut architecture, "attention_bias", true);
    architecture.attention_sinks = true;
    let window = reader.size_or("window/tokens", &["sliding_window"], 128, "the default of gpt_oss");
    architecture.window = windows::by_layer(reader, architecture.layers, Some(window), 2);
    let moe = uniform(reader, &architecture, &["num_local_experts", "num_experts"]);
    architecture.moe = Some(MixtureOfExperts { router_bias: true, expert_bias: true, ..moe });
    architecture
}

/// Qwen2-MoE: a gated shared expert of its own width.
pub(super) fn qwen2_moe(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, None, false);
    architecture.biases.qkv = reader.flag("qkv_bias", true);
    architecture.window = windows::qwen(reader, architecture.layers);
    let mut moe = qwen_experts(reader);
    moe.shared_experts = 1;
    moe.shared_expert_ffn = Some(reader.size("shared_expert_ffn", &["shared_expert_intermediate_size"]));
    moe.shared_expert_gate = true;
    architecture.moe = Some(moe);
    architecture
}

pub(super) fn qwen3_moe(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, None, false);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.qk_norm = QkNorm::PerHeadDim;
    architecture.window = windows::qwen(reader, architecture.layers);
    architecture.moe = Some(qwen_experts(reader));
    architecture
}

/// Experts of Qwen: on each `decoder_sparse_step`-th layer that is not in `mlp_only_layers`.
fn qwen_experts(reader: &mut Reader<'_>) -> MixtureOfExperts {
    let experts = reader.size("experts", &["num_experts", "num_local_experts"]);
    let per_token = reader.size("experts_per_token", &["num_experts_per_tok"]);
    let width = reader.size("expert_ffn", &["moe_intermediate_size"]);
    let mut moe = routed(experts, per_token, width);
    moe.every = reader.size_or("every", &["decoder_sparse_step"], 1, "the default");
    if let Some((key, list)) = reader.value(&["mlp_only_layers"]) {
        let dense: Option<Vec<u64>> =
            list.as_array().and_then(|list| list.iter().map(serde_json::Value::as_u64).collect());
        match dense {
            // only dense layers that come first can be told
            Some(mut dense) => {
                dense.sort_unstable();
                if dense.iter().enumerate().all(|(i, layer)| *layer == i as u64) {
                    moe.dense_layers = dense.len() as u32;
                } else {
                    let message =
                        format!("{key} {list} is not supported; dense layers must be the first ones, such as [0, 1]");
                    reader.wrong(key, "unsupported", message);
                }
            }
            None => reader.wrong(key, "wrong_type", format!("{key} is {list}; give a list of layer numbers")),
        }
    }
    moe
}

/// DBRX: sizes under names of its own, two of them in objects.
pub(super) fn dbrx(reader: &mut Reader<'_>) -> Architecture {
    let layers = reader.size("layers", &["n_layers", "num_hidden_layers"]);
    let hidden = reader.size("hidden", &["d_model", "hidden_size"]);
    let heads = reader.size("heads", &["n_heads", "num_attention_heads"]);
    let vocab = reader.size("vocab", &["vocab_size"]);
    let mut architecture = Architecture::dense(layers, hidden, heads, heads, 1, vocab);
    architecture.head_dim = head_dim(reader, hidden, heads, None);
    architecture.norm = Norm::LayerNoBias;
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", false);
    if let Some(mut attention) = reader.child("attn_config") {
        architecture.kv_heads = attention.size("kv_heads", &["kv_n_heads"]);
        attention.mark("model_type");
        reader.absorb(attention);
    }
    if let Some(mut feed) = reader.child("ffn_config") {
        architecture.ffn = feed.size("ffn", &["ffn_hidden_size"]);
        let experts = feed.size("experts", &["moe_num_experts"]);
        let per_token = feed.size("experts_per_token", &["moe_top_k"]);
        architecture.moe = Some(routed(experts, per_token, architecture.ffn));
        feed.mark("uniform_expert_assignment");
        feed.mark("model_type");
        reader.absorb(feed);
    }
    architecture
}

/// Llama 4: a shared expert beside the routed ones, dense layers of another width between them, chunked
/// attention on all but each fourth layer. Its query and key norms have no parameters.
pub(super) fn llama4(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, Some(128), false);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    reader.mark("use_qk_norm");
    let experts = reader.size("experts", &["num_local_experts", "num_experts"]);
    let per_token = reader.size("experts_per_token", &["num_experts_per_tok"]);
    let mut moe = routed(experts, per_token, architecture.ffn);
    moe.shared_experts = 1;
    moe.every = reader.size_or("every", &["interleave_moe_layer_step"], 1, "the default of llama4");
    architecture.ffn = reader.size("ffn", &["intermediate_size_mlp"]);
    moe_layers(reader, architecture.layers, moe.every);
    architecture.moe = Some(moe);
    architecture.window = llama4_window(reader, architecture.layers);
    architecture
}

/// A list of the layers with experts must say what the step says.
fn moe_layers(reader: &mut Reader<'_>, layers: u32, every: u32) {
    let Some((key, list)) = reader.value(&["moe_layers"]) else { return };
    let by_step: Vec<u64> =
        (1..=layers.min(1_000)).filter(|n| n.is_multiple_of(every)).map(|n| u64::from(n) - 1).collect();
    let said: Option<Vec<u64>> = list.as_array().and_then(|list| list.iter().map(serde_json::Value::as_u64).collect());
    if said.is_none_or(|said| said != by_step) {
        let message = format!(
            "{key} {list} differs from interleave_moe_layer_step {every}; only evenly spaced layers with experts are supported"
        );
        reader.wrong(key, "unsupported", message);
    }
}

fn llama4_window(reader: &mut Reader<'_>, layers: u32) -> Option<crate::workload::AttentionWindow> {
    let said_null = reader.map.get("attention_chunk_size").is_some_and(serde_json::Value::is_null);
    let chunk = if said_null {
        reader.mark("attention_chunk_size");
        None
    } else {
        Some(reader.size_or("window/tokens", &["attention_chunk_size"], 8_192, "the default of llama4"))
    };
    let rotary = reader.value(&["no_rope_layers"]).and_then(|(_, list)| {
        let list = list.as_array().filter(|list| list.len() >= layers as usize)?;
        Some(list.iter().take(layers as usize).map(|entry| entry.as_u64() == Some(0)).collect::<Vec<bool>>())
    });
    // only layers with rotary positions are chunked
    let full = match windows::layer_types(reader, layers) {
        Some(full) => full,
        None => rotary.unwrap_or_else(|| (1..=layers.min(1_000)).map(|n| n.is_multiple_of(4)).collect()),
    };
    windows::from_pattern(reader, &full, chunk?, true)
}
