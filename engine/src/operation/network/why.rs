//! How the counts of a network came about, in words.

use super::NetworkBuild;
use super::shape::Design;
use crate::request::Topology;
use crate::units::grouped;

/// The design in a few words: `torus, 25% of full bisection`.
pub(crate) fn in_short(network: &NetworkBuild) -> String {
    let name = network.shape.design.id().replace('_', " ");
    let open = 100.0 * network.bisection_gbps() / network.half_of_devices_gbps().max(1e-9);
    if open > 99.9 { format!("{name}, non-blocking") } else { format!("{name}, {open:.0}% of full bisection") }
}

/// The whole design in a few sentences.
pub(crate) fn design(network: &NetworkBuild) -> String {
    let s = &network.shape;
    let k = network.switch.ports;
    let ports = grouped(s.device_links);
    let whole = match s.design {
        Design::Single => format!("{ports} ports fit in one switch of {k} ports, whatever the topology."),
        Design::FatTree if network.asked_topology == Topology::Auto && network.ports_per_node > 1 => {
            format!("{} Leaves by rail would take more switches.", tree(network, "Fat-tree"))
        }
        Design::FatTree => tree(network, "Fat-tree"),
        Design::RailOptimized { rails } => {
            let units = s.leaves / rails;
            let unit = if s.tiers == 2 && units > 1 {
                format!(" The {rails} leaves of the rails make a scalable unit; there are {units}.")
            } else {
                String::new()
            };
            format!(
                "{} Each of the {rails} rails has its own leaves, which serve the same device of every server.{unit}",
                tree(network, "Rail-optimized fat-tree")
            )
        }
        Design::RailOnly { rails } => format!(
            "Rail-only: {ports} ports on {rails} switches of {k} ports, one for the devices of each index of their servers, and none above; what goes between rails crosses the scale-up link of a server."
        ),
        Design::Dragonfly { groups, group_switches } => format!(
            "Balanced dragonfly (a = 2p = 2h, Kim et al. 2008): {ports} ports on {groups} groups of {group_switches} switches of {k} ports; {} links inside groups, {} between them.",
            grouped(s.near_links),
            grouped(s.far_links)
        ),
        Design::Torus { sides: [x, y, z] } => format!(
            "Torus of {x} × {y} × {z} switches of {k} ports, half of them to devices (judgement): {ports} ports, {} links between neighbors.",
            grouped(s.near_links)
        ),
    };
    let ignored = network.asked_oversubscription > 1.0
        && matches!(
            s.design,
            Design::Single | Design::RailOnly { .. } | Design::Dragonfly { .. } | Design::Torus { .. }
        );
    if ignored { format!("{whole} Oversubscription has no meaning in this design and is left aside.") } else { whole }
}

fn tree(network: &NetworkBuild, name: &str) -> String {
    let s = &network.shape;
    let o = network.asked_oversubscription;
    let blocking = if o > 1.0 { format!("with {o} downlinks per uplink at the leaves") } else { "non-blocking".into() };
    let tiers = if s.tiers == 2 { "two tiers" } else { "three tiers" };
    let levels = if s.tiers == 2 {
        format!("{} leaves, {} spines", grouped(s.leaves), grouped(s.spines))
    } else {
        format!(
            "{} leaves, {} spines and {} cores in {} pods",
            grouped(s.leaves),
            grouped(s.spines),
            grouped(s.cores),
            s.pods
        )
    };
    format!(
        "{name} of {tiers}, {blocking}: {} ports on switches of {} ports take {levels}.",
        grouped(s.device_links),
        network.switch.ports
    )
}

/// Switches of the first level.
pub(crate) fn leaves(network: &NetworkBuild) -> String {
    let s = &network.shape;
    match s.design {
        Design::FatTree => {
            format!(
                "{} ports spread over {} leaves; {} of {} ports of a leaf in use",
                grouped(s.device_links),
                grouped(s.leaves),
                s.leaf_ports,
                network.switch.ports
            )
        }
        Design::RailOptimized { rails } => format!(
            "{} for each of {rails} rails: {} ports a rail; {} of {} ports of a leaf in use",
            counted(s.leaves / rails, "leaf", "leaves"),
            grouped(s.device_links.div_ceil(rails)),
            s.leaf_ports,
            network.switch.ports
        ),
        _ => design(network),
    }
}

/// Switches of the second level.
pub(crate) fn spines(network: &NetworkBuild) -> String {
    let s = &network.shape;
    let k = network.switch.ports;
    if s.tiers == 2 {
        return format!("{} uplinks of the leaves over {k} ports, rounded up", grouped(s.near_links));
    }
    format!(
        "{} in each of {} pods, one for each uplink of a leaf; pods are wired in full",
        s.spines / s.pods.max(1),
        s.pods
    )
}

/// Switches of the third level.
pub(crate) fn cores(network: &NetworkBuild) -> String {
    let s = &network.shape;
    let k = network.switch.ports;
    let (links, spines) = (grouped(s.far_links), grouped(s.spines));
    format!("{links} links from {spines} spines, {} each, over {k} ports, rounded up", k / 2)
}

fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// Bisection bandwidth with its formula.
pub(crate) fn bisection(network: &NetworkBuild) -> String {
    let s = &network.shape;
    let rate = network.switch.port_gbps;
    let cut = match s.design {
        Design::Single => {
            return format!(
                "Half of {} ports at {} Gb/s: one switch blocks nothing.",
                grouped(s.device_links),
                network.port_gbps
            );
        }
        Design::RailOnly { rails } => {
            return format!(
                "Half of {} ports at {} Gb/s: each of the {rails} switches blocks nothing on its rail.",
                grouped(s.device_links),
                network.port_gbps
            );
        }
        Design::FatTree | Design::RailOptimized { .. } => {
            format!("half of the {} links of the thinner level of uplinks", grouped((s.cut_links * 2.0) as u64))
        }
        Design::Dragonfly { groups: 1, group_switches } => {
            format!("⌊a/2⌋·⌈a/2⌉ links of one group of {group_switches} switches")
        }
        Design::Dragonfly { groups, .. } => {
            format!("⌊g/2⌋·⌈g/2⌉ pairs of {groups} groups times the links of a pair, {} links", grouped(s.cut_links))
        }
        Design::Torus { sides: [x, ..] } => {
            format!(
                "2·S/longest side of {} switches and side {x}, times the links per neighbor, {} links",
                grouped(s.leaves),
                grouped(s.cut_links)
            )
        }
    };
    format!(
        "The lesser of {cut} at {rate} Gb/s and what half the devices send ({} Gb/s).",
        grouped(network.half_of_devices_gbps())
    )
}
