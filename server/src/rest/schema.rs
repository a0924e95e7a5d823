//! Schemas of the OpenAPI document (JSON Schema 2020-12), written by hand.
//!
//! The engine knows nothing of OpenAPI, so what it reads and answers is described here, one line a field. Choices
//! and ranges come from the engine itself; tests compare the rest with what the engine really reads and answers.

mod build;
mod catalog;
mod comparison;
mod cost;
mod estimate;
mod figures;
mod handover;
mod model;
mod physical;
mod plan;
mod request;
mod rules;
mod team;
mod token;
mod utilization;
mod validation;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

/// All components by name.
pub fn components() -> Map<String, Value> {
    let mut all = Map::new();
    let parts = [
        request::schemas(),
        model::schemas(),
        estimate::schemas(),
        plan::schemas(),
        cost::schemas(),
        comparison::schemas(),
        utilization::schemas(),
        build::schemas(),
        physical::schemas(),
        catalog::schemas(),
        rules::schemas(),
        figures::schemas(),
        handover::schemas(),
        validation::schemas(),
        token::schemas(),
        team::schemas(),
    ];
    for (name, schema) in parts.into_iter().flatten() {
        all.insert(name.to_owned(), schema);
    }
    all.insert("FieldProblem".into(), field_problem());
    all.insert("Problem".into(), problem());
    all
}

/// An object. A name that ends in `?` may be absent.
fn object(description: &str, fields: &[(&str, Value)]) -> Value {
    let bare = |name: &str| name.trim_end_matches('?').to_owned();
    let properties: Map<String, Value> = fields.iter().map(|(name, schema)| (bare(name), schema.clone())).collect();
    let required: Vec<&str> = fields.iter().map(|(name, _)| *name).filter(|name| !name.ends_with('?')).collect();
    let mut schema = json!({ "type": "object", "description": description, "properties": properties });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

/// An object that callers send: a field that may be absent may also be null, and an unknown key is an error.
fn input(description: &str, fields: &[(&str, Value)]) -> Value {
    let nullable: Vec<(&str, Value)> = fields
        .iter()
        .map(|(name, schema)| (*name, if name.ends_with('?') { or_null(schema.clone()) } else { schema.clone() }))
        .collect();
    let mut schema = object(description, &nullable);
    schema["additionalProperties"] = json!(false);
    schema
}

fn ids<T: Copy>(all: &[T], id: impl Fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|item| id(*item)).collect()
}

fn number(description: &str) -> Value {
    json!({ "type": "number", "description": description })
}

fn whole(description: &str) -> Value {
    json!({ "type": "integer", "description": description })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}

fn choice(description: &str, ids: &[&str]) -> Value {
    json!({ "type": "string", "enum": ids, "description": description })
}

/// Another component.
fn of(name: &str, description: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}"), "description": description })
}

/// The same with another description.
fn described(mut schema: Value, description: &str) -> Value {
    schema["description"] = json!(description);
    schema
}

fn list(description: &str, items: Value) -> Value {
    json!({ "type": "array", "items": items, "description": description })
}

fn map(description: &str, values: Value) -> Value {
    json!({ "type": "object", "additionalProperties": values, "description": description })
}

/// Adds a range.
fn within(mut schema: Value, min: f64, max: f64) -> Value {
    schema["minimum"] = tidy(min);
    schema["maximum"] = tidy(max);
    schema
}

/// Also null: unknown, or absent.
fn or_null(mut schema: Value) -> Value {
    let kinds = match &schema["type"] {
        Value::String(kind) => vec![json!(kind), json!("null")],
        Value::Array(kinds) => kinds.iter().cloned().chain([json!("null")]).collect(),
        _ => {
            let description = schema["description"].take();
            if let Some(fields) = schema.as_object_mut() {
                fields.remove("description");
            }
            return json!({ "oneOf": [schema, { "type": "null" }], "description": description });
        }
    };
    schema["type"] = json!(kinds);
    if let Some(ids) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        ids.push(Value::Null);
    }
    schema
}

/// 1 rather than 1.0.
fn tidy(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 { json!(number as i64) } else { json!(number) }
}

fn problem() -> Value {
    object(
        "A failure (RFC 9457), sent as application/problem+json",
        &[
            ("type", text("Kind of problem: a URN made of the code")),
            ("title", text("Name of the status")),
            ("status", whole("HTTP status")),
            ("code", text("Stable code, such as invalid_request, malformed_json, not_found")),
            ("detail", text("What is wrong and what to do, for a person")),
            (
                "errors",
                list("Each bad field; empty where the problem is of no field", of("FieldProblem", "A bad field")),
            ),
        ],
    )
}

fn field_problem() -> Value {
    object(
        "One field that can't be used",
        &[
            ("pointer", text("JSON pointer (RFC 6901) to the field, such as /model/preset; empty for the whole body")),
            (
                "code",
                text(
                    "Stable code, such as out_of_range, unknown_key, unknown_id, wrong_type, required, does_not_divide",
                ),
            ),
            ("message", text("Names the field, the value and the remedy")),
        ],
    )
}
