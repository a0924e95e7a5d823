//! What a tenth more of each input does to one figure of a plan, with everything else held: clusters, networks, limits.

use super::candidates::{Field, Held};
use super::plan_of;
use crate::answer::{Influence, Plan};
use crate::economics::inputs::Inputs;
use crate::request::{Overrides, PlanRequest};

/// Step of every input, as a share of its value.
const STEP: f64 = 0.1;
/// Smaller changes of the figure are none.
const LEAST: f64 = 5e-5;
/// Rounding of a stored plan, as a share.
const SAME: f64 = 1e-9;
/// Figures of lists that a step may put in another order, and those of a search that is not done again.
const UNSTEADY: [&str; 7] =
    ["cheapest", "fastest", "frontier", "inverse", "sensitivity", "ranges", "utilization.by_cluster_size"];

/// Rates that providers have of their own: there is no one value that a tenth could be added to.
const OF_PROVIDERS: [&str; 2] = ["egress_usd_per_gb", "object_storage_usd_per_gb_month"];

/// One input of a request that can be stepped.
struct Stepped {
    key: String,
    label: String,
    unit: &'static str,
    value: f64,
    max: f64,
    /// The request with another value, and the factor on rentals.
    set: fn(&PlanRequest, &str, f64, f64) -> (PlanRequest, f64),
}

/// What 10 % more of each input does to the figure that a plan explains under `key` (10 % less where an input can't be
/// more), largest change first. Every step plans the clusters of the plan's tiers again with that one input changed.
///
/// Empty for keys without an explanation, for figures of lists and searches, and for a plan of another engine or
/// catalog, whose figures are not those of today.
pub fn influences(plan: &Plan, key: &str) -> Vec<Influence> {
    let explained = plan.explanations.as_ref().and_then(|all| all.get(key));
    let Some(explained) = explained.filter(|_| UNSTEADY.iter().all(|prefix| !key.starts_with(prefix))) else {
        return Vec::new();
    };
    let held = |rental_factor: f64| Held {
        clusters: plan
            .tiers
            .iter()
            .filter_map(|t| t.cluster.as_ref())
            .map(|c| (c.accelerator.clone(), c.nodes))
            .collect(),
        rental_factor,
    };
    let figure = |request: &PlanRequest, rental_factor: f64| {
        let inputs = Inputs::of(request);
        let field = Field::hold(request, &inputs, &held(rental_factor));
        let again = plan_of(request, &inputs, &field);
        let all = again.explanations?;
        // the same row under the same key, or it can't be compared
        all.get(key).filter(|e| e.title == explained.title && e.unit == explained.unit).map(|e| e.value)
    };
    let base = explained.value;
    let differs = |value: f64| (value - base).abs() > SAME * base.abs().max(1e-12);
    if figure(&plan.request, 1.0).is_none_or(differs) {
        return Vec::new();
    }
    let mut found: Vec<Influence> = stepped(plan)
        .into_iter()
        .filter_map(|input| {
            let share = if input.value * (1.0 + STEP) <= input.max { STEP } else { -STEP };
            let to = input.value * (1.0 + share);
            let (request, rental_factor) = (input.set)(&plan.request, &input.key, input.value, to);
            let value = figure(&request, rental_factor)?;
            let moved = (value - base).abs() > LEAST * base.abs().max(1e-12);
            moved.then_some(Influence {
                key: input.key,
                label: input.label,
                unit: input.unit.into(),
                from: input.value,
                to,
                value,
            })
        })
        .collect();
    found.sort_by(|a, b| (b.value - base).abs().total_cmp(&(a.value - base).abs()));
    found
}

/// The inputs that a figure may follow: those of the request that have no steps of their own, prices, rates.
fn stepped(plan: &Plan) -> Vec<Stepped> {
    let request = &plan.request;
    let inputs = Inputs::of(request);
    let mut all = vec![
        Stepped {
            key: "training_tokens".into(),
            label: "Training tokens".into(),
            unit: "tokens",
            value: request.training_tokens as f64,
            max: f64::MAX,
            set: |request, _, _, to| (PlanRequest { training_tokens: to as u64, ..request.clone() }, 1.0),
        },
        Stepped {
            key: "utilization".into(),
            label: "Utilization of a cluster that is held".into(),
            unit: "share of hours",
            value: request.utilization,
            max: 1.0,
            set: |request, _, _, to| (PlanRequest { utilization: to, ..request.clone() }, 1.0),
        },
        Stepped {
            key: "gpu_hour_usd".into(),
            label: "Every rental price".into(),
            unit: "of each",
            value: 1.0,
            max: f64::MAX,
            set: |request, _, from, to| (request.clone(), to / from),
        },
    ];
    let mut own = |key: String, label: String, value: f64| {
        let Some(known) = Overrides::path(&key) else { return };
        all.push(Stepped { key, label, unit: known.unit, value, max: known.max, set: with_override });
    };
    let mut accelerators: Vec<(&str, &str)> = plan
        .tiers
        .iter()
        .filter_map(|t| t.cluster.as_ref())
        .map(|c| (c.accelerator.as_str(), c.accelerator_short.as_str()))
        .collect();
    accelerators.sort_unstable();
    accelerators.dedup();
    for (id, short) in accelerators {
        let speed = format!("efficiency.{id}");
        let given = request.overrides.value(&speed).unwrap_or(1.0);
        own(speed, format!("Speed of {short} (measured over predicted)"), given);
        let server = format!("server_usd.{id}");
        let known = Overrides::path(&server).and_then(|q| q.catalog).map(|c| c.typical);
        if let Some(usd) = request.overrides.value(&server).or(known) {
            own(server, format!("Price of a server of {short}"), usd);
        }
    }
    let general = |name: &str| inputs.in_force(name).filter(|_| !OF_PROVIDERS.contains(&name));
    for scalar in Overrides::SCALARS {
        if let Some(value) = request.overrides.scalar(scalar.name).or_else(|| general(scalar.name)) {
            own(scalar.name.into(), scalar.label.into(), value);
        }
    }
    // a tenth of nothing is nothing
    all.retain(|input| input.value != 0.0);
    all
}

/// The request with one number of the caller's own.
fn with_override(request: &PlanRequest, key: &str, _: f64, to: f64) -> (PlanRequest, f64) {
    let mut request = request.clone();
    let overrides = &mut request.overrides;
    match key.split_once('.') {
        Some(("server_usd", id)) => overrides.server_usd.insert(id.to_owned(), to),
        Some(("efficiency", id)) => overrides.efficiency.insert(id.to_owned(), to),
        _ => overrides.scalars.insert(key.to_owned(), to),
    };
    (request, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan;
    use crate::request::Form;
    use serde_json::json;

    fn planned(value: serde_json::Value) -> Plan {
        plan(&PlanRequest::parse(&value, Form::Json).expect("a valid request"))
    }

    fn cases() -> Vec<Plan> {
        let model = json!({ "preset": "llama-3.1-70b" });
        vec![
            planned(json!({ "model": model, "budget_usd": 5e6, "deadline_days": 90 })),
            planned(
                json!({ "model": model, "acquisition": ["buy"], "region": "us-texas", "overrides": { "pue": 1.3 } }),
            ),
            planned(json!({ "model": { "preset": "llama-3.1-8b" }, "accelerators": ["h100-sxm"], "max_gpus": 64 })),
        ]
    }

    /// The request with every input as it is says what the plan says: steps start from the plan's own figures.
    #[test]
    fn an_input_as_it_is_moves_nothing() {
        for plan in cases() {
            let all = plan.explanations.as_ref().expect("explanations");
            let held = Held {
                clusters: plan
                    .tiers
                    .iter()
                    .filter_map(|t| t.cluster.as_ref())
                    .map(|c| (c.accelerator.clone(), c.nodes))
                    .collect(),
                rental_factor: 1.0,
            };
            for input in stepped(&plan) {
                let (request, factor) = (input.set)(&plan.request, &input.key, input.value, input.value);
                assert_eq!(factor, 1.0);
                let inputs = Inputs::of(&request);
                let again = plan_of(&request, &inputs, &Field::hold(&request, &inputs, &held));
                let again = again.explanations.expect("explanations");
                for (key, explained) in all.iter().filter(|(key, _)| UNSTEADY.iter().all(|p| !key.starts_with(p))) {
                    let value = again.get(key).map(|e| e.value);
                    let same =
                        value.is_some_and(|v| (v - explained.value).abs() <= SAME * explained.value.abs().max(1e-12));
                    assert!(same, "{}: {key}: {} became {value:?}", input.key, explained.value);
                }
            }
        }
    }

    #[test]
    fn what_a_figure_is_proportional_to_moves_it_by_a_tenth() {
        let plan = &cases()[0];
        let tier = super::super::select::id(plan.shown_tier);
        let of = |key: &str, input: &str| {
            let base = plan.explanations.as_ref().and_then(|all| all.get(key)).expect("explained").value;
            let found = influences(plan, key).into_iter().find(|i| i.key == input);
            found.map(|i| i.value / base - 1.0)
        };
        let days = format!("tiers.{tier}.days");
        assert!((of(&days, "training_tokens").expect("moved") - 0.1).abs() < 1e-6);
        assert_eq!(of(&days, "electricity_usd_per_kwh"), None, "power is no part of time");
        let hour = format!("tiers.{tier}.usd_per_gpu_hour");
        assert!(of(&hour, "training_tokens").is_none_or(|share| share.abs() < 0.01));
        assert!(influences(plan, "no.such.figure").is_empty());
        assert!(influences(&plan.clone().without_explanations(), &days).is_empty());
    }

    #[test]
    fn figures_of_another_catalog_are_not_stepped() {
        let mut plan = cases().remove(0);
        let key = format!("tiers.{}.days", super::super::select::id(plan.shown_tier));
        if let Some(e) = plan.explanations.as_mut().and_then(|all| all.get_mut(&key)) {
            e.value *= 1.01;
        }
        assert!(influences(&plan, &key).is_empty());
    }
}
