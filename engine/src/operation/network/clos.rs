//! Fat-trees (folded Clos networks) of two and three tiers, plain and rail-optimized.

use super::shape::{Design, Shape};

/// Counts the fat-tree for a number of ports on switches of `radix` ports; `None` beyond what three tiers hold.
///
/// A leaf has d ports down and d/o up with d + d/o ≤ k, so d = ⌊k·o/(1 + o)⌋ for radix k and oversubscription o.
/// Two tiers hold k leaves, hence k²/2 ports when non-blocking, with ⌈N/d⌉ leaves and ⌈uplinks/k⌉ spines. Beyond, leaves
/// are put into pods of k/2 with one link to every spine of the pod, and each spine has k/2 links up to the cores:
/// k³/4 ports when non-blocking (Al-Fares, Loukissas, Vahdat 2008; standard Clos arithmetic). Pods are wired in full,
/// so that leaves can be added later.
pub(crate) fn fat_tree(ports: u64, radix: u64, oversubscription: f64) -> Option<Shape> {
    tree(ports, None, radix, oversubscription)
}

/// Counts the tree whose leaves each serve one rail: the devices of the same index of their servers.
///
/// With 8 rails and 64 ports a leaf serves 32 servers, and 8 leaves a scalable unit of 256 devices (NVIDIA DGX
/// SuperPOD reference architecture).
pub(crate) fn rail_optimized(ports: u64, rails: u64, radix: u64, oversubscription: f64) -> Option<Shape> {
    tree(ports, Some(rails.max(1)), radix, oversubscription)
}

/// Ports of a leaf that face devices.
pub(crate) fn leaf_down(radix: u64, oversubscription: f64) -> u64 {
    let down = radix as f64 * oversubscription / (1.0 + oversubscription);
    ((down + 1e-9).floor() as u64).clamp(1, radix.saturating_sub(1).max(1))
}

fn tree(ports: u64, rails: Option<u64>, radix: u64, oversubscription: f64) -> Option<Shape> {
    if ports == 0 || radix < 2 {
        return None;
    }
    let per_rail = ports.div_ceil(rails.unwrap_or(1));
    let leaves_per_rail = per_rail.div_ceil(leaf_down(radix, oversubscription));
    let leaves = rails.unwrap_or(1) * leaves_per_rail;
    // devices are spread evenly, and every leaf is wired alike
    let down = per_rail.div_ceil(leaves_per_rail);
    let up = ((down as f64 / oversubscription - 1e-9).ceil() as u64).max(1);
    let near_links = leaves * up;
    let design = rails.map_or(Design::FatTree, |rails| Design::RailOptimized { rails });
    let two = Shape {
        design,
        tiers: 2,
        leaves,
        spines: near_links.div_ceil(radix),
        cores: 0,
        pods: 1,
        device_links: ports,
        near_links,
        far_links: 0,
        near_switches: leaves + near_links.div_ceil(radix),
        leaf_ports: down + up,
        spine_ports: near_links.div_ceil(near_links.div_ceil(radix)),
        core_ports: 0,
        cut_links: near_links as f64 / 2.0,
    };
    if leaves <= radix {
        return Some(two);
    }
    let half = radix / 2;
    let pods = leaves.div_ceil(half);
    if pods > radix {
        return None;
    }
    let leaves_per_pod = leaves.div_ceil(pods);
    let spines = pods * up;
    let far_links = spines * half;
    let cores = far_links.div_ceil(radix);
    Some(Shape {
        tiers: 3,
        spines,
        cores,
        pods,
        far_links,
        near_switches: leaves_per_pod + up,
        spine_ports: leaves_per_pod + half,
        core_ports: far_links.div_ceil(cores),
        cut_links: near_links.min(far_links) as f64 / 2.0,
        ..two
    })
}
