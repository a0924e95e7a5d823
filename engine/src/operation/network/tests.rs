//! Counts of networks: published designs, and what every network keeps.

use super::clos::{fat_tree, leaf_down, rail_optimized};
use super::dragonfly::dragonfly;
use super::shape::{Design, Shape};
use super::torus::torus;
use super::*;
use crate::catalog::Medium;
use crate::operation::racks;
use crate::operation::storage::{Rates, storage_need};
use crate::request::{Form, PlanRequest, StorageClass};
use cabling::Placed;
use proptest::prelude::*;
use serde_json::json;

fn levels(shape: &Shape) -> (u32, u64, u64, u64) {
    (shape.tiers, shape.leaves, shape.spines, shape.cores)
}

#[test]
fn trees_equal_the_published_designs() {
    // ports, radix: tiers, leaves, spines, cores
    let published = [
        // 1,024 devices on 64-port switches (Cheah 2024: 48 switches)
        (1_024, 64, (2, 32, 16, 0)),
        // the largest two-tier tree, k²/2
        (2_048, 64, (2, 64, 32, 0)),
        (10_368, 144, (2, 144, 72, 0)),
        (8_192, 128, (2, 128, 64, 0)),
        // full pods of 1,024
        (4_096, 64, (3, 128, 128, 64)),
        (16_384, 64, (3, 512, 512, 256)),
        // the largest three-tier tree, k³/4
        (65_536, 64, (3, 2_048, 2_048, 1_024)),
        // 7 units of 1,728 ports on 144-port switches
        (12_096, 144, (3, 168, 216, 108)),
    ];
    for (ports, radix, expected) in published {
        let tree = fat_tree(ports, radix, 1.0).expect("fits");
        assert_eq!(levels(&tree), expected, "{ports} on {radix}");
        assert_eq!(tree.cut_links, tree.device_links as f64 / 2.0, "{ports}: full bisection");
    }
}

#[test]
fn a_scalable_unit_is_256_devices_on_8_leaves() {
    for units in 1..=8 {
        let tree = rail_optimized(256 * units, 8, 64, 1.0).expect("fits");
        assert_eq!(levels(&tree), (2, 8 * units, 4 * units, 0));
        assert_eq!(tree.leaf_ports, 64);
    }
    assert_eq!(levels(&rail_optimized(4_096, 8, 64, 1.0).expect("fits")), (3, 128, 128, 64));
    // a unit that is not full keeps a leaf for each rail
    assert_eq!(levels(&rail_optimized(128, 8, 64, 1.0).expect("fits")), (2, 8, 2, 0));
}

#[test]
fn rails_alone_join_as_many_servers_as_a_switch_has_ports() {
    // 512 devices of 64 servers on 8 switches of 64 ports (Cheah 2024)
    let rails = shape(Topology::RailOnly, 1.0, 512, 8, 64).expect("fits");
    assert_eq!((rails.design, levels(&rails)), (Design::RailOnly { rails: 8 }, (1, 8, 0, 0)));
    assert_eq!((rails.near_links, rails.device_links, rails.leaf_ports, rails.cut_links), (0, 512, 64, 256.0));
    assert_eq!(shape(Topology::RailOnly, 1.0, 520, 8, 64), None);
    // what fits in one switch takes one, whatever the topology
    assert_eq!(shape(Topology::RailOnly, 1.0, 64, 8, 64).map(|s| s.design), Some(Design::Single));
}

#[test]
fn the_third_tier_starts_beyond_half_the_radix_squared() {
    for radix in [32_u64, 64, 128, 144] {
        let most = radix * radix / 2;
        assert_eq!(fat_tree(most, radix, 1.0).expect("fits").tiers, 2, "{radix}");
        assert_eq!(fat_tree(most + 1, radix, 1.0).expect("fits").tiers, 3, "{radix}");
        let largest = radix * radix * radix / 4;
        assert!(fat_tree(largest, radix, 1.0).is_some() && fat_tree(largest + 1, radix, 1.0).is_none(), "{radix}");
    }
}

#[test]
fn oversubscription_takes_uplinks_away() {
    // 3:1 on 64 ports is 48 down, 16 up
    assert_eq!(leaf_down(64, 3.0), 48);
    let tree = fat_tree(1_536, 64, 3.0).expect("fits");
    assert_eq!(levels(&tree), (2, 32, 8, 0));
    assert_eq!((tree.leaf_ports, tree.near_links, tree.cut_links), (64, 512, 256.0));
    assert_eq!(leaf_down(64, 1.0), 32);
    assert_eq!(leaf_down(64, 32.0), 62);
}

#[test]
fn dragonflies_follow_the_balance_of_the_paper() {
    // radix 63 and 64: h = 16, p = 16, a = 32, groups of 512 devices, at most 513 groups
    let two = dragonfly(1_024, 64).expect("fits");
    assert_eq!(two.design, Design::Dragonfly { groups: 2, group_switches: 32 });
    assert_eq!((two.leaves, two.leaf_ports), (64, 63));
    assert_eq!((two.near_links, two.far_links), (2 * 32 * 31 / 2, 512));
    let largest = dragonfly(512 * 513, 64).expect("fits");
    // one link for each pair of groups, 256·257 of them in the cut: half of what half the devices send
    assert_eq!((largest.far_links, largest.cut_links), (513 * 512 / 2, 256.0 * 257.0));
    assert!((largest.cut_links / (512.0 * 513.0 / 2.0) - 0.5).abs() < 0.01);
    assert!(dragonfly(512 * 513 + 1, 64).is_none());
    // the example of the paper: radix 7 has h = 2, p = 2, a = 4, 72 devices in 9 groups
    let small = dragonfly(72, 7).expect("fits");
    assert_eq!((small.design, small.leaves), (Design::Dragonfly { groups: 9, group_switches: 4 }, 36));
    assert_eq!((small.near_links, small.far_links), (9 * 6, 36));
}

#[test]
fn a_torus_is_cheap_and_narrow() {
    // 32 switches of 32 devices as 4 × 4 × 2, 5 links for each neighbor
    let grid = torus(1_024, 64).expect("fits");
    assert_eq!(grid.design, Design::Torus { sides: [4, 4, 2] });
    assert_eq!((grid.leaves, grid.near_links), (32, 5 * 32 * 3));
    // 2·S/longest = 16 neighbors cut, 80 links; the tree has 512
    assert_eq!(grid.cut_links, 80.0);
    let cube = torus(64 * 32, 64).expect("fits");
    // k-ary n-cube, k = 4, n = 3: 2·k² = 32 neighbors
    assert_eq!((cube.design, cube.cut_links), (Design::Torus { sides: [4, 4, 4] }, 32.0 * 5.0));
}

#[test]
fn automatic_takes_rails_only_where_they_cost_nothing() {
    let auto = |ports| shape(Topology::Auto, 1.0, ports, 8, 64).expect("fits").design;
    assert_eq!(auto(64), Design::Single);
    assert_eq!(auto(1_024), Design::RailOptimized { rails: 8 });
    assert_eq!(auto(128), Design::FatTree);
    for ports in (8..6_000).step_by(8) {
        let chosen = shape(Topology::Auto, 1.0, ports, 8, 64).expect("fits");
        let plain = shape(Topology::FatTree, 1.0, ports, 8, 64).expect("fits");
        assert!(chosen.switches() <= plain.switches(), "{ports}");
    }
}

fn any_shape() -> impl Strategy<Value = (Topology, f64, u64, u64, u64)> {
    let topology = prop::sample::select(Topology::ALL.to_vec());
    let radix = prop::sample::select(vec![32_u64, 36, 63, 64, 65, 128, 144]);
    (topology, 1.0..32.0_f64, 1_u64..140_000, 1_u64..=16, radix)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_switch_has_more_links_than_ports_and_every_link_two_ends((topology, o, ports, rails, radix) in any_shape()) {
        let Some(s) = shape(topology, o, ports, rails, radix) else { return Ok(()) };
        prop_assert!(s.leaf_ports <= radix && s.spine_ports <= radix && s.core_ports <= radix, "{:?}", s);
        // ports of a level hold what is plugged into it
        prop_assert_eq!(s.device_links, ports);
        let ends = 2 * (s.near_links + s.far_links) + s.device_links;
        prop_assert!(ends <= s.leaves * s.leaf_ports + s.spines * s.spine_ports + s.cores * s.core_ports, "{:?}", s);
        match s.design {
            Design::FatTree | Design::RailOptimized { .. } => {
                prop_assert!(s.device_links + s.near_links <= s.leaves * s.leaf_ports);
                prop_assert!(s.near_links + s.far_links <= s.spines * s.spine_ports);
                prop_assert!(s.far_links <= s.cores * s.core_ports);
                // a leaf has as many uplinks as the oversubscription asks, rounded up
                let up = s.near_links / s.leaves;
                prop_assert!((s.leaf_ports - up) as f64 <= up as f64 * o + 1e-6);
                prop_assert!(s.cut_links * o + 1e-6 >= ports as f64 / 2.0);
                // each leaf reaches each spine of its pod
                prop_assert!(up >= s.spines / s.pods && s.pods <= radix);
            }
            Design::Dragonfly { groups, group_switches } => {
                prop_assert_eq!(s.leaves, groups * group_switches);
                prop_assert!(groups == 1 || s.far_links >= groups * (groups - 1) / 2);
            }
            Design::Torus { sides } => prop_assert_eq!(sides.iter().product::<u64>(), s.leaves),
            Design::Single => prop_assert!(ports <= radix),
            Design::RailOnly { rails } => {
                prop_assert!(ports.div_ceil(rails) <= radix && s.leaves == rails && s.near_links == 0);
            }
        }
        prop_assert!(s.cut_links > 0.0 || ports == 1 || s.leaves == 1, "{:?}", s);
    }

    #[test]
    fn more_oversubscription_never_takes_more_switches_or_gives_more_bisection(ports in 65_u64..60_000, o in 1.0..16.0_f64) {
        let (plain, thin) = (fat_tree(ports, 64, 1.0), fat_tree(ports, 64, o));
        let (Some(plain), Some(thin)) = (plain, thin) else { return Ok(()) };
        prop_assert!(thin.switches() <= plain.switches() && thin.cut_links <= plain.cut_links);
    }
}

fn request(overrides: serde_json::Value) -> PlanRequest {
    let value = json!({ "model": { "preset": "llama-3.1-8b" }, "overrides": overrides });
    PlanRequest::parse(&value, Form::Json).expect("a valid request")
}

fn of(accelerator: &str, gpus: u32, overrides: serde_json::Value) -> Option<NetworkBuild> {
    let accelerator = Catalog::get().accelerator(accelerator).expect("known");
    let gbps = accelerator.network_gbps_per_gpu.as_ref().map_or(25.0, |f| f.value);
    let fabric = if accelerator.vendor == "NVIDIA" { "infiniband" } else { "roce" };
    build(&request(overrides), accelerator, fabric, gbps, gpus)
}

#[test]
fn products_fit_the_rate_and_the_size() {
    let h100 = of("h100-sxm", 1_024, json!({})).expect("a network");
    assert_eq!((h100.switch.id.as_str(), h100.shape.leaves, h100.shape.spines), ("quantum-2-qm9700", 32, 16));
    assert_eq!(h100.bisection_gbps(), 512.0 * 400.0);
    // 800 Gb/s a device takes switches of 800 Gb/s
    assert_eq!(of("b300", 64, json!({})).expect("a network").switch.id, "quantum-x800-q3400");
    assert_eq!(of("mi300x", 64, json!({})).expect("a network").switch.fabric, "roce");
    // beyond what 64 ports join in three tiers, larger switches
    assert_eq!(of("h100-sxm", 65_536, json!({})).expect("a network").switch.ports, 64);
    assert_eq!(of("h100-sxm", 65_544, json!({})).expect("a network").switch.ports, 144);
    // one server or one rack needs none; a second rack does
    assert!(of("h100-sxm", 8, json!({})).is_none() && of("gb200-nvl72", 72, json!({})).is_none());
    let racks = of("gb200-nvl72", 144, json!({})).expect("a network");
    assert_eq!((racks.shape.device_links, racks.ports_per_node), (144, 4));
    // servers whose devices take 25 Gb/s share one port
    let pcie = of("rtx-pro-6000", 64, json!({})).expect("a network");
    assert_eq!((pcie.shape.device_links, pcie.ports_per_node, pcie.port_gbps), (8, 1, 200.0));
    // more than three tiers of the only Ethernet switch of 800 Gb/s hold
    let mi300x = Catalog::get().accelerator("mi300x").expect("known");
    assert!(build(&request(json!({})), mi300x, "roce", 800.0, 131_072).is_none());
}

/// The network of a cluster, how its racks stand, and its cables.
fn cabled(accelerator: &str, gpus: u32, overrides: serde_json::Value) -> Option<(NetworkBuild, Placed, Cabling)> {
    let network = of(accelerator, gpus, overrides.clone())?;
    let accelerator = Catalog::get().accelerator(accelerator).expect("known");
    let storage = storage_need(1e12, 4.0, 1e12, Rates::of(StorageClass::Standard, f64::from(gpus), None));
    let racks = racks::racks(&request(overrides), accelerator, gpus, Some(&network), &storage);
    let placed = Placed::of(&network, &racks, systems(accelerator, gpus));
    Some((network, placed, cabling::cabling(&network, &placed)))
}

#[test]
fn plugs_are_shared_and_cables_fit_their_reach() {
    let (_, placed, two_tier) = cabled("h100-sxm", 1_024, json!({})).expect("a network");
    let device = two_tier.device.expect("links");
    let plug = device.switch_plug.expect("fiber");
    // 1,024 links: 512 twin-port plugs in leaves, 1,024 plugs in servers
    assert_eq!((plug.0.gbps, plug.1, device.switch_plugs(), device.device_ends), (800, 2, 512, 1_024));
    let near = two_tier.near.expect("links");
    assert_eq!((near.links, near.switch_plugs(), near.device_ends), (1_024, 1_024, 0));
    // half of the links between switches stay in their rack, half go to the other, two rows on
    assert_eq!(placed.by_length(&two_tier)[1], [512, 512, 0, 0, 0, 0]);
    // four servers share a rack with their switch, and a unit's twelve switches share one too
    let small = |gpus| cabled("h100-sxm", gpus, json!({})).expect("a network").2;
    assert!(small(32).device.expect("links").switch_plug.is_none());
    assert!(small(256).near.expect("links").switch_plug.is_none());
    // a hall of 16,384 is longer than multimode fiber reaches, its rows are not
    let large = small(16_384);
    assert_eq!(large.device.expect("links").cable.medium, Medium::Multimode);
    assert_eq!(large.far.expect("links").cable.medium, Medium::SingleMode);
    for accelerator in ["h100-sxm", "b300", "mi300x", "a100-sxm-80", "gb300-nvl72", "gaudi-3"] {
        for gpus in [16, 32, 144, 1_000, 5_000, 60_000] {
            for topology in Topology::ALL {
                let Some((n, placed, c)) = cabled(accelerator, gpus, json!({ "topology": topology.id() })) else {
                    continue;
                };
                let classes = [c.device, c.near, c.far];
                let links: u64 = classes.iter().flatten().map(|c| c.links).sum();
                assert_eq!(links, n.shape.device_links + n.shape.near_links + n.shape.far_links);
                for (class, counted) in classes.iter().zip(placed.by_length(&c)) {
                    assert_eq!(counted.iter().sum::<u64>(), class.map_or(0, |c| c.links));
                    let Some(class) = class else { continue };
                    let (mean, longest) = (class.lengths.mean, class.lengths.longest);
                    assert!(class.cable.reach_meters.is_none_or(|reach| longest <= reach), "{class:?}");
                    assert!(mean > 0.0 && mean <= longest + 1e-9, "{class:?}");
                    // nothing is counted beyond the longest, and the mean lies between the ends of the classes
                    let ends: Vec<f64> = cabling::CLASSES_METERS.into_iter().chain([longest.max(100.0)]).collect();
                    let starts: Vec<f64> = [0.0].into_iter().chain(cabling::CLASSES_METERS).collect();
                    assert!(
                        counted.iter().zip(&starts).all(|(n, from)| *n == 0 || *from < longest + 1e-9),
                        "{class:?}"
                    );
                    let at = |edges: &[f64]| {
                        counted.iter().zip(edges).map(|(n, m)| *n as f64 * m).sum::<f64>() / class.links as f64
                    };
                    // a link of a class that is not whole is counted in the next
                    let off = 100.0 / class.links as f64 + 1e-9;
                    assert!(at(&starts) <= mean + off && mean <= at(&ends) + off, "{class:?} {counted:?}");
                    assert_eq!(class.switch_ends + class.device_ends, 2 * class.links);
                    assert!(
                        class.switch_plugs() * class.switch_plug.map_or(1, |p| p.1) >= class.switch_ends
                            || class.switch_plug.is_none()
                    );
                    assert!(class.cable_usd().typical > 0.0 && class.watts() > 0.0);
                    // both ends of a link speak over the same fiber
                    let media: Vec<_> = [class.switch_plug.map(|p| p.0), class.device_plug]
                        .into_iter()
                        .flatten()
                        .map(|o| o.medium)
                        .collect();
                    assert!(media.iter().all(|m| *m == class.cable.medium));
                }
            }
        }
    }
}
