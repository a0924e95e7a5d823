//! Prices: none is free, old ones are marked, overrides are marked, terms are paid.

use super::{asked, support};
use engine::Plan;
use engine::answer::CostOption;
use engine::catalog::{Catalog, OfferTerm};
use engine::request::Acquisition;
use serde_json::{Value, json};

fn options(plan: &Plan) -> Vec<CostOption> {
    plan.tiers.iter().filter_map(|t| t.cost.as_ref()).flat_map(|c| c.options.clone()).collect()
}

#[test]
fn no_offer_and_no_system_is_free() {
    let catalog = Catalog::get();
    for offer in &catalog.offers {
        let f = &offer.usd_per_gpu_hour;
        assert!(f.range().low > 0.0 && f.value > 0.0, "{} {}", offer.provider, offer.instance);
    }
    for accelerator in &catalog.accelerators {
        assert!(accelerator.system_usd.as_ref().is_none_or(|f| f.range().low > 1_000.0), "{}", accelerator.id);
    }
    // a device without a purchase price is not bought for nothing
    let unpriced = catalog.accelerators.iter().find(|a| a.system_usd.is_none() && a.vendor == "NVIDIA").expect("one");
    let plan = asked(json!({"model": {"preset": "llama-3.2-1b"}, "accelerators": [unpriced.id]}));
    assert!(options(&plan).iter().all(|o| o.acquisition != Acquisition::Buy) && plan.ownership.is_none());
    for plan in [asked(json!({})), asked(json!({"model": {"preset": "llama-3.2-1b"}}))] {
        assert!(options(&plan).iter().all(|o| o.total_usd.low > 0.0 && o.cash_usd > 0.0 && o.usd_per_gpu_hour > 0.0));
    }
}

#[test]
fn old_prices_are_marked_by_the_version_of_the_catalog() {
    let mut seen = [0, 0];
    for accelerator in Catalog::get().accelerators.iter().filter(|a| a.system_usd.is_some()) {
        let plan = asked(json!({"model": {"preset": "llama-3.2-1b"}, "accelerators": [accelerator.id]}));
        for option in options(&plan) {
            let days = option.age_days.expect("a price of the catalog has an age");
            assert!(days >= 0);
            assert_eq!(option.stale, days > 183, "{option:?}");
            seen[usize::from(option.stale)] += 1;
        }
        let shown = plan.shown().and_then(|t| t.cost.as_ref()).map(|c| c.options.clone()).unwrap_or_default();
        if shown.iter().any(|o| o.stale) {
            assert!(plan.notices.iter().any(|n| n.code.starts_with("stale_prices")), "{}", accelerator.id);
        }
        // what is warned about is what the cost of the run is made of, and nothing that the request rules out
        for acquisition in ["buy", "on_demand"] {
            let plan = asked(
                json!({"model": {"preset": "llama-3.2-1b"}, "accelerators": [accelerator.id], "acquisition": [acquisition]}),
            );
            let Some(cost) = plan.shown().and_then(|t| t.cost.as_ref()) else { continue };
            let way = cost.options.iter().find(|o| o.label == cost.label).expect("the way that counts");
            // a line that another holds has no price of its own
            let mut priced = plan.bill_of_materials.iter().filter(|line| line.unit_usd.is_some());
            let of_bill = priced.any(|line| engine::is_stale(&line.as_of));
            let old = if acquisition == "buy" { of_bill } else { way.stale };
            let warned = plan.notices.iter().any(|n| n.code == "stale_prices");
            assert_eq!(warned, old, "{} {acquisition}: {:?}", accelerator.id, plan.notices);
            let remarked = plan.notices.iter().find(|n| n.code == "stale_prices_compared");
            if let (Some(notice), "on_demand") = (remarked, acquisition) {
                let names_parts = plan.bill_of_materials.iter().any(|line| notice.text.contains(&line.item));
                assert!(!names_parts, "a purchase is ruled out: {}", notice.text);
            }
        }
    }
    assert!(seen[0] > 10 && seen[1] > 3, "{seen:?}");
    let own = asked(json!({"accelerators": ["b200"], "providers": ["aws"], "acquisition": ["on_demand"],
        "overrides": {"gpu_hour_usd": {"aws": {"b200": 12.5}}}}));
    let option = options(&own).into_iter().next().expect("an offer");
    assert_eq!((option.age_days, option.stale, option.source.as_str()), (None, false, "your request"));
}

#[test]
fn spot_says_that_interruptions_lengthen_the_run() {
    let plan = asked(json!({"accelerators": ["h100-sxm", "h200-sxm"], "acquisition": ["spot", "on_demand"]}));
    for tier in &plan.tiers {
        let Some(cost) = &tier.cost else { continue };
        let steady = cost.options.iter().find(|o| o.acquisition == Acquisition::OnDemand);
        for spot in cost.options.iter().filter(|o| o.acquisition == Acquisition::Spot) {
            assert!(spot.note.as_ref().is_some_and(|n| n.contains("taken away")));
            if let Some(steady) = steady {
                assert!(spot.days.typical > steady.days.typical && spot.goodput < steady.goodput, "{spot:?}");
            }
        }
    }
    let only = asked(json!({"accelerators": ["h100-sxm"], "acquisition": ["spot"]}));
    assert!(only.notices.iter().any(|n| n.code == "spot_lengthens"), "{}", only.headline);
}

#[test]
fn a_block_pays_whole_days_and_a_commitment_its_term() {
    let of = |provider: &str, term: OfferTerm| {
        let request = json!({"model": {"preset": "llama-3.2-1b"}, "training_tokens": 20_000_000_000_u64, "max_gpus": 8,
            "accelerators": ["b200"], "providers": [provider], "acquisition": ["reserved"], "utilization": 0.5});
        options(&support::plan(request)).into_iter().find(|o| o.term == Some(term)).expect("offered")
    };
    let block = of("gcp", OfferTerm::CapacityBlock);
    let days = block.days.typical.ceil();
    let device = 8.0 * 24.0 * days * block.usd_per_gpu_hour;
    assert!((block.total_usd.typical - device - block.extras_usd).abs() < 0.02 * device, "{block:?}");
    assert!(block.max_days.is_some_and(|most| block.days.typical <= most));
    let term = of("aws", OfferTerm::Reserved);
    assert_eq!(term.minimum_months, 12.0);
    assert!(term.cash_usd >= 8.0 * 12.0 * 730.0 * term.usd_per_gpu_hour * 0.99);
    // the run bears two hours for each that works at half use
    let device = 8.0 * 24.0 * term.days.typical * term.usd_per_gpu_hour;
    assert!((term.total_usd.typical - term.extras_usd - 2.0 * device).abs() < 0.02 * device, "{term:?}");
    // a block that is booked for 90 days is no offer for a longer run
    let long = json!({"model": {"preset": "llama-3.1-70b"}, "training_tokens": 2_000_000_000_000_u64, "accelerators": ["b200"],
        "providers": ["gcp"], "acquisition": ["reserved"], "max_gpus": 8});
    assert!(options(&support::plan(long)).is_empty());
}

#[test]
fn storage_and_egress_are_never_below_their_list_price() {
    let plan = asked(json!({"accelerators": ["h100-sxm"], "acquisition": ["on_demand"]}));
    for option in options(&plan) {
        let device = option.total_usd.typical - option.extras_usd;
        assert!(option.extras_usd >= 0.15 * device - 0.02, "{option:?}");
    }
    let dear = asked(
        json!({"accelerators": ["h100-sxm"], "acquisition": ["on_demand"], "overrides": {"egress_usd_per_gb": 10}}),
    );
    let checkpoint_gb = 8.03e9 * 14.0 / 1e9;
    assert!(options(&dear).iter().all(|o| o.extras_usd >= 0.99 * checkpoint_gb * 10.0));
    let none = asked(
        json!({"accelerators": ["h100-sxm"], "acquisition": ["on_demand"], "overrides": {"cloud_extras_share": 0}}),
    );
    assert!(options(&none).iter().all(|o| o.extras_usd == 0.0));
}

/// Prices of the caller's are marked in the bill, the list and the explanations, and those of what is not shown are not.
#[test]
fn overrides_are_marked_where_they_are_used() {
    let request = |overrides: Value| {
        json!({"model": {"preset": "llama-3.1-8b"}, "training_tokens": 200_000_000_000_u64, "max_gpus": 32,
            "accelerators": ["h100-sxm"], "demand_growth_per_month": 0.05, "overrides": overrides})
    };
    let plan = support::plan(request(json!({"server_usd": {"h100-sxm": 250_000, "b200": 1_000_000},
        "gpu_hour_usd": {"lambda": {"h100-sxm": 2.5}}, "efficiency": {"h100-sxm": 1.1}})));
    let used = |key: &str| plan.overridden.iter().find(|o| o.key == key).map(|o| o.used);
    assert_eq!(used("server_usd.h100-sxm"), Some(true));
    assert_eq!(used("server_usd.b200"), Some(false));
    assert_eq!(used("gpu_hour_usd.lambda.h100-sxm"), Some(true));
    assert_eq!(used("efficiency.h100-sxm"), Some(true));
    assert!(plan.notices.iter().any(|n| n.code == "override_unused" && n.text.contains("server_usd.b200")));
    let explanations = plan.explanations.as_ref().expect("explained");
    let marked = |key: &str| explanations[key].terms.iter().any(|t| t.source.contains("your request"));
    assert!(plan.bill_of_materials.iter().any(|l| l.source == "your request"));
    assert!(marked("tiers.starter.days"));
}

/// Machines that are taken away so often that all hours are too few are not compared at that work, and it is said why.
#[test]
fn spot_is_compared_only_at_work_that_it_can_do() {
    let at = |utilization: f64, per_hour: f64| {
        asked(
            json!({"accelerators": ["h100-sxm"], "utilization": utilization, "acquisition": ["buy", "spot", "on_demand"],
            "overrides": {"spot_interruptions_per_hour": per_hour}}),
        )
    };
    let spot = |plan: &Plan| {
        let c = &plan.cloud_vs_on_prem;
        let curve = c.curves.iter().any(|c| c.id.starts_with("spot"));
        assert_eq!(curve, c.break_even.iter().any(|b| b.against.starts_with("spot")));
        let said = plan.notices.iter().any(|n| n.code == "spot_out_of_reach");
        let options = plan.shown().and_then(|t| t.cost.as_ref()).expect("priced").options.iter();
        let noted = options.filter_map(|o| o.note.as_ref()).any(|n| n.contains("of all hours"));
        let rows =
            c.by_utilization.iter().filter(|r| r.usd_per_useful_gpu_hour.keys().any(|id| id.starts_with("spot")));
        let highest = rows.map(|r| r.utilization).fold(0.0, f64::max);
        (curve, said, noted, highest)
    };
    assert_eq!(spot(&at(0.7, 0.0)), (true, false, false, 1.0), "nothing is taken away");
    let (curve, said, noted, highest) = spot(&at(0.3, 0.2));
    assert!(curve && !said && !noted && (0.3..1.0).contains(&highest), "{highest}");
    assert_eq!(spot(&at(0.95, 0.2)), (false, true, true, 0.0));
}
