//! The rules as a list: what they are narrowed by, and what files of them hold.

use crate::listing::{Choice, Column, Entry, Kind, Listing, Place, Row, VIEWS};
use engine::rules::{Check, Citation, Rule, RuleVerdict, rule_groups};

/// Where the list stands.
pub(super) const PLACE: Place = Place { path: "/rules", anchor: "rules", lists: &[], kept: &[] };

const COLUMNS: [Column; 10] = [
    Column::new("id", "Id", Kind::Text),
    Column::new("rule", "Rule", Kind::Text),
    Column::new("group", "Group", Kind::Text),
    Column::new("verdict", "Verdict", Kind::Text),
    Column::new("report", "Report", Kind::Number),
    Column::new("claim", "Claim", Kind::Text),
    Column::new("why", "Why", Kind::Text),
    Column::new("checks", "Computed", Kind::Text),
    Column::new("case", "Case", Kind::Text),
    Column::new("sources", "Sources and their dates", Kind::Text),
];

const REPORTS: [(&str, &str); 2] = [("1", "Report 1"), ("2", "Report 2")];

/// The list.
pub(in crate::pages) fn list(rules: &[Rule]) -> Listing {
    let owned = |(id, name): (&str, &str)| (id.to_owned(), name.to_owned());
    let verdicts = RuleVerdict::ALL.map(|verdict| owned((verdict.id(), verdict.label())));
    let choices = vec![
        Choice {
            id: "group",
            label: "Group",
            all: "All groups",
            kinds: rule_groups().iter().map(|group| (group.id.clone(), group.label.clone())).collect(),
        },
        Choice { id: "verdict", label: "Verdict", all: "All verdicts", kinds: verdicts.to_vec() },
        Choice { id: "report", label: "Report", all: "Both reports", kinds: REPORTS.map(owned).to_vec() },
    ];
    Listing {
        name: "rules",
        files: VIEWS,
        caption: "Rules",
        noun: ("rule", "rules"),
        columns: COLUMNS.to_vec(),
        choices,
        rows: rules.iter().map(row).collect(),
    }
}

fn row(rule: &Rule) -> Row {
    let group = rule_groups().iter().find(|group| group.id == rule.group);
    let checks: Vec<String> =
        rule.checks.iter().map(|check: &Check| format!("{}: {}", check.what, check.text)).collect();
    let source = |cited: &Citation| match &cited.url {
        Some(url) => format!("{} ({}) {url}", cited.title, cited.date),
        None => format!("{} ({})", cited.title, cited.date),
    };
    let sources: Vec<String> = rule.sources.iter().map(source).collect();
    Row {
        entries: vec![
            Entry::text(&rule.id),
            Entry::text(&rule.rule),
            Entry::text(group.map_or(rule.group.as_str(), |group| group.label.as_str())),
            Entry::text(rule.verdict.label()),
            Entry::number(Some(f64::from(rule.report)), crate::format::count),
            Entry::text(rule.claim.to_string()),
            Entry::text(&rule.why),
            Entry::text(checks.join("; ")),
            Entry::text(rule.case.as_ref().map(|case| case.query.clone()).unwrap_or_default()),
            Entry::text(sources.join("; ")),
        ],
        kinds: vec![rule.group.clone(), rule.verdict.id().to_owned(), rule.report.to_string()],
        ..Row::default()
    }
}
