//! Every input of plans beside one another, in words.

use super::{Group, Row, Value, row};
use crate::inputs::{capitalized, field, full_value, name, position};
use engine::catalog::Catalog;
use engine::request::PlanRequest;
use engine::{Plan, request};
use serde_json::Value as Json;
use std::collections::BTreeMap;

/// One row for each input that any of the plans has.
pub(super) fn group(plans: &[&Plan]) -> Group {
    let given: Vec<BTreeMap<String, Json>> = plans.iter().map(|plan| flat(&plan.request)).collect();
    let mut keys: Vec<&String> = given.iter().flat_map(BTreeMap::keys).collect();
    keys.sort_by_key(|key| (position(key), (*key).clone()));
    keys.dedup();
    let model = plans.iter().map(|plan| Value::text(capitalized(&plan.request.model.label()))).collect();
    let rows = keys.into_iter().map(|key| {
        let values = plans.iter().zip(&given).map(|(plan, given)| value(key, given.get(key), &plan.request));
        row(key.clone(), name(key), values.collect())
    });
    // parts of models and of software stacks are many, and say something only where they differ
    let rows = rows.filter(|row| row.differs || !(row.key.starts_with("model.") || is_part_of_software(&row.key)));
    let rows: Vec<Row> = std::iter::once(row("model", "Model", model)).chain(rows).collect();
    Group { id: "inputs".into(), title: "Inputs".into(), rows }
}

fn is_part_of_software(key: &str) -> bool {
    key.starts_with("software.") && key != "software.stack"
}

/// The inputs by dotted key, without what is not set.
fn flat(request: &PlanRequest) -> BTreeMap<String, Json> {
    let mut all = BTreeMap::new();
    let mut waiting = vec![(String::new(), serde_json::to_value(request).unwrap_or_default())];
    while let Some((path, value)) = waiting.pop() {
        match value {
            Json::Null => {}
            Json::Object(inner) => waiting.extend(
                inner
                    .into_iter()
                    .map(|(key, value)| (if path.is_empty() { key } else { format!("{path}.{key}") }, value)),
            ),
            Json::Array(items) if items.is_empty() => {}
            value => drop(all.insert(path, value)),
        }
    }
    // the row of the model says these
    all.retain(|key, _| key != "model.preset" && key != "model.model_type");
    all
}

fn value(key: &str, given: Option<&Json>, request: &PlanRequest) -> Value {
    let Some(given) = given else { return Value::text(absent(key)) };
    if let Some(text) = choice(key, request) {
        return Value::text(text);
    }
    match (given, field(key)) {
        (Json::Number(number), field) => {
            let number = number.as_f64();
            let text = match (number, field, money_of(key)) {
                (Some(number), Some(field), _) => full_value(field.unit, number),
                (Some(number), None, true) => crate::format::money_full(number),
                (Some(number), None, false) => crate::format::exact_or_six(number),
                (None, ..) => "—".into(),
            };
            Value { number, ..Value::text(text) }
        }
        (Json::Bool(yes), _) => Value::text(if *yes { "yes" } else { "no" }),
        (Json::String(text), _) if key.starts_with("quotes.") => Value::text(text),
        (Json::String(text), _) => Value::text(text.replace('_', " ")),
        (other, _) => Value::text(other.to_string()),
    }
}

/// What stands where an input is not set.
fn absent(key: &str) -> &'static str {
    match key {
        "budget_usd" | "monthly_budget_usd" | "deadline_days" | "max_power_kw" => "no limit",
        "team_size" => "not stated",
        "accelerators" | "providers" | "acquisition" => "all",
        "host_offload" => "nothing",
        "overrides.topology" => "automatic",
        key if key.starts_with("overrides.") => "from the catalog",
        key if key.ends_with(".valid_until") => "until it is changed",
        _ => "—",
    }
}

/// An input that is a choice, by the names of what is chosen.
fn choice(key: &str, request: &PlanRequest) -> Option<String> {
    let catalog = Catalog::get();
    let named = |id: &String, label: Option<&String>| label.unwrap_or(id).clone();
    let text = match key {
        "method" => request.method.label().to_owned(),
        "precision" => request.precision.label().to_owned(),
        "optimizer" => request.optimizer.label().to_owned(),
        "host_offload" => request.host_offload.label().to_owned(),
        "software.stack" => request.software.stack.label().to_owned(),
        "facility" => request.facility.label().to_owned(),
        "overrides.topology" => request.overrides.topology.map_or("automatic", request::Topology::label).to_owned(),
        "region" => named(&request.region, catalog.region(&request.region).map(|region| &region.label)),
        "accelerators" => {
            joined(request.accelerators.iter().map(|id| named(id, catalog.accelerator(id).map(|a| &a.label))))
        }
        "providers" => joined(request.providers.iter().map(|id| named(id, catalog.provider(id).map(|p| &p.label)))),
        "acquisition" => joined(request.acquisition.iter().map(|way| way.label().to_owned())),
        _ => return None,
    };
    Some(text)
}

fn joined(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// The caller's prices by accelerator and provider are money.
fn money_of(key: &str) -> bool {
    key.starts_with("overrides.server_usd.") || key.starts_with("overrides.gpu_hour_usd.")
}
