//! Tests of counting: against published checkpoints, and as properties.

mod configurations;
mod presets;
mod properties;
mod refusals;
mod rules;
mod sizes;

use super::{Architecture, MixtureOfExperts};

/// Llama 3.1 8B.
fn llama_8b() -> Architecture {
    Architecture::dense(32, 4_096, 32, 8, 14_336, 128_256)
}

/// Mixtral 8x7B.
fn mixtral() -> Architecture {
    let mut architecture = Architecture::dense(32, 4_096, 32, 8, 14_336, 32_000);
    architecture.moe = Some(MixtureOfExperts {
        experts: 8,
        experts_per_token: 2,
        expert_ffn: 14_336,
        shared_experts: 0,
        shared_expert_ffn: None,
        shared_expert_gate: false,
        dense_layers: 0,
        every: 1,
        expert_groups: 1,
        groups_per_token: 1,
        router_bias: false,
        expert_bias: false,
    });
    architecture
}
