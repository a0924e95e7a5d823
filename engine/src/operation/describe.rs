//! The physical build of a cluster as an answer, with how each figure came about.

use super::floor::Floor;
use super::floor_plan::{self, Contents};
use super::network::cabling::{self, Cabling, Placed};
use super::network::{self, NetworkBuild, why};
use super::racks::{self, Cooling, RackBuild};
use super::storage::{Binds, KEPT_CHECKPOINTS, StorageNeed};
use super::{feeds, heat, power};
use crate::answer::{Build, NetworkDesign, NetworkLinks, PowerDesign, RackDesign, StorageDesign};
use crate::catalog::{Accelerator, Catalog};
use crate::economics::inputs::Inputs;
use crate::request::PlanRequest;
use crate::units::grouped;

/// Describes the build of a cluster.
pub(crate) fn build(
    request: &PlanRequest,
    inputs: &Inputs,
    accelerator: &Accelerator,
    gpus: u32,
    network: Option<&NetworkBuild>,
    storage: &StorageNeed,
) -> Build {
    let racks = racks::racks(request, accelerator, gpus, network, storage);
    let systems = network::systems(accelerator, gpus);
    let floor = Floor::of(&racks);
    let cabled = network.map(|n| {
        let placed = Placed::of(n, &racks, systems);
        (n, placed, cabling::cabling(n, &placed))
    });
    let power = power_design(inputs, accelerator, gpus, cabled.as_ref().map(|(n, _, cabling)| (*n, cabling)));
    let contents = Contents {
        systems,
        storage_nodes: storage.nodes,
        racks: &racks,
        network,
        rack_system: racks::is_rack(accelerator),
    };
    Build {
        network: network.map(network_design),
        no_network: network.is_none().then(|| no_network(accelerator, gpus)),
        storage: storage_design(storage),
        racks: rack_design(request, accelerator, gpus, &racks),
        floor: Some(floor_plan::floor(&floor, &contents)),
        weight: Some(floor_plan::weight(accelerator, systems, &racks)),
        cables: cabled.map(|(_, placed, cabling)| floor_plan::cables(&placed, &cabling)),
        heat: Some(heat::heat(accelerator, &racks, &power, inputs.load_factor.value())),
        feeds: Some(feeds::feeds(accelerator, &racks, floor.racks_per_row(), &power)),
        power,
    }
}

fn network_design(network: &NetworkBuild) -> NetworkDesign {
    let shape = &network.shape;
    let bisection_gbps = network.bisection_gbps();
    NetworkDesign {
        topology: shape.design.id().into(),
        tiers: shape.tiers,
        switch: network.switch.label.clone(),
        switch_ports: network.switch.ports,
        switch_port_gbps: network.switch.port_gbps,
        ports_per_node: network.ports_per_node,
        leaves: shape.leaves,
        spines: shape.spines,
        cores: shape.cores,
        switches: shape.switches(),
        links: NetworkLinks { device: shape.device_links, near: shape.near_links, far: shape.far_links },
        oversubscription: network.half_of_devices_gbps() / bisection_gbps.max(1e-9),
        bisection_gbps,
        why: why::design(network),
        bisection_why: why::bisection(network),
    }
}

/// Why a cluster has no scale-out network.
pub(crate) fn no_network(accelerator: &Accelerator, gpus: u32) -> String {
    match network::systems(accelerator, gpus) {
        1 if racks::is_rack(accelerator) => {
            format!("One rack: {} joins all its devices.", accelerator.scale_up_link)
        }
        1 => "One server: no network between servers.".into(),
        _ => format!("No switch of the catalog joins the ports of {} devices in this topology.", grouped(gpus)),
    }
}

fn storage_design(need: &StorageNeed) -> StorageDesign {
    StorageDesign {
        needed_tb: need.needed_tb,
        usable_tb: need.usable_tb,
        read_gb_per_second: need.read_gb_per_second,
        write_gb_per_second: need.write_gb_per_second,
        nodes: need.nodes,
        drives: need.drives,
        binds: need.binds.id().into(),
        why: storage_why(need),
    }
}

/// How drives and capacity came about.
pub(crate) fn storage_why(need: &StorageNeed) -> String {
    let blocks = &Catalog::get().storage;
    let binds = match need.binds {
        Binds::Capacity => "the capacity",
        Binds::Read => "the read rate",
        Binds::Write => "the write rate of checkpoints",
    };
    format!(
        "{} {} of {} TB, set by {binds}: {} TB (data set of {} TB and {KEPT_CHECKPOINTS} checkpoints of {} TB, twice for work), {} GB/s read, {} GB/s write of the {} class",
        grouped(need.drives),
        if need.drives == 1 { "drive" } else { "drives" },
        blocks.drive.tb.value,
        grouped(format!("{:.1}", need.needed_tb)),
        grouped(format!("{:.*}", if need.dataset_tb < 0.1 { 4 } else { 1 }, need.dataset_tb)),
        grouped(format!("{:.2}", need.checkpoint_tb)),
        grouped(format!("{:.2}", need.read_gb_per_second)),
        grouped(format!("{:.2}", need.write_gb_per_second)),
        need.class.id()
    )
}

fn rack_design(request: &PlanRequest, accelerator: &Accelerator, gpus: u32, racks: &RackBuild) -> RackDesign {
    RackDesign {
        count: racks.count(),
        server_racks: racks.server_racks,
        service_racks: racks.service_racks,
        servers_per_rack: racks.per_rack,
        kw_each: racks.kw_each,
        cooling: racks.cooling.id().into(),
        why: racks_why(request, accelerator, gpus, racks),
    }
}

/// How the racks came about.
pub(crate) fn racks_why(request: &PlanRequest, accelerator: &Accelerator, gpus: u32, racks: &RackBuild) -> String {
    let Catalog { costs, racks: figures, .. } = Catalog::get();
    let systems = grouped(network::systems(accelerator, gpus));
    let service = match racks.service_racks {
        0 => "switches and storage fit beside the servers".to_owned(),
        n => format!("{} more for switches and storage that don't fit beside them", grouped(n)),
    };
    if racks::is_rack(accelerator) {
        return format!("{systems} systems that are racks, {service}; direct liquid cooling comes with the system");
    }
    let limit = match request.overrides.scalar("rack_kw") {
        Some(kw) => format!("the {} kW of your request", grouped(kw)),
        None => format!("the {} kW that air cools", costs.air_cooled_rack_kw.value),
    };
    let cooling = match racks.cooling {
        Cooling::Air => format!("air up to {} kW", costs.air_cooled_rack_kw.value),
        Cooling::RearDoor => format!("rear door up to {} kW", figures.rear_door_rack_kw.value),
        Cooling::DirectLiquid => format!("direct liquid above {} kW", figures.rear_door_rack_kw.value),
    };
    let over = if racks.over_limit { "; one server alone draws more than your rack gives" } else { "" };
    format!(
        "{systems} servers, at most {} in a rack by {limit} and space for {}; {service}; {cooling}{over}",
        racks.per_rack, figures.servers_per_rack.value
    )
}

fn power_design(
    inputs: &Inputs,
    accelerator: &Accelerator,
    gpus: u32,
    network: Option<(&NetworkBuild, &Cabling)>,
) -> PowerDesign {
    let servers_kw = power::nameplate_kw(accelerator, f64::from(gpus));
    let (overhead, pue, load) = (inputs.server_overhead.value(), inputs.pue.value(), inputs.load_factor.value());
    let it_kw = servers_kw.map(|kw| kw * overhead);
    PowerDesign {
        servers_kw,
        network_kw: network.and_then(|(n, cabling)| n.kw(cabling)),
        it_kw,
        facility_kw: it_kw.map(|kw| kw * pue),
        training_kw: it_kw.map(|kw| kw * pue * load),
        why: format!(
            "Servers at their maximum × {overhead} for network, storage and hosts = IT power at full load, which is contracted, × PUE {pue} = facility at full load, × load {load} = facility while training; network counted from switches and transceivers, typical draw, inside the {overhead}"
        ),
    }
}
