//! The parts of a bill of materials that can be priced by the caller, each by an id of its own.

use crate::catalog::{Catalog, Figure, Optic};
use std::sync::LazyLock;

/// Price of a storage node; with its drives, unless they have a price of their own.
pub(crate) const STORAGE_NODE: &str = "storage-node";
/// Price of one drive.
pub(crate) const STORAGE_DRIVE: &str = "storage-drive";
/// Price of one port to the network for storage, management and users.
pub(crate) const FRONT_END_PORT: &str = "front-end-port";
/// Price of one rack.
pub(crate) const RACK: &str = "rack";
/// Price of one power distribution unit.
pub(crate) const PDU: &str = "pdu";
/// Price of one rear-door heat exchanger.
pub(crate) const REAR_DOOR: &str = "rear-door";
/// Price of one coolant distribution unit.
pub(crate) const COOLANT_UNIT: &str = "coolant-unit";
/// Price of the installation as a whole, in place of a share of the hardware.
pub(crate) const INSTALLATION: &str = "installation";
/// Price of the network between servers as a whole, in place of its parts.
pub(crate) const NETWORK: &str = "network";

/// A part that can be priced: `item_usd.<id>`.
#[derive(Clone, Debug)]
pub struct PricedItem {
    /// Id: that of the catalog for switches, network cards, transceivers and cables with fixed ends.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// What one price is for.
    pub unit: &'static str,
    /// The catalog's price; absent where it has none, or where it depends on a length.
    pub figure: Option<&'static Figure>,
}

/// Every part that can be priced, in the order of a bill.
pub(crate) fn priced_items() -> &'static [PricedItem] {
    static ALL: LazyLock<Vec<PricedItem>> = LazyLock::new(all);
    &ALL
}

/// Id of the price of a cable: the optic's own where its ends are fixed.
pub(crate) fn cable_id(optic: &Optic) -> String {
    if optic.usd_each.is_some() { format!("{}-cable", optic.id) } else { optic.id.clone() }
}

fn all() -> Vec<PricedItem> {
    let catalog = Catalog::get();
    let mut items = Vec::new();
    let mut add = |id: &str, label: String, unit: &'static str, figure: Option<&'static Figure>| {
        items.push(PricedItem { id: id.to_owned(), label, unit, figure });
    };
    for nic in &catalog.nics {
        add(&nic.id, nic.label.clone(), "USD per card", Some(&nic.usd));
    }
    for switch in &catalog.switches {
        add(&switch.id, switch.label.clone(), "USD per switch", Some(&switch.usd));
    }
    for optic in &catalog.optics {
        if let Some(usd) = &optic.usd_each {
            add(&optic.id, format!("{}: transceiver", optic.label), "USD per transceiver", Some(usd));
        }
        add(&cable_id(optic), format!("{}: cable", optic.label), "USD per cable of the length in the bill", None);
    }
    let blocks = &catalog.storage;
    add(NETWORK, "Network between servers, as one lot".into(), "USD", None);
    add(FRONT_END_PORT, "Network for storage, management and users".into(), "USD per port", None);
    add(STORAGE_NODE, format!("{}, with its drives unless they are priced", blocks.node.label), "USD per node", None);
    add(STORAGE_DRIVE, blocks.drive.label.clone(), "USD per drive", None);
    add(COOLANT_UNIT, "Coolant distribution unit".into(), "USD per unit", Some(&catalog.racks.coolant_unit_usd));
    add(REAR_DOOR, "Rear-door heat exchanger".into(), "USD per door", None);
    add(RACK, "Rack".into(), "USD per rack", None);
    add(PDU, "Power distribution unit".into(), "USD per unit", None);
    add(INSTALLATION, "Installation and freight, as one lot".into(), "USD", None);
    items
}
