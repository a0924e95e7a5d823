//! Transceivers and cables of a network, by class of link.

use super::shape::Shape;
use crate::catalog::{Catalog, Medium, Optic, Range, Switch};

/// Meters between racks of a row, on average (judgement; multimode plugs reach 50).
const ROW_METERS: f64 = 20.0;
/// Meters between rows or rooms, on average (judgement).
const HALL_METERS: f64 = 100.0;
/// Meters of a cable that stays in its rack, at most.
const RACK_METERS: f64 = 3.0;

/// Links of one length.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LinkClass {
    pub links: u64,
    /// Ends that are plugged into switches.
    pub switch_ends: u64,
    /// Ends that are plugged into devices.
    pub device_ends: u64,
    pub meters: f64,
    /// Cable, priced per link.
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
        let per_meter = self.cable.cable_usd_per_meter.range().map(|usd| usd * self.meters);
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

/// Where a class of links runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Span {
    Rack,
    Row,
    Hall,
}

/// Chooses cables: copper where both ends share a rack, multimode fiber along a row, single-mode fiber beyond.
///
/// `one_rack` says that devices and switch share a rack, `near_rack` that the switches of near links do.
pub(crate) fn cabling(shape: &Shape, switch: &Switch, one_rack: bool, near_rack: bool) -> Cabling {
    let class = |links: u64, device_ends: u64, span: Span| {
        (links > 0).then(|| class(links, device_ends, span, switch)).flatten()
    };
    Cabling {
        device: class(shape.device_links, shape.device_links, if one_rack { Span::Rack } else { Span::Row }),
        near: class(shape.near_links, 0, if near_rack { Span::Rack } else { Span::Row }),
        far: class(shape.far_links, 0, Span::Hall),
    }
}

fn class(links: u64, device_ends: u64, span: Span, switch: &Switch) -> Option<LinkClass> {
    let switch_ends = 2 * links - device_ends;
    let of = |medium: Medium, gbps: u32| {
        let fast = Catalog::get().optics.iter().filter(move |o| o.medium == medium && o.gbps >= gbps);
        fast.min_by_key(|o| o.gbps)
    };
    if span == Span::Rack
        && let Some(cable) = of(Medium::Copper, switch.port_gbps)
    {
        let meters = cable.reach_meters.unwrap_or(RACK_METERS).min(RACK_METERS);
        return Some(LinkClass {
            links,
            switch_ends,
            device_ends,
            meters,
            cable,
            switch_plug: None,
            device_plug: None,
        });
    }
    let meters = if span == Span::Hall { HALL_METERS } else { ROW_METERS };
    let fiber = |medium: Medium| {
        let cable = of(medium, switch.port_gbps)?;
        let plug = of(medium, switch.port_gbps * switch.links_per_cage)?;
        (cable.reach_meters.is_none_or(|reach| reach >= meters)).then_some(LinkClass {
            links,
            switch_ends,
            device_ends,
            meters,
            cable,
            switch_plug: Some((plug, u64::from(switch.links_per_cage))),
            device_plug: (device_ends > 0).then_some(cable),
        })
    };
    fiber(Medium::Multimode).or_else(|| fiber(Medium::SingleMode))
}
