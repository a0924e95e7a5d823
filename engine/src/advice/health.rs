//! Expected values of the metrics a team watches, with healthy ranges.

use super::candidates::{Field, Sized};
use crate::answer::HealthMetric;
use crate::explain::LinkUse;
use crate::request::Sharding;

/// Alarms of field reports: input waits above one twentieth of a step, all-reduce above one tenth.
const INPUT_ALARM: f64 = 0.05;
const ALL_REDUCE_ALARM: f64 = 0.10;

/// What to expect, with the band of the estimate as the healthy range of what scales with throughput.
pub(super) fn health(field: &Field, sized: &Sized, input: f64) -> Vec<HealthMetric> {
    let e = &sized.estimate;
    let t = &e.time_seconds;
    let ratio = |band: f64| band / e.tokens_per_second_per_gpu;
    let (low, high) = (ratio(e.band.low), ratio(e.band.high));
    let step = e.step_seconds;
    let communication = (t.tensor + t.context + t.expert + t.data + t.pipeline_transfer) / step;
    let busy = (t.compute + t.memory_bound + t.optimizer) / step * (1.0 - input);
    let all_reduce = t.data / step;
    let per_week = 168.0 / sized.reliability.mtbf_hours;
    let r = &sized.reliability;
    let metric = |key: &str, label: &str, unit: &str, expected: f64, low: f64, high: f64| HealthMetric {
        metric: key.into(),
        label: label.into(),
        unit: unit.into(),
        expected,
        low,
        high,
    };
    let mut all = vec![
        metric(
            "tokens_per_second_per_gpu",
            "Throughput",
            "tokens/s/GPU",
            e.tokens_per_second_per_gpu,
            e.band.low,
            e.band.high,
        ),
        metric("step_seconds", "Step time", "s", step, step / high, step / low),
        metric("mfu", "MFU", "share", e.mfu, e.mfu * low, (e.mfu * high).min(1.0)),
        // the same work in a longer or shorter step
        metric("device_busy", "Device busy", "share of step", busy, busy * low, (busy * high).min(1.0)),
        metric(
            "communication_share",
            "Exposed communication",
            "share of step",
            communication,
            0.0,
            (communication * 1.5).clamp(0.02, 1.0),
        ),
        metric(
            "all_reduce_share",
            "Exposed gradient all-reduce",
            "share of step",
            all_reduce,
            0.0,
            (all_reduce * 1.5).clamp(ALL_REDUCE_ALARM, 1.0),
        ),
        metric(
            "input_wait",
            "Waiting for input",
            "share of step",
            input,
            0.0,
            input.mul_add(1.5, INPUT_ALARM).min(1.0),
        ),
        metric("memory_gib", "Memory of the fullest device", "GiB", e.memory_gib.total, 0.0, e.memory_gib.usable),
        metric("goodput", "Goodput", "share of calendar", r.goodput, (r.goodput - 0.05).max(0.0), 1.0),
        metric(
            "interruptions_per_week",
            "Interruptions of the job",
            "per week",
            per_week,
            0.0,
            // a Poisson count is rarely above its mean by three deviations
            per_week + 3.0 * per_week.sqrt(),
        ),
        metric(
            "checkpoint_interval_seconds",
            "Checkpoint interval",
            "s",
            r.interval_seconds,
            r.interval_seconds * 0.5,
            r.interval_seconds * 2.0,
        ),
    ];
    if let Some(load) = link_use(field, sized).map(|link| link.load()) {
        let link = metric("link_use", "Network link use", "share of rate", load, load * low, (load * high).min(1.0));
        all.insert(6, link);
    }
    all
}

/// What stands behind the load of a device's network link: bytes of gradients and weights that it sends in a step ÷
/// (rate × step).
///
/// A device reduces and gathers the parameters of its stage over its data-parallel group; the ranks of the group in one
/// server share their links. Only for dense models on several servers, split by tensor inside the server and by data
/// across: there nothing else of weight crosses the network. `None` elsewhere.
pub(super) fn link_use(field: &Field, sized: &Sized) -> Option<LinkUse> {
    let l = &sized.estimate.layout;
    let domain = sized.accelerator.scale_up_domain.max(sized.accelerator.gpus_per_node);
    let group = l.data * l.context;
    if field.job.experts().is_some() || sized.gpus <= domain || l.context > 1 || l.pipeline > 1 || group <= 1 {
        return None;
    }
    let inside = (domain / l.tensor.max(1)).clamp(1, group);
    if inside >= group || sized.network_gbps <= 0.0 {
        return None;
    }
    let trained = field.job.trained_share;
    let micro = sized.found.batch / f64::from(l.data * l.micro_batch_sequences);
    // as the step time counts them: 4-byte gradients, 2-byte weights; full sharding repeats both for each micro-batch
    let bytes = match l.sharding {
        Sharding::None => 8.0 * trained,
        Sharding::Optimizer => 6.0 * trained,
        Sharding::Gradients => 4.0 * trained * micro + 2.0 * trained,
        Sharding::Full => (4.0 + 2.0 * trained) * micro,
    };
    Some(LinkUse {
        bytes,
        parameters: sized.estimate.parameters as f64 / f64::from(l.tensor),
        servers: f64::from(group) / f64::from(inside),
        inside: f64::from(inside),
        rate: sized.network_gbps * 1e9 / 8.0,
        step_seconds: sized.estimate.step_seconds,
    })
}
