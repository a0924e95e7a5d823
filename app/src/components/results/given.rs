//! The inputs of a plan in a line of text: for paper, and for plans that stand without their form.

use crate::inputs::{Inputs, Unit, field, label};
use engine::Plan;
use leptos::prelude::*;

/// What was given; everything else is a default.
pub(super) fn given(plan: &Plan, query: &str) -> AnyView {
    view! { <p class="given"><b>"Inputs: "</b>{text(plan, query)}". Everything else is a default."</p> }.into_any()
}

fn text(plan: &Plan, query: &str) -> String {
    let inputs = Inputs::from_query(query);
    let rest = inputs.keys().filter(|key| !key.starts_with("model.") && !key.starts_with('_')).map(|key| {
        let value = inputs.shown(key);
        match (field(key), label(key)) {
            (Some(field), _) => format!("{} {value}{}", lower(field.label), unit(field.unit, &value)),
            (None, name) => {
                format!("{} {}", name.map_or_else(|| key.to_owned(), lower), value.replace(',', ", ").replace('_', " "))
            }
        }
    });
    std::iter::once(plan.request.model.label()).chain(rest).collect::<Vec<_>>().join("; ")
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
}
