//! Reads the fields of a JSON object that is not a request of the engine. Null is absent; an unknown key is an error.

use super::problem::ApiProblem;
use engine::{FieldProblem, Problem};
use serde_json::{Map, Value};

/// The fields of an object, and what is wrong with those that were read.
#[derive(Debug)]
pub struct Fields {
    object: Map<String, Value>,
    errors: Vec<FieldProblem>,
}

impl Fields {
    /// Of a body that has these keys and no others.
    pub fn of(body: Value, known: &[&str]) -> Result<Self, ApiProblem> {
        let Value::Object(object) = body else {
            let problem = FieldProblem::new("", "wrong_type", "The body is no JSON object; send {…}.");
            return Err(Problem::invalid(vec![problem]).into());
        };
        let unknown = object.keys().filter(|key| !known.contains(&key.as_str()));
        let errors = unknown.map(|key| unknown_key(key, known)).collect();
        Ok(Self { object, errors })
    }

    /// A field as it is.
    pub fn value(&mut self, name: &str) -> Option<Value> {
        self.object.remove(name).filter(|value| !value.is_null())
    }

    /// A text.
    pub fn text(&mut self, name: &str) -> Option<String> {
        self.read(name, "text", |value| value.as_str().map(str::to_owned))
    }

    /// True or false.
    pub fn flag(&mut self, name: &str) -> Option<bool> {
        self.read(name, "true or false", Value::as_bool)
    }

    /// A list of texts.
    pub fn texts(&mut self, name: &str) -> Option<Vec<String>> {
        self.read(name, "a list of texts", |value| {
            value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned)).collect()
        })
    }

    /// A number, or one as people write it.
    pub fn amount(&mut self, name: &str) -> Option<String> {
        self.read(name, "a number", |value| match value {
            Value::Number(number) => Some(number.to_string()),
            Value::String(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// One of a few.
    pub fn choice<T: Copy>(&mut self, name: &str, all: &[(&str, T)]) -> Option<T> {
        let text = self.text(name)?;
        let found = all.iter().find(|(id, _)| *id == text).map(|(_, choice)| *choice);
        if found.is_none() {
            let ids: Vec<&str> = all.iter().map(|(id, _)| *id).collect();
            let message = format!("`{name}` is `{}`; use one of {}", shown(&text), ids.join(", "));
            self.wrong(FieldProblem::new(format!("/{name}"), "unknown_id", message));
        }
        found
    }

    /// Notes a mistake that was found elsewhere.
    pub fn wrong(&mut self, problem: FieldProblem) {
        self.errors.push(problem);
    }

    /// Says what was wrong, if something was.
    pub fn finish(self) -> Result<(), ApiProblem> {
        if self.errors.is_empty() { Ok(()) } else { Err(Problem::invalid(self.errors).into()) }
    }

    fn read<T>(&mut self, name: &str, kind: &str, read: impl Fn(&Value) -> Option<T>) -> Option<T> {
        let value = self.value(name)?;
        let found = read(&value);
        if found.is_none() {
            let message = format!("`{name}` is `{}`; send {kind}", shown(&value.to_string()));
            self.wrong(FieldProblem::new(format!("/{name}"), "wrong_type", message));
        }
        found
    }
}

/// A key that nothing reads.
pub fn unknown_key(key: &str, known: &[&str]) -> FieldProblem {
    let shown = shown(key);
    let message = format!("`{shown}` is not known here; known are {}", known.join(", "));
    FieldProblem::new(format!("/{}", shown.replace('~', "~0").replace('/', "~1")), "unknown_key", message)
}

fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_mistake_is_named() {
        let body = json!({ "a": 1, "b": "x", "c": ["x", 1], "d": null, "e": "z", "zz/~": 1 });
        let mut fields = Fields::of(body, &["a", "b", "c", "d", "e"]).expect("an object");
        assert_eq!(fields.text("a"), None);
        assert_eq!(fields.flag("b"), None);
        assert_eq!(fields.texts("c"), None);
        assert_eq!(fields.text("d"), None);
        assert_eq!(fields.choice("e", &[("y", 1)]), None);
        let problem = serde_json::to_value(fields.finish().expect_err("mistakes")).expect("JSON");
        let pointers: Vec<&str> =
            problem["errors"].as_array().expect("errors").iter().filter_map(|e| e["pointer"].as_str()).collect();
        assert_eq!(pointers, ["/zz~1~0", "/a", "/b", "/c", "/e"]);
        assert!(Fields::of(json!([]), &[]).is_err());
    }
}
