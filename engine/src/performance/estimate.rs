//! The door: one cluster, and a layout that may be given in part.

use super::remedy::remedy;
use super::search::{BatchRule, Found, Pipelines, Search};
use super::{Job, Links, Machine, rules};
use crate::answer::{Band, Estimate};
use crate::catalog::{Accelerator, Calibration, Catalog};
use crate::problem::{FieldProblem, Problem};
use crate::request::{EstimateRequest, Sharding};

/// Time, memory and utilization of one cluster; the parts of the layout that are absent are chosen.
///
/// # Errors
/// A layout that breaks a rule (does not divide, exceeds a domain, more stages than layers), with the rule and
/// the legal values. A layout that only does not fit in memory is an answer with `fits: false`.
pub fn estimate(request: &EstimateRequest) -> Result<Estimate, Problem> {
    let catalog = Catalog::get();
    let accelerator = catalog.accelerator(&request.accelerator).ok_or_else(|| {
        Problem::invalid(vec![FieldProblem::new(
            "/accelerator",
            "unknown_id",
            format!("`accelerator` `{}` is not known", request.accelerator),
        )])
    })?;
    let fabric = catalog.fabric(&request.fabric).ok_or_else(|| {
        Problem::invalid(vec![FieldProblem::new(
            "/fabric",
            "unknown_id",
            format!("`fabric` `{}` is not known", request.fabric),
        )])
    })?;
    let network = request.network_gbps_per_gpu.unwrap_or_else(|| reference_network(accelerator));
    let domain = domain(accelerator, request.gpus_per_node);
    let links = Links { fabric, network_gbps: network, domain };
    let machine = Machine::new(Calibration::get(), accelerator, &links, request.precision, request.software, 1.0);
    let job = Job::new(
        request.model.architecture(),
        request.context_length,
        request.method,
        request.optimizer,
        request.global_batch_sequences,
    )
    .with_host_offload(request.host_offload);
    check(request, &job, domain)?;
    let pipelines = Pipelines::new(&job, &request.layout, BatchRule::Exact, request.gpus);
    let mut search = Search::new(&machine, &job, request.layout, &pipelines, request.gpus);
    let found = search.best(request.gpus).or_else(|| search.leanest(request.gpus));
    let evaluated = search.evaluated;
    match found {
        Some(found) => {
            let remedy = if found.fits { None } else { remedy(&machine, &job, &request.layout, request.gpus) };
            Ok(Estimate { remedy, ..answer(&machine, &job, &found, evaluated) })
        }
        None => Err(no_layout(request)),
    }
}

/// Devices joined by the scale-up link, given how many there are in a server.
pub(crate) fn domain(accelerator: &Accelerator, gpus_per_node: u32) -> u32 {
    if accelerator.scale_up_domain > accelerator.gpus_per_node {
        return accelerator.scale_up_domain;
    }
    // PCIe-only servers still exchange inside the box at the PCIe rate
    gpus_per_node.max(1)
}

/// Network rate per device of the reference system, Gb/s; 25 where none is known.
pub(crate) fn reference_network(accelerator: &Accelerator) -> f64 {
    accelerator.network_gbps_per_gpu.as_ref().map_or(25.0, |f| f.value)
}

/// Checks what is given of the layout, so that a refusal names the rule.
fn check(request: &EstimateRequest, job: &Job, domain: u32) -> Result<(), Problem> {
    let given = &request.layout;
    let degrees = rules::Degrees {
        gpus: request.gpus,
        tensor: given.tensor.unwrap_or(1),
        pipeline: given.pipeline.unwrap_or(1),
        virtual_pipeline: given.virtual_pipeline.unwrap_or(1),
        context: given.context.unwrap_or(1),
        expert: given.expert.unwrap_or(1),
    };
    let mut broken = rules::broken(job, &degrees, domain);
    // with degrees left open, products and ranks are the search's business
    let open = given.pipeline.is_none() || given.tensor.is_none() || given.context.is_none();
    if open {
        let chosen_later = |p: &FieldProblem| {
            (p.code == "needs_pipeline" && given.pipeline.is_none())
                || (p.pointer == "/layout/expert" && p.code == "does_not_divide")
        };
        broken.retain(|p| !chosen_later(p));
    }
    if given.sharding.is_some_and(|s| s == Sharding::Full) && given.pipeline.is_some_and(|p| p > 1) {
        let message = "`sharding` full with `pipeline` above 1: each micro-batch would gather every stage's weights again; use sharding optimizer, or pipeline 1";
        broken.push(FieldProblem::new("/layout/sharding", "incompatible", message));
    }
    if broken.is_empty() { Ok(()) } else { Err(Problem::impossible_layout(broken)) }
}

fn no_layout(request: &EstimateRequest) -> Problem {
    let (gpus, batch) = (request.gpus, request.global_batch_sequences);
    let message = format!(
        "no layout of {gpus} devices divides `global_batch_sequences` {batch} into whole micro-batches with what is given; use a multiple of {gpus}, or other degrees"
    );
    Problem::impossible_layout(vec![FieldProblem::new("/global_batch_sequences", "does_not_divide", message)])
}

/// Puts what was found into the answer.
pub(crate) fn answer(machine: &Machine, job: &Job, found: &Found, evaluated: u64) -> Estimate {
    let gpus = f64::from(found.layout.tensor * found.layout.pipeline * found.layout.context * found.layout.data);
    let per_gpu = found.tokens_per_second(job) / gpus;
    let band = machine.band(job.experts().is_some());
    let peak = machine.peak.0;
    let hardware = job.flops_per_token + found.recomputed_per_token;
    let gap = found.memory.total - found.memory.usable;
    Estimate {
        tokens_per_second_per_gpu: per_gpu,
        step_seconds: found.step_seconds,
        model_tflops_per_gpu: per_gpu * job.flops_per_token / 1e12,
        mfu: per_gpu * job.flops_per_token / peak,
        hfu: per_gpu * hardware / peak,
        mfu_full_attention: per_gpu * job.flops_per_token_full / peak,
        peak_tflops: peak / 1e12,
        band: Band { low: per_gpu * band.low, high: per_gpu * band.high },
        parameters: job.shape.parameters,
        active_parameters: job.shape.active_parameters,
        flops_per_token: job.flops_per_token,
        memory_gib: found.memory,
        fits: found.fits,
        memory_gap_gib: gap,
        remedy: None,
        layout: found.layout,
        time_seconds: found.time,
        layouts_evaluated: evaluated,
    }
}
