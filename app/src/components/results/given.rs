//! The inputs of a plan in a line of text: for paper, and for plans that stand without their form.

use super::yours::with_unit;
use crate::inputs::{Inputs, Unit, field, name};
use engine::Plan;
use engine::request::Overrides;
use leptos::prelude::*;

/// What was given; everything else is a default.
pub(super) fn given(plan: &Plan, query: &str) -> AnyView {
    view! { <p class="given"><b>"Inputs: "</b>{text(plan, query)}". Everything else is a default."</p> }.into_any()
}

fn text(plan: &Plan, query: &str) -> String {
    let inputs = Inputs::from_query(query);
    let is_told = |key: &&str| !["model.", "quotes.", "_"].iter().any(|before| key.starts_with(before));
    let rest = inputs.keys().filter(is_told).map(|key| {
        let value = inputs.shown(key);
        let own = key.strip_prefix("overrides.").and_then(Overrides::path).zip(value.parse().ok());
        let told = match (field(key), own) {
            (Some(field), _) => format!("{} {value}{}", lower(field.label), unit(field.unit, &value)),
            (None, Some((known, value))) => format!("{} {}", lower(&name(key)), with_unit(value, known.unit)),
            (None, None) => format!("{} {}", lower(&name(key)), value.replace(',', ", ").replace('_', " ")),
        };
        told + &quote(plan, key)
    });
    std::iter::once(plan.request.model.label()).chain(rest).collect::<Vec<_>>().join("; ")
}

/// Whose figure it is, where it is of a quote.
fn quote(plan: &Plan, key: &str) -> String {
    let quote = key.strip_prefix("overrides.").and_then(|path| plan.request.quotes.0.get(path));
    match quote.map(|quote| quote.supplier.as_str()) {
        None => String::new(),
        Some("") => " (a quote)".into(),
        Some(supplier) => format!(" (a quote of {supplier})"),
    }
}

/// A label in the middle of a sentence; an abbreviation stays as it is.
fn lower(label: &str) -> String {
    match label.split_at_checked(1) {
        Some((first, rest)) if !rest.starts_with(char::is_uppercase) => first.to_lowercase() + rest,
        _ => label.to_owned(),
    }
}

/// The unit behind a value that does not say it.
fn unit(unit: Unit, value: &str) -> String {
    match unit {
        Unit::Usd if value.contains('$') => String::new(),
        Unit::Share if value.contains('%') => String::new(),
        unit => format!(" {}", unit.label()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::fixture;

    #[test]
    fn inputs_are_a_line_of_text() {
        let query = "model.preset=llama-3.1-70b&training_tokens=1000000000000&budget_usd=5000000&deadline_days=90&utilization=70&overrides.pue=1.2&acquisition=buy,spot&overrides.topology=rail_optimized";
        assert_eq!(
            text(&fixture::plan(), query),
            "Llama 3.1 70B; training tokens 1T tokens; budget for the run $5M; deadline 90 days; utilization over the horizon 70%; PUE 1.2 ratio; ways of acquiring buy, spot; network of an owned cluster rail optimized"
        );
    }

    #[test]
    fn own_figures_are_named_and_say_whose_they_are() {
        let query = "model.preset=llama-3.1-70b&overrides.server_usd.b200=450000&overrides.pue=1.2&quotes.pue.supplier=Hall+Ltd&quotes.pue.recorded=2026-11-01&overrides.gpu_hour_usd.aws.h100-sxm=3.25";
        let plan = engine::plan(&Inputs::from_query(query).request().expect("a request"));
        let text = text(&plan, query);
        assert!(text.contains("price of a server, NVIDIA B200 180 GB $450,000"), "{text}");
        assert!(text.contains("PUE 1.2 ratio (a quote of Hall Ltd)"), "{text}");
        assert!(text.contains("3.25 USD/GPU-hour"), "{text}");
        assert!(!text.contains("overrides.") && !text.contains("quotes.") && !text.contains("_usd"), "{text}");
    }
}
