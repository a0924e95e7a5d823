//! Racks of a cluster: how many, how dense, what cools them.

use super::network::{self, NetworkBuild};
use super::power;
use super::storage::StorageNeed;
use crate::catalog::{Accelerator, Catalog, Switch};
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
    /// Of them, those with switches; storage fills what these leave free, then racks of its own.
    pub network_racks: u64,
    /// Neighboring switches share a rack.
    pub near_in_rack: bool,
    /// Storage nodes beside switches or servers; the others are in racks of their own.
    pub nodes_beside: u64,
    /// Servers in a full rack.
    pub per_rack: u64,
    /// Nameplate of the fullest rack of servers, kW; absent where the server's is unknown.
    pub kw_each: Option<f64>,
    pub cooling: Cooling,
    /// The limit that the caller gives is below one server.
    pub over_limit: bool,
}

impl RackBuild {
    pub(crate) fn count(&self) -> u64 {
        self.server_racks + self.service_racks
    }

    /// Racks that don't come with the systems.
    pub(crate) fn bought_apart(&self, accelerator: &Accelerator) -> u64 {
        if is_rack(accelerator) { self.service_racks } else { self.count() }
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
fn server_racks(request: &PlanRequest, accelerator: &Accelerator, systems: u64) -> u64 {
    systems.div_ceil(per_rack(request, accelerator))
}

/// Rack units that a rack holds beside its switch for management.
fn usable_units() -> u64 {
    (Catalog::get().racks.rack_units.value as u64).saturating_sub(1).max(1)
}

/// Rack units left beside the servers where all of them share one rack; 0 otherwise.
fn free_units(request: &PlanRequest, accelerator: &Accelerator, systems: u64) -> u64 {
    if is_rack(accelerator) || server_racks(request, accelerator, systems) > 1 {
        return 0;
    }
    usable_units().saturating_sub(systems * Catalog::get().racks.server_rack_units.value as u64)
}

/// Height of a switch, rack units.
fn switch_units(switch: &Switch) -> u64 {
    u64::from(switch.rack_units.unwrap_or(UNKNOWN_SWITCH_UNITS)).max(1)
}

/// Racks of switches and storage.
struct Service {
    racks: u64,
    network_racks: u64,
    near_in_rack: bool,
    nodes_beside: u64,
}

/// Storage nodes that a rack of their own holds.
pub(crate) fn nodes_of_rack() -> u64 {
    (usable_units() / u64::from(Catalog::get().storage.node.rack_units).max(1)).max(1)
}

/// Places switches and storage nodes, whole boxes in whole racks: beside the servers what fits in `free` rack units;
/// else switches evenly over as few racks as hold them, storage in the room that they leave and in racks of its own.
/// Switches that near links join share a rack where one holds them.
fn service(network: Option<&NetworkBuild>, nodes: u64, free: u64) -> Service {
    let units = usable_units();
    let node = u64::from(Catalog::get().storage.node.rack_units).max(1);
    let (switches, height) = network.map_or((0, 1), |n| (n.shape.switches(), switch_units(n.switch)));
    let near = network.map(|n| &n.shape).filter(|s| s.near_links > 0);
    let each = (units / height).max(1);
    // switches go beside the servers before storage does, as their cables are short there
    if switches * height <= free {
        let nodes_beside = if switches * height + nodes * node <= free { nodes } else { 0 };
        let racks = (nodes - nodes_beside).div_ceil(nodes_of_rack());
        return Service { racks, network_racks: 0, near_in_rack: near.is_some(), nodes_beside };
    }
    let groups = near.filter(|s| s.near_switches <= each);
    let of_groups = groups.map_or(0, |s| s.groups().div_ceil((each / s.near_switches.max(1)).max(1)));
    let network_racks = switches.div_ceil(each).max(of_groups).max(1);
    let (share, fuller) = (switches / network_racks, switches % network_racks);
    let room = |switches: u64| units.saturating_sub(switches * height) / node;
    let nodes_beside = nodes.min(fuller * room(share + 1) + (network_racks - fuller) * room(share));
    let racks = network_racks + (nodes - nodes_beside).div_ceil(nodes_of_rack());
    Service { racks, network_racks, near_in_rack: groups.is_some(), nodes_beside }
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
    let Catalog { costs, racks, .. } = Catalog::get();
    let systems = network::systems(accelerator, gpus);
    let per_rack = per_rack(request, accelerator);
    let server_racks = server_racks(request, accelerator, systems);
    let server_kw = power::system_kw(accelerator);
    let kw_each = server_kw.map(|kw| kw * per_rack.min(systems) as f64);
    let cooling = match kw_each {
        _ if is_rack(accelerator) => Cooling::DirectLiquid,
        Some(kw) if kw > racks.rear_door_rack_kw.value => Cooling::DirectLiquid,
        Some(kw) if kw > costs.air_cooled_rack_kw.value + 1e-9 => Cooling::RearDoor,
        _ => Cooling::Air,
    };
    let service = service(network, storage.nodes, free_units(request, accelerator, systems));
    let limit = request.overrides.scalar("rack_kw");
    RackBuild {
        server_racks,
        service_racks: service.racks,
        network_racks: service.network_racks,
        near_in_rack: service.near_in_rack,
        nodes_beside: service.nodes_beside,
        per_rack,
        kw_each,
        cooling,
        over_limit: server_kw.zip(limit).is_some_and(|(kw, limit)| kw > limit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::storage::{Rates, storage_need};
    use crate::request::{Form, PlanRequest, StorageClass};
    use serde_json::json;

    fn place(accelerator: &Accelerator, gpus: u32, overrides: serde_json::Value) -> RackBuild {
        let value = json!({ "model": { "preset": "llama-3.1-8b" }, "overrides": overrides });
        let request = PlanRequest::parse(&value, Form::Json).expect("a valid request");
        let storage = storage_need(1e12, 4.0, 1e12, Rates::of(StorageClass::Standard, f64::from(gpus), None));
        let network = network::build(&request, accelerator, "infiniband", 400.0, gpus);
        racks(&request, accelerator, gpus, network.as_ref(), &storage)
    }

    #[test]
    fn service_racks_hold_whole_boxes() {
        let h100 = Catalog::get().accelerator("h100-sxm").expect("known");
        // 48 switches of one unit: 24 in each of two racks, storage beside them
        let placed = place(h100, 1_024, json!({}));
        assert_eq!((placed.network_racks, placed.service_racks, placed.near_in_rack), (2, 2, false));
        // 8 leaves and 4 spines of a scalable unit share one
        let unit = place(h100, 256, json!({}));
        assert_eq!((unit.network_racks, unit.near_in_rack), (1, true));
        // a dragonfly of two groups of 32 switches: a rack each, though 41 units would hold more
        let groups = place(h100, 1_024, json!({ "topology": "dragonfly" }));
        assert_eq!((groups.network_racks, groups.near_in_rack), (2, true));
        // one switch beside four servers, its storage in a rack of its own
        let small = place(h100, 32, json!({}));
        assert_eq!((small.network_racks, small.service_racks), (0, 1));
    }

    #[test]
    fn racks_hold_everything_and_stay_under_their_limit() {
        let Catalog { costs, racks: figures, accelerators, .. } = Catalog::get();
        for accelerator in accelerators {
            for systems in [1, 2, 3, 4, 5, 17, 128, 1_000] {
                for limit in [None, Some(5.0), Some(30.0), Some(60.0), Some(200.0)] {
                    let overrides = limit.map_or_else(|| json!({}), |kw| json!({ "rack_kw": kw }));
                    let placed = place(accelerator, systems * accelerator.system_gpus, overrides);
                    let what = format!("{} {systems} {limit:?}: {placed:?}", accelerator.id);
                    let systems = u64::from(systems);
                    assert!(placed.server_racks * placed.per_rack >= systems, "{what}");
                    assert!((placed.server_racks - 1) * placed.per_rack < systems, "{what}");
                    assert!(placed.per_rack <= figures.servers_per_rack.value as u64, "{what}");
                    let Some(kw) = placed.kw_each.filter(|_| !is_rack(accelerator)) else { continue };
                    let most = limit.unwrap_or(costs.air_cooled_rack_kw.value);
                    assert!(kw <= most + 1e-9 || placed.per_rack.min(systems) == 1, "{what}");
                    let by_kw = match placed.cooling {
                        Cooling::Air => kw <= costs.air_cooled_rack_kw.value + 1e-9,
                        Cooling::RearDoor => {
                            kw > costs.air_cooled_rack_kw.value && kw <= figures.rear_door_rack_kw.value
                        }
                        Cooling::DirectLiquid => kw > figures.rear_door_rack_kw.value,
                    };
                    assert!(by_kw, "{what}");
                }
            }
        }
    }
}
