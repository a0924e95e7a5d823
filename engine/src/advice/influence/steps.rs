//! The inputs that can be stepped.

use crate::answer::Plan;
use crate::catalog::Catalog;
use crate::economics::inputs::Inputs;
use crate::request::{Overrides, PlanRequest};

/// Rates that providers have of their own: there is no one value that a tenth could be added to.
const OF_PROVIDERS: [&str; 2] = ["egress_usd_per_gb", "object_storage_usd_per_gb_month"];

/// One input of a request that can be stepped.
pub(super) struct Stepped {
    pub key: String,
    pub label: String,
    pub unit: &'static str,
    pub value: f64,
    pub max: f64,
    /// The request with another value, and the factor on rentals.
    pub set: fn(&PlanRequest, &str, f64, f64) -> (PlanRequest, f64),
}

/// The inputs that a figure may follow: those of the request that have no steps of their own, prices, rates.
pub(super) fn stepped(plan: &Plan) -> Vec<Stepped> {
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
        own(speed, format!("Speed of {short}: multiplications, attention, memory (measured over predicted)"), given);
        let server = format!("server_usd.{id}");
        let known = Overrides::path(&server).and_then(|q| q.catalog).map(|c| c.typical);
        if let Some(usd) = request.overrides.value(&server).or(known) {
            own(server, format!("Price of a server of {short}"), usd);
        }
    }
    let general = |name: &str| inputs.in_force(name).filter(|_| !OF_PROVIDERS.contains(&name));
    for scalar in Overrides::SCALARS {
        let known = || general(scalar.name).or_else(|| without_override(scalar.name));
        if let Some(value) = request.overrides.scalar(scalar.name).or_else(known) {
            own(scalar.name.into(), scalar.label.into(), value);
        }
    }
    // a tenth of nothing is nothing
    all.retain(|input| input.value != 0.0);
    all
}

/// What stands in for a number that the caller doesn't give.
fn without_override(name: &str) -> Option<f64> {
    (name == "rack_kw").then(|| Catalog::get().costs.air_cooled_rack_kw.value)
}

/// The limits of a request, which what is turned round follows.
pub(super) fn limits(request: &PlanRequest) -> Vec<Stepped> {
    let limit = |key: &str, label: &str, unit, value: Option<f64>, set| {
        Some(Stepped { key: key.into(), label: label.into(), unit, value: value?, max: f64::MAX, set })
    };
    let deadline = limit("deadline_days", "Deadline", "days", request.deadline_days, |request, _, _, to| {
        (PlanRequest { deadline_days: Some(to), ..request.clone() }, 1.0)
    });
    let budget = limit("budget_usd", "Budget", "USD", request.budget_usd, |request, _, _, to| {
        (PlanRequest { budget_usd: Some(to), ..request.clone() }, 1.0)
    });
    [deadline, budget].into_iter().flatten().collect()
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
