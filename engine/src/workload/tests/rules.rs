//! Counting and FLOPs of single features, and the known faults of other tools.

use super::{llama_8b, mixtral};
use crate::workload::{Architecture, AttentionWindow, ModelShape};

fn parameters(architecture: &Architecture) -> u64 {
    ModelShape::of(architecture).parameters
}

/// Case 23: the untied head counts; other tools are low by exactly vocabulary × width.
#[test]
fn an_untied_head_counts() {
    let mut architecture = llama_8b();
    architecture.tied_embeddings = true;
    assert_eq!(parameters(&architecture), 7_504_924_672);
    assert_eq!(parameters(&llama_8b()) - parameters(&architecture), 525_336_576);
}

/// Case 27: Llama 7B has three matrices of 2.6875 h, 8.06 h² a layer.
#[test]
fn a_gated_feed_forward_has_three_matrices() {
    let shape = ModelShape::of(&Architecture::dense(32, 4_096, 32, 32, 11_008, 32_000));
    assert_eq!(shape.parameters, 6_738_415_616);
    let h2 = 4_096.0 * 4_096.0;
    assert!((shape.kinds[0].dense_ffn_parameters as f64 / h2 - 8.0625).abs() < 1e-9);
}

/// Case 31: the key/value cache follows the groups, not the query heads.
#[test]
fn the_cache_follows_the_groups() {
    let llama = Architecture::dense(80, 8_192, 64, 8, 28_672, 128_256);
    assert_eq!(llama.kv_cache_bytes(8_192, 2.0), 2.0 * 8_192.0 * 80.0 * 8.0 * 128.0 * 2.0);
}

/// Case 19: all experts are resident, two of eight are used.
#[test]
fn active_and_resident_experts_differ() {
    let shape = ModelShape::of(&mixtral());
    assert_eq!(shape.parameters, 46_702_792_704);
    assert_eq!(shape.active_parameters, 12_879_925_248);
}

/// Matmul FLOPs are 2 for each weight but the embedding's and the norms', head included.
#[test]
fn forward_flops_of_a_dense_model() {
    let shape = ModelShape::of(&llama_8b());
    let norms = 65 * 4_096;
    let weights = shape.parameters - shape.embedding_parameters - norms;
    assert_eq!(shape.forward_matmul_flops_per_token(), 2.0 * weights as f64);
    // a tied head is multiplied with all the same
    let mut tied = llama_8b();
    tied.tied_embeddings = true;
    assert_eq!(ModelShape::of(&tied).forward_matmul_flops_per_token(), 2.0 * weights as f64);
    // biases cost no matmul
    let mut biased = llama_8b();
    (biased.biases.qkv, biased.biases.ffn, biased.biases.head) = (true, true, true);
    assert_eq!(ModelShape::of(&biased).forward_matmul_flops_per_token(), 2.0 * weights as f64);
    assert!(parameters(&biased) > shape.parameters);
}

#[test]
fn forward_flops_visit_only_some_experts() {
    let shape = ModelShape::of(&mixtral());
    let norms = 65 * 4_096;
    let weights = shape.active_parameters - shape.embedding_parameters - norms;
    assert_eq!(shape.forward_matmul_flops_per_token(), 2.0 * weights as f64);
}

/// Causal attention is 4·n·a·s/2 a layer and token.
#[test]
fn attention_flops_are_causal() {
    let flops = llama_8b().attention_flops_per_token(8_192);
    assert_eq!(flops, 32.0 * 4.0 * 128.0 * 32.0 * 8_192.0 / 2.0);
}

#[test]
fn windows_attend_less() {
    let mut architecture = llama_8b();
    let full = architecture.attention_flops_per_token(32_768);
    architecture.window = Some(AttentionWindow { tokens: 4_096, global_every: 0, chunked: false });
    let sliding = architecture.attention_flops_per_token(32_768);
    let tokens = 4_096.0 - 4_096.0 * 4_096.0 / (2.0 * 32_768.0);
    assert!((sliding / full - tokens / 16_384.0).abs() < 1e-12);
    architecture.window = Some(AttentionWindow { tokens: 4_096, global_every: 0, chunked: true });
    let chunked = architecture.attention_flops_per_token(32_768);
    assert!((chunked / full - 2_048.0 / 16_384.0).abs() < 1e-12);
    // a context within the window is full attention
    assert_eq!(architecture.attention_flops_per_token(4_096), llama_8b().attention_flops_per_token(4_096));
    // windowed layers are a kind of their own, and half of the layers here
    architecture.window = Some(AttentionWindow { tokens: 4_096, global_every: 2, chunked: false });
    let shape = ModelShape::of(&architecture);
    assert_eq!(
        shape.kinds.iter().map(|kind| (kind.count, kind.window)).collect::<Vec<_>>(),
        [(16, 4_096), (16, u64::MAX)]
    );
    assert_eq!(shape.parameters, 8_030_261_248);
}

#[test]
fn low_rank_heads_have_their_own_sizes() {
    let config: serde_json::Value =
        serde_json::from_str(include_str!("../../../tests/fixtures/deepseek-v3.json")).expect("JSON");
    let architecture = crate::workload::from_huggingface(&config).expect("readable").architecture;
    assert_eq!((architecture.qk_head_dim(), architecture.v_head_dim()), (192, 128));
    assert_eq!(architecture.kv_values_per_token(), 576);
    assert_eq!(architecture.attention_flops_per_token(4_096), 61.0 * 2.0 * 128.0 * 320.0 * 2_048.0);
}

#[test]
fn absurd_sizes_saturate_and_do_not_panic() {
    let most = u32::MAX;
    let mut architecture = mixtral();
    (architecture.hidden, architecture.heads, architecture.head_dim) = (most, most, most);
    (architecture.ffn, architecture.vocab, architecture.kv_heads) = (most, most, most);
    if let Some(moe) = &mut architecture.moe {
        (moe.experts, moe.experts_per_token, moe.expert_ffn) = (most, most, most);
        (moe.shared_experts, moe.every) = (most, 0);
    }
    assert_eq!(parameters(&architecture), u64::MAX);
    assert!(!architecture.check("").is_empty());
    architecture.heads = 0;
    architecture.check("");
}
