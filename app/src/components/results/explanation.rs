//! How a figure came about: formula, the values put in, where each is from.

use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::answer::Explanation;
use leptos::prelude::*;

/// The explanation of the first of these keys that has one.
pub(super) fn find<'p>(plan: &'p Plan, keys: &[&str]) -> Option<(&'p str, &'p Explanation)> {
    let all = plan.explanations.as_ref()?;
    keys.iter().find_map(|key| all.get_key_value(*key)).map(|(key, explanation)| (key.as_str(), explanation))
}

/// Formula and terms.
pub(super) fn body(explanation: &Explanation, caption: String) -> AnyView {
    let rows = explanation
        .terms
        .iter()
        .map(|term| vec![Cell::from(term.name.clone()), Cell::from(value(term.value, &term.unit)), Cell::from(term.source.clone())])
        .collect();
    let head = ["Term", "#Value", "From"].map(str::to_owned).to_vec();
    let result = format!("{} = {}", explanation.title, value(explanation.value, &explanation.unit));
    view! {
        <p class="formula">{explanation.formula.clone()}</p>
        <p class="formula-result">{result}</p>
        <DataTable caption=caption head=head rows=rows class="data-small" />
    }
    .into_any()
}

/// A value with its unit.
fn value(value: f64, unit: &str) -> String {
    match unit {
        "USD" => format::money_full(value),
        "share" => format::percent(value),
        "" => format::exact_or_six(value),
        unit if unit.starts_with("USD") => format!("{}{}", format::money(value), unit.trim_start_matches("USD")),
        unit => format!("{} {unit}", format::exact_or_six(value)),
    }
}

/// Every explanation of a plan, one after another.
pub(super) fn all(plan: &Plan) -> Option<AnyView> {
    let all = plan.explanations.as_ref().filter(|all| !all.is_empty())?;
    let items: Vec<_> = all
        .iter()
        .map(|(key, explanation)| {
            view! { <details class="why" id=format!("explain-{key}")><summary>{explanation.title.clone()}</summary>{body(explanation, format!("Terms of {key}"))}</details> }
        })
        .collect();
    Some(view! { <h3>"How each figure came about"</h3><div class="explanations">{items}</div> }.into_any())
}
