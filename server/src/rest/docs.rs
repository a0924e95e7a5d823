//! What the page of the API shows, made from the OpenAPI document.

use super::openapi;
use app::backend::docs::{Answer, ApiDocs, Group, Keys, Operation, Parameter};
use serde_json::Value;
use std::sync::{Arc, LazyLock};

static DOCS: LazyLock<Arc<ApiDocs>> = LazyLock::new(|| Arc::new(read(&openapi::document())));

/// The API as the page shows it.
pub fn docs() -> Arc<ApiDocs> {
    Arc::clone(&DOCS)
}

/// Order of the groups: what people come for first.
const GROUPS: [&str; 11] = [
    "Plans",
    "Estimates",
    "Catalog",
    "Scenarios",
    "Links",
    "Feeds",
    "Price book",
    "Log",
    "Validation",
    "Tokens",
    "Documentation",
];

fn read(document: &Value) -> ApiDocs {
    let mut groups: Vec<Group> = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for (method, value) in item.as_object().into_iter().flatten() {
            let name = value["tags"][0].as_str().unwrap_or("Other").to_owned();
            let operation = operation(document, method, path, value);
            match groups.iter_mut().find(|group| group.name == name) {
                Some(group) => group.operations.push(operation),
                None => groups.push(Group { name, operations: vec![operation] }),
            }
        }
    }
    groups.sort_by_key(|group| GROUPS.iter().position(|name| *name == group.name).unwrap_or(GROUPS.len()));
    ApiDocs { groups, keys: keys(document) }
}

fn operation(document: &Value, method: &str, path: &str, value: &Value) -> Operation {
    let (mut own, mut shared) = (Vec::new(), Vec::new());
    for parameter in value["parameters"].as_array().into_iter().flatten() {
        match parameter["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
            Some(key) => {
                let name = key.split('.').next().unwrap_or_default().to_owned();
                if !shared.contains(&name) {
                    shared.push(name);
                }
            }
            None => own.push(self::parameter(parameter)),
        }
    }
    let answers = value["responses"].as_object().into_iter().flatten().map(|(status, answer)| {
        let answer = followed(document, answer);
        Answer {
            status: status.clone(),
            description: text(&answer["description"]),
            media_types: names(&answer["content"]),
        }
    });
    Operation {
        id: text(&value["operationId"]),
        method: method.to_uppercase(),
        path: path.to_owned(),
        summary: text(&value["summary"]),
        description: text(&value["description"]).replace('\n', " "),
        token: value.get("security").is_some(),
        parameters: own,
        keys: shared,
        body: names(&value["requestBody"]["content"]),
        answers: answers.collect(),
    }
}

/// The keys that operations share, by the request that they are of.
fn keys(document: &Value) -> Vec<Keys> {
    let mut all: Vec<Keys> = Vec::new();
    for (key, value) in document["components"]["parameters"].as_object().into_iter().flatten() {
        let name = key.split('.').next().unwrap_or_default();
        match all.iter_mut().find(|keys| keys.name == name) {
            Some(keys) => keys.keys.push(parameter(value)),
            None => all.push(Keys { name: name.to_owned(), keys: vec![parameter(value)] }),
        }
    }
    all
}

fn parameter(value: &Value) -> Parameter {
    let choices = value["schema"]["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    Parameter {
        name: text(&value["name"]),
        description: text(&value["description"]),
        choices: choices.map(str::to_owned).collect(),
    }
}

/// What a reference stands for.
fn followed<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let target = value["$ref"].as_str().and_then(|reference| document.pointer(reference.trim_start_matches('#')));
    target.unwrap_or(value)
}

fn names(object: &Value) -> Vec<String> {
    object.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_is_shown_with_its_answers() {
        let document = openapi::document();
        let documented: usize = document["paths"]
            .as_object()
            .expect("paths")
            .values()
            .map(|item| item.as_object().map_or(0, serde_json::Map::len))
            .sum();
        let docs = docs();
        let shown: Vec<&Operation> = docs.groups.iter().flat_map(|group| &group.operations).collect();
        assert_eq!(shown.len(), documented);
        for operation in shown {
            assert!(!operation.summary.is_empty() && !operation.id.is_empty(), "{operation:?}");
            assert!(operation.answers.iter().all(|answer| !answer.description.is_empty()), "{operation:?}");
        }
        assert!(docs.groups.iter().all(|group| GROUPS.contains(&group.name.as_str())), "a group has no place");
        let plan = docs.keys.iter().find(|keys| keys.name == "PlanRequest").expect("keys");
        assert!(plan.keys.iter().any(|key| key.name == "overrides.gpu_hour_usd.{id}.{id}"));
    }
}
