use super::*;
use crate::format;
use engine::rules::{contradictions, rule_groups};

fn checked() -> Checked {
    Checked { rules: engine::rules(), builds: engine::reference_builds() }
}

fn page(query: &str) -> String {
    Owner::new().with(|| body(checked(), &listing::query(query)).to_html())
}

fn of(query: &str) -> (Listing, View) {
    let list = rows::list(engine::rules());
    let view = View::read(&list, rows::PLACE, &listing::query(query));
    (list, view)
}

fn kept(query: &str) -> Vec<&'static Rule> {
    let (list, view) = of(query);
    list.shown(&view).into_iter().map(|place| &engine::rules()[place]).collect()
}

fn shown(html: &str) -> usize {
    html.matches("class=\"rule\"").count()
}

#[test]
fn every_rule_has_its_anchor_and_nothing_is_styled_inline() {
    let html = page("");
    assert_eq!(shown(&html), engine::rules().len());
    for rule in engine::rules() {
        assert!(html.contains(&format!("<li id=\"{}\" class=\"rule\"", rule.id)), "{}", rule.id);
        assert!(html.contains(&format!("href=\"#{}\"", rule.id)), "{}", rule.id);
    }
    assert!(!html.contains("2026 ;") && !html.contains("2026 ."), "no space stands before a mark");
    assert!(!html.contains(" style=") && !html.contains("NaN") && !html.contains(">inf"));
    let mut ids: Vec<&str> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "ids are unique");
}

#[test]
fn the_opening_counts_every_rule_once() {
    let rules = engine::rules();
    let counts: Vec<usize> = RuleVerdict::ALL.iter().map(|verdict| of_verdict(rules, *verdict)).collect();
    assert_eq!(counts.iter().sum::<usize>(), rules.len());
    let text = opening(rules);
    for (verdict, count) in RuleVerdict::ALL.iter().zip(&counts) {
        assert!(text.contains(&count.to_string()), "{verdict:?}: {text}");
        let label = format!("<b>{}</b>", verdict.label().replace('\'', "&#x27;"));
        let told = page("").matches(&label).count() + page("").matches(&format!("<b>{}</b>", verdict.label())).count();
        assert!(told >= *count, "{verdict:?} is told {told} times");
    }
    assert!(text.contains(&rules.len().to_string()));
    let checks: usize = rules.iter().map(|rule| rule.checks.len()).sum();
    assert!(arithmetic(rules).starts_with(&checks.to_string()));
    assert_eq!(page("").matches("class=\"check-what\"").count(), checks);
}

#[test]
fn the_filter_keeps_what_is_asked_for() {
    let rules = engine::rules();
    let of = |query: &str| kept(query).len();
    for query in ["group=power", "verdict=wrong", "report=2", "q=NVLink", "group=prices&verdict=wrong&report=1"] {
        let html = page(query);
        assert!(of(query) > 0 && of(query) < rules.len(), "{query}: {}", of(query));
        assert_eq!(shown(&html), of(query), "{query}");
        assert!(html.contains("Clear filters"), "{query}");
    }
    let groups: usize = rule_groups().iter().map(|group| of(&format!("group={}", group.id))).sum();
    assert_eq!(groups, rules.len());
    assert_eq!(of("report=1") + of("report=2"), rules.len());
    assert!(kept("q=B200+memory").iter().any(|r| r.id == "b200-memory-80"));
}

#[test]
fn what_is_not_found_leads_back_and_is_escaped() {
    let html = page("q=%3Cb%3Enothing&group=strange");
    assert_eq!(shown(&html), 0);
    assert!(html.contains("Clear filters") && html.contains("strange (not known)"));
    assert!(!html.contains("<b>nothing"));
    assert_eq!(of("group=&q=+&verdict=").1.page(), "/rules");
    assert_eq!(of("group=power&q=kW&x=1").1.page(), "/rules?group=power&q=kW");
}

#[test]
fn each_case_opens_where_it_belongs() {
    let html = page("");
    for rule in engine::rules() {
        let Some(case) = &rule.case else { continue };
        let path = match case.kind {
            engine::rules::CaseKind::Planner => "/?",
            engine::rules::CaseKind::Estimate => "/api/v1/estimates?",
        };
        let href = format!("href=\"{path}{}\"", case.query.replace('&', "&amp;"));
        assert!(html.contains(&href), "{}: {href}", rule.id);
    }
}

#[test]
fn builds_and_contradictions_are_all_there() {
    let html = page("q=nothing-like-it");
    assert_eq!(html.matches("class=\"build-card\"").count(), engine::reference_builds().len());
    assert_eq!(engine::reference_builds().len(), 3);
    for build in engine::reference_builds() {
        assert!(html.contains(&crate::components::price_standing(build)), "{}", build.id);
        assert!(html.contains(&format::money(build.cost.capital_usd.typical)), "{}", build.id);
    }
    assert_eq!(html.matches("class=\"contradiction\"").count(), contradictions().len());
    for contradiction in contradictions() {
        for rule in &contradiction.rules {
            assert!(html.contains(&format!("href=\"/rules#{rule}\"")), "{rule}");
        }
    }
}
