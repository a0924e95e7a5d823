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
