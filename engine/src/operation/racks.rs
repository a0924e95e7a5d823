//! Racks of a cluster: how many, how dense, what cools them.

use super::network::{self, NetworkBuild};
use super::power;
use super::storage::StorageNeed;
use crate::catalog::{Accelerator, Catalog};
use crate::request::PlanRequest;

/// Rack units of a switch whose height is not known: the tallest that is common (judgement).
const UNKNOWN_SWITCH_UNITS: u32 = 2;

/// What takes the heat of a rack away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cooling {
    Air,
    RearDoor,
    DirectLiquid,
}

impl Cooling {
    /// Stable name.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Cooling::Air => "air",
            Cooling::RearDoor => "rear_door",
            Cooling::DirectLiquid => "direct_liquid",
        }
    }
}

/// Racks of a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RackBuild {
    /// Racks of servers.
    pub server_racks: u64,
    /// Racks of switches and storage alone; 0 where they fit beside the servers.
    pub service_racks: u64,
    /// Servers in a full rack.
    pub per_rack: u64,
    /// Nameplate of a full rack, kW; absent where the server's is unknown.
    pub kw_each: Option<f64>,
    pub cooling: Cooling,
    /// The limit that the caller gives is below one server.
    pub over_limit: bool,
}

impl RackBuild {
    pub(crate) fn count(&self) -> u64 {
        self.server_racks + self.service_racks
    }
}

/// A system that is a rack in itself.
pub(crate) fn is_rack(accelerator: &Accelerator) -> bool {
    accelerator.form == "rack"
}

/// Servers in one rack: as many as the space holds and the limit feeds, at least one. The limit is the caller's, else
/// what air still cools.
fn per_rack(request: &PlanRequest, accelerator: &Accelerator) -> u64 {
    if is_rack(accelerator) {
        return 1;
    }
    let Catalog { costs, racks, .. } = Catalog::get();
    let limit = request.overrides.scalar("rack_kw").unwrap_or(costs.air_cooled_rack_kw.value);
    let space = racks.servers_per_rack.value as u64;
    match power::system_kw(accelerator) {
        Some(kw) if kw > 0.0 => ((limit / kw + 1e-9) as u64).clamp(1, space.max(1)),
        _ => space.max(1),
    }
}

/// Racks that a number of systems takes.
pub(crate) fn server_racks(request: &PlanRequest, accelerator: &Accelerator, systems: u64) -> u64 {
    systems.div_ceil(per_rack(request, accelerator))
}

/// Places a cluster: servers by power and space, then switches and storage beside them or in racks of their own.
///
/// Up to the density that air cools the class is air, up to what a rear door takes rear door, beyond direct liquid;
/// rack systems are direct liquid.
pub(crate) fn racks(
    request: &PlanRequest,
    accelerator: &Accelerator,
    gpus: u32,
    network: Option<&NetworkBuild>,
    storage: &StorageNeed,
) -> RackBuild {
    let Catalog { costs, racks, storage: blocks, .. } = Catalog::get();
    let systems = network::systems(accelerator, gpus);
    let per_rack = per_rack(request, accelerator);
    let server_racks = systems.div_ceil(per_rack);
    let server_kw = power::system_kw(accelerator);
    let kw_each = server_kw.map(|kw| kw * per_rack.min(systems) as f64);
    let cooling = match kw_each {
        _ if is_rack(accelerator) => Cooling::DirectLiquid,
        Some(kw) if kw > racks.rear_door_rack_kw.value => Cooling::DirectLiquid,
        Some(kw) if kw > costs.air_cooled_rack_kw.value + 1e-9 => Cooling::RearDoor,
        _ => Cooling::Air,
    };
    let switch_units =
        network.map_or(0, |n| n.shape.switches() * u64::from(n.switch.rack_units.unwrap_or(UNKNOWN_SWITCH_UNITS)));
    // one switch for management in each rack is on top of these
    let units = switch_units + storage.nodes * u64::from(blocks.node.rack_units);
    let height = (racks.rack_units.value as u64).saturating_sub(1).max(1);
    let free = if is_rack(accelerator) || server_racks > 1 {
        0
    } else {
        height.saturating_sub(systems * racks.server_rack_units.value as u64)
    };
    let limit = request.overrides.scalar("rack_kw");
    RackBuild {
        server_racks,
        service_racks: if units <= free { 0 } else { units.div_ceil(height) },
        per_rack,
        kw_each,
        cooling,
        over_limit: server_kw.zip(limit).is_some_and(|(kw, limit)| kw > limit),
    }
}
