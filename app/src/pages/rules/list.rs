//! The rules by group, each with its verdict, its arithmetic and its sources.

use crate::components::{Icon, icon, with_unit};
use crate::format;
use engine::rules::{Case, CaseKind, Check, Citation, Finding, Outcome, Rule, RuleVerdict, rule_groups};
use leptos::prelude::*;

/// The groups that have rules among these, after a list of them.
pub(super) fn groups(rules: &[&'static Rule]) -> AnyView {
    let grouped: Vec<_> = rule_groups()
        .iter()
        .map(|group| (group, rules.iter().copied().filter(|rule| rule.group == group.id).collect::<Vec<_>>()))
        .filter(|(_, rules)| !rules.is_empty())
        .collect();
    let links: Vec<_> = grouped
        .iter()
        .map(|(group, rules)| {
            view! { <li><a href=format!("#group-{}", group.id)>{group.label.clone()}</a>" "<small>{rules.len()}</small></li> }
        })
        .collect();
    let contents = (grouped.len() > 1)
        .then(|| view! { <nav class="contents" aria-label="Groups of rules"><ul>{links}</ul></nav> });
    let sections: Vec<_> = grouped
        .into_iter()
        .map(|(group, rules)| {
            let rules: Vec<_> = rules.into_iter().map(rule).collect();
            view! {
                <section class="rule-group" id=format!("group-{}", group.id) aria-labelledby=format!("group-{}-heading", group.id)>
                    <h3 id=format!("group-{}-heading", group.id)>{group.label.clone()}</h3>
                    <ul class="rules">{rules}</ul>
                </section>
            }
        })
        .collect();
    view! { {contents}{sections} }.into_any()
}

fn rule(rule: &'static Rule) -> AnyView {
    let checks: Vec<_> = rule.checks.iter().map(check).collect();
    let checks = (!checks.is_empty()).then(|| view! { <ul class="rule-checks">{checks}</ul> });
    let case = rule.case.as_ref().map(|case| view! { <p class="rule-case">{case_link(case)}</p> });
    view! {
        <li class="rule" id=rule.id.clone()>
            {verdict(rule.verdict)}
            <div class="rule-body">
                <h4>{rule.rule.clone()}</h4>
                <p>{rule.why.clone()}</p>
                {checks}
                {workings(rule)}
                {case}
                <p class="rule-foot">
                    {format!("Report {}, claim {}. ", rule.report, rule.claim)}
                    "Sources: "{sources(rule)}". Link: "
                    <a href=format!("#{}", rule.id)>{rule.id.clone()}</a>
                </p>
            </div>
        </li>
    }
    .into_any()
}

/// The verdict in a word and by a mark of its own shape.
fn verdict(verdict: RuleVerdict) -> AnyView {
    let (mark, class) = match verdict {
        RuleVerdict::Holds => (Icon::Check, "verdict verdict-holds"),
        RuleVerdict::Partly => (Icon::Half, "verdict verdict-partly"),
        RuleVerdict::Wrong => (Icon::Critical, "verdict verdict-wrong"),
        RuleVerdict::ContradictsItself => (Icon::Opposed, "verdict verdict-opposed"),
        RuleVerdict::CannotBeChecked => (Icon::Unknown, "verdict"),
    };
    view! { <p class=class>{icon(mark)}<b>{verdict.label()}</b></p> }.into_any()
}

fn check(check: &'static Check) -> AnyView {
    let (mark, class) = match check.outcome {
        Outcome::Agrees => (Icon::Check, "check-agrees"),
        Outcome::Shown => (Icon::Info, "check-shown"),
        Outcome::TooLow | Outcome::TooHigh | Outcome::Contradicted => (Icon::Close, "check-differs"),
    };
    view! {
        <li class=class>{icon(mark)}<span><span class="check-what">{check.what.clone()}</span><b>{check.text.clone()}</b></span></li>
    }
    .into_any()
}

/// How the figures of a rule came about, folded.
fn workings(rule: &'static Rule) -> Option<AnyView> {
    let working = |check: &'static Check| match &check.finding {
        Finding::Figure { formula, terms, .. } => {
            let terms: Vec<_> = terms
                .iter()
                .map(|term| {
                    let value = if term.unit.is_empty() {
                        format::exact_or_six(term.value)
                    } else {
                        with_unit(term.value, &term.unit)
                    };
                    view! { <li><b>{format!("{}: {value}", term.name)}</b>" "{term.source.clone()}</li> }
                })
                .collect();
            Some(
                view! { <p>{check.what.clone()}</p><p class="formula">{formula.clone()}</p><ul class="terms">{terms}</ul> },
            )
        }
        Finding::Possible { .. } => None,
    };
    let parts: Vec<_> = rule.checks.iter().filter_map(working).collect();
    (!parts.is_empty()).then(|| {
        view! {
            <details class="rule-workings">
                <summary>"How it was computed"<span class="visually-hidden">{format!(": {}", rule.rule)}</span></summary>
                {parts}
            </details>
        }
        .into_any()
    })
}

/// Opens the very case.
pub(super) fn case_link(case: &Case) -> AnyView {
    match case.kind {
        CaseKind::Planner => {
            view! { <a href=format!("/?{}", case.query)>{format!("Open this case in the planner: {}", case.label)}</a> }
                .into_any()
        }
        CaseKind::Estimate => {
            view! { <a href=format!("/api/v1/estimates?{}", case.query)>{format!("This case as an estimate (JSON): {}", case.label)}</a> }
                .into_any()
        }
    }
}

fn sources(rule: &'static Rule) -> Vec<AnyView> {
    let source = |(index, cited): (usize, &'static Citation)| {
        // an empty text would be written as a space
        let separator = (index > 0).then_some("; ");
        let title = match &cited.url {
            Some(url) => view! { <a href=url.clone() rel="noreferrer">{cited.title.clone()}</a> }.into_any(),
            None => cited.title.clone().into_any(),
        };
        // a report has its year in its title
        let date = (!cited.title.ends_with(&cited.date)).then(|| format!(", {}", day(&cited.date)));
        view! { {separator}{title}{date} }.into_any()
    };
    rule.sources.iter().enumerate().map(source).collect()
}

/// `2026-09-01` as a date for people; a month or a year as it is.
fn day(date: &str) -> String {
    if date.len() == "2026-09-01".len() { format::date(date) } else { date.to_owned() }
}
