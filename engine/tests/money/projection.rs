//! Months, saturation, the next block, metrics, notices, ranges.

use super::{asked, support};
use engine::request::{plan_request_from_pairs, plan_request_to_pairs};
use serde_json::{Value, json};

#[test]
fn the_new_inputs_are_checked_and_survive_an_address() {
    let value = json!({"model": {"preset": "llama-3.1-8b"}, "demand_seasonality": 0.25, "facility": "own",
        "overrides": {"lead_time_months": 4, "facility_usd_per_mw": 9_000_000}});
    let request = support::request(value);
    assert_eq!(plan_request_from_pairs(plan_request_to_pairs(&request)), Ok(request));
    for (key, bad, words) in [
        ("demand_seasonality", json!(1.5), "0 to 1"),
        ("facility", json!("both"), "colocation"),
        ("facility", json!(3), "text"),
    ] {
        let problem = support::refused(json!({"model": {"preset": "llama-3.1-8b"}, key: bad}));
        assert!(
            problem.errors[0].pointer == format!("/{key}") && problem.errors[0].message.contains(words),
            "{problem:?}"
        );
    }
}

#[test]
fn demand_grows_and_swings_and_its_saturation_is_said() {
    let plan = asked(json!({"accelerators": ["h100-sxm"], "utilization": 0.6, "demand_growth_per_month": 0.05}));
    let u = &plan.utilization;
    // 0.6 × 1.05^(m−1) > 1 first for m − 1 = 11
    assert_eq!(u.saturates_in_month, Some(12));
    for month in &u.by_month {
        assert_eq!(month.burst_gpu_hours > 0.0, month.month >= 12);
        let served = month.demand_gpu_hours - month.burst_gpu_hours;
        assert!((served + month.idle_gpu_hours - month.capacity_gpu_hours).abs() < 1e-6);
    }
    let block = u.next_block.as_ref().expect("it saturates");
    assert_eq!((block.needed_in_month, block.order_in_months, block.overdue), (12, 5.0, false));
    // the year from month 12 ends at 0.6 × 1.05^22 = 1.755 of what there is
    let gpus = f64::from(plan.cloud_vs_on_prem.gpus);
    assert_eq!(f64::from(block.gpus), (0.755 * gpus / 8.0).ceil() * 8.0);
    assert!(plan.notices.iter().any(|n| n.code == "saturates"));

    let late = asked(json!({"accelerators": ["h100-sxm"], "utilization": 0.9, "demand_growth_per_month": 0.1}));
    let block = late.utilization.next_block.expect("it saturates");
    assert!(block.overdue && block.order_in_months == 0.0);
    let sooner = asked(json!({"accelerators": ["h100-sxm"], "utilization": 0.6, "demand_growth_per_month": 0.05,
        "overrides": {"lead_time_months": 2}}));
    assert_eq!(sooner.utilization.next_block.map(|b| b.order_in_months), Some(9.0));

    let never = asked(json!({"accelerators": ["h100-sxm"]}));
    assert_eq!((never.utilization.saturates_in_month, never.utilization.next_block), (None, None));
    let season = asked(json!({"accelerators": ["h100-sxm"], "utilization": 0.8, "demand_seasonality": 0.5}));
    assert_eq!(season.utilization.saturates_in_month, Some(3));
    let mean: f64 = season.utilization.by_month[..12].iter().map(|m| m.demand_gpu_hours / m.capacity_gpu_hours).sum();
    assert!((mean / 12.0 - 0.8).abs() < 1e-9, "a year of seasons is a year of the mean");
}

#[test]
fn metrics_have_healthy_ranges_around_what_is_expected() {
    for preset in ["llama-3.1-8b", "mixtral-8x7b", "llama-3.1-70b"] {
        let plan = asked(json!({"model": {"preset": preset}, "max_gpus": 256}));
        let health = &plan.utilization.health;
        for key in ["device_busy", "all_reduce_share", "input_wait", "communication_share", "mfu"] {
            assert!(health.iter().any(|h| h.metric == key), "{preset} {key}");
        }
        for h in health {
            assert!(h.low <= h.expected && h.expected <= h.high, "{preset} {h:?}");
            if h.unit.starts_with("share") {
                assert!((0.0..=1.0).contains(&h.low) && h.high <= 1.0, "{preset} {h:?}");
            }
        }
    }
    // a dense model that is split by data alone over several servers
    let plan = asked(json!({"model": {"preset": "llama-3.2-1b"}, "accelerators": ["h100-sxm"], "max_gpus": 128,
        "training_tokens": 2_000_000_000_000_u64, "deadline_days": 8}));
    let link = plan.utilization.health.iter().find(|h| h.metric == "link_use").expect("its traffic is known");
    assert!(link.expected > 0.0 && link.expected < 0.9, "{link:?}");
}

#[test]
fn a_band_that_passes_the_deadline_is_warned_about() {
    let plan = asked(json!({"accelerators": ["h100-sxm"], "max_gpus": 64}));
    let days = plan.shown().and_then(|t| t.days).expect("fits");
    let tight = asked(json!({"accelerators": ["h100-sxm"], "max_gpus": 64, "deadline_days": days.typical * 1.001}));
    let shown = tight.shown().and_then(|t| t.days).expect("fits");
    let warned = tight.notices.iter().any(|n| n.code == "band_passes_deadline");
    assert!(tight.recommended.is_some() && warned == (shown.high > days.typical * 1.001) && warned);
    assert!(plan.notices.iter().all(|n| n.code != "band_passes_deadline"));
}

#[test]
fn a_horizon_beyond_the_life_is_warned_about() {
    let warned = |months: u32| {
        let plan = asked(json!({"accelerators": ["h100-sxm"], "horizon_months": months}));
        plan.notices.iter().any(|n| n.code == "horizon_beyond_life")
    };
    assert!(warned(49) && !warned(48));
}

#[test]
fn percentiles_are_ordered_repeatable_and_around_the_plan() {
    for acquisition in ["buy", "on_demand", "spot", "reserved"] {
        let request = json!({"accelerators": ["b200", "h100-sxm"], "acquisition": [acquisition]});
        let (plan, again) = (asked(request.clone()), asked(request));
        assert_eq!(plan.ranges, again.ranges);
        let ranges = plan.ranges.expect("it has a cost");
        let tier = plan.shown().expect("shown");
        let (days, cost) = (tier.days.expect("fits"), tier.cost.as_ref().expect("priced").total_usd);
        for p in [ranges.days, ranges.total_usd] {
            assert!(0.0 < p.p10 && p.p10 < p.p50 && p.p50 < p.p90, "{acquisition} {p:?}");
        }
        assert!(ranges.draws >= 2_000);
        // the median is near the typical figure, and the typical one inside
        assert!((ranges.days.p50 / days.typical - 1.0).abs() < 0.25, "{acquisition} {ranges:?} {days:?}");
        assert!(
            ranges.total_usd.p10 < cost.typical * 1.1 && cost.typical < ranges.total_usd.p90,
            "{acquisition} {ranges:?} {cost:?}"
        );
    }
}

/// A typical price is the median of its range, so half of the draws cost more than the headline and half less, though a
/// posted price can rise further than it can fall. What several such inputs do together stays: a few percent.
#[test]
fn the_middle_of_the_draws_is_the_headline() {
    let ratio = |extra: Value| {
        let plan = asked(extra);
        let cost = plan.shown().and_then(|t| t.cost.clone()).expect("priced");
        plan.ranges.expect("ranges").total_usd.p50 / cost.total_usd.typical
    };
    let rented = json!({"accelerators": ["h100-sxm"], "acquisition": ["on_demand"]});
    let mut one = rented.clone();
    one["overrides"] = json!({"cloud_extras_share": 0.15});
    for extra in [one, json!({"accelerators": ["h100-sxm"], "acquisition": ["buy"]})] {
        let found = ratio(extra.clone());
        assert!((found - 1.0).abs() < 0.04, "{extra} {found}");
    }
    let both = ratio(rented);
    assert!((1.0..1.08).contains(&both), "{both}");
}
