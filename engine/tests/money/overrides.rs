//! Every number of the catalog can be the caller's own, and is marked exactly where it moves a figure that is shown.

use super::{asked, support};
use engine::Plan;
use engine::request::{Form, Overrides, PlanRequest, plan_request_from_pairs, plan_request_to_pairs};
use serde_json::{Value, json};

/// Overrides that hold one number.
fn only(path: &str, value: f64) -> Value {
    let parts: Vec<&str> = path.splitn(3, '.').collect();
    parts.iter().rev().fold(json!(value), |inner, part| json!({ *part: inner }))
}

/// A value that is none of the catalog's and small enough to be lived with.
fn other(path: &engine::Quotable) -> f64 {
    match path.key.as_str() {
        "server_overhead" | "pue" => 1.9,
        "hardware_life_years" | "facility_life_years" => 2.0,
        "checkpoint_write_gb_per_second" => 0.1,
        "oversubscription" => 3.0,
        "rack_kw" => 23.0,
        _ => (path.min + 0.37 * (path.max - path.min)).min(777.0),
    }
}

#[test]
fn every_path_is_accepted_and_survives_the_address() {
    let paths = Overrides::paths();
    assert!(paths.len() > 500, "{}", paths.len());
    for path in paths {
        assert!(path.min < path.max && !path.unit.is_empty() && !path.label.is_empty(), "{path:?}");
        assert!(path.catalog.is_none_or(|r| r.low <= r.typical && r.typical <= r.high), "{path:?}");
        let value = other(path);
        let request = json!({"model": {"preset": "llama-3.1-8b"}, "overrides": only(&path.key, value)});
        let request = PlanRequest::parse(&request, Form::Json).unwrap_or_else(|p| panic!("{}: {p:?}", path.key));
        let values: Vec<(&str, f64)> = request.overrides.values().iter().map(|(p, v)| (p.key.as_str(), *v)).collect();
        assert_eq!(values, [(path.key.as_str(), value)]);
        let pairs = plan_request_to_pairs(&request);
        assert!(pairs.iter().any(|(key, _)| *key == format!("overrides.{}", path.key)), "{pairs:?}");
        assert_eq!(plan_request_from_pairs(pairs).expect("reads back"), request);
        assert_eq!(Overrides::path(&path.key).map(|p| p.min), Some(path.min));
    }
    let mut names: Vec<&str> = paths.iter().map(|p| p.key.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), paths.len(), "no path twice");
}

/// The reader says which fields it knows: each of them is listed, except for those that are no numbers.
#[test]
fn nothing_that_is_read_is_left_out() {
    let request = json!({"model": {"preset": "llama-3.1-8b"}, "overrides": {"nothing-like-it": 1}});
    let known = support::refused(request).errors[0].message.split("known are ").nth(1).expect("names them").to_owned();
    let all = engine::quotables();
    for name in known.split(", ").filter(|name| !["topology", "storage_class"].contains(name)) {
        let here = all.iter().any(|q| q.key == name || q.key.starts_with(&format!("{name}.")));
        assert!(here, "{name} can be replaced and is not listed");
    }
    assert!(all.len() < Overrides::paths().len() && all.iter().all(|q| !q.group.is_empty()));
}

#[test]
fn an_unknown_part_is_refused_with_the_nearest_known_and_zero_is_no_price() {
    let refused = |overrides: Value| {
        support::refused(json!({"model": {"preset": "llama-3.1-8b"}, "overrides": overrides})).errors[0].clone()
    };
    let unknown = refused(json!({"item_usd": {"quantum-2-qm970": 40_000}}));
    assert_eq!(
        (unknown.pointer.as_str(), unknown.code.as_str()),
        ("/overrides/item_usd/quantum-2-qm970", "unknown_id")
    );
    assert!(unknown.message.contains("`quantum-2-qm9700`"), "{}", unknown.message);
    assert_eq!(refused(json!({"item_usd": {"rack": 0}})).code, "out_of_range");
}

/// Everything a plan shows but the echo of the request, and words.
fn figures(plan: &Plan) -> Value {
    let mut value = serde_json::to_value(plan).expect("writes");
    let object = value.as_object_mut().expect("an object");
    for key in ["request", "overridden", "explanations", "notices", "headline", "layouts_evaluated"] {
        object.remove(key);
    }
    without_words(&mut value);
    value
}

fn without_words(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields
                .retain(|key, _| !["why", "bisection_why", "note", "text", "source", "as_of"].contains(&key.as_str()));
            fields.values_mut().for_each(without_words);
        }
        Value::Array(items) => items.iter_mut().for_each(without_words),
        _ => {}
    }
}

/// An override is `used` exactly when a figure of the plan is another with it.
#[test]
fn used_is_said_exactly_where_a_figure_moves() {
    let base = json!({"max_gpus": 32, "accelerators": ["h100-sxm", "l40s"], "demand_growth_per_month": 0.05});
    let cases = [
        json!({"acquisition": ["on_demand"], "providers": ["lambda"]}),
        json!({"acquisition": ["buy"], "accelerators": ["h100-sxm"]}),
        json!({"acquisition": ["spot"], "accelerators": ["h100-sxm"], "region": "us-arkansas"}),
        json!({"facility": "own", "accelerators": ["mi300x"], "max_gpus": 256, "deadline_days": 3}),
        json!({"accelerators": ["gb200-nvl72"], "max_gpus": 144, "demand_growth_per_month": -0.01}),
        json!({"acquisition": ["buy"], "accelerators": ["h100-sxm"], "max_gpus": 512, "deadline_days": 1.1}),
        json!({"max_gpus": 8, "acquisition": ["buy", "on_demand"]}),
    ];
    let mut moved = [0, 0];
    let mut ever_used = std::collections::BTreeSet::new();
    let mut wrong = Vec::new();
    for case in cases {
        let request = |overrides: Value| {
            let mut request = base.clone();
            for (key, value) in case.as_object().expect("an object") {
                request[key] = value.clone();
            }
            request["overrides"] = overrides;
            request
        };
        let untouched = figures(&asked(request(json!({}))));
        for path in Overrides::paths() {
            let far =
                |part: &str| path.key.starts_with(part) && !path.key.contains("h100-sxm") && !path.key.contains("b200");
            if far("gpu_hour_usd") || far("server_usd") || far("efficiency") {
                continue;
            }
            let plan = asked(request(only(&path.key, other(path))));
            let [own] = plan.overridden.as_slice() else { panic!("{} is not listed", path.key) };
            assert_eq!((own.key.as_str(), own.value), (path.key.as_str(), other(path)));
            let used = own.used;
            assert!(own.considered || !used);
            let notice = plan.notices.iter().find(|n| n.code == "override_unused");
            assert_eq!(notice.is_none(), used, "{}", path.key);
            assert!(notice.is_none_or(|n| n.text.contains(&path.key)));
            let other = figures(&plan) != untouched;
            // what is compared can change the choice without being shown, and then is not used itself
            // whole spares and whole racks may come out the same
            let whole = ["spare_share", "rack_kw"].contains(&path.key.as_str());
            if used != other && if used { !whole } else { !own_was_compared(&path.key) } {
                wrong.push(format!("{case} {}: used {used}, moved {other}", path.key));
            }
            moved[usize::from(used)] += 1;
            if used {
                ever_used.insert(path.key.as_str());
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(moved[0] > 100 && moved[1] > 100, "{moved:?}");
    let never: Vec<&str> = Overrides::SCALARS.iter().map(|s| s.name).filter(|name| !ever_used.contains(name)).collect();
    assert!(never.is_empty(), "{never:?}");
}

/// Prices that move the choice between clusters.
fn own_was_compared(path: &str) -> bool {
    ["server_usd.", "gpu_hour_usd.", "efficiency.", "item_usd."].iter().any(|part| path.starts_with(part))
}

/// The price of a part is that of its line, in cents, and the bill still sums to the purchase.
#[test]
fn a_quote_prices_its_line() {
    let small = json!({"accelerators": ["h100-sxm"], "acquisition": ["buy"], "max_gpus": 64, "deadline_days": 12});
    let with = |extra: Value| {
        let mut request = small.clone();
        request["overrides"] = json!({ "item_usd": extra });
        asked(request)
    };
    let plain = with(json!({}));
    assert!(plain.shown().and_then(|t| t.cluster.as_ref()).is_some_and(|c| c.nodes > 1), "{}", plain.headline);
    let total = |plan: &Plan| plan.ownership.as_ref().map(|o| o.capital_usd.typical).expect("bought");
    for line in &plain.bill_of_materials {
        let Some(item) = line.price_key.as_deref().and_then(|key| key.strip_prefix("item_usd.")) else { continue };
        let plan = with(json!({ item: 1_234.5 }));
        let quoted: Vec<_> = plan.bill_of_materials.iter().filter(|l| l.price_key == line.price_key).collect();
        assert!(!quoted.is_empty(), "{item}");
        for quoted in quoted {
            assert_eq!(
                quoted.unit_usd.map(|r| (r.low, r.typical, r.high)),
                Some((1_234.5, 1_234.5, 1_234.5)),
                "{item}"
            );
            assert_eq!((quoted.source.as_str(), quoted.as_of.as_str()), ("your request", ""));
            assert_eq!(quoted.included_in, None);
        }
        let sum: f64 = plan.bill_of_materials.iter().filter_map(|l| l.total_usd).sum();
        assert!((sum - total(&plan)).abs() < 0.01 * plan.bill_of_materials.len() as f64, "{item}: {sum}");
        let terms = &plan.explanations.as_ref().expect("explained")["bill_of_materials.total_usd"].terms;
        assert!(terms.iter().any(|t| t.source.contains("your request")), "{item}");
    }
    // a node priced with its drives takes the place of the price per TB, and so do its drives
    let priced = |plan: &Plan, unit: &str| plan.bill_of_materials.iter().find(|l| l.unit == unit).cloned();
    let nodes = with(json!({"storage-node": 200_000}));
    assert!(priced(&nodes, "TB usable").is_none());
    assert_eq!(priced(&nodes, "drive").and_then(|l| l.included_in), priced(&nodes, "node").map(|l| l.item));
    let both = with(json!({"storage-node": 50_000, "storage-drive": 9_000}));
    assert!(priced(&both, "drive").is_some_and(|l| l.total_usd.is_some() && l.included_in.is_none()));
    // the network as one lot takes the place of its parts; so does the installation of its share
    let lot = with(json!({"network": 500_000, "installation": 70_000}));
    assert!(priced(&lot, "switch").is_none() && priced(&lot, "cable").is_none());
    let lots: Vec<f64> = lot.bill_of_materials.iter().filter(|l| l.unit == "lot").filter_map(|l| l.total_usd).collect();
    assert_eq!(lots, [500_000.0, 70_000.0]);
}

/// Figures that no plan is computed with are warned about one by one; those of a price book in one remark that names each.
#[test]
fn idle_quotes_are_one_remark() {
    let overrides = json!({ "server_usd": { "mi300x": 200_000, "gb200-nvl72": 3_000_000 } });
    let base = json!({ "accelerators": ["h100-sxm"], "overrides": overrides });
    let plain = asked(base.clone());
    assert_eq!(plain.notices.iter().filter(|n| n.code == "override_unused").count(), 2);
    let mut quoted = base;
    quoted["quotes"] =
        json!({ "server_usd.mi300x": { "supplier": "A" }, "server_usd.gb200-nvl72": { "supplier": "B" } });
    let plan = asked(quoted);
    assert!(plan.notices.iter().all(|n| n.code != "override_unused"), "{:?}", plan.notices);
    let remarks: Vec<&str> =
        plan.notices.iter().filter(|n| n.code == "quotes_unused").map(|n| n.text.as_str()).collect();
    assert_eq!(remarks.len(), 1);
    assert!(remarks[0].contains("MI300X") && remarks[0].contains("GB200"), "{remarks:?}");
    let sources: Vec<&str> = plan.overridden.iter().map(|own| own.source.as_str()).collect();
    assert!(sources.contains(&"price book quote of A") && sources.contains(&"price book quote of B"), "{sources:?}");
}

/// A spare of a single server is a whole one, and its line says what that comes to; on many it needs no words.
#[test]
fn a_whole_spare_of_a_small_cluster_is_spoken_of() {
    let why = |gpus: u64| {
        let plan = asked(json!({"acquisition": ["buy"], "accelerators": ["h100-sxm"], "max_gpus": gpus}));
        let cluster = plan.shown().and_then(|t| t.cluster.clone()).expect("a cluster");
        let spare = plan.bill_of_materials.iter().find(|l| l.item.starts_with("Spare")).expect("a spare");
        (cluster.nodes, spare.quantity, spare.why.clone())
    };
    let (nodes, spares, text) = why(8);
    assert_eq!((nodes, spares), (1, 1.0));
    assert!(text.contains("3.0% of 1 system, rounded up") && text.contains("100% on top"), "{text}");
    assert!(text.contains("set spare servers to 0"), "the remedy: {text}");
}

/// The factor is of a device's own work: communication stays as it is, so the gain is less than the factor.
#[test]
fn a_measured_speed_moves_only_what_the_device_does_itself() {
    let at = |factor: f64| {
        let plan = asked(
            json!({"accelerators": ["h100-sxm"], "acquisition": ["on_demand"], "overrides": {"efficiency": {"h100-sxm": factor}}}),
        );
        plan.tiers[2].estimate.clone().or_else(|| plan.tiers[1].estimate.clone()).expect("estimated")
    };
    let gain = at(1.1).tokens_per_second_per_gpu / at(1.0).tokens_per_second_per_gpu;
    assert!(gain > 1.04 && gain < 1.1, "{gain}");
}
