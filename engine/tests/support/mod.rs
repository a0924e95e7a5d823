//! Requests from JSON, as a caller of the API writes them.
#![expect(dead_code, reason = "each test file uses a part")]
#![expect(clippy::panic, reason = "a test fails by panicking")]

use engine::request::Form;
use engine::{Estimate, EstimateRequest, Plan, PlanRequest, Problem};
use serde_json::Value;

pub fn request(value: Value) -> PlanRequest {
    PlanRequest::parse(&value, Form::Json).unwrap_or_else(|p| panic!("{p:?}"))
}

pub fn plan(value: Value) -> Plan {
    engine::plan(&request(value))
}

pub fn refused(value: Value) -> Problem {
    PlanRequest::parse(&value, Form::Json).expect_err("the request is refused")
}

pub fn estimate(value: Value) -> Estimate {
    let request = EstimateRequest::parse(&value, Form::Json).unwrap_or_else(|p| panic!("{p:?}"));
    engine::estimate(&request).unwrap_or_else(|p| panic!("{p:?}"))
}

pub fn impossible(value: Value) -> Problem {
    match EstimateRequest::parse(&value, Form::Json).and_then(|r| engine::estimate(&r)) {
        Ok(estimate) => panic!("was estimated: {estimate:?}"),
        Err(problem) => problem,
    }
}
