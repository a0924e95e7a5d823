//! Results as text, for the answer of a server function and for tests.

use super::results::{Purpose, parts};
use crate::backend::prices::BookUse;
use crate::backend::scenarios::Saving;
use engine::PlanRequest;
use engine::answer::Plan;
use engine::request::ModelChoice;
use leptos::prelude::*;

/// Renders the results of a plan; links lead back to its own request.
pub fn render_results(plan: &Plan) -> String {
    let pairs = engine::request::plan_request_to_pairs(&plan.request);
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    render_parts(plan, None, &query, &Saving::default(), |_| true).into_iter().map(|(_, html)| html).collect()
}

/// Renders the wanted parts of the results of a plan, of what it has from a price book and of the ways to save it, for
/// the inputs of an address: the id of the element that holds each, and its HTML.
pub fn render_parts(
    plan: &Plan,
    book: Option<&BookUse>,
    query: &str,
    saving: &Saving,
    wanted: impl Fn(&str) -> bool,
) -> Vec<(&'static str, String)> {
    let views = || parts(plan, book, query, Purpose::Planner, saving, wanted);
    Owner::new().with(|| views().into_iter().map(|(id, view)| (id, view.to_html())).collect())
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
