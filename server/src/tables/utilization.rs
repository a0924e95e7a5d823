//! How well a cluster is used: by size, by month, and what to expect of metrics.

use super::Kind::{Integer, Number, Percent, Text};
use super::{Table, field, table};
use engine::Plan;
use engine::answer::{HealthMetric, SizePoint, UtilizationMonth};

pub(super) fn by_size(plan: &Plan) -> Table {
    table(
        "utilization",
        plan.utilization.by_cluster_size.iter(),
        &[
            field("gpus", "GPUs", Integer, |p: &&SizePoint| p.gpus.into()),
            field("days", "Days", Number, |p| p.days.into()),
            field("tokens_per_second", "Tokens per second", Number, |p| p.tokens_per_second.into()),
            field("mfu", "MFU", Percent, |p| p.mfu.into()),
            field("goodput", "Goodput", Percent, |p| p.goodput.into()),
            field("compute_share", "Time in compute", Percent, |p| p.shares.compute.into()),
            field("communication_share", "Time in communication", Percent, |p| p.shares.communication.into()),
            field("bubble_share", "Time in the pipeline bubble", Percent, |p| p.shares.bubble.into()),
            field("input_share", "Time waiting for input", Percent, |p| p.shares.input.into()),
            field("overhead_share", "Time in overhead", Percent, |p| p.shares.overhead.into()),
            field("checkpoints_share", "Time in checkpoints", Percent, |p| p.shares.checkpoints.into()),
            field("failures_share", "Time lost to failures", Percent, |p| p.shares.failures.into()),
            field("layout", "Layout", Text, |p| p.layout.short().into()),
        ],
    )
}

pub(super) fn by_month(plan: &Plan) -> Table {
    table(
        "utilization_by_month",
        plan.utilization.by_month.iter(),
        &[
            field("month", "Month", Integer, |m: &&UtilizationMonth| m.month.into()),
            field("demand_gpu_hours", "Demand, GPU-hours", Number, |m| m.demand_gpu_hours.into()),
            field("capacity_gpu_hours", "Capacity, GPU-hours", Number, |m| m.capacity_gpu_hours.into()),
            field("burst_gpu_hours", "Rented above capacity, GPU-hours", Number, |m| m.burst_gpu_hours.into()),
            field("idle_gpu_hours", "Idle, GPU-hours", Number, |m| m.idle_gpu_hours.into()),
            field("utilization", "Utilization", Percent, |m| m.utilization.into()),
        ],
    )
}

pub(super) fn health(plan: &Plan) -> Table {
    table(
        "health",
        plan.utilization.health.iter(),
        &[
            field("metric", "Metric", Text, |m: &&HealthMetric| (&m.metric).into()),
            field("label", "Name", Text, |m| (&m.label).into()),
            field("unit", "Unit", Text, |m| (&m.unit).into()),
            field("expected", "Expected", Number, |m| m.expected.into()),
            field("low", "Healthy from", Number, |m| m.low.into()),
            field("high", "Healthy to", Number, |m| m.high.into()),
        ],
    )
}
