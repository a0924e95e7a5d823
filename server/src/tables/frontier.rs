//! Cost against time.

use super::Kind::{Integer, Money, Number, Percent, Text};
use super::{Table, field, id, table};
use engine::Plan;
use engine::answer::Candidate;

pub(super) fn frontier(plan: &Plan) -> Table {
    table(
        "frontier",
        plan.frontier.iter(),
        &[
            field("accelerator", "Accelerator id", Text, |c: &&Candidate| (&c.accelerator).into()),
            field("accelerator_short", "Accelerator", Text, |c| (&c.accelerator_short).into()),
            field("gpus", "GPUs", Integer, |c| c.gpus.into()),
            field("acquisition", "Acquisition", Text, |c| id(c.acquisition)),
            field("provider", "Provider id", Text, |c| c.provider.as_ref().into()),
            field("days", "Days", Number, |c| c.days.into()),
            field("total_usd", "Cost of the run, USD", Money, |c| c.total_usd.into()),
            field("mfu", "MFU", Percent, |c| c.mfu.into()),
            field("layout", "Layout", Text, |c| c.layout.short().into()),
        ],
    )
}
