//! The supported values of `model_type`.

use super::reader::Reader;
use super::{decoder, experts, gpt, latent};
use crate::workload::Architecture;

/// Reads the configuration of one family.
type Family = fn(&mut Reader<'_>) -> Architecture;

const FAMILIES: &[(&str, Family)] = &[
    ("llama", decoder::llama),
    ("Yi", decoder::llama),
    ("smollm3", decoder::smollm3),
    ("granite", decoder::llama),
    ("mistral", decoder::mistral),
    ("ministral", decoder::ministral),
    ("qwen2", decoder::qwen2),
    ("qwen3", decoder::qwen3),
    ("gemma", decoder::gemma),
    ("gemma2", decoder::gemma2),
    ("gemma3_text", decoder::gemma3),
    ("phi", decoder::phi),
    ("phi3", decoder::phi3),
    ("olmo", decoder::olmo),
    ("olmo2", decoder::olmo2),
    ("cohere", decoder::cohere),
    ("cohere2", decoder::cohere2),
    ("internlm2", decoder::internlm2),
    ("stablelm", decoder::stablelm),
    ("starcoder2", decoder::starcoder2),
    ("nemotron", decoder::nemotron),
    ("glm", decoder::glm),
    ("glm4", decoder::glm4),
    ("gpt2", gpt::gpt2),
    ("gpt_neo", gpt::gpt_neo),
    ("gptj", gpt::gptj),
    ("gpt_neox", gpt::gpt_neox),
    ("gpt_bigcode", gpt::gpt_bigcode),
    ("mpt", gpt::mpt),
    ("bloom", gpt::bloom),
    ("falcon", gpt::falcon),
    ("RefinedWeb", gpt::falcon),
    ("RefinedWebModel", gpt::falcon),
    ("opt", gpt::opt),
    ("mixtral", experts::mixtral),
    ("qwen2_moe", experts::qwen2_moe),
    ("qwen3_moe", experts::qwen3_moe),
    ("olmoe", experts::olmoe),
    ("gpt_oss", experts::gpt_oss),
    ("dbrx", experts::dbrx),
    ("grok-1", experts::grok),
    ("llama4_text", experts::llama4),
    ("deepseek_v2", latent::deepseek_v2),
    ("deepseek_v3", latent::deepseek_v3),
    ("kimi_k2", latent::deepseek_v3),
];

/// Configurations that keep the text model in `text_config`, and its type where that is not said.
const WRAPPERS: &[(&str, &str)] = &[
    ("gemma3", "gemma3_text"),
    ("llama4", "llama4_text"),
    ("mistral3", "mistral"),
    ("kimi_vl", "deepseek_v3"),
    ("kimi_k25", "kimi_k2"),
];

/// The reader of a family.
pub(super) fn find(model_type: &str) -> Option<Family> {
    FAMILIES.iter().find(|(name, _)| name.eq_ignore_ascii_case(model_type)).map(|(_, family)| *family)
}

/// Whether the family keeps its text model in `text_config`.
pub(super) fn is_wrapper(model_type: &str) -> bool {
    text_type(model_type).is_some()
}

/// The type of the text model that a wrapper holds unless it says so.
pub(super) fn text_type(model_type: &str) -> Option<&'static str> {
    WRAPPERS.iter().find(|(name, _)| *name == model_type).map(|(_, text)| *text)
}

/// All supported names, for sentences.
pub(super) fn names() -> String {
    let all: Vec<&str> = all().collect();
    all.join(", ")
}

/// Why a name is not supported and which is nearest.
pub(super) fn unsupported(model_type: &str) -> String {
    let near = |name: &str| strsim::normalized_damerau_levenshtein(&name.to_lowercase(), &model_type.to_lowercase());
    let nearest = all().max_by(|a, b| near(a).total_cmp(&near(b))).unwrap_or("llama");
    format!(
        "model_type {model_type} is not supported; the nearest supported one is {nearest}. Supported: {}. \
         Any other model can be described as an architecture",
        names()
    )
}

fn all() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().map(|(name, _)| *name).chain(WRAPPERS.iter().map(|(name, _)| *name))
}
