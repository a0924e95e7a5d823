//! Rules of thumb, checked: what two field reports say, what the engine computes of it, and the clusters they recommend.

mod builds;
mod contradictions;
mod filter;
mod list;

use crate::backend::Checked;
use crate::format;
use crate::pages::{has_empty_fields, problem};
use crate::server_functions::backend;
use engine::catalog::Catalog;
use engine::rules::{Outcome, Rule, RuleVerdict};
use filter::Filter;
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::{Meta, Title};

/// The page.
#[component]
pub fn RulesPage() -> impl IntoView {
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let filter = Filter::from_query(&query);
    if has_empty_fields(&query) {
        leptos_axum::redirect(&filter.address());
    }
    let page = Suspend::new(async move {
        let checked = match backend() {
            Ok(backend) => backend.checked().await,
            Err(error) => Err(error),
        };
        match checked {
            Ok(checked) => body(checked, &filter),
            Err(error) => problem(&error),
        }
    });
    view! {
        <Title text="Rules of thumb, checked · Clusterwright" />
        <Meta name="description" content="What practitioners say about GPU clusters for training, each claim with a verdict, the arithmetic and its sources." />
        {page}
    }
}

/// Everything under the head of the document.
fn body(checked: Checked, filter: &Filter) -> AnyView {
    let kept: Vec<&Rule> = checked.rules.iter().filter(|rule| filter.keeps(rule)).collect();
    let shown = match (filter.is_empty(), kept.is_empty()) {
        (true, _) => format!("All {}.", format::plural(kept.len() as f64, "rule", "rules")),
        (false, true) => format!("No rule matches: {}.", filter.described()),
        (false, false) => format!("{} of {}: {}.", kept.len(), checked.rules.len(), filter.described()),
    };
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
                {filter.form()}
                <p class="quiet" role="status">{shown}</p>
                {list::groups(&kept)}
            </section>
            <section class="section" id="contradictions" aria-labelledby="contradictions-heading">
                <h2 id="contradictions-heading">"Where the two reports contradict each other"</h2>
                {contradictions::list(checked.rules)}
            </section>
        </main>
    }
    .into_any()
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
