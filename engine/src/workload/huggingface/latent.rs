//! The DeepSeek family: low-rank attention, fine-grained and shared experts, dense layers first.

use super::experts::routed;
use super::reader::Reader;
use crate::workload::{Architecture, LowRankAttention, MixtureOfExperts};

pub(super) fn deepseek_v2(reader: &mut Reader<'_>) -> Architecture {
    read(reader, false)
}

/// DeepSeek-V3 and Kimi K2: a stored correction value for each expert in the router.
pub(super) fn deepseek_v3(reader: &mut Reader<'_>) -> Architecture {
    let architecture = read(reader, true);
    let key = ["num_nextn_predict_layers", "num_mtp_layers"].into_iter().find(|key| reader.map.contains_key(*key));
    if let Some(key) = key
        && reader.count("extra", &[key]) > 0
    {
        reader.note(format!("{key}: the extra prediction layer is not counted"));
    }
    architecture
}

fn read(reader: &mut Reader<'_>, corrected: bool) -> Architecture {
    let layers = reader.size("layers", &["num_hidden_layers"]);
    let hidden = reader.size("hidden", &["hidden_size"]);
    let heads = reader.size("heads", &["num_attention_heads"]);
    let ffn = reader.size("ffn", &["intermediate_size"]);
    let vocab = reader.size("vocab", &["vocab_size"]);
    // each head has its own key and value, made from the shared latent
    reader.mark("num_key_value_heads");
    reader.mark("head_dim");
    reader.mark("qk_head_dim");
    let low = LowRankAttention {
        query_rank: query_rank(reader),
        kv_rank: reader.size("low_rank_attention/kv_rank", &["kv_lora_rank"]),
        rope_head_dim: reader.size("low_rank_attention/rope_head_dim", &["qk_rope_head_dim"]),
        nope_head_dim: reader.size("low_rank_attention/nope_head_dim", &["qk_nope_head_dim"]),
        value_head_dim: reader.size("low_rank_attention/value_head_dim", &["v_head_dim"]),
    };
    let mut architecture = Architecture::dense(layers, hidden, heads, heads, ffn, vocab);
    architecture.head_dim = low.rope_head_dim.saturating_add(low.nope_head_dim);
    architecture.low_rank_attention = Some(low);
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", false);
    let bias = reader.flag("attention_bias", false);
    (architecture.biases.qkv, architecture.biases.attention_output) = (bias, bias);
    reader.refuse_if("mlp_bias", true, "no published model of the family has it");
    architecture.moe = experts(reader, corrected);
    architecture
}

/// The rank of the query; null says that the query projection is full, absence says nothing.
fn query_rank(reader: &mut Reader<'_>) -> Option<u32> {
    let key = "q_lora_rank";
    let rank = reader.optional("low_rank_attention/query_rank", &[key]);
    if !reader.map.contains_key(key) {
        reader.wrong(key, "required", "q_lora_rank is missing; give the rank, or null for a full query projection");
    }
    rank
}

fn experts(reader: &mut Reader<'_>, corrected: bool) -> Option<MixtureOfExperts> {
    if reader.map.get("n_routed_experts").is_some_and(serde_json::Value::is_null) {
        reader.note("n_routed_experts is null: a dense model".into());
        for key in ["n_routed_experts", "num_experts_per_tok", "moe_intermediate_size", "n_shared_experts"] {
            reader.mark(key);
        }
        return None;
    }
    let experts = reader.size("experts", &["n_routed_experts", "num_experts"]);
    let per_token = reader.size("experts_per_token", &["num_experts_per_tok"]);
    let width = reader.size("expert_ffn", &["moe_intermediate_size"]);
    let mut moe = routed(experts, per_token, width);
    if !reader.map.contains_key("n_shared_experts") {
        reader.wrong(
            "n_shared_experts",
            "required",
            "n_shared_experts is missing; give their number, or null for none",
        );
    }
    moe.shared_experts = reader.count("shared_experts", &["n_shared_experts"]);
    if !reader.map.contains_key("first_k_dense_replace") {
        reader.wrong(
            "first_k_dense_replace",
            "required",
            "first_k_dense_replace is missing; give the number of dense layers, or 0",
        );
    }
    moe.dense_layers = reader.count("dense_layers", &["first_k_dense_replace"]);
    if reader.size_or("every", &["moe_layer_freq"], 1, "the default") != 1 {
        reader.wrong(
            "moe_layer_freq",
            "unsupported",
            "moe_layer_freq is not 1; only experts on every later layer are supported",
        );
    }
    moe.expert_groups = reader.optional("expert_groups", &["n_group"]).unwrap_or(1);
    moe.groups_per_token = reader.optional("groups_per_token", &["topk_group"]).unwrap_or(1);
    let method = reader.value(&["topk_method"]).and_then(|(_, method)| method.as_str());
    moe.router_bias = match method {
        Some(method) => method == "noaux_tc",
        None => {
            if corrected {
                reader.note(format!("topk_method is not given: noaux_tc, the default of {}", reader.family));
            }
            corrected
        }
    };
    Some(moe)
}
