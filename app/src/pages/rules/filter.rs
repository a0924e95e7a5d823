//! Which rules are shown: three choices and words, in a plain GET form.

use crate::components::filter_select;
use engine::rules::{Rule, RuleVerdict, rule_groups};
use leptos::prelude::*;

/// What is asked for; empty is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    group: String,
    verdict: String,
    report: String,
    words: String,
}

const REPORTS: [(&str, &str); 2] = [("1", "Report 1"), ("2", "Report 2")];

impl Filter {
    pub(super) fn from_query(query: &str) -> Self {
        let mut filter = Self::default();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            // no id is longer, and no search need be
            let value: String = value.trim().chars().take(60).collect();
            match key.as_ref() {
                "group" => filter.group = value,
                "verdict" => filter.verdict = value,
                "report" => filter.report = value,
                "q" => filter.words = value,
                _ => {}
            }
        }
        filter
    }

    /// The address of what it shows.
    pub(super) fn address(&self) -> String {
        let pairs = [("group", &self.group), ("verdict", &self.verdict), ("report", &self.report), ("q", &self.words)];
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(pairs.into_iter().filter(|(_, value)| !value.is_empty()))
            .finish();
        if query.is_empty() { "/rules".into() } else { format!("/rules?{query}") }
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn keeps(&self, rule: &Rule) -> bool {
        let is = |wanted: &str, id: &str| wanted.is_empty() || id == wanted;
        is(&self.group, &rule.group)
            && is(&self.verdict, rule.verdict.id())
            && is(&self.report, &rule.report.to_string())
            && self.finds_words(rule)
    }

    /// Each word is somewhere in the rule, its reason, its checks or its id.
    fn finds_words(&self, rule: &Rule) -> bool {
        let checks = rule.checks.iter().flat_map(|check| [check.what.as_str(), check.text.as_str()]);
        let texts = [rule.id.as_str(), rule.rule.as_str(), rule.why.as_str()].into_iter().chain(checks);
        let text = texts.collect::<Vec<_>>().join(" ").to_lowercase();
        self.words.to_lowercase().split_whitespace().all(|word| text.contains(word))
    }

    /// What it shows, in words: `power and cooling, wrong, report 1, with “kW”`.
    pub(super) fn described(&self) -> String {
        let group = rule_groups().iter().find(|group| group.id == self.group);
        let verdict = RuleVerdict::ALL.into_iter().find(|verdict| verdict.id() == self.verdict);
        let named = |id: &str, label: Option<String>| label.unwrap_or_else(|| id.to_owned());
        let mut parts = vec![
            named(&self.group, group.map(|group| group.label.clone())),
            named(&self.verdict, verdict.map(|verdict| verdict.label().to_lowercase())),
        ];
        if !self.report.is_empty() {
            parts.push(format!("report {}", self.report));
        }
        if !self.words.is_empty() {
            parts.push(format!("with “{}”", self.words));
        }
        parts.retain(|part| !part.is_empty());
        parts.join(", ")
    }

    pub(super) fn form(&self) -> AnyView {
        let groups: Vec<(&str, &str)> = rule_groups().iter().map(|g| (g.id.as_str(), g.label.as_str())).collect();
        let verdicts = RuleVerdict::ALL.map(|verdict| (verdict.id(), verdict.label()));
        let clear = (!self.is_empty()).then(|| view! { <a class="button" href="/rules#rules">"Show all"</a> });
        view! {
            <form class="inline-form filter-form rules-filter" id="filter" method="get" action="/rules#rules" aria-label="Filter of the rules">
                {filter_select("group", "Group", "All groups", &groups, &self.group)}
                {filter_select("verdict", "Verdict", "All verdicts", &verdicts, &self.verdict)}
                {filter_select("report", "Report", "Both reports", &REPORTS, &self.report)}
                <div class="field">
                    <label for="filter-q">"Words"</label>
                    <input class="input" id="filter-q" name="q" type="search" maxlength="60" value=self.words.clone() />
                </div>
                <button class="button button-primary" type="submit">"Filter"</button>
                {clear}
            </form>
        }
        .into_any()
    }
}
