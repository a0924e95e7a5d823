//! What Megatron-Core is told of a run, once: Megatron-LM reads it as arguments, NeMo (Megatron Bridge) as fields.
//!
//! Fields are those of `TransformerConfig`, `MLATransformerConfig` and `GPTModelProvider` of megatron-core 0.16.1 and
//! megatron-bridge 0.3.1.

use super::run::{Run, Vendor};
use crate::request::{AttentionKernel, Precision, Recompute};
use crate::workload::{Architecture, MixtureOfExperts, Norm, QkNorm};

/// What a setting is set to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Setting {
    Number(u64),
    Decimal(&'static str),
    Text(String),
    Switch(bool),
    List(Vec<String>),
    Absent,
}

/// Name of a field and its setting.
pub(super) type Field = (&'static str, Setting);

fn number(name: &'static str, value: u32) -> Field {
    (name, Setting::Number(u64::from(value)))
}

fn on(name: &'static str) -> Field {
    (name, Setting::Switch(true))
}

fn text(name: &'static str, value: impl Into<String>) -> Field {
    (name, Setting::Text(value.into()))
}

/// The model and how it is split and computed, or every reason why Megatron-Core can't.
pub(super) fn model(run: &Run<'_>) -> Result<Vec<Field>, String> {
    let a = &run.architecture;
    let beyond = beyond(a);
    if !beyond.is_empty() {
        return Err(format!("Megatron-Core has no setting for this architecture: {}.", beyond.join("; ")));
    }
    let mut fields = shape(run);
    fields.extend(attention(run));
    if let Some(moe) = &a.moe {
        fields.extend(experts(run, moe));
    }
    fields.extend(split(run));
    fields.extend(precision(run));
    fields.extend(recompute(run));
    Ok(fields)
}

/// Parts of an architecture that no setting describes.
fn beyond(a: &Architecture) -> Vec<&'static str> {
    let b = &a.biases;
    let ffn = feed_forward_bias(a);
    let biases = (b.qkv, b.attention_output, ffn);
    let experts_alike = a.moe.as_ref().is_none_or(|m| m.expert_bias == ffn);
    let cases = [
        (matches!(a.norm, Norm::LayerNoBias | Norm::Parameterless), "a norm without bias or without weights"),
        (a.norms_per_layer != 2, "a number of norms per layer other than two"),
        (a.qk_norm == QkNorm::FullProjection, "a norm over whole query and key projections"),
        (a.embedding_width.is_some(), "an embedding of another width"),
        (a.embedding_norm, "a norm after the embedding"),
        (a.no_final_norm, "no norm after the last layer"),
        (a.window.as_ref().is_some_and(|w| w.chunked), "attention in chunks"),
        (b.head, "a bias of the head"),
        (
            !matches!(biases, (false, false, false) | (true, false, false) | (true, true, true)) || !experts_alike,
            "biases on some projections only",
        ),
    ];
    cases.into_iter().filter(|(is, _)| *is).map(|(_, what)| what).collect()
}

/// The feed-forward has biases: that of the experts where every layer has them.
fn feed_forward_bias(a: &Architecture) -> bool {
    match &a.moe {
        Some(moe) if moe.dense_layers == 0 && moe.every == 1 && moe.shared_experts == 0 => moe.expert_bias,
        _ => a.biases.ffn,
    }
}

fn shape(run: &Run<'_>) -> Vec<Field> {
    let a = &run.architecture;
    let positions = if a.learned_positions > 0 { a.learned_positions.into() } else { run.request().context_length };
    let mut fields = vec![
        number("num_layers", a.layers),
        number("hidden_size", a.hidden),
        number("ffn_hidden_size", a.ffn),
        number("num_attention_heads", a.heads),
        number("vocab_size", a.vocab),
        number("make_vocab_size_divisible_by", padding(a.vocab, run.layout.tensor)),
        ("seq_length", Setting::Number(run.request().context_length)),
        ("max_position_embeddings", Setting::Number(positions)),
        text("position_embedding_type", if a.learned_positions > 0 { "learned_absolute" } else { "rope" }),
        text("normalization", if a.norm == Norm::Layer { "LayerNorm" } else { "RMSNorm" }),
        ("share_embeddings_and_output_weights", Setting::Switch(a.tied_embeddings)),
        ("gated_linear_unit", Setting::Switch(a.gated_ffn)),
        ("add_bias_linear", Setting::Switch(feed_forward_bias(a))),
        // the estimate counts none, and the defaults are 0.1
        ("hidden_dropout", Setting::Decimal("0.0")),
        ("attention_dropout", Setting::Decimal("0.0")),
    ];
    if a.biases.qkv && !feed_forward_bias(a) {
        fields.push(on("add_qkv_bias"));
    }
    fields
}

/// The largest power of two, up to Megatron's own 128, that pads the vocabulary with nothing.
fn padding(vocab: u32, tensor: u32) -> u32 {
    (0..=7).rev().map(|bits| 1 << bits).find(|n: &u32| vocab.is_multiple_of(n * tensor)).unwrap_or(1)
}

fn attention(run: &Run<'_>) -> Vec<Field> {
    let a = &run.architecture;
    let mut fields = Vec::new();
    match &a.low_rank_attention {
        Some(low) => {
            let query = low.query_rank.map_or(Setting::Absent, |r| Setting::Number(r.into()));
            fields.extend([
                on("multi_latent_attention"),
                ("q_lora_rank", query),
                number("kv_lora_rank", low.kv_rank),
                number("qk_head_dim", low.nope_head_dim),
                number("qk_pos_emb_head_dim", low.rope_head_dim),
                number("v_head_dim", low.value_head_dim),
            ]);
        }
        None => {
            fields.push(number("kv_channels", a.head_dim));
            if a.kv_heads != a.heads {
                fields.push(number("num_query_groups", a.kv_heads));
            }
        }
    }
    if a.qk_norm == QkNorm::PerHeadDim {
        fields.push(on("qk_layernorm"));
    }
    if a.attention_sinks {
        fields.push(text("softmax_type", "learnable"));
    }
    if let Some(window) = &a.window {
        // a token sees itself and those before it
        let before = window.tokens.saturating_sub(1).to_string();
        fields.push(("window_size", Setting::List(vec![before, "0".into()])));
        if window.global_every > 0 {
            fields.push(number("window_attn_skip_freq", window.global_every));
        }
    }
    let backend = match run.request().software.attention_kernel {
        // no fused kernel is written for it
        _ if run.is_fp16() => "auto",
        AttentionKernel::None => "unfused",
        AttentionKernel::Flash2 | AttentionKernel::Flash3 => "flash",
        AttentionKernel::Cudnn if run.vendor == Vendor::Nvidia => "fused",
        AttentionKernel::Cudnn => "auto",
    };
    fields.push(text("attention_backend", backend));
    fields
}

fn experts(run: &Run<'_>, moe: &MixtureOfExperts) -> Vec<Field> {
    let mut fields = vec![
        number("num_moe_experts", moe.experts),
        number("moe_router_topk", moe.experts_per_token),
        number("moe_ffn_hidden_size", moe.expert_ffn),
        on("moe_grouped_gemm"),
        text("moe_token_dispatcher_type", "alltoall"),
    ];
    let shape = &run.job.shape;
    let pattern: Vec<String> =
        shape.order.iter().map(|kind| u8::from(shape.kinds[usize::from(*kind)].has_experts).to_string()).collect();
    if pattern.iter().any(|p| p == "0") {
        fields.push(("moe_layer_freq", Setting::List(pattern)));
    }
    if moe.shared_experts > 0 {
        let width = moe.shared_experts * moe.shared_expert_ffn.unwrap_or(moe.expert_ffn);
        fields.push(number("moe_shared_expert_intermediate_size", width));
    }
    if moe.shared_expert_gate {
        fields.push(on("moe_shared_expert_gate"));
    }
    if moe.expert_groups > 1 {
        fields.push(number("moe_router_num_groups", moe.expert_groups));
        fields.push(number("moe_router_group_topk", moe.groups_per_token));
    }
    // a router has a bias of its own where linear layers have one; elsewhere it is a stored correction, which goes with
    // scores of a sigmoid (DeepSeek-V3)
    if moe.router_bias && !feed_forward_bias(&run.architecture) {
        fields.push(on("moe_router_enable_expert_bias"));
        fields.push(text("moe_router_score_function", "sigmoid"));
    }
    fields
}

fn split(run: &Run<'_>) -> Vec<Field> {
    let l = &run.layout;
    let mut fields = vec![
        number("tensor_model_parallel_size", l.tensor),
        number("pipeline_model_parallel_size", l.pipeline),
        number("context_parallel_size", l.context),
    ];
    if l.expert > 1 {
        fields.push(number("expert_model_parallel_size", l.expert));
    }
    if run.architecture.moe.is_some() {
        fields.push(number("expert_tensor_parallel_size", run.expert_tensor()));
    }
    // Megatron-Core demands it where experts meet tensor parallelism
    if l.tensor > 1 && (run.request().software.sequence_parallel || run.architecture.moe.is_some()) {
        fields.push(on("sequence_parallel"));
    }
    match placing(&run.chunks) {
        Placing::Equal => {}
        Placing::EndsCount => {
            fields.extend([on("account_for_embedding_in_pipeline_split"), on("account_for_loss_in_pipeline_split")]);
        }
        Placing::ByHand(stages) => {
            fields.push(text("pipeline_model_parallel_layout", stages));
            return fields;
        }
    }
    if l.virtual_pipeline > 1 {
        fields.push(number("virtual_pipeline_model_parallel_size", l.virtual_pipeline));
    }
    fields
}

/// How layers go to stages.
enum Placing {
    /// All stages hold as many.
    Equal,
    /// Embedding and head each take one layer's place.
    EndsCount,
    /// Written out: E embedding, t layer, L loss, `*` repeats, `|` between stages.
    ByHand(String),
}

fn placing(chunks: &[u32]) -> Placing {
    if chunks.windows(2).all(|w| w[0] == w[1]) {
        return Placing::Equal;
    }
    if let [first, inner @ .., end] = chunks
        && let Some(inside) = inner.first()
        && first + 1 == *inside
        && first == end
        && inner.iter().all(|n| n == inside)
    {
        return Placing::EndsCount;
    }
    let last = chunks.len().saturating_sub(1);
    let stages = chunks.iter().enumerate().map(|(index, layers)| {
        let layers = if *layers > 0 { format!("t*{layers}") } else { String::new() };
        let (first, loss) = (if index == 0 { "E" } else { "" }, if index == last { "L" } else { "" });
        format!("{first}{layers}{loss}")
    });
    Placing::ByHand(stages.collect::<Vec<_>>().join("|"))
}

fn precision(run: &Run<'_>) -> Vec<Field> {
    let mut fields = vec![on(if run.is_fp16() { "fp16" } else { "bf16" })];
    match run.precision {
        Precision::Bf16 => {}
        Precision::Fp8 => fields.extend([text("fp8", "hybrid"), text("fp8_recipe", "tensorwise")]),
        Precision::Fp4 => fields.extend([text("fp4", "e2m1"), text("fp4_recipe", "nvfp4")]),
    }
    let software = &run.request().software;
    if software.fused_loss {
        fields.push(on("cross_entropy_loss_fusion"));
    }
    if software.cuda_graphs {
        fields.push(text("cuda_graph_impl", "local"));
    }
    fields
}

fn recompute(run: &Run<'_>) -> Vec<Field> {
    match run.layout.recompute {
        Recompute::None => Vec::new(),
        Recompute::Full => vec![
            text("recompute_granularity", "full"),
            text("recompute_method", "uniform"),
            number("recompute_num_layers", 1),
        ],
        Recompute::Selective => {
            let experts = run.architecture.moe.as_ref().map(|_| "moe_act".to_owned());
            let modules = ["core_attn", "layernorm"].into_iter().map(str::to_owned).chain(experts).collect();
            vec![text("recompute_granularity", "selective"), ("recompute_modules", Setting::List(modules))]
        }
    }
}

/// What Megatron-Core does otherwise than the plan counts, for the top of the file.
pub(super) fn differences(run: &Run<'_>) -> Vec<String> {
    let a = &run.architecture;
    let mut all = Vec::new();
    if run.layout.recompute == Recompute::Selective {
        all.push(
            "Selective recompute: the plan also counts the activation function of dense feed-forwards as recomputed, for which there is no module here; expect somewhat more memory.".into(),
        );
    }
    if !a.vocab.is_multiple_of(padding(a.vocab, run.layout.tensor) * run.layout.tensor) {
        all.push(format!("The vocabulary of {} is padded up to a multiple of {}.", a.vocab, run.layout.tensor));
    }
    if run.precision == Precision::Fp8 {
        all.push(
            "fp8 with one scale per tensor, as the plan's time counts it; blockwise and mxfp8 recipes cast more."
                .into(),
        );
    }
    if a.gated_ffn {
        all.push("The plan knows a gated feed-forward, not which function gates it; SiLU is assumed.".into());
    }
    if a.learned_positions == 0 {
        all.push("The plan counts neither rotary nor ALiBi positions; rotary ones are assumed.".into());
    }
    if a.moe.is_some() {
        all.push("Load balancing of the router is not part of the plan; Megatron-Core's default holds.".into());
    }
    if run.request().host_offload != crate::request::HostOffload::None {
        all.push("Optimizer states live in the host's memory.".into());
    }
    all
}
