//! What holds of the money of every plan: parts sum, ends are in order, nothing is negative, to the cent.

use super::support;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Keys that hold money to the cent; a price of tokens and an hour's share may be finer.
fn is_cents(key: &str) -> bool {
    (key.ends_with("_usd") || key.ends_with("usd_per_month"))
        && !key.starts_with("budget")
        && !key.starts_with("monthly")
}

/// Every number is finite and no zero is negative; money is never negative and to the cent, and ranges are in order.
fn walk(value: &Value, path: &str, money: bool) -> Result<(), TestCaseError> {
    match value {
        Value::Number(number) => {
            let n = number.as_f64().unwrap_or(f64::NAN);
            prop_assert!(n.is_finite() && n < 1e300 && !(n == 0.0 && n.is_sign_negative()), "{path} is {n}");
            if money {
                let cents = n * 100.0;
                prop_assert!(n >= 0.0 && (cents - cents.round()).abs() < 1e-3 + 1e-12 * cents, "{path} is {n}");
            }
        }
        Value::Object(fields) => {
            let at = |key: &str| fields.get(key).and_then(Value::as_f64);
            if let (Some(low), Some(typical), Some(high)) = (at("low"), at("typical"), at("high")) {
                prop_assert!(low <= typical && typical <= high, "{path}: {low} {typical} {high}");
            }
            for (key, inner) in fields.iter().filter(|(key, _)| *key != "request" && *key != "explanations") {
                walk(inner, &format!("{path}.{key}"), is_cents(key) || (money && !key.contains("gpu_hour")))?;
            }
        }
        Value::Array(items) => {
            for (i, inner) in items.iter().enumerate() {
                walk(inner, &format!("{path}.{i}"), money)?;
            }
        }
        _ => {}
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn money_is_whole_and_parts_sum(
        model in prop::sample::select(vec!["llama-3.2-1b", "llama-3.1-8b", "mixtral-8x7b", "llama-3.1-70b"]),
        billions in 1u64..3_000, max_gpus in 8u64..160, utilization in 0.01..1.0f64, growth in -0.5..1.0f64,
        budget in prop::option::of(1.0..1e8f64), deadline in prop::option::of(0.1..900.0f64), tax in 0.0..0.3f64,
        facility in prop::sample::select(vec!["colocation", "own"]), interest in 0.0..0.3f64, life in 0.5..10.0f64,
    ) {
        let plan = support::plan(json!({
            "model": {"preset": model}, "training_tokens": billions * 1_000_000_000, "max_gpus": max_gpus,
            "utilization": utilization, "demand_growth_per_month": growth, "budget_usd": budget, "deadline_days": deadline,
            "facility": facility, "overrides": {"tax_share": tax, "cost_of_capital": interest, "hardware_life_years": life},
        }));
        walk(&serde_json::to_value(&plan).expect("writes"), "", false)?;
        if let Some(o) = &plan.ownership {
            let bill: f64 = plan.bill_of_materials.iter().filter_map(|l| l.total_usd).sum();
            prop_assert!((bill - o.capital_usd.typical).abs() < 0.01 * (1 + plan.bill_of_materials.len()) as f64);
            let running: f64 = o.running.iter().map(|p| p.usd_per_month.typical).sum();
            prop_assert!((running - o.running_usd_per_month.typical).abs() < 0.006);
        }
        for tier in &plan.tiers {
            let Some(cost) = &tier.cost else { continue };
            let counted = cost.options.iter().filter(|o| o.label == cost.label).count();
            prop_assert!(counted == 1, "{} options are called {}", counted, cost.label);
            for o in &cost.options {
                prop_assert!(o.extras_usd <= o.total_usd.typical + 0.01);
                prop_assert!(o.days.low <= o.days.typical && o.days.typical <= o.days.high && o.goodput <= 1.0);
                // what leaves the account is at least the run, but for idle hours that a commitment bears
                prop_assert!(o.minimum_months > 0.0 || o.cash_usd + 0.01 >= o.total_usd.typical);
            }
        }
        if let Some(ranges) = &plan.ranges {
            for p in [ranges.days, ranges.total_usd] {
                prop_assert!(p.p10 <= p.p50 && p.p50 <= p.p90 && p.p10 > 0.0);
            }
        }
    }
}
