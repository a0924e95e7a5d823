//! How the figures of a plan came about: formula, values, sources.

pub(crate) mod build;
mod candidates;
mod comparison;
mod coverage;
mod estimate;
mod health;
mod lists;
mod memory;
mod money;
mod owning;
mod physical;
mod run;
mod use_of;

use crate::answer::{BillLine, Candidate, Estimate, Explanation, Plan, Term, TierPlan};
use crate::catalog::{Figure, OfferTerm};
use crate::economics::comparison::Parts;
use crate::economics::inputs::{Input, Inputs};
use crate::economics::ownership::Ownership;
use crate::economics::rental::Rent;
use crate::operation::reliability::Reliability;
use crate::performance::Job;
use crate::request::{Acquisition, PlanRequest};
use std::collections::BTreeMap;

pub use coverage::{Covered, covered};

/// One way of having a cluster, in figures that are not rounded.
pub(crate) struct Way<'a> {
    pub acquisition: Acquisition,
    pub label: &'a str,
    /// How it is paid; absent when bought.
    pub term: Option<OfferTerm>,
    pub minimum_months: f64,
    pub gpus: f64,
    pub estimate: &'a Estimate,
    pub reliability: &'a Reliability,
    pub days: f64,
    /// USD per device-hour.
    pub price: f64,
    pub source: &'a str,
    pub as_of: &'a str,
    /// Cost of the run, USD; of it, storage, egress and support of a rental.
    pub total: f64,
    pub extras: f64,
    /// Absent when bought.
    pub rent: Option<&'a Rent>,
    /// Present when bought.
    pub own: Option<&'a Ownership>,
}

/// What the plan itself doesn't keep of a cluster.
pub(crate) struct Background<'a> {
    /// Failures and checkpoints when no machine is taken away.
    pub reliability: &'a Reliability,
    pub own: Option<&'a Ownership>,
    /// What would be bought.
    pub bill: Vec<BillLine>,
    /// Every way of having it.
    pub ways: Vec<Way<'a>>,
    pub job: &'a Job,
    /// Sequences of one step, after rounding.
    pub batch: f64,
    /// FLOPs done again per token.
    pub recomputed_per_token: f64,
    /// Maximum draw of the servers, kW.
    pub nameplate_kw: f64,
}

impl Background<'_> {
    fn way(&self, label: &str) -> Option<&Way<'_>> {
        self.ways.iter().find(|way| way.label == label)
    }
}

/// What the plan itself doesn't keep of its lists.
pub(crate) struct Lists<'a> {
    /// `cheapest`, `fastest` and the first of the frontier.
    pub candidates: Vec<(&'static str, &'a Candidate, Way<'a>)>,
    /// The first of the sizes.
    pub first_size: Option<(&'a Estimate, &'a Reliability)>,
    /// The cluster whose health is watched.
    pub shown: Option<Shown<'a>>,
    pub parts: Option<Parts>,
    /// Of the cluster that would be bought.
    pub own: Option<&'a Ownership>,
    pub goodput: f64,
    /// Device-hours of a run on it.
    pub run_gpu_hours: f64,
}

/// What is behind the metrics that a team watches.
pub(crate) struct Shown<'a> {
    pub gpus: f64,
    pub batch: f64,
    pub estimate: &'a Estimate,
    pub reliability: &'a Reliability,
    /// Rates of reading that are there, and that training needs, bytes/s.
    pub read: f64,
    pub needed: f64,
    pub link: Option<LinkUse>,
}

/// What crosses the network link of a device in a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkUse {
    /// Bytes for each parameter of a device.
    pub bytes: f64,
    pub parameters: f64,
    pub servers: f64,
    /// Ranks of the group in one server, which share its links.
    pub inside: f64,
    /// Bytes per second.
    pub rate: f64,
    pub step_seconds: f64,
}

impl LinkUse {
    /// Average load of the link, share.
    pub(crate) fn load(&self) -> f64 {
        let sent = self.bytes * self.parameters * (1.0 - 1.0 / self.servers) / self.inside;
        (sent / (self.rate * self.step_seconds)).min(1.0)
    }
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
    estimate::counted(background.job, estimate, &mut book);
    memory::memory(request, estimate, cluster, background, &mut book);
    run::run(request, inputs, plan, cluster, background, &mut book);
    money::cost(request, inputs, plan, cluster, background, &mut book);
}

/// Explains what is of the whole plan.
pub(crate) fn whole(plan: &Plan, inputs: &Inputs, lists: &Lists<'_>, into: &mut BTreeMap<String, Explanation>) {
    let mut book = Book { prefix: String::new(), into };
    candidates::candidates(plan, lists, &mut book);
    use_of::utilization(plan, inputs, lists, &mut book);
    if let Some(shown) = &lists.shown {
        health::health(plan, shown, inputs, &mut book);
    }
    lists::bill(plan, &mut book);
    lists::sensitivity(plan, &mut book);
    lists::ranges(plan, &mut book);
    lists::inverse(plan, lists, &mut book);
    if let Some(parts) = &lists.parts {
        comparison::comparison(plan, inputs, lists, parts, &mut book);
    }
    if let Some(own) = lists.own {
        owning::ownership(plan, inputs, own, lists, &mut book);
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
