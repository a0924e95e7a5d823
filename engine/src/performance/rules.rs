//! Which layouts are legal, and words for those that are not.

use super::job::Job;
use crate::problem::FieldProblem;

/// Degrees of a layout that is being checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Degrees {
    pub gpus: u32,
    pub tensor: u32,
    pub pipeline: u32,
    pub virtual_pipeline: u32,
    pub context: u32,
    pub expert: u32,
}

/// Heads, key/value heads and widths divide by the tensor-parallel degree.
///
/// Key/value heads may also be replicated, when the degree is a multiple of their number.
pub(crate) fn tensor_is_legal(job: &Job, tensor: u32) -> bool {
    let a = &job.architecture;
    let kv = a.kv_heads;
    let ffn = a.moe.as_ref().is_none_or(|m| m.expert_ffn % tensor == 0) && a.ffn.is_multiple_of(tensor);
    a.heads.is_multiple_of(tensor)
        && (kv.is_multiple_of(tensor) || tensor.is_multiple_of(kv))
        && a.hidden.is_multiple_of(tensor)
        && ffn
}

/// The sequence splits into two equal parts for each context-parallel rank.
pub(crate) fn context_is_legal(job: &Job, context: u32) -> bool {
    context == 1 || job.context_length.is_multiple_of(2 * u64::from(context))
}

/// Experts divide by the expert-parallel degree, which divides the ranks that hold different experts: all ranks of one
/// stage (tensor × context × data), or without the tensor-parallel ones where these split each expert.
pub(crate) fn expert_is_legal(job: &Job, tensor: u32, expert: u32, stage_ranks: u32) -> bool {
    let split = job.expert_tensor(tensor, expert);
    match job.experts() {
        None => expert == 1,
        Some(experts) => experts.is_multiple_of(expert) && (stage_ranks / split).is_multiple_of(expert),
    }
}

/// Every rule that a layout breaks.
pub(crate) fn broken(job: &Job, degrees: &Degrees, domain: u32) -> Vec<FieldProblem> {
    let a = &job.architecture;
    let Degrees { gpus, tensor, pipeline, virtual_pipeline, context, expert } = *degrees;
    let mut problems = Vec::new();
    let mut say = |field: &str, code: &str, message: String| {
        problems.push(FieldProblem::new(format!("/layout/{field}"), code, message))
    };
    let limit = gpus.min(1_024);
    let tensors = || list((1..=limit.min(domain)).filter(|t| tensor_is_legal(job, *t)));
    if !a.heads.is_multiple_of(tensor) || !(a.kv_heads.is_multiple_of(tensor) || tensor % a.kv_heads == 0) {
        let message = format!(
            "`tensor` {tensor} does not divide the {} heads and {} key/value heads; legal are {}, or raise `pipeline` instead",
            a.heads,
            a.kv_heads,
            tensors()
        );
        say("tensor", "does_not_divide", message);
    } else if !tensor_is_legal(job, tensor) {
        let message = format!(
            "`tensor` {tensor} does not divide hidden {} and the feed-forward {}; legal are {}",
            a.hidden,
            a.ffn,
            tensors()
        );
        say("tensor", "does_not_divide", message);
    } else if tensor > domain && tensor > 1 {
        let message = format!(
            "`tensor` {tensor} exceeds the scale-up domain of {domain} devices: every layer would wait for the network; use at most {}",
            (1..=domain.min(limit)).filter(|t| tensor_is_legal(job, *t)).max().unwrap_or(1)
        );
        say("tensor", "exceeds_domain", message);
    }
    if pipeline > a.layers {
        let message = format!("`pipeline` {pipeline} is more than the {} layers; use at most {}", a.layers, a.layers);
        say("pipeline", "too_many_stages", message);
    } else if virtual_pipeline > 1 && pipeline == 1 {
        say(
            "virtual_pipeline",
            "needs_pipeline",
            format!("`virtual_pipeline` {virtual_pipeline} needs `pipeline` above 1"),
        );
    } else if super::stages::Pipeline::place_by_hand(&job.shape, pipeline, virtual_pipeline).is_none() {
        let legal = list(
            (1..=a.layers / pipeline.max(1))
                .filter(|v| super::stages::Pipeline::place(&job.shape, pipeline, *v).is_some()),
        );
        let message = format!(
            "`virtual_pipeline` {virtual_pipeline} with `pipeline` {pipeline} does not divide the {} layers (or {} with embedding and head as layers); legal are {legal}",
            a.layers,
            a.layers + 2
        );
        say("virtual_pipeline", "does_not_divide", message);
    }
    if !context_is_legal(job, context) {
        let message = format!(
            "`context` {context} does not split {} tokens into {} equal parts; use a power of two",
            job.context_length,
            2 * u64::from(context)
        );
        say("context", "does_not_divide", message);
    }
    let product = u64::from(tensor) * u64::from(pipeline) * u64::from(context);
    if product > u64::from(gpus) {
        let message = format!(
            "`tensor` {tensor} × `pipeline` {pipeline} × `context` {context} = {product} devices are needed for one replica; there are {gpus}"
        );
        say("tensor", "too_many_devices", message);
    } else if u64::from(gpus) % product != 0 {
        let message = format!(
            "`tensor` {tensor} × `pipeline` {pipeline} × `context` {context} = {product} does not divide {gpus} devices; use {} or {} devices, or other degrees",
            u64::from(gpus) / product * product,
            (u64::from(gpus) / product + 1) * product
        );
        say("tensor", "does_not_divide", message);
    } else {
        let ranks = gpus / pipeline;
        if expert > 1 && job.experts().is_none() {
            say(
                "expert",
                "no_experts",
                format!("`expert` {expert} needs a mixture of experts; this model is dense: use 1"),
            );
        } else if !expert_is_legal(job, tensor, expert, ranks) {
            let experts = job.experts().unwrap_or(1);
            let legal = list((1..=experts.min(ranks)).filter(|e| expert_is_legal(job, tensor, *e, ranks)));
            let message = format!(
                "`expert` {expert} does not divide the {experts} experts and the {ranks} ranks of a stage; legal are {legal}"
            );
            say("expert", "does_not_divide", message);
        }
    }
    problems
}

fn list(values: impl Iterator<Item = u32>) -> String {
    let texts: Vec<String> = values.take(16).map(|v| v.to_string()).collect();
    if texts.is_empty() { "none".into() } else { texts.join(", ") }
}
