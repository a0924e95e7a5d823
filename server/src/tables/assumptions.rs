//! The request as used, and whose each value is.

use super::Kind::{Flag, Text};
use super::{Cell, Table, field, table};
use app::inputs::name;
use engine::Plan;
use engine::request::plan_request_to_pairs;
use serde_json::Value;

/// One input.
struct Input {
    key: String,
    value: Cell,
    /// Whose it is: `set in the inputs`, `quote` or `default`.
    origin: &'static str,
    replaces: Cell,
    used: Cell,
}

/// Every input with its key in the address of the planner. What is not a default differs from the default for the model.
pub(super) fn assumptions(plan: &Plan) -> Table {
    let mut all = Vec::new();
    flatten("", &serde_json::to_value(&plan.request).unwrap_or(Value::Null), &mut all);
    let given: Vec<String> = plan_request_to_pairs(&plan.request).into_iter().map(|(key, _)| key).collect();
    let inputs = all.into_iter().map(|(key, value)| {
        let over = key.strip_prefix("overrides.");
        let over = over.and_then(|key| plan.overridden.iter().find(|used| used.key == key));
        Input {
            origin: origin(plan, &key, given.contains(&key)),
            replaces: over.and_then(|over| over.replaces).into(),
            used: over.map(|over| over.used).into(),
            key,
            value,
        }
    });
    table(
        "assumptions",
        inputs,
        &[
            field("key", "Key", Text, |input: &Input| (&input.key).into()),
            field("value", "Value", Text, |input| input.value.clone()),
            field("origin", "Whose", Text, |input| input.origin.into()),
            field("replaces", "In place of", Text, |input| input.replaces.clone()),
            field("used", "Used in this plan", Flag, |input| input.used.clone()),
            field("name", "Name", Text, |input| name(&input.key).into()),
        ],
    )
}

/// Whose an input is, in words that are right for whoever has the file.
fn origin(plan: &Plan, key: &str, is_given: bool) -> &'static str {
    let is_quote = |path: &str| plan.request.quotes.0.contains_key(path);
    match key.strip_prefix("overrides.") {
        _ if key.starts_with("quotes.") => "quote",
        Some(path) if is_quote(path) => "quote",
        _ if is_given => "set in the inputs",
        _ => "default",
    }
}

/// For people: the name of each input first, and its key last.
pub(super) fn by_name(mut table: Table) -> Table {
    let last = table.columns.len().saturating_sub(1);
    if last > 0 {
        table.columns.swap(0, last);
        table.rows.iter_mut().for_each(|row| row.swap(0, last));
    }
    table
}

fn flatten(prefix: &str, value: &Value, all: &mut Vec<(String, Cell)>) {
    let cell = match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                flatten(&key, inner, all);
            }
            return;
        }
        Value::Array(items) => {
            let ids: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            ids.join(",").into()
        }
        single => Cell::of_single(single),
    };
    all.push((prefix.to_owned(), cell));
}
