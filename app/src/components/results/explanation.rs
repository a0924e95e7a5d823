//! How a figure came about: formula, the values put in, where each is from.
//!
//! A plan has hundreds of explanations. The page holds a button for each figure; what the button opens is a page of its
//! own at the same address, which scripts show in a dialog.

use super::tables::sources;
use super::yours::for_anyone;
use crate::components::data_table::{Cell, DataTable};
use crate::components::planner_form::field_id;
use crate::format;
use crate::inputs;
use engine::Plan;
use engine::answer::{Explanation, Influence, TierId};
use leptos::prelude::*;
use std::collections::BTreeMap;

/// The name of the pair of an address that asks for a figure; keys of the planner never begin so.
pub const FIGURE: &str = "_figure";
/// In place of a figure's key: all of them.
pub const ALL: &str = "all";
/// Id of the form that the buttons of figures belong to.
pub(crate) const FORM: &str = "why";

/// The figure that an address asks to explain.
pub fn asked_for(query: &str) -> Option<String> {
    form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == FIGURE).map(|(_, value)| value.into_owned())
}

/// The key of a figure of a tier.
pub(super) fn of_tier(tier: TierId, part: &str) -> String {
    format!("tiers.{}.{part}", tier_key(tier))
}

/// The key, if the plan explains it.
pub(super) fn key(plan: &Plan, key: impl Into<String>) -> Option<String> {
    let key = key.into();
    plan.explanations.as_ref().is_some_and(|all| all.contains_key(&key)).then_some(key)
}

/// The key, if the plan explains it and with this value: some keys stand for the first of several rows.
pub(super) fn key_of_value(plan: &Plan, key: impl Into<String>, value: f64) -> Option<String> {
    let key = key.into();
    let explained = plan.explanations.as_ref()?.get(&key)?.value;
    ((explained - value).abs() <= 1e-6 * value.abs().max(1e-9)).then_some(key)
}

/// A figure in a line of text: a button that opens its explanation, if there is one.
pub(super) fn figure(key: Option<String>, text: String) -> AnyView {
    match key {
        Some(key) => button(key, text, None),
        None => text.into_any(),
    }
}

/// The button of a figure; `full` is its value in full.
pub(crate) fn button(key: String, text: String, full: Option<String>) -> AnyView {
    let title = full.map_or_else(|| "How this came about".into(), |full| format!("{full}. How this came about"));
    view! { <button class="fig" form=FORM name=FIGURE value=key title=title>{text}</button> }.into_any()
}

/// The form that the buttons belong to: it asks this page again, with a figure. Scripts write the inputs that have
/// changed since into its `data-query`.
pub(crate) fn form(query: Option<&str>) -> AnyView {
    let pairs: Vec<_> = form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .map(|(key, value)| view! { <input type="hidden" name=key.into_owned() value=value.into_owned() /> })
        .collect();
    view! { <form id=FORM method="get">{pairs}</form> }.into_any()
}

fn tier_key(tier: TierId) -> &'static str {
    match tier {
        TierId::Starter => "starter",
        TierId::Workhorse => "workhorse",
        TierId::Beast => "beast",
    }
}

/// The expression of a formula and the words after it; all of it where it is words alone.
fn parts(formula: &str, computes: bool) -> (String, Option<String>) {
    let Some((expression, words)) = formula.split_once(';').filter(|_| computes) else {
        return (formula.to_owned(), None);
    };
    let mut words = words.trim().chars();
    let first = words.next().into_iter().flat_map(char::to_uppercase);
    (expression.trim().to_owned(), Some(first.chain(words).collect()))
}

/// Formula, the same with the values put in, what else is to be said, and terms.
fn body(explanation: &Explanation, caption: String) -> AnyView {
    let rows = explanation
        .terms
        .iter()
        .map(|term| {
            vec![
                Cell::from(term.name.clone()),
                Cell::from(value(term.value, &term.unit)),
                Cell::from(sources(&for_anyone(&term.source))),
            ]
        })
        .collect();
    let head = ["Term", "#Value", "From"].map(str::to_owned).to_vec();
    let result = format!("{} = {}", explanation.title, value(explanation.value, &explanation.unit));
    let computed = explanation.computed();
    let (formula, words) = parts(&explanation.formula, computed.is_some());
    // one value alone says nothing that the result doesn't
    let worked = computed.map(|c| c.line).filter(|line| line.contains(' '));
    view! {
        <p class="formula">{formula}{worked.map(|line| view! { <span class="formula-worked">"= "{line}</span> })}</p>
        <p class="formula-result">{result}</p>
        {words.map(|words| view! { <p class="quiet">{words}</p> })}
        <DataTable caption=caption head=head rows=rows class="data-small data-cards" />
    }
    .into_any()
}

/// A value with its unit.
pub(super) fn value(value: f64, unit: &str) -> String {
    match unit {
        "USD" => format::money_full(value),
        unit if unit.starts_with("share") => format::percent(value),
        "days" if value < 2.0 => format!("{} days ({})", format::exact_or_six(value), format::days(value)),
        "" | "factor" | "ratio" => format::exact_or_six(value),
        unit if unit.starts_with("USD") => format!("{}{}", format::money(value), unit.trim_start_matches("USD")),
        unit => format!("{} {}", format::exact_or_six(value), format::unit_of(value, unit)),
    }
}

/// What a tenth more of each input does to a figure; `form` is the address of the form with the inputs, if there is one.
pub fn influences(plan: &Plan, key: &str, found: &[Influence], form: Option<&str>) -> Option<AnyView> {
    let explained = plan.explanations.as_ref()?.get(key).filter(|_| !found.is_empty())?;
    let rows = found
        .iter()
        .map(|influence| {
            let field = format!("overrides.{}", influence.key);
            let field = [influence.key.as_str(), field.as_str()].into_iter().find(|key| inputs::field(key).is_some());
            let name = Cell::text(&influence.label);
            let name = match field.zip(form) {
                Some((key, form)) => name.link(format!("{form}#{}", field_id(key))),
                None => name,
            };
            let share = influence.to / influence.from - 1.0;
            let steps = match influence.unit.as_str() {
                // of many at once
                "of each" => String::new(),
                unit => format!("{} → {}", value(influence.from, unit), value(influence.to, unit)),
            };
            let change = if explained.value == 0.0 {
                "—".to_owned()
            } else {
                format::percent_signed(influence.value / explained.value - 1.0)
            };
            vec![
                name,
                Cell::text(format::percent_signed(share)).note(steps),
                Cell::text(change).note(value(influence.value, &explained.unit)),
            ]
        })
        .collect();
    let head = ["Input", "#Changed by", "#This figure"].map(str::to_owned).to_vec();
    let more_devices = found.iter().any(|influence| influence.key == "max_gpus");
    let held = if more_devices { "the cluster too but in its own row" } else { "the clusters too" };
    Some(
        view! {
            <h2>"What a tenth more of each input does to it"</h2>
            <DataTable caption="What a tenth more of each input does to this figure" head=head rows=rows class="data-small" />
            <p class="quiet">{format!("Everything else is held, {held}. What is not listed moves it by less than 0.005%.")}</p>
        }
        .into_any(),
    )
}

/// The title and the content of the page of a figure, or of all; `None` for what the plan does not explain.
pub fn page(plan: &Plan, key: &str) -> Option<(String, AnyView)> {
    let all = plan.explanations.as_ref().filter(|all| !all.is_empty())?;
    if key == ALL {
        return Some(("How each figure came about".into(), list(plan, all)));
    }
    let explanation = all.get(key)?;
    let tier = [TierId::Starter, TierId::Workhorse, TierId::Beast]
        .into_iter()
        .map(tier_key)
        .find(|tier| key.strip_prefix("tiers.").is_some_and(|rest| rest.starts_with(tier)));
    let title = match tier {
        Some(tier) => format!("{} ({tier})", explanation.title),
        None => explanation.title.clone(),
    };
    let caption = format!("Terms of {}", explanation.title);
    Some((title, body(explanation, caption)))
}

/// How many figures the plan explains.
pub(super) fn count(plan: &Plan) -> usize {
    plan.explanations.as_ref().map_or(0, BTreeMap::len)
}

/// Every explanation of a plan: those of the shown tier first.
fn list(plan: &Plan, all: &BTreeMap<String, Explanation>) -> AnyView {
    let mut tiers = vec![plan.shown_tier];
    tiers.extend([TierId::Starter, TierId::Workhorse, TierId::Beast].into_iter().filter(|t| *t != plan.shown_tier));
    let names: Vec<&str> = tiers.into_iter().map(tier_key).collect();
    let mut groups: Vec<AnyView> =
        names.iter().map(|name| group(all, name, |key| key.starts_with(&format!("tiers.{name}.")))).collect();
    groups.insert(1, group(all, "comparison", |key| !key.starts_with("tiers.")));
    view! { <div class="explanations">{groups}</div> }.into_any()
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
    view! { <section class="explanation-group" id=format!("explain-{name}")><h2>{title}</h2>{items}</section> }
        .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::fixture;

    #[test]
    fn terms_name_their_sources_by_title() {
        let said = sources("0.08 a year ÷ 12; cbre, 2025");
        assert!(said.starts_with("0.08 a year ÷ 12; CBRE") && said.ends_with(", 2025"), "{said}");
        assert_eq!(sources("the inputs, 1 of 2; computed"), "the inputs, 1 of 2; computed");
        let plan = crate::components::fixture::plan();
        let ids: Vec<&str> = engine::catalog::Catalog::get().sources.iter().map(|s| s.id.as_str()).collect();
        for (key, explained) in plan.explanations.as_ref().expect("explained") {
            for term in &explained.terms {
                let said = sources(&term.source);
                assert!(!said.split([';', ',']).any(|part| ids.contains(&part.trim())), "{key}: {said}");
            }
        }
    }

    #[test]
    fn every_figure_has_its_page_and_no_other() {
        let plan = fixture::plan();
        let keys: Vec<String> = plan.explanations.iter().flat_map(|all| all.keys().cloned()).collect();
        assert!(keys.len() > 100);
        for key in &keys {
            assert!(page(&plan, key).is_some(), "{key}");
        }
        assert!(page(&plan, "tiers.workhorse.beauty").is_none());
        assert!(page(&plan.without_explanations(), ALL).is_none());
        assert_eq!(asked_for("a=1&_figure=ranges.days"), Some("ranges.days".into()));
        assert_eq!(asked_for("figure=ranges.days"), None);
    }

    #[test]
    fn a_formula_is_shown_with_its_values() {
        assert_eq!(parts("a ÷ b; one for each", true), ("a ÷ b".into(), Some("One for each".into())));
        assert_eq!(parts("a search; the least", false), ("a search; the least".into(), None));
        let plan = fixture::plan();
        let key = of_tier(plan.shown_tier, "gpu_hours");
        let devices = plan.shown().and_then(|t| t.cluster.as_ref()).expect("a cluster").gpus;
        let (_, page) = page(&plan, &key).expect("explained");
        assert!(page.to_html().contains(&format!(" × 24 × {devices}<")), "the values are put in");
    }

    #[test]
    fn a_row_opens_no_explanation_of_another() {
        let plan = fixture::plan();
        let days = plan.shown().and_then(|t| t.days).expect("days").typical;
        let key = of_tier(plan.shown_tier, "days");
        assert_eq!(key_of_value(&plan, key.clone(), days), Some(key.clone()));
        assert_eq!(key_of_value(&plan, key, days + 1.0), None);
    }
}
