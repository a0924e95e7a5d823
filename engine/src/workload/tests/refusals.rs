//! Configurations and architectures that are refused, in words that say what to do.

use super::{llama_8b, mixtral};
use crate::problem::FieldProblem;
use crate::workload::{Architecture, from_huggingface};
use serde_json::{Value, json};

fn llama() -> Value {
    json!({
        "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": false,
    })
}

fn refused(config: &Value) -> Vec<FieldProblem> {
    from_huggingface(config).expect_err("must be refused").errors
}

fn with(key: &str, value: Value) -> Vec<FieldProblem> {
    let mut config = llama();
    config[key] = value;
    refused(&config)
}

#[test]
fn a_missing_key_is_named_with_its_pointer() {
    for key in ["hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "vocab_size"] {
        let mut config = llama();
        config.as_object_mut().expect("an object").remove(key);
        let errors = refused(&config);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].pointer, format!("/model/huggingface/{key}"));
        assert_eq!(errors[0].code, "required");
        assert!(errors[0].message.contains(key), "{}", errors[0].message);
    }
}

#[test]
fn wrong_types_and_absurd_values_are_problems() {
    assert_eq!(with("hidden_size", json!("4096"))[0].code, "wrong_type");
    assert_eq!(with("hidden_size", json!([4096]))[0].code, "wrong_type");
    assert_eq!(with("tie_word_embeddings", json!("no"))[0].code, "wrong_type");
    for value in [json!(0), json!(-1), json!(1.5), json!(1e30), json!(u64::MAX)] {
        let errors = with("num_hidden_layers", value.clone());
        assert_eq!(errors[0].code, "out_of_range", "{value}");
        assert_eq!(errors[0].pointer, "/model/huggingface/num_hidden_layers");
    }
    let errors = with("num_hidden_layers", json!(5_000));
    assert_eq!(
        errors[0].message,
        "num_hidden_layers: layers 5000 is outside 1 to 1000; the nearest legal value is 1000"
    );
}

#[test]
fn every_bad_key_is_told_at_once() {
    let errors = refused(&json!({ "model_type": "llama", "hidden_size": "wide", "vocab_size": 0 }));
    let pointers: Vec<&str> = errors.iter().map(|e| e.pointer.rsplit('/').next().unwrap_or_default()).collect();
    for key in ["num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size", "vocab_size"] {
        assert!(pointers.contains(&key), "{key}: {pointers:?}");
    }
}

#[test]
fn key_value_heads_that_transformers_would_guess_must_be_said() {
    let mut config = llama();
    config["model_type"] = "mistral".into();
    config.as_object_mut().expect("an object").remove("num_key_value_heads");
    assert_eq!(refused(&config)[0].pointer, "/model/huggingface/num_key_value_heads");
}

#[test]
fn an_unknown_family_names_the_nearest() {
    let errors = with("model_type", json!("lama"));
    assert_eq!(errors[0].pointer, "/model/huggingface/model_type");
    assert!(errors[0].message.contains("the nearest supported one is llama."), "{}", errors[0].message);
    assert!(errors[0].message.contains("deepseek_v3"), "{}", errors[0].message);
    let errors = with("model_type", json!("qwen3_mo"));
    assert!(errors[0].message.contains("the nearest supported one is qwen3_moe."), "{}", errors[0].message);
    assert_eq!(with("model_type", Value::Null)[0].code, "required");
    assert_eq!(with("model_type", json!(3))[0].code, "wrong_type");
    assert_eq!(refused(&json!([1, 2]))[0].pointer, "/model/huggingface");
    assert_eq!(refused(&json!({ "model_type": "gemma3" }))[0].pointer, "/model/huggingface/text_config");
}

#[test]
fn heads_that_do_not_divide_are_told_in_their_words() {
    let errors = with("num_key_value_heads", json!(7));
    assert_eq!(errors[0].pointer, "/model/huggingface/num_key_value_heads");
    assert_eq!(errors[0].code, "does_not_divide");
    let said = "num_key_value_heads: kv_heads 7 does not divide heads 32; use one of 1, 2, 4, 8, 16, 32";
    assert_eq!(errors[0].message, said);
    assert_eq!(with("num_attention_heads", json!(33))[0].pointer, "/model/huggingface/num_attention_heads");
}

#[test]
fn experts_must_be_told_apart_from_dense_layers() {
    let config = json!({
        "model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 48,
        "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128, "vocab_size": 151936,
        "moe_intermediate_size": 768, "num_experts": 128, "num_experts_per_tok": 8, "mlp_only_layers": [3, 7],
    });
    assert_eq!(refused(&config)[0].pointer, "/model/huggingface/mlp_only_layers");
}

/// Case 57: the refusal lists the legal values. Case 51: 52 heads.
#[test]
fn a_check_lists_the_divisors() {
    let mut architecture = llama_8b();
    (architecture.hidden, architecture.heads, architecture.kv_heads) = (8_192, 64, 7);
    let errors = architecture.check("/model/architecture");
    assert_eq!(errors[0].pointer, "/model/architecture/kv_heads");
    assert_eq!(errors[0].message, "kv_heads 7 does not divide heads 64; use one of 1, 2, 4, 8, 16, 32, 64");
    (architecture.hidden, architecture.heads, architecture.kv_heads) = (6_656, 52, 8);
    let errors = architecture.check("/model/architecture");
    assert_eq!(errors[0].message, "kv_heads 8 does not divide heads 52; use one of 1, 2, 4, 13, 26, 52");
}

/// Case 35: GPT-3 13B with the misprinted width 5140 beside 40 heads of 128.
#[test]
fn a_misprinted_width_is_pointed_at() {
    let mut architecture = Architecture::dense(40, 5_140, 40, 40, 20_560, 50_257);
    architecture.head_dim = 128;
    let errors = architecture.check("/model/architecture");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].pointer, "/model/architecture/hidden");
    assert!(errors[0].message.contains("use 5120, or 5144"), "{}", errors[0].message);
}

#[test]
fn experts_are_checked() {
    let mut architecture = mixtral();
    if let Some(moe) = &mut architecture.moe {
        (moe.experts_per_token, moe.dense_layers, moe.every) = (9, 33, 0);
    }
    let fields: Vec<String> = architecture.check("").into_iter().map(|e| e.pointer).collect();
    assert_eq!(fields, ["/experts_per_token", "/dense_layers", "/every"]);
}

#[test]
fn half_a_mixture_of_experts_is_not_read_as_dense() {
    let base = r#""layers":2,"hidden":64,"heads":4,"kv_heads":4,"ffn":128,"vocab":512,"gated_ffn":true,"tied_embeddings":true"#;
    let read =
        |more: &str| serde_json::from_str::<Architecture>(&format!("{{{base}{more}}}")).map_err(|e| e.to_string());
    assert_eq!(read("").map(|a| a.head_dim), Ok(16));
    assert!(read(r#","experts":8"#).is_err_and(|e| e.contains("experts_per_token is required")));
    assert!(read(r#","experts_per_token":2"#).is_err_and(|e| e.contains("without experts")));
    assert!(read(r#","expert":8"#).is_err_and(|e| e.contains("unknown field")));
    assert!(read(r#","experts":8,"experts_per_token":2,"expert_ffn":32"#).is_ok_and(|a| a.moe.is_some()));
}
