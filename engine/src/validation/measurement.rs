//! One published measurement with its full configuration, as shipped in `engine/validation/measurements.csv`.

use crate::catalog::Catalog;
use crate::request::{
    AttentionKernel, HostOffload, LayoutRequest, Method, Optimizer, Precision, Recompute, Sharding, Software,
    SoftwareStack,
};
use crate::workload::Architecture;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A row of the table. Empty cells are unknown.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// Stable id.
    pub id: String,
    /// Publication.
    pub source: String,
    /// Where in it.
    pub reference: String,
    /// Date of the publication.
    pub date: String,
    /// Name of the model as published.
    pub model: String,
    /// Preset with the same architecture; its layers are replaced by `layers` where they differ.
    pub preset: Option<String>,
    /// Layers.
    pub layers: Option<u32>,
    /// Hidden width.
    pub hidden: Option<u32>,
    /// Query heads.
    pub heads: Option<u32>,
    /// Key/value heads.
    pub kv_heads: Option<u32>,
    /// Feed-forward width.
    pub ffn: Option<u32>,
    /// Vocabulary.
    pub vocab: Option<u32>,
    /// Gated feed-forward.
    pub gated_ffn: Option<bool>,
    /// Tied embeddings.
    pub tied_embeddings: Option<bool>,
    /// Context length, tokens.
    pub context_length: Option<u64>,
    /// Accelerator id.
    pub accelerator: String,
    /// Devices.
    pub gpus: u32,
    /// Devices per server.
    pub gpus_per_node: u32,
    /// Network rate per device, Gb/s.
    pub network_gbps_per_gpu: Option<f64>,
    /// Fabric id.
    pub fabric: String,
    /// Number format as published, such as `fp8-cs`.
    pub recipe: String,
    /// What was trained.
    pub method: Method,
    /// Tensor parallel degree.
    pub tensor: Option<u32>,
    /// Pipeline stages.
    pub pipeline: Option<u32>,
    /// Virtual stages.
    pub virtual_pipeline: Option<u32>,
    /// Context parallel degree.
    pub context: Option<u32>,
    /// Expert parallel degree.
    pub expert: Option<u32>,
    /// Sharding.
    pub sharding: Option<Sharding>,
    /// Ranks that share, where fewer than all.
    pub sharding_ranks: Option<u32>,
    /// What lives in the host's memory.
    pub host_offload: Option<HostOffload>,
    /// Optimizer and its states; AdamW in 32 bits where the source doesn't say.
    pub optimizer: Option<Optimizer>,
    /// Sequences of one micro-batch.
    pub micro_batch_sequences: Option<u32>,
    /// Sequences of one step.
    pub global_batch_sequences: Option<u64>,
    /// Recompute policy.
    pub recompute: Option<Recompute>,
    /// Software family.
    pub stack: SoftwareStack,
    /// Attention kernel.
    pub attention_kernel: Option<AttentionKernel>,
    /// Compiled or fused.
    pub compiled: Option<bool>,
    /// CUDA graphs.
    pub cuda_graphs: Option<bool>,
    /// Fused loss.
    pub fused_loss: Option<bool>,
    /// Overlapped communication.
    pub overlap_communication: Option<bool>,
    /// Sequence parallel.
    pub sequence_parallel: Option<bool>,
    /// Measured tokens per second and device.
    pub tokens_per_second_per_gpu: Option<f64>,
    /// Measured model TFLOP/s per device, where no tokens are published.
    pub model_tflops_per_gpu: Option<f64>,
    /// What was published: `tokens`, `step`, `tflops_causal` or `tflops_full` (attention not halved).
    pub basis: String,
    /// A: full configuration, primary source. B: something is missing or rounded.
    pub quality: String,
    /// One row for each source family × accelerator × model × size × precision × context band.
    pub core: u8,
    /// Why the engine does not predict it; empty when it does.
    pub excluded: Option<String>,
    /// Why no constant is fitted to it although it is predicted and counted; empty when one is.
    pub not_fitted: Option<String>,
}

static ALL: LazyLock<Vec<Measurement>> = LazyLock::new(|| {
    let text = include_str!("../../validation/measurements.csv");
    let read: Result<Vec<Measurement>, csv::Error> = csv::Reader::from_reader(text.as_bytes()).deserialize().collect();
    match read {
        Ok(rows) => rows,
        Err(why) => unreachable!("embedded measurements: {why}"),
    }
});

/// All shipped measurements.
pub fn measurements() -> &'static [Measurement] {
    &ALL
}

impl Measurement {
    /// The architecture that was trained.
    pub fn architecture(&self) -> Option<Architecture> {
        if let Some(preset) = &self.preset {
            let mut architecture = Catalog::get().model(preset)?.architecture.clone();
            architecture.layers = self.layers.unwrap_or(architecture.layers);
            if let Some(moe) = &mut architecture.moe {
                moe.dense_layers = moe.dense_layers.min(architecture.layers);
            }
            return Some(architecture);
        }
        let (heads, hidden) = (self.heads?, self.hidden?);
        let mut architecture =
            Architecture::dense(self.layers?, hidden, heads, self.kv_heads.unwrap_or(heads), self.ffn?, self.vocab?);
        architecture.gated_ffn = self.gated_ffn.unwrap_or(true);
        architecture.tied_embeddings = self.tied_embeddings.unwrap_or(false);
        Some(architecture)
    }

    /// Precision of the linear layers.
    pub fn precision(&self) -> Precision {
        match self.recipe.as_str() {
            r if r.starts_with("nvfp4") => Precision::Fp4,
            r if r.contains("fp8") => Precision::Fp8,
            _ => Precision::Bf16,
        }
    }

    /// Date as a year with fraction; the middle of the year where no month is known.
    pub fn year(&self) -> f64 {
        let mut parts = self.date.split('-');
        let year: f64 = parts.next().and_then(|y| y.parse().ok()).unwrap_or(2024.0);
        let month: Option<f64> = parts.next().and_then(|m| m.parse().ok());
        year + month.map_or(0.5, |m| (m - 0.5) / 12.0)
    }

    /// The format scales blocks rather than whole tensors.
    pub fn is_block_scaled(&self) -> bool {
        ["mxfp8", "nvfp4", "blockwise", "rowwise"].iter().any(|r| self.recipe.contains(r))
    }

    /// A mixture of experts.
    pub fn has_experts(&self) -> bool {
        self.architecture().is_some_and(|a| a.moe.is_some())
    }

    /// Software options: the stack's where the row doesn't say.
    pub fn software(&self) -> Software {
        let stack = Software::of(self.stack);
        Software {
            stack: self.stack,
            attention_kernel: self.attention_kernel.unwrap_or(stack.attention_kernel),
            compiled: self.compiled.unwrap_or(stack.compiled),
            cuda_graphs: self.cuda_graphs.unwrap_or(stack.cuda_graphs),
            fused_loss: self.fused_loss.unwrap_or(stack.fused_loss),
            overlap_communication: self.overlap_communication.unwrap_or(stack.overlap_communication),
            sequence_parallel: self.sequence_parallel.unwrap_or(stack.sequence_parallel),
        }
    }

    /// The published degrees don't multiply to the number of devices.
    pub fn layout_does_not_multiply(&self) -> bool {
        let one = |degree: Option<u32>| u64::from(degree.unwrap_or(1).max(1));
        let replica = one(self.tensor) * one(self.pipeline) * one(self.context);
        !u64::from(self.gpus).is_multiple_of(replica)
            || !(u64::from(self.gpus) / one(self.pipeline)).is_multiple_of(one(self.expert))
    }

    /// What is known of the layout. Where nothing is, all of it is open; otherwise a degree that is not stated is 1, and
    /// virtual stages, recompute and the expert degree of a model with experts are open.
    pub fn layout(&self) -> LayoutRequest {
        if self.tensor.is_none() && self.pipeline.is_none() {
            return LayoutRequest {
                sharding: self.sharding,
                micro_batch_sequences: self.micro_batch_sequences,
                recompute: self.recompute,
                ..LayoutRequest::default()
            };
        }
        LayoutRequest {
            tensor: Some(self.tensor.unwrap_or(1)),
            pipeline: Some(self.pipeline.unwrap_or(1)),
            virtual_pipeline: match (self.pipeline.unwrap_or(1), self.stack) {
                (1, _) => Some(1),
                // its interleaved schedules hold two stages per rank unless told otherwise
                (_, SoftwareStack::PytorchFsdp) => self.virtual_pipeline.or(Some(2)),
                _ => self.virtual_pipeline,
            },
            context: Some(self.context.unwrap_or(1)),
            expert: if self.has_experts() { self.expert } else { Some(1) },
            sharding: self.sharding,
            micro_batch_sequences: self.micro_batch_sequences,
            recompute: self.recompute,
        }
    }
}
