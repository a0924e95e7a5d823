//! How well the cluster is used: by its size, by month, and what to expect of the metrics a team watches.

use super::candidates::{Field, Sized};
use super::health::health;
use crate::answer::{NextBlock, SizePoint, StepShares, Utilization, UtilizationMonth};
use crate::catalog::Catalog;
use crate::economics::demand::{LONGEST_MONTHS, demand_factor};
use crate::economics::inputs::Inputs;
use crate::request::PlanRequest;
use crate::units::HOURS_PER_MONTH;

/// Sizes shown in the scaling curve.
const MOST_SIZES: usize = 12;

/// Utilization of the shown cluster.
pub(super) fn utilization(request: &PlanRequest, inputs: &Inputs, field: &Field, sized: Option<&Sized>) -> Utilization {
    let Some(sized) = sized else {
        return Utilization {
            by_cluster_size: Vec::new(),
            by_month: Vec::new(),
            health: Vec::new(),
            saturates_in_month: None,
            next_block: None,
        };
    };
    let same: Vec<&Sized> = field
        .sized
        .iter()
        .filter(|s| s.found.fits && s.accelerator.id == sized.accelerator.id && s.group == sized.group)
        .collect();
    Utilization {
        by_cluster_size: thin(&same, sized).into_iter().map(|s| size_point(request, s)).collect(),
        by_month: by_month(request, sized),
        health: health(field, sized, input_share(sized)),
        saturates_in_month: saturates(request),
        next_block: next_block(request, inputs, sized),
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
    let read = sized.storage.read_gb_per_second * 1e9;
    let needed = needed_bytes_per_second(sized);
    (needed / read - 1.0).max(0.0) / (needed / read).max(1.0)
}

/// Rate of reading that training needs, bytes/s.
pub(super) fn needed_bytes_per_second(sized: &Sized) -> f64 {
    sized.tokens_per_second * Catalog::get().costs.bytes_per_token.value
}

/// Demand over capacity in a month from 1.
fn demand(request: &PlanRequest, month: u32) -> f64 {
    request.utilization * demand_factor(request, month.saturating_sub(1))
}

fn by_month(request: &PlanRequest, sized: &Sized) -> Vec<UtilizationMonth> {
    let capacity = f64::from(sized.gpus) * HOURS_PER_MONTH;
    (1..=request.horizon_months)
        .map(|month| {
            let demand = capacity * demand(request, month);
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

/// First month in which demand passes the capacity.
fn saturates(request: &PlanRequest) -> Option<u32> {
    (1..=LONGEST_MONTHS).find(|month| demand(request, *month) > 1.0)
}

/// The next block is ordered a lead time before the month that needs it, and covers the year from then on.
fn next_block(request: &PlanRequest, inputs: &Inputs, sized: &Sized) -> Option<NextBlock> {
    let needed_in_month = saturates(request)?;
    let lead_time_months = inputs.lead_time_months.value();
    // month m begins m − 1 months from now
    let left = f64::from(needed_in_month - 1);
    let highest = (needed_in_month..needed_in_month + 12).map(|m| demand(request, m)).fold(0.0, f64::max);
    let per_node = sized.gpus / sized.nodes.max(1);
    let nodes = ((highest - 1.0) * f64::from(sized.nodes)).ceil().clamp(1.0, 1e8) as u32;
    Some(NextBlock {
        needed_in_month,
        lead_time_months,
        order_in_months: (left - lead_time_months).max(0.0),
        overdue: left < lead_time_months,
        gpus: nodes.saturating_mul(per_node),
    })
}
