//! Plans as a whole: what the worked example says, and what every plan keeps.

mod support;

use engine::Plan;
use engine::answer::{TierId, Verdict};
use serde_json::{Value, json};
use support::plan;

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
fn the_worked_example_has_three_tiers_with_different_verdicts() {
    let plan = plan(worked_example());
    let tiers: Vec<TierId> = plan.tiers.iter().map(|t| t.tier).collect();
    assert_eq!(tiers, [TierId::Starter, TierId::Workhorse, TierId::Beast]);
    let verdicts: Vec<Verdict> = plan.tiers.iter().map(|t| t.verdict).collect();
    assert_eq!(verdicts, [Verdict::TooSlow, Verdict::Fits, Verdict::Oversized]);
    for tier in &plan.tiers {
        assert!(!tier.reasons.is_empty());
        assert!(tier.cluster.is_some() && tier.estimate.is_some() && tier.days.is_some() && tier.cost.is_some());
    }
    assert!(plan.recommended.is_some() && plan.no_recommendation.is_empty());
    assert!(plan.cheapest.is_some() && plan.fastest.is_some() && plan.frontier.len() > 3);
    let comparison = &plan.cloud_vs_on_prem;
    assert!(comparison.curves.iter().any(|c| c.id == "buy") && comparison.curves.len() > 2);
    assert_eq!(comparison.months.len(), 37);
    assert!(comparison.curves.iter().all(|c| c.cumulative_usd.len() == 37));
    assert_eq!(comparison.by_utilization.len(), 10);
    assert!(!comparison.break_even.is_empty());
    assert!(plan.bill_of_materials.len() >= 5 && plan.sensitivity.len() >= 4);
    assert!(plan.utilization.by_cluster_size.len() > 3 && plan.utilization.by_month.len() == 36);
    assert!(plan.headline.contains(" days") && plan.headline.contains('$'), "{}", plan.headline);
}

#[test]
fn a_plan_is_the_same_each_time_and_survives_json() {
    let first = plan(worked_example());
    let second = plan(worked_example());
    assert_eq!(first, second);
    let text = serde_json::to_string(&first).expect("writes");
    let read: Plan = serde_json::from_str(&text).expect("reads");
    assert_eq!(serde_json::to_string(&read).expect("writes"), text);
}

#[test]
fn figures_agree_with_each_other() {
    let plan = plan(worked_example());
    for tier in &plan.tiers {
        let (Some(e), Some(cost), Some(days), Some(cluster)) = (&tier.estimate, &tier.cost, tier.days, &tier.cluster)
        else {
            continue;
        };
        assert!((e.time_seconds.total() - e.step_seconds).abs() < 1e-9 * e.step_seconds);
        let m = &e.memory_gib;
        let sum = m.weights + m.gradients + m.optimizer + m.activations + m.logits + m.buffers;
        assert!((sum - m.total).abs() < 1e-9 && e.fits == (m.total <= m.usable));
        let l = &e.layout;
        assert_eq!(l.tensor * l.pipeline * l.context * l.data, cluster.gpus);
        assert!(days.low <= days.typical && days.typical <= days.high);
        assert!(cost.total_usd.low <= cost.total_usd.typical && cost.total_usd.typical <= cost.total_usd.high);
        assert!((cost.gpu_hours - days.typical * 24.0 * f64::from(cluster.gpus)).abs() < 1e-6 * cost.gpu_hours);
        assert!(cost.options.windows(2).all(|w| w[0].total_usd.typical <= w[1].total_usd.typical));
        assert!(e.mfu > 0.05 && e.mfu < 0.8 && e.mfu <= e.hfu, "{}", e.mfu);
    }
    for point in &plan.utilization.by_cluster_size {
        let s = &point.shares;
        let sum = s.compute + s.communication + s.bubble + s.input + s.overhead + s.checkpoints + s.failures;
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    }
    let frontier = &plan.frontier;
    assert!(frontier.windows(2).all(|w| w[0].days <= w[1].days && w[0].total_usd > w[1].total_usd));
    for line in &plan.bill_of_materials {
        if let (Some(total), Some(unit)) = (line.total_usd, line.unit_usd) {
            assert!((total - line.quantity * unit.typical).abs() < 0.01 * line.quantity.max(1.0));
        }
        assert!(!line.source.is_empty() && !line.why.is_empty());
    }
}

#[test]
fn every_explanation_has_terms_with_sources() {
    let plan = plan(worked_example());
    let explanations = plan.explanations.as_ref().expect("explained");
    for key in
        ["tiers.workhorse.days", "tiers.workhorse.total_usd", "tiers.workhorse.mfu", "tiers.workhorse.memory_gib.total"]
    {
        assert!(explanations.contains_key(key), "{key}");
    }
    for (key, explanation) in explanations {
        assert!(!explanation.terms.is_empty() && !explanation.formula.is_empty(), "{key}");
        for term in &explanation.terms {
            assert!(term.value.is_finite() && !term.source.is_empty() && !term.unit.is_empty(), "{key}: {term:?}");
        }
    }
    let workhorse = plan.tiers.iter().find(|t| t.tier == TierId::Workhorse).expect("there");
    let days = workhorse.days.expect("fits").typical;
    assert_eq!(explanations["tiers.workhorse.days"].value, days);
    // the formula with its terms gives the figure
    let terms = &explanations["tiers.workhorse.days"].terms;
    let again = terms[0].value / (terms[1].value * terms[2].value * terms[3].value) / 86_400.0;
    assert!((again / days - 1.0).abs() < 1e-9);
}

#[test]
fn no_recommendation_comes_with_reasons_and_the_nearest_plan() {
    let mut request = worked_example();
    request["deadline_days"] = json!(1);
    request["budget_usd"] = json!(10_000);
    let plan = plan(request);
    assert!(plan.recommended.is_none() && !plan.no_recommendation.is_empty());
    assert!(plan.headline.starts_with("Not "), "{}", plan.headline);
    assert!(plan.shown().is_some_and(|t| t.cluster.is_some()));
}

#[test]
fn a_model_that_fits_nowhere_says_what_is_missing() {
    let plan = plan(json!({"model": {"preset": "llama-3.1-405b"}, "max_gpus": 8, "accelerators": ["h100-sxm"]}));
    let starter = &plan.tiers[0];
    assert_eq!(starter.verdict, Verdict::TooSmall);
    let estimate = starter.estimate.as_ref().expect("an estimate that does not fit");
    assert!(!estimate.fits && estimate.memory_gap_gib > 0.0 && starter.days.is_none());
    assert!(plan.headline.contains("GiB"), "{}", plan.headline);
}

#[test]
fn an_accelerator_without_measurements_is_planned_only_when_named_and_warned_about() {
    let plan_all = plan(worked_example());
    assert!(plan_all.frontier.iter().all(|c| !c.accelerator.starts_with("tpu") && c.accelerator != "trainium-2"));
    let mut request = worked_example();
    request["accelerators"] = json!(["trainium-2"]);
    let named = plan(request);
    assert!(named.notices.iter().any(|n| n.code == "efficiency_assumed"));
}

#[test]
fn numbers_are_finite_everywhere() {
    for model in ["llama-3.2-1b", "llama-2-7b", "mixtral-8x7b", "deepseek-v3", "gpt-oss-120b", "gemma-2-27b"] {
        let plan = plan(json!({"model": {"preset": model}}));
        let value = serde_json::to_value(&plan).expect("writes");
        assert_finite(&value, model);
    }
}

/// serde_json writes NaN and infinities as null: no null may stand where a number is meant.
fn assert_finite(value: &Value, path: &str) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, inner)| {
            let optional =
                ["provider", "budget_usd", "monthly_budget_usd", "deadline_days", "max_power_kw", "team_size"];
            let nullable = [
                "months",
                "utilization",
                "capital_usd",
                "fabric",
                "active_parameters_billion",
                "term",
                "max_days",
                "age_days",
                "note",
                "footprint",
                "hybrid",
                "resale_usd",
                "owned_useful_hour_usd",
                "ownership",
                "ranges",
                "saturates_in_month",
                "next_block",
                "smallest_for_deadline",
                "most_tokens",
                "buying_wins_from_utilization",
            ];
            if !optional.contains(&key.as_str()) && !nullable.contains(&key.as_str()) {
                let absent_tier =
                    ["cluster", "estimate", "days", "goodput", "cost", "recommended", "cheapest", "fastest"];
                assert!(!inner.is_null() || absent_tier.contains(&key.as_str()), "{path}.{key} is null");
            }
            assert_finite(inner, &format!("{path}.{key}"));
        }),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, inner)| assert_finite(inner, &format!("{path}[{i}]")))
        }
        _ => {}
    }
}

#[test]
fn the_recommended_tier_costs_no_more_than_any_other_that_fits() {
    for deadline in [json!(null), json!(300), json!(120), json!(90)] {
        let mut request = worked_example();
        request["deadline_days"] = deadline;
        let plan = plan(request);
        let recommended = plan.recommended.as_ref().expect("something fits").tier;
        let usd = |t: &engine::answer::TierPlan| t.cost.as_ref().map_or(f64::MAX, |c| c.total_usd.typical);
        let chosen = plan.tiers.iter().find(|t| t.tier == recommended).map_or(f64::MAX, usd);
        let within = plan.tiers.iter().filter(|t| matches!(t.verdict, Verdict::Fits | Verdict::Oversized));
        assert!(within.clone().all(|t| chosen <= usd(t)), "{}", plan.headline);
        // the cheapest of all is within the one percent that a faster cluster may cost
        let cheapest = plan.cheapest.as_ref().expect("something fits").total_usd;
        assert!(chosen <= cheapest * 1.011, "{chosen} {cheapest}");
    }
}

/// A topology that blocks nothing changes nothing of the plan; one that blocks leaves ranges and sensitivity in place.
#[test]
fn a_topology_takes_nothing_from_the_plan() {
    let with = |overrides: serde_json::Value| {
        plan(
            json!({"model": {"preset": "llama-3.1-70b"}, "training_tokens": 1e12, "budget_usd": 5e6, "deadline_days": 90,
            "overrides": overrides}),
        )
    };
    let (plain, tree, dragonfly) = (
        with(json!({})),
        with(json!({"topology": "fat_tree"})),
        with(json!({"topology": "dragonfly", "oversubscription": 2})),
    );
    assert_eq!(
        plain.tiers.iter().map(|t| &t.cost).collect::<Vec<_>>(),
        tree.tiers.iter().map(|t| &t.cost).collect::<Vec<_>>()
    );
    assert_eq!(plain.sensitivity, tree.sensitivity);
    for plan in [&plain, &tree, &dragonfly] {
        assert!(plan.ranges.is_some() && !plan.sensitivity.is_empty());
    }
}

/// A text speaks of limits only where there are some.
#[test]
fn without_limits_nothing_meets_them() {
    for (limits, spoken) in [(json!({}), false), (json!({"deadline_days": 3000}), true)] {
        let mut seen = 0;
        for preset in ["llama-3.2-1b", "llama-3.1-8b"] {
            let mut value = json!({"model": {"preset": preset}, "training_tokens": 20_000_000_000_u64});
            value.as_object_mut().expect("an object").extend(limits.as_object().cloned().unwrap_or_default());
            let plan =
                engine::plan(&engine::PlanRequest::parse(&value, engine::request::Form::Json).expect("a request"));
            let texts = plan.tiers.iter().flat_map(|tier| &tier.reasons).filter(|r| r.code == "smaller_tier_suffices");
            for reason in texts.filter(|r| !r.text.contains("no later")) {
                assert_eq!(reason.text.contains("limits"), spoken, "{}", reason.text);
                seen += 1;
            }
        }
        assert!(seen > 0, "{limits}");
    }
}

/// Fine-tuning has a default of its own, and an amount for pretraining is said to be one.
#[test]
fn tuning_on_the_tokens_of_pretraining_is_warned_about() {
    let told = |method: &str, tokens: Option<u64>| {
        let mut value = json!({"model": {"preset": "llama-3.1-8b"}, "method": method, "accelerators": ["h100-sxm"]});
        if let Some(tokens) = tokens {
            value["training_tokens"] = json!(tokens);
        }
        let plan = engine::plan(&engine::PlanRequest::parse(&value, engine::request::Form::Json).expect("a request"));
        plan.notices.iter().find(|n| n.code == "pretraining_tokens").map(|n| n.text.clone())
    };
    for method in ["lora", "full_fine_tuning"] {
        assert_eq!(told(method, None), None);
        assert_eq!(told(method, Some(1_000_000_000)), None);
        let text = told(method, Some(1_000_000_000_000)).expect("a notice");
        assert!(text.starts_with("1,000,000,000,000 tokens are an amount for pretraining"), "{text}");
    }
    assert_eq!(told("pretraining", Some(1_000_000_000_000)), None);
}
