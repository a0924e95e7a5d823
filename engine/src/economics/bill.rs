//! Bill of materials: what is bought, how many of it, and why that many.
//!
//! Counting runs for every candidate and forms no text; the lines with their reasons are written for the cluster shown.

mod items;
mod lines;

use super::cents;
use super::inputs::Inputs;
use crate::catalog::{Accelerator, Range};
use crate::operation::network::NetworkBuild;
use crate::operation::racks::{self, RackBuild};
use crate::operation::storage::StorageNeed;
use crate::request::PlanRequest;
use items::{Item, Kind};

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
    let cluster = Cluster { accelerator, gpus, network: network.copied(), storage: *storage, racks };
    let mut items = items::hardware(inputs, &cluster, unit);
    let servers = unit.map(|u| u * cluster.systems());
    let hardware: f64 = items.iter().filter_map(Item::total).sum();
    for (kind, share) in [(Kind::Installation, &inputs.installation_share), (Kind::Tax, &inputs.tax_share)] {
        if share.value() > 0.0 {
            items.push(Item::priced(kind, 1.0, share.range.map(|s| s * hardware)));
        }
    }
    let total = items.iter().filter_map(Item::range).fold(Range::exactly(0.0), Range::plus);
    Some(Bill { servers, total: total.map(cents), items, cluster })
}

/// Price of one system, USD: the caller's, or the catalog's.
fn server_usd(request: &PlanRequest, accelerator: &Accelerator) -> Option<Range> {
    let own = request.overrides.server_usd.get(&accelerator.id).copied().map(Range::exactly);
    own.or_else(|| accelerator.system_usd.as_ref().map(|f| f.range()))
}
