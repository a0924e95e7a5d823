//! Switches and links of the scale-out network.

pub(crate) mod cabling;
pub(crate) mod clos;
pub(crate) mod dragonfly;
pub(crate) mod shape;
pub(crate) mod torus;
pub(crate) mod why;

#[cfg(test)]
mod tests;

use crate::catalog::{Accelerator, Catalog, Switch};
use crate::request::{PlanRequest, Topology};
use cabling::Cabling;
use shape::{Design, Shape};
use std::sync::LazyLock;

/// Rate below which the devices of a server share network cards instead of having one each, Gb/s (judgement).
const OWN_NIC_GBPS: f64 = 100.0;

/// The network of a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NetworkBuild {
    pub switch: &'static Switch,
    pub shape: Shape,
    /// Network ports of one server.
    pub ports_per_node: u64,
    /// Rate that one port is used at, Gb/s.
    pub port_gbps: f64,
    /// Downlinks per uplink that was asked for.
    pub asked_oversubscription: f64,
    /// Topology that was asked for.
    pub asked_topology: Topology,
}

impl NetworkBuild {
    /// Traffic per direction that can cross the worst halving of the devices, Gb/s: what the links in the cut carry,
    /// at most what half the devices send.
    pub(crate) fn bisection_gbps(&self) -> f64 {
        let cut = self.shape.cut_links * f64::from(self.switch.port_gbps);
        cut.min(self.half_of_devices_gbps())
    }

    /// What half the devices can send, Gb/s.
    pub(crate) fn half_of_devices_gbps(&self) -> f64 {
        self.shape.device_links as f64 / 2.0 * self.port_gbps
    }

    /// The uplinks are as thin as the request asks: a tree of more than one switch.
    pub(crate) fn oversubscribes(&self) -> bool {
        matches!(self.shape.design, Design::FatTree | Design::RailOptimized { .. })
    }

    /// Typical draw of switches and links, kW; `None` where the switch has no figure.
    pub(crate) fn kw(&self, cabling: &Cabling) -> Option<f64> {
        let switches = self.shape.switches() as f64 * self.switch.watts.as_ref()?.value;
        let links = [cabling.device, cabling.near, cabling.far];
        Some((switches + links.iter().flatten().map(|l| l.watts()).sum::<f64>()) / 1_000.0)
    }
}

/// Whole systems (servers or racks) that a number of devices takes.
pub(crate) fn systems(accelerator: &Accelerator, gpus: u32) -> u64 {
    u64::from(gpus.div_ceil(accelerator.system_gpus))
}

/// Servers (trays) of whole systems.
pub(crate) fn nodes(accelerator: &Accelerator, gpus: u32) -> u64 {
    systems(accelerator, gpus) * u64::from(accelerator.system_gpus / accelerator.gpus_per_node.max(1)).max(1)
}

/// Builds the network of a cluster of at least `gpus` devices with `gbps` each; `None` for one system, which its
/// scale-up link joins, and beyond what the largest switch of the fabric can join.
pub(crate) fn build(
    request: &PlanRequest,
    accelerator: &Accelerator,
    fabric: &str,
    gbps: f64,
    gpus: u32,
) -> Option<NetworkBuild> {
    let systems = systems(accelerator, gpus);
    if systems < 2 {
        return None;
    }
    let per_node = u64::from(accelerator.gpus_per_node);
    let topology = request.overrides.topology.unwrap_or(Topology::Auto);
    let oversubscription = request.overrides.scalar("oversubscription").unwrap_or(1.0);
    let nodes = nodes(accelerator, gpus);
    let build = |switch: &'static Switch| {
        let ports_per_node = ports_per_node(per_node, gbps, switch);
        let shape = shape(topology, oversubscription, nodes * ports_per_node, ports_per_node, u64::from(switch.ports))?;
        let port_gbps = gbps * per_node as f64 / ports_per_node as f64;
        Some(NetworkBuild {
            switch,
            shape,
            ports_per_node,
            port_gbps,
            asked_oversubscription: oversubscription,
            asked_topology: topology,
        })
    };
    let family = if fabric == "infiniband" || fabric == "omnipath" { "infiniband" } else { "roce" };
    let of_family = || SWITCHES.iter().copied().filter(|s| s.fabric == family);
    of_family()
        .filter(|s| f64::from(s.port_gbps) >= gbps)
        .find_map(build)
        // faster ports than there are: as many of the fastest as it takes
        .or_else(|| of_family().next_back().filter(|s| f64::from(s.port_gbps) < gbps).and_then(build))
}

/// Switches for devices, slowest first.
static SWITCHES: LazyLock<Vec<&'static Switch>> = LazyLock::new(|| {
    let mut all: Vec<&Switch> = Catalog::get().switches.iter().filter(|s| s.ports >= 32).collect();
    all.sort_by_key(|s| (s.port_gbps, &s.id));
    all
});

/// One port for each device, shared cards for slow devices, several ports where one is too slow.
fn ports_per_node(devices: u64, gbps: f64, switch: &Switch) -> u64 {
    let needed = (devices as f64 * gbps / f64::from(switch.port_gbps) - 1e-9).ceil().max(1.0) as u64;
    if gbps < OWN_NIC_GBPS { needed } else { needed.max(devices) }
}

/// Joins a number of ports by switches of `radix` ports.
///
/// Automatic takes one switch where all ports fit; else leaves by rail where that takes no more switches than a plain
/// fat-tree, which it doesn't when scalable units are full, and the plain tree otherwise.
pub(crate) fn shape(topology: Topology, oversubscription: f64, ports: u64, rails: u64, radix: u64) -> Option<Shape> {
    if let Some(single) = Shape::single(ports, radix) {
        return Some(single);
    }
    let plain = || clos::fat_tree(ports, radix, oversubscription);
    let by_rail = || clos::rail_optimized(ports, rails, radix, oversubscription);
    match topology {
        Topology::FatTree => plain(),
        Topology::RailOptimized => by_rail(),
        Topology::RailOnly => Shape::rail_only(ports, rails, radix),
        Topology::Dragonfly => dragonfly::dragonfly(ports, radix),
        Topology::Torus => torus::torus(ports, radix),
        Topology::Auto => {
            let plain = plain();
            let by_rail = by_rail().filter(|_| rails > 1);
            by_rail.filter(|r| plain.is_none_or(|p| r.switches() <= p.switches())).or(plain)
        }
    }
}
