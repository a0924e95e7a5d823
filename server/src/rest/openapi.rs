//! `/openapi.json`: the document, made from the router, with schemas and what all operations have in common.

use super::catalog::{LISTS, TABLES};
use super::etag::Tagged;
use super::{router, schema};
use crate::tables::{plan, scenario};
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use utoipa::openapi::{Info, OpenApi, OpenApiBuilder};

static ANSWER: LazyLock<Tagged> =
    LazyLock::new(|| Tagged::new(document().to_string(), "application/json", "public, max-age=300, must-revalidate"));

/// This document
#[utoipa::path(get, path = "/openapi.json", operation_id = "getOpenApi", tag = "Documentation",
    responses(
        (status = 200, description = "The OpenAPI 3.1 document", content_type = "application/json", body = Object),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_openapi(headers: HeaderMap) -> Response {
    ANSWER.respond(&headers)
}

/// Title, description and license.
pub fn head() -> OpenApi {
    let mut info = Info::new("Clusterwright", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Sizes and prices GPU clusters that train large language models. Figures carry their unit in their name; null is \
         unknown. Failures are application/problem+json with a stable code and a pointer to each bad field. What computes \
         takes no account and no key; what belongs to a team takes a token of it."
            .into(),
    );
    OpenApiBuilder::new().info(info).build()
}

/// The document as JSON.
pub fn document() -> Value {
    let (_, openapi) = router().split_for_parts();
    let mut document = serde_json::to_value(openapi).unwrap_or(Value::Null);
    document["info"]["license"] = json!({ "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" });
    document["components"]["schemas"] = Value::Object(schema::components());
    document["components"]["responses"] = Value::Object(responses());
    document["components"]["parameters"] = json!({});
    document["components"]["securitySchemes"]["bearer"] = json!({
        "type": "http", "scheme": "bearer",
        "description": "A token that an editor of a team makes on its page, such as cw_…; its scopes are read and write",
    });
    if let Some(paths) = document["paths"].as_object_mut() {
        for (path, item) in paths.iter_mut() {
            for operation in item.as_object_mut().into_iter().flat_map(Map::values_mut) {
                add_failures(path, operation);
                add_choices(path, operation);
            }
        }
    }
    let lists = LISTS.map(|list| format!("{list}.csv"));
    let tables: Vec<&str> = TABLES.into_iter().chain(lists.iter().map(String::as_str)).collect();
    document["paths"]["/api/v1/catalog/{table}"]["get"]["parameters"][0]["schema"]["enum"] = json!(tables);
    document["paths"]["/api/v1/plans/value/{field}"]["get"]["parameters"][0]["schema"]["enum"] = json!(plan::figures());
    let feed = "/api/v1/feeds/{token}/value/{field}";
    document["paths"][feed]["get"]["parameters"][1]["schema"]["enum"] = json!(plan::figures());
    let feed = "/api/v1/feeds/{token}/{table}";
    let files: Vec<String> = scenario::names().into_iter().map(|name| format!("{name}.csv")).collect();
    document["paths"][feed]["get"]["parameters"][1]["schema"]["enum"] = json!(files);
    for path in [
        "plans",
        "plans.csv",
        "plans.xlsx",
        "plans.json",
        "plans/value/{field}",
        "plans/artifacts",
        "plans/artifacts/{name}",
        "plans/artifacts.zip",
        "largest-model",
    ] {
        add_parameters(&mut document, &format!("/api/v1/{path}"), "PlanRequest");
    }
    for path in ["estimates", "estimates.csv"] {
        add_parameters(&mut document, &format!("/api/v1/{path}"), "EstimateRequest");
    }
    document
}

/// What an address says of a table and of how a spreadsheet wants it.
fn add_choices(path: &str, operation: &mut Value) {
    let choice = |name: &str, ids: &[&str], description: &str| json!({ "name": name, "in": "query", "required": false, "description": description, "schema": { "type": "string", "enum": ids } });
    let mut choices = Vec::new();
    match path.trim_start_matches(super::BASE) {
        "/plans.csv" => choices.push(choice("table", &plan::names(), "Which table; summary if absent")),
        "/plans.json" => choices.push(choice("table", &plan::names(), "Which table; all of them if absent")),
        "/scenarios/{id}/plan.csv" => {
            choices.push(choice("table", &scenario::names(), "Which table; summary if absent"));
        }
        "/scenarios/{id}/plan.json" => {
            choices.push(choice("table", &scenario::names(), "Which table; all of them if absent"));
        }
        _ => {}
    }
    if path.ends_with("/feeds/{token}/{table}") || path.ends_with(".csv") || path.ends_with("/catalog/{table}") {
        choices.push(choice(
            "bom",
            &["true", "false", "1", "0"],
            "Begin with a byte order mark, for Excel; false if absent",
        ));
        choices.push(choice("delimiter", &["comma", "semicolon", "tab"], "Between cells; comma if absent"));
        choices.push(choice("decimal", &["point", "comma"], "Decimal sign; point if absent"));
    }
    if !choices.is_empty() {
        let mut all = operation["parameters"].as_array().cloned().unwrap_or_default();
        all.extend(choices);
        operation["parameters"] = Value::Array(all);
    }
}

/// Failures that operations share.
fn responses() -> Map<String, Value> {
    let problem = |text: &str| json!({ "description": text, "content": { "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } } });
    let named = [
        ("Malformed", problem("The body can't be read, is incomplete, or nests too deep")),
        ("TooLarge", problem("The body is larger than 256 KiB")),
        ("WrongType", problem("The body is of another type than the operation takes")),
        ("Invalid", problem("The request can't be used: each bad field is listed with what to do")),
        (
            "Unauthorized",
            problem("There is no token, or it is unknown, revoked or has ended; WWW-Authenticate says so too"),
        ),
        ("MissingScope", problem("The token has not the scope that this takes, which is named")),
        ("NotFound", problem("There is none, or it is another team's; or the link opens nothing")),
        ("InUse", problem("The first request with this Idempotency-Key is still being answered")),
        ("Changed", problem("Someone has changed it since: it is not what If-Match names")),
        ("TooSlow", problem("The body did not arrive in time")),
        (
            "RateLimited",
            problem("Too many requests from this network; Retry-After says in how many seconds to come back"),
        ),
        ("Failed", problem("A fault of the server; it is logged under the x-request-id of the answer")),
        ("Unavailable", problem("The server is busy, or the answer took too long; Retry-After says when to come back")),
    ];
    // under an address that ends in .csv the same, in one cell
    let in_a_cell = |response: &Value| json!({ "description": response["description"], "content": { "text/csv": { "schema": { "type": "string" } } } });
    let in_a_line = |response: &Value| json!({ "description": response["description"], "content": { "text/plain": { "schema": { "type": "string" } } } });
    named
        .into_iter()
        .flat_map(|(name, response)| {
            let (cell, line) = (in_a_cell(&response), in_a_line(&response));
            [(format!("{name}Csv"), cell), (format!("{name}Text"), line), (name.to_owned(), response)]
        })
        .collect()
}

fn add_failures(path: &str, operation: &mut Value) {
    let cell = match path {
        path if path.ends_with(".csv") || path.ends_with("/feeds/{token}/{table}") => "Csv",
        path if path.contains("/value/") => "Text",
        _ => "",
    };
    let has_body = operation.get("requestBody").is_some();
    let computes = has_body || operation["tags"] == json!(["Plans"]) || operation["tags"] == json!(["Estimates"]);
    if has_body {
        operation["requestBody"]["required"] = json!(true);
    }
    let has_token = operation.get("security").is_some();
    let feeds = operation["tags"] == json!(["Feeds"]);
    let names: Vec<String> = operation["parameters"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|parameter| parameter["name"].as_str().map(str::to_owned))
        .collect();
    let takes = |name: &str| names.iter().any(|known| known == name);
    let mut add = |status: &str, name: &str| {
        operation["responses"][status] = json!({ "$ref": format!("#/components/responses/{name}{cell}") });
    };
    if has_body {
        add("400", "Malformed");
        add("408", "TooSlow");
        add("413", "TooLarge");
        add("415", "WrongType");
    }
    if has_token {
        add("401", "Unauthorized");
        add("403", "MissingScope");
        add("429", "RateLimited");
    }
    if feeds || has_token && path.contains('{') {
        add("404", "NotFound");
    }
    if takes("Idempotency-Key") {
        add("409", "InUse");
    }
    if takes("If-Match") {
        add("412", "Changed");
    }
    if feeds || has_token && !path.ends_with("/me") {
        add("422", "Invalid");
        add("429", "RateLimited");
    }
    if computes {
        add("422", "Invalid");
        add("429", "RateLimited");
    }
    add("500", "Failed");
    add("503", "Unavailable");
}

/// The GET form takes the fields of the JSON form, joined with dots.
fn add_parameters(document: &mut Value, path: &str, name: &str) {
    let mut parameters = Vec::new();
    flatten(&document["components"]["schemas"], &document["components"]["schemas"][name], "", &mut parameters);
    let mut all = document["paths"][path]["get"]["parameters"].as_array().cloned().unwrap_or_default();
    // each is described once, whichever operations take it
    for parameter in parameters {
        let key = parameter["name"].as_str().unwrap_or_default().replace(['{', '}'], "");
        let key = format!("{name}.{key}");
        all.push(json!({ "$ref": format!("#/components/parameters/{key}") }));
        document["components"]["parameters"][key.as_str()] = parameter;
    }
    document["paths"][path]["get"]["parameters"] = Value::Array(all);
}

fn flatten(schemas: &Value, schema: &Value, prefix: &str, parameters: &mut Vec<Value>) {
    let Some(properties) = schema["properties"].as_object() else { return };
    for (name, field) in properties {
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        let reference = field["$ref"].as_str().or(field["oneOf"][0]["$ref"].as_str());
        if let Some(inner) = reference.and_then(|r| r.rsplit('/').next()) {
            flatten(schemas, &schemas[inner], &path, parameters);
            continue;
        }
        let description = field["description"].as_str().unwrap_or_default();
        let levels =
            std::iter::successors(field.get("additionalProperties"), |values| values.get("additionalProperties"));
        let (shown, description) = match levels.count() {
            0 => (path, description.to_owned()),
            levels => (path + &".{id}".repeat(levels), format!("{description}; each id is part of the key")),
        };
        // as text: numbers may be written 70B, 8k, 40% or $5M, lists with commas
        let mut schema = json!({ "type": "string" });
        if let Some(ids) = field["enum"].as_array() {
            schema["enum"] = ids.iter().filter(|id| !id.is_null()).cloned().collect();
        }
        parameters.push(
            json!({ "name": shown, "in": "query", "required": false, "description": description, "schema": schema }),
        );
    }
}
