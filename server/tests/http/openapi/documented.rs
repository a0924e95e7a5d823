//! Answers against their schemas, in both directions: what differs, and which documented keys were seen.

use serde_json::Value;
use std::collections::BTreeSet;

fn components() -> Value {
    server::rest::openapi::document()["components"]["schemas"].clone()
}

/// Name of the schema that is meant.
fn reference(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str().and_then(|reference| reference.rsplit('/').next())
}

/// What checks of answers found.
pub struct Checked {
    components: Value,
    /// Where an answer and its schema differ: a kind, a range, a choice, a missing field, or one that is not documented.
    pub differences: Vec<String>,
    /// Documented keys that an answer had with a value, as schema and path in it.
    pub keys: BTreeSet<String>,
}

impl Checked {
    pub fn new() -> Self {
        Self { components: components(), differences: Vec::new(), keys: BTreeSet::new() }
    }

    /// Checks an answer; an object may hold only what its schema names.
    pub fn check(&mut self, name: &str, answer: &Value, of: &str) {
        let mut found = Found::default();
        self.walk(&self.components[name], name, answer, of, &mut found);
        self.differences.extend(found.differences);
        self.keys.extend(found.keys);
    }

    /// What of one answer differs from its schema.
    pub fn differences_of(&self, name: &str, answer: &Value) -> Vec<String> {
        let mut found = Found::default();
        self.walk(&self.components[name], name, answer, "", &mut found);
        found.differences
    }

    /// `key` is where the schema stands, `at` where the value does.
    fn walk(&self, schema: &Value, key: &str, value: &Value, at: &str, found: &mut Found) {
        if let Some(name) = reference(schema) {
            return self.walk(&self.components[name], name, value, at, found);
        }
        if let Some(choices) = schema["oneOf"].as_array() {
            let attempts = choices.iter().map(|choice| {
                let mut attempt = Found::default();
                self.walk(choice, key, value, at, &mut attempt);
                attempt
            });
            // the choice that is meant
            let nearest = attempts.min_by_key(|attempt| attempt.differences.len()).unwrap_or_default();
            return found.add(nearest);
        }
        let kinds: Vec<&str> = match &schema["type"] {
            Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
            kind => kind.as_str().into_iter().collect(),
        };
        let kind = match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(number) if number.is_f64() => "number",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        if !(kinds.contains(&kind) || kind == "integer" && kinds.contains(&"number")) {
            return found.differs(format!("{at}: {kind}, documented as {kinds:?}"));
        }
        if schema["enum"].as_array().is_some_and(|choices| !choices.contains(value)) {
            found.differs(format!("{at}: {value}, documented as {}", schema["enum"]));
        }
        let (min, max) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
        if value.as_f64().is_some_and(|n| min.is_some_and(|min| n < min) || max.is_some_and(|max| n > max)) {
            found.differs(format!("{at}: {value}, documented as {min:?} to {max:?}"));
        }
        match value {
            Value::Array(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.walk(&schema["items"], key, item, &format!("{at}/{index}"), found);
                }
            }
            Value::Object(fields) => {
                for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                    if !fields.contains_key(name) {
                        found.differs(format!("{at}/{name}: missing"));
                    }
                }
                for (name, field) in fields {
                    let at = format!("{at}/{name}");
                    match (schema["properties"].get(name), schema["additionalProperties"].is_object()) {
                        (Some(inner), _) => {
                            let key = format!("{key}/{name}");
                            if !field.is_null() {
                                found.keys.insert(key.clone());
                            }
                            self.walk(inner, &key, field, &at, found);
                        }
                        (None, true) => self.walk(&schema["additionalProperties"], key, field, &at, found),
                        (None, false) => found.differs(format!("{at}: not documented")),
                    }
                }
            }
            _ => {}
        }
    }
}

/// What one attempt found.
#[derive(Default)]
struct Found {
    differences: Vec<String>,
    keys: BTreeSet<String>,
}

impl Found {
    fn differs(&mut self, what: String) {
        self.differences.push(what);
    }

    fn add(&mut self, other: Self) {
        self.differences.extend(other.differences);
        self.keys.extend(other.keys);
    }
}

/// Every key below some schemas, as schema and path in it.
pub fn documented_keys(roots: &[&str]) -> BTreeSet<String> {
    let components = components();
    let (mut keys, mut visited) = (BTreeSet::new(), BTreeSet::new());
    let mut waiting: Vec<String> = roots.iter().map(|name| (*name).to_owned()).collect();
    while let Some(name) = waiting.pop() {
        if visited.insert(name.clone()) {
            collect(&components[&name], &name, &mut keys, &mut waiting);
        }
    }
    keys
}

fn collect(schema: &Value, key: &str, keys: &mut BTreeSet<String>, waiting: &mut Vec<String>) {
    if let Some(name) = reference(schema) {
        return waiting.push(name.to_owned());
    }
    for inner in schema["oneOf"].as_array().into_iter().flatten() {
        collect(inner, key, keys, waiting);
    }
    for inner in [schema.get("items"), schema.get("additionalProperties")].into_iter().flatten() {
        collect(inner, key, keys, waiting);
    }
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        let key = format!("{key}/{name}");
        keys.insert(key.clone());
        collect(inner, &key, keys, waiting);
    }
}
