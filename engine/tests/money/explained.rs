//! Every figure of a plan can be opened.

use super::{asked, support};
use engine::{Covered, Plan, covered};
use serde_json::{Value, json};

/// Paths of all numbers, with elements of lists under their names.
fn numbers(value: &Value, path: &str, all: &mut Vec<String>) {
    match value {
        Value::Number(_) => all.push(path.to_owned()),
        Value::Object(fields) => {
            for (key, inner) in fields {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                numbers(inner, &path, all);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let named = ["tier", "id", "metric", "part", "input", "against"];
                let options = path.ends_with(".options").then_some("acquisition");
                let name = named.into_iter().chain(options).find_map(|key| item.get(key).and_then(Value::as_str));
                numbers(item, &format!("{path}.{}", name.map_or_else(|| index.to_string(), str::to_owned)), all);
            }
        }
        _ => {}
    }
}

fn check(plan: &Plan) {
    let explanations = plan.explanations.as_ref().expect("explained");
    let mut value = serde_json::to_value(plan).expect("writes");
    value.as_object_mut().expect("an object").remove("explanations");
    let mut all = Vec::new();
    numbers(&value, "", &mut all);
    assert!(all.len() > 300, "{}", all.len());
    let mut missing: Vec<String> = Vec::new();
    for path in &all {
        match covered(path) {
            Some(Covered::Given(why)) => assert!(why.len() > 10),
            Some(Covered::Explained(key)) if explanations.contains_key(&key) => {}
            // a part that is zero has nothing to explain
            Some(Covered::Explained(_)) if is_zero(&value, path) => {}
            other => missing.push(format!("{path} -> {other:?}")),
        }
    }
    missing.sort();
    missing.dedup();
    assert!(missing.is_empty(), "{}: {}", missing.len(), missing.join("\n"));
    for (key, explanation) in explanations {
        assert!(
            !explanation.terms.is_empty() && explanation.formula.len() > 4 && explanation.value.is_finite(),
            "{key}"
        );
        for term in &explanation.terms {
            assert!(term.value.is_finite() && !term.unit.is_empty() && !term.source.is_empty(), "{key} {term:?}");
        }
    }
}

fn is_zero(value: &Value, path: &str) -> bool {
    let mut at = value;
    for part in path.split('.') {
        let named = |item: &&Value| {
            ["tier", "id", "acquisition"].iter().any(|k| item.get(k).and_then(Value::as_str) == Some(part))
        };
        let next = match at {
            Value::Array(items) => {
                items.iter().find(named).or_else(|| part.parse::<usize>().ok().and_then(|i| items.get(i)))
            }
            other => other.get(part),
        };
        let Some(next) = next else { return false };
        at = next;
    }
    at.as_f64() == Some(0.0)
}

#[test]
fn every_number_of_a_plan_is_explained_or_given() {
    check(&asked(json!({})));
    check(&asked(json!({"acquisition": ["buy"], "accelerators": ["h100-sxm"], "facility": "own"})));
    check(&asked(json!({"model": {"preset": "mixtral-8x7b"}, "max_gpus": 256, "demand_growth_per_month": 0.03,
        "overrides": {"demand_charge_usd_per_kw_month": 10, "pue": 1.2}})));
    check(&support::plan(
        json!({"model": {"preset": "llama-3.1-70b"}, "training_tokens": 1e12, "context_length": 8192,
        "budget_usd": 5e6, "deadline_days": 90, "demand_seasonality": 0.3}),
    ));
    check(&asked(json!({"acquisition": ["spot"], "region": "us-arkansas"})));
    let mut checked = 0;
    // three tiers of switches, racks cooled by liquid, cards without a network, a system of which little is known
    for (accelerator, max_gpus, overrides) in [
        ("h100-sxm", 16_384, json!({})),
        ("gb200-nvl72", 576, json!({})),
        ("mi355x", 256, json!({"rack_kw": 70, "topology": "dragonfly"})),
        ("mi355x", 256, json!({"rack_kw": 100, "topology": "torus"})),
        ("rtx-4090", 8, json!({})),
        ("trainium-2", 64, json!({})),
    ] {
        let plan = support::plan(json!({"model": {"preset": "llama-3.2-1b"}, "training_tokens": 1e12,
            "accelerators": [accelerator], "max_gpus": max_gpus, "overrides": overrides}));
        if plan.build.is_some() {
            checked += 1;
            check(&plan);
        }
    }
    assert!(checked > 3, "{checked}");
}
