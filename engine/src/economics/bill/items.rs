//! What is on a bill, counted.

use super::Cluster;
use crate::catalog::{Catalog, Nic, Optic, Range, Switch};
use crate::economics::cents;
use crate::economics::inputs::Inputs;
use crate::operation::network::cabling::LinkClass;
use crate::operation::network::{self, NetworkBuild};
use crate::operation::power;
use crate::operation::racks::Cooling;
use crate::request::PlanRequest;
use crate::request::overrides::items as id;
use std::collections::BTreeMap;

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
    /// The network as one lot that the caller prices.
    NetworkQuote,
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
    /// The price is the caller's.
    pub quoted: bool,
}

/// The caller's prices of parts, by id.
pub(super) struct Prices<'a>(&'a BTreeMap<String, f64>);

impl<'a> Prices<'a> {
    pub(super) fn of(request: &'a PlanRequest) -> Self {
        Self(&request.overrides.item_usd)
    }

    pub(super) fn own(&self, id: &str) -> Option<f64> {
        self.0.get(id).copied()
    }

    fn own_cable(&self, optic: &Optic) -> Option<f64> {
        // no name is built where there is nothing to find: this runs for every cluster of the search
        if self.0.is_empty() { None } else { self.own(&id::cable_id(optic)) }
    }

    /// Storage is priced by its parts, not by the TB.
    pub(super) fn storage_parts(&self) -> bool {
        self.own(id::STORAGE_NODE).is_some() || self.own(id::STORAGE_DRIVE).is_some()
    }
}

impl Kind {
    /// Id of the price of one under `item_usd`; the price of a system is under `server_usd`.
    pub(super) fn price_id(self, cluster: &Cluster) -> Option<String> {
        let of_class = |place: Place, id: fn(&LinkClass) -> Option<String>| cluster.links(place).and_then(|c| id(&c));
        let fixed = |id: &str| Some(id.to_owned());
        match self {
            Kind::Servers | Kind::Spares | Kind::NetworkShare(_) | Kind::Storage | Kind::Tax => None,
            Kind::NetworkQuote | Kind::NetworkUncounted => fixed(id::NETWORK),
            Kind::Nics(nic) => fixed(&nic.id),
            Kind::Switches(_) => cluster.network.as_ref().map(|n| n.switch.id.clone()),
            Kind::SwitchPlugs(place) => of_class(place, |c| c.switch_plug.map(|(plug, _)| plug.id.clone())),
            Kind::DevicePlugs => of_class(Place::Device, |c| c.device_plug.map(|plug| plug.id.clone())),
            Kind::Cables(place) => of_class(place, |c| Some(id::cable_id(c.cable))),
            Kind::FrontEnd => fixed(id::FRONT_END_PORT),
            Kind::Management(switch) => fixed(&switch.id),
            Kind::StorageNodes => fixed(id::STORAGE_NODE),
            Kind::Drives => fixed(id::STORAGE_DRIVE),
            Kind::Coolant => fixed(id::COOLANT_UNIT),
            Kind::RearDoors => fixed(id::REAR_DOOR),
            Kind::Racks => fixed(id::RACK),
            Kind::Pdus => fixed(id::PDU),
            Kind::Installation => fixed(id::INSTALLATION),
        }
    }
}

impl Item {
    pub(super) fn priced(kind: Kind, quantity: f64, unit: Range) -> Self {
        Self { kind, quantity, unit: Some(unit.map(cents)), quoted: false }
    }

    /// At the caller's price.
    pub(super) fn quoted(kind: Kind, quantity: f64, usd: f64) -> Self {
        Self { quoted: true, ..Self::priced(kind, quantity, Range::exactly(usd)) }
    }

    /// At the caller's price, or else at the catalog's.
    fn at(kind: Kind, quantity: f64, own: Option<f64>, catalog: impl FnOnce() -> Range) -> Self {
        own.map_or_else(|| Self::priced(kind, quantity, catalog()), |usd| Self::quoted(kind, quantity, usd))
    }

    /// At the caller's price, or else without one.
    fn maybe(kind: Kind, quantity: f64, own: Option<f64>) -> Self {
        let unpriced = Self { kind, quantity, unit: None, quoted: false };
        own.map_or(unpriced, |usd| Self::quoted(kind, quantity, usd))
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
        let cabling = self.cabling.as_ref()?;
        match place {
            Place::Device => cabling.device,
            Place::Near => cabling.near,
            Place::Far => cabling.far,
        }
    }
}

/// Everything but what is a share of the hardware.
pub(super) fn hardware(inputs: &Inputs, cluster: &Cluster, server: Range, prices: &Prices<'_>) -> Vec<Item> {
    let mut items = Vec::with_capacity(24);
    let systems = cluster.systems();
    items.push(Item::priced(Kind::Servers, systems, server));
    let spares = (systems * inputs.spare_share.value() - 1e-9).ceil();
    if spares > 0.0 {
        items.push(Item::priced(Kind::Spares, spares, server));
    }
    match (prices.own(id::NETWORK).filter(|_| systems > 1.0), inputs.network_share, &cluster.network) {
        (Some(usd), ..) => items.push(Item::quoted(Kind::NetworkQuote, 1.0, usd)),
        (None, Some(share), _) => {
            let usd = server.map(|usd| usd * systems * share / (1.0 - share));
            if usd.typical > 0.0 {
                items.push(Item::priced(Kind::NetworkShare(share), 1.0, usd));
            }
        }
        (None, None, Some(network)) => network_items(cluster, network, prices, &mut items),
        (None, None, None) if systems > 1.0 => items.push(Item::maybe(Kind::NetworkUncounted, 1.0, None)),
        (None, None, None) => {}
    }
    if inputs.storage_usd_per_tb.range.high > 0.0 && !prices.storage_parts() {
        items.push(Item::priced(Kind::Storage, cluster.storage.usable_tb, inputs.storage_usd_per_tb.range));
    }
    items.push(Item::maybe(Kind::StorageNodes, cluster.storage.nodes as f64, prices.own(id::STORAGE_NODE)));
    items.push(Item::maybe(Kind::Drives, cluster.storage.drives as f64, prices.own(id::STORAGE_DRIVE)));
    let figures = &Catalog::get().racks;
    if cluster.racks.cooling == Cooling::DirectLiquid
        && let Some(kw) = power::system_kw(cluster.accelerator)
    {
        let units = (kw * systems / figures.coolant_unit_kw.value - 1e-9).ceil();
        items.push(Item::at(Kind::Coolant, units, prices.own(id::COOLANT_UNIT), || figures.coolant_unit_usd.range()));
    }
    if cluster.racks.cooling == Cooling::RearDoor {
        items.push(Item::maybe(Kind::RearDoors, cluster.racks.server_racks as f64, prices.own(id::REAR_DOOR)));
    }
    let racks = cluster.racks.bought_apart(cluster.accelerator) as f64;
    if racks > 0.0 {
        items.push(Item::maybe(Kind::Racks, racks, prices.own(id::RACK)));
        items.push(Item::maybe(Kind::Pdus, racks * figures.pdus_per_rack.value, prices.own(id::PDU)));
    }
    items
}

fn network_items(cluster: &Cluster, network: &NetworkBuild, prices: &Prices<'_>, items: &mut Vec<Item>) {
    let catalog = Catalog::get();
    // a reference system with a stated network rate comes with its network cards
    if cluster.accelerator.network_gbps_per_gpu.is_none()
        && let Some(nic) = nic(cluster, network)
    {
        let ports = network.shape.device_links as f64;
        items.push(Item::at(Kind::Nics(nic), ports, prices.own(&nic.id), || nic.usd.range()));
    }
    let s = &network.shape;
    let switch = network.switch;
    for (level, count) in [(Level::Leaf, s.leaves), (Level::Spine, s.spines), (Level::Core, s.cores)] {
        if count > 0 {
            let own = prices.own(&switch.id);
            items.push(Item::at(Kind::Switches(level), count as f64, own, || switch.usd.range()));
        }
    }
    for place in [Place::Device, Place::Near, Place::Far] {
        let Some(links) = cluster.links(place) else { continue };
        if let Some((plug, _)) = links.switch_plug
            && let Some(usd) = &plug.usd_each
        {
            let plugs = links.switch_plugs() as f64;
            items.push(Item::at(Kind::SwitchPlugs(place), plugs, prices.own(&plug.id), || usd.range()));
        }
        if let Some(plug) = links.device_plug
            && let Some(usd) = &plug.usd_each
        {
            let plugs = links.device_ends as f64;
            items.push(Item::at(Kind::DevicePlugs, plugs, prices.own(&plug.id), || usd.range()));
        }
        let own = prices.own_cable(links.cable);
        items.push(Item::at(Kind::Cables(place), links.links as f64, own, || links.cable_usd()));
    }
    let front_end = cluster.nodes() * catalog.racks.front_end_ports_per_node.value;
    items.push(Item::maybe(Kind::FrontEnd, front_end, prices.own(id::FRONT_END_PORT)));
    if let Some(switch) = catalog.switches.iter().find(|s| s.id == MANAGEMENT_SWITCH) {
        let racks = cluster.racks.count() as f64;
        items.push(Item::at(Kind::Management(switch), racks, prices.own(&switch.id), || switch.usd.range()));
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
