//! The whole server on a port of its own, asked over HTTP as its callers ask.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that can't go on has failed")]

mod accounts;
mod artifacts;
mod backup;
mod bad_requests;
mod catalog;
mod crash;
mod data;
mod database;
mod descriptions;
mod estimates;
mod explained;
mod feeds;
mod fuzz;
mod headers;
mod history;
mod known_faults;
mod limits;
mod links;
mod lists;
mod logs;
mod metrics;
mod openapi;
mod operation;
mod plans;
mod price_book;
mod process;
mod replan;
mod rules;
mod sharing;
mod slow;
mod spreadsheets;
mod stop;
mod storage;
mod support;
mod sweep;
mod table;
mod team_api;
mod team_api_names;
mod teams;
mod tokens;
mod validation;
mod views;
