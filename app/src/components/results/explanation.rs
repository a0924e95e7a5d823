//! How a figure came about: formula, the values put in, where each is from.

use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::answer::{Explanation, TierId};
use leptos::prelude::*;
use std::collections::BTreeMap;

/// The explanation of a figure of the shown tier.
pub(super) fn find<'p>(plan: &'p Plan, part: &str) -> Option<(&'p str, &'p Explanation)> {
    let key = format!("tiers.{}.{part}", tier_key(plan.shown_tier));
    plan.explanations.as_ref()?.get_key_value(&key).map(|(key, explanation)| (key.as_str(), explanation))
}

fn tier_key(tier: TierId) -> &'static str {
    match tier {
        TierId::Starter => "starter",
        TierId::Workhorse => "workhorse",
        TierId::Beast => "beast",
    }
}

/// Formula and terms.
pub(super) fn body(explanation: &Explanation, caption: String) -> AnyView {
    let rows = explanation
        .terms
        .iter()
        .map(|term| {
            vec![
                Cell::from(term.name.clone()),
                Cell::from(value(term.value, &term.unit)),
                Cell::from(term.source.clone()),
            ]
        })
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
        unit if unit.starts_with("share") => format::percent(value),
        "" => format::exact_or_six(value),
        unit if unit.starts_with("USD") => format!("{}{}", format::money(value), unit.trim_start_matches("USD")),
        unit => format!("{} {unit}", format::exact_or_six(value)),
    }
}

/// Every explanation of a plan: those of the shown tier first.
pub(super) fn all(plan: &Plan) -> Option<AnyView> {
    let all = plan.explanations.as_ref().filter(|all| !all.is_empty())?;
    let mut tiers = vec![plan.shown_tier];
    tiers.extend([TierId::Starter, TierId::Workhorse, TierId::Beast].into_iter().filter(|t| *t != plan.shown_tier));
    let names: Vec<&str> = tiers.into_iter().map(tier_key).collect();
    let mut groups: Vec<AnyView> =
        names.iter().map(|name| group(all, name, |key| key.starts_with(&format!("tiers.{name}.")))).collect();
    groups.insert(1, group(all, "comparison", |key| !key.starts_with("tiers.")));
    Some(view! { <div class="block"><h3>"How each figure came about"</h3><div class="explanations">{groups}</div></div> }.into_any())
}

/// The explanations of one tier, or of the comparison.
fn group(all: &BTreeMap<String, Explanation>, name: &str, belongs: impl Fn(&str) -> bool) -> AnyView {
    let items: Vec<_> = all
        .iter()
        .filter(|(key, _)| belongs(key))
        .map(|(key, explanation)| {
            let caption = format!("Terms of {key}");
            view! { <details class="why" id=format!("explain-{key}")><summary>{explanation.title.clone()}</summary>{body(explanation, caption)}</details> }
        })
        .collect();
    if items.is_empty() {
        return ().into_any();
    }
    let title: String =
        name.chars().next().into_iter().flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect();
    view! { <details class="explanation-group" id=format!("explain-{name}")><summary><h4>{title}</h4></summary>{items}</details> }.into_any()
}
