//! The OpenAPI document against its snapshot, and against what is really answered.

use crate::support::Server;
use serde_json::{Value, json};

const SNAPSHOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");

#[test]
fn the_document_is_the_one_that_was_reviewed() {
    let now = server::cli::openapi_text().unwrap() + "\n";
    let reviewed = std::fs::read_to_string(SNAPSHOT).unwrap_or_default();
    assert!(
        now == reviewed,
        "the API has changed: look at `cargo run -p server -- openapi > server/openapi.json` and commit it"
    );
}

#[tokio::test]
async fn the_document_is_served() {
    let server = Server::start().await;
    let answer = server.caller().get("/api/v1/openapi.json").await;
    assert_eq!(answer.json(), server::rest::openapi::document());
    assert!(answer.json()["openapi"].as_str().is_some_and(|version| version.starts_with("3.1")));
}

#[test]
fn every_operation_documents_its_failures() {
    let document = server::rest::openapi::document();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            for status in ["200", "500", "503"] {
                assert!(responses.contains_key(status), "{method} {path}: {status}");
            }
            assert!(
                method != "post" || ["400", "413", "415", "422"].iter().all(|status| responses.contains_key(*status)),
                "{method} {path}"
            );
            assert!(operation["summary"].is_string() && operation["operationId"].is_string(), "{method} {path}");
        }
    }
}

/// Says where a value and its schema differ: a kind, a choice, a missing field, or a field that is not documented.
fn differences(components: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str().and_then(|r| r.rsplit('/').next()) {
        return differences(components, &components[name], value, at, found);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let mut attempts: Vec<Vec<String>> = Vec::new();
        for choice in choices {
            let mut inner = Vec::new();
            differences(components, choice, value, at, &mut inner);
            attempts.push(inner);
        }
        found.extend(attempts.into_iter().min_by_key(Vec::len).unwrap_or_default());
        return;
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
    let is_documented = kinds.contains(&kind) || (kind == "integer" && kinds.contains(&"number"));
    if !is_documented {
        found.push(format!("{at}: {kind}, documented as {kinds:?}"));
        return;
    }
    if let Some(choices) = schema["enum"].as_array().filter(|choices| !choices.contains(value)) {
        found.push(format!("{at}: {value}, documented as {choices:?}"));
    }
    if let Some(items) = value.as_array() {
        items
            .iter()
            .enumerate()
            .for_each(|(i, item)| differences(components, &schema["items"], item, &format!("{at}/{i}"), found));
    }
    let Some(fields) = value.as_object() else { return };
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    found.extend(
        required
            .iter()
            .filter_map(Value::as_str)
            .filter(|name| !fields.contains_key(*name))
            .map(|name| format!("{at}/{name}: missing")),
    );
    for (name, field) in fields {
        let at = format!("{at}/{name}");
        match (schema["properties"].get(name), schema.get("additionalProperties")) {
            (Some(inner), _) => differences(components, inner, field, &at, found),
            (None, Some(inner)) if inner.is_object() => differences(components, inner, field, &at, found),
            (None, _) if schema.get("properties").is_none() => {}
            _ => found.push(format!("{at}: not documented")),
        }
    }
}

fn check(name: &str, value: &Value) {
    let components = server::rest::openapi::document()["components"]["schemas"].clone();
    let mut found = Vec::new();
    differences(&components, &components[name], value, "", &mut found);
    found.truncate(10);
    assert!(found.is_empty(), "{name}: {found:#?}");
}

#[tokio::test]
async fn answers_are_as_documented() {
    let server = Server::start().await;
    let caller = server.caller();
    for query in [
        "model.preset=llama-3.1-8b&explain=true",
        "model.preset=llama-3.1-405b&budget_usd=1000&deadline_days=1",
        "model.parameters_billion=13&overrides.pue=1.3&overrides.server_usd.h100-sxm=300000&acquisition=buy",
    ] {
        let answer = caller.get(&format!("/api/v1/plans?{query}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        check("Plan", &answer.json());
    }
    let estimate = json!({ "model": { "preset": "mixtral-8x7b" }, "accelerator": "h100-sxm", "gpus": 64 });
    let tight = json!({ "model": { "preset": "llama-3.1-405b" }, "accelerator": "rtx-4090", "gpus": 8 });
    let batch = caller.post_json("/api/v1/estimates", &json!([estimate, tight, {}])).await;
    assert_eq!(batch.status, 200, "{}", batch.text());
    check("EstimateOrBatch", &batch.json());
    check("Estimate", &caller.post_json("/api/v1/estimates", &estimate).await.json());
    check("Problem", &caller.get("/api/v1/plans").await.problem(422));
    check("Validation", &caller.get("/api/v1/validation").await.json());
    for table in ["accelerators", "fabrics", "clouds", "models", "regions", "tiers"] {
        check("CatalogTable", &caller.get(&format!("/api/v1/catalog/{table}")).await.json());
    }
}
