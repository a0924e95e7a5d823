//! Every preset against its published count.

use crate::workload::{Architecture, ModelShape};
use serde::Deserialize;

#[derive(Deserialize)]
struct Catalog {
    model: Vec<Preset>,
}

#[derive(Deserialize)]
struct Preset {
    id: String,
    published_parameters: Option<u64>,
    max_context: u64,
    architecture: Architecture,
}

fn presets() -> Vec<Preset> {
    let catalog: Catalog =
        toml::from_str(include_str!("../../../catalog/models.toml")).expect("models.toml is readable");
    catalog.model
}

fn shape(id: &str) -> ModelShape {
    let preset = presets().into_iter().find(|preset| preset.id == id).expect(id);
    ModelShape::of(&preset.architecture)
}

#[test]
fn counts_equal_the_published_checkpoints() {
    let mut compared = 0;
    for preset in presets() {
        let Some(published) = preset.published_parameters else { continue };
        assert_eq!(ModelShape::of(&preset.architecture).parameters, published, "{}", preset.id);
        compared += 1;
    }
    assert!(compared >= 45, "only {compared} presets name a published count");
}

/// The numbers that must not drift even if the catalog is edited.
#[test]
fn well_known_counts() {
    let known: &[(&str, u64)] = &[
        ("llama-3.1-405b", 405_853_388_800),
        ("llama-3.1-70b", 70_553_706_496),
        ("llama-3.1-8b", 8_030_261_248),
        ("llama-2-7b", 6_738_415_616),
        ("mixtral-8x7b", 46_702_792_704),
        ("deepseek-v3", 671_026_419_200),
        ("gemma-2-27b", 27_227_128_320),
        ("qwen3-235b-a22b", 235_093_634_560),
        ("gpt-oss-120b", 116_829_156_672),
        ("kimi-k2", 1_026_408_232_448),
        ("bloom-176b", 176_247_271_424),
        ("gpt-neox-20b", 20_554_567_680),
        ("grok-1", 315_684_820_992),
        ("llama-4-maverick", 400_711_848_960),
        // computed: no checkpoint is published
        ("gpt-3-175b", 174_604_259_328),
    ];
    for (id, parameters) in known {
        assert_eq!(shape(id).parameters, *parameters, "{id}");
    }
}

/// What the makers say a token uses, to the digits that they give.
#[test]
fn well_known_active_counts() {
    let billions = |parameters: u64| parameters as f64 / 1e9;
    let known: &[(&str, f64, f64)] = &[
        ("mixtral-8x7b", 12.88, 0.005),
        ("mixtral-8x22b", 39.15, 0.005),
        ("deepseek-v3", 37.55, 0.005),
        ("deepseek-v2", 21.4, 0.05),
        ("qwen3-235b-a22b", 22.2, 0.05),
        ("qwen3-30b-a3b", 3.35, 0.005),
        ("llama-4-scout", 17.2, 0.05),
        ("llama-4-maverick", 17.2, 0.05),
        ("kimi-k2", 32.9, 0.05),
        ("dbrx", 36.5, 0.05),
    ];
    for (id, active, tolerance) in known {
        let counted = billions(shape(id).active_parameters);
        assert!((counted - active).abs() <= *tolerance, "{id}: {counted} against {active}");
    }
    // OpenAI leaves the embedding out: 5.13 and 3.61 billion
    assert!((billions(shape("gpt-oss-120b").active_parameters_without_embedding()) - 5.13).abs() < 0.005);
    assert!((billions(shape("gpt-oss-20b").active_parameters_without_embedding()) - 3.61).abs() < 0.005);
}

#[test]
fn every_promised_preset_is_there() {
    let promised = "gpt-3-175b gpt-neox-20b opt-175b bloom-176b mpt-7b mpt-30b llama-2-7b llama-2-13b llama-2-70b \
        llama-3.1-8b llama-3.2-1b llama-3.2-3b llama-3.1-70b llama-3.1-405b llama-4-scout llama-4-maverick mistral-7b \
        mixtral-8x7b mixtral-8x22b qwen2.5-0.5b qwen2.5-1.5b qwen2.5-7b qwen2.5-14b qwen2.5-32b qwen2.5-72b qwen3-8b \
        qwen3-32b qwen3-30b-a3b qwen3-235b-a22b deepseek-v2 deepseek-v3 kimi-k2 gpt-oss-20b gpt-oss-120b gemma-2-9b \
        gemma-2-27b gemma-3-27b nemotron-4-340b falcon-180b olmo-2-32b tinyllama-1.1b phi-4 grok-1";
    let presets = presets();
    for id in promised.split_whitespace() {
        assert_eq!(presets.iter().filter(|preset| preset.id == id).count(), 1, "{id}");
    }
}

#[test]
fn presets_pass_their_own_check_and_survive_json() {
    for preset in presets() {
        assert_eq!(preset.architecture.check("/model/architecture"), [], "{}", preset.id);
        assert!(preset.max_context >= 1_024, "{}", preset.id);
        let json = serde_json::to_string(&preset.architecture).expect("an architecture is plain data");
        let back: Architecture = serde_json::from_str(&json).expect(&preset.id);
        assert_eq!(back, preset.architecture, "{}", preset.id);
    }
}

/// Llama 4 Maverick alternates dense and expert layers; every fourth sees all.
#[test]
fn order_names_the_kind_of_each_layer() {
    let shape = shape("llama-4-maverick");
    assert_eq!(shape.order.len(), 48);
    for (layer, kind) in shape.order.iter().enumerate() {
        let kind = &shape.kinds[usize::from(*kind)];
        assert_eq!(kind.has_experts, layer % 2 == 1, "layer {layer}");
        assert_eq!(kind.window == u64::MAX, layer % 4 == 3, "layer {layer}");
    }
    assert_eq!(shape.kinds.iter().map(|kind| kind.count).sum::<u32>(), 48);
    let first_experts = self::shape("deepseek-v3").order.iter().position(|kind| *kind == 1);
    assert_eq!(first_experts, Some(3));
}
