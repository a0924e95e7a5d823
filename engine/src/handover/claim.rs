//! Layouts and framework files of others, checked: does the product come out, and can the framework do it?

use crate::problem::FieldProblem;
use crate::request::Sharding;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Training software, as far as its rules differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Framework {
    /// Megatron-LM.
    MegatronLm,
    /// torchtitan.
    Torchtitan,
    /// DeepSpeed.
    Deepspeed,
    /// NeMo (Megatron Bridge).
    Nemo,
}

/// A layout as someone states it, with every degree, and how many devices it is said to be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayoutClaim {
    /// Devices that the layout is said to be for.
    pub gpus: u32,
    /// Tensor parallel degree.
    pub tensor: u32,
    /// Pipeline stages.
    pub pipeline: u32,
    /// Virtual stages per device.
    pub virtual_pipeline: u32,
    /// Context parallel degree.
    pub context: u32,
    /// Expert parallel degree.
    pub expert: u32,
    /// Data parallel degree; absent where it is left to follow from the others.
    pub data: Option<u32>,
    /// What data parallelism shards.
    pub sharding: Sharding,
    /// The software that it is written for; absent for any.
    pub framework: Option<Framework>,
}

/// Every rule that a stated layout breaks; empty when there is none. Rules of a model (heads, layers, experts) are
/// those of [`crate::estimate`].
///
/// Devices = tensor × pipeline × context × data (Narayanan et al. 2021, arXiv 2104.04473, with context as one more
/// factor); expert parallelism takes its ranks from these and multiplies nothing.
pub fn check_claim(claim: &LayoutClaim) -> Vec<FieldProblem> {
    let mut problems: Vec<FieldProblem> = product(claim).into_iter().collect();
    if claim.framework == Some(Framework::Deepspeed) {
        problems.extend(deepspeed(claim));
    }
    problems
}

fn product(claim: &LayoutClaim) -> Option<FieldProblem> {
    let LayoutClaim { gpus, tensor, pipeline, context, data, .. } = *claim;
    let replica = u64::from(tensor) * u64::from(pipeline) * u64::from(context);
    let Some(data) = data else {
        return (replica == 0 || !u64::from(gpus).is_multiple_of(replica)).then(|| {
            let message = format!(
                "`tensor` {tensor} × `pipeline` {pipeline} × `context` {context} = {replica} does not divide {gpus} devices"
            );
            FieldProblem::new("/layout/data", "does_not_divide", message)
        });
    };
    let needed = replica * u64::from(data);
    if needed == u64::from(gpus) {
        return None;
    }
    let fits = u64::from(gpus).checked_div(replica).filter(|d| *d > 0 && d * replica == u64::from(gpus));
    let remedy = match fits {
        Some(data) => format!("use {needed} devices, or `data` {data}"),
        None => format!("use {needed} devices, or smaller degrees"),
    };
    let code = if needed > u64::from(gpus) { "too_many_devices" } else { "too_few_devices" };
    let message = format!(
        "`tensor` {tensor} × `pipeline` {pipeline} × `context` {context} × `data` {data} = {needed} devices are needed, not {gpus}; {remedy}"
    );
    Some(FieldProblem::new("/layout/data", code, message))
}

/// What DeepSpeed can't combine, as its 0.19.8 says.
pub(super) fn deepspeed(claim: &LayoutClaim) -> Vec<FieldProblem> {
    let mut problems = Vec::new();
    let mut say = |field: &str, message: String| {
        problems.push(FieldProblem::new(format!("/layout/{field}"), "incompatible", message));
    };
    if claim.pipeline > 1 && claim.sharding >= Sharding::Gradients {
        let stage = stage(claim.sharding);
        say(
            "sharding",
            format!(
                "DeepSpeed's pipeline engine stops on ZeRO stage {stage} with `pipeline` {}: \"ZeRO-2 and ZeRO-3 are incompatible with pipeline parallelism\"; use stage 0 or 1, or `pipeline` 1",
                claim.pipeline
            ),
        );
    }
    if claim.virtual_pipeline > 1 {
        say(
            "virtual_pipeline",
            format!(
                "DeepSpeed's pipeline has no interleaved schedule, and `virtual_pipeline` is {}; use 1",
                claim.virtual_pipeline
            ),
        );
    }
    if claim.context > 1 {
        say(
            "context",
            format!(
                "DeepSpeed has no context parallelism, and `context` is {}: its sequence parallelism (Ulysses) exchanges heads instead, with another time and memory; use 1",
                claim.context
            ),
        );
    }
    if claim.expert > 1 && claim.tensor > 1 && claim.pipeline > 1 {
        say(
            "expert",
            format!(
                "DeepSpeed combines expert with tensor parallelism without a pipeline only (\"pp_size=1 only\"), and `pipeline` is {}; use 1, or `tensor` 1",
                claim.pipeline
            ),
        );
    }
    problems
}

/// ZeRO stage of a sharding.
pub(super) fn stage(sharding: Sharding) -> u32 {
    match sharding {
        Sharding::None => 0,
        Sharding::Optimizer => 1,
        Sharding::Gradients => 2,
        Sharding::Full => 3,
    }
}

impl LayoutClaim {
    /// What a DeepSpeed configuration states, with the devices that it is said to be for.
    ///
    /// Reads DeepSpeed's own keys (`zero_optimization.stage`, `tensor_parallel.autotp_size`) and those that people write
    /// for what its file can't hold (`tensor_parallel.tp_size`, `pipeline_parallel.pipeline_size`, `pipeline.stages`).
    pub fn from_deepspeed(config: &Value, gpus: u32) -> Self {
        let number = |pointers: &[&str]| pointers.iter().find_map(|p| config.pointer(p)).and_then(Value::as_u64);
        let degree = |pointers: &[&str]| number(pointers).and_then(|n| u32::try_from(n).ok()).unwrap_or(1).max(1);
        let sharding = match number(&["/zero_optimization/stage"]) {
            Some(3) => Sharding::Full,
            Some(2) => Sharding::Gradients,
            Some(1) => Sharding::Optimizer,
            _ => Sharding::None,
        };
        Self {
            gpus,
            tensor: degree(&[
                "/tensor_parallel/autotp_size",
                "/tensor_parallel/tp_size",
                "/tensor_parallel/tp/tp_size",
            ]),
            pipeline: degree(&["/pipeline_parallel/pipeline_size", "/pipeline/stages", "/pipeline_parallel_size"]),
            virtual_pipeline: 1,
            context: 1,
            expert: degree(&["/expert_parallel/autoep_size"]),
            data: None,
            sharding,
            framework: Some(Framework::Deepspeed),
        }
    }

    /// What a set of Megatron's names states (`tensor_model_parallel_size` and so on), with the devices that it is said
    /// to be for.
    pub fn from_megatron(config: &Value, gpus: u32) -> Self {
        let number = |name: &str| config.get(name).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
        let degree = |name: &str| number(name).unwrap_or(1).max(1);
        Self {
            gpus,
            tensor: degree("tensor_model_parallel_size"),
            pipeline: degree("pipeline_model_parallel_size"),
            virtual_pipeline: degree("virtual_pipeline_model_parallel_size"),
            context: degree("context_parallel_size"),
            expert: degree("expert_model_parallel_size"),
            data: number("data_parallel_size"),
            sharding: Sharding::None,
            framework: Some(Framework::MegatronLm),
        }
    }
}
