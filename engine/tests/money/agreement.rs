//! Curves, useful hours and break-evens tell the same story.

use super::asked;
use engine::Plan;
use engine::answer::CostCurve;
use proptest::prelude::*;
use serde_json::{Value, json};

fn curve<'a>(plan: &'a Plan, id: &str) -> &'a CostCurve {
    plan.cloud_vs_on_prem.curves.iter().find(|c| c.id == id).expect(id)
}

/// Everything that must hold of one comparison.
fn check(plan: &Plan) -> Result<(), TestCaseError> {
    let c = &plan.cloud_vs_on_prem;
    let (horizon, asked) = (plan.request.horizon_months as usize, plan.request.utilization);
    for curve in &c.curves {
        prop_assert_eq!(curve.cumulative_usd.len(), horizon + 1);
        prop_assert!(curve.cumulative_usd.windows(2).all(|w| w[0] <= w[1] + 0.011), "{} falls", curve.id);
        prop_assert!(
            curve
                .cumulative_usd
                .iter()
                .all(|usd| usd.is_finite() && *usd >= 0.0 && usd.to_bits() != (-0.0f64).to_bits())
        );
        for (i, usd) in curve.cumulative_usd.iter().enumerate() {
            prop_assert!(
                curve.low_usd[i] <= usd + 0.011 && *usd <= curve.high_usd[i] + 0.011,
                "{} band at {i}",
                curve.id
            );
            prop_assert!(((usd * 100.0).round() - usd * 100.0).abs() < 1e-3, "cents");
        }
    }
    if c.break_even.is_empty() {
        return Ok(());
    }
    let buy = curve(plan, "buy");
    let upfront = plan.ownership.as_ref().map_or(0.0, |o| o.capital_usd.typical);
    prop_assert!((buy.cumulative_usd[0] - upfront).abs() < 0.011);
    for even in &c.break_even {
        let rent = curve(plan, &even.against);
        prop_assert_eq!(rent.cumulative_usd[0], 0.0);
        let gap = |m: usize| buy.cumulative_usd[m] - rent.cumulative_usd[m];
        // a difference of cents is no difference
        if gap(horizon).abs() > 0.05 {
            let cheaper = gap(horizon) < 0.0;
            let in_months = even.months.is_some_and(|m| m <= horizon as f64);
            let in_utilization = even.utilization.is_some_and(|u| u <= asked);
            prop_assert_eq!(cheaper, in_months, "{} gap {} months {:?}", &even.against, gap(horizon), even.months);
            prop_assert_eq!(
                cheaper,
                in_utilization,
                "{} gap {} at {:?}",
                &even.against,
                gap(horizon),
                even.utilization
            );
        }
        // the curves cross at the break-even
        if let Some(months) = even.months.filter(|m| *m <= horizon as f64 && *m > 0.0) {
            let before = (months.ceil() as usize).max(1) - 1;
            let part = months - before as f64;
            let between = gap(before) + (gap(before + 1) - gap(before)) * part;
            prop_assert!(between.abs() < 1e-6 * buy.cumulative_usd[before].max(1.0) + 0.05, "{between}");
        }
        if let Some(utilization) = even.utilization {
            prop_assert!((0.0..=1.0).contains(&utilization));
        }
    }
    if let Some(hybrid) = &c.hybrid {
        let drawn = curve(plan, "hybrid");
        let end = drawn.cumulative_usd[horizon];
        prop_assert!((end - hybrid.total_usd).abs() < 0.02 + 1e-9 * end, "{end} {}", hybrid.total_usd);
        prop_assert!((drawn.cumulative_usd[0] - hybrid.upfront_usd).abs() < 0.011);
        // never dearer than owning everything or renting everything from the same offer
        let rent = curve(plan, &hybrid.against).cumulative_usd[horizon];
        let limit = rent.min(buy.cumulative_usd[horizon]);
        prop_assert!(hybrid.total_usd <= limit * (1.0 + 1e-9) + 0.05, "{} {limit}", hybrid.total_usd);
        prop_assert!((hybrid.own_nothing_usd - rent).abs() < 0.05 + 1e-9 * rent);
        prop_assert!(hybrid.rented_gpu_hours <= hybrid.work_gpu_hours * (1.0 + 1e-9));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Buying has the lower curve at the horizon exactly when it pays back within it, and exactly when the utilization of
    /// the request is at or above the break-even; for any demand, season, trend, horizon and price of money.
    #[test]
    fn months_utilization_and_curves_agree(
        accelerator in prop::sample::select(vec!["h100-sxm", "b200", "h200-sxm", "a100-sxm-80"]),
        utilization in 0.05..1.0f64, growth in -0.05..0.08f64, season in 0.0..1.0f64, horizon in 1u32..121,
        trend in -0.3..0.3f64, interest in 0.0..0.2f64, nodes in 1u64..4,
        facility in prop::sample::select(vec!["colocation", "own"]),
    ) {
        let plan = asked(json!({
            "accelerators": [accelerator], "max_gpus": 8 * nodes, "utilization": utilization,
            "demand_growth_per_month": growth, "demand_seasonality": season, "horizon_months": horizon,
            "facility": facility, "overrides": {"price_trend_per_year": trend, "cost_of_capital": interest},
        }));
        check(&plan)?;
    }
}

#[test]
fn every_rival_of_the_same_devices_is_compared_whatever_its_network() {
    // the recommended way may have another network than what would be bought: buying is compared all the same
    let plan = asked(json!({"accelerators": ["h100-sxm"], "providers": ["aws", "azure"], "max_gpus": 16}));
    let ids: Vec<&str> = plan.cloud_vs_on_prem.break_even.iter().map(|b| b.against.as_str()).collect();
    assert!(ids.contains(&"on_demand-aws") && ids.contains(&"on_demand-azure"), "{ids:?}");
    assert!(plan.ownership.is_some() && !plan.bill_of_materials.is_empty());
}

/// At equal work the useful hour of a rental on demand is its price with extras, over its goodput, at any utilization.
#[test]
fn a_useful_hour_on_demand_costs_the_same_at_any_utilization_and_an_owned_one_less_at_more() {
    let plan = asked(json!({"accelerators": ["b200"], "max_gpus": 8}));
    let rows = &plan.cloud_vs_on_prem.by_utilization;
    let at = |id: &str| -> Vec<f64> { rows.iter().map(|r| r.usd_per_useful_gpu_hour[id]).collect() };
    for even in plan.cloud_vs_on_prem.break_even.iter().filter(|b| b.against.starts_with("on_demand")) {
        let hours = at(&even.against);
        assert!(hours.windows(2).all(|w| (w[0] - w[1]).abs() < 0.011), "{hours:?}");
        // the two lines cross at the break-even
        let Some(utilization) = even.utilization.filter(|u| *u > 0.0) else { continue };
        for (row, owned) in rows.iter().zip(at("buy")) {
            let cheaper = owned < row.usd_per_useful_gpu_hour[&even.against];
            assert_eq!(cheaper, row.utilization > utilization, "{} at {}", even.against, row.utilization);
        }
    }
    assert!(at("buy").windows(2).all(|w| w[1] < w[0]));
}

#[test]
fn a_hybrid_rents_the_season_and_owns_the_base() {
    let request = |season: f64| -> Value {
        json!({"accelerators": ["h100-sxm"], "providers": ["lambda"], "max_gpus": 128, "utilization": 0.6, "horizon_months": 60,
            "training_tokens": 2_000_000_000_000_u64, "deadline_days": 60, "demand_seasonality": season})
    };
    let (flat, swinging) = (asked(request(0.0)), asked(request(0.9)));
    let of = |plan: &Plan| plan.cloud_vs_on_prem.hybrid.clone().expect("both have a price");
    let (flat, swinging) = (of(&flat), of(&swinging));
    assert!(swinging.owned_nodes > 0 && swinging.rented_gpu_hours > 0.0, "{swinging:?}");
    let rented = |h: &engine::answer::Hybrid| h.rented_gpu_hours / h.work_gpu_hours;
    assert!(rented(&swinging) > rented(&flat), "{swinging:?} {flat:?}");
}
