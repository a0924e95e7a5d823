//! The whole server on a port of its own, asked over HTTP as its callers ask.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on has failed")]

mod bad_requests;
mod catalog;
mod estimates;
mod fuzz;
mod headers;
mod limits;
mod metrics;
mod openapi;
mod operation;
mod plans;
mod sharing;
mod slow;
mod support;
mod table;
mod validation;
