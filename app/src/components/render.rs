//! Results as text, for the answer of a server function and for tests.

use super::results::{Purpose, Results};
use crate::backend::scenarios::Saving;
use engine::PlanRequest;
use engine::answer::Plan;
use engine::request::ModelChoice;
use leptos::prelude::*;
use std::sync::Arc;

/// Renders the results of a plan; links lead back to its own request.
pub fn render_results(plan: &Plan) -> String {
    let pairs = engine::request::plan_request_to_pairs(&plan.request);
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    render_results_with(plan, &query, Saving::default())
}

/// Renders the results of a plan for the inputs of an address.
pub fn render_results_with(plan: &Plan, query: &str, saving: Saving) -> String {
    let plan = Arc::new(plan.clone());
    let query = query.to_owned();
    Owner::new().with(|| view! { <Results plan=plan query=query purpose=Purpose::Planner saving=saving /> }.to_html())
}

/// A name for the scenario of a request: `Llama 3.1 70B, 1T tokens`.
pub fn scenario_name(request: &PlanRequest) -> String {
    let label = request.model.label();
    let label = match request.model {
        ModelChoice::Preset { .. } => label,
        _ => label
            .chars()
            .next()
            .map(|first| first.to_uppercase().chain(label.chars().skip(1)).collect())
            .unwrap_or(label),
    };
    format!("{label}, {} tokens", crate::format::compact(request.training_tokens as f64))
}
