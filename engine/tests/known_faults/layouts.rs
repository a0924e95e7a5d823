//! Group D: divisibility and legal layouts.

use super::support::{estimate, impossible};
use engine::EstimateRequest;
use engine::catalog::Catalog;
use engine::request::Form;
use serde_json::{Value, json};

fn with_heads(heads: u32, gpus: u32, layout: Value) -> Value {
    json!({
        "model": {"architecture": {"layers": 60, "hidden": heads * 128, "heads": heads, "kv_heads": heads, "head_dim": 128, "ffn": heads * 384, "vocab": 32000, "gated_ffn": true, "tied_embeddings": false}},
        "accelerator": "h100-sxm", "gpus": gpus, "context_length": 2_048, "global_batch_sequences": u64::from(gpus) * 12, "layout": layout,
    })
}

fn refusal(heads: u32, gpus: u32, tensor: u32) -> String {
    let problem = impossible(with_heads(heads, gpus, json!({"tensor": tensor})));
    let found = problem.errors.into_iter().find(|e| e.pointer == "/layout/tensor");
    found.expect("the field is named").message
}

#[test]
fn case_051_fifty_two_heads_on_eight_devices() {
    let message = refusal(52, 8, 8);
    assert!(message.contains("52 heads") && message.contains("1, 2, 4"), "{message}");
    let chosen = estimate(with_heads(52, 32, json!({}))).layout;
    assert!(52 % chosen.tensor == 0 && chosen.tensor <= 8, "{chosen:?}");
}

#[test]
fn case_053_only_counts_that_divide_the_heads_are_chosen() {
    for (heads, gpus) in [(32, 8), (32, 24), (40, 40), (12, 24), (52, 16), (64, 48), (71, 8)] {
        let chosen = estimate(with_heads(heads, gpus, json!({}))).layout;
        assert_eq!(heads % chosen.tensor, 0, "{heads} heads on {gpus}: {chosen:?}");
        assert_eq!(chosen.tensor * chosen.pipeline * chosen.context * chosen.data, gpus);
    }
    for tensor in [3, 5] {
        assert!(refusal(32, 15, tensor).contains("legal are 1, 2, 4, 8"));
    }
}

#[test]
fn case_055_no_layer_is_dropped() {
    // 30 layers over 4 stages, and other counts: each device's weights, summed, hold the model at least once
    for (layers, stages) in [(30u32, 4u32), (31, 4), (22, 8), (61, 16)] {
        let architecture = json!({"layers": layers, "hidden": 1024, "heads": 8, "kv_heads": 8, "head_dim": 128, "ffn": 4096, "vocab": 128, "gated_ffn": true, "tied_embeddings": false});
        let e = estimate(json!({
            "model": {"architecture": architecture}, "accelerator": "h100-sxm", "gpus": stages, "context_length": 1_024,
            "global_batch_sequences": 64, "micro_batch_sequences": 1, "layout": {"tensor": 1, "pipeline": stages, "virtual_pipeline": 1, "context": 1},
        }));
        let held = e.memory_gib.weights * super::GIB / 2.0 * f64::from(stages);
        assert!(held >= e.parameters as f64 * 0.999, "{layers} over {stages}: {held} of {}", e.parameters);
    }
}

#[test]
fn case_057_a_refusal_lists_what_is_legal_and_another_way() {
    let message = refusal(64, 48, 3);
    assert!(
        message.contains("1, 2, 4, 8") && message.contains("64 heads") && message.contains("pipeline"),
        "{message}"
    );
}

/// Any preset: a degree that does not divide is refused with degrees that are then accepted.
#[test]
fn every_degree_that_is_called_legal_is_accepted() {
    let mut checked = 0;
    for model in &Catalog::get().models {
        let request = |tensor: u32| json!({"model": {"preset": model.id}, "accelerator": "h100-sxm", "gpus": 840, "context_length": 1024, "global_batch_sequences": 840, "layout": {"tensor": tensor, "pipeline": 1, "context": 1}});
        let refused = EstimateRequest::parse(&request(7), Form::Json).and_then(|r| engine::estimate(&r)).err();
        // seven divides the heads of some
        let Some(found) = refused.and_then(|p| p.errors.into_iter().find(|e| e.code == "does_not_divide")) else {
            continue;
        };
        checked += 1;
        let message = found.message;
        let Some((_, list)) = message.split_once("legal are ") else { continue };
        for legal in list.split(',').map_while(|n| n.trim().parse::<u32>().ok()) {
            if 840 % legal == 0 {
                assert_eq!(estimate(request(legal)).layout.tensor, legal, "{}", model.id);
            }
        }
    }
    assert!(checked > 20, "{checked}");
}
