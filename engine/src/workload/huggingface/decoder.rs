//! Decoders in the manner of Llama, with what each family changes.

use super::reader::Reader;
use super::windows;
use crate::workload::{Architecture, Norm, QkNorm};

/// What an absent number of key/value heads means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyValueHeads {
    /// As many as query heads, the documented default.
    AsHeads,
    /// Transformers assumes the number of one published model, so it must be said.
    Required,
}

/// The part that all share: sizes, heads, tying. `head_dim` is the family's own default, if it has one.
pub(super) fn base(reader: &mut Reader<'_>, kv: KeyValueHeads, head_dim: Option<u32>, tied: bool) -> Architecture {
    let layers = reader.size("layers", &["num_hidden_layers"]);
    let hidden = reader.size("hidden", &["hidden_size"]);
    let heads = reader.size("heads", &["num_attention_heads"]);
    let kv_heads = kv_heads(reader, heads, kv);
    let ffn = reader.size("ffn", &["intermediate_size"]);
    let vocab = reader.size("vocab", &["vocab_size"]);
    let mut architecture = Architecture::dense(layers, hidden, heads, kv_heads, ffn, vocab);
    architecture.head_dim = self::head_dim(reader, hidden, heads, head_dim);
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", tied);
    architecture
}

fn kv_heads(reader: &mut Reader<'_>, heads: u32, kv: KeyValueHeads) -> u32 {
    let key = "num_key_value_heads";
    let said_null = reader.map.get(key).is_some_and(serde_json::Value::is_null);
    if kv == KeyValueHeads::AsHeads || said_null {
        reader.size_or("kv_heads", &[key], heads, "as many as query heads, the default")
    } else {
        reader.size("kv_heads", &[key])
    }
}

/// Size of a head: as said, or the family's default, or the width divided by the heads.
pub(super) fn head_dim(reader: &mut Reader<'_>, hidden: u32, heads: u32, default: Option<u32>) -> u32 {
    if let Some(default) = default {
        let why = format!("the default of {}", reader.family);
        return reader.size_or("head_dim", &["head_dim"], default, &why);
    }
    if let Some(size) = reader.optional("head_dim", &["head_dim"]) {
        return size;
    }
    if reader.problems.is_empty() && !hidden.is_multiple_of(heads) {
        let message = format!(
            "heads {heads} do not divide the width {hidden} and head_dim is not given; correct one of them, or add head_dim"
        );
        reader.wrong("num_attention_heads", "does_not_divide", message);
    }
    let size = hidden / heads.max(1);
    reader.note(format!("head_dim is not given: {size}, the width divided by the heads"));
    size.max(1)
}

/// One switch for the biases of query, key, value and output.
pub(super) fn attention_bias(reader: &mut Reader<'_>, architecture: &mut Architecture, key: &str, default: bool) {
    let bias = reader.flag(key, default);
    architecture.biases.qkv = bias;
    architecture.biases.attention_output = bias;
}

pub(super) fn llama(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::AsHeads, None, false);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.biases.ffn = reader.flag("mlp_bias", false);
    architecture
}

pub(super) fn smollm3(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, None, true);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.biases.ffn = reader.flag("mlp_bias", false);
    // layers without rotary positions have the same parameters
    reader.mark("no_rope_layers");
    architecture.window = windows::qwen(reader, architecture.layers);
    architecture
}

pub(super) fn mistral(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, None, false);
    let mut window = reader.optional("window/tokens", &["sliding_window"]);
    if window.is_none() && !reader.map.contains_key("sliding_window") {
        reader.note("sliding_window is not given: 4096, the default of mistral; it changes no parameter".into());
        window = Some(4_096);
    }
    architecture.window = windows::everywhere(window);
    architecture
}

pub(super) fn ministral(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, None, false);
    let window = reader.optional("window/tokens", &["sliding_window"]);
    architecture.window = windows::by_layer(reader, architecture.layers, window, 0);
    architecture
}

/// Qwen2: biases on query, key and value, none on the output.
pub(super) fn qwen2(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, None, false);
    architecture.biases.qkv = true;
    architecture.window = windows::qwen(reader, architecture.layers);
    architecture
}

/// Qwen3: norms on query and key heads.
pub(super) fn qwen3(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, Some(128), false);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.qk_norm = QkNorm::PerHeadDim;
    architecture.window = windows::qwen(reader, architecture.layers);
    architecture
}

pub(super) fn gemma(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, Some(256), true);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture
}

/// Gemma 2: norms before and after each sublayer, every other layer windowed.
pub(super) fn gemma2(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = gemma(reader);
    architecture.norms_per_layer = 4;
    let window = reader.size_or("window/tokens", &["sliding_window"], 4_096, "the default of gemma2");
    architecture.window = windows::by_layer(reader, architecture.layers, Some(window), 2);
    architecture
}

/// Gemma 3: as Gemma 2 with query and key norms and five windowed layers of six. Its published
/// configurations leave out what equals the defaults of Transformers.
pub(super) fn gemma3(reader: &mut Reader<'_>) -> Architecture {
    let why = "the default of gemma3";
    let layers = reader.size("layers", &["num_hidden_layers"]);
    let hidden = reader.size("hidden", &["hidden_size"]);
    let heads = reader.size_or("heads", &["num_attention_heads"], 8, why);
    let kv_heads = reader.size_or("kv_heads", &["num_key_value_heads"], 4, why);
    let ffn = reader.size("ffn", &["intermediate_size"]);
    let vocab = reader.size_or("vocab", &["vocab_size"], 262_208, why);
    let mut architecture = Architecture::dense(layers, hidden, heads, kv_heads, ffn, vocab);
    architecture.head_dim = head_dim(reader, hidden, heads, Some(256));
    architecture.tied_embeddings = reader.flag("tie_word_embeddings", true);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.norms_per_layer = 4;
    architecture.qk_norm = QkNorm::PerHeadDim;
    let window = reader.size_or("window/tokens", &["sliding_window"], 4_096, why);
    let every = reader.optional("window/global_every", &["sliding_window_pattern"]).unwrap_or(6);
    architecture.window = windows::by_layer(reader, layers, Some(window), every);
    architecture
}

/// Phi-1 and Phi-2: attention and feed-forward share one norm; biases everywhere, on the head too.
pub(super) fn phi(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::AsHeads, None, false);
    architecture.gated_ffn = false;
    architecture.norm = Norm::Layer;
    architecture.norms_per_layer = 1;
    let biases = &mut architecture.biases;
    (biases.qkv, biases.attention_output, biases.ffn, biases.head) = (true, true, true, true);
    reader.refuse_if("qk_layernorm", true, "its norms have biases of their own");
    architecture
}

pub(super) fn phi3(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::AsHeads, None, false);
    for key in ["attention_bias", "mlp_bias", "lm_head_bias"] {
        reader.refuse_if(key, true, "no published Phi-3 or Phi-4 has it");
    }
    let window = reader.optional("window/tokens", &["sliding_window"]);
    architecture.window = windows::everywhere(window);
    architecture
}

/// OLMo: norms without parameters.
pub(super) fn olmo(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::AsHeads, None, false);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.norm = Norm::Parameterless;
    architecture
}

/// OLMo 2: norms after the sublayers, and on the whole query and key projections.
pub(super) fn olmo2(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::AsHeads, None, false);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.qk_norm = QkNorm::FullProjection;
    architecture
}

/// Command R: one norm for attention and feed-forward; a norm weight for each query and key channel in the
/// larger ones.
pub(super) fn cohere(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::AsHeads, None, true);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.norm = Norm::LayerNoBias;
    architecture.norms_per_layer = 1;
    if reader.flag("use_qk_norm", false) {
        architecture.qk_norm = QkNorm::FullProjection;
    }
    architecture
}

pub(super) fn cohere2(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::AsHeads, None, true);
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.norm = Norm::LayerNoBias;
    architecture.norms_per_layer = 1;
    // how the published configurations name what all models of the family do
    for key in [
        "layer_switch",
        "order_of_interleaved_layers",
        "use_embedding_sharing",
        "use_gated_activation",
        "use_parallel_block",
        "use_parallel_embedding",
    ] {
        reader.mark(key);
    }
    let window = reader.size_or("window/tokens", &["sliding_window"], 4_096, "the default of cohere2");
    let every = reader.optional("window/global_every", &["sliding_window_pattern"]).unwrap_or(4);
    architecture.window = windows::by_layer(reader, architecture.layers, Some(window), every);
    architecture
}

pub(super) fn internlm2(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::AsHeads, None, false);
    attention_bias(reader, &mut architecture, "bias", true);
    architecture
}

pub(super) fn stablelm(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, None, false);
    architecture.norm = Norm::Layer;
    architecture.biases.qkv = reader.flag("use_qkv_bias", false);
    if reader.flag("qk_layernorm", false) {
        architecture.qk_norm = QkNorm::FullProjection;
    }
    if reader.flag("use_parallel_residual", false) {
        architecture.norms_per_layer = 1;
    }
    architecture
}

pub(super) fn starcoder2(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, None, true);
    architecture.gated_ffn = false;
    architecture.norm = Norm::Layer;
    attention_bias(reader, &mut architecture, "use_bias", true);
    architecture.biases.ffn = architecture.biases.qkv;
    // two keys of the first release that have one legal value
    reader.mark("mlp_type");
    reader.mark("norm_type");
    let window = reader.optional("window/tokens", &["sliding_window"]);
    architecture.window = windows::everywhere(window);
    architecture
}

/// Nemotron: squared ReLU, so two matrices; norms with weight and bias.
pub(super) fn nemotron(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::AsHeads, None, false);
    architecture.gated_ffn = false;
    architecture.norm = Norm::Layer;
    attention_bias(reader, &mut architecture, "attention_bias", false);
    architecture.biases.ffn = reader.flag("mlp_bias", false);
    architecture
}

/// GLM: biases on query, key and value only.
pub(super) fn glm(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = base(reader, KeyValueHeads::Required, Some(128), false);
    architecture.biases.qkv = reader.flag("attention_bias", true);
    architecture
}

/// GLM-4: norms before and after each sublayer.
pub(super) fn glm4(reader: &mut Reader<'_>) -> Architecture {
    let mut architecture = glm(reader);
    architecture.norms_per_layer = 4;
    architecture
}
