//! Layouts and framework files of others, checked: does the product come out, and can the framework do it?

use crate::problem::FieldProblem;
use crate::request::Sharding;
use serde::{Deserialize, Serialize};

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
