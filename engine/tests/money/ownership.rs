//! What owning costs, energy and carbon.

use super::asked;
use engine::Plan;
use engine::answer::OwnershipCost;
use engine::catalog::Range;
use serde_json::json;

fn owned(extra: serde_json::Value) -> (Plan, OwnershipCost) {
    let plan = asked(extra);
    let ownership = plan.ownership.clone().expect("a purchase price is known");
    (plan, ownership)
}

fn part(o: &OwnershipCost, key: &str) -> Option<f64> {
    o.running.iter().find(|p| p.part == key).map(|p| p.usd_per_month.typical)
}

#[test]
fn parts_sum_to_totals() {
    for extra in [
        json!({"accelerators": ["h100-sxm"]}),
        json!({"accelerators": ["b200"], "facility": "own"}),
        json!({"accelerators": ["h200-sxm"], "overrides": {"demand_charge_usd_per_kw_month": 12, "software_usd_per_gpu_year": 4500}}),
    ] {
        let (plan, o) = owned(extra);
        let ends: [fn(Range) -> f64; 3] = [|r| r.low, |r| r.typical, |r| r.high];
        for end in ends {
            let sum: f64 = o.running.iter().map(|p| end(p.usd_per_month)).sum();
            assert!((sum - end(o.running_usd_per_month)).abs() < 0.006);
            assert!((end(o.annuity_usd_per_month) + sum - end(o.total_usd_per_month)).abs() < 0.006);
        }
        let bill: f64 = plan.bill_of_materials.iter().filter_map(|l| l.total_usd).sum();
        assert!((bill - o.capital_usd.typical).abs() < 0.01 * plan.bill_of_materials.len() as f64, "{bill}");
        // with interest an annuity is dearer than a straight line
        assert!(o.annuity_usd_per_month.typical > o.straight_line_usd_per_month.typical);
        let hour = o.total_usd_per_month.typical / (f64::from(o.gpus) * 730.0);
        assert!((hour - o.usd_per_owned_gpu_hour).abs() < 0.006);
        assert!(o.usd_per_useful_gpu_hour > o.usd_per_owned_gpu_hour / plan.request.utilization);
        let run = o.usd_per_million_tokens * plan.request.training_tokens as f64 / 1e6;
        assert!((run / o.usd_per_run - 1.0).abs() < 1e-6);
    }
}

#[test]
fn straight_line_is_the_capital_less_its_residual_value_over_the_life() {
    let (_, o) =
        owned(json!({"accelerators": ["h100-sxm"], "overrides": {"residual_value": 0.2, "hardware_life_years": 5}}));
    assert_eq!(o.life_months, 60.0);
    assert!((o.residual_usd.typical - 0.2 * o.capital_usd.typical).abs() < 0.01);
    assert!((o.straight_line_usd_per_month.typical - 0.8 * o.capital_usd.typical / 60.0).abs() < 0.01);
    let free = json!({"accelerators": ["h100-sxm"], "overrides": {"cost_of_capital": 0}});
    let (_, o) = owned(free);
    assert_eq!(o.annuity_usd_per_month, o.straight_line_usd_per_month);
}

#[test]
fn a_place_is_colocation_or_an_own_facility_and_never_both() {
    let (_, colocation) = owned(json!({"accelerators": ["h100-sxm"]}));
    let (_, own) = owned(json!({"accelerators": ["h100-sxm"], "facility": "own"}));
    assert!(part(&colocation, "colocation").is_some() && part(&colocation, "own_facility").is_none());
    assert!(part(&own, "own_facility").is_some() && part(&own, "colocation").is_none());
    // by hand: 8 H100 are 10.2 kW × 1.14 contracted; 11.3 M USD per MW over 12.5 years at 8 %, paid monthly
    let devices = f64::from(own.gpus);
    let kw = 10.2 / 8.0 * devices * 1.14;
    let rate: f64 = 0.08 / 12.0;
    let by_hand = kw / 1_000.0 * 11.3e6 * rate / (1.0 - (1.0 + rate).powf(-150.0));
    let found = part(&own, "own_facility").expect("there");
    assert!((found / by_hand - 1.0).abs() < 1e-3, "{found} {by_hand}");
}

#[test]
fn energy_and_carbon_follow_the_region() {
    let at = |region: &str| asked(json!({"accelerators": ["h100-sxm"], "region": region, "acquisition": ["buy"]}));
    for plan in [at("us-average"), at("us-wyoming"), at("us-washington")] {
        let tier = plan.shown().expect("shown");
        let (print, days) = (tier.footprint.as_ref().expect("known draw"), tier.days.expect("fits"));
        let kw = tier.cluster.as_ref().expect("a cluster").power_kw;
        assert!((print.energy_kwh - kw * days.typical * 24.0).abs() < 1e-6 * print.energy_kwh);
        if let (Some(grid), Some(operational), Some(total)) =
            (print.grid_g_per_kwh, print.operational_kg, print.total_kg)
        {
            assert!((operational - print.energy_kwh * grid / 1_000.0).abs() < 1e-6 * operational);
            assert!((operational + print.embodied_kg - total).abs() < 1e-9 * total);
        }
        assert!(print.life_share > 0.0 && print.embodied_kg > 0.0);
    }
    let carbon = |plan: &Plan| plan.shown().and_then(|t| t.footprint.clone()).and_then(|f| f.operational_kg);
    let (dirty, clean) = (carbon(&at("us-wyoming")), carbon(&at("us-washington")));
    assert!(dirty > clean && clean.is_some(), "{dirty:?} {clean:?}");
    // a region whose grid is not known has no carbon, not zero
    let unknown = at("us-arkansas");
    assert_eq!(carbon(&unknown), None);
    let given =
        asked(json!({"accelerators": ["h100-sxm"], "region": "us-arkansas", "overrides": {"carbon_g_per_kwh": 100}}));
    assert!(carbon(&given).is_some());
}

/// The owned hour has two measures, and each names the other; power has three, and they are one chain.
#[test]
fn measures_of_an_hour_and_of_power_are_told_apart() {
    let (plan, o) =
        owned(json!({"accelerators": ["h100-sxm"], "utilization": 0.7, "acquisition": ["buy", "on_demand"]}));
    let comparison = &plan.cloud_vs_on_prem;
    let over_horizon = comparison.owned_useful_hour_usd.expect("bought");
    let row = comparison.by_utilization.iter().find(|r| (r.utilization - 0.7).abs() < 1e-9).expect("a row");
    assert_eq!(over_horizon, row.usd_per_useful_gpu_hour["buy"]);
    // four years and resale against three years and none
    assert!(over_horizon > o.usd_per_useful_gpu_hour);
    let all = plan.explanations.as_ref().expect("explained");
    let has = |key: &str, name: &str, value: f64| all[key].terms.iter().any(|t| t.name == name && t.value == value);
    assert!(has("ownership.usd_per_useful_gpu_hour", "by the measure of the curves", over_horizon));
    assert!(has("cloud_vs_on_prem.owned_useful_hour_usd", "over the life and with resale", o.usd_per_useful_gpu_hour));
    assert!(all["ownership.running_usd_per_month"].title.contains("70% use"));
    assert!(comparison.hybrid.as_ref().is_some_and(|h| h.assumption.contains("spread over")));

    let power = &plan.build.as_ref().expect("a build").power;
    let (it, facility) = (power.it_kw.expect("known"), power.facility_kw.expect("known"));
    let training = power.training_kw.expect("known");
    let shown = plan.shown().and_then(|t| t.cluster.clone()).expect("a cluster");
    assert!((training - shown.power_kw).abs() < 1e-9, "{training} {}", shown.power_kw);
    assert!(it < facility && training < facility);
    let contracted = all["ownership.running.colocation"].terms.iter().find(|t| t.name.starts_with("contracted"));
    assert!(contracted.is_some_and(|t| (t.value - it).abs() < 1e-9));
}
