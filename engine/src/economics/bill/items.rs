//! What is on a bill, counted.

use super::Cluster;
use crate::catalog::{Catalog, Nic, Range, Switch};
use crate::economics::cents;
use crate::economics::inputs::Inputs;
use crate::operation::network::cabling::LinkClass;
use crate::operation::network::{self, NetworkBuild};
use crate::operation::power;
use crate::operation::racks::Cooling;

/// Level of a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    Leaf,
    Spine,
    Core,
}

/// Where links run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Device,
    Near,
    Far,
}

/// What one item is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Servers,
    Spares,
    /// The network as a share that the caller gives.
    NetworkShare(f64),
    /// A network that the catalog has no switch for.
    NetworkUncounted,
    Nics(&'static Nic),
    Switches(Level),
    SwitchPlugs(Place),
    DevicePlugs,
    Cables(Place),
    FrontEnd,
    Management(&'static Switch),
    Storage,
    StorageNodes,
    Drives,
    Coolant,
    RearDoors,
    Racks,
    Pdus,
    Installation,
    Tax,
}

/// One item: price of one in cents, absent where another line holds it or none is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub kind: Kind,
    pub quantity: f64,
    pub unit: Option<Range>,
}

impl Item {
    pub(super) fn priced(kind: Kind, quantity: f64, unit: Range) -> Self {
        Self { kind, quantity, unit: Some(unit.map(cents)) }
    }

    fn unpriced(kind: Kind, quantity: f64) -> Self {
        Self { kind, quantity, unit: None }
    }

    /// Quantity × price, USD, in cents.
    pub(super) fn range(&self) -> Option<Range> {
        self.unit.map(|unit| unit.map(|usd| cents(usd * self.quantity)))
    }

    /// Quantity × typical price, USD, in cents.
    pub(super) fn total(&self) -> Option<f64> {
        self.range().map(|r| r.typical)
    }
}

impl Cluster {
    pub(super) fn systems(&self) -> f64 {
        network::systems(self.accelerator, self.gpus) as f64
    }

    pub(super) fn nodes(&self) -> f64 {
        network::nodes(self.accelerator, self.gpus) as f64
    }

    pub(super) fn links(&self, place: Place) -> Option<LinkClass> {
        let cabling = &self.network.as_ref()?.cabling;
        match place {
            Place::Device => cabling.device,
            Place::Near => cabling.near,
            Place::Far => cabling.far,
        }
    }
}

/// Everything but what is a share of the hardware.
pub(super) fn hardware(inputs: &Inputs, cluster: &Cluster, server: Range) -> Vec<Item> {
    let mut items = Vec::with_capacity(24);
    let systems = cluster.systems();
    items.push(Item::priced(Kind::Servers, systems, server));
    let spares = (systems * inputs.spare_share.value() - 1e-9).ceil();
    if spares > 0.0 {
        items.push(Item::priced(Kind::Spares, spares, server));
    }
    match (inputs.network_share, &cluster.network) {
        (Some(share), _) => {
            let usd = server.map(|usd| usd * systems * share / (1.0 - share));
            if usd.typical > 0.0 {
                items.push(Item::priced(Kind::NetworkShare(share), 1.0, usd));
            }
        }
        (None, Some(network)) => network_items(cluster, network, &mut items),
        (None, None) if systems > 1.0 => items.push(Item::unpriced(Kind::NetworkUncounted, 1.0)),
        (None, None) => {}
    }
    if inputs.storage_usd_per_tb.range.high > 0.0 {
        items.push(Item::priced(Kind::Storage, cluster.storage.usable_tb, inputs.storage_usd_per_tb.range));
    }
    items.push(Item::unpriced(Kind::StorageNodes, cluster.storage.nodes as f64));
    items.push(Item::unpriced(Kind::Drives, cluster.storage.drives as f64));
    let figures = &Catalog::get().racks;
    if cluster.racks.cooling == Cooling::DirectLiquid
        && let Some(kw) = power::system_kw(cluster.accelerator)
    {
        let units = (kw * systems / figures.coolant_unit_kw.value - 1e-9).ceil();
        items.push(Item::priced(Kind::Coolant, units, figures.coolant_unit_usd.range()));
    }
    if cluster.racks.cooling == Cooling::RearDoor {
        items.push(Item::unpriced(Kind::RearDoors, cluster.racks.server_racks as f64));
    }
    let racks = cluster.racks.bought_apart(cluster.accelerator) as f64;
    if racks > 0.0 {
        items.push(Item::unpriced(Kind::Racks, racks));
        items.push(Item::unpriced(Kind::Pdus, racks * figures.pdus_per_rack.value));
    }
    items
}

fn network_items(cluster: &Cluster, network: &NetworkBuild, items: &mut Vec<Item>) {
    let catalog = Catalog::get();
    // a reference system with a stated network rate comes with its network cards
    if cluster.accelerator.network_gbps_per_gpu.is_none()
        && let Some(nic) = nic(cluster, network)
    {
        items.push(Item::priced(Kind::Nics(nic), network.shape.device_links as f64, nic.usd.range()));
    }
    let s = &network.shape;
    for (level, count) in [(Level::Leaf, s.leaves), (Level::Spine, s.spines), (Level::Core, s.cores)] {
        if count > 0 {
            items.push(Item::priced(Kind::Switches(level), count as f64, network.switch.usd.range()));
        }
    }
    for place in [Place::Device, Place::Near, Place::Far] {
        let Some(links) = cluster.links(place) else { continue };
        if let Some(usd) = links.switch_plug.and_then(|(plug, _)| plug.usd_each.as_ref()) {
            items.push(Item::priced(Kind::SwitchPlugs(place), links.switch_plugs() as f64, usd.range()));
        }
        if let Some(usd) = links.device_plug.and_then(|plug| plug.usd_each.as_ref()) {
            items.push(Item::priced(Kind::DevicePlugs, links.device_ends as f64, usd.range()));
        }
        items.push(Item::priced(Kind::Cables(place), links.links as f64, links.cable_usd()));
    }
    let front_end = cluster.nodes() * catalog.racks.front_end_ports_per_node.value;
    items.push(Item::unpriced(Kind::FrontEnd, front_end));
    if let Some(switch) = catalog.switches.iter().find(|s| s.id == MANAGEMENT_SWITCH) {
        items.push(Item::priced(Kind::Management(switch), cluster.racks.count() as f64, switch.usd.range()));
    }
}

/// The switch for out-of-band management.
const MANAGEMENT_SWITCH: &str = "sn2201";

/// The first card of the catalog that speaks the fabric, fits the maker and is fast enough.
fn nic(cluster: &Cluster, network: &NetworkBuild) -> Option<&'static Nic> {
    let fits = |n: &&Nic| {
        n.fabrics.contains(&network.switch.fabric)
            && f64::from(n.gbps) >= network.port_gbps
            && (n.vendors.is_empty() || n.vendors.contains(&cluster.accelerator.vendor))
    };
    Catalog::get().nics.iter().find(fits)
}
