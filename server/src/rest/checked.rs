//! The tables of the catalog that are computed: rules of thumb and the clusters that field reports recommend.

use super::catalog::json as value;
use engine::rules::{Check, Citation, contradictions, rule_groups};
use serde_json::{Value, json};

/// The table or list is computed, at first by dozens of plans' work.
pub(super) fn is_checked(name: &str) -> bool {
    matches!(name, "rules" | "contradictions" | "reference-builds")
}

/// The lists of a table.
pub(super) fn lists(table: &str) -> Vec<(&'static str, Value)> {
    match table {
        "rules" => vec![
            ("groups", value(&rule_groups())),
            ("rules", value(&engine::rules())),
            ("contradictions", value(&contradictions())),
        ],
        _ => vec![("reference_builds", value(&engine::reference_builds()))],
    }
}

/// The entries of a list, each with columns that a sheet can hold.
pub(super) fn flat(list: &str) -> Option<Value> {
    match list {
        "rules" => Some(engine::rules().iter().map(row).collect()),
        "contradictions" => Some(value(&contradictions())),
        "reference-builds" => Some(value(&engine::reference_builds())),
        _ => None,
    }
}

/// A rule with its checks and sources in words.
fn row(rule: &engine::rules::Rule) -> Value {
    let check = |check: &Check| format!("{}: {}", check.what, check.text);
    let source = |cited: &Citation| match &cited.url {
        Some(url) => format!("{} ({}) {url}", cited.title, cited.date),
        None => format!("{} ({})", cited.title, cited.date),
    };
    let mut row = value(rule);
    row["checks"] = rule.checks.iter().map(check).collect();
    row["sources"] = rule.sources.iter().map(source).collect();
    row["case"] = json!({
        "query": rule.case.as_ref().map(|case| case.query.as_str()),
        "kind": rule.case.as_ref().map(|case| value(&case.kind)),
    });
    row
}
