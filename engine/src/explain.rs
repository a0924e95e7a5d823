//! How the figures of a plan came about: formula, values, sources.

pub(crate) mod build;
mod coverage;
mod estimate;
mod lists;
mod money;
mod owning;
mod physical;
mod run;

use crate::answer::{Explanation, Plan, Term, TierPlan};
use crate::catalog::Figure;
use crate::economics::inputs::{Input, Inputs};
use crate::economics::ownership::Ownership;
use crate::operation::reliability::Reliability;
use crate::request::PlanRequest;
use std::collections::BTreeMap;

pub use coverage::{Covered, covered};

/// What the plan itself doesn't keep of a cluster.
pub(crate) struct Background<'a> {
    pub reliability: &'a Reliability,
    pub own: Option<&'a Ownership>,
    /// Throughput when it is bought, whose network may be another.
    pub owned_tokens_per_second_per_gpu: Option<f64>,
    /// Sequences of one step, after rounding.
    pub batch: f64,
    /// Share of parameters that is trained.
    pub trained_share: f64,
    /// FLOPs done again per token.
    pub recomputed_per_token: f64,
    /// Maximum draw of the servers, kW.
    pub nameplate_kw: f64,
}

/// Explanations under one prefix.
struct Book<'a> {
    prefix: String,
    into: &'a mut BTreeMap<String, Explanation>,
}

impl Book<'_> {
    fn put(&mut self, key: &str, title: &str, value: f64, unit: &str, formula: &str, terms: Vec<Term>) {
        let explanation = Explanation { title: title.into(), value, unit: unit.into(), formula: formula.into(), terms };
        self.into.insert(format!("{}{key}", self.prefix), explanation);
    }
}

/// Explains one tier; `prefix` is such as `tiers.workhorse`.
pub(crate) fn tier(
    request: &PlanRequest,
    inputs: &Inputs,
    plan: &TierPlan,
    background: &Background<'_>,
    prefix: &str,
    into: &mut BTreeMap<String, Explanation>,
) {
    let (Some(estimate), Some(cluster)) = (&plan.estimate, &plan.cluster) else { return };
    let mut book = Book { prefix: format!("{prefix}."), into };
    estimate::time(request, estimate, cluster, background, &mut book);
    estimate::memory(request, estimate, cluster, background, &mut book);
    run::run(request, inputs, plan, cluster, background, &mut book);
    money::cost(request, inputs, plan, cluster, background, &mut book);
}

/// Explains what is of the whole plan; `own` and `goodput` are of the cluster that would be bought.
pub(crate) fn whole(
    plan: &Plan,
    inputs: &Inputs,
    own: Option<&Ownership>,
    goodput: f64,
    into: &mut BTreeMap<String, Explanation>,
) {
    let mut book = Book { prefix: String::new(), into };
    lists::candidates(plan, &mut book);
    lists::utilization(plan, inputs, &mut book);
    lists::bill(plan, &mut book);
    lists::sensitivity(plan, &mut book);
    lists::ranges(plan, &mut book);
    lists::inverse(plan, &mut book);
    owning::comparison(plan, inputs, own, goodput, &mut book);
    if let Some(own) = own {
        owning::ownership(plan, inputs, own, goodput, &mut book);
    }
}

fn term(name: &str, value: f64, unit: &str, source: &str) -> Term {
    Term { name: name.into(), value, unit: unit.into(), source: source.into() }
}

/// A cost input at its typical value, with where it is from.
fn input(name: &str, input: &Input, unit: &str) -> Term {
    term(name, input.value(), unit, &source_of(input))
}

fn source_of(input: &Input) -> String {
    dated(&input.source, &input.as_of)
}

/// Where an override is from.
fn own_source(request: &PlanRequest, path: &str) -> String {
    let (source, as_of) = request.quotes.source(path);
    dated(&source, &as_of)
}

fn dated(source: &str, as_of: &str) -> String {
    if as_of.is_empty() { source.to_owned() } else { format!("{source}, {as_of}") }
}

fn cited(figure: &Figure) -> String {
    format!("{}, {}", figure.source, figure.date)
}

const REQUEST: &str = "your request";
const SEARCH: &str = "cluster search";
const MODEL: &str = "performance model";
