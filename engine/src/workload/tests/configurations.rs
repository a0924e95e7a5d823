//! Hugging Face configurations of every family, each with the exact count of its checkpoint.

use crate::workload::{ModelShape, from_huggingface};
use serde_json::Value;

macro_rules! fixture {
    ($name:literal) => {
        include_str!(concat!("../../../tests/fixtures/", $name, ".json"))
    };
}

/// Name, parameters, configuration. Where a checkpoint has towers or an extra prediction layer, the count is
/// of the text model; that of minitron-4b is computed, the others are published.
const CONFIGURATIONS: &[(&str, u64, &str)] = &[
    ("bloom-176b", 176_247_271_424, fixture!("bloom-176b")),
    ("bloom-560m", 559_214_592, fixture!("bloom-560m")),
    ("command-r", 34_980_831_232, fixture!("command-r")),
    ("command-r7b", 8_028_033_024, fixture!("command-r7b")),
    ("dbrx", 131_596_523_520, fixture!("dbrx")),
    ("deepseek-v2-lite", 15_706_484_224, fixture!("deepseek-v2-lite")),
    ("deepseek-v3", 671_026_419_200, fixture!("deepseek-v3")),
    ("falcon-180b", 179_522_565_120, fixture!("falcon-180b")),
    ("falcon-40b-refinedweb", 41_303_293_952, fixture!("falcon-40b-refinedweb")),
    ("falcon-7b", 6_921_720_704, fixture!("falcon-7b")),
    ("falcon-rw-1b", 1_311_625_216, fixture!("falcon-rw-1b")),
    ("gemma-2-2b", 2_614_341_888, fixture!("gemma-2-2b")),
    ("gemma-3-1b", 999_885_952, fixture!("gemma-3-1b")),
    ("gemma-3-27b", 27_009_346_304, fixture!("gemma-3-27b")),
    ("gemma-3-4b", 3_880_263_168, fixture!("gemma-3-4b")),
    ("gemma-7b", 8_537_680_896, fixture!("gemma-7b")),
    ("glm-4-9b-0414", 9_400_279_040, fixture!("glm-4-9b-0414")),
    ("glm-4-9b-hf", 9_399_951_360, fixture!("glm-4-9b-hf")),
    ("gpt-j-6b", 6_050_882_784, fixture!("gpt-j-6b")),
    ("gpt-neo-1.3b", 1_315_575_808, fixture!("gpt-neo-1.3b")),
    ("gpt-neox-20b", 20_554_567_680, fixture!("gpt-neox-20b")),
    ("gpt-oss-120b", 116_829_156_672, fixture!("gpt-oss-120b")),
    ("gpt2", 124_439_808, fixture!("gpt2")),
    ("granite-3.3-8b", 8_170_864_640, fixture!("granite-3.3-8b")),
    ("grok-1", 315_684_820_992, fixture!("grok-1")),
    ("internlm2-7b", 7_737_708_544, fixture!("internlm2-7b")),
    ("kimi-k2", 1_026_408_232_448, fixture!("kimi-k2")),
    ("llama-2-7b", 6_738_415_616, fixture!("llama-2-7b")),
    ("llama-3.1-8b", 8_030_261_248, fixture!("llama-3.1-8b")),
    ("llama-4-maverick", 400_711_848_960, fixture!("llama-4-maverick")),
    ("llama-4-scout", 107_769_861_120, fixture!("llama-4-scout")),
    ("ministral-8b", 8_019_808_256, fixture!("ministral-8b")),
    ("minitron-4b", 4_190_509_056, fixture!("minitron-4b")),
    ("mistral-7b-v0.3", 7_248_023_552, fixture!("mistral-7b-v0.3")),
    ("mixtral-8x7b", 46_702_792_704, fixture!("mixtral-8x7b")),
    ("mpt-7b", 6_649_286_656, fixture!("mpt-7b")),
    ("olmo-2-7b", 7_298_617_344, fixture!("olmo-2-7b")),
    ("olmo-7b", 6_888_095_744, fixture!("olmo-7b")),
    ("olmoe-1b-7b", 6_919_161_856, fixture!("olmoe-1b-7b")),
    ("opt-125m", 125_239_296, fixture!("opt-125m")),
    ("opt-350m", 331_196_416, fixture!("opt-350m")),
    ("phi-2", 2_779_683_840, fixture!("phi-2")),
    ("phi-3-mini", 3_821_079_552, fixture!("phi-3-mini")),
    ("phi-4-mini", 3_836_021_760, fixture!("phi-4-mini")),
    ("pythia-70m", 70_426_624, fixture!("pythia-70m")),
    ("qwen1.5-moe-a2.7b", 14_315_784_192, fixture!("qwen1.5-moe-a2.7b")),
    ("qwen2.5-0.5b", 494_032_768, fixture!("qwen2.5-0.5b")),
    ("qwen2.5-72b", 72_706_203_648, fixture!("qwen2.5-72b")),
    ("qwen3-30b-a3b", 30_532_122_624, fixture!("qwen3-30b-a3b")),
    ("qwen3-4b", 4_022_468_096, fixture!("qwen3-4b")),
    ("smollm3-3b", 3_075_098_624, fixture!("smollm3-3b")),
    ("stablelm-2-1.6b", 1_644_515_328, fixture!("stablelm-2-1.6b")),
    ("starcoder", 15_517_456_384, fixture!("starcoder")),
    ("starcoder2-3b", 3_030_371_328, fixture!("starcoder2-3b")),
    ("yi-6b", 6_061_035_520, fixture!("yi-6b")),
];

fn config(name: &str) -> Value {
    let (_, _, text) = CONFIGURATIONS.iter().find(|(n, ..)| *n == name).expect(name);
    serde_json::from_str(text).expect(name)
}

#[test]
fn counts_equal_the_checkpoints() {
    assert!(CONFIGURATIONS.len() >= 50);
    for (name, parameters, text) in CONFIGURATIONS {
        let config: Value = serde_json::from_str(text).expect(name);
        let model = from_huggingface(&config).expect(name);
        assert_eq!(ModelShape::of(&model.architecture).parameters, *parameters, "{name}");
        assert_eq!(model.unknown, Vec::<String>::new(), "{name}");
        assert!(model.max_context.is_none_or(|context| context >= 1_024), "{name}");
        assert_eq!(model.architecture.check(""), [], "{name}");
    }
}

/// The head of Falcon is stored beside the embedding; the loader ties it by default, and the key tells.
#[test]
fn tying_follows_the_key_and_names_the_default() {
    let mut falcon = config("falcon-7b");
    let model = from_huggingface(&falcon).expect("readable");
    assert!(
        model.notes.iter().any(|note| note.contains("tie_word_embeddings is not given: true")),
        "{:?}",
        model.notes
    );
    falcon["tie_word_embeddings"] = false.into();
    let model = from_huggingface(&falcon).expect("readable");
    assert_eq!(ModelShape::of(&model.architecture).parameters, 7_217_189_760);
}

/// Without `tie_word_embeddings`, Llama has a separate head and Gemma has none.
#[test]
fn the_default_of_tying_is_the_family_s() {
    for (name, tied) in
        [("llama-3.1-8b", false), ("qwen2.5-72b", false), ("gemma-2-2b", true), ("gpt2", true), ("opt-125m", true)]
    {
        let mut config = config(name);
        config.as_object_mut().expect("an object").remove("tie_word_embeddings");
        let model = from_huggingface(&config).expect(name);
        assert_eq!(model.architecture.tied_embeddings, tied, "{name}");
        let named = model.notes.iter().any(|note| note.contains("tie_word_embeddings"));
        assert!(named, "{name}: {:?}", model.notes);
    }
}

#[test]
fn unknown_keys_are_named_and_ignored_ones_listed() {
    let mut config = config("llama-3.1-8b");
    config["mystery_width"] = 7.into();
    let model = from_huggingface(&config).expect("readable");
    assert_eq!(model.unknown, ["mystery_width"]);
    for key in ["torch_dtype", "rope_theta", "rope_scaling", "architectures"] {
        assert!(model.ignored.contains(&key.to_owned()), "{key}: {:?}", model.ignored);
    }
    assert_eq!(model.max_context, Some(131_072));
}

#[test]
fn left_out_parts_are_said() {
    let said = |name: &str, part: &str| {
        let model = from_huggingface(&config(name)).expect(name);
        assert!(model.notes.iter().any(|note| note.contains(part)), "{name}: {:?}", model.notes);
    };
    said("deepseek-v3", "extra prediction layer is not counted");
    said("gemma-3-27b", "only the text model of gemma3");
    said("llama-4-scout", "only the text model of llama4");
    said("gpt-oss-120b", "quantization_config");
}

#[test]
fn windows_are_read() {
    let window = |name: &str| from_huggingface(&config(name)).expect(name).architecture.window;
    assert_eq!(window("gpt-oss-120b").map(|w| (w.tokens, w.global_every)), Some((128, 2)));
    assert_eq!(window("gemma-3-27b").map(|w| (w.tokens, w.global_every)), Some((1_024, 6)));
    assert_eq!(window("gemma-2-2b").map(|w| (w.tokens, w.global_every)), Some((4_096, 2)));
    assert_eq!(window("command-r7b").map(|w| (w.tokens, w.global_every)), Some((4_096, 4)));
    assert_eq!(window("llama-4-scout").map(|w| (w.tokens, w.global_every, w.chunked)), Some((8_192, 4, true)));
    assert_eq!(window("ministral-8b").map(|w| (w.tokens, w.global_every)), Some((32_768, 0)));
    assert_eq!(window("mistral-7b-v0.3"), None);
    assert_eq!(window("qwen2.5-0.5b"), None);
}

#[test]
fn a_wrapped_text_model_of_a_known_family_is_read() {
    let config = serde_json::json!({ "model_type": "llava", "text_config": config("llama-2-7b"), "vision_config": {} });
    let model = from_huggingface(&config).expect("readable");
    assert_eq!(ModelShape::of(&model.architecture).parameters, 6_738_415_616);
    assert_eq!(model.model_type, "llava");
}
