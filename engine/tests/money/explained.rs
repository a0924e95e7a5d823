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

/// What the formula says with the terms put in is the figure.
#[test]
fn formulas_give_their_figures() {
    let plan =
        asked(json!({"accelerators": ["h100-sxm"], "acquisition": ["buy"], "overrides": {"carbon_g_per_kwh": 400}}));
    let all = plan.explanations.as_ref().expect("explained");
    let value = |key: &str, name: &str| -> f64 {
        all[key].terms.iter().find(|t| t.name.starts_with(name)).unwrap_or_else(|| panic!("{key} {name}")).value
    };
    let near = |key: &str, by_hand: f64, within: f64| {
        let found = all[key].value;
        assert!((found - by_hand).abs() <= within * found.abs(), "{key}: {found}, by its terms {by_hand}");
    };
    let tier = serde_json::to_value(plan.shown_tier).expect("writes");
    let tier = tier.as_str().expect("a name").to_owned();
    let t = |key: &str| format!("tiers.{tier}.{key}");
    let (key, v) = (t("power_kw"), |name: &str| value(&t("power_kw"), name));
    near(&key, v("server maximum") * v("overhead") * v("load") * v("PUE"), 1e-9);
    let key = t("footprint.energy_kwh");
    near(&key, value(&key, "power") * value(&key, "hours"), 1e-9);
    let key = t("footprint.operational_kg");
    near(&key, value(&key, "energy") * value(&key, "carbon") / 1_000.0, 1e-9);
    let key = t("total_usd");
    near(&key, value(&key, "purchase") + value(&key, "running") * value(&key, "months"), 1e-6);
    let key = t("step_seconds");
    near(&key, all[&key].terms.iter().map(|t| t.value).sum(), 1e-9);
    let key = "ownership.annuity_usd_per_month";
    let (c, r, n, rate) = (value(key, "C"), value(key, "R"), value(key, "n"), value(key, "cost") / 12.0);
    near(key, (c - r / (1.0 + rate).powf(n)) * rate / (1.0 - (1.0 + rate).powf(-n)), 1e-6);
    near("ownership.straight_line_usd_per_month", (c - r) / n, 1e-6);
    let key = "ownership.running.energy";
    let v = |name: &str| value(key, name);
    let load = v("utilization") * v("load") + (1.0 - v("utilization")) * v("idle load");
    near(key, v("contracted") * load * v("PUE") * v("price") * 730.0, 1e-4);
    near(
        "ownership.running.staff",
        value("ownership.running.staff", "engineers") * value("ownership.running.staff", "cost") / 12.0,
        1e-6,
    );
    near("bill_of_materials.total_usd", all["bill_of_materials.total_usd"].terms.iter().map(|t| t.value).sum(), 1e-9);
}
