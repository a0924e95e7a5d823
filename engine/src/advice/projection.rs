//! How well the cluster is used: by its size, by month, and what to expect of the metrics a team watches.

use super::candidates::{Field, Sized};
use crate::answer::{HealthMetric, SizePoint, StepShares, Utilization, UtilizationMonth};
use crate::request::PlanRequest;
use crate::units::HOURS_PER_MONTH;

/// Sizes shown in the scaling curve.
const MOST_SIZES: usize = 12;

/// Utilization of the shown cluster.
pub(super) fn utilization(request: &PlanRequest, field: &Field, sized: Option<&Sized>) -> Utilization {
    let Some(sized) = sized else {
        return Utilization { by_cluster_size: Vec::new(), by_month: Vec::new(), health: Vec::new() };
    };
    let same: Vec<&Sized> = field
        .sized
        .iter()
        .filter(|s| s.found.fits && s.accelerator.id == sized.accelerator.id && s.group == sized.group)
        .collect();
    Utilization {
        by_cluster_size: thin(&same, sized).into_iter().map(|s| size_point(request, s)).collect(),
        by_month: by_month(request, sized),
        health: health(sized),
    }
}

/// Doublings, and the shown size.
fn thin<'a>(all: &[&'a Sized], shown: &Sized) -> Vec<&'a Sized> {
    let mut kept: Vec<&Sized> = Vec::new();
    for sized in all {
        let far = kept.last().is_none_or(|last| f64::from(sized.gpus) >= 1.9 * f64::from(last.gpus));
        if far || sized.gpus == shown.gpus {
            kept.push(sized);
        }
    }
    kept.truncate(MOST_SIZES);
    kept
}

fn size_point(request: &PlanRequest, sized: &Sized) -> SizePoint {
    let r = &sized.reliability;
    SizePoint {
        gpus: sized.gpus,
        days: request.training_tokens as f64 / (sized.tokens_per_second * r.goodput) / 86_400.0,
        tokens_per_second: sized.tokens_per_second,
        mfu: sized.mfu,
        goodput: r.goodput,
        shares: shares(sized),
        layout: sized.found.layout,
    }
}

/// Shares of the calendar; they sum to one.
fn shares(sized: &Sized) -> StepShares {
    let t = &sized.found.time;
    let step = sized.found.step_seconds;
    let r = &sized.reliability;
    let of = |seconds: f64| seconds / step * r.goodput;
    // tokens are small: the read rate that training needs against what the storage gives
    let input = input_share(sized);
    let scale = 1.0 - input;
    StepShares {
        compute: of(t.compute + t.memory_bound) * scale,
        communication: of(t.tensor + t.context + t.expert + t.data + t.pipeline_transfer) * scale,
        bubble: of(t.pipeline_bubble) * scale,
        input: input * r.goodput,
        overhead: of(t.optimizer + t.overhead) * scale,
        checkpoints: r.checkpoint_share,
        failures: r.failure_share,
    }
}

/// Share of the step that waits for input: what reading takes beyond the step itself, when it is not hidden.
fn input_share(sized: &Sized) -> f64 {
    let costs = &crate::catalog::Catalog::get().costs;
    let read = costs.storage_read_gb_per_second_per_gpu.value * 1e9 * f64::from(sized.gpus);
    let needed = sized.tokens_per_second * costs.bytes_per_token.value;
    (needed / read - 1.0).max(0.0) / (needed / read).max(1.0)
}

fn by_month(request: &PlanRequest, sized: &Sized) -> Vec<UtilizationMonth> {
    let capacity = f64::from(sized.gpus) * HOURS_PER_MONTH;
    (1..=request.horizon_months)
        .map(|month| {
            let growth = (1.0 + request.demand_growth_per_month).powi(month as i32 - 1);
            let demand = capacity * request.utilization * growth;
            UtilizationMonth {
                month,
                demand_gpu_hours: demand,
                capacity_gpu_hours: capacity,
                burst_gpu_hours: (demand - capacity).max(0.0),
                idle_gpu_hours: (capacity - demand).max(0.0),
                utilization: (demand / capacity).min(1.0),
            }
        })
        .collect()
}

/// Expected values of what a team watches, with the band of the estimate as the healthy range.
fn health(sized: &Sized) -> Vec<HealthMetric> {
    let e = &sized.estimate;
    let t = &e.time_seconds;
    let ratio = |band: f64| band / e.tokens_per_second_per_gpu;
    let (low, high) = (ratio(e.band.low), ratio(e.band.high));
    let communication = (t.tensor + t.context + t.expert + t.data + t.pipeline_transfer) / e.step_seconds;
    let metric = |key: &str, label: &str, unit: &str, expected: f64, low: f64, high: f64| HealthMetric {
        metric: key.into(),
        label: label.into(),
        unit: unit.into(),
        expected,
        low,
        high,
    };
    vec![
        metric(
            "tokens_per_second_per_gpu",
            "Throughput",
            "tokens/s/GPU",
            e.tokens_per_second_per_gpu,
            e.band.low,
            e.band.high,
        ),
        metric("step_seconds", "Step time", "s", e.step_seconds, e.step_seconds / high, e.step_seconds / low),
        metric("mfu", "MFU", "share", e.mfu, e.mfu * low, (e.mfu * high).min(1.0)),
        metric(
            "communication_share",
            "Exposed communication",
            "share of step",
            communication,
            0.0,
            (communication * 1.5).clamp(0.02, 1.0),
        ),
        metric("memory_gib", "Memory of the fullest device", "GiB", e.memory_gib.total, 0.0, e.memory_gib.usable),
        metric(
            "goodput",
            "Goodput",
            "share of calendar",
            sized.reliability.goodput,
            (sized.reliability.goodput - 0.05).max(0.0),
            1.0,
        ),
        metric(
            "interruptions_per_week",
            "Interruptions of the job",
            "per week",
            168.0 / sized.reliability.mtbf_hours,
            0.0,
            // a Poisson count is rarely above its mean by three deviations
            168.0 / sized.reliability.mtbf_hours + 3.0 * (168.0 / sized.reliability.mtbf_hours).sqrt(),
        ),
        metric(
            "checkpoint_interval_seconds",
            "Checkpoint interval",
            "s",
            sized.reliability.interval_seconds,
            sized.reliability.interval_seconds * 0.5,
            sized.reliability.interval_seconds * 2.0,
        ),
    ]
}
