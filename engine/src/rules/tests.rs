//! The rules are whole, their checks evaluate, and no verdict says what its arithmetic denies.

use super::check::{compare, three_digits, with_unit};
use super::data::{CASES, CheckData, DATA, FRAME, RULE_FILES, TermData};
use super::{
    CaseKind, Check, Finding, Outcome, Rule, RuleVerdict, Span, cases, contradictions, reference_builds, rule_groups,
    rules,
};
use crate::answer::TierPlan;
use crate::catalog::{Catalog, Range};
use crate::request::{plan_request_from_pairs, plan_request_to_pairs};
use std::collections::{BTreeMap, BTreeSet};

/// Claims of each field report.
const CLAIMS: [(u8, u8); 2] = [(1, 64), (2, 57)];

fn checks() -> impl Iterator<Item = (&'static Rule, &'static Check)> {
    rules().iter().flat_map(|r| r.checks.iter().map(move |c| (r, c)))
}

#[test]
fn every_claim_of_both_reports_is_there_once() {
    let mut seen: BTreeMap<(u8, u8), u32> = BTreeMap::new();
    for rule in rules() {
        *seen.entry((rule.report, rule.claim)).or_default() += 1;
    }
    for (report, last) in CLAIMS {
        for claim in 1..=last {
            assert_eq!(seen.remove(&(report, claim)), Some(1), "claim {claim} of report {report}");
        }
    }
    assert!(seen.is_empty(), "{seen:?}");
    assert_eq!(rules().len(), 121);
}

#[test]
fn ids_are_unique_and_known() {
    let ids: BTreeSet<&str> = rules().iter().map(|r| r.id.as_str()).collect();
    assert_eq!(ids.len(), rules().len());
    let slug = |id: &str| id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    assert!(ids.iter().all(|id| slug(id)));
    let groups: BTreeSet<&str> = rule_groups().iter().map(|g| g.id.as_str()).collect();
    assert_eq!(groups.len(), rule_groups().len());
    for group in &groups {
        assert!(rules().iter().any(|r| r.group == *group), "{group} is empty");
    }
    for rule in &DATA.rules {
        assert!(groups.contains(rule.group.as_str()), "{}: unknown group {}", rule.id, rule.group);
    }
    let cases: BTreeSet<&str> = DATA.cases.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(cases.len(), DATA.cases.len());
    let builds: BTreeSet<&str> = DATA.builds.iter().map(|b| b.id.as_str()).collect();
    assert_eq!(builds.len(), DATA.builds.len());
    for rule in &DATA.rules {
        assert!(rule.case.as_deref().is_none_or(|id| cases.contains(id)), "{}: unknown case", rule.id);
        assert!(rule.checks.is_empty() || rule.case.is_some(), "{} is computed and opens no case", rule.id);
    }
    let topics: BTreeSet<&str> = contradictions().iter().map(|c| c.id.as_str()).collect();
    assert_eq!((topics.len(), contradictions().len()), (13, 13));
    for contradiction in contradictions() {
        assert!(!contradiction.rules.is_empty());
        for id in &contradiction.rules {
            assert!(ids.contains(id.as_str()), "{}: unknown rule {id}", contradiction.id);
        }
    }
}

#[test]
fn every_source_is_known_and_dated() {
    let sources: BTreeSet<&str> = Catalog::get().sources.iter().map(|s| s.id.as_str()).collect();
    let dated = |d: &str| matches!(d.len(), 4 | 7 | 10) && d.bytes().all(|b| b.is_ascii_digit() || b == b'-');
    for rule in rules() {
        assert_eq!(rule.sources.first().map(|s| s.source.as_str()), Some("seed-reports"), "{}", rule.id);
        for c in &rule.sources {
            assert!(sources.contains(c.source.as_str()), "{} cites the unknown source {}", rule.id, c.source);
            assert!(dated(&c.date) && !c.title.is_empty(), "{}: {} of {:?}", rule.id, c.source, c.date);
        }
        let judged = rule.why.contains("judgement") || rule.verdict == RuleVerdict::CannotBeChecked;
        assert!(
            rule.sources.len() > 1 || !rule.checks.is_empty() || judged,
            "{} has neither a source nor a calculation",
            rule.id
        );
    }
    let terms = |check: &'static CheckData| -> Vec<&'static TermData> {
        let CheckData::Figure(f) = check else { return Vec::new() };
        [&f.computed, &f.over, &f.said_times, &f.said_over].into_iter().flatten().collect()
    };
    for rule in &DATA.rules {
        for term in rule.checks.iter().flat_map(terms) {
            let TermData::Cited(cited) = term else { continue };
            assert!(sources.contains(cited.source.as_str()) && dated(&cited.date), "{}: {}", rule.id, cited.of);
        }
    }
}

#[test]
fn every_case_is_a_request_that_the_product_accepts() {
    let resolved = cases::Cases::new(&DATA);
    for case in &DATA.cases {
        let case = &resolved.case(&case.id).unwrap_or_else(|| unreachable!("{} has no deadline", case.id));
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-&=".contains(&b);
        assert!(case.query.bytes().all(plain), "{}: {} needs escaping", case.id, case.query);
        assert!(!case.label.is_empty(), "{}", case.id);
        match case.kind {
            CaseKind::Planner => {
                let request = plan_request_from_pairs(cases::pairs(&case.query));
                let request = request.unwrap_or_else(|p| unreachable!("{}: {p:?}", case.id));
                let again = plan_request_from_pairs(plan_request_to_pairs(&request));
                assert_eq!(again.ok().as_ref(), Some(&request), "{}", case.id);
            }
            CaseKind::Estimate => {
                assert!(cases::read_estimate(&case.query).is_ok(), "{}: {}", case.id, case.query);
            }
        }
    }
}

#[test]
fn every_check_evaluates() {
    for (rule, data) in rules().iter().map(|r| (r, DATA.rules.iter().find(|d| d.id == r.id))) {
        let data = data.unwrap_or_else(|| unreachable!("{}", rule.id));
        assert_eq!(rule.checks.len(), data.checks.len(), "a check of {} names something that is not there", rule.id);
    }
    assert!(checks().count() > 100, "{}", checks().count());
    for (rule, check) in checks() {
        let name = format!("{}: {}: {}", rule.id, check.what, check.text);
        assert!(!check.text.contains("NaN") && !check.text.contains("inf"), "{name}");
        let Finding::Figure { computed, terms, unit, .. } = &check.finding else { continue };
        assert!(computed.low > 0.0 && computed.low <= computed.typical && computed.typical <= computed.high, "{name}");
        assert!(!terms.is_empty() && !unit.is_empty(), "{name}");
        assert!(terms.iter().all(|t| !t.name.is_empty() && !t.source.is_empty()), "{name}");
    }
}

#[test]
fn no_verdict_says_what_its_arithmetic_denies() {
    for rule in rules() {
        let compared: Vec<&Check> = rule.checks.iter().filter(|c| c.outcome != Outcome::Shown).collect();
        let denied = compared.iter().any(|c| c.outcome != Outcome::Agrees);
        let all: Vec<&str> = rule.checks.iter().map(|c| c.text.as_str()).collect();
        match rule.verdict {
            RuleVerdict::Holds => assert!(!denied, "{} holds, and yet {all:?}", rule.id),
            RuleVerdict::Wrong | RuleVerdict::ContradictsItself => {
                assert!(compared.is_empty() || denied, "{} is wrong, and yet {all:?}", rule.id);
            }
            RuleVerdict::Partly => {}
            RuleVerdict::CannotBeChecked => assert!(compared.is_empty(), "{} was checked: {all:?}", rule.id),
        }
    }
}

#[test]
fn the_guard_of_verdicts_can_fail() {
    let said = |low: f64, high: f64| Span { low, high: Some(high) };
    let range = |low: f64, typical: f64, high: f64| Range { low, typical, high };
    assert_eq!(compare(said(80.0, 80.0), Range::exactly(180.0), 0.1), (Outcome::TooLow, Some(2.25)));
    assert_eq!(compare(said(384.0, 384.0), Range::exactly(180.0), 0.1).0, Outcome::TooHigh);
    assert_eq!(compare(said(105.0, 105.0), Range::exactly(100.0), 0.1), (Outcome::Agrees, None));
    assert_eq!(compare(said(25.0, 30.0), range(2.4, 4.0, 12.0), 0.1), (Outcome::TooHigh, Some(6.25)));
    assert_eq!(compare(said(12.0, 18.0), range(10.0, 20.0, 30.0), 0.1), (Outcome::Agrees, None));
    assert_eq!(compare(Span { low: 1.0, high: None }, Range::exactly(8.0), 0.1), (Outcome::Agrees, None));
}

#[test]
fn every_rule_is_said_in_few_words_and_names_nobody() {
    for rule in rules() {
        for (what, text, most) in [("rule", &rule.rule, 160), ("why", &rule.why, 330)] {
            assert!(text.ends_with('.') && text.len() <= most, "{} {what}: {} characters", rule.id, text.len());
        }
    }
    let files = RULE_FILES.iter().map(|(_, text)| *text).chain([FRAME, CASES]);
    for text in files {
        for word in ["Nishaant", "Dixit", "SIVARO", "/work", "/tmp/", ".csv", "seed-claims"] {
            assert!(!text.contains(word), "{word}");
        }
    }
}

#[test]
fn reference_builds_open_the_planner_on_that_very_cluster() {
    let builds = reference_builds();
    let size = |b: &super::ReferenceBuild| (b.accelerator.clone(), b.nodes, b.gpus);
    let sizes: Vec<_> = builds.iter().map(size).collect();
    assert_eq!(sizes, [("h200-sxm".into(), 4, 32), ("b200".into(), 8, 64), ("b200".into(), 16, 128)]);
    for b in builds {
        let request = plan_request_from_pairs(cases::pairs(&b.planner.query)).expect("a request");
        let plan = crate::plan(&request);
        let shown = plan.shown().and_then(|t: &TierPlan| t.cluster.as_ref()).map(|c| (c.accelerator.clone(), c.gpus));
        assert_eq!(shown, Some((b.accelerator.clone(), b.gpus)), "{}: {}", b.id, plan.headline);
        assert!(plan.recommended.is_some(), "{}: {}", b.id, plan.headline);
        // the plan's own purchase is that of the build, but for the fabric
        let capital = plan.ownership.as_ref().map_or(0.0, |o| o.capital_usd.typical);
        assert!((capital / b.cost.capital_usd.typical - 1.0).abs() < 0.05, "{}: {capital} {:?}", b.id, b.cost);
        let c = &b.cost;
        assert!(c.capital_usd.low < c.capital_usd.typical && c.capital_usd.typical < c.capital_usd.high);
        assert!(c.servers_usd.typical < c.capital_usd.typical && c.network_usd.typical > 0.0);
        assert!(c.usd_per_owned_gpu_hour.typical < c.usd_per_used_gpu_hour.typical);
        assert_eq!(b.outcome, Outcome::TooLow, "{}", b.id);
        assert!(b.ratio.is_some_and(|r| r > 5.0), "{}: {:?}", b.id, b.ratio);
    }
}

#[test]
fn figures_are_written_with_three_digits() {
    for (value, text) in [
        (1_234_567.0, "1,230,000"),
        (180.0, "180"),
        (0.176_4, "0.176"),
        (37.5, "37.5"),
        (7.0, "7"),
        (999.6, "1,000"),
        (0.0, "0"),
    ] {
        assert_eq!(three_digits(value), text);
    }
    assert_eq!(with_unit(25.0, Some(30.0), "USD"), "25 to 30 USD");
    assert_eq!(with_unit(8.0, Some(8.0), "%"), "8%");
    assert_eq!(with_unit(2.0, Some(2.0), "×"), "2×");
    assert_eq!(with_unit(1e6, None, "USD"), "1,000,000 and more USD");
}
