//! The question turned round agrees with the plan itself.

use super::support;
use engine::PlanRequest;
use serde_json::{Value, json};

fn base() -> Value {
    json!({"model": {"preset": "llama-3.1-8b"}, "training_tokens": 500_000_000_000_u64, "max_gpus": 256,
        "accelerators": ["h100-sxm", "b200"]})
}

fn with(keys: Value) -> Value {
    let mut request = base();
    if let (Some(request), Some(keys)) = (request.as_object_mut(), keys.as_object()) {
        request.extend(keys.clone());
    }
    request
}

#[test]
fn the_smallest_cluster_for_a_date_is_in_time_and_no_smaller_one_is() {
    for deadline in [5.0, 10.0, 30.0] {
        let plan = support::plan(with(json!({"deadline_days": deadline})));
        let smallest = plan.inverse.smallest_for_deadline.expect("something is in time");
        assert!(smallest.days <= deadline);
        let fastest = |gpus: u32| {
            let plan = support::plan(with(json!({"deadline_days": deadline, "max_gpus": gpus})));
            plan.fastest.map(|c| c.days)
        };
        assert!(fastest(smallest.gpus).is_some_and(|days| days <= deadline));
        if smallest.gpus > 8 {
            assert_eq!(
                fastest(smallest.gpus - 8),
                None,
                "{deadline}: {} devices were called the fewest",
                smallest.gpus
            );
        }
    }
    assert!(support::plan(base()).inverse.smallest_for_deadline.is_none());
}

#[test]
fn the_most_tokens_meet_the_limits_and_one_percent_more_do_not() {
    let limits = [
        json!({"deadline_days": 30}),
        json!({"budget_usd": 400_000}),
        json!({"budget_usd": 400_000, "deadline_days": 20}),
        json!({"budget_usd": 3_000_000, "deadline_days": 200, "acquisition": ["buy"]}),
        json!({"budget_usd": 20_000_000, "deadline_days": 100, "acquisition": ["reserved"], "max_gpus": 64}),
        json!({"budget_usd": 300_000, "acquisition": ["spot"]}),
        json!({"budget_usd": 2_000_000, "deadline_days": 60, "max_power_kw": 150, "monthly_budget_usd": 500_000}),
    ];
    for keys in limits {
        let most = support::plan(with(keys.clone())).inverse.most_tokens.expect("something is within the limits");
        let at = |tokens: f64| {
            let mut request = with(keys.clone());
            request["training_tokens"] = json!(tokens as u64);
            support::plan(request)
        };
        let tokens = most.training_tokens as f64;
        let found = at(tokens);
        assert!(found.cheapest.is_some(), "{keys}: {tokens} do not meet the limits");
        // the cluster that was named costs and takes what was said
        let same = found.frontier.iter().chain(&found.fastest).chain(&found.cheapest).find(|c| {
            c.gpus == most.candidate.gpus
                && c.acquisition == most.candidate.acquisition
                && c.provider == most.candidate.provider
        });
        if let Some(same) = same.filter(|c| c.accelerator == most.candidate.accelerator) {
            assert!((same.days / most.candidate.days - 1.0).abs() < 1e-9, "{keys}");
            assert!((same.total_usd - most.candidate.total_usd).abs() < 0.02 + 1e-9 * same.total_usd, "{keys}");
        }
        assert!(at(tokens * 1.011).cheapest.is_none(), "{keys}: more than {tokens} meet the limits");
    }
    assert!(support::plan(base()).inverse.most_tokens.is_none());
    let nothing = support::plan(with(json!({"budget_usd": 1, "deadline_days": 1})));
    assert!(nothing.inverse.most_tokens.is_none());
}

#[test]
fn the_largest_model_meets_the_limits_and_the_next_size_does_not() {
    let limits = json!({"budget_usd": 100_000, "deadline_days": 30, "max_gpus": 64, "accelerators": ["h100-sxm"]});
    let request: PlanRequest = support::request(with(limits.clone()));
    let largest = engine::largest_model(&request).expect("some model is possible");
    let ratio = largest.training_tokens as f64 / (largest.parameters_billion * 1e9);
    let asked = 500e9 / 8.03e9;
    assert!((ratio / asked - 1.0).abs() < 0.02, "{ratio} {asked}");
    let plan_of = |billions: f64| {
        let mut request = with(limits.clone());
        request["model"] = json!({"parameters_billion": billions});
        request["training_tokens"] = json!((asked * billions * 1e9) as u64);
        // the default batch of the size
        support::plan(request)
    };
    let digits = 10f64.powi(largest.parameters_billion.log10().floor() as i32 - 1);
    assert!(plan_of(largest.parameters_billion * 0.99).cheapest.is_some(), "{largest:?}");
    assert!(plan_of(largest.parameters_billion + 1.5 * digits).cheapest.is_none(), "{largest:?}");
    assert!(largest.candidate.days <= 30.0);
    assert!(engine::largest_model(&support::request(base())).is_none());
}

#[test]
fn buying_wins_from_the_break_even_of_the_cheapest_rental_on_demand() {
    let plan = support::plan(with(json!({"max_gpus": 8, "accelerators": ["b200"]})));
    let wins = plan.inverse.buying_wins_from_utilization;
    let all: Vec<Option<f64>> = plan
        .cloud_vs_on_prem
        .break_even
        .iter()
        .filter(|b| b.against.starts_with("on_demand"))
        .map(|b| b.utilization)
        .collect();
    // against the cheapest, buying needs the most use
    let most = all.iter().map(|u| u.unwrap_or(f64::INFINITY)).fold(0.0, f64::max);
    assert_eq!(wins.unwrap_or(f64::INFINITY), most, "{all:?}");
}
