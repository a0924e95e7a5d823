//! The physical build and the bill of materials of whole plans.
#![expect(clippy::panic, reason = "a test fails by panicking")]

mod support;

use engine::Plan;
use engine::answer::{BillLine, Build};
use serde_json::{Value, json};
use support::plan;

/// A bought cluster of at most so many devices of one kind, large enough that all of them are wanted.
fn bought(accelerator: &str, gpus: u64, overrides: Value) -> Plan {
    plan(json!({
        "model": {"preset": "llama-3.1-70b"},
        "training_tokens": 15_000_000_000_000_u64,
        "accelerators": [accelerator],
        "acquisition": ["buy"],
        "max_gpus": gpus,
        "deadline_days": 1,
        "overrides": overrides,
    }))
}

fn build(plan: &Plan) -> &Build {
    plan.build.as_ref().expect("a cluster")
}

fn gpus(plan: &Plan) -> u32 {
    plan.shown().and_then(|t| t.cluster.as_ref()).expect("a cluster").gpus
}

fn line<'a>(plan: &'a Plan, words: &str) -> &'a BillLine {
    let found = plan.bill_of_materials.iter().find(|l| l.item.contains(words));
    found.unwrap_or_else(|| panic!("no line of {words}: {:#?}", plan.bill_of_materials))
}

/// Absent where the model does not fit.
fn capital(plan: &Plan) -> Option<engine::catalog::Range> {
    plan.shown().and_then(|t| t.cost.as_ref()).and_then(|c| c.capital_usd)
}

#[test]
fn a_thousand_devices_are_32_leaves_and_16_spines_on_the_bill() {
    let plan = bought("h100-sxm", 1_024, json!({}));
    assert_eq!(gpus(&plan), 1_024);
    let network = build(&plan).network.as_ref().expect("a network");
    assert_eq!((network.topology.as_str(), network.tiers), ("rail_optimized", 2));
    assert_eq!((network.leaves, network.spines, network.cores, network.switches), (32, 16, 0, 48));
    assert_eq!((network.oversubscription, network.bisection_gbps), (1.0, 512.0 * 400.0));
    assert!(network.why.contains("non-blocking") && network.why.contains("there are 4"), "{}", network.why);
    for (words, quantity) in [
        ("QM9700 (InfiniBand NDR), leaves", 32.0),
        ("QM9700 (InfiniBand NDR), spines", 16.0),
        ("800G 2xSR4 transceiver with multimode fiber, device links", 512.0),
        ("400G SR4 transceiver with multimode fiber, devices", 1_024.0),
        ("800G 2xSR4 transceiver with multimode fiber, switch links", 1_024.0),
        ("Cables for 400G SR4 transceiver with multimode fiber, device links", 1_024.0),
        ("Cables for 400G SR4 transceiver with multimode fiber, switch links", 1_024.0),
        // 128 servers, 3 % spare
        ("Spare", 4.0),
        // four servers a rack by 57.2 kW and space
        ("SN2201", build(&plan).racks.count as f64),
        ("Racks", build(&plan).racks.count as f64),
    ] {
        assert_eq!(line(&plan, words).quantity, quantity, "{words}");
    }
    assert_eq!(build(&plan).racks.server_racks, 32);
    // switches and optics per device: a published bill of 2024 has 4,248 USD, the survey 1,900 to 6,000
    let of_network = ["QM9700", "SR4"];
    let network_usd: f64 = plan
        .bill_of_materials
        .iter()
        .filter(|l| of_network.iter().any(|w| l.item.contains(w)))
        .filter_map(|l| l.total_usd)
        .sum();
    let each = network_usd / 1_024.0;
    assert!((4_248.0 * 0.85..4_248.0 * 1.15).contains(&each), "{each}");
}

#[test]
fn parts_sum_to_the_purchase_to_the_cent() {
    let mut checked = 0;
    for accelerator in ["h100-sxm", "b200", "b300", "gb200-nvl72", "mi300x", "mi355x", "rtx-pro-6000", "gaudi-3"] {
        for most in [8, 16, 72, 300, 2_048, 20_000] {
            for overrides in [
                json!({}),
                json!({"topology": "torus", "tax_share": 0.2}),
                json!({"topology": "dragonfly", "spare_share": 0}),
                json!({"oversubscription": 4, "network_share_of_capital": 0.12, "installation_share": 0}),
            ] {
                let plan = bought(accelerator, most, overrides);
                let Some(capital) = capital(&plan) else { continue };
                checked += 1;
                let total: f64 = plan.bill_of_materials.iter().filter_map(|l| l.total_usd).sum();
                assert!((total - capital.typical).abs() < 0.005, "{accelerator} {most}: {total} {capital:?}");
                assert!(capital.low <= capital.typical && capital.typical <= capital.high);
                for line in &plan.bill_of_materials {
                    assert!(line.quantity > 0.0 && !line.why.is_empty() && !line.source.is_empty(), "{line:?}");
                    assert_eq!(line.unit_usd.is_some(), line.total_usd.is_some(), "{line:?}");
                    assert!(line.total_usd.is_none_or(|usd| usd > 0.0 && usd.is_finite()), "{line:?}");
                    assert!(line.total_usd.is_none() || line.included_in.is_none(), "counted twice: {line:?}");
                    let holder = line
                        .included_in
                        .as_ref()
                        .map(|name| plan.bill_of_materials.iter().any(|l| l.item == *name && l.total_usd.is_some()));
                    assert!(holder.is_none_or(|held| held), "{line:?}");
                }
            }
        }
    }
    assert!(checked > 120, "{checked}");
}

#[test]
fn topologies_differ_in_switches_and_bisection() {
    let of = |overrides| {
        let plan = bought("h100-sxm", 1_024, overrides);
        let network = build(&plan).network.clone().expect("a network");
        (network, capital(&plan).expect("fits").typical)
    };
    let (tree, tree_usd) = of(json!({"topology": "fat_tree"}));
    let (rail, rail_usd) = of(json!({"topology": "rail_optimized"}));
    let (dragonfly, _) = of(json!({"topology": "dragonfly"}));
    let (torus, torus_usd) = of(json!({"topology": "torus"}));
    let (thin, thin_usd) = of(json!({"oversubscription": 3}));
    assert_eq!((tree.switches, rail.switches, dragonfly.switches, torus.switches), (48, 48, 64, 32));
    assert_eq!(tree_usd, rail_usd);
    assert!(torus_usd < tree_usd && thin_usd < tree_usd);
    assert!(torus.bisection_gbps < 0.2 * tree.bisection_gbps && torus.oversubscription > 5.0);
    assert!(thin.bisection_gbps < tree.bisection_gbps && thin.oversubscription > 2.5 && thin.oversubscription <= 3.0);
    for (network, words) in
        [(&tree, "Fat-tree"), (&rail, "rails"), (&dragonfly, "Kim et al. 2008"), (&torus, "Torus of 4 × 4 × 2")]
    {
        assert!(network.why.contains(words), "{}", network.why);
        assert!(network.bisection_why.ends_with("Gb/s)."), "{}", network.bisection_why);
    }
}

#[test]
fn automatic_says_why_it_is_not_by_rail() {
    let auto = bought("h100-sxm", 128, json!({}));
    let network = build(&auto).network.as_ref().expect("a network");
    assert_eq!((network.topology.as_str(), network.switches), ("fat_tree", 6));
    assert!(network.why.contains("by rail would take more"), "{}", network.why);
    let asked = bought("h100-sxm", 128, json!({"topology": "rail_optimized"}));
    let network = build(&asked).network.as_ref().expect("a network");
    assert_eq!((network.topology.as_str(), network.switches), ("rail_optimized", 10));
}

#[test]
fn a_network_that_blocks_is_warned_about() {
    let warned = |overrides| bought("h100-sxm", 1_024, overrides).notices.iter().any(|n| n.code == "network_blocks");
    assert!(warned(json!({"oversubscription": 2})) && warned(json!({"topology": "torus"})));
    assert!(!warned(json!({})) && !warned(json!({"topology": "fat_tree"})));
}

#[test]
fn copper_stays_inside_a_rack() {
    // four servers of 10 units leave room for one switch, not for the storage node
    let plan = bought("h100-sxm", 32, json!({}));
    assert_eq!((build(&plan).racks.server_racks, build(&plan).racks.service_racks), (1, 1));
    let cable = line(&plan, "400G copper cable");
    assert!(cable.quantity == 32.0 && cable.why.contains("3 m inside one rack"), "{cable:?}");
    let both = bought("h100-sxm", 16, json!({}));
    assert_eq!(build(&both).racks.count, 1);
    // a second rack of servers is reached by fiber
    let two = bought("h100-sxm", 64, json!({}));
    assert!(two.bill_of_materials.iter().all(|l| !l.item.contains("copper")), "{:#?}", two.bill_of_materials);
}

#[test]
fn racks_say_what_fills_and_cools_them() {
    let of = |accelerator, most, overrides| bought(accelerator, most, overrides).build.expect("a cluster").racks;
    // 57.2 kW of air hold four servers of 14.3 kW, two of 20.4
    let b200 = of("b200", 256, json!({}));
    assert_eq!((b200.servers_per_rack, b200.server_racks, b200.cooling.as_str()), (4, 8, "air"));
    let mi355x = of("mi355x", 256, json!({}));
    assert_eq!((mi355x.servers_per_rack, mi355x.server_racks, mi355x.cooling.as_str()), (2, 16, "air"));
    let dense = of("mi355x", 256, json!({"rack_kw": 70}));
    assert_eq!((dense.servers_per_rack, dense.cooling.as_str()), (3, "rear_door"));
    let doors = bought("mi355x", 256, json!({"rack_kw": 70}));
    let doors = line(&doors, "Rear-door");
    assert_eq!((doors.quantity, doors.unit_usd), (11.0, None));
    let denser = of("mi355x", 256, json!({"rack_kw": 100}));
    assert_eq!((denser.servers_per_rack, denser.cooling.as_str()), (4, "direct_liquid"));
    let weak = of("b200", 16, json!({"rack_kw": 5}));
    assert_eq!(weak.servers_per_rack, 1);
    assert!(weak.why.contains("more than your rack gives"), "{}", weak.why);
    let rack = bought("gb200-nvl72", 144, json!({}));
    let racks = &build(&rack).racks;
    assert_eq!((racks.server_racks, racks.kw_each, racks.cooling.as_str()), (2, Some(132.0), "direct_liquid"));
    assert_eq!(line(&rack, "Coolant").quantity, 1.0);
    // the racks of the systems come with them
    assert_eq!(line(&rack, "Racks").quantity, racks.service_racks as f64);
    assert!(bought("b200", 256, json!({})).bill_of_materials.iter().all(|l| !l.item.contains("Coolant")));
}

#[test]
fn power_adds_up() {
    let plan = bought("h100-sxm", 1_024, json!({"pue": 1.25}));
    let power = &build(&plan).power;
    let servers = power.servers_kw.expect("known");
    assert!((servers - 128.0 * 10.2).abs() < 1e-6);
    let (it, facility) = (power.it_kw.expect("known"), power.facility_kw.expect("known"));
    assert!((it - servers * 1.14).abs() < 1e-6 && (facility - it * 1.25).abs() < 1e-6);
    // 48 switches of 1.1 kW and their plugs, inside the overhead
    let network = power.network_kw.expect("known");
    assert!(network > 48.0 * 1.1 && network < it - servers, "{network}");
}

#[test]
fn the_build_explains_itself() {
    let plan = bought("h100-sxm", 1_024, json!({"oversubscription": 2}));
    let explained = plan.explanations.as_ref().expect("explained");
    let b = build(&plan);
    let network = b.network.as_ref().expect("a network");
    for (key, value) in [
        ("network.switches", network.switches as f64),
        ("network.bisection_gbps", network.bisection_gbps),
        ("storage.drives", b.storage.drives as f64),
        ("racks.count", b.racks.count as f64),
        ("power.facility_kw", b.power.facility_kw.expect("known")),
    ] {
        let found = &explained[&format!("build.{key}")];
        assert_eq!(found.value, value, "{key}");
        assert!(found.terms.iter().all(|t| t.value.is_finite() && !t.source.is_empty()), "{found:?}");
    }
    let purchase = &explained["bill_of_materials.total_usd"];
    let sum: f64 = purchase.terms.iter().map(|t| t.value).sum();
    assert!((sum - purchase.value).abs() < 0.005, "{sum} {}", purchase.value);
}

#[test]
fn one_server_or_one_rack_has_no_network_to_buy() {
    for (accelerator, most, words) in [("h100-sxm", 8, "One server"), ("gb200-nvl72", 72, "One rack: NVLink")] {
        let plan = bought(accelerator, most, json!({}));
        assert!(build(&plan).network.is_none());
        assert!(build(&plan).no_network.as_ref().is_some_and(|why| why.contains(words)), "{:?}", build(&plan));
        assert!(plan.bill_of_materials.iter().all(|l| l.unit != "switch" && l.unit != "cable" && l.unit != "port"));
    }
}

#[test]
fn cards_are_bought_only_where_the_system_has_none() {
    let h100 = bought("h100-sxm", 64, json!({}));
    assert!(line(&h100, "H100").why.contains("network cards are part of the system"));
    assert!(h100.bill_of_materials.iter().all(|l| l.unit != "card"));
    let pcie = bought("rtx-pro-6000", 64, json!({}));
    // eight servers, eight devices of 25 Gb/s behind one port
    assert_eq!(line(&pcie, "ConnectX-7").quantity, 8.0);
}

#[test]
fn overrides_stand_in_place_of_counts_and_are_marked() {
    let share = bought("h100-sxm", 256, json!({"network_share_of_capital": 0.1}));
    let network = line(&share, "Network");
    assert_eq!(network.source, "your request");
    let servers = line(&share, "H100").total_usd.expect("priced");
    assert!((network.total_usd.expect("priced") - servers / 9.0).abs() < 0.01);
    assert!(share.bill_of_materials.iter().all(|l| !l.item.contains("QM9700") && !l.item.contains("SN2201")));
    let own = bought("h100-sxm", 256, json!({"storage_usd_per_tb": 500, "installation_share": 0.05}));
    for words in ["Shared flash storage", "Racks, power"] {
        assert_eq!(line(&own, words).source, "your request");
    }
    assert_eq!(line(&own, "Shared flash").unit_usd.expect("priced").typical, 500.0);
    // what is set to 0 is not held by a line that is not there
    let none = bought("h100-sxm", 256, json!({"storage_usd_per_tb": 0, "installation_share": 0}));
    for words in ["drive", "node", "Racks", "Power distribution"] {
        let line = line(&none, words);
        assert!(
            line.included_in.is_none() && line.source == "your request" && line.why.contains("set to 0"),
            "{line:?}"
        );
    }
}

#[test]
fn storage_follows_the_rate_that_is_asked_for() {
    let plan = bought("h100-sxm", 1_024, json!({"checkpoint_write_gb_per_second": 200}));
    let storage = &build(&plan).storage;
    assert_eq!((storage.binds.as_str(), storage.write_gb_per_second), ("write_rate", 200.0));
    // 200 GB/s over 65/24 a drive
    assert_eq!((storage.drives, storage.nodes), (74, 4));
    assert_eq!(line(&plan, "Shared flash").quantity, storage.usable_tb);
    let usual = bought("h100-sxm", 1_024, json!({}));
    let storage = &build(&usual).storage;
    assert_eq!((storage.read_gb_per_second, storage.write_gb_per_second), (160.0, 80.0));
    assert!(storage.usable_tb >= storage.needed_tb);
}

#[test]
fn a_missing_price_is_said_and_not_counted() {
    let plan = bought("h100-sxm", 256, json!({}));
    let front_end = line(&plan, "Network for storage");
    assert_eq!((front_end.quantity, front_end.unit_usd, front_end.total_usd), (64.0, None, None));
    assert!(front_end.included_in.is_none() && front_end.source == "no price found");
    let text = serde_json::to_value(front_end).expect("writes");
    assert!(text.get("unit_usd").is_none(), "absent, never 0: {text}");
}

/// A build whose racks stand, whose figures are finite, and which says of nothing unknown that it is 0.
fn stands(what: &str, build: &Build) {
    let floor = build.floor.as_ref().expect("a floor");
    let listed: u64 = floor.racks.iter().map(|run| run.last_place + 1 - run.first_place).sum();
    assert_eq!(listed + floor.more_racks, build.racks.count, "{what}");
    assert!(floor.racks.iter().all(|run| run.first_place <= run.last_place && !run.holds.is_empty()), "{what}");
    assert!(floor.area_m2 > 0.8 * 1.2 * build.racks.count as f64, "{what}: {floor:?}");
    let text = serde_json::to_value(build).expect("writes");
    // serde writes a number that is not finite as null
    assert!(!text.to_string().contains("null"), "{what}: {text}");
    let heat = build.heat.as_ref().expect("heat");
    assert_eq!(heat.heat_kw, build.power.it_kw, "{what}");
    for part in ["weight", "heat", "feeds"] {
        for (key, value) in text[part].as_object().expect("an object") {
            assert!(value.as_f64().is_none_or(|n| n > 0.0), "{what}: {part}.{key} {value}");
        }
    }
    let feeds = build.feeds.as_ref().expect("feeds");
    assert_eq!(feeds.rack_kw, build.racks.kw_each, "{what}");
    for stage in &feeds.stages {
        assert!(stage.units >= stage.needed && stage.unit_kva > 0.0, "{what}: {stage:?}");
        let carried = stage.needed as f64 * stage.unit_kva;
        assert!(
            stage.id == "rack_feed" || stage.id == "busway" || carried + 1e-6 >= stage.load_kva,
            "{what}: {stage:?}"
        );
    }
    let Some(cables) = &build.cables else { return assert!(build.network.is_none(), "{what}") };
    let links = &build.network.as_ref().expect("a network").links;
    for level in &cables.levels {
        let all = match level.id.as_str() {
            "device" => links.device,
            "near" => links.near,
            _ => links.far,
        };
        assert_eq!((level.links, level.by_length.iter().map(|c| c.links).sum::<u64>()), (all, all), "{what}");
        assert!(level.mean_meters > 0.0 && level.mean_meters <= level.longest_meters + 1e-9, "{what}: {level:?}");
    }
}

#[test]
fn every_kind_of_cluster_stands_on_a_floor() {
    for (accelerator, most, overrides) in [
        ("h100-sxm", 8, json!({})),
        ("h200-sxm", 64, json!({})),
        ("b200", 512, json!({"topology": "rail_optimized"})),
        ("gb200-nvl72", 72, json!({})),
        ("gb300-nvl72", 1_152, json!({})),
        ("h100-sxm", 16_384, json!({})),
        ("h100-sxm", 1_024, json!({"topology": "dragonfly"})),
        ("h100-sxm", 1_024, json!({"topology": "torus"})),
        ("h100-sxm", 512, json!({"topology": "rail_only"})),
        ("mi355x", 256, json!({"rack_kw": 70})),
        ("mi355x", 256, json!({"rack_kw": 100})),
        ("rtx-4090", 8, json!({})),
        ("rtx-5090", 64, json!({})),
        ("tpu-v5p", 64, json!({})),
        ("trainium-2", 64, json!({})),
    ] {
        let plan = plan(json!({
            "model": {"preset": "llama-3.2-1b"}, "training_tokens": 15_000_000_000_000_u64, "deadline_days": 1,
            "accelerators": [accelerator], "max_gpus": most, "overrides": overrides,
        }));
        let what = format!("{accelerator} {most} {overrides}");
        if let Some(build) = &plan.build {
            stands(&what, build);
        }
        assert!(plan.build.is_some() || plan.shown().is_none_or(|t| t.cluster.is_none()), "{what}");
    }
}

#[test]
fn the_bill_counts_cables_by_the_lengths_that_are_shown() {
    let plan = bought("h100-sxm", 16_384, json!({}));
    let cables = build(&plan).cables.as_ref().expect("a network");
    for (id, words) in [("device", "device links"), ("near", ", switch links"), ("far", "long switch links")] {
        let level = cables.levels.iter().find(|l| l.id == id).expect("a level");
        let line = plan.bill_of_materials.iter().find(|l| l.unit == "cable" && l.item.contains(words)).expect("a line");
        let kind = engine::catalog::Catalog::get().optics.iter().find(|o| o.label == level.cable).expect("known");
        let each = kind.cable_usd.value + kind.cable_usd_per_meter.value * level.mean_meters;
        assert_eq!(line.quantity, level.links as f64);
        assert!((line.unit_usd.expect("a price").typical - each).abs() < 0.006, "{line:?} {each}");
        assert!(line.why.contains(&format!("{} m on average", (level.mean_meters * 10.0).round() / 10.0)), "{line:?}");
    }
    assert_eq!(
        cables.levels.iter().map(|l| l.medium.as_str()).collect::<Vec<_>>(),
        ["multimode", "multimode", "single_mode"]
    );
}

#[test]
fn feeds_and_flows_by_hand() {
    let plan = bought("h100-sxm", 1_024, json!({"pue": 1.25}));
    let b = build(&plan);
    let feeds = b.feeds.as_ref().expect("feeds");
    // four servers of 10.2 kW: 40,800 W over √3 · 415 V · 0.95, a breaker at 80 %
    let amps = 40_800.0 / (3.0_f64.sqrt() * 415.0 * 0.95);
    assert!((feeds.rack_amps.expect("known") - amps).abs() < 1e-6);
    assert!((feeds.rack_breaker_amps.expect("known") - amps / 0.8).abs() < 1e-6);
    // four of six supplies are needed: two feeds leave three
    assert_eq!((feeds.supplies, feeds.supplies_needed, feeds.feeds_to_hold), (Some(6), Some(4), Some(3)));
    assert!(feeds.why.contains("it does not hold full load; with 3 feeds it does"), "{}", feeds.why);
    // 1,488.4 kW of IT is 1,566.7 kVA: two units of UPS a path; 1,860.5 kW at the facility one transformer, one generator
    let units: Vec<(&str, u64, u64)> = feeds.stages.iter().map(|s| (s.id.as_str(), s.units, s.needed)).collect();
    assert_eq!(units[..4], [("utility", 2, 1), ("generator", 2, 1), ("transformer", 2, 1), ("ups", 4, 2)]);
    let weight = b.weight.as_ref().expect("weight");
    assert!((weight.rack_kg.expect("known") - (4.0 * 130.45 + 150.0)).abs() < 1e-9);
    assert!((weight.floor_kg_per_m2.expect("known") - 671.8 / 0.96).abs() < 1e-6);
    let heat = b.heat.as_ref().expect("heat");
    let it = 128.0 * 10.2 * 1.14;
    assert!((heat.air_m3_per_hour.expect("known") - it * 3_600.0 / (1.2 * 1.005 * 16.0)).abs() < 1e-6);
    assert_eq!(heat.water_kw, None);
    assert!((heat.make_up_m3_per_day.expect("known") - it * 0.75 * 24.0 * 0.38 / 1_000.0).abs() < 1e-9);
    // 115 of 132 kW of a rack go to water
    let racks = bought("gb200-nvl72", 144, json!({}));
    let heat = build(&racks).heat.as_ref().expect("heat");
    assert!((heat.water_kw.expect("known") - 2.0 * 132.0 * 0.871).abs() < 1e-9);
    let weight = build(&racks).weight.as_ref().expect("weight");
    assert!((weight.floor_kg_per_m2.expect("known") - 1_360.0 / (0.6 * 1.068)).abs() < 1e-6);
}
