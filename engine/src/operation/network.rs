//! Switches and links of the scale-out network.

use crate::catalog::{Catalog, Optic, Switch};

/// A folded-Clos (fat-tree) network, counted.
#[derive(Clone, Debug)]
pub(crate) struct NetworkBuild {
    pub switch: &'static Switch,
    pub optic: Option<&'static Optic>,
    /// Levels of switches: 1, 2 or 3.
    pub levels: u32,
    pub leaves: u64,
    pub spines: u64,
    pub cores: u64,
    /// Links from devices to leaves.
    pub device_links: u64,
    /// Links between switches.
    pub switch_links: u64,
}

impl NetworkBuild {
    pub(crate) fn switches(&self) -> u64 {
        self.leaves + self.spines + self.cores
    }

    pub(crate) fn why(&self) -> String {
        match self.levels {
            1 => format!("{} ports fit in one switch of {} ports", self.device_links, self.switch.ports),
            2 => format!(
                "non-blocking two-tier fat-tree: {} leaves (half of {} ports down), {} spines",
                self.leaves, self.switch.ports, self.spines
            ),
            _ => format!(
                "non-blocking three-tier fat-tree: {} leaves, {} spines, {} cores",
                self.leaves, self.spines, self.cores
            ),
        }
    }
}

/// Counts a non-blocking network of one port per device.
///
/// One switch of radix k holds k ports; two tiers hold k²/2 with ⌈N/(k/2)⌉ leaves and half as many spines; three
/// tiers hold k³/4 with as many spines as leaves and half as many cores (standard Clos arithmetic).
pub(crate) fn build(fabric: &str, gbps: f64, ports: u64) -> Option<NetworkBuild> {
    let catalog = Catalog::get();
    let family = if fabric == "infiniband" || fabric == "omnipath" { "infiniband" } else { "roce" };
    let switch = catalog
        .switches
        .iter()
        .filter(|s| s.fabric == family && f64::from(s.port_gbps) >= gbps && s.ports >= 32)
        .min_by_key(|s| (s.port_gbps, s.id.clone()))
        .or_else(|| catalog.switches.iter().filter(|s| s.fabric == family).max_by_key(|s| s.port_gbps))?;
    let optic = catalog
        .optics
        .iter()
        .filter(|o| o.usd_each.is_some() && o.gbps >= switch.port_gbps)
        .min_by_key(|o| (o.gbps, o.id.clone()));
    let k = u64::from(switch.ports);
    let half = k / 2;
    let mut network =
        NetworkBuild { switch, optic, levels: 1, leaves: 1, spines: 0, cores: 0, device_links: ports, switch_links: 0 };
    if ports > k {
        network.leaves = ports.div_ceil(half);
        network.spines = network.leaves.div_ceil(2);
        network.switch_links = ports;
        network.levels = 2;
    }
    if ports > k * k / 2 {
        network.spines = network.leaves;
        network.cores = network.leaves.div_ceil(2);
        network.switch_links = 2 * ports;
        network.levels = 3;
    }
    Some(network)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_equal_the_published_designs() {
        let network = build("infiniband", 400.0, 1_024).expect("a switch");
        assert_eq!((network.switch.ports, network.leaves, network.spines, network.levels), (64, 32, 16, 2));
        assert_eq!(build("infiniband", 400.0, 64).expect("a switch").switches(), 1);
        assert_eq!(build("infiniband", 400.0, 2_048).expect("a switch").levels, 2);
        assert_eq!(build("infiniband", 400.0, 2_112).expect("a switch").levels, 3);
    }
}
