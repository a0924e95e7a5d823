//! Rules of thumb, checked: what two field reports of 2026 say about clusters for training, each with a verdict and,
//! where arithmetic can tell, a calculation that the engine does anew.
//!
//! The rules are kept in `engine/catalog/rules/`. What a rule says is a literal of the rule; what it is compared with
//! comes from the catalog, an estimate, a plan or a counted cluster, never from the rule.

mod builds;
mod cases;
mod check;
mod data;
mod terms;

#[cfg(test)]
mod tests;

pub use builds::{BuildCost, ReferenceBuild};
pub use check::{Check, Finding, Outcome, Span};

use crate::catalog::Catalog;
use builds::Builds;
use cases::Cases;
use data::{DATA, Data, RuleData};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use terms::Scope;

/// What the checks and the arithmetic say of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleVerdict {
    /// It holds.
    Holds,
    /// A part of it holds, or it holds under conditions that it leaves out.
    Partly,
    /// It doesn't hold.
    Wrong,
    /// It contradicts itself.
    ContradictsItself,
    /// It can't be checked: an anecdote, or an opinion without a measurement.
    CannotBeChecked,
}

impl RuleVerdict {
    /// Every verdict, in order.
    pub const ALL: [Self; 5] = [Self::Holds, Self::Partly, Self::Wrong, Self::ContradictsItself, Self::CannotBeChecked];

    /// The name on the wire.
    pub fn id(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Partly => "partly",
            Self::Wrong => "wrong",
            Self::ContradictsItself => "contradicts_itself",
            Self::CannotBeChecked => "cannot_be_checked",
        }
    }

    /// The name for people.
    pub fn label(self) -> &'static str {
        match self {
            Self::Holds => "Holds",
            Self::Partly => "Holds in part",
            Self::Wrong => "Wrong",
            Self::ContradictsItself => "Contradicts itself",
            Self::CannotBeChecked => "Can't be checked",
        }
    }
}

/// A group of rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleGroup {
    /// Stable identifier, such as `power`.
    pub id: String,
    /// Name for people.
    pub label: String,
}

/// Where a verdict comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Citation {
    /// Key into the sources of the catalog.
    pub source: String,
    /// Date of what was read: `2026-09-01`, `2026-09` or `2026`.
    pub date: String,
    /// Title of the source, filled in from the catalog.
    #[serde(default)]
    pub title: String,
    /// Its address, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// What a case opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseKind {
    /// The planner page, and the plans of the API, with this query.
    Planner,
    /// The estimates of the API, with this query.
    Estimate,
}

/// The very case that a check is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Stable identifier.
    pub id: String,
    /// What it opens.
    pub kind: CaseKind,
    /// What it is, for people.
    pub label: String,
    /// Query string, keys as in the address of the planner: `model.preset=llama-3.1-70b&accelerators=b200`.
    pub query: String,
    /// Devices of the plan, where the query holds it to a number by its deadline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpus: Option<u32>,
}

/// One rule of thumb with its verdict and its checks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// Stable identifier, such as `b200-memory-80`.
    pub id: String,
    /// Group id.
    pub group: String,
    /// Which field report says it: 1 or 2.
    pub report: u8,
    /// Number of the claim within that report, from 1.
    pub claim: u8,
    /// The rule in our words.
    pub rule: String,
    /// Verdict.
    pub verdict: RuleVerdict,
    /// Why, in one or two sentences.
    pub why: String,
    /// Sources of the verdict, the field report first.
    pub sources: Vec<Citation>,
    /// The case that the checks are about; null where nothing is computed.
    pub case: Option<Case>,
    /// Calculations done now, by this engine with this catalog; empty where arithmetic can't tell.
    pub checks: Vec<Check>,
}

/// Two statements of the field reports that can't both hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    /// Stable identifier.
    pub id: String,
    /// What it is about.
    pub topic: String,
    /// What field report 1 says; what field report 2 says first, where it contradicts itself.
    pub first: String,
    /// What field report 2 says.
    pub second: String,
    /// What to use instead.
    pub use_instead: String,
    /// Ids of the rules concerned.
    pub rules: Vec<String>,
}

/// The groups in the order of the page.
pub fn rule_groups() -> &'static [RuleGroup] {
    &DATA.groups
}

/// Where the two field reports contradict each other.
pub fn contradictions() -> &'static [Contradiction] {
    &DATA.contradictions
}

/// All rules with their checks evaluated, in the order of the groups; evaluated once in a process.
///
/// The first call plans and estimates about fifty small cases.
pub fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| evaluate(&DATA))
}

/// The clusters that the field reports recommend, at today's cost; evaluated once in a process.
pub fn reference_builds() -> &'static [ReferenceBuild] {
    static REFERENCES: OnceLock<Vec<ReferenceBuild>> = OnceLock::new();
    REFERENCES.get_or_init(|| builds::references(&DATA, &Cases::new(&DATA)))
}

fn evaluate(data: &Data) -> Vec<Rule> {
    let cases = Cases::new(data);
    let builds = Builds::new(data, &cases);
    let scope = Scope::new(&cases, &builds);
    let titles: BTreeMap<&str, _> = Catalog::get().sources.iter().map(|s| (s.id.as_str(), s)).collect();
    let of_group = |group: &RuleGroup| data.rules.iter().filter(move |r| r.group == group.id).collect::<Vec<_>>();
    let report = |r: &RuleData| Citation {
        source: "seed-reports".into(),
        date: "2026".into(),
        title: format!("Field report {}, 2026", r.report),
        url: None,
    };
    let cited = |c: &Citation| {
        let known = titles.get(c.source.as_str());
        Citation {
            title: known.map_or_else(|| c.source.clone(), |s| s.title.clone()),
            url: known.and_then(|s| s.url.clone()),
            ..c.clone()
        }
    };
    let rule = |r: &RuleData| Rule {
        id: r.id.clone(),
        group: r.group.clone(),
        report: r.report,
        claim: r.claim,
        rule: r.rule.clone(),
        verdict: r.verdict,
        why: r.why.clone(),
        sources: std::iter::once(report(r)).chain(r.sources.iter().map(cited)).collect(),
        case: r.case.as_deref().and_then(|id| cases.case(id)),
        checks: r.checks.iter().filter_map(|c| check::evaluate(c, &scope)).collect(),
    };
    data.groups.iter().flat_map(of_group).map(rule).collect()
}
