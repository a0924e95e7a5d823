//! Dragonfly: groups of fully joined switches, and links between every two groups.

use super::shape::{Design, Shape};

/// Counts a balanced dragonfly; `None` beyond its largest size or below radix 3.
///
/// A switch has p device ports, a − 1 links inside its group of a, and h links to other groups; balanced for load is
/// a = 2p = 2h (Kim, Dally, Scott, Abts 2008), so radix k ≥ 4h − 1 gives h = ⌊(k + 1)/4⌋ and at most a·h + 1 groups
/// of a·p devices. Groups smaller than that are equal in size, and all global ports are shared out evenly.
///
/// Bisection: between two halves of the g groups run ⌊g/2⌋·⌈g/2⌉·w links, w links for each pair of groups; inside one
/// group ⌊a/2⌋·⌈a/2⌉.
pub(crate) fn dragonfly(ports: u64, radix: u64) -> Option<Shape> {
    let h = (radix + 1) / 4;
    if ports == 0 || h == 0 {
        return None;
    }
    let (p, a) = (h, 2 * h);
    let groups = ports.div_ceil(a * p);
    if groups > a * h + 1 {
        return None;
    }
    let halves = |n: u64| (n / 2) * n.div_ceil(2);
    let enough = groups.saturating_sub(1).div_ceil(h);
    let group_switches = ports.div_ceil(groups).div_ceil(p).max(enough);
    let per_pair = if groups > 1 { group_switches * h / (groups - 1) } else { 0 };
    let near_links = groups * group_switches * group_switches.saturating_sub(1) / 2;
    let far_links = per_pair * groups * (groups - 1) / 2;
    let cut = if groups > 1 { per_pair * halves(groups) } else { halves(group_switches) };
    // the global links of a group, shared out over its switches
    let global_ports = (per_pair * groups.saturating_sub(1)).div_ceil(group_switches);
    Some(Shape {
        design: Design::Dragonfly { groups, group_switches },
        tiers: 1,
        leaves: groups * group_switches,
        spines: 0,
        cores: 0,
        pods: 1,
        device_links: ports,
        near_links,
        far_links,
        near_switches: group_switches,
        leaf_ports: ports.div_ceil(groups * group_switches) + group_switches - 1 + global_ports,
        spine_ports: 0,
        core_ports: 0,
        cut_links: cut as f64,
    })
}
