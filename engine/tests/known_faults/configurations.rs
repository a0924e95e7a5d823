//! Group B: parameter counts and configuration data.

use super::{GIB, near, placed};
use engine::catalog::Catalog;
use engine::workload::{Architecture, ModelShape, from_huggingface};
use serde_json::json;

fn count(model: &str) -> u64 {
    ModelShape::of(&Catalog::get().model(model).expect("a preset").architecture).parameters
}

#[test]
fn case_023_an_untied_head_is_counted() {
    assert_eq!(count("llama-3.1-8b"), 8_030_261_248);
    assert_eq!(count("llama-3.1-70b"), 70_553_706_496);
    assert_eq!(count("llama-2-7b"), 6_738_415_616);
    // the kind: for any model, untied is tied and vocabulary × hidden
    for model in &Catalog::get().models {
        let mut tied = model.architecture.clone();
        if tied.embedding_width.is_some() || tied.biases.head {
            continue;
        }
        tied.tied_embeddings = true;
        let mut untied = tied.clone();
        untied.tied_embeddings = false;
        let more = ModelShape::of(&untied).parameters - ModelShape::of(&tied).parameters;
        assert_eq!(more, u64::from(tied.vocab) * u64::from(tied.hidden), "{}", model.id);
    }
}

/// The A10 itself is not planned with; every entry that is has a source and a date, and a size as sold.
#[test]
fn case_025_memory_of_a_card_is_sourced() {
    let mut named = 0;
    for a in &Catalog::get().accelerators {
        assert!(!a.memory_gb.source.is_empty() && !a.memory_gb.date.is_empty(), "{}", a.id);
        let words: Vec<&str> = a.label.split_whitespace().collect();
        if let Some(said) = words.windows(2).find(|w| w[1] == "GB") {
            named += 1;
            assert_eq!(said[0], format!("{:.0}", a.memory_gb.value), "{}", a.label);
        }
    }
    assert!(named > 10);
}

#[test]
fn case_027_llama_7b_has_three_matrices() {
    let mut a = Architecture::dense(32, 4096, 32, 32, 11_008, 32_000);
    assert_eq!(ModelShape::of(&a).parameters, 6_738_415_616);
    let layer = ModelShape::of(&a).kinds[0].dense_ffn_parameters as f64 / (4096.0 * 4096.0);
    near(layer, 8.06, 0.001);
    a.gated_ffn = false;
    near(ModelShape::of(&a).kinds[0].dense_ffn_parameters as f64 / (4096.0 * 4096.0), 2.0 * 2.6875, 1e-9);
}

#[test]
fn case_029_weights_are_divided_once() {
    let e = placed("llama-3.1-70b", 64, 4_096, 1, "full", json!({"tensor": 8, "sharding": "full"}));
    near(e.memory_gib.weights, 2.05, 0.01);
}

/// The cache of an inference server is not planned; its bytes are still counted by key/value heads.
#[test]
fn case_031_key_value_cache_counts_grouped_heads() {
    let a = &Catalog::get().model("llama-3.1-70b").expect("a preset").architecture;
    near(a.kv_cache_bytes(8_192, 2.0), 2.68e9, 0.002);
    for model in &Catalog::get().models {
        let mut all_heads = model.architecture.clone();
        if all_heads.low_rank_attention.is_none() && all_heads.window.is_none() {
            all_heads.kv_heads = all_heads.heads;
            let ratio = all_heads.kv_cache_bytes(4_096, 2.0) / model.architecture.kv_cache_bytes(4_096, 2.0);
            near(ratio, f64::from(all_heads.heads) / f64::from(model.architecture.kv_heads), 1e-9);
        }
    }
}

/// Packed files are never read here: bytes are parameters × bytes of the format, so 4 bits would be half a byte each.
#[test]
fn case_033_bytes_come_from_parameters_not_from_stored_words() {
    let e = placed("gemma-3-27b", 1, 1_024, 1, "full", json!({"sharding": "none"}));
    near(e.memory_gib.weights * GIB, 2.0 * 27.0e9, 0.01);
}

#[test]
fn case_035_an_inconsistent_width_is_named() {
    let mut a = Architecture::dense(40, 5140, 40, 40, 20_560, 50_257);
    a.head_dim = 128;
    let problems = a.check("/model/architecture");
    let hidden = problems.iter().find(|p| p.pointer == "/model/architecture/hidden").expect("the field is named");
    assert!(hidden.message.contains("5120"), "{}", hidden.message);
    a.hidden = 5120;
    assert!(a.check("/model/architecture").is_empty());
}

/// The same from a `config.json`, where heads are said and their size isn't.
#[test]
fn case_035_in_a_config_json() {
    let config = json!({
        "model_type": "llama", "hidden_size": 5140, "num_hidden_layers": 40, "num_attention_heads": 40,
        "intermediate_size": 13824, "vocab_size": 32000, "tie_word_embeddings": false, "rms_norm_eps": 1e-5,
    });
    let read = from_huggingface(&config);
    let bad = read.map(|m| m.architecture.check("/model/architecture").len()).unwrap_or(1);
    assert!(bad > 0);
}
