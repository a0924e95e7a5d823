//! What a tenth more of each input does to one figure of a plan, with everything else held: clusters, networks, limits.

mod steps;

use super::candidates::{Field, Held};
use super::{compare, plan_of, points};
use crate::answer::{Candidate, Explanation, Influence, Plan};
use crate::catalog::Catalog;
use crate::economics::inputs::Inputs;
use crate::explain;
use crate::operation::describe;
use crate::operation::network;
use crate::operation::storage::storage_need;
use crate::request::PlanRequest;
use rayon::prelude::*;
use std::collections::BTreeMap;
use steps::{Stepped, limits, stepped};

/// Step of every input, as a share of its value.
const STEP: f64 = 0.1;
/// Smaller changes of the figure are none.
const LEAST: f64 = 5e-5;
/// Rounding of a stored plan, as a share.
const SAME: f64 = 1e-9;
/// Figures of lists that a step may put in another order, and of searches and draws that are not done again.
const UNSTEADY: [&str; 4] = ["inverse.smallest_for_deadline", "sensitivity", "ranges", "utilization.by_cluster_size"];

/// What 10 % more of each input does to the figure that a plan explains under `key` (10 % less where an input can't be
/// more), largest change first. Every step plans again with that one input changed: the clusters of the plan's tiers, or
/// the one of a candidate. The build is also counted for a tenth more devices, in whole systems.
///
/// Empty for keys without an explanation, for figures of lists and searches, and for a plan of another engine or
/// catalog, whose figures are not those of today.
pub fn influences(plan: &Plan, key: &str) -> Vec<Influence> {
    let Some(figure) = Figure::of(plan, key) else { return Vec::new() };
    let base = figure.explained.value;
    let differs = |value: f64| (value - base).abs() > SAME * base.abs().max(1e-12);
    if figure.at(&plan.request, 1.0).is_none_or(differs) {
        return Vec::new();
    }
    let moved = |value: f64| (value - base).abs() > LEAST * base.abs().max(1e-12);
    let mut inputs = stepped(plan);
    if key.starts_with("inverse.") {
        inputs.extend(limits(&plan.request));
    }
    let step = |input: Stepped| {
        let share = if input.value * (1.0 + STEP) <= input.max { STEP } else { -STEP };
        let to = input.value * (1.0 + share);
        let (request, rental_factor) = (input.set)(&plan.request, &input.key, input.value, to);
        let value = figure.at(&request, rental_factor)?;
        let (from, unit) = (input.value, input.unit.into());
        Some(Influence { key: input.key, label: input.label, unit, from, to, value })
    };
    let mut found: Vec<Influence> = inputs.into_par_iter().filter_map(step).collect();
    found.extend(figure.more_devices());
    found.retain(|influence| moved(influence.value));
    found.sort_by(|a, b| (b.value - base).abs().total_cmp(&(a.value - base).abs()));
    found
}

/// One figure, and what is held to compute it again.
struct Figure<'a> {
    plan: &'a Plan,
    key: &'a str,
    explained: &'a Explanation,
    /// The candidate that it is of.
    candidate: Option<&'a Candidate>,
    clusters: Vec<(String, u32)>,
}

impl<'a> Figure<'a> {
    fn of(plan: &'a Plan, key: &'a str) -> Option<Self> {
        let explained = plan.explanations.as_ref()?.get(key)?;
        if UNSTEADY.iter().any(|prefix| key.starts_with(prefix)) {
            return None;
        }
        let candidate = match key.split('.').next()? {
            "cheapest" => plan.cheapest.as_ref(),
            "fastest" => plan.fastest.as_ref(),
            "frontier" => plan.frontier.first(),
            _ => None,
        };
        let most = plan.inverse.most_tokens.as_ref().filter(|_| key == "inverse.most_tokens").map(|m| &m.candidate);
        let tiers = plan.tiers.iter().filter_map(|t| t.cluster.as_ref()).map(|c| (c.accelerator.clone(), c.nodes));
        let clusters = match candidate {
            Some(c) => vec![nodes_of(c)?],
            None => tiers.chain(most.and_then(nodes_of)).collect(),
        };
        Some(Self { plan, key, explained, candidate, clusters })
    }

    /// The figure of another request; `None` where it has none to compare.
    fn at(&self, request: &PlanRequest, rental_factor: f64) -> Option<f64> {
        let inputs = Inputs::of(request);
        let held = Held { clusters: self.clusters.clone(), rental_factor };
        let field = Field::hold(request, &inputs, &held);
        if let Some(candidate) = self.candidate {
            return self.of_candidate(&field, candidate);
        }
        let again = plan_of(request, &inputs, &field, Some(self.plan.shown_tier));
        self.same(&again.explanations?)
    }

    /// The same row under the same key, or it can't be compared.
    fn same(&self, all: &BTreeMap<String, Explanation>) -> Option<f64> {
        let explained = self.explained;
        all.get(self.key).filter(|e| e.title == explained.title && e.unit == explained.unit).map(|e| e.value)
    }

    fn of_candidate(&self, field: &Field, held: &Candidate) -> Option<f64> {
        let same = |c: &Candidate| {
            (c.acquisition, &c.provider, c.minimum_months) == (held.acquisition, &held.provider, held.minimum_months)
        };
        // of ways that look alike the one on the same network, whose step is the nearest
        let alike = points(field).map(|(.., c)| c).filter(same);
        let found = alike.min_by(|a, b| (a.mfu - held.mfu).abs().total_cmp(&(b.mfu - held.mfu).abs()))?;
        match self.key.rsplit('.').next()? {
            "days" => Some(found.days),
            "total_usd" => Some(found.total_usd),
            "mfu" => Some(found.mfu),
            _ => None,
        }
    }

    /// The figure of a build of a tenth more devices, in whole systems.
    fn more_devices(&self) -> Option<Influence> {
        if !self.key.starts_with("build.") {
            return None;
        }
        let request = &self.plan.request;
        let inputs = Inputs::of(request);
        let held = Held { clusters: self.clusters.clone(), rental_factor: 1.0 };
        let field = Field::hold(request, &inputs, &held);
        let built = compare::bought(&field, field.find(self.plan.shown()?)?);
        let accelerator = built.accelerator;
        let systems = (network::systems(accelerator, built.gpus) as f64 * (1.0 + STEP) - 1e-9).ceil() as u32;
        let gpus = systems.checked_mul(accelerator.system_gpus)?;
        let network = network::build(request, accelerator, &built.fabric, built.network_gbps, gpus);
        let storage = storage_need(
            request.training_tokens as f64,
            Catalog::get().costs.bytes_per_token.value,
            built.reliability.checkpoint_bytes,
            inputs.storage_rates(f64::from(gpus)),
        );
        let build = describe::build(request, &inputs, accelerator, gpus, network.as_ref(), &storage);
        let mut all = BTreeMap::new();
        let larger = explain::build::Built { accelerator, gpus, network: network.as_ref() };
        explain::build::build(request, &inputs, Some(&larger), &build, &mut all);
        Some(Influence {
            key: "max_gpus".into(),
            label: "Devices of the cluster".into(),
            unit: "devices".into(),
            from: f64::from(built.gpus),
            to: f64::from(gpus),
            value: self.same(&all)?,
        })
    }
}

/// Accelerator and number of nodes.
fn nodes_of(candidate: &Candidate) -> Option<(String, u32)> {
    let accelerator = Catalog::get().accelerator(&candidate.accelerator)?;
    Some((candidate.accelerator.clone(), candidate.gpus / accelerator.gpus_per_node.max(1)))
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
            let keys = all.keys().filter(|key| !key.starts_with("inverse.most"));
            let figures: Vec<Figure<'_>> = keys.filter_map(|key| Figure::of(&plan, key)).collect();
            let held = figures.iter().find(|f| f.candidate.is_none()).expect("figures of tiers").clusters.clone();
            let held = Held { clusters: held, rental_factor: 1.0 };
            for input in stepped(&plan) {
                let (request, factor) = (input.set)(&plan.request, &input.key, input.value, input.value);
                assert_eq!(factor, 1.0);
                let inputs = Inputs::of(&request);
                let field = Field::hold(&request, &inputs, &held);
                let again = plan_of(&request, &inputs, &field, Some(plan.shown_tier));
                let again = again.explanations.expect("explanations");
                for figure in figures.iter().filter(|f| f.candidate.is_none()) {
                    let (key, explained) = (figure.key, figure.explained);
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
    fn builds_candidates_and_limits_have_their_lists() {
        let plans = cases();
        let of = |key: &str, input: &str| -> Option<f64> {
            let base = plans[0].explanations.as_ref().and_then(|all| all.get(key)).expect("explained").value;
            influences(&plans[0], key).into_iter().find(|i| i.key == input).map(|i| i.value / base - 1.0)
        };
        for name in ["frontier", "cheapest", "fastest"] {
            let near = |share: Option<f64>| share.is_some_and(|s| (s - 0.1).abs() < 1e-6);
            assert!(near(of(&format!("{name}.days"), "training_tokens")), "{name}");
            assert!(of(&format!("{name}.total_usd"), "training_tokens").is_some_and(|s| s > 0.01), "{name}");
        }
        assert!(
            of("inverse.most_tokens", "budget_usd").is_some_and(|s| s > 0.01)
                || of("inverse.most_tokens", "deadline_days").is_some_and(|s| s > 0.01)
        );
        assert!(of("inverse.buying_wins_from_utilization", "gpu_hour_usd").is_some_and(|s| s < -0.05));
        for key in ["build.network.switches", "build.racks.count", "build.power.facility_kw", "build.floor.area_m2"] {
            let devices = influences(&plans[0], key).into_iter().find(|i| i.key == "max_gpus").expect(key);
            assert!(devices.to >= 1.1 * devices.from - 1e-6 && devices.to < 1.5 * devices.from, "{devices:?}");
            assert_eq!(of(key, "efficiency.b200"), None, "{key}: the cluster is held");
        }
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
