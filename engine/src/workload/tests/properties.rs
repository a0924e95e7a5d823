//! What must hold for any architecture.

use crate::workload::{
    Architecture, AttentionWindow, Biases, LowRankAttention, MixtureOfExperts, ModelShape, Norm, QkNorm,
    from_huggingface,
};
use proptest::prelude::*;

prop_compose! {
    fn experts()(
        experts in 1_u32..64,
        share in 0.0_f64..1.0,
        expert_ffn in 1_u32..2_000,
        shared_experts in 0_u32..3,
        shared_expert_ffn in prop::option::of(1_u32..2_000),
        dense_layers in 0_u32..4,
        every in 1_u32..4,
        flags in any::<[bool; 3]>(),
    ) -> MixtureOfExperts {
        MixtureOfExperts {
            experts,
            experts_per_token: 1 + (share * f64::from(experts - 1)) as u32,
            expert_ffn,
            shared_experts,
            shared_expert_ffn,
            shared_expert_gate: flags[0],
            dense_layers,
            every,
            expert_groups: 1,
            groups_per_token: 1,
            router_bias: flags[1],
            expert_bias: flags[2],
        }
    }
}

prop_compose! {
    fn low_rank()(query_rank in prop::option::of(1_u32..512), kv_rank in 1_u32..512, sizes in prop::array::uniform3(1_u32..200))
        -> LowRankAttention
    {
        LowRankAttention {
            query_rank,
            kv_rank,
            rope_head_dim: sizes[0],
            nope_head_dim: sizes[1],
            value_head_dim: sizes[2],
        }
    }
}

prop_compose! {
    fn architecture()(
        layers in 1_u32..64,
        hidden in 2_u32..512,
        groups in 1_u32..8,
        kv_heads in 1_u32..8,
        head_dim in 1_u32..256,
        ffn in 1_u32..8_000,
        vocab in 16_u32..200_000,
        flags in any::<[bool; 10]>(),
        moe in prop::option::of(experts()),
        low in prop::option::of(low_rank()),
        window in prop::option::of((1_u32..100_000, 0_u32..8, any::<bool>())),
        norm in prop::sample::select(vec![Norm::Rms, Norm::Layer, Norm::LayerNoBias, Norm::Parameterless]),
        qk_norm in prop::sample::select(vec![QkNorm::None, QkNorm::PerHeadDim, QkNorm::FullProjection]),
        norms_per_layer in 0_u32..5,
        learned_positions in 0_u32..5_000,
    ) -> Architecture {
        Architecture {
            layers,
            hidden: hidden * 8,
            heads: groups * kv_heads,
            kv_heads,
            head_dim,
            ffn,
            vocab,
            gated_ffn: flags[0],
            tied_embeddings: flags[1],
            moe: moe.map(|mut moe| {
                (moe.dense_layers, moe.every) = (moe.dense_layers.min(layers), moe.every.min(layers));
                moe
            }),
            low_rank_attention: low,
            window: window.map(|(tokens, every, chunked)| AttentionWindow { tokens, global_every: every.min(layers), chunked }),
            norm,
            norms_per_layer,
            qk_norm,
            biases: Biases { qkv: flags[2], attention_output: flags[3], ffn: flags[4], head: flags[5] },
            attention_sinks: flags[6],
            learned_positions,
            embedding_norm: flags[7],
            embedding_width: if flags[8] { Some(hidden * 8 + 16) } else { None },
            no_final_norm: flags[9],
        }
    }
}

/// A change that makes an architecture larger.
type Growth = fn(&mut Architecture);

proptest! {
    #[test]
    fn parts_add_up(architecture in architecture()) {
        let shape = ModelShape::of(&architecture);
        let layers: u64 = shape.kinds.iter().map(|kind| u64::from(kind.count) * kind.parameters()).sum();
        let outside = shape.embedding_parameters + shape.head_parameters + shape.final_norm_parameters;
        prop_assert_eq!(shape.parameters, layers + outside);
        prop_assert_eq!(shape.order.len(), architecture.layers as usize);
        for (index, kind) in shape.kinds.iter().enumerate() {
            let placed = shape.order.iter().filter(|k| usize::from(**k) == index).count();
            prop_assert_eq!(placed, kind.count as usize);
            prop_assert!(kind.attention_parameters > 0);
            prop_assert_eq!(kind.has_experts, kind.expert_parameters > 0);
            prop_assert!(kind.active_matmul_weights <= kind.active_parameters());
        }
        prop_assert!(shape.parameters > 0);
        prop_assert!(shape.active_parameters <= shape.parameters);
        prop_assert!(architecture.moe.is_some() || shape.active_parameters == shape.parameters);
        prop_assert!(shape.forward_matmul_flops_per_token() > 0.0);
        prop_assert!(shape.kinds.len() <= 4);
        prop_assert_eq!(architecture.check(""), []);
    }

    #[test]
    fn larger_is_more(architecture in architecture()) {
        let grow: [(&str, Growth); 6] = [
            ("layers", |a| a.layers += 1),
            ("hidden", |a| a.hidden += 8),
            ("heads", |a| a.heads += a.kv_heads),
            ("head_dim", |a| a.head_dim += 1),
            ("ffn", |a| a.ffn += 1),
            ("vocab", |a| a.vocab += 1),
        ];
        let before = ModelShape::of(&architecture);
        for (name, change) in grow {
            let mut larger = architecture.clone();
            change(&mut larger);
            let after = ModelShape::of(&larger);
            prop_assert!(after.parameters >= before.parameters, "{}", name);
            prop_assert!(after.forward_matmul_flops_per_token() >= before.forward_matmul_flops_per_token(), "{}", name);
            // the others may be unused: dense width without dense layers, head size beside low-rank attention
            if ["layers", "hidden", "vocab", "heads"].contains(&name) {
                prop_assert!(after.parameters > before.parameters, "{}", name);
            }
        }
    }

    #[test]
    fn attended_tokens_never_exceed_causal(architecture in architecture(), context in 1_u64..300_000) {
        for kind in ModelShape::of(&architecture).kinds {
            let attended = kind.mean_attended_tokens(context);
            prop_assert!(attended > 0.0 && attended <= context as f64 / 2.0 + 1e-9);
            prop_assert!(attended <= kind.window as f64);
        }
    }

    #[test]
    fn json_keeps_everything(architecture in architecture()) {
        let json = serde_json::to_string(&architecture).expect("plain data");
        let back: Architecture = serde_json::from_str(&json).expect("what was written can be read");
        prop_assert_eq!(back, architecture);
    }

    /// Any value anywhere is an answer or a problem, never a panic.
    #[test]
    fn reading_a_mangled_configuration_does_not_panic(
        family in prop::sample::select(vec!["llama", "gpt2", "falcon", "mpt", "deepseek_v3", "dbrx", "llama4_text", "gemma3_text", "gpt_oss", "opt", "gpt_neo", "qwen2_moe"]),
        key in prop::sample::select(vec![
            "hidden_size", "n_embd", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim",
            "layer_types", "no_rope_layers", "attn_config", "ffn_config", "mlp_only_layers", "moe_layers",
            "sliding_window", "attention_types", "vocab_size", "interleave_moe_layer_step",
        ]),
        value in prop::sample::select(vec![
            "null", "0", "1", "-3", "7.5", "4294967295", "18446744073709551615", "true", "\"x\"", "[]", "{}", "[[1, 2], 3]",
            "[\"full_attention\"]", "[[[\"global\"], 99999999]]",
        ]),
    ) {
        let mut config = serde_json::json!({
            "model_type": family, "hidden_size": 64, "n_embd": 64, "d_model": 64, "intermediate_size": 128, "ffn_dim": 128,
            "num_hidden_layers": 4, "n_layer": 4, "n_layers": 4, "num_attention_heads": 4, "n_head": 4, "n_heads": 4,
            "num_key_value_heads": 2, "vocab_size": 512, "max_position_embeddings": 512, "n_positions": 512,
            "max_seq_len": 512, "num_local_experts": 4, "num_experts": 4, "num_experts_per_tok": 2,
            "moe_intermediate_size": 32, "shared_expert_intermediate_size": 32, "intermediate_size_mlp": 128,
            "attn_config": { "kv_n_heads": 2 },
            "ffn_config": { "ffn_hidden_size": 32, "moe_num_experts": 4, "moe_top_k": 2 },
            "q_lora_rank": null, "kv_lora_rank": 32, "qk_rope_head_dim": 8, "qk_nope_head_dim": 8, "v_head_dim": 8,
            "n_routed_experts": 4, "n_shared_experts": 1, "first_k_dense_replace": 1,
        });
        prop_assert!(from_huggingface(&config).is_ok(), "{}: {:?}", family, from_huggingface(&config));
        config[key] = serde_json::from_str(value).expect("JSON");
        match from_huggingface(&config) {
            Ok(model) => prop_assert!(ModelShape::of(&model.architecture).parameters > 0),
            Err(problem) => {
                prop_assert!(!problem.errors.is_empty());
                prop_assert!(problem.errors.iter().all(|e| e.pointer.starts_with("/model/huggingface")));
            }
        }
    }
}
