//! Bill of materials: what is bought, how many of it, and why that many.
//!
//! Counting runs for every candidate and forms no text; the lines with their reasons are written for the cluster shown.

mod items;
mod lines;

use super::cents;
use super::inputs::Inputs;
use crate::catalog::{Accelerator, Range};
use crate::operation::network::cabling::{self, Cabling, Placed};
use crate::operation::network::{self, NetworkBuild};

use crate::operation::racks::{self, RackBuild};
use crate::operation::storage::StorageNeed;
use crate::request::PlanRequest;
use crate::request::overrides::items as id;
use items::{Item, Kind, Prices};

/// What is bought.
#[derive(Clone, Debug)]
pub(crate) struct Bill {
    /// Price of the servers without spares, USD.
    pub servers: Range,
    /// Everything that has a price, USD.
    pub total: Range,
    items: Vec<Item>,
    cluster: Cluster,
}

/// What the counts are of.
#[derive(Clone, Copy, Debug)]
struct Cluster {
    accelerator: &'static Accelerator,
    gpus: u32,
    network: Option<NetworkBuild>,
    cabling: Option<Cabling>,
    storage: StorageNeed,
    racks: RackBuild,
}

/// Counts what a cluster of `gpus` devices takes; `None` where no price of the servers is known.
pub(crate) fn bill(
    request: &PlanRequest,
    inputs: &Inputs,
    accelerator: &'static Accelerator,
    gpus: u32,
    network: Option<&NetworkBuild>,
    storage: &StorageNeed,
) -> Option<Bill> {
    let unit = server_usd(request, accelerator)?;
    let racks = racks::racks(request, accelerator, gpus, network, storage);
    let systems = network::systems(accelerator, gpus);
    let cabling = network.map(|n| cabling::cabling(n, &Placed::of(n, &racks, systems)));
    let cluster = Cluster { accelerator, gpus, network: network.copied(), cabling, storage: *storage, racks };
    let prices = Prices::of(request);
    let mut items = items::hardware(inputs, &cluster, unit, &prices);
    let servers = unit.map(|u| u * cluster.systems());
    let hardware: f64 = items.iter().filter_map(Item::total).sum();
    let share = &inputs.installation_share;
    if let Some(usd) = prices.own(id::INSTALLATION) {
        items.push(Item::quoted(Kind::Installation, 1.0, usd));
    } else if share.value() > 0.0 {
        items.push(Item::priced(Kind::Installation, 1.0, share.range.map(|s| s * hardware)));
    }
    if inputs.tax_share.value() > 0.0 {
        items.push(Item::priced(Kind::Tax, 1.0, inputs.tax_share.range.map(|s| s * hardware)));
    }
    let total = items.iter().filter_map(Item::range).fold(Range::exactly(0.0), Range::plus);
    Some(Bill { servers, total: total.map(cents), items, cluster })
}

impl Bill {
    /// Ids of the parts whose price is the caller's.
    pub(crate) fn quoted(&self) -> impl Iterator<Item = String> + '_ {
        self.items.iter().filter(|item| item.quoted).filter_map(|item| item.kind.price_id(&self.cluster))
    }
}

/// What the storage of a bill costs at most, USD.
pub(crate) fn storage_usd(request: &PlanRequest, inputs: &Inputs, storage: &StorageNeed) -> f64 {
    let prices = Prices::of(request);
    let part = |id: &str, count: u64| prices.own(id).map(|usd| usd * count as f64);
    let parts = [part(id::STORAGE_NODE, storage.nodes), part(id::STORAGE_DRIVE, storage.drives)];
    match parts {
        [None, None] => storage.usable_tb * inputs.storage_usd_per_tb.value(),
        _ => parts.iter().flatten().sum(),
    }
}

/// Price of one system, USD: the caller's, or the catalog's.
fn server_usd(request: &PlanRequest, accelerator: &Accelerator) -> Option<Range> {
    let own = request.overrides.server_usd.get(&accelerator.id).copied().map(Range::exactly);
    own.or_else(|| accelerator.system_usd.as_ref().map(|f| f.range()))
}
