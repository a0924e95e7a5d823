//! The caller's own figures: where they are used, and what they replace.

use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::answer::OverrideUse;
use leptos::prelude::*;

/// A mark for a figure that is computed with some of these overrides: `set in the inputs: PUE 1.2 (catalog: 1.3)`, or
/// `quote: …` for those of quotes. Right for whoever reads it: a plan may be shared.
pub(super) fn mark(plan: &Plan, keys: &[&str]) -> String {
    let used = |quoted: bool| -> Vec<String> {
        let all = plan.overridden.iter().filter(|own| own.used && keys.contains(&own.key.as_str()));
        all.filter(|own| plan.request.quotes.0.contains_key(&own.key) == quoted)
            .map(|own| format!("{} {} ({})", own.label, amount(own), replaced(own)))
            .collect()
    };
    let groups = [("set in the inputs", used(false)), ("quote", used(true))];
    let marks = groups.iter().filter(|(_, words)| !words.is_empty());
    marks.map(|(whose, words)| format!("{whose}: {}", words.join(", "))).collect::<Vec<_>>().join("; ")
}

/// Where the value is from; plans of earlier versions do not say.
fn source(own: &OverrideUse) -> Cell {
    let source = if own.source.is_empty() { GIVEN } else { &own.source };
    Cell::text(for_anyone(source)).note(format::date(&own.as_of))
}

/// What the engine calls whoever asks for a plan.
const GIVEN: &str = "your request";

/// A source in words that are right for whoever reads a plan, which may be shared.
pub(super) fn for_anyone(source: &str) -> String {
    source.replace(GIVEN, "the inputs")
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
        unit => format!("{} {}", format::exact_or_six(value), format::unit_of(value, unit)),
    }
}

/// How many figures replace the catalog's, with the way to their table.
pub(super) fn line(plan: &Plan) -> Option<AnyView> {
    words(plan).map(|text| view! { <p class="yours">{text}" "<a href="#yours">"See them"</a></p> }.into_any())
}

fn words(plan: &Plan) -> Option<String> {
    let used = plan.overridden.iter().filter(|own| own.used).count();
    // a price book has quotes for many plans: those that this one does not need are no news
    let is_quote = |own: &OverrideUse| plan.request.quotes.0.contains_key(&own.key);
    let idle = plan.overridden.iter().filter(|own| !own.used && !is_quote(own)).count();
    let idle = match idle {
        0 => None,
        1 => Some("one that the inputs set is not used".to_owned()),
        many => Some(format!("{many} that the inputs set are not used")),
    };
    let used = match used {
        0 => None,
        1 => Some("One figure replaces the catalog's".to_owned()),
        many => Some(format!("{many} figures replace the catalog's")),
    };
    match (used, idle) {
        (None, None) => None,
        (Some(used), None) => Some(format!("{used}.")),
        (Some(used), Some(idle)) => Some(format!("{used}; {idle}.")),
        (None, Some(idle)) => Some(format!("No figure replaces the catalog's: {idle}.")),
    }
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
    let head = ["Figure", "#Set to", "From", "#Catalog", "In this plan"].map(str::to_owned).to_vec();
    Some(
        view! {
            <div class="block" id="yours">
                <h3>"Figures in place of the catalog's"</h3>
                <DataTable caption="Figures in place of the catalog's" head=head rows=rows />
            </div>
        }
        .into_any(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::Inputs;

    #[test]
    fn it_counts_what_is_used_and_no_idle_quotes() {
        let said = |more: &str| {
            let query = format!("model.preset=llama-3.2-1b&max_gpus=8&accelerators=h100-sxm{more}");
            words(&engine::plan(&Inputs::from_query(&query).request().expect("a request")))
        };
        assert_eq!(said(""), None);
        assert_eq!(said("&overrides.pue=1.2").as_deref(), Some("One figure replaces the catalog's."));
        let idle = "&overrides.server_usd.b200=450000";
        assert_eq!(
            said(&format!("&overrides.pue=1.2{idle}")).as_deref(),
            Some("One figure replaces the catalog's; one that the inputs set is not used.")
        );
        assert_eq!(said(&format!("{idle}&quotes.server_usd.b200.supplier=Dell")), None, "no news of every plan");
    }
}
