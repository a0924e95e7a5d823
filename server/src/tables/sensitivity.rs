//! What moves the cost, how far days and cost may be off, and what owning takes each month.

use super::Kind::{Integer, Money, Number, Text};
use super::{Table, field, table};
use engine::Plan;
use engine::answer::{RunRanges, RunningPart, SensitivityRow};

pub(super) fn sensitivity(plan: &Plan) -> Table {
    table(
        "sensitivity",
        plan.sensitivity.iter(),
        &[
            field("input", "Input", Text, |row: &&SensitivityRow| (&row.input).into()),
            field("label", "Name", Text, |row| (&row.label).into()),
            field("unit", "Unit", Text, |row| (&row.unit).into()),
            field("low", "Low value", Number, |row| row.low.into()),
            field("high", "High value", Number, |row| row.high.into()),
            field("total_usd_low", "Cost at the low value, USD", Money, |row| row.total_usd_low.into()),
            field("total_usd_high", "Cost at the high value, USD", Money, |row| row.total_usd_high.into()),
        ],
    )
}

/// One row, or none where there is no distribution.
pub(super) fn ranges(plan: &Plan) -> Table {
    table(
        "ranges",
        plan.ranges,
        &[
            field("days_p10", "Days, one run in ten is below", Number, |r: &RunRanges| r.days.p10.into()),
            field("days_p50", "Days, median", Number, |r| r.days.p50.into()),
            field("days_p90", "Days, nine runs in ten are below", Number, |r| r.days.p90.into()),
            field("total_usd_p10", "Cost, one run in ten is below, USD", Money, |r| r.total_usd.p10.into()),
            field("total_usd_p50", "Cost, median, USD", Money, |r| r.total_usd.p50.into()),
            field("total_usd_p90", "Cost, nine runs in ten are below, USD", Money, |r| r.total_usd.p90.into()),
            field("draws", "Draws", Integer, |r| r.draws.into()),
        ],
    )
}

pub(super) fn ownership(plan: &Plan) -> Table {
    table(
        "ownership",
        plan.ownership.iter().flat_map(|ownership| &ownership.running),
        &[
            field("part", "Part", Text, |part: &&RunningPart| (&part.part).into()),
            field("label", "Name", Text, |part| (&part.label).into()),
            field("usd_per_month_low", "USD per month, low", Money, |part| part.usd_per_month.low.into()),
            field("usd_per_month", "USD per month", Money, |part| part.usd_per_month.typical.into()),
            field("usd_per_month_high", "USD per month, high", Money, |part| part.usd_per_month.high.into()),
        ],
    )
}
