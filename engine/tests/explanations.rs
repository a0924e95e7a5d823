//! Every explanation gives its figure: the formula, worked out with the values of its terms, is the value.

mod support;

use engine::Plan;
use engine::answer::Explanation;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Figures that no expression over a few terms gives, and why. A key matches when it ends with one of these.
const SEARCHED: [(&str, &str); 21] = [
    (".time_seconds.compute", "a sum over the matrices of every layer, each at its own efficiency"),
    (".time_seconds.memory_bound", "a sum over the layers of a stage, of every part that moves bytes"),
    (".time_seconds.tensor", "a sum over layers of collectives of their own size, less what each hides"),
    (".time_seconds.context", "a sum over layers of collectives of their own size, less what each hides"),
    (".time_seconds.expert", "a sum over layers of collectives of their own size, less what each hides"),
    (".time_seconds.pipeline_bubble", "a sum over stages of unequal work"),
    (".time_seconds.pipeline_transfer", "its rate follows the size of the message and the group"),
    (".time_seconds.data", "collectives of two groups, less what passes of other parts hide"),
    (".time_seconds.optimizer", "bytes of the parameters of one stage, which has layers of several kinds"),
    (".time_seconds.overhead", "launches of every layer, and a factor of all other parts"),
    (".memory_gib.weights", "parameters of the fullest stage, which is searched"),
    (".memory_gib.gradients", "parameters of the fullest stage, which is searched"),
    (".memory_gib.optimizer", "parameters of the fullest stage, which is searched"),
    (".memory_gib.activations", "a sum over layers of several kinds, of the fullest stage, which is searched"),
    (".memory_gib.logits", "of the fullest stage, which is searched"),
    (".memory_gib.buffers", "gathered layers of the fullest stage, which is searched"),
    ("ranges.days", "a percentile of two thousand draws"),
    ("ranges.total_usd", "a percentile of two thousand draws"),
    ("inverse.smallest_for_deadline", "the least of a search over clusters"),
    ("inverse.most_tokens", "the most of a search over clusters and ways of acquiring"),
    ("build.cables.", "an average over the places of all racks"),
];

fn searched(key: &str) -> Option<&'static str> {
    let of = |name: &str| key.ends_with(name) || (name.ends_with('.') && key.starts_with(name));
    SEARCHED.iter().find(|(name, _)| of(name)).map(|(name, _)| *name)
}

/// Money in whole cents was rounded to them.
fn rounding(explanation: &Explanation) -> f64 {
    let whole = (explanation.value * 100.0).round() / 100.0 == explanation.value;
    let cents = if explanation.unit.starts_with("USD") && whole { 0.005_001 } else { 0.0 };
    cents + 1e-6 * explanation.value.abs() + 1e-12
}

/// What is wrong with an explanation, in words.
fn fault(key: &str, explanation: &Explanation) -> Option<String> {
    let Some(found) = explanation.computed() else {
        return searched(key).is_none().then(|| format!("no expression: {}", explanation.formula));
    };
    if searched(key).is_some() {
        return Some("computes, and is listed as one that can't".into());
    }
    if (found.value - explanation.value).abs() > rounding(explanation) {
        return Some(format!("{} is {}, not {}: {}", found.line, found.value, explanation.value, explanation.formula));
    }
    // what the expression leaves out is at least spoken of
    let words = explanation.formula.split_once(';').map_or("", |(_, words)| words);
    let spoken = |name: &String| words.contains(name.split(", ").next().unwrap_or(name));
    let silent: Vec<&String> = found.unused.iter().filter(|name| !spoken(name)).collect();
    (!silent.is_empty()).then(|| format!("terms that its formula does not name: {silent:?}: {}", explanation.formula))
}

/// Faults of a plan's explanations, in words; counts those that compute.
fn faults(plan: &Plan, used: &mut BTreeSet<&'static str>, computed: &mut usize) -> Vec<String> {
    let all = plan.explanations.as_ref().expect("explained");
    used.extend(all.keys().filter_map(|key| searched(key)));
    *computed += all.keys().filter(|key| searched(key).is_none()).count();
    let twice = |e: &Explanation| {
        let mut names: Vec<&str> = e.terms.iter().map(|t| t.name.as_str()).collect();
        names.sort_unstable();
        let sum = e.formula.starts_with("sum of the terms");
        let twice = names.windows(2).any(|pair| pair[0] == pair[1]) && !sum;
        twice.then(|| format!("a name twice: {names:?}"))
    };
    all.iter().filter_map(|(key, e)| Some(format!("{key}: {}", fault(key, e).or_else(|| twice(e))?))).collect()
}

fn small(extra: Value) -> Plan {
    let mut request =
        json!({"model": {"preset": "llama-3.1-8b"}, "training_tokens": 200_000_000_000_u64, "max_gpus": 64});
    if let (Some(request), Some(extra)) = (request.as_object_mut(), extra.as_object()) {
        request.extend(extra.clone());
    }
    support::plan(request)
}

#[test]
fn every_formula_gives_its_figure() {
    let large = |extra: Value| {
        let mut request = json!({"model": {"preset": "llama-3.1-70b"}});
        if let (Some(request), Some(extra)) = (request.as_object_mut(), extra.as_object()) {
            request.extend(extra.clone());
        }
        support::plan(request)
    };
    let plans = [
        large(json!({})),
        large(json!({"budget_usd": 5e6, "deadline_days": 90, "demand_seasonality": 0.3})),
        large(json!({"acquisition": ["buy"], "accelerators": ["h100-sxm"], "facility": "own", "max_gpus": 4_096})),
        large(json!({"acquisition": ["on_demand"]})),
        large(json!({"acquisition": ["spot"], "region": "us-arkansas"})),
        support::plan(json!({"model": {"preset": "deepseek-v3"}, "accelerators": ["h200-sxm"], "max_gpus": 4_096})),
        small(json!({"model": {"preset": "mixtral-8x7b"}, "demand_growth_per_month": 0.03,
            "overrides": {"demand_charge_usd_per_kw_month": 10, "pue": 1.2, "price_trend_per_year": -0.2}})),
        small(json!({"method": "lora", "training_tokens": 1_000_000_000_u64})),
        small(json!({"method": "full_fine_tuning", "training_tokens": 1_000_000_000_u64, "region": "us-texas"})),
        small(
            json!({"acquisition": ["buy"], "overrides": {"carbon_g_per_kwh": 400, "staff_fte": 2.5, "cost_of_capital": 0}}),
        ),
        small(
            json!({"acquisition": ["buy"], "facility": "own", "overrides": {"cost_of_capital": 0, "spare_share": 0}}),
        ),
        small(json!({"acquisition": ["reserved"], "horizon_months": 12, "demand_growth_per_month": 0.05})),
        small(json!({"acquisition": ["reserved", "buy"], "horizon_months": 60, "utilization": 0.3,
            "overrides": {"hardware_life_years": 3, "price_trend_per_year": -0.3}})),
        small(
            json!({"utilization": 1.0, "overrides": {"egress_usd_per_gb": 0.05, "object_storage_usd_per_gb_month": 0.01}}),
        ),
        small(json!({"overrides": {"cloud_extras_share": 0.2, "residual_value": 0.4, "failures_per_gpu_year": 0}})),
        small(json!({"max_gpus": 8, "acquisition": ["buy", "on_demand"]})),
        small(json!({"accelerators": ["gb200-nvl72"], "max_gpus": 576})),
        small(
            json!({"accelerators": ["mi355x"], "max_gpus": 256, "overrides": {"rack_kw": 70, "topology": "dragonfly"}}),
        ),
        small(json!({"accelerators": ["mi355x"], "max_gpus": 256, "overrides": {"rack_kw": 100, "topology": "torus"}})),
        small(
            json!({"accelerators": ["h100-sxm"], "max_gpus": 16_384, "overrides": {"oversubscription": 4, "efficiency": {"h100-sxm": 1.1}}}),
        ),
        small(json!({"accelerators": ["tpu-v5e"], "acquisition": ["reserved", "on_demand"], "max_gpus": 256})),
        small(json!({"accelerators": ["rtx-4090"], "max_gpus": 8})),
        small(json!({"accelerators": ["trainium-2"]})),
    ];
    let (mut used, mut computed) = (BTreeSet::new(), 0);
    let found: BTreeSet<String> = plans.iter().flat_map(|plan| faults(plan, &mut used, &mut computed)).collect();
    assert!(found.is_empty(), "{}:\n{}", found.len(), found.into_iter().collect::<Vec<_>>().join("\n"));
    assert!(computed > 3_000, "{computed}");
    let all = || plans.iter().flat_map(|plan| plan.explanations.iter().flatten());
    for part in ["hours held", "⌈days⌉", "running cost × days", "months paid + rent", "C − R ÷"] {
        assert!(all().any(|(_, e)| e.formula.contains(part)), "no plan has {part}");
    }
    let unused: Vec<&str> = SEARCHED.iter().map(|(name, _)| *name).filter(|name| !used.contains(name)).collect();
    assert!(unused.is_empty(), "listed for nothing: {unused:?}");
    assert!(SEARCHED.iter().all(|(_, why)| why.len() > 20));
}
