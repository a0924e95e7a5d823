//! The scenario that a plan belongs to, as a table of one row.

use super::{Cell, Column, Kind, Table, plan};
use engine::Plan;

/// Name of the table, beside those of its plan.
pub const NAME: &str = "scenario";

/// What a plan belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Frozen<'a> {
    /// Name of the scenario.
    pub name: &'a str,
    /// Number of its version.
    pub version: i64,
    /// When the plan was made, ISO 8601 UTC.
    pub frozen_at: &'a str,
    /// The plan.
    pub plan: &'a Plan,
}

/// Names of the tables of a scenario: its own, and those of its plan.
pub fn names() -> Vec<&'static str> {
    plan::names().into_iter().chain([NAME]).collect()
}

/// A table of a scenario, if there is one of that name.
pub fn table(of: Frozen<'_>, name: &str) -> Option<Table> {
    if name != NAME {
        return plan::table(of.plan, name);
    }
    let fields: [(&'static str, &'static str, Kind, Cell); 6] = [
        ("name", "Name", Kind::Text, of.name.into()),
        ("version", "Version", Kind::Integer, Cell::Integer(of.version)),
        ("frozen_at", "Planned at", Kind::Date, of.frozen_at.into()),
        ("headline", "Answer", Kind::Text, (&of.plan.headline).into()),
        ("engine_version", "Engine", Kind::Text, (&of.plan.engine_version).into()),
        ("catalog_version", "Catalog", Kind::Text, (&of.plan.catalog_version).into()),
    ];
    let (columns, row): (Vec<Column>, Vec<Cell>) = fields
        .into_iter()
        .map(|(name, label, kind, cell)| (Column { name: name.into(), label: label.into(), kind }, cell))
        .unzip();
    Some(Table { name: NAME.into(), columns, rows: vec![row] })
}
