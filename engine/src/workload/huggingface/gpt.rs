//! Decoders in the manner of GPT: layer norms, plain feed-forward, often biases and learned positions.

use super::reader::Reader;
use super::windows;
use crate::workload::{Architecture, Biases, Norm, QkNorm};
use serde_json::Value;

const LAYERS: &[&str] = &["n_layer", "num_hidden_layers", "num_layers", "n_layers"];
const HIDDEN: &[&str] = &["n_embd", "hidden_size", "n_embed", "d_model"];
const HEADS: &[&str] = &["n_head", "num_attention_heads", "num_heads", "n_heads"];

const NO_BIASES: Biases = Biases { qkv: false, attention_output: false, ffn: false, head: false };
const ALL_BIASES: Biases = Biases { qkv: true, attention_output: true, ffn: true, head: false };

/// Sizes under the names of the GPT families, the feed-forward four times the width.
fn base(reader: &mut Reader<'_>, biases: Biases) -> Architecture {
    let layers = reader.size("layers", LAYERS);
    let hidden = reader.size("hidden", HIDDEN);
    let heads = reader.size("heads", HEADS);
    let vocab = reader.size("vocab", &["vocab_size"]);
    let mut architecture = Architecture::dense(layers, hidden, heads, heads, hidden.saturating_mul(4), vocab);
    if reader.problems.is_empty() && !hidden.is_multiple_of(heads) {
        let message = format!("heads {heads} do not divide the width {hidden}; correct one of them");
        reader.wrong(HEADS[1], "does_not_divide", message);
    }
    architecture.head_dim = (hidden / heads.max(1)).max(1);
    architecture.gated_ffn = false;
    architecture.norm = Norm::Layer;
    architecture.biases = biases;
    architecture
}

/// The feed-forward under `key`, or four times the width.
fn ffn(reader: &mut Reader<'_>, architecture: &mut Architecture, key: &'static str) {
    architecture.ffn = reader.size_or("ffn", &[key], architecture.ffn, "four times the width, the default");
}

pub(super) fn gpt2(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, ALL_BIASES);
    ffn(reader, &mut architecture, "n_inner");
    architecture.learned_positions =
        reader.size("learned_positions", &["n_positions", "max_position_embeddings", "n_ctx"]);
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", true);
    reader.refuse_if("add_cross_attention", true, "a decoder without cross attention is counted");
    architecture
}

/// GPT-Neo: of the attention only the output has a bias; layers alternate between all and a window.
pub(super) fn gpt_neo(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, Biases { qkv: false, ..ALL_BIASES });
    ffn(reader, &mut architecture, "intermediate_size");
    architecture.learned_positions = reader.size("learned_positions", &["max_position_embeddings"]);
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", true);
    let window = reader.optional("window/tokens", &["window_size"]);
    let full = neo_layers(reader);
    if let (Some(tokens), Some(full)) = (window, full) {
        architecture.window = windows::from_pattern(reader, &full, tokens, false);
    }
    architecture
}

/// `attention_types`, such as `[[["global", "local"], 12]]`, layer by layer.
fn neo_layers(reader: &mut Reader<'_>) -> Option<Vec<bool>> {
    let (_, value) = reader.value(&["attention_types"])?;
    let mut full = Vec::new();
    for item in value.as_array()? {
        let kinds = item.get(0)?.as_array()?;
        let times = item.get(1)?.as_u64()?.min(1_000);
        for _ in 0..times {
            full.extend(kinds.iter().map(|kind| kind.as_str() == Some("global")));
        }
    }
    Some(full).filter(|full| full.len() <= 1_000)
}

/// GPT-J: attention and feed-forward share one norm; biases on the feed-forward and on the head.
pub(super) fn gptj(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, Biases { ffn: true, head: true, ..NO_BIASES });
    ffn(reader, &mut architecture, "n_inner");
    architecture.norms_per_layer = 1;
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", false);
    architecture
}

pub(super) fn gpt_neox(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, ALL_BIASES);
    architecture.ffn = reader.size("ffn", &["intermediate_size"]);
    let bias = reader.flag("attention_bias", true);
    (architecture.biases.qkv, architecture.biases.attention_output) = (bias, bias);
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", false);
    architecture
}

/// StarCoder and SantaCoder: as GPT-2 with one key/value head.
pub(super) fn gpt_bigcode(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = gpt2(reader);
    if reader.flag("multi_query", true) {
        architecture.kv_heads = 1;
    }
    architecture
}

/// MPT: no biases; positions by ALiBi or rotary, else learned.
pub(super) fn mpt(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, NO_BIASES);
    let ratio = reader.size_or("ffn", &["expansion_ratio"], 4, "the default of mpt");
    architecture.ffn = architecture.hidden.saturating_mul(ratio);
    architecture.norm = Norm::LayerNoBias;
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", true);
    reader.refuse_if("no_bias", false, "the published models have no biases");
    reader.mark("norm_type");
    let learned = reader.flag("learned_pos_emb", true);
    let positions = reader.size("learned_positions", &["max_seq_len"]);
    let Some(mut attention) = reader.child("attn_config") else { return architecture };
    let placed = attention.flag("alibi", true);
    let rotary = attention.value(&["rope"]).is_some_and(|(_, rope)| rope.as_bool() == Some(true));
    if learned && !placed && !rotary {
        architecture.learned_positions = positions;
    }
    let kind = attention.value(&["attn_type"]).and_then(|(_, kind)| kind.as_str());
    match kind {
        Some("multiquery_attention") => architecture.kv_heads = 1,
        Some("grouped_query_attention") => architecture.kv_heads = attention.size("kv_heads", &["kv_n_heads"]),
        _ => attention.mark("kv_n_heads"),
    }
    if attention.value(&["qk_ln"]).is_some_and(|(_, norm)| norm.as_bool() == Some(true)) {
        architecture.qk_norm = QkNorm::FullProjection;
    }
    for key in ["alibi_bias_max", "attn_pdrop", "clip_qkv", "prefix_lm", "rope_theta", "rope_impl", "softmax_scale"] {
        attention.mark(key);
    }
    reader.absorb(attention);
    architecture
}

/// BLOOM: a norm right after the embedding.
pub(super) fn bloom(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, ALL_BIASES);
    architecture.embedding_norm = true;
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", true);
    architecture
}

/// Falcon: the 7B generation has one key/value head and one norm, the 40B and 180B generation groups and two.
pub(super) fn falcon(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, NO_BIASES);
    ffn(reader, &mut architecture, "ffn_hidden_size");
    if reader.flag("bias", false) {
        architecture.biases = ALL_BIASES;
    }
    let heads = architecture.heads;
    let grouped = match reader.value(&["new_decoder_architecture"]) {
        Some((_, Value::Bool(new))) => *new,
        // configurations of the first release have no such key; groups came with the number of them
        _ => reader.map.contains_key("n_head_kv"),
    };
    if grouped {
        let keys = ["num_kv_heads", "n_head_kv"];
        architecture.kv_heads = reader.size_or("kv_heads", &keys, heads, "as many as query heads, the default");
        let norms = reader.optional("norms_per_layer", &["num_ln_in_parallel_attn"]);
        architecture.norms_per_layer = norms.unwrap_or(2);
        reader.mark("multi_query");
        reader.mark("parallel_attn");
    } else {
        if reader.flag("multi_query", true) {
            architecture.kv_heads = 1;
        }
        let parallel = reader.flag("parallel_attn", true);
        let norms = reader.optional("norms_per_layer", &["num_ln_in_parallel_attn"]);
        architecture.norms_per_layer = if parallel { norms.unwrap_or(1) } else { 2 };
        // the older generation ignores it
        reader.mark("num_kv_heads");
    }
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", true);
    if architecture.tied_embeddings {
        reader.note("the files of published Falcon models also store the head, which is loaded as the embedding; add \"tie_word_embeddings\": false to count it apart".into());
    }
    architecture
}

/// OPT: two more position rows than positions; the 350M has a narrower embedding and no last norm.
pub(super) fn opt(reader: &mut Reader<'_>) -> Architecture {
    let biased = reader.flag("enable_bias", true);
    let mut architecture = base(reader, if biased { ALL_BIASES } else { NO_BIASES });
    architecture.ffn = reader.size("ffn", &["ffn_dim"]);
    architecture.learned_positions = reader.size("learned_positions", &["max_position_embeddings"]).saturating_add(2);
    architecture.embedding_width =
        reader.optional("embedding_width", &["word_embed_proj_dim"]).filter(|width| *width != architecture.hidden);
    if !reader.flag("layer_norm_elementwise_affine", true) {
        architecture.norm = Norm::Parameterless;
    }
    let removed = reader.value(&["_remove_final_layer_norm"]).is_some_and(|(_, flag)| flag.as_bool() == Some(true));
    architecture.no_final_norm = !reader.flag("do_layer_norm_before", true) || removed;
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", true);
    architecture
}
