//! The caller's own figures: where they are used, and what they replace.

use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::answer::OverrideUse;
use leptos::prelude::*;

/// A mark for a figure that is computed with some of these overrides: `yours: PUE 1.2 (catalog: 1.3)`, or
/// `price book: …` for those of quotes.
pub(super) fn mark(plan: &Plan, keys: &[&str]) -> String {
    let used = |quoted: bool| -> Vec<String> {
        let all = plan.overridden.iter().filter(|own| own.used && keys.contains(&own.key.as_str()));
        all.filter(|own| plan.request.quotes.0.contains_key(&own.key) == quoted)
            .map(|own| format!("{} {} ({})", own.label, amount(own), replaced(own)))
            .collect()
    };
    let groups = [("yours", used(false)), ("price book", used(true))];
    let marks = groups.iter().filter(|(_, words)| !words.is_empty());
    marks.map(|(whose, words)| format!("{whose}: {}", words.join(", "))).collect::<Vec<_>>().join("; ")
}

/// Where the value is from; plans of earlier versions do not say.
fn source(own: &OverrideUse) -> Cell {
    let source = if own.source.is_empty() { "your request" } else { &own.source };
    Cell::text(source).note(format::date(&own.as_of))
}

fn amount(own: &OverrideUse) -> String {
    with_unit(own.value, &own.unit)
}

fn replaced(own: &OverrideUse) -> String {
    match own.replaces {
        Some(value) => format!("catalog: {}", with_unit(value, &own.unit)),
        None => "the catalog has none".into(),
    }
}

/// A value with its unit, as people write it.
pub fn with_unit(value: f64, unit: &str) -> String {
    match unit {
        "ratio" | "factor" => format::exact_or_six(value),
        "USD" => format::money_full(value),
        unit if unit.starts_with("USD per ") => format!("{}{}", format::money_full(value), &unit["USD".len()..]),
        unit if unit.split(' ').next() == Some("share") => format::percent(value),
        unit => format!("{} {unit}", format::exact_or_six(value)),
    }
}

/// How many figures of the caller's are used, with the way to their table.
pub(super) fn line(plan: &Plan) -> Option<AnyView> {
    let used = plan.overridden.iter().filter(|own| own.used).count();
    let idle = plan.overridden.len() - used;
    let idle = if idle > 0 { format!("; {idle} of yours is not used in it") } else { String::new() };
    let idle = if idle.starts_with("; 1 ") { idle } else { idle.replace(" is not", " are not") };
    let text = match used {
        0 => format!("No figure of yours is used in this plan{idle}. "),
        1 => format!("One figure of yours replaces the catalog's{idle}. "),
        many => format!("{many} figures of yours replace the catalog's{idle}. "),
    };
    (!plan.overridden.is_empty())
        .then(|| view! { <p class="yours">{text}<a href="#yours">"See them"</a></p> }.into_any())
}

/// All of them.
pub(super) fn table(plan: &Plan) -> Option<AnyView> {
    if plan.overridden.is_empty() {
        return None;
    }
    let rows = plan
        .overridden
        .iter()
        .map(|own| {
            let replaced = own.replaces.map_or_else(|| "none".into(), |value| with_unit(value, &own.unit));
            let used = match (own.used, own.considered) {
                (true, _) => "used",
                (false, true) => "compared, and in none of the figures shown",
                (false, false) => "nothing in this plan is computed with it",
            };
            vec![Cell::text(&own.label), Cell::text(amount(own)), source(own), Cell::text(replaced), Cell::text(used)]
        })
        .collect();
    let head = ["Figure", "#Yours", "From", "#Catalog", "In this plan"].map(str::to_owned).to_vec();
    Some(
        view! {
            <div class="block" id="yours">
                <h3>"Your own figures, and what they replace"</h3>
                <DataTable caption="Your own figures" head=head rows=rows />
            </div>
        }
        .into_any(),
    )
}
