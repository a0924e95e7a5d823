//! The schemas of requests against what the engine reads, and the helpers.

use super::*;
use engine::request::{Form, plan_request_from_pairs};
use engine::{EstimateRequest, PlanRequest, Problem};

#[test]
fn every_reference_leads_somewhere_and_every_schema_is_used() {
    let components = components();
    let mut used = vec![
        "Plan",
        "PlanRequest",
        "LargestModelAnswer",
        "EstimateOrBatch",
        "EstimateRequestOrBatch",
        "PlanOrBatch",
        "PlanRequestOrBatch",
        "Rows",
        "Handover",
        "Me",
        "Scenario",
        "ScenarioList",
        "ScenarioInput",
        "ScenarioChange",
        "VersionList",
        "VersionDetail",
        "Comparison",
        "LinkList",
        "LinkToken",
        "LinkInput",
        "LinkChange",
        "PriceBook",
        "QuoteDetail",
        "QuoteInput",
        "Log",
        "CatalogTable",
        "Validation",
    ];
    let text = Value::Object(components.clone()).to_string();
    let parts: Vec<&str> = text.split("#/components/schemas/").skip(1).collect();
    used.extend(parts.iter().map(|rest| rest.split('"').next().unwrap_or_default()));
    assert!(used.iter().all(|name| components.contains_key(*name)), "{used:?}");
    let unused: Vec<&String> = components.keys().filter(|name| !used.contains(&name.as_str())).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn null_can_be_added_to_anything() {
    assert_eq!(or_null(number("x"))["type"], json!(["number", "null"]));
    assert_eq!(or_null(json!({ "type": ["object", "string"] }))["type"], json!(["object", "string", "null"]));
    assert_eq!(or_null(choice("x", &["a"]))["enum"], json!(["a", null]));
    assert_eq!(or_null(of("Plan", "x"))["oneOf"][1], json!({ "type": "null" }));
}

fn schema(name: &str) -> Value {
    components()[name].clone()
}

fn preset() -> Value {
    json!({ "preset": "llama-3.1-8b" })
}

fn plan(request: Value) -> Result<PlanRequest, Problem> {
    PlanRequest::parse(&request, Form::Json)
}

fn with_model(model: Value) -> Result<PlanRequest, Problem> {
    plan(json!({ "model": model }))
}

fn estimate(name: &str, value: Value) -> Result<EstimateRequest, Problem> {
    let mut request = json!({ "model": preset(), "accelerator": "h100-sxm", "gpus": 8 });
    request[name] = value;
    EstimateRequest::parse(&request, Form::Json)
}

/// An architecture in which each field may go to its ends while the others stay; one field of it is another.
fn architecture(name: &str, value: Value) -> Result<PlanRequest, Problem> {
    let mut architecture = json!({ "layers": 1000, "hidden": 4096, "heads": 32, "kv_heads": 32, "head_dim": 128, "ffn": 14336,
        "vocab": 128_256, "experts": 4096, "experts_per_token": 1, "expert_groups": 4096 });
    architecture[name] = value;
    with_model(json!({ "architecture": architecture }))
}

/// What can be sent: each schema with how to send one of its fields.
type Sender = fn(&str, Value) -> Option<Problem>;

const INPUTS: [(&str, Sender); 10] = [
    ("PlanRequest", |name, value| {
        let mut request = json!({ "model": preset() });
        request[name] = value;
        plan(request).err()
    }),
    ("Overrides", |name, value| plan(json!({ "model": preset(), "overrides": { name: value } })).err()),
    ("Software", |name, value| plan(json!({ "model": preset(), "software": { name: value } })).err()),
    ("EstimateRequest", |name, value| estimate(name, value).err()),
    ("LayoutRequest", |name, value| estimate("layout", json!({ name: value })).err()),
    ("Model", |name, value| {
        let mut model = if name.contains("billion") { json!({ "parameters_billion": 20_000 }) } else { preset() };
        model[name] = value;
        with_model(model).err()
    }),
    ("Architecture", |name, value| architecture(name, value).err()),
    ("LowRankAttention", |name, value| architecture("low_rank_attention", json!({ name: value })).err()),
    ("AttentionWindow", |name, value| architecture("window", json!({ name: value })).err()),
    ("Biases", |name, value| architecture("biases", json!({ name: value })).err()),
];

/// Each range in the schema is the range that is enforced.
#[test]
fn ranges_are_those_enforced() {
    for (component, send) in INPUTS {
        for (name, field) in schema(component)["properties"].as_object().expect("properties") {
            let (Some(min), Some(max)) = (field["minimum"].as_f64(), field["maximum"].as_f64()) else { continue };
            let refused = |value: f64| {
                send(name, tidy(value)).is_some_and(|problem| {
                    problem.errors.iter().any(|e| {
                        e.pointer.ends_with(&format!("/{name}"))
                            && e.code == "out_of_range"
                            && !e.message.contains("sequence of")
                    })
                })
            };
            assert!(!refused(min) && !refused(max), "{component}/{name}: its ends are refused");
            assert!(
                refused(min - 1.0) && refused(max + 1.0),
                "{component}/{name}: values beyond its ends are accepted"
            );
        }
    }
}

/// An unknown key is answered with the known ones when none is near.
#[test]
fn known_fields_are_documented_and_documented_fields_are_known() {
    for (component, send) in INPUTS {
        let problem = send("zzzz", json!(1)).expect("an unknown key");
        let message =
            problem.errors.iter().find(|e| e.code == "unknown_key").map(|e| e.message.clone()).unwrap_or_default();
        let mut known: Vec<&str> = message.split("known are ").nth(1).unwrap_or_default().split(", ").collect();
        known.sort_unstable();
        known.dedup();
        let schema = schema(component);
        let mut documented: Vec<&str> =
            schema["properties"].as_object().expect("properties").keys().map(String::as_str).collect();
        documented.sort_unstable();
        assert_eq!(known, documented, "{component}");
        assert_eq!(schema["additionalProperties"], json!(false), "{component}");
    }
}

#[test]
fn what_may_be_absent_may_be_null_and_what_is_required_may_not() {
    let may_be_null = |field: &Value| {
        field["type"].as_array().is_some_and(|kinds| kinds.contains(&json!("null")))
            || field["oneOf"].as_array().is_some_and(|choices| choices.contains(&json!({ "type": "null" })))
    };
    for (component, send) in INPUTS {
        let schema = schema(component);
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, field) in schema["properties"].as_object().expect("properties") {
            let is_required = required.contains(&json!(name));
            assert_ne!(may_be_null(field), is_required, "{component}/{name}");
            // one of the four ways to give a model is needed, and what one expert is
            let needed = ["preset", "parameters_billion", "experts_per_token"].contains(&name.as_str());
            let problem = send(name, Value::Null);
            assert_eq!(problem.is_some(), is_required || needed, "{component}/{name}: {problem:?}");
        }
    }
}

#[test]
fn choices_are_those_that_are_read() {
    for (component, send) in INPUTS {
        for (name, field) in schema(component)["properties"].as_object().expect("properties") {
            let Some(ids) = field["enum"].as_array() else { continue };
            for id in ids {
                let problem = send(name, id.clone());
                assert!(problem.is_none(), "{component}/{name}: {problem:?}");
            }
            assert!(send(name, json!("zzzz")).is_some(), "{component}/{name}");
        }
    }
}

#[test]
fn defaults_are_those_said() {
    let echo = serde_json::to_value(with_model(preset()).expect("a request")).expect("JSON");
    let mut seen = 0;
    for (name, field) in schema("PlanRequest")["properties"].as_object().expect("properties") {
        let description = field["description"].as_str().unwrap_or_default().split(". With").next().unwrap_or_default();
        let said = description.strip_suffix(" if absent").and_then(|rest| rest.rsplit("; ").next());
        let (Some(said), Some(value)) = (said, echo.get(name)) else { continue };
        let value = match value.get("stack").unwrap_or(value) {
            Value::Number(number) => tidy(number.as_f64().unwrap_or_default()).to_string(),
            other => other.as_str().unwrap_or_default().to_owned(),
        };
        if !said.contains(' ') {
            assert_eq!(said, value, "{name}");
            seen += 1;
        }
    }
    assert!(seen >= 9, "{seen}");
}

#[test]
fn what_the_address_takes_in_percent_says_so() {
    for (name, field) in schema("PlanRequest")["properties"].as_object().expect("properties") {
        let read = |text: &str| plan_request_from_pairs([("model.preset", "llama-3.1-8b"), (name, text)]).ok();
        let takes_percent = read("60").is_some() && read("60") == read("0.6");
        let says_so = field["description"].as_str().is_some_and(|text| text.contains("percent"));
        assert_eq!(takes_percent, says_so, "{name}");
    }
}
