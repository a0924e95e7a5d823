//! Ways of having a cluster that are told apart: terms of different length, and a purchase on a network of its own.

use super::{asked, support};
use engine::Plan;
use engine::answer::CostOption;
use engine::request::Acquisition;
use serde_json::{Value, json};

fn pods(extra: Value) -> Plan {
    let mut request = json!({"model": {"preset": "llama-3.2-1b"}, "accelerators": ["tpu-v5e"], "max_gpus": 64,
        "training_tokens": 20_000_000_000_u64});
    request.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
    asked(request)
}

fn shown(plan: &Plan) -> Vec<CostOption> {
    plan.shown().and_then(|t| t.cost.as_ref()).map(|c| c.options.clone()).unwrap_or_default()
}

#[test]
fn commitments_of_one_provider_stay_apart_everywhere() {
    let plan = pods(json!({"acquisition": ["reserved"], "providers": ["gcp"]}));
    let options = shown(&plan);
    let terms: Vec<f64> = options.iter().map(|o| o.minimum_months).collect();
    assert_eq!(terms, [36.0, 12.0], "{}", plan.headline);
    assert!(options.iter().all(|o| o.label.ends_with(&format!("reserved for {} months", o.minimum_months))));
    let cost = plan.shown().and_then(|t| t.cost.clone()).expect("priced");
    let recommended = plan.recommended.as_ref().expect("no limits");
    assert_eq!((cost.minimum_months, recommended.minimum_months), (36.0, 36.0));
    assert!(plan.headline.contains("for 36 months"), "{}", plan.headline);
    assert!(plan.frontier.iter().all(|c| c.minimum_months == 36.0), "the longer is cheaper by the hour");
    let ids: Vec<&str> = plan.cloud_vs_on_prem.curves.iter().map(|c| c.id.as_str()).collect();
    assert_eq!(ids, ["reserved_36-gcp", "reserved_12-gcp"]);
    // both pay their whole terms, and the next best is the other term
    for o in &options {
        assert!(
            o.cash_usd
                >= f64::from(plan.shown().and_then(|t| t.cluster.clone()).expect("one").gpus)
                    * o.minimum_months
                    * 730.0
                    * o.usd_per_gpu_hour
        );
    }
    assert!(recommended.reasons.iter().any(|r| r.code == "next_best" && r.text.contains("12 months")));
    // what may be spent decides between them
    let budget = options[0].cash_usd.midpoint(options[1].cash_usd);
    let least = pods(json!({"acquisition": ["reserved"], "budget_usd": budget, "max_gpus": 8}));
    assert!(shown(&least).iter().any(|o| o.within_budget), "{}", least.headline);
    assert_eq!(pods(json!({"acquisition": ["on_demand"]})).cloud_vs_on_prem.curves.len(), 1);
    assert!(shown(&pods(json!({"providers": ["aws"]}))).is_empty());
}

#[test]
fn a_commitment_beyond_the_horizon_is_borne_and_owed() {
    let at = |horizon: u32| pods(json!({"acquisition": ["reserved"], "horizon_months": horizon, "max_gpus": 8}));
    let (short, long) = (at(12), at(36));
    // over a year three years cost three times as much as over three, so the shorter term is taken
    let total = |plan: &Plan, months: f64| {
        shown(plan).iter().find(|o| o.minimum_months == months).map(|o| o.total_usd.typical).expect("offered")
    };
    assert_eq!(short.recommended.as_ref().map(|r| r.minimum_months), Some(12.0), "{}", short.headline);
    assert!((total(&short, 36.0) / total(&long, 36.0) - 3.0).abs() < 1e-6);
    assert!((total(&short, 12.0) / total(&long, 12.0) - 1.0).abs() < 1e-9);
    let owed = |plan: &Plan, id: &str| {
        let curve = plan.cloud_vs_on_prem.curves.iter().find(|c| c.id == id).expect("compared");
        (curve.owed_usd, *curve.cumulative_usd.last().expect("a month"))
    };
    let (left, paid) = owed(&short, "reserved_36-gcp");
    assert!((left - 2.0 * paid).abs() < 0.05, "two of three years are still owed: {left} {paid}");
    assert_eq!(owed(&long, "reserved_36-gcp").0, 0.0);
    assert_eq!(owed(&at(30), "reserved_12-gcp").0, (owed(&at(30), "reserved_12-gcp").1 / 5.0 * 100.0).round() / 100.0);
    let said = shown(&short).into_iter().find(|o| o.minimum_months == 36.0).and_then(|o| o.note);
    assert!(said.as_ref().is_some_and(|n| n.contains("24 months beyond the horizon")), "{said:?}");
    // its price is that of the month in which it began
    let falling =
        pods(json!({"acquisition": ["reserved"], "max_gpus": 8, "overrides": {"price_trend_per_year": -0.5}}));
    let curve = |plan: &Plan, id: &str| {
        plan.cloud_vs_on_prem.curves.iter().find(|c| c.id == id).map(|c| c.cumulative_usd.clone()).expect("compared")
    };
    assert_eq!(curve(&falling, "reserved_36-gcp"), curve(&long, "reserved_36-gcp"));
    let (now, later) = (curve(&long, "reserved_12-gcp"), curve(&falling, "reserved_12-gcp"));
    assert_eq!(now[..13], later[..13]);
    assert!(later[24] - later[12] < 0.51 * (now[24] - now[12]));
}

#[test]
fn a_rented_plan_keeps_its_purchase_whatever_network_is_bought() {
    let base = json!({"accelerators": ["h100-sxm"], "max_gpus": 1024, "deadline_days": 1.5,
        "providers": ["lambda"], "acquisition": ["buy", "on_demand"]});
    let with = |overrides: Value| {
        let mut request = base.clone();
        request["overrides"] = overrides;
        asked(request)
    };
    let plain = with(json!({}));
    assert!(shown(&plain).iter().any(|o| o.acquisition == Acquisition::Buy));
    for overrides in [
        json!({"topology": "dragonfly"}),
        json!({"topology": "torus"}),
        json!({"oversubscription": 8, "topology": "fat_tree"}),
    ] {
        let plan = with(overrides.clone());
        let cost = plan.shown().and_then(|t| t.cost.clone()).expect("priced");
        assert_eq!(cost.acquisition, Acquisition::OnDemand, "{overrides} {}", plan.headline);
        let buy = cost.options.iter().find(|o| o.acquisition == Acquisition::Buy).expect("bought too");
        let rent = cost.options.iter().find(|o| o.label == cost.label).expect("counted");
        assert!(buy.days.typical > rent.days.typical, "{overrides}: a network that blocks takes longer");
        assert!(buy.note.as_ref().is_some_and(|n| n.contains("of full bisection")), "{:?}", buy.note);
        let capital = cost.capital_usd.expect("a purchase").typical;
        assert_eq!(Some(capital), plan.ownership.as_ref().map(|o| o.capital_usd.typical));
        assert!(buy.total_usd.typical > capital);
        let bill: f64 = plan.bill_of_materials.iter().filter_map(|l| l.total_usd).sum();
        assert!((bill - capital).abs() < 1.0);
        assert!(cost.options.windows(2).all(|w| w[0].total_usd.typical <= w[1].total_usd.typical));
        let build = plan.build.as_ref().and_then(|b| b.network.as_ref()).expect("a network");
        assert!(build.oversubscription > 1.01);
        assert!(plan.notices.iter().any(|n| n.code == "network_blocks" && n.text.contains("rented")));
        // the figures of the purchase are opened with its own throughput
        let tier = serde_json::to_value(plan.shown_tier).expect("writes");
        let key = format!("tiers.{}.options.buy.days", tier.as_str().expect("a name"));
        let days = &plan.explanations.as_ref().expect("explained")[&key];
        let term = |name: &str| days.terms.iter().find(|t| t.name == name).expect(name).value;
        let by_hand = term("tokens") / (term("throughput per device") * term("devices") * term("goodput")) / 86_400.0;
        assert!((by_hand / buy.days.typical - 1.0).abs() < 1e-9, "{by_hand} {}", buy.days.typical);
    }
    // what a topology has no use for is said, and not called used
    for topology in ["dragonfly", "torus"] {
        let plan = with(json!({"topology": topology, "oversubscription": 4}));
        let own = plan.overridden.iter().find(|o| o.key == "oversubscription").expect("listed");
        assert!(!own.used);
        assert!(plan.notices.iter().any(|n| n.code == "override_unused" && n.text.contains(topology)), "{topology}");
    }
}

#[test]
fn what_is_not_there_is_said_in_the_right_words() {
    let bought = asked(json!({"accelerators": ["mi300x"], "acquisition": ["buy"]}));
    assert!(bought.headline.contains("renting is not asked for"), "{}", bought.headline);
    let nowhere = asked(json!({"accelerators": ["mi300x"], "providers": ["lambda"]}));
    assert!(nowhere.headline.contains("no allowed offer rents"), "{}", nowhere.headline);
    for plan in [bought, nowhere, asked(json!({})), asked(json!({"deadline_days": 0.7}))] {
        let mut texts = vec![plan.headline.clone()];
        texts.extend(plan.tiers.iter().flat_map(|t| t.reasons.iter().map(|r| r.text.clone())));
        texts.extend(plan.recommended.iter().flat_map(|r| r.reasons.iter().map(|r| r.text.clone())));
        for text in texts {
            assert!(!text.contains("no limits") && !text.contains("there is no rental"), "{text}");
            assert!(!text.contains(" 0 days") && !text.contains(" 1 days"), "{text}");
        }
    }
}

#[test]
fn break_evens_come_soonest_first_and_never_last() {
    for extra in
        [json!({}), json!({"accelerators": ["h100-sxm"], "utilization": 0.2}), json!({"accelerators": ["b200"]})]
    {
        let plan = asked(extra);
        let months: Vec<f64> = plan.cloud_vs_on_prem.break_even.iter().map(|b| b.months.unwrap_or(f64::MAX)).collect();
        assert!(months.len() > 1 && months.windows(2).all(|w| w[0] <= w[1]), "{months:?}");
        // the use from which buying wins is still against the cheapest on demand
        let curve = plan.cloud_vs_on_prem.curves.iter().find(|c| c.id.starts_with("on_demand")).expect("on demand");
        let rival = plan.cloud_vs_on_prem.break_even.iter().find(|b| b.against == curve.id).expect("compared");
        assert_eq!(plan.inverse.buying_wins_from_utilization, rival.utilization);
    }
}

/// Four digits in a row that are neither a year nor part of a name.
fn ungrouped(text: &str) -> Option<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut start = 0;
    while start < chars.len() {
        if !chars[start].is_ascii_digit() {
            start += 1;
            continue;
        }
        let mut end = start;
        while end < chars.len() && chars[end].is_ascii_digit() {
            end += 1;
        }
        let number: String = chars[start..end].iter().collect();
        let glued = |c: Option<&char>| c.is_some_and(|c| c.is_alphabetic() || *c == '.' || *c == '-');
        let named = start > 0 && glued(chars.get(start - 1)) || chars.get(end).is_some_and(|c| c.is_alphabetic());
        let year = number.len() == 4 && (number.starts_with("19") || number.starts_with("20"));
        if number.len() > 3 && !named && !year {
            return Some(format!("{number} in: {text}"));
        }
        start = end;
    }
    None
}

fn sentences(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, inner) in fields {
                match inner {
                    Value::String(text)
                        if ["why", "bisection_why", "text", "note", "headline", "no_network", "title"]
                            .contains(&key.as_str()) =>
                    {
                        all.push(text.clone());
                    }
                    inner => sentences(inner, all),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|inner| sentences(inner, all)),
        _ => {}
    }
}

#[test]
fn sentences_group_their_thousands() {
    let large = json!({"model": {"preset": "llama-3.1-405b"}, "training_tokens": 15_000_000_000_000_u64, "max_gpus": 65_536,
        "deadline_days": 20, "max_power_kw": 90_000});
    let mut requests = vec![large.clone()];
    for topology in ["fat_tree", "rail_optimized", "dragonfly", "torus"] {
        let mut request = large.clone();
        request["acquisition"] = json!(["buy"]);
        request["overrides"] = json!({"topology": topology, "rack_kw": 1000});
        requests.push(request);
    }
    requests.push(json!({"model": {"parameters_billion": 4_000}, "max_gpus": 2_048, "acquisition": ["buy"]}));
    let mut seen = 0;
    for request in requests {
        let mut value = serde_json::to_value(support::plan(request)).expect("writes");
        value.as_object_mut().expect("an object").remove("request");
        let mut all = Vec::new();
        sentences(&value, &mut all);
        seen += all.len();
        let wrong: Vec<String> = all.iter().filter_map(|text| ungrouped(text)).collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
    assert!(seen > 200, "{seen}");
}

/// Network of 512 devices on one switch for each rail: 8 switches of 64 ports, and near what was paid for one (Cheah
/// 2024: 1,883 USD for each device, switches and optics).
#[test]
fn a_network_of_rails_alone_costs_about_what_was_paid_for_one() {
    let at = |topology: &str, most: u32| {
        asked(json!({"accelerators": ["h100-sxm"], "acquisition": ["buy"], "max_gpus": most, "deadline_days": 0.45,
            "overrides": {"topology": topology}}))
    };
    let plan = at("rail_only", 512);
    let network = plan.build.as_ref().and_then(|b| b.network.clone()).expect("a network");
    assert_eq!((network.topology.as_str(), network.switches, network.spines), ("rail_only", 8, 0), "{}", plan.headline);
    let gpus = f64::from(plan.shown().and_then(|t| t.cluster.clone()).expect("a cluster").gpus);
    let parts = ["switch", "transceiver", "cable"];
    let bought =
        plan.bill_of_materials.iter().filter(|l| parts.contains(&l.unit.as_str()) && !l.item.contains("SN2201"));
    let each = bought.filter_map(|l| l.total_usd).sum::<f64>() / gpus;
    assert!(gpus > 400.0 && (each / 1_883.0 - 1.0).abs() < 0.15, "{gpus} {each}");
    assert!(plan.notices.iter().any(|n| n.code == "rail_only"));
    let tree = at("fat_tree", 512);
    let capital = |p: &Plan| p.ownership.as_ref().map(|o| o.capital_usd.typical).expect("bought");
    assert!(capital(&plan) < capital(&tree));
}

#[test]
fn the_enhanced_class_of_storage_takes_more_drives_and_less_time_for_checkpoints() {
    let of = |class: &str| {
        asked(json!({"accelerators": ["h100-sxm"], "acquisition": ["buy"], "max_gpus": 256, "deadline_days": 1.2,
            "overrides": {"storage_class": class}}))
    };
    let (standard, enhanced) = (of("standard"), of("enhanced"));
    let drives = |p: &Plan| p.build.as_ref().map(|b| b.storage.drives).expect("a build");
    assert!(drives(&enhanced) > 2 * drives(&standard));
    let goodput = |p: &Plan| p.shown().and_then(|t| t.goodput).expect("fits");
    assert!(goodput(&enhanced) > goodput(&standard));
    assert!(enhanced.build.as_ref().is_some_and(|b| b.storage.why.contains("enhanced class")));
}
