//! The cases that checks are about, each asked of the engine at most once.

use super::data::Data;
use super::{Case, CaseKind};
use crate::answer::Plan;
use crate::problem::Problem;
use crate::request::{EstimateRequest, Form, PlanRequest, plan_request_from_pairs, tree_from_pairs};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Pairs of a query string. The queries of the rules hold no character that needs escaping; a test says so.
pub(super) fn pairs(query: &str) -> impl Iterator<Item = (&str, &str)> {
    query.split('&').filter_map(|pair| pair.split_once('='))
}

/// The cases with their answers.
pub(super) struct Cases<'a> {
    data: &'a Data,
    resolved: RefCell<BTreeMap<String, Option<Case>>>,
    answers: RefCell<BTreeMap<String, Option<Value>>>,
}

impl<'a> Cases<'a> {
    pub(super) fn new(data: &'a Data) -> Self {
        Self { data, resolved: RefCell::default(), answers: RefCell::default() }
    }

    /// A case with the query that opens it.
    pub(super) fn case(&self, id: &str) -> Option<Case> {
        if let Some(known) = self.resolved.borrow().get(id) {
            return known.clone();
        }
        let written = self.data.cases.iter().find(|c| c.id == id)?;
        let case = match written.gpus {
            Some(gpus) => held_to(written, gpus),
            None => Some(written.clone()),
        };
        self.resolved.borrow_mut().insert(id.to_owned(), case.clone());
        case
    }

    /// The request of a case of the planner.
    pub(super) fn plan_request(&self, id: &str) -> Option<PlanRequest> {
        let case = self.case(id).filter(|c| c.kind == CaseKind::Planner)?;
        plan_request_from_pairs(pairs(&case.query)).ok()
    }

    /// The request of a case of an estimate.
    pub(super) fn estimate_request(&self, id: &str) -> Option<EstimateRequest> {
        let case = self.case(id).filter(|c| c.kind == CaseKind::Estimate)?;
        read_estimate(&case.query).ok()
    }

    /// The answer of a case as the API gives it.
    pub(super) fn answer(&self, id: &str) -> Option<Value> {
        if let Some(known) = self.answers.borrow().get(id) {
            return known.clone();
        }
        let answer = self.ask(id);
        self.answers.borrow_mut().insert(id.to_owned(), answer.clone());
        answer
    }

    fn ask(&self, id: &str) -> Option<Value> {
        match self.case(id)?.kind {
            CaseKind::Planner => {
                let plan = crate::plan(&self.plan_request(id)?);
                serde_json::to_value(plan.without_explanations()).ok()
            }
            CaseKind::Estimate => {
                let estimate = crate::estimate(&self.estimate_request(id)?).ok()?;
                serde_json::to_value(estimate).ok()
            }
        }
    }
}

/// Deadlines that are tried before a case is given up.
const TRIES: u32 = 24;

/// The case with a deadline at which the plan shows and recommends `gpus` devices: a request has a largest number of
/// devices, and the deadline is what keeps a cheaper, smaller cluster out.
fn held_to(case: &Case, gpus: u32) -> Option<Case> {
    let mut request = plan_request_from_pairs(pairs(&case.query)).ok()?;
    let shown = |plan: &Plan| {
        let tier = plan.shown()?;
        Some((tier.cluster.as_ref()?.gpus, tier.days?.typical))
    };
    let (devices, days) = shown(&crate::plan(&request))?;
    // days go with one over the devices, nearly
    let mut deadline = days * f64::from(devices) / f64::from(gpus) * 1.03;
    for _ in 0..TRIES {
        let rounded = (deadline * 10.0).ceil() / 10.0;
        request.deadline_days = Some(rounded);
        let plan = crate::plan(&request);
        let (devices, _) = shown(&plan)?;
        if devices == gpus && plan.recommended.is_some() {
            return Some(Case { query: format!("{}&deadline_days={rounded}", case.query), ..case.clone() });
        }
        deadline *= if plan.recommended.is_none() || devices > gpus { 1.04 } else { 0.98 };
    }
    None
}

/// Reads a query as the request of an estimate.
pub(super) fn read_estimate(query: &str) -> Result<EstimateRequest, Problem> {
    EstimateRequest::parse(&tree_from_pairs(pairs(query))?, Form::Text)
}
