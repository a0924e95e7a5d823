//! Decisions hold for plans of every kind.

use super::{Decision, decisions};
use crate::request::{Form, PlanRequest};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn decide(value: Value) -> Vec<Decision> {
    let request = PlanRequest::parse(&value, Form::Json).expect("a valid request");
    decisions(&crate::plan(&request))
}

fn find<'a>(all: &'a [Decision], key: &str) -> &'a Decision {
    all.iter().find(|d| d.key == key).unwrap_or_else(|| unreachable!("no decision {key}"))
}

fn figure(decision: &Decision, key: &str) -> f64 {
    let found = decision.because.iter().find(|f| f.key == key);
    found.unwrap_or_else(|| unreachable!("{} has no {key}", decision.key)).value
}

fn worked_example() -> Value {
    json!({
        "model": {"preset": "llama-3.1-70b"},
        "context_length": 8192,
        "training_tokens": 1_000_000_000_000_u64,
        "budget_usd": 5_000_000,
        "deadline_days": 90,
    })
}

#[test]
fn the_worked_example_decides_everything() {
    let all = decide(worked_example());
    let keys: Vec<&str> = all.iter().map(|d| d.key.as_str()).collect();
    let expected =
        ["fabric", "topology", "accelerator", "one_node", "consumer_cards", "fp8", "buy_above", "team", "node_memory"];
    assert_eq!(keys, expected);
    let one = find(&all, "one_node");
    assert!(one.answer.starts_with("No"), "{}", one.answer);
    let cards = find(&all, "consumer_cards");
    assert!(cards.answer.starts_with("No") && cards.turns_at.is_some(), "{}", cards.answer);
    let fp8 = find(&all, "fp8");
    assert!((1.0..2.0).contains(&figure(fp8, "gain")), "{}", fp8.answer);
}

#[test]
fn every_answer_is_whole() {
    for value in [
        worked_example(),
        json!({"model": {"preset": "llama-2-7b"}, "training_tokens": 10_000_000_000_u64, "context_length": 4096}),
        json!({"model": {"preset": "llama-3.1-405b"}, "deadline_days": 120, "max_gpus": 8192}),
        json!({"model": {"preset": "mixtral-8x7b"}, "accelerators": ["a100-sxm-80"]}),
        json!({"model": {"preset": "llama-3.1-8b"}, "method": "lora", "accelerators": ["gb200-nvl72"]}),
        json!({"model": {"preset": "llama-3.1-8b"}, "accelerators": ["rtx-4090"], "acquisition": ["on_demand"]}),
        json!({"model": {"preset": "llama-3.1-70b"}, "accelerators": ["mi355x"], "team_size": 1}),
    ] {
        let all = decide(value.clone());
        let keys: BTreeSet<&str> = all.iter().map(|d| d.key.as_str()).collect();
        assert_eq!(keys.len(), all.len(), "{value}");
        for d in &all {
            let text = format!("{} {} {:?}", d.question, d.answer, d.turns_at);
            assert!(d.answer.ends_with('.') && d.question.ends_with('?'), "{text}");
            assert!(!text.contains("NaN") && !text.contains("inf") && !text.contains("-$0"), "{text}");
            for f in &d.because {
                assert!(f.value.is_finite() && !f.unit.is_empty() && !f.label.is_empty(), "{} {}", d.key, f.key);
            }
        }
    }
}

#[test]
fn a_small_job_fits_one_server_and_consumer_cards() {
    let all = decide(json!({
        "model": {"preset": "llama-3.2-1b"},
        "training_tokens": 2_000_000_000_u64,
        "context_length": 2048,
        "deadline_days": 60,
        "accelerators": ["h100-sxm"],
    }));
    assert!(find(&all, "one_node").answer.starts_with("Yes"), "{:?}", find(&all, "one_node"));
    assert!(find(&all, "consumer_cards").answer.starts_with("They can"), "{:?}", find(&all, "consumer_cards"));
    assert!(find(&all, "fabric").answer.starts_with("Neither"), "{:?}", find(&all, "fabric"));
}

#[test]
fn the_price_of_servers_never_turns_the_order_of_the_fabrics_cost() {
    // the threshold is a share of the whole monthly cost, so dearer servers push it toward one
    let at = |usd: u64| {
        let all = decide(json!({
            "model": {"preset": "llama-3.1-70b"},
            "accelerators": ["h200-sxm"],
            "acquisition": ["buy"],
            "max_gpus": 128,
            "deadline_days": 200,
            "overrides": {"server_usd": {"h200-sxm": usd}},
        }));
        figure(find(&all, "fabric"), "cost_share")
    };
    let (cheap, dear) = (at(100_000), at(1_000_000));
    assert!((1.0 - cheap).abs() >= (1.0 - dear).abs(), "{cheap} {dear}");
}

#[test]
fn a_plan_without_a_cluster_decides_nothing() {
    let all = decide(json!({"model": {"preset": "llama-3.1-405b"}, "max_gpus": 8, "accelerators": ["a100-sxm-40"]}));
    assert!(all.is_empty(), "{all:?}");
}

#[test]
fn a_fabric_that_costs_more_is_not_asked_for_more_than_all_throughput() {
    for gpus in [32, 64, 128, 256] {
        let all = decide(json!({
            "model": {"preset": "llama-3.1-70b"},
            "accelerators": ["b200"],
            "acquisition": ["buy"],
            "max_gpus": gpus,
            "deadline_days": 300,
        }));
        let fabric = find(&all, "fabric");
        let turns = fabric.turns_at.clone().unwrap_or_default();
        assert_eq!(figure(fabric, "cost_share") < 1.0, turns.contains("keeps at least"), "{turns}");
        assert!(!turns.contains("$-") && !turns.contains("-$"), "{turns}");
    }
}

/// The fabric that a decision is for and the one that its plan counts with are the same, or the answer says why not.
#[test]
fn a_fabric_that_the_plan_does_not_count_with_is_explained() {
    let mut explained = 0;
    for acquisition in ["buy", "on_demand", "reserved"] {
        for accelerator in ["h100-sxm", "b200", "mi300x"] {
            let mut value = worked_example();
            value["acquisition"] = json!([acquisition]);
            value["accelerators"] = json!([accelerator]);
            value["budget_usd"] = json!(500_000_000);
            let request = PlanRequest::parse(&value, Form::Json).expect("a valid request");
            let plan = crate::plan(&request);
            let all = decisions(&plan);
            let Some(fabric) = all.iter().find(|d| d.key == "fabric") else { continue };
            let used = plan.shown().and_then(|t| t.cluster.as_ref()).map_or("", |c| c.fabric.as_str());
            let agrees = match fabric.answer.split([':', ',']).next() {
                Some("Ethernet") => used == "roce",
                Some("InfiniBand") => used == "infiniband",
                _ => continue,
            };
            assert_eq!(agrees, !fabric.answer.contains("The plan counts with"), "{used}: {}", fabric.answer);
            explained += usize::from(!agrees);
        }
    }
    assert!(explained > 0);
}

/// No text says that something turns by nothing.
#[test]
fn nothing_wins_by_no_percent() {
    for tokens in [2e11, 5e11, 1e12, 2e12] {
        for preset in ["llama-3.1-8b", "llama-3.1-70b"] {
            let all = decide(json!({"model": {"preset": preset}, "training_tokens": tokens as u64}));
            for decision in &all {
                let turns = decision.turns_at.as_deref().unwrap_or_default();
                assert!(!format!("{} {turns}", decision.answer).contains(" 0%"), "{}: {turns}", decision.key);
                assert!(!decision.answer.contains("limits"), "there are none: {}", decision.answer);
            }
        }
    }
}
