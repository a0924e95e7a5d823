//! Which model is trained: a preset, a size, a full architecture, or a pasted Hugging Face configuration.

use super::reader::{Fields, Form, Problems};
use crate::catalog::Catalog;
use crate::problem::FieldProblem;
use crate::workload::{
    Architecture, AttentionWindow, Biases, LowRankAttention, MixtureOfExperts, Norm, QkNorm, from_huggingface,
    from_parameters_billion,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The model of a request. A Hugging Face configuration becomes an architecture as it is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ModelChoice {
    /// A preset of the catalog.
    Preset {
        /// Its id.
        preset: String,
    },
    /// A full architecture.
    Architecture {
        /// The architecture.
        architecture: Box<Architecture>,
        /// Where it came from, when a configuration was read: its model type.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        model_type: Option<String>,
    },
    /// Only a size; the engine chooses a plausible architecture and says so.
    Size {
        /// All parameters, billions.
        parameters_billion: f64,
        /// Parameters that one token uses, billions (mixture of experts).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        active_parameters_billion: Option<f64>,
    },
}

impl ModelChoice {
    /// The architecture that is trained.
    pub fn architecture(&self) -> Architecture {
        match self {
            Self::Preset { preset } => match Catalog::get().model(preset) {
                Some(model) => model.architecture.clone(),
                // a stored plan may name a preset that has since gone
                None => from_parameters_billion(7.0, None),
            },
            Self::Architecture { architecture, .. } => (**architecture).clone(),
            Self::Size { parameters_billion, active_parameters_billion } => {
                from_parameters_billion(*parameters_billion, *active_parameters_billion)
            }
        }
    }

    /// Name for sentences, such as `Llama 3.1 70B` or `13B model`.
    pub fn label(&self) -> String {
        match self {
            Self::Preset { preset } => Catalog::get().model(preset).map_or_else(|| preset.clone(), |m| m.label.clone()),
            Self::Architecture { model_type: Some(kind), .. } => format!("your {kind} model"),
            Self::Architecture { .. } => "your model".into(),
            Self::Size { parameters_billion, .. } => format!("{parameters_billion}B model"),
        }
    }

    pub(super) fn read(mut fields: Fields<'_>, problems: &mut Problems) -> Option<Self> {
        let presets: Vec<&str> = Catalog::get().models.iter().map(|m| m.id.as_str()).collect();
        let pointer = fields.pointer("");
        let pointer = pointer.trim_end_matches('/').to_owned();
        let before = problems.len();
        let preset = fields.known_id(problems, "preset", &presets);
        let size = fields.number(problems, "parameters_billion", 0.001, 20_000.0);
        let active = fields.number(problems, "active_parameters_billion", 0.001, 20_000.0);
        let architecture = match fields.object(problems, "architecture") {
            Some(inner) => read_architecture(inner, problems),
            None => None,
        };
        let configuration = read_configuration(&mut fields, problems);
        // an echoed request says where its architecture came from
        let model_type = fields.text(problems, "model_type").map(str::to_owned);
        let failed = problems.len() > before;
        fields.finish(problems);
        let given = usize::from(preset.is_some())
            + usize::from(size.is_some())
            + usize::from(architecture.is_some())
            + usize::from(configuration.is_some());
        if given > 1 {
            let message = "`model` is given in several ways; keep one of `preset`, `parameters_billion`, `architecture`, `huggingface`";
            problems.push(FieldProblem::new(pointer, "ambiguous", message));
            return None;
        }
        if let (Some(total), Some(part)) = (size, active)
            && part > total
        {
            let message = format!("`active_parameters_billion` is {part}, more than all {total}; use at most {total}");
            problems.push(FieldProblem::new(format!("{pointer}/active_parameters_billion"), "out_of_range", message));
            return None;
        }
        let choice = preset
            .map(|preset| Self::Preset { preset })
            .or(architecture.map(|a| Self::Architecture { architecture: Box::new(a), model_type }))
            .or(configuration)
            .or(size.map(|parameters_billion| Self::Size { parameters_billion, active_parameters_billion: active }));
        if choice.is_none() && !failed {
            let message = "`model` is empty; give `preset` (such as llama-3.1-70b), `parameters_billion`, `architecture` or `huggingface`";
            problems.push(FieldProblem::new(pointer, "required", message));
        }
        choice
    }
}

/// A pasted `config.json`, as an object or as its text.
fn read_configuration(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<ModelChoice> {
    let pointer = fields.pointer("huggingface");
    let parsed;
    let config = match fields.value("huggingface")? {
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(value) => {
                parsed = value;
                &parsed
            }
            Err(why) => {
                let message = format!("`huggingface` is not JSON ({why}); paste the whole config.json");
                problems.push(FieldProblem::new(pointer, "wrong_type", message));
                return None;
            }
        },
        value => value,
    };
    match from_huggingface(config) {
        Ok(read) => Some(ModelChoice::Architecture {
            architecture: Box::new(read.architecture),
            model_type: Some(read.model_type),
        }),
        Err(problem) => {
            problems.extend(problem.errors);
            None
        }
    }
}

fn read_architecture(mut fields: Fields<'_>, problems: &mut Problems) -> Option<Architecture> {
    let before = problems.len();
    let required = |fields: &mut Fields<'_>, problems: &mut Problems, key: &'static str, max: u64| -> u32 {
        let known = problems.len();
        let value = fields.integer(problems, key, 1, max);
        if value.is_none() && problems.len() == known {
            let message =
                format!("`{key}` is missing; an architecture needs layers, hidden, heads, kv_heads, ffn and vocab");
            problems.push(FieldProblem::new(fields.pointer(key), "required", message));
        }
        value.unwrap_or(1) as u32
    };
    let layers = required(&mut fields, problems, "layers", 2_000);
    let hidden = required(&mut fields, problems, "hidden", 1 << 20);
    let heads = required(&mut fields, problems, "heads", 4_096);
    let kv_heads = fields.integer(problems, "kv_heads", 1, 4_096).map_or(heads, |k| k as u32);
    let head_dim = fields.integer(problems, "head_dim", 1, 8_192).map(|n| n as u32);
    let ffn = required(&mut fields, problems, "ffn", 1 << 22);
    let vocab = required(&mut fields, problems, "vocab", 16_000_000);
    let gated_ffn = fields.boolean(problems, "gated_ffn").unwrap_or(true);
    let tied_embeddings = fields.boolean(problems, "tied_embeddings").unwrap_or(false);
    let moe = read_experts(&mut fields, problems, ffn);
    let low_rank_attention = fields.object(problems, "low_rank_attention").map(|inner| read_low_rank(inner, problems));
    let window = fields.object(problems, "window").map(|inner| read_window(inner, problems));
    let norms = [Norm::Rms, Norm::Layer, Norm::LayerNoBias, Norm::Parameterless];
    let norm = fields.choice(problems, "norm", &norms, norm_id).unwrap_or_default();
    let norms_per_layer = fields.integer(problems, "norms_per_layer", 0, 8).map_or(2, |n| n as u32);
    let qk_norms = [QkNorm::None, QkNorm::PerHeadDim, QkNorm::FullProjection];
    let qk_norm = fields.choice(problems, "qk_norm", &qk_norms, qk_norm_id).unwrap_or_default();
    let biases = fields.object(problems, "biases").map(|inner| read_biases(inner, problems)).unwrap_or_default();
    let attention_sinks = fields.boolean(problems, "attention_sinks").unwrap_or(false);
    let learned_positions = fields.integer(problems, "learned_positions", 0, 100_000_000).map_or(0, |n| n as u32);
    let embedding_norm = fields.boolean(problems, "embedding_norm").unwrap_or(false);
    let embedding_width = fields.integer(problems, "embedding_width", 1, 1 << 20).map(|n| n as u32);
    let no_final_norm = fields.boolean(problems, "no_final_norm").unwrap_or(false);
    let pointer = fields.pointer("");
    fields.finish(problems);
    if problems.len() > before {
        return None;
    }
    let head_dim = match head_dim {
        Some(n) => n,
        None if hidden % heads == 0 => hidden / heads,
        None => {
            let message =
                format!("`heads` {heads} does not divide `hidden` {hidden}; correct one of them, or give `head_dim`");
            problems.push(FieldProblem::new(format!("{pointer}heads"), "does_not_divide", message));
            return None;
        }
    };
    let architecture = Architecture {
        layers,
        hidden,
        heads,
        kv_heads,
        head_dim,
        ffn,
        vocab,
        gated_ffn,
        tied_embeddings,
        moe,
        low_rank_attention,
        window,
        norm,
        norms_per_layer,
        qk_norm,
        biases,
        attention_sinks,
        learned_positions,
        embedding_norm,
        embedding_width,
        no_final_norm,
    };
    let wrong = architecture.check(pointer.trim_end_matches('/'));
    if wrong.is_empty() {
        return Some(architecture);
    }
    problems.extend(wrong);
    None
}

fn read_experts(fields: &mut Fields<'_>, problems: &mut Problems, ffn: u32) -> Option<MixtureOfExperts> {
    let experts = fields.integer(problems, "experts", 0, 100_000).unwrap_or(0) as u32;
    let per_token = fields.integer(problems, "experts_per_token", 1, 100_000).map(|n| n as u32);
    let expert_ffn = fields.integer(problems, "expert_ffn", 1, 1 << 22).map_or(ffn, |n| n as u32);
    let shared_experts = fields.integer(problems, "shared_experts", 0, 1_000).unwrap_or(0) as u32;
    let shared_expert_ffn = fields.integer(problems, "shared_expert_ffn", 1, 1 << 22).map(|n| n as u32);
    let shared_expert_gate = fields.boolean(problems, "shared_expert_gate").unwrap_or(false);
    let dense_layers = fields.integer(problems, "dense_layers", 0, 2_000).unwrap_or(0) as u32;
    let every = fields.integer(problems, "every", 1, 2_000).unwrap_or(1) as u32;
    let expert_groups = fields.integer(problems, "expert_groups", 1, 100_000).unwrap_or(1) as u32;
    let groups_per_token = fields.integer(problems, "groups_per_token", 1, 100_000).unwrap_or(1) as u32;
    let router_bias = fields.boolean(problems, "router_bias").unwrap_or(false);
    let expert_bias = fields.boolean(problems, "expert_bias").unwrap_or(false);
    if experts == 0 {
        return None;
    }
    let experts_per_token = per_token.unwrap_or_else(|| {
        let message = "`experts_per_token` is missing; say how many of the experts one token uses";
        problems.push(FieldProblem::new(fields.pointer("experts_per_token"), "required", message));
        1
    });
    Some(MixtureOfExperts {
        experts,
        experts_per_token,
        expert_ffn,
        shared_experts,
        shared_expert_ffn,
        shared_expert_gate,
        dense_layers,
        every,
        expert_groups,
        groups_per_token,
        router_bias,
        expert_bias,
    })
}

fn read_low_rank(mut fields: Fields<'_>, problems: &mut Problems) -> LowRankAttention {
    let query_rank = fields.integer(problems, "query_rank", 1, 1 << 20).map(|n| n as u32);
    let mut width = |key, default: u32| fields.integer(problems, key, 1, 1 << 20).map_or(default, |n| n as u32);
    let read = LowRankAttention {
        query_rank,
        kv_rank: width("kv_rank", 512),
        rope_head_dim: width("rope_head_dim", 64),
        nope_head_dim: width("nope_head_dim", 128),
        value_head_dim: width("value_head_dim", 128),
    };
    fields.finish(problems);
    read
}

fn read_window(mut fields: Fields<'_>, problems: &mut Problems) -> AttentionWindow {
    let read = AttentionWindow {
        tokens: fields.integer(problems, "tokens", 1, 1 << 30).map_or(4_096, |n| n as u32),
        global_every: fields.integer(problems, "global_every", 0, 2_000).map_or(0, |n| n as u32),
        chunked: fields.boolean(problems, "chunked").unwrap_or(false),
    };
    fields.finish(problems);
    read
}

fn read_biases(mut fields: Fields<'_>, problems: &mut Problems) -> Biases {
    let mut flag = |key| fields.boolean(problems, key).unwrap_or(false);
    let read =
        Biases { qkv: flag("qkv"), attention_output: flag("attention_output"), ffn: flag("ffn"), head: flag("head") };
    fields.finish(problems);
    read
}

fn norm_id(norm: Norm) -> &'static str {
    match norm {
        Norm::Rms => "rms",
        Norm::Layer => "layer",
        Norm::LayerNoBias => "layer_no_bias",
        Norm::Parameterless => "parameterless",
    }
}

fn qk_norm_id(norm: QkNorm) -> &'static str {
    match norm {
        QkNorm::None => "none",
        QkNorm::PerHeadDim => "per_head_dim",
        QkNorm::FullProjection => "full_projection",
    }
}

/// Reads `model`, which is required.
pub(super) fn required_model(fields: &mut Fields<'_>, problems: &mut Problems) -> Option<ModelChoice> {
    let before = problems.len();
    let model = match fields.object(problems, "model") {
        Some(inner) => ModelChoice::read(inner, problems),
        None => None,
    };
    if model.is_none() && problems.len() == before {
        let example =
            if fields.form() == Form::Json { "{\"preset\": \"llama-3.1-70b\"}" } else { "model.preset=llama-3.1-70b" };
        let message = format!("`model` is missing; give one, such as {example}");
        problems.push(FieldProblem::new(fields.pointer("model"), "required", message));
    }
    model
}

/// Reads `software`: a stack sets what is absent.
pub(super) fn read_software(fields: &mut Fields<'_>, problems: &mut Problems) -> super::Software {
    use super::{AttentionKernel, Software, SoftwareStack};
    let Some(mut inner) = fields.object(problems, "software") else { return Software::default() };
    let stack =
        inner.choice(problems, "stack", SoftwareStack::ALL, SoftwareStack::id).unwrap_or(SoftwareStack::MegatronCore);
    let mut software = Software::of(stack);
    if let Some(kernel) = inner.choice(problems, "attention_kernel", AttentionKernel::ALL, AttentionKernel::id) {
        software.attention_kernel = kernel;
    }
    let mut set = |key, field: &mut bool| {
        if let Some(value) = inner.boolean(problems, key) {
            *field = value;
        }
    };
    set("compiled", &mut software.compiled);
    set("cuda_graphs", &mut software.cuda_graphs);
    set("fused_loss", &mut software.fused_loss);
    set("overlap_communication", &mut software.overlap_communication);
    set("sequence_parallel", &mut software.sequence_parallel);
    inner.finish(problems);
    software
}
