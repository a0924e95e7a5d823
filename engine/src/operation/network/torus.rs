//! Torus of switches: a grid of up to three dimensions that closes on itself.

use super::shape::{Design, Shape};

/// Counts a torus; `None` for switches with fewer than 12 ports.
///
/// Half the ports of a switch face devices (judgement), the other half is shared over its six neighbors. The grid is
/// the smallest near-cubic one that holds the switches.
///
/// Bisection of a k-ary n-cube: 2·kⁿ⁻¹ channels, here 2·S/longest side for S switches, times the links per neighbor
/// (Dally 1990).
pub(crate) fn torus(ports: u64, radix: u64) -> Option<Shape> {
    let down = radix / 2;
    let per_neighbor = (radix - down) / 6;
    if ports == 0 || per_neighbor == 0 {
        return None;
    }
    let sides = grid(ports.div_ceil(down));
    let switches: u64 = sides.iter().product();
    let dimensions = sides.iter().filter(|side| **side > 1).count() as u64;
    let longest = sides[0];
    let cut = if longest > 1 { (2 * per_neighbor * switches / longest) as f64 } else { ports as f64 / 2.0 };
    Some(Shape {
        design: Design::Torus { sides },
        tiers: 1,
        leaves: switches,
        spines: 0,
        cores: 0,
        pods: 1,
        device_links: ports,
        near_links: per_neighbor * switches * dimensions,
        far_links: 0,
        near_switches: switches,
        leaf_ports: ports.div_ceil(switches) + 2 * dimensions * per_neighbor,
        spine_ports: 0,
        core_ports: 0,
        cut_links: cut,
    })
}

/// The smallest grid of at least `switches`, longest side first; no side is much longer than the cube's.
fn grid(switches: u64) -> [u64; 3] {
    let most = (switches as f64).cbrt().ceil() as u64 + 1;
    let mut best = [most; 3];
    for z in 1..=most {
        for y in z..=most {
            let x = switches.div_ceil(y * z).max(y);
            let better = (x * y * z, x) < (best.iter().product(), best[0]);
            if x <= most && better {
                best = [x, y, z];
            }
        }
    }
    best
}
