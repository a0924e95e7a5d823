//! Constants of the performance model, with how each was obtained.

use super::figure::embedded;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// One constant.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// Its value, as fitted.
    pub value: f64,
    /// Physical value that the fit starts from and is pulled to.
    pub start: f64,
    /// Its unit.
    pub unit: String,
    /// How it was obtained.
    pub source: String,
}

/// Starting values of an accelerator's efficiencies.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GemmStart {
    /// bf16.
    pub bf16: f64,
    /// fp8.
    #[serde(default)]
    pub fp8: Option<f64>,
    /// fp4.
    #[serde(default)]
    pub fp4: Option<f64>,
}

/// Measured over predicted throughput of similar configurations: 10th and 90th percentile.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Band {
    /// 10th percentile.
    pub low: f64,
    /// 90th percentile.
    pub high: f64,
}

/// What stands behind an efficiency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Published training runs on that accelerator.
    Measured,
    /// Carried over from a relative.
    Assumed,
}

/// Share of the dense peak of large matrix multiplications.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GemmEfficiency {
    /// bf16.
    pub bf16: f64,
    /// fp8.
    #[serde(default)]
    pub fp8: Option<f64>,
    /// fp4.
    #[serde(default)]
    pub fp4: Option<f64>,
    /// What stands behind it.
    pub basis: Basis,
}

macro_rules! constants {
    ($($(#[$doc:meta])* $name:ident)+) => {
        /// The global constants.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Constants { $($(#[$doc])* pub $name: Constant,)+ }

        /// The global constants as bare numbers, for computation.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Numbers { $($(#[$doc])* pub $name: f64,)+ }

        impl Constants {
            /// The constants as bare numbers.
            pub fn numbers(&self) -> Numbers {
                Numbers { $($name: self.$name.value,)+ }
            }

            /// Names of the constants, in order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),+];

            /// A constant by its name.
            pub fn by_name(&mut self, name: &str) -> Option<&mut Constant> {
                match name { $(stringify!($name) => Some(&mut self.$name),)+ _ => None }
            }

            /// Puts every constant at its starting value.
            pub fn reset(&mut self) {
                $(self.$name.value = self.$name.start;)+
            }
        }
    };
}

constants! {
    /// FlashAttention 2 on Hopper and later, relative to the kernels written for them.
    flash2_relative
    /// Backward attention over forward, in time.
    attention_backward
    /// Tokens of a chunk at which attention has lost half of its rate.
    attention_chunk_tokens
    /// Share of the data-sheet memory bandwidth that streaming kernels reach.
    memory_bandwidth_share
    /// Elements per token and layer forward, in hidden widths.
    elementwise_hidden
    /// Elements per token and layer forward, in feed-forward widths.
    elementwise_ffn
    /// Unfused memory-bound work over fused.
    eager_factor
    /// Memory-bound work of hand-written trainers over that of compiled ones.
    native_traffic
    /// Elements of dispatch and return of a token's copies, in hidden widths for each expert it visits.
    permute_hidden
    /// Share of operand traffic that is not hidden.
    gemm_traffic_exposed
    /// Bytes of casting per activation element.
    cast_bytes
    /// Bytes per logit in a fused loss.
    loss_bytes_fused
    /// Bytes per logit in an unfused loss.
    loss_bytes_unfused
    /// Share of the link that a collective reaches inside the domain.
    scale_up_share
    /// Start of a collective.
    collective_latency_us
    /// What each doubling of a message above 64 KiB adds to its start, over 8 ranks.
    collective_growth_us
    /// Speed of an all-reduce that the switches of the domain help, over one that they don't.
    in_switch_gain
    /// Share of the host link that a stream reaches.
    host_link_share
    /// Share of computation that traffic with the host hides behind.
    host_overlap
    /// Exposed share of tensor-parallel communication.
    tensor_exposed
    /// Exposed share of expert all-to-all.
    expert_exposed
    /// Exposed share of transfers between plain stages.
    transfer_exposed_plain
    /// Exposed share of transfers between interleaved stages.
    transfer_exposed_interleaved
    /// Share of computation that sharded data parallelism can hide behind.
    sharded_overlap
    /// Slow-down of computation by the communication that it hides.
    overlap_interference
    /// Bytes copied per gathered parameter and micro-batch.
    sharded_copy_bytes
    /// Loss per doubling of devices.
    jitter_per_doubling
    /// Floor of one step.
    step_floor_ms
    /// Host time of one layer in one pass.
    layer_launch_us
    /// Launch floor of one layer in a compiled stack.
    fused_layer_floor_ms
    /// Tokens at which a multiplication has lost half of its rate.
    gemm_tokens
    /// Width at which a multiplication has lost half of its rate.
    gemm_width
    /// Casting traffic of block-scaled formats over tensor-scaled ones.
    block_scaling_factor
    /// Launch floor of one layer in an uncompiled stack.
    eager_layer_floor_ms
    /// Host time of one mixture-of-experts layer in one pass.
    expert_layer_ms
    /// Host time of one local expert.
    local_expert_us
    /// Yearly fall of host and exchange costs of experts, from 2026.
    expert_maturity
    /// Memory of context, communicators and allocator.
    context_gib
    /// Fragmentation, share of activations.
    fragmentation_share
}

/// All constants of the performance model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// Version of the constants.
    pub version: String,
    /// By accelerator id; `*` for the others.
    pub gemm_efficiency: BTreeMap<String, GemmEfficiency>,
    /// Starting values of the same.
    pub gemm_start: BTreeMap<String, GemmStart>,
    /// By generation.
    pub attention_efficiency: BTreeMap<String, f64>,
    /// Starting values of the same.
    pub attention_start: BTreeMap<String, f64>,
    /// By generation.
    pub grouped_efficiency: BTreeMap<String, f64>,
    /// Starting values of the same.
    pub grouped_start: BTreeMap<String, f64>,
    /// Bands by kind of configuration.
    pub band: BTreeMap<String, Band>,
    /// Global constants.
    pub constants: Constants,
}

static CALIBRATION: LazyLock<Calibration> =
    LazyLock::new(|| embedded("calibration.toml", include_str!("../../catalog/calibration.toml")));

impl Calibration {
    /// The embedded constants.
    pub fn get() -> &'static Self {
        &CALIBRATION
    }

    /// Efficiency of large matrix multiplications of an accelerator.
    pub fn gemm(&self, accelerator: &str) -> GemmEfficiency {
        let other = GemmEfficiency { bf16: 0.5, fp8: None, fp4: None, basis: Basis::Assumed };
        self.gemm_efficiency.get(accelerator).or_else(|| self.gemm_efficiency.get("*")).copied().unwrap_or(other)
    }

    /// Forward attention efficiency of an accelerator's generation.
    pub fn attention(&self, accelerator: &str) -> f64 {
        self.attention_efficiency.get(generation(accelerator)).copied().unwrap_or(0.4)
    }
}

impl Calibration {
    /// Grouped multiplications of experts over large ones, of an accelerator's generation.
    pub fn grouped(&self, accelerator: &str) -> f64 {
        let generation = generation(accelerator);
        self.grouped_efficiency.get(generation).or_else(|| self.grouped_efficiency.get("other")).copied().unwrap_or(0.8)
    }
}

/// Generation of kernels that an accelerator runs.
fn generation(accelerator: &str) -> &'static str {
    match accelerator {
        "v100-sxm" => "volta",
        a if a.starts_with("a100") || a == "rtx-a6000" => "ampere",
        "l40s" | "rtx-6000-ada" | "rtx-4090" | "rtx-5090" | "rtx-pro-6000" | "rtx-5060-ti" => "ada",
        a if a.starts_with('h') => "hopper",
        a if a.starts_with("b2") || a.starts_with("b3") || a.starts_with("gb") => "blackwell",
        a if a.starts_with("mi") => "cdna",
        _ => "other",
    }
}
