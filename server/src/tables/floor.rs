//! Where racks stand, and cables by length.

use super::Kind::{Integer, Number, Text};
use super::{Table, field, table};
use engine::Plan;
use engine::answer::{CableCount, CableLevel, RackRun};

pub(super) fn floor(plan: &Plan) -> Table {
    let racks = plan.build.iter().filter_map(|b| b.floor.as_ref()).flat_map(|f| &f.racks);
    table(
        "floor",
        racks,
        &[
            field("row", "Row", Integer, |run: &&RackRun| run.row.into()),
            field("first_place", "First place", Integer, |run| run.first_place.into()),
            field("last_place", "Last place", Integer, |run| run.last_place.into()),
            field("kind", "Kind", Text, |run| (&run.kind).into()),
            field("holds", "Holds", Text, |run| (&run.holds).into()),
        ],
    )
}

pub(super) fn cables(plan: &Plan) -> Table {
    let levels = plan.build.iter().filter_map(|b| b.cables.as_ref()).flat_map(|c| &c.levels);
    let rows: Vec<(&CableLevel, &CableCount)> =
        levels.flat_map(|level| level.by_length.iter().map(move |count| (level, count))).collect();
    table(
        "cables",
        rows,
        &[
            field("level", "Level", Text, |(level, _): &(&CableLevel, &CableCount)| (&level.id).into()),
            field("medium", "Medium", Text, |(level, _)| (&level.medium).into()),
            field("cable", "Cable", Text, |(level, _)| (&level.cable).into()),
            field("over_meters", "Longer than, m", Number, |(_, count)| count.over_meters.into()),
            field("up_to_meters", "Up to, m", Number, |(_, count)| count.up_to_meters.into()),
            field("links", "Cables", Integer, |(_, count)| count.links.into()),
            field("mean_meters", "Mean length of the level, m", Number, |(level, _)| level.mean_meters.into()),
            field("longest_meters", "Longest of the level, m", Number, |(level, _)| level.longest_meters.into()),
        ],
    )
}
