//! The request of an estimate: one cluster, and a layout that may be given in part.

use super::model::{read_software, required_model};
use super::reader::{Fields, Form, Problems};
use super::{HostOffload, Method, ModelChoice, Optimizer, Precision, Recompute, Sharding, Software};
use crate::catalog::Catalog;
use crate::problem::{FieldProblem, Problem};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The parts of a layout that are given; the engine chooses the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutRequest {
    /// Tensor parallel degree, t.
    pub tensor: Option<u32>,
    /// Pipeline stages, p.
    pub pipeline: Option<u32>,
    /// Virtual stages per device, v.
    pub virtual_pipeline: Option<u32>,
    /// Context parallel degree, c.
    pub context: Option<u32>,
    /// Expert parallel degree, e.
    pub expert: Option<u32>,
    /// What data parallelism shards.
    pub sharding: Option<Sharding>,
    /// Sequences of one micro-batch, b.
    pub micro_batch_sequences: Option<u32>,
    /// Recompute policy.
    pub recompute: Option<Recompute>,
}

/// A checked request for one estimate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct EstimateRequest {
    /// The model.
    pub model: ModelChoice,
    /// Context length, tokens.
    pub context_length: u64,
    /// Number format of the linear layers.
    pub precision: Precision,
    /// What is trained.
    pub method: Method,
    /// Optimizer.
    pub optimizer: Optimizer,
    /// What lives in the host's memory.
    #[serde(default, skip_serializing_if = "HostOffload::is_none")]
    pub host_offload: HostOffload,
    /// Software options.
    pub software: Software,
    /// Accelerator id.
    pub accelerator: String,
    /// Devices.
    pub gpus: u32,
    /// Devices in one server.
    pub gpus_per_node: u32,
    /// Network rate per device, Gb/s.
    pub network_gbps_per_gpu: Option<f64>,
    /// Fabric id.
    pub fabric: String,
    /// Sequences of one optimizer step.
    pub global_batch_sequences: u64,
    /// What is given of the layout.
    pub layout: LayoutRequest,
}

impl EstimateRequest {
    /// Reads and checks a request.
    ///
    /// # Errors
    /// Every field that is wrong, each with a pointer, a code and a remedy.
    pub fn parse(value: &Value, form: Form) -> Result<Self, Problem> {
        let mut problems = Problems::new();
        let Some(fields) = Fields::root(value, form, &mut problems) else { return Err(Problem::invalid(problems)) };
        match Self::read(fields, &mut problems) {
            Some(request) if problems.is_empty() => Ok(request),
            _ => Err(Problem::invalid(problems)),
        }
    }

    fn read(mut fields: Fields<'_>, problems: &mut Problems) -> Option<Self> {
        let catalog = Catalog::get();
        let f = &mut fields;
        let model = required_model(f, problems);
        let context_length = f.binary_integer(problems, "context_length", 64, 16_777_216).unwrap_or(8_192);
        let precision = f.choice(problems, "precision", Precision::ALL, Precision::id).unwrap_or(Precision::Bf16);
        let method = f.choice(problems, "method", Method::ALL, Method::id).unwrap_or(Method::Pretraining);
        let optimizer = f.choice(problems, "optimizer", Optimizer::ALL, Optimizer::id).unwrap_or(Optimizer::Adamw);
        let host_offload =
            f.choice(problems, "host_offload", HostOffload::ALL, HostOffload::id).unwrap_or(HostOffload::None);
        let software = read_software(f, problems);
        let ids: Vec<&str> = catalog.accelerators.iter().map(|a| a.id.as_str()).collect();
        let before = problems.len();
        let accelerator = f.known_id(problems, "accelerator", &ids);
        if accelerator.is_none() && problems.len() == before {
            let message = "`accelerator` is missing; give its id, such as h100-sxm";
            problems.push(FieldProblem::new("/accelerator", "required", message));
        }
        let before = problems.len();
        let gpus = f.integer(problems, "gpus", 1, 1_048_576).map(|n| n as u32);
        if gpus.is_none() && problems.len() == before {
            let message = "`gpus` is missing; give the number of devices, such as 64";
            problems.push(FieldProblem::new("/gpus", "required", message));
        }
        let gpus_per_node = f.integer(problems, "gpus_per_node", 1, 1_024).map(|n| n as u32);
        let network_gbps_per_gpu = f.number(problems, "network_gbps_per_gpu", 0.1, 100_000.0);
        let fabric_ids: Vec<&str> = catalog.fabrics.iter().map(|x| x.id.as_str()).collect();
        let fabric = f.known_id(problems, "fabric", &fabric_ids).unwrap_or_else(|| "infiniband".into());
        let global_batch = f.integer(problems, "global_batch_sequences", 1, 100_000_000);
        let micro = f.integer(problems, "micro_batch_sequences", 1, 65_536).map(|n| n as u32);
        let recompute = f.choice(problems, "recompute", Recompute::ALL, Recompute::id);
        let layout = match f.object(problems, "layout") {
            Some(inner) => read_layout(inner, problems),
            None => LayoutRequest::default(),
        };
        fields.finish(problems);
        let gpus = gpus?;
        let accelerator = accelerator?;
        let per_node = gpus_per_node.or(catalog.accelerator(&accelerator).map(|a| a.gpus_per_node)).unwrap_or(8);
        Some(Self {
            model: model?,
            context_length,
            precision,
            method,
            optimizer,
            host_offload,
            software,
            accelerator,
            gpus,
            gpus_per_node: per_node.min(gpus),
            network_gbps_per_gpu,
            fabric,
            global_batch_sequences: global_batch.unwrap_or_else(|| default_batch(gpus, context_length)),
            layout: LayoutRequest { micro_batch_sequences: micro, recompute, ..layout },
        })
    }
}

fn read_layout(mut fields: Fields<'_>, problems: &mut Problems) -> LayoutRequest {
    let mut degree = |key| fields.integer(problems, key, 1, 1_048_576).map(|n| n as u32);
    let layout = LayoutRequest {
        tensor: degree("tensor"),
        pipeline: degree("pipeline"),
        virtual_pipeline: degree("virtual_pipeline"),
        context: degree("context"),
        expert: degree("expert"),
        ..LayoutRequest::default()
    };
    let sharding = fields.choice(problems, "sharding", Sharding::ALL, Sharding::id);
    fields.finish(problems);
    LayoutRequest { sharding, ..layout }
}

/// About 4M tokens, and at least one sequence per device.
fn default_batch(gpus: u32, context: u64) -> u64 {
    (4_194_304 / context).max(u64::from(gpus))
}
