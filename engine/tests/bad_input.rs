//! Bad input: each refusal names the field, the value and the remedy.

mod support;

use engine::problem::FieldProblem;
use engine::request::{plan_request_from_pairs, plan_request_to_pairs};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{refused, request};

fn with(key: &str, value: Value) -> Value {
    let mut request = json!({"model": {"preset": "llama-3.1-70b"}});
    request[key] = value;
    request
}

#[test]
fn each_kind_of_bad_value_is_named() {
    let cases = [
        (with("training_tokens", json!(-5)), "/training_tokens", "out_of_range", "-5"),
        (with("training_tokens", json!("NaN")), "/training_tokens", "wrong_type", "NaN"),
        (with("training_tokens", json!(1e30)), "/training_tokens", "out_of_range", "1000000000000000"),
        (with("context_length", json!(true)), "/context_length", "wrong_type", "number"),
        (with("context_length", json!(8192.5)), "/context_length", "not_whole", "whole"),
        (with("utilization", json!(70)), "/utilization", "out_of_range", "0.7"),
        (with("precision", json!("bf-16")), "/precision", "unknown_id", "did you mean `bf16`"),
        (with("accelerators", json!(["h100"])), "/accelerators/0", "unknown_id", "did you mean"),
        (with("acquisition", json!("buy")), "/acquisition", "wrong_type", "list"),
        (with("budget", json!(5)), "/budget", "unknown_key", "did you mean `budget_usd`"),
        (with("overrides", json!({"pue": 0.5})), "/overrides/pue", "out_of_range", "1 to 5"),
        (
            with("overrides", json!({"gpu_hour_usd": {"aws": {"b200": 0}}})),
            "/overrides/gpu_hour_usd/aws/b200",
            "out_of_range",
            "0",
        ),
        (
            with("overrides", json!({"topology": "fattree"})),
            "/overrides/topology",
            "unknown_id",
            "did you mean `fat_tree`",
        ),
        (with("overrides", json!({"topology": 3})), "/overrides/topology", "wrong_type", "text"),
        (with("overrides", json!({"oversubscription": 0.5})), "/overrides/oversubscription", "out_of_range", "1 to 32"),
        (with("overrides", json!({"rack_kw": 0})), "/overrides/rack_kw", "out_of_range", "0.5 to 1000"),
        (with("overrides", json!({"oversubscripton": 2})), "/overrides/oversubscripton", "unknown_key", "did you mean"),
        (json!({}), "/model", "required", "llama-3.1-70b"),
        (json!({"model": {}}), "/model", "required", "preset"),
        (json!({"model": {"preset": "lama-70b"}}), "/model/preset", "unknown_id", "did you mean `llama-"),
        (json!({"model": {"preset": "llama-3.1-70b", "parameters_billion": 7}}), "/model", "ambiguous", "keep one"),
        (
            json!({"model": {"architecture": {"layers": 32, "hidden": 4096, "heads": 48, "ffn": 11008, "vocab": 32000}}}),
            "/model/architecture/heads",
            "does_not_divide",
            "48",
        ),
        (
            json!({"model": {"architecture": {"layers": 32, "hidden": 4096, "heads": 64, "kv_heads": 7, "ffn": 11008, "vocab": 32000}}}),
            "/model/architecture/kv_heads",
            "does_not_divide",
            "1, 2, 4, 8, 16, 32, 64",
        ),
        (json!({"model": {"preset": "gpt-3-175b"}, "context_length": 8192}), "/context_length", "out_of_range", "2048"),
    ];
    for (request, pointer, code, words) in cases {
        let problem = refused(request.clone());
        let found = problem.errors.iter().find(|e| e.pointer == pointer);
        let found = found.unwrap_or_else(|| panic!("{request}: {problem:?}"));
        assert_eq!(found.code, code, "{request}: {found:?}");
        assert!(found.message.contains(words), "{request}: {}", found.message);
    }
}

/// The problem with one field of an address.
fn refused_text(key: &str, text: &str) -> FieldProblem {
    let problem = plan_request_from_pairs([("model.preset", "llama-3.1-70b"), (key, text)]).expect_err(text);
    assert_eq!(problem.errors.len(), 1, "{problem:?}");
    problem.errors[0].clone()
}

#[test]
fn messages_for_people_write_numbers_as_people_do() {
    let cases = [
        ("utilization", "150", "`utilization` is 150 %, above 100 %: use 1 % to 100 %"),
        ("utilization", "150%", "`utilization` is 150 %, above 100 %: use 1 % to 100 %"),
        ("utilization", "1.5e2", "`utilization` is 150 %, above 100 %: use 1 % to 100 %"),
        ("utilization", "0", "`utilization` is 0 %, below 1 %: use 1 % to 100 %"),
        ("utilization", "-5", "`utilization` is -5 %, below 1 %: use 1 % to 100 %"),
        (
            "utilization",
            "most",
            "`utilization` can't be read: `most` is not a number; write a number such as 70%, 70 or 0.7",
        ),
        ("demand_growth_per_month", "-60", "`demand_growth_per_month` is -60 %, below -50 %: use -50 % to 100 %"),
        ("context_length", "5", "`context_length` is 5, below 512: use 512 to 10,485,760"),
        ("context_length", "64M", "`context_length` is 67,108,864, above 10,485,760: use 512 to 10,485,760"),
        ("max_gpus", "10.5M", "`max_gpus` is 10.5M, above 131,072: use 1 to 131,072"),
        ("max_gpus", "1,024.5", "`max_gpus` is 1,024.5; it is a whole number: write 1,025"),
        ("budget_usd", "$5000T", "`budget_usd` is 5,000T, above 1T: use 1 to 1T"),
    ];
    for (key, text, message) in cases {
        assert_eq!(refused_text(key, text).message, message, "{key}={text}");
    }
}

#[test]
fn a_share_in_an_address_may_be_in_percent() {
    for (text, share) in [("0.7", 0.7), ("70", 0.7), ("70%", 0.7), ("1", 1.0), ("100", 1.0), ("1%", 0.01)] {
        let request = plan_request_from_pairs([("model.preset", "llama-3.1-70b"), ("utilization", text)]);
        assert_eq!(request.map(|r| r.utilization), Ok(share), "{text}");
    }
    let growth = plan_request_from_pairs([("model.preset", "llama-3.1-70b"), ("demand_growth_per_month", "5")]);
    assert_eq!(growth.map(|r| r.demand_growth_per_month), Ok(0.05));
    // JSON stays a share from 0 to 1
    for share in [1.5, 70.0, 100.0, 150.0] {
        assert_eq!(refused(with("utilization", json!(share))).errors[0].code, "out_of_range", "{share}");
    }
    assert_eq!(refused(with("utilization", json!("70"))).errors[0].code, "wrong_type");
}

#[test]
fn all_bad_fields_are_reported_at_once() {
    let problem = refused(json!({"model": {"preset": "x"}, "training_tokens": -1, "utilization": "a", "nonsense": 1}));
    assert_eq!(problem.errors.len(), 4, "{problem:?}");
}

#[test]
fn what_is_not_an_object_is_refused() {
    for value in [json!(null), json!([]), json!(3), json!("text")] {
        assert_eq!(refused(value).errors[0].code, "wrong_type");
    }
}

#[test]
fn query_pairs_read_what_people_write() {
    let read = plan_request_from_pairs([
        ("model.preset", "llama-3.1-70b"),
        ("training_tokens", "1.5T"),
        ("context_length", "8k"),
        ("budget_usd", "$5M"),
        ("utilization", "70%"),
        ("acquisition", "buy"),
        ("acquisition", "on_demand"),
        ("_", "123"),
        ("deadline_days", ""),
        ("overrides.gpu_hour_usd.aws.b200", "9.5"),
    ])
    .unwrap_or_else(|p| panic!("{p:?}"));
    assert_eq!((read.training_tokens, read.context_length), (1_500_000_000_000, 8_192));
    assert_eq!((read.budget_usd, read.utilization, read.deadline_days), (Some(5e6), 0.7, None));
    assert_eq!(read.acquisition.len(), 2);
    assert_eq!(read.overrides.gpu_hour_usd["aws"]["b200"], 9.5);
}

#[test]
fn an_address_is_read_back_as_the_same_request() {
    let requests = [
        json!({"model": {"preset": "llama-3.1-70b"}}),
        json!({"model": {"preset": "deepseek-v3"}, "precision": "fp8", "utilization": 0.55, "acquisition": ["buy", "spot"], "region": "us-texas"}),
        json!({"model": {"parameters_billion": 13.5}, "software": {"stack": "pytorch-fsdp"}, "method": "lora"}),
        json!({"model": {"architecture": {"layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "ffn": 14336, "vocab": 128256, "gated_ffn": true, "tied_embeddings": false, "experts": 8, "experts_per_token": 2, "window": {"tokens": 4096, "global_every": 2}, "biases": {"qkv": true}}},
            "overrides": {"pue": 1.2, "server_usd": {"b200": 400000}, "gpu_hour_usd": {"aws": {"b200": 10}}}}),
        json!({"model": {"preset": "llama-3.1-8b"}, "overrides": {"topology": "rail_optimized", "oversubscription": 2, "rack_kw": 40}}),
    ];
    for value in requests {
        let first = request(value);
        let pairs = plan_request_to_pairs(&first);
        let again = plan_request_from_pairs(pairs.clone()).unwrap_or_else(|p| panic!("{pairs:?}: {p:?}"));
        assert_eq!(again, first, "{pairs:?}");
    }
    // a value that is the default of the model alone, but not with this method and stack
    let values = json!({"model": {"preset": "llama-3.1-8b"}, "method": "lora", "training_tokens": 160_000_000_000_u64,
        "global_batch_tokens": 4_194_304, "software": {"stack": "deepspeed", "compiled": true}});
    let first = request(values);
    assert_eq!(plan_request_from_pairs(plan_request_to_pairs(&first)), Ok(first));
    // defaults are left out
    let pairs = plan_request_to_pairs(&request(json!({"model": {"preset": "llama-3.1-70b"}})));
    assert_eq!(pairs, [("model.preset".to_owned(), "llama-3.1-70b".to_owned())]);
}

#[test]
fn a_pasted_configuration_becomes_an_architecture() {
    let config = json!({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 128256, "tie_word_embeddings": false});
    let as_object = request(json!({"model": {"huggingface": config}}));
    let as_text = request(json!({"model": {"huggingface": config.to_string()}}));
    assert_eq!(as_object, as_text);
    // the echoed request is read back
    let echoed = serde_json::to_value(&as_object).expect("writes");
    assert_eq!(request(echoed), as_object);
    let problem = refused(json!({"model": {"huggingface": "{not json"}}));
    assert_eq!(problem.errors[0].pointer, "/model/huggingface");
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        prop::sample::select(vec!["bf16", "llama-3.1-70b", "b200", "aws", "buy"]).prop_map(Value::from),
    ];
    let key = prop::sample::select(vec![
        "model",
        "preset",
        "architecture",
        "layers",
        "hidden",
        "heads",
        "parameters_billion",
        "context_length",
        "training_tokens",
        "overrides",
        "pue",
        "server_usd",
        "accelerators",
        "software",
        "stack",
        "huggingface",
        "model_type",
        "utilization",
        "x/~y",
    ]);
    leaf.prop_recursive(4, 32, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..6).prop_map(|pairs| pairs
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v))
                .collect::<serde_json::Map<_, _>>()
                .into()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Any JSON is a request or a problem with at least one field; nothing panics.
    #[test]
    fn any_json_is_a_request_or_a_problem(value in any_json()) {
        for form in [engine::request::Form::Json, engine::request::Form::Text] {
            if let Err(problem) = engine::PlanRequest::parse(&value, form) {
                prop_assert!(!problem.errors.is_empty() && problem.errors.iter().all(|e| !e.message.is_empty()));
            }
            if let Err(problem) = engine::EstimateRequest::parse(&value, form) {
                prop_assert!(!problem.errors.is_empty());
            }
        }
    }

    /// Any pairs are a request or a problem.
    #[test]
    fn any_pairs_are_a_request_or_a_problem(pairs in prop::collection::vec(("[a-z_.]{0,20}", ".{0,12}"), 0..8)) {
        if let Err(problem) = plan_request_from_pairs(pairs.clone()) {
            prop_assert!(!problem.errors.is_empty());
        }
    }
}
