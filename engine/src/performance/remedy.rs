//! The cheapest change that makes a cluster's layout fit in memory.

use super::search::{BatchRule, Found, Pipelines, Search};
use super::{Job, Machine};
use crate::request::{HostOffload, LayoutRequest};

/// Doublings of the cluster that are tried.
const DOUBLINGS: u32 = 6;

/// In the order of what they cost: another layout of the same devices, the host's memory, more devices, which bring
/// their share of the batch where it has to grow.
pub(super) fn remedy(machine: &Machine, job: &Job, given: &LayoutRequest, gpus: u32) -> Option<String> {
    let best = |job: &Job, gpus: u32| -> Option<Found> {
        let open = LayoutRequest::default();
        let pipelines = Pipelines::new(job, &open, BatchRule::Exact, gpus);
        Search::new(machine, job, open, &pipelines, gpus).best(gpus)
    };
    if *given != LayoutRequest::default()
        && let Some(found) = best(job, gpus)
    {
        return Some(format!("Another layout of the same devices fits: {}.", words(&found)));
    }
    for (offload, what) in [
        (HostOffload::Optimizer, "optimizer states"),
        (HostOffload::Everything, "weights, gradients and optimizer states"),
    ] {
        if job.host_offload >= offload {
            continue;
        }
        if let Some(found) = best(&job.clone().with_host_offload(offload), gpus) {
            return Some(format!(
                "It fits with {what} in the host's memory (`host_offload` {}): {}.",
                offload.id(),
                words(&found)
            ));
        }
    }
    (1..=DOUBLINGS).find_map(|doubling| {
        let more = gpus.checked_mul(1 << doubling)?;
        let job = Job { global_batch: job.global_batch.max(u64::from(more)), ..job.clone() };
        let found = best(&job, more)?;
        Some(format!("It fits on {more} devices: {}.", words(&found)))
    })
}

/// A layout in a few words.
fn words(found: &Found) -> String {
    let l = &found.layout;
    let mut parts = vec![format!("tensor {}", l.tensor), format!("pipeline {}", l.pipeline)];
    for (name, degree) in [("context", l.context), ("expert", l.expert), ("data", l.data)] {
        if degree > 1 {
            parts.push(format!("{name} {degree}"));
        }
    }
    format!("{}, sharding {}, recompute {}", parts.join(", "), l.sharding.id(), l.recompute.id())
}
