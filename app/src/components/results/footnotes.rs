//! On paper, where nothing can be opened: how the figures that people quote came about.

use super::explanation::{self, value};
use super::tables::sources;
use super::yours::for_anyone;
use engine::Plan;
use leptos::prelude::*;

/// Figures of the shown tier, in the order of their numbers.
const PARTS: [&str; 7] =
    ["total_usd", "days", "mfu", "memory_gib.total", "usd_per_gpu_hour", "capital_usd", "power_kw"];

/// The figures of the shown tier that the plan explains, as they are numbered.
fn keys(plan: &Plan) -> impl Iterator<Item = (&'static str, String)> {
    PARTS
        .iter()
        .filter_map(move |part| Some((*part, explanation::key(plan, explanation::of_tier(plan.shown_tier, part))?)))
}

/// The number of the note of a figure of the shown tier.
pub(super) fn number(plan: &Plan, part: &str) -> Option<String> {
    keys(plan).position(|(known, _)| known == part).map(|index| (index + 1).to_string())
}

/// The notes: formula, and each value put in with where it is from.
pub(super) fn footnotes(plan: &Plan) -> Option<AnyView> {
    let all = plan.explanations.as_ref()?;
    let notes: Vec<_> = keys(plan)
        .filter_map(|(_, key)| {
            let explained = all.get(&key)?;
            let terms: Vec<String> = explained
                .terms
                .iter()
                .map(|term| {
                    format!("{} {} ({})", term.name, value(term.value, &term.unit), sources(&for_anyone(&term.source)))
                })
                .collect();
            let result = format!("{}: {}", explained.title, value(explained.value, &explained.unit));
            let how = format!(" = {}. With {}.", explained.formula, terms.join("; "));
            Some(view! { <li><b>{result}</b>{how}</li> })
        })
        .collect();
    (!notes.is_empty()).then(|| view! { <div class="print-only"><h3>"How the numbered figures came about"</h3><ol class="footnotes">{notes}</ol></div> }.into_any())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::fixture;

    #[test]
    fn each_marked_figure_has_its_note() {
        let plan = fixture::plan();
        let html = Owner::new().with(|| footnotes(&plan).map(|view| view.to_html()).unwrap_or_default());
        let count = html.matches("<li>").count();
        assert!(count >= 4, "{html}");
        let last = PARTS.iter().filter_map(|part| number(&plan, part)).next_back();
        assert_eq!(last, Some(count.to_string()));
        assert_eq!(number(&plan, "days"), Some("2".into()));
        assert_eq!(number(&plan.without_explanations(), "days"), None);
    }
}
