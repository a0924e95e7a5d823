//! The model of a request, and the architecture of a transformer.

use super::{choice, flag, input, number, of, text, whole, within};
use serde_json::{Value, json};

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("Model", model()),
        ("Architecture", architecture()),
        ("LowRankAttention", low_rank_attention()),
        ("AttentionWindow", window()),
        ("Biases", biases()),
    ]
}

fn model() -> Value {
    input(
        "The model, in one of four ways: a preset, a size, an architecture, or a Hugging Face configuration",
        &[
            ("preset?", text("Id of the catalog, such as llama-3.1-70b")),
            (
                "parameters_billion?",
                within(number("All parameters, billions; a plausible architecture is chosen"), 0.001, 20_000.0),
            ),
            (
                "active_parameters_billion?",
                within(
                    number("Parameters that one token uses, billions, for a mixture of experts given by its size"),
                    0.001,
                    20_000.0,
                ),
            ),
            ("architecture?", of("Architecture", "A full architecture")),
            (
                "huggingface?",
                json!({ "type": ["object", "string"], "description": "A Hugging Face config.json, as an object or as its text (with GET as its text); the answer of a plan echoes the architecture read from it" }),
            ),
            ("model_type?", text("Where an architecture was read from; a remark of the echoed request")),
        ],
    )
}

/// Most layers, and with it most layers of a kind.
const LAYERS: f64 = 1_000.0;
const WIDEST: f64 = 1_048_576.0;
const EXPERTS: f64 = 4_096.0;

fn count(description: &str, min: f64, max: f64) -> Value {
    within(whole(description), min, max)
}

fn architecture() -> Value {
    input(
        "A transformer. A dense model leaves the fields of experts out",
        &[
            ("layers", count("Layers", 1.0, LAYERS)),
            ("hidden", count("Width of the residual stream", 16.0, 131_072.0)),
            ("heads", count("Query heads", 1.0, 1_024.0)),
            ("kv_heads?", count("Key and value heads, a divisor of heads; as many as heads if absent", 1.0, 1_024.0)),
            (
                "head_dim?",
                count("Size of one head; hidden divided by heads if absent, which must then be whole", 1.0, 4_096.0),
            ),
            ("ffn", count("Width of the dense feed-forward part", 1.0, WIDEST)),
            ("vocab", count("Vocabulary: rows of the embedding", 16.0, 4_000_000.0)),
            ("gated_ffn?", flag("The feed-forward part has a gate (three matrices); true if absent")),
            ("tied_embeddings?", flag("Input and output embeddings are one matrix; false if absent")),
            ("experts?", count("Routed experts of a layer; 0 or absent for a dense model", 0.0, EXPERTS)),
            (
                "experts_per_token?",
                count("Routed experts that one token uses, at most experts; required with experts", 1.0, EXPERTS),
            ),
            ("expert_ffn?", count("Width of one routed expert; ffn if absent", 1.0, WIDEST)),
            ("shared_experts?", count("Experts that every token uses; 0 if absent", 0.0, 64.0)),
            ("shared_expert_ffn?", count("Width of one shared expert; that of a routed expert if absent", 1.0, WIDEST)),
            ("shared_expert_gate?", flag("A learned gate on the shared expert; false if absent")),
            (
                "dense_layers?",
                count("First layers with a dense feed-forward part, at most layers; 0 if absent", 0.0, LAYERS),
            ),
            ("every?", count("One layer in this many has experts, at most layers; 1 if absent", 1.0, LAYERS)),
            (
                "expert_groups?",
                count(
                    "Groups that the experts are dealt into, at most experts; 1 if absent: the router chooses among all",
                    1.0,
                    EXPERTS,
                ),
            ),
            (
                "groups_per_token?",
                count(
                    "Groups that the experts of one token come from, at most expert_groups; 1 if absent",
                    1.0,
                    EXPERTS,
                ),
            ),
            ("router_bias?", flag("One stored correction value for each expert in the router; false if absent")),
            ("expert_bias?", flag("Biases inside each expert; false if absent")),
            (
                "low_rank_attention?",
                of("LowRankAttention", "Low-rank (latent) attention; ordinary attention if absent"),
            ),
            ("window?", of("AttentionWindow", "Layers whose attention sees only a window; none if absent")),
            (
                "norm?",
                choice(
                    "Kind of norm: RMS norm, layer norm, layer norm without bias, or one without parameters; rms if absent",
                    &["rms", "layer", "layer_no_bias", "parameterless"],
                ),
            ),
            ("norms_per_layer?", count("Norms of a layer; 2 if absent", 0.0, 8.0)),
            (
                "qk_norm?",
                choice(
                    "Norms on queries and keys: none, a weight vector of head_dim, or a weight for each channel of the projection; none if absent",
                    &["none", "per_head_dim", "full_projection"],
                ),
            ),
            ("biases?", of("Biases", "Which projections have biases; none if absent")),
            ("attention_sinks?", flag("One learned sink logit for each head; false if absent")),
            (
                "learned_positions?",
                count(
                    "Rows of a learned position table, which bound the context length; 0 or absent for none",
                    0.0,
                    16_777_216.0,
                ),
            ),
            ("embedding_norm?", flag("A norm right after the embedding; false if absent")),
            (
                "embedding_width?",
                count("Width of the token embedding where it is not the hidden width", 16.0, 131_072.0),
            ),
            ("no_final_norm?", flag("There is no norm after the last layer; false if absent")),
        ],
    )
}

fn low_rank_attention() -> Value {
    let part = |text: &str| count(text, 1.0, 4_096.0);
    input(
        "Low-rank (latent) attention: keys and values come from a shared low-rank latent",
        &[
            ("query_rank?", count("Rank of the query projection; a full one if absent", 1.0, 131_072.0)),
            ("kv_rank?", count("Rank of the key and value latent; 512 if absent", 1.0, 131_072.0)),
            ("rope_head_dim?", part("Rotary part of a query or key head; 64 if absent")),
            ("nope_head_dim?", part("Part of a query or key head without position; 128 if absent")),
            ("value_head_dim?", part("Size of a value head; 128 if absent")),
        ],
    )
}

fn window() -> Value {
    input(
        "Layers whose attention sees only a window",
        &[
            ("tokens?", count("Tokens that such a layer sees; 4096 if absent", 1.0, 1_073_741_824.0)),
            ("global_every?", count("One layer in this many sees everything; 0 or absent: none does", 0.0, 1_000.0)),
            ("chunked?", flag("The windows are fixed chunks that don't overlap, instead of sliding; false if absent")),
        ],
    )
}

fn biases() -> Value {
    input(
        "Which projections carry a bias; false if absent",
        &[
            ("qkv?", flag("Query, key and value")),
            ("attention_output?", flag("Attention output")),
            ("ffn?", flag("Feed-forward part")),
            ("head?", flag("Output head")),
        ],
    )
}
