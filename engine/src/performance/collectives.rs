//! Time of collectives by size of the group and where it sits.
//!
//! A group inside the scale-up domain runs at the link's rate. A group across domains is hierarchical: each
//! node sends through the network cards of all of its ranks that belong to the group, so the rate is
//! min(link, card × ranks of the group inside the domain), never one card (Thakur et al. 2005; measured
//! bus bandwidth above the card's rate is real).

use super::machine::Machine;
use crate::units::{Bytes, BytesPerSecond, Seconds};
use crate::workload::MixtureOfExperts;

/// Bytes below which a message's size doesn't matter.
const PACKET: f64 = 65_536.0;

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

    /// Domains that the group spans.
    fn nodes(self) -> f64 {
        f64::from(self.size) / f64::from(self.inside)
    }

    /// Start of a collective of `whole` bytes.
    ///
    /// A constant part, and one that grows with each doubling of the message above what a single packet carries, and
    /// with the root of the number of ranks: the pipeline of chunks that passes through all of them. Measured curves
    /// from 64 KiB to 16 GiB over 8 to 1,440 devices.
    fn start(self, machine: &Machine, whole: Bytes) -> Seconds {
        let pipeline = machine.chunk_latency * ((1.0 + whole.0 / PACKET).log2() * (f64::from(self.size) / 8.0).sqrt());
        if self.is_inside() {
            return machine.scale_up_latency + pipeline;
        }
        machine.network_latency * (1.0 + self.nodes().max(2.0).log2()) + pipeline
    }

    /// All-gather or reduce-scatter of `whole` bytes (the size of the gathered buffer), in rings.
    pub(crate) fn gather_or_scatter(self, machine: &Machine, whole: Bytes) -> Seconds {
        self.pass(machine, whole, self.in_rings(whole), 1.0)
    }

    /// What [`Self::gather_or_scatter`] takes at least: its bytes alone.
    pub(crate) fn least_of_gather_or_scatter(self, machine: &Machine, whole: Bytes) -> Seconds {
        self.bytes_pass(machine, whole, self.in_rings(whole), 1.0)
    }

    /// All-reduce: a reduce-scatter and an all-gather. Where the switches of a domain add up, both are faster inside it,
    /// and only the sums of domains cross the network.
    pub(crate) fn all_reduce(self, machine: &Machine, whole: Bytes) -> Seconds {
        let adds = machine.in_switch_gain > 1.0;
        let nodes = self.nodes().max(1.0);
        let crossing = if adds { whole * ((nodes - 1.0) / nodes) } else { self.in_rings(whole) };
        self.pass(machine, whole, crossing, machine.in_switch_gain) * 2.0
    }

    /// What leaves a domain when rings pass through all ranks.
    fn in_rings(self, whole: Bytes) -> Bytes {
        whole * (f64::from(self.size.saturating_sub(1)) / f64::from(self.size.max(1)))
    }

    /// Moves all but each rank's own share of `whole` bytes once: over the link, and at the same time `crossing` bytes out
    /// of each domain over the cards of the group's ranks in it.
    fn pass(self, machine: &Machine, whole: Bytes, crossing: Bytes, gain: f64) -> Seconds {
        if self.size <= 1 {
            return Seconds::ZERO;
        }
        self.start(machine, whole) + self.bytes_pass(machine, whole, crossing, gain)
    }

    /// A pass without its start.
    fn bytes_pass(self, machine: &Machine, whole: Bytes, crossing: Bytes, gain: f64) -> Seconds {
        let link = self.in_rings(whole) / BytesPerSecond(machine.scale_up_rate.0 * gain);
        if self.is_inside() {
            return link;
        }
        let network = crossing / BytesPerSecond(machine.network_rate.0 * f64::from(self.inside));
        if self.inside > 1 { network.max(link) } else { network }
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
