//! How well a cluster is used: by its size, by month, and what to watch.

use super::Layout;
use super::money::NextBlock;
use serde::{Deserialize, Serialize};

/// Shares of the calendar time; they sum to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepShares {
    /// Matrix multiplications, attention and memory-bound work.
    pub compute: f64,
    /// Exposed communication: tensor, context, expert, data, stage to stage.
    pub communication: f64,
    /// Pipeline bubble.
    pub bubble: f64,
    /// Waiting for input.
    pub input: f64,
    /// Optimizer, launches, jitter.
    pub overhead: f64,
    /// Writing checkpoints.
    pub checkpoints: f64,
    /// Lost work and restarts.
    pub failures: f64,
}

/// The recommended accelerator at one cluster size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SizePoint {
    /// Devices.
    pub gpus: u32,
    /// Days of the run.
    pub days: f64,
    /// Tokens per second of the whole cluster.
    pub tokens_per_second: f64,
    /// MFU while training.
    pub mfu: f64,
    /// Productive share of the calendar.
    pub goodput: f64,
    /// Where the time goes.
    pub shares: StepShares,
    /// Layout.
    pub layout: Layout,
}

/// Demand against capacity in one month.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct UtilizationMonth {
    /// Month, from 1.
    pub month: u32,
    /// Demand, device-hours.
    pub demand_gpu_hours: f64,
    /// Owned capacity, device-hours.
    pub capacity_gpu_hours: f64,
    /// Demand above capacity, rented, device-hours.
    pub burst_gpu_hours: f64,
    /// Capacity without work, device-hours.
    pub idle_gpu_hours: f64,
    /// Share of the capacity that works.
    pub utilization: f64,
}

/// A metric that a team watches, with what to expect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HealthMetric {
    /// Stable key.
    pub metric: String,
    /// Name for people.
    pub label: String,
    /// Unit.
    pub unit: String,
    /// Expected value.
    pub expected: f64,
    /// Low end of the healthy range.
    pub low: f64,
    /// High end of the healthy range.
    pub high: f64,
}

/// Utilization by size and by month.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Utilization {
    /// By cluster size.
    pub by_cluster_size: Vec<SizePoint>,
    /// By month.
    pub by_month: Vec<UtilizationMonth>,
    /// What to expect of the metrics a team watches.
    pub health: Vec<HealthMetric>,
    /// First month (from 1) in which demand passes the capacity, looked for over ten years; null: never.
    pub saturates_in_month: Option<u32>,
    /// The next block of capacity; null when demand never passes what there is.
    pub next_block: Option<NextBlock>,
}
