//! Transceivers and cables of a network, by class of link.

use super::NetworkBuild;
use crate::catalog::{Catalog, Medium, Optic, Range, Switch};
use crate::operation::floor::{Floor, Lengths};
use crate::operation::racks::RackBuild;

/// Ends of the classes of length that cables are counted in, m; the last class has none.
pub(crate) const CLASSES_METERS: [f64; 5] = [3.0, 10.0, 30.0, 50.0, 100.0];

/// Links of one kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkClass {
    pub links: u64,
    /// Ends that are plugged into switches.
    pub switch_ends: u64,
    /// Ends that are plugged into devices.
    pub device_ends: u64,
    pub lengths: Lengths,
    /// Cable, priced per link: one kind for all of them, which reaches the longest.
    pub cable: &'static Optic,
    /// Transceiver of a switch and the links it carries; absent for cables with fixed ends.
    pub switch_plug: Option<(&'static Optic, u64)>,
    /// Transceiver of a device; absent for cables with fixed ends.
    pub device_plug: Option<&'static Optic>,
}

impl LinkClass {
    /// Transceivers in switches: one for each pair of links where a plug carries two.
    pub(crate) fn switch_plugs(&self) -> u64 {
        self.switch_plug.map_or(0, |(_, links)| self.switch_ends.div_ceil(links))
    }

    /// Price of one cable, USD.
    pub(crate) fn cable_usd(&self) -> Range {
        let per_meter = self.cable.cable_usd_per_meter.range().map(|usd| usd * self.lengths.mean);
        self.cable.cable_usd.range().plus(per_meter)
    }

    /// Typical draw of both ends of all links, W.
    pub(crate) fn watts(&self) -> f64 {
        let Some((plug, _)) = self.switch_plug else {
            return (self.switch_ends + self.device_ends) as f64 * self.cable.watts_each.value;
        };
        let device = self.device_plug.map_or(0.0, |o| o.watts_each.value * self.device_ends as f64);
        self.switch_plugs() as f64 * plug.watts_each.value + device
    }
}

/// All links of a network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cabling {
    /// Between devices and leaves.
    pub device: Option<LinkClass>,
    /// Between neighboring switches.
    pub near: Option<LinkClass>,
    /// Between distant switches.
    pub far: Option<LinkClass>,
}

/// Calls what it is given with the share of the links and the meters of each place.
pub(crate) type Walk<'a> = dyn Fn(&mut dyn FnMut(f64, f64)) + 'a;

/// How the racks of a network stand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub floor: Floor,
    /// How full the last rack of servers is.
    last_share: f64,
    /// Devices and switches share a rack.
    one_rack: bool,
    /// Neighboring switches share a rack.
    near_in_rack: bool,
    /// Racks that the switches of near links stand in.
    racks_of_group: u64,
}

impl Placed {
    pub(crate) fn of(network: &NetworkBuild, racks: &RackBuild, systems: u64) -> Self {
        let in_last = systems.saturating_sub(racks.server_racks.saturating_sub(1) * racks.per_rack);
        Self {
            floor: Floor::of(racks),
            last_share: in_last as f64 / racks.per_rack.max(1) as f64,
            one_rack: racks.network_racks == 0,
            near_in_rack: racks.near_in_rack,
            racks_of_group: racks.network_racks.div_ceil(network.shape.groups().max(1)),
        }
    }

    fn device(&self) -> Lengths {
        if self.one_rack { Lengths::RACK } else { self.floor.device(self.last_share) }
    }

    fn near(&self) -> Lengths {
        if self.one_rack || self.near_in_rack { Lengths::RACK } else { self.floor.pairs(self.racks_of_group) }
    }

    fn far(&self) -> Lengths {
        if self.one_rack { Lengths::RACK } else { self.floor.pairs(self.floor.network_racks) }
    }

    /// Device, near and far links in each class of length, by the places that their means are of.
    pub(crate) fn by_length(&self, cabling: &Cabling) -> [[u64; CLASSES_METERS.len() + 1]; 3] {
        let counted = |class: Option<LinkClass>, each: &Walk<'_>| {
            let mut shares = [0.0; CLASSES_METERS.len() + 1];
            let Some(class) = class else { return [0; CLASSES_METERS.len() + 1] };
            let mut visit = |share: f64, meters: f64| {
                let at = CLASSES_METERS.iter().position(|end| meters <= *end).unwrap_or(CLASSES_METERS.len());
                if let Some(of_class) = shares.get_mut(at) {
                    *of_class += share;
                }
            };
            if class.lengths.longest <= Lengths::RACK.longest {
                visit(1.0, class.lengths.mean);
            } else {
                each(&mut visit);
            }
            whole(shares, class.links)
        };
        let (floor, last) = (&self.floor, self.last_share);
        [
            counted(cabling.device, &|visit| floor.each_device(last, visit)),
            counted(cabling.near, &|visit| floor.each_pair(self.racks_of_group, visit)),
            counted(cabling.far, &|visit| floor.each_pair(floor.network_racks, visit)),
        ]
    }
}

/// Shares of a number as whole numbers that sum to it.
fn whole<const N: usize>(shares: [f64; N], of: u64) -> [u64; N] {
    let (mut before, mut counts, mut sum) = (0, [0; N], 0.0);
    for (count, share) in counts.iter_mut().zip(shares) {
        sum += share;
        let until = ((sum * of as f64).round() as u64).min(of);
        *count = until - before;
        before = until;
    }
    counts
}

/// Chooses cables: copper where all ends share a rack, multimode fiber as far as it reaches, single-mode fiber beyond.
pub(crate) fn cabling(network: &NetworkBuild, placed: &Placed) -> Cabling {
    let (shape, switch) = (&network.shape, network.switch);
    let class = |links: u64, device_ends: u64, lengths: &dyn Fn() -> Lengths| {
        (links > 0).then(|| class(links, device_ends, lengths(), switch)).flatten()
    };
    Cabling {
        device: class(shape.device_links, shape.device_links, &|| placed.device()),
        near: class(shape.near_links, 0, &|| placed.near()),
        far: class(shape.far_links, 0, &|| placed.far()),
    }
}

fn class(links: u64, device_ends: u64, lengths: Lengths, switch: &Switch) -> Option<LinkClass> {
    let switch_ends = 2 * links - device_ends;
    let of = |medium: Medium, gbps: u32| {
        let fast = Catalog::get().optics.iter().filter(move |o| o.medium == medium && o.gbps >= gbps);
        fast.min_by_key(|o| o.gbps)
    };
    if lengths.longest <= Lengths::RACK.longest
        && let Some(cable) = of(Medium::Copper, switch.port_gbps)
    {
        let meters = cable.reach_meters.map_or(lengths.longest, |reach| reach.min(lengths.longest));
        return Some(LinkClass {
            links,
            switch_ends,
            device_ends,
            lengths: Lengths { mean: meters, longest: meters },
            cable,
            switch_plug: None,
            device_plug: None,
        });
    }
    let fiber = |medium: Medium, reaches: &dyn Fn(&Optic) -> bool| {
        let cable = of(medium, switch.port_gbps)?;
        let plug = of(medium, switch.port_gbps * switch.links_per_cage)?;
        reaches(cable).then_some(LinkClass {
            links,
            switch_ends,
            device_ends,
            lengths,
            cable,
            switch_plug: Some((plug, u64::from(switch.links_per_cage))),
            device_plug: (device_ends > 0).then_some(cable),
        })
    };
    fiber(Medium::Multimode, &|cable| cable.reach_meters.is_none_or(|reach| reach >= lengths.longest))
        .or_else(|| fiber(Medium::SingleMode, &|_| true))
}
