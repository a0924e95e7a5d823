//! Time of collectives by size of the group and where it sits.
//!
//! A group inside the scale-up domain runs at the link's rate. A group across domains is hierarchical: each
//! node sends through the network cards of all of its ranks that belong to the group, so the rate is
//! min(link, card × ranks of the group inside the domain), never one card (Thakur et al. 2005; measured
//! bus bandwidth above the card's rate is real).

use super::machine::Machine;
use crate::units::{Bytes, BytesPerSecond, Seconds};
use crate::workload::MixtureOfExperts;

/// A group of ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    /// Ranks.
    pub size: u32,
    /// Ranks of the group inside one scale-up domain.
    pub inside: u32,
}

impl Group {
    /// A group of `size` ranks that are `stride` devices apart.
    pub(crate) fn strided(machine: &Machine, size: u32, stride: u32) -> Self {
        Self { size, inside: (machine.domain / stride.max(1)).clamp(1, size.max(1)) }
    }

    /// The group stays inside one domain.
    pub(crate) fn is_inside(self) -> bool {
        self.inside >= self.size
    }

    /// Bandwidth of one rank and start of the collective.
    fn link(self, machine: &Machine) -> (BytesPerSecond, Seconds) {
        if self.is_inside() {
            return (machine.scale_up_rate, machine.scale_up_latency);
        }
        let network = machine.network_rate.0 * f64::from(self.inside);
        let nodes = (f64::from(self.size) / f64::from(self.inside)).max(2.0);
        let rate = network.min(machine.scale_up_rate.0).max(machine.network_rate.0);
        (BytesPerSecond(rate), machine.network_latency * (1.0 + nodes.log2()))
    }

    /// All-gather or reduce-scatter of `whole` bytes (the size of the gathered buffer).
    pub(crate) fn gather_or_scatter(self, machine: &Machine, whole: Bytes) -> Seconds {
        if self.size <= 1 {
            return Seconds::ZERO;
        }
        let (rate, latency) = self.link(machine);
        let share = f64::from(self.size - 1) / f64::from(self.size);
        latency + whole * share / rate
    }

    /// All-reduce: a reduce-scatter and an all-gather.
    pub(crate) fn all_reduce(self, machine: &Machine, whole: Bytes) -> Seconds {
        self.gather_or_scatter(machine, whole) * 2.0
    }

    /// Dispatch of `local` bytes of tokens to the experts that each of them visits.
    ///
    /// A token crosses the network once to each other node that holds one of its experts, and is handed on inside;
    /// inside, it goes once to each device. Of n places, q visits find n·(1 − (1 − 1/n)^q) different ones; where a
    /// token's experts come from g of G groups only, no more nodes than hold such a group.
    pub(crate) fn dispatch(self, machine: &Machine, local: Bytes, moe: &MixtureOfExperts) -> Seconds {
        if self.size <= 1 {
            return Seconds::ZERO;
        }
        let visits = f64::from(moe.experts_per_token);
        let places = |n: f64| {
            if n <= 1.0 { 1.0 } else { (n * (1.0 - (1.0 - 1.0 / n).powf(visits))).min(places_of_groups(n, moe)) }
        };
        let size = f64::from(self.size);
        let inside = f64::from(self.inside);
        let nodes = (size / inside).max(1.0);
        let copies = places(size) * (1.0 - 1.0 / size);
        let within = local * copies.min(visits) / machine.scale_up_rate;
        if self.is_inside() {
            return machine.scale_up_latency + within;
        }
        let across = local * (places(nodes) * (1.0 - 1.0 / nodes)) / machine.network_rate;
        machine.network_latency + within.max(across)
    }
}

/// Expected places, of n that share the groups of experts evenly, that hold one of a token's groups.
///
/// A place that holds k of G groups is missed by g chosen ones with probability C(G − k, g)/C(G, g).
fn places_of_groups(n: f64, moe: &MixtureOfExperts) -> f64 {
    let (groups, chosen) = (f64::from(moe.expert_groups), f64::from(moe.groups_per_token));
    if groups <= 1.0 {
        return f64::INFINITY;
    }
    if n >= groups {
        // a group spans n/G places
        return chosen * n / groups;
    }
    let held = groups / n;
    let missed: f64 =
        (0..moe.groups_per_token).map(|i| (groups - held - f64::from(i)).max(0.0) / (groups - f64::from(i))).product();
    n * (1.0 - missed)
}

/// A message from one stage to the next.
pub(crate) fn point_to_point(machine: &Machine, bytes: Bytes, across_domains: bool) -> Seconds {
    if across_domains {
        machine.network_latency + bytes / machine.network_rate
    } else {
        machine.scale_up_latency + bytes / machine.scale_up_rate
    }
}
