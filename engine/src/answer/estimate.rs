//! One cluster and layout: time, memory, utilization.

use crate::request::{Recompute, Sharding};
use serde::{Deserialize, Serialize};

/// The layout as used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Layout {
    /// Tensor parallel degree, t.
    pub tensor: u32,
    /// Pipeline stages, p.
    pub pipeline: u32,
    /// Virtual stages per device, v.
    pub virtual_pipeline: u32,
    /// Context parallel degree, c.
    pub context: u32,
    /// Expert parallel degree, e.
    pub expert: u32,
    /// Data parallel degree, d = N/(t·p·c).
    pub data: u32,
    /// What data parallelism shards.
    pub sharding: Sharding,
    /// Sequences of one micro-batch, b.
    pub micro_batch_sequences: u32,
    /// Recompute policy.
    pub recompute: Recompute,
}

impl Layout {
    /// Short form for tables, such as `TP8 · PP4 · DP2 · b1`.
    pub fn short(&self) -> String {
        let mut parts = Vec::new();
        let mut degree = |name: &str, n: u32| {
            if n > 1 {
                parts.push(format!("{name}{n}"));
            }
        };
        degree("TP", self.tensor);
        degree("PP", self.pipeline);
        degree("VP", self.virtual_pipeline);
        degree("CP", self.context);
        degree("EP", self.expert);
        degree("DP", self.data);
        if parts.is_empty() {
            parts.push("single device".into());
        }
        parts.join(" · ")
    }
}

/// Memory of the fullest device by part, GiB (2^30 bytes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryGib {
    /// Weights as computed with.
    pub weights: f64,
    /// Gradients.
    pub gradients: f64,
    /// Optimizer states and master weights.
    pub optimizer: f64,
    /// Activations in flight.
    pub activations: f64,
    /// Logits and their gradient.
    pub logits: f64,
    /// Communication buffers, gathered layers, context and fragmentation.
    pub buffers: f64,
    /// Sum of the parts.
    pub total: f64,
    /// What a training process can allocate on this accelerator.
    pub usable: f64,
}

/// Where one step's time goes, seconds on the slowest device; the parts sum to `step_seconds`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimeSeconds {
    /// Matrix multiplications and attention.
    pub compute: f64,
    /// Norms, activation functions, casts, residuals, loss.
    pub memory_bound: f64,
    /// Exposed tensor-parallel communication.
    pub tensor: f64,
    /// Exposed context-parallel communication.
    pub context: f64,
    /// Exposed expert-parallel communication.
    pub expert: f64,
    /// Idle time of pipeline fill, drain and unequal stages.
    pub pipeline_bubble: f64,
    /// Exposed point-to-point transfers between stages.
    pub pipeline_transfer: f64,
    /// Exposed data-parallel communication.
    pub data: f64,
    /// Optimizer step.
    pub optimizer: f64,
    /// Launches, host, jitter between devices.
    pub overhead: f64,
}

impl TimeSeconds {
    /// Sum of the parts.
    pub fn total(&self) -> f64 {
        self.parts().iter().map(|(_, seconds)| seconds).sum()
    }

    /// The parts with their names on the wire, in order.
    pub fn parts(&self) -> [(&'static str, f64); 10] {
        [
            ("compute", self.compute),
            ("memory_bound", self.memory_bound),
            ("tensor", self.tensor),
            ("context", self.context),
            ("expert", self.expert),
            ("pipeline_bubble", self.pipeline_bubble),
            ("pipeline_transfer", self.pipeline_transfer),
            ("data", self.data),
            ("optimizer", self.optimizer),
            ("overhead", self.overhead),
        ]
    }
}

/// Low and high of an estimate's tokens per second and device.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    /// Low.
    pub low: f64,
    /// High.
    pub high: f64,
}

/// One cluster and layout, estimated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Tokens per second and device.
    pub tokens_per_second_per_gpu: f64,
    /// Seconds of one optimizer step.
    pub step_seconds: f64,
    /// Model TFLOP/s per device (causal attention, no recompute).
    pub model_tflops_per_gpu: f64,
    /// Model FLOPs utilization against `peak_tflops`: causal attention, recompute not counted.
    pub mfu: f64,
    /// Hardware FLOPs utilization: recompute counted.
    pub hfu: f64,
    /// MFU with full (not halved) attention, as some sources print it.
    pub mfu_full_attention: f64,
    /// Dense peak that `mfu` and `hfu` are against, TFLOP/s: that of the request's precision.
    pub peak_tflops: f64,
    /// Tokens per second and device, low and high.
    pub band: Band,
    /// All parameters.
    pub parameters: u64,
    /// Parameters that one token uses.
    pub active_parameters: u64,
    /// Training FLOPs per token: forward and backward, causal attention.
    pub flops_per_token: f64,
    /// Memory of the fullest device.
    pub memory_gib: MemoryGib,
    /// The total is within what is usable.
    pub fits: bool,
    /// What is missing (negative: what is left), GiB.
    pub memory_gap_gib: f64,
    /// When it does not fit: the change that would make it fit, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
    /// The layout as used.
    pub layout: Layout,
    /// Where the step's time goes.
    pub time_seconds: TimeSeconds,
    /// Layouts that were evaluated to find this one.
    pub layouts_evaluated: u64,
}
