//! A request as query pairs: the address of the planner, the GET form of the API, and the body of a form.
//!
//! Keys are the paths of the JSON joined with dots, so that the address of a page turns into data by
//! changing its path.

use super::PlanRequest;
use super::reader::Form;
use crate::problem::{FieldProblem, Problem};
use serde_json::{Map, Value};

/// Builds the tree of a request from pairs. Keys that start with `_` are ignored (people add one to defeat caches).
///
/// A key given twice is joined with a comma, so that check boxes become lists.
///
/// # Errors
/// A key that is both a value and an object, or nested too deep.
pub fn tree_from_pairs<K: AsRef<str>, V: AsRef<str>>(
    pairs: impl IntoIterator<Item = (K, V)>,
) -> Result<Value, Problem> {
    let mut root = Map::new();
    for (key, value) in pairs {
        let (key, value) = (key.as_ref(), value.as_ref());
        if key.starts_with('_') || key.is_empty() || value.trim().is_empty() {
            continue;
        }
        let parts: Vec<&str> = key.split('.').collect();
        insert(&mut root, &parts, value).map_err(|()| {
            let shown: String = key.chars().take(80).collect();
            let message =
                format!("`{shown}` can't be placed: a part of it is already a value, or it nests deeper than 6");
            Problem::invalid(vec![FieldProblem::new(format!("/{}", shown.replace('.', "/")), "unknown_key", message)])
        })?;
    }
    Ok(Value::Object(root))
}

fn insert(object: &mut Map<String, Value>, parts: &[&str], value: &str) -> Result<(), ()> {
    match parts {
        [] => Err(()),
        _ if parts.len() > 6 => Err(()),
        [last] => match object.get_mut(*last) {
            None => {
                object.insert((*last).to_owned(), Value::String(value.to_owned()));
                Ok(())
            }
            Some(Value::String(text)) => {
                text.push(',');
                text.push_str(value);
                Ok(())
            }
            Some(_) => Err(()),
        },
        [first, rest @ ..] => {
            let inner = object.entry((*first).to_owned()).or_insert_with(|| Value::Object(Map::new()));
            match inner {
                Value::Object(inner) => insert(inner, rest, value),
                _ => Err(()),
            }
        }
    }
}

/// Reads a plan request from query pairs.
///
/// # Errors
/// As [`PlanRequest::parse`].
pub fn plan_request_from_pairs<K: AsRef<str>, V: AsRef<str>>(
    pairs: impl IntoIterator<Item = (K, V)>,
) -> Result<PlanRequest, Problem> {
    PlanRequest::parse(&tree_from_pairs(pairs)?, Form::Text)
}

/// Writes a plan request as query pairs: the model and what differs from the defaults of that model.
///
/// A value that is the default of the model alone may be another's default with the rest of the request (method,
/// stack): what does not read back as the same request is written in full.
pub fn plan_request_to_pairs(request: &PlanRequest) -> Vec<(String, String)> {
    let value = strip_model_type(serde_json::to_value(request).unwrap_or(Value::Null));
    let model_only = serde_json::json!({ "model": value.get("model").cloned().unwrap_or(Value::Null) });
    let defaults = PlanRequest::parse(&model_only, Form::Json).ok();
    let default_value = defaults.and_then(|d| serde_json::to_value(d).ok()).map_or(Value::Null, strip_model_type);
    let mut all = Vec::new();
    flatten("", &value, &mut all);
    let mut known = Vec::new();
    flatten("", &default_value, &mut known);
    let short: Vec<(String, String)> =
        all.iter().filter(|pair| pair.0.starts_with("model.") || !known.contains(pair)).cloned().collect();
    let same = |r: PlanRequest| {
        let again = serde_json::to_value(&r).map_or(Value::Null, strip_model_type);
        again == value
    };
    if plan_request_from_pairs(short.iter().cloned()).is_ok_and(same) { short } else { all }
}

/// Where an architecture came from is a remark, not an input.
fn strip_model_type(mut value: Value) -> Value {
    if let Some(Value::Object(model)) = value.get_mut("model") {
        model.remove("model_type");
    }
    value
}

fn flatten(prefix: &str, value: &Value, pairs: &mut Vec<(String, String)>) {
    match value {
        Value::Null => {}
        Value::Object(object) => {
            for (key, inner) in object {
                let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                flatten(&path, inner, pairs);
            }
        }
        Value::Array(items) => {
            let texts: Vec<String> = items.iter().map(scalar_text).collect();
            if !texts.is_empty() {
                pairs.push((prefix.to_owned(), texts.join(",")));
            }
        }
        scalar => pairs.push((prefix.to_owned(), scalar_text(scalar))),
    }
}

fn scalar_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // 5000000.0 reads better as 5000000
        Value::Number(number) => match number.as_f64() {
            Some(n) if n.fract() == 0.0 && n.abs() < 9e15 => format!("{}", n as i64),
            _ => number.to_string(),
        },
        other => other.to_string(),
    }
}
