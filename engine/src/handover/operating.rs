//! What to expect of the run and to have at hand: metrics, interruptions, spares, people, scratch space.

use super::checkpoint::{self, bytes_per_node};
use super::run::Run;
use crate::answer::HealthMetric;
use crate::request::Acquisition;
use serde::{Deserialize, Serialize};

/// One use of a node's own NVMe drives.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scratch {
    /// Folder below the mount point.
    pub folder: String,
    /// Space of one node, bytes.
    pub bytes_per_node: f64,
    /// What it is for, and how the size came about.
    pub why: String,
}

/// The operating plan of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Operating {
    /// Metrics with their expected value; below `low` or above `high` is an alarm. The plan's own.
    pub metrics: Vec<HealthMetric>,
    /// Interruptions of the job per week, machines that spot takes away among them.
    pub interruptions_per_week: f64,
    /// Hours between interruptions.
    pub hours_between_interruptions: f64,
    /// From an interruption to training again, hours.
    pub restart_hours: f64,
    /// Work done again, write and restart of one interruption, hours.
    pub lost_hours_per_interruption: f64,
    /// Productive share of the calendar.
    pub goodput: f64,
    /// Seconds between checkpoints.
    pub checkpoint_interval_seconds: f64,
    /// Size of one checkpoint, bytes.
    pub checkpoint_bytes: f64,
    /// Spare systems of a bought cluster; absent when rented: the provider replaces.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spare_systems: Option<f64>,
    /// Engineers who run the cluster, full-time equivalents: those who share being on call.
    pub staff_fte: f64,
    /// Layout of each node's own NVMe drives.
    pub scratch: Vec<Scratch>,
}

pub(super) fn operating(run: &Run<'_>) -> Operating {
    let r = &run.reliability;
    let bought = run.tier.cost.as_ref().is_some_and(|c| c.acquisition == Acquisition::Buy);
    let spares = run.plan.bill_of_materials.iter().find(|line| line.item.starts_with("Spare: "));
    Operating {
        metrics: run.plan.utilization.health.clone(),
        interruptions_per_week: 168.0 / r.mtbf_hours,
        hours_between_interruptions: r.mtbf_hours,
        restart_hours: run.inputs.restart_hours.value(),
        lost_hours_per_interruption: checkpoint::lost_hours(run),
        goodput: run.tier.goodput.unwrap_or(r.goodput),
        checkpoint_interval_seconds: r.interval_seconds,
        checkpoint_bytes: r.checkpoint_bytes,
        spare_systems: spares.filter(|_| bought).map(|line| line.quantity),
        staff_fte: run.inputs.staff(f64::from(run.cluster.nodes)),
        scratch: scratch(run),
    }
}

/// Space that follows from the run; what is left is free for images and traces.
fn scratch(run: &Run<'_>) -> Vec<Scratch> {
    let nodes = f64::from(run.cluster.nodes.max(1));
    let data =
        run.request().training_tokens as f64 * crate::catalog::Catalog::get().costs.bytes_per_token.value / nodes;
    let part = bytes_per_node(run);
    vec![
        Scratch {
            folder: "checkpoints".into(),
            bytes_per_node: 2.0 * part,
            why: "This node's part of two checkpoints: the last whole one, and the one being written, before both are on shared storage.".into(),
        },
        Scratch {
            folder: "data".into(),
            bytes_per_node: data,
            why: "This node's part of the data set, read once from shared storage.".into(),
        },
    ]
}
