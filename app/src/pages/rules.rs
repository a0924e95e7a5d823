//! Rules of thumb, checked: what two field reports say, what the engine computes of it, and the clusters they recommend.

mod builds;
mod contradictions;
mod list;
pub(super) mod rows;

use crate::backend::Checked;
use crate::listing::{self, Listing, View};
use crate::pages::Description;
use crate::pages::problem;
use crate::server_functions::backend;
use engine::catalog::Catalog;
use engine::rules::{Outcome, Rule, RuleVerdict};
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;

/// The page.
#[component]
pub fn RulesPage() -> impl IntoView {
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let pairs = listing::query(&query);
    // what an address says can be told without the rules themselves, which are computed
    if listing::is_wordy(&pairs) {
        leptos_axum::redirect(&View::read(&rows::list(&[]), rows::PLACE, &pairs).page());
    }
    let page = Suspend::new(async move {
        let checked = match backend() {
            Ok(backend) => backend.checked().await,
            Err(error) => Err(error),
        };
        match checked {
            Ok(checked) => body(checked, &pairs),
            Err(error) => problem(&error),
        }
    });
    view! {
        <Title text="Rules of thumb, checked · Clusterwright" />
        <Description text="What practitioners say about GPU clusters for training, each claim with a verdict, the arithmetic and its sources." />
        {page}
    }
}

/// Everything under the head of the document.
fn body(checked: Checked, pairs: &[(String, String)]) -> AnyView {
    let list = rows::list(checked.rules);
    let shown = View::read(&list, rows::PLACE, pairs);
    let kept: Vec<&'static Rule> =
        list.shown(&shown).into_iter().filter_map(|place| checked.rules.get(place)).collect();
    view! {
        <main class="page" id="main">
            <h1>"Rules of thumb, checked"</h1>
            <p class="lead">{opening(checked.rules)}</p>
            <nav class="subnav" aria-label="Sections of the rules">
                <ul>
                    <li><a href="#builds">"Reference builds"</a></li>
                    <li><a href="#rules">"Every rule"</a></li>
                    <li><a href="#contradictions">"Contradictions"</a></li>
                    <li><a href="/api/v1/catalog/rules">"JSON"</a></li>
                    <li><a href="/api/v1/catalog/rules.csv">"CSV"</a></li>
                </ul>
            </nav>
            <section class="section" id="builds" aria-labelledby="builds-heading">
                <h2 id="builds-heading">"The clusters that the reports recommend, at today’s cost"</h2>
                {builds::cards(checked.builds)}
            </section>
            <section class="section" id="rules" aria-labelledby="rules-heading">
                <h2 id="rules-heading">"Every rule"</h2>
                <p class="quiet">{arithmetic(checked.rules)}</p>
                {listing::filter(&list, &shown, kept.len())}
                {rules_or_empty(&list, &shown, &kept)}
            </section>
            <section class="section" id="contradictions" aria-labelledby="contradictions-heading">
                <h2 id="contradictions-heading">"Where the two reports contradict each other"</h2>
                {contradictions::list(checked.rules)}
            </section>
        </main>
    }
    .into_any()
}

fn rules_or_empty(list: &Listing, shown: &View, kept: &[&'static Rule]) -> AnyView {
    if kept.is_empty() { listing::empty(list, shown) } else { list::groups(kept) }
}

fn of_verdict(rules: &[Rule], verdict: RuleVerdict) -> usize {
    rules.iter().filter(|rule| rule.verdict == verdict).count()
}

/// The finding, counted.
fn opening(rules: &[Rule]) -> String {
    let count = |verdict| of_verdict(rules, verdict);
    format!(
        "Two field reports of 2026 make {} claims about clusters for training that can be looked into. {} hold, {} hold in part, {} are wrong, {} contradict themselves, and {} nobody can check. The arithmetic is done anew by this engine, and each case opens.",
        rules.len(),
        count(RuleVerdict::Holds),
        count(RuleVerdict::Partly),
        count(RuleVerdict::Wrong),
        count(RuleVerdict::ContradictsItself),
        count(RuleVerdict::CannotBeChecked)
    )
}

/// What is computed, counted.
fn arithmetic(rules: &[Rule]) -> String {
    let checks = || rules.iter().flat_map(|rule| &rule.checks);
    let count = |outcome| checks().filter(|check| check.outcome == outcome).count();
    format!(
        "{} figures and questions are computed with catalog {}: {} agree with what is said, {} show that it is too low, {} that it is too high, {} that the opposite is true; {} stand there for comparison. A rule without arithmetic is judged by its sources alone.",
        checks().count(),
        Catalog::get().version,
        count(Outcome::Agrees),
        count(Outcome::TooLow),
        count(Outcome::TooHigh),
        count(Outcome::Contradicted),
        count(Outcome::Shown)
    )
}

#[cfg(test)]
mod tests;
