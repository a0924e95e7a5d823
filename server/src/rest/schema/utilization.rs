//! How well a cluster is used, in the answer to a plan.

use super::{flag, list, number, object, of, or_null, text, whole};
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("Utilization", utilization()),
        ("SizePoint", size_point()),
        ("StepShares", step_shares()),
        ("UtilizationMonth", utilization_month()),
        ("NextBlock", next_block()),
        ("HealthMetric", health_metric()),
    ]
}

fn utilization() -> Value {
    object(
        "Utilization by size and by month",
        &[
            ("by_cluster_size", list("By cluster size", of("SizePoint", "One size"))),
            ("by_month", list("By month", of("UtilizationMonth", "One month"))),
            ("health", list("What to expect of the metrics a team watches", of("HealthMetric", "A metric"))),
            (
                "saturates_in_month",
                or_null(whole(
                    "First month, from 1, in which demand passes the capacity, looked for over ten years; null: never",
                )),
            ),
            (
                "next_block",
                or_null(of("NextBlock", "The next block of capacity; null when demand never passes what there is")),
            ),
        ],
    )
}

fn size_point() -> Value {
    object(
        "The recommended accelerator at one cluster size",
        &[
            ("gpus", whole("Devices")),
            ("days", number("Days of the run")),
            ("tokens_per_second", number("Tokens per second of the whole cluster")),
            ("mfu", number("MFU while training, 0 to 1")),
            ("goodput", number("Productive share of the calendar, 0 to 1")),
            ("shares", of("StepShares", "Where the time goes")),
            ("layout", of("Layout", "Layout")),
        ],
    )
}

fn step_shares() -> Value {
    object(
        "Shares of the calendar time, each 0 to 1; they sum to 1",
        &[
            ("compute", number("Matrix multiplications, attention and memory-bound work")),
            ("communication", number("Exposed communication: tensor, context, expert, data, stage to stage")),
            ("bubble", number("Pipeline bubble")),
            ("input", number("Waiting for input")),
            ("overhead", number("Optimizer, launches, jitter")),
            ("checkpoints", number("Writing checkpoints")),
            ("failures", number("Lost work and restarts")),
        ],
    )
}

fn utilization_month() -> Value {
    object(
        "Demand against capacity in one month",
        &[
            ("month", whole("Month, from 1")),
            ("demand_gpu_hours", number("Demand, device-hours")),
            ("capacity_gpu_hours", number("Owned capacity, device-hours")),
            ("burst_gpu_hours", number("Demand above capacity, rented, device-hours")),
            ("idle_gpu_hours", number("Capacity without work, device-hours")),
            ("utilization", number("Share of the capacity that works, 0 to 1")),
        ],
    )
}

fn next_block() -> Value {
    object(
        "When to buy more",
        &[
            ("needed_in_month", whole("Month, from 1, in which it must work")),
            ("lead_time_months", number("Months from order to work")),
            ("order_in_months", number("Months from now to the order; 0 where it is now or overdue")),
            (
                "overdue",
                flag("The lead time is longer than the time that is left: what is above the capacity must be rented"),
            ),
            ("gpus", whole("Devices, in whole nodes, that cover the highest demand of the year from then on")),
        ],
    )
}

fn health_metric() -> Value {
    object(
        "A metric that a team watches, with what to expect",
        &[
            ("metric", text("Stable key, such as mfu, device_busy, all_reduce_share, input_wait, link_use")),
            ("label", text("Name for people")),
            ("unit", text("Unit")),
            ("expected", number("Expected value")),
            ("low", number("Low end of the healthy range")),
            ("high", number("High end of the healthy range")),
        ],
    )
}
