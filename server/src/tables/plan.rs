//! The tables of a plan by name.

use super::{
    Cell, Column, Table, assumptions, bill, curves, delimited, floor, frontier, notes, sensitivity, summary, tiers,
    utilization,
};
use engine::Plan;

/// Makes a table of a plan.
type Make = fn(&Plan) -> Table;

/// Every table of a plan. The names are part of addresses.
pub const TABLES: [(&str, Make); 20] = [
    ("summary", summary::summary),
    ("tiers", tiers::tiers),
    ("options", tiers::options),
    ("bill_of_materials", bill::bill),
    ("frontier", frontier::frontier),
    ("curves", curves::curves),
    ("curves_wide", curves::curves_wide),
    ("by_utilization", curves::by_utilization),
    ("break_even", curves::break_even),
    ("utilization", utilization::by_size),
    ("utilization_by_month", utilization::by_month),
    ("health", utilization::health),
    ("sensitivity", sensitivity::sensitivity),
    ("ranges", sensitivity::ranges),
    ("ownership", sensitivity::ownership),
    ("assumptions", assumptions::assumptions),
    ("sources", notes::sources),
    ("notices", notes::notices),
    ("floor", floor::floor),
    ("cables", floor::cables),
];

/// The names.
pub fn names() -> Vec<&'static str> {
    TABLES.iter().map(|(name, _)| *name).collect()
}

/// A table of a plan, if there is one of that name.
pub fn table(plan: &Plan, name: &str) -> Option<Table> {
    TABLES.iter().find(|(known, _)| *known == name).map(|(_, make)| make(plan))
}

/// A few words for the name of a file.
pub fn words(plan: &Plan) -> String {
    summary::model(&plan.request.model)
}

/// Names of the figures that [`figure`] gives.
pub fn figures() -> Vec<String> {
    summary::columns().into_iter().map(|column| column.name.into_owned()).collect()
}

/// One key figure as bare text.
pub fn figure(plan: &Plan, name: &str) -> Option<String> {
    let summary = summary::summary(plan);
    let index = summary.columns.iter().position(|column| column.name == name)?;
    Some(delimited::bare(summary.columns.get(index)?, summary.rows.first()?.get(index)?))
}

/// One row of a batch: its key figures, or none where there is no plan.
pub(crate) fn key_figures(plan: Option<&Plan>) -> Vec<Cell> {
    plan.and_then(|plan| summary::summary(plan).rows.pop()).unwrap_or_else(summary::nothing)
}

/// The columns of [`key_figures`].
pub(crate) fn key_columns() -> Vec<Column> {
    summary::columns()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Kind;
    use engine::request::plan_request_from_pairs;
    use std::collections::BTreeSet;

    fn plan(query: &str) -> Plan {
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        engine::plan(&plan_request_from_pairs(pairs).expect("a request"))
    }

    /// Columns are read by name and by place for years: this list grows at its ends only.
    #[test]
    fn columns_keep_their_names_and_places() {
        let plan = plan("model.preset=llama-3.2-1b&max_gpus=8");
        let first = |name: &str| -> Vec<String> {
            let table = table(&plan, name).expect("a table");
            table.columns.iter().take(7).map(|column| column.name.to_string()).collect()
        };
        assert_eq!(
            first("bill_of_materials"),
            ["item", "quantity", "unit", "unit_usd_low", "unit_usd", "unit_usd_high", "total_usd"]
        );
        assert_eq!(first("curves"), ["month", "id", "label", "cumulative_usd", "low_usd", "high_usd"]);
        assert_eq!(first("assumptions"), ["key", "value", "origin", "replaces", "used", "name"]);
        assert_eq!(
            first("summary"),
            ["headline", "model", "training_tokens", "recommended_tier", "shown_tier", "verdict", "accelerator"]
        );
        assert!(super::table(&plan, "nothing_such").is_none());
    }

    #[test]
    fn every_table_is_rectangular_with_plain_unique_names() {
        for query in [
            "model.preset=llama-3.1-70b&budget_usd=50M&deadline_days=90",
            "model.preset=llama-3.1-405b&max_gpus=8&budget_usd=1000",
        ] {
            let plan = plan(query);
            for (name, make) in TABLES {
                let table = make(&plan);
                assert_eq!(table.name, name);
                let names: BTreeSet<&str> = table.columns.iter().map(|column| column.name.as_ref()).collect();
                assert_eq!(names.len(), table.columns.len(), "{name}: a name twice");
                assert!(
                    names.iter().all(|n| n.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'))
                );
                assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{name}");
                for (column, cell) in table.rows.iter().flat_map(|row| table.columns.iter().zip(row)) {
                    let right = match (column.kind, cell) {
                        (_, Cell::Empty) | (Kind::Text, _) => true,
                        (Kind::Flag, cell) => matches!(cell, Cell::Flag(_)),
                        (Kind::Integer, cell) => matches!(cell, Cell::Integer(_)),
                        (Kind::Date | Kind::Link, cell) => matches!(cell, Cell::Text(_)),
                        (_, cell) => matches!(cell, Cell::Number(_)),
                    };
                    assert!(right, "{name}.{}: {cell:?} is no {:?}", column.name, column.kind);
                }
            }
        }
    }

    #[test]
    fn inputs_are_told_apart_from_defaults() {
        let plan = plan("model.preset=llama-3.1-8b&budget_usd=5M&overrides.pue=1.2");
        let table = table(&plan, "assumptions").expect("a table");
        let find = |key: &str| {
            let row = table.rows.iter().find(|row| row[0] == Cell::from(key)).expect("a row");
            (row[1].clone(), row[2].clone())
        };
        assert_eq!(find("budget_usd"), (Cell::Number(5e6), "set in the inputs".into()));
        assert_eq!(find("overrides.pue"), (Cell::Number(1.2), "set in the inputs".into()));
        assert_eq!(find("context_length"), (Cell::Integer(8192), "default".into()));
    }
}
