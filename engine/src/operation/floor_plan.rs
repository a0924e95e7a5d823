//! The floor and the cables of a cluster as an answer.

use super::floor::{Floor, Row};
use super::network::NetworkBuild;
use super::network::cabling::{CLASSES_METERS, Cabling, LinkClass, Placed};
use super::network::shape::Design;
use super::racks::{self, RackBuild};
use crate::answer::{CableCount, CableDesign, CableLevel, FloorDesign, RackRun, WeightDesign};
use crate::catalog::{Accelerator, Catalog, Medium};
use crate::units::grouped;

/// Rows that are listed rack by rack.
const LISTED_ROWS: u64 = 40;

/// What stands on the floor.
pub(crate) struct Contents<'a> {
    pub systems: u64,
    pub storage_nodes: u64,
    pub racks: &'a RackBuild,
    pub network: Option<&'a NetworkBuild>,
    /// The system is a rack.
    pub rack_system: bool,
}

/// The floor, and where each rack stands on it.
pub(crate) fn floor(floor: &Floor, contents: &Contents<'_>) -> FloorDesign {
    let listed = floor.rows.min(LISTED_ROWS);
    let racks: Vec<RackRun> = (0..listed).flat_map(|index| runs(floor, index, contents)).collect();
    let placed: u64 = racks.iter().map(|run| run.last_place + 1 - run.first_place).sum();
    FloorDesign {
        rows: floor.rows,
        blocks: floor.blocks(),
        racks_per_row: floor.racks_per_row(),
        row_meters: floor.row_meters(),
        area_m2: floor.area(),
        racks,
        more_racks: contents.racks.count() - placed,
        why: floor_why(floor, contents),
    }
}

fn floor_why(floor: &Floor, contents: &Contents<'_>) -> String {
    let f = &Catalog::get().racks.floor;
    let blocks = match floor.blocks() {
        1 => String::new(),
        n => format!(", in {n} blocks beside each other so that the hall is about square"),
    };
    let middle = match contents.racks.network_racks {
        0 => String::new(),
        _ => "; racks of switches stand in the middle of their rows, evenly over the hall, so that cables are short"
            .into(),
    };
    let racks = contents.racks.count();
    format!(
        "{} in rows of at most {}, places of {} m, racks {} m deep, cold aisles of {} m, hot ones of {} m{blocks}{middle}. Racks with their aisles; cooling, power and doors need room of their own",
        if racks == 1 { "1 rack".to_owned() } else { format!("{} racks", grouped(racks)) },
        f.racks_per_row.value,
        f.rack_width_meters.value,
        f.rack_depth_meters.value,
        f.cold_aisle_meters.value,
        f.hot_aisle_meters.value
    )
}

/// The racks of a row, in their order.
fn runs(floor: &Floor, index: u64, contents: &Contents<'_>) -> Vec<RackRun> {
    let row = floor.row(index);
    let run = |kind: &str, from: u64, to: u64, holds: String| RackRun {
        row: index + 1,
        first_place: from + 1,
        last_place: to,
        kind: kind.into(),
        holds,
    };
    let mut all = Vec::new();
    let mut racks_before = row.storage_before;
    let mut storage = |all: &mut Vec<RackRun>, from: u64, to: u64| {
        if from < to {
            all.push(run("storage", from, to, nodes(contents, racks_before, to - from)));
            racks_before += to - from;
        }
    };
    let [(_, left_to), (right_from, right_to)] = row.sides();
    if row.network == 0 {
        // nothing stands between the two sides
        if row.servers > 0 {
            all.push(run("servers", 0, row.servers, servers(contents, row.servers_before, row.servers)));
        }
        storage(&mut all, row.servers, row.places);
        return all;
    }
    if left_to > 0 {
        all.push(run("servers", 0, left_to, servers(contents, row.servers_before, left_to)));
    }
    storage(&mut all, left_to, row.middle);
    all.push(run("network", row.middle, right_from, switches(floor, index, &row, contents)));
    if right_from < right_to {
        let before = row.servers_before + left_to;
        all.push(run("servers", right_from, right_to, servers(contents, before, right_to - right_from)));
    }
    storage(&mut all, right_to, row.places);
    all
}

/// The servers of some racks, by number.
fn servers(contents: &Contents<'_>, racks_before: u64, racks: u64) -> String {
    let each = contents.racks.per_rack;
    let (first, last) = (racks_before * each + 1, ((racks_before + racks) * each).min(contents.systems));
    let text = numbered(if contents.rack_system { "system" } else { "server" }, first, last);
    // everything that fits beside the servers of one rack
    let beside = contents.racks.network_racks == 0;
    let network = contents.network.filter(|_| beside).map_or(0, |n| n.shape.switches());
    let nodes = if beside { contents.racks.nodes_beside } else { 0 };
    let parts = [counted(network, "switch", "switches"), counted(nodes, "storage node", "storage nodes")];
    [Some(text)].into_iter().chain(parts).flatten().collect::<Vec<_>>().join(", ")
}

/// The storage nodes of some racks of their own, by number.
fn nodes(contents: &Contents<'_>, racks_before: u64, racks: u64) -> String {
    let (beside, each) = (contents.racks.nodes_beside, racks::nodes_of_rack());
    let last = beside + (racks_before + racks) * each;
    numbered("storage node", beside + racks_before * each + 1, last.min(contents.storage_nodes))
}

/// What the racks in the middle of a row hold: an even share of each level of switches, and of the storage nodes that
/// stand beside them, by number.
fn switches(floor: &Floor, index: u64, row: &Row, contents: &Contents<'_>) -> String {
    let Some(network) = contents.network else { return "switches".into() };
    let racks = floor.network_racks.max(1);
    let s = &network.shape;
    let before: u64 = (0..index).map(|i| floor.row(i).network).sum();
    let until = before + row.network;
    let flat = !matches!(s.design, Design::FatTree | Design::RailOptimized { .. });
    let leaf = if flat { "switch" } else { "leaf" };
    let beside = contents.racks.nodes_beside;
    let levels = [(s.leaves, leaf), (s.spines, "spine"), (s.cores, "core"), (beside, "storage node")];
    let parts: Vec<String> = levels
        .into_iter()
        .filter_map(|(all, name)| {
            let (first, last) = (all * before / racks + 1, all * until / racks);
            (first <= last).then(|| numbered(name, first, last))
        })
        .collect();
    parts.join(", ")
}

fn numbered(name: &str, first: u64, last: u64) -> String {
    let plural = match name {
        "switch" => "switches".to_owned(),
        "leaf" => "leaves".to_owned(),
        other => format!("{other}s"),
    };
    if first == last { format!("{name} {first}") } else { format!("{plural} {first} to {last}") }
}

fn counted(n: u64, one: &str, many: &str) -> Option<String> {
    (n > 0).then(|| if n == 1 { format!("1 {one}") } else { format!("{n} {many}") })
}

/// The cables of a network by level and length.
pub(crate) fn cables(placed: &Placed, cabling: &Cabling) -> CableDesign {
    let f = &Catalog::get().racks.floor;
    let levels = [("device", cabling.device), ("near", cabling.near), ("far", cabling.far)];
    let counts = placed.by_length(cabling);
    let levels = levels.into_iter().zip(counts).filter_map(|((id, class), counts)| Some(level(id, &class?, &counts)));
    CableDesign {
        levels: levels.collect(),
        why: format!(
            "Along the rows and across them from rack to rack, {} m down at each end and {} m spare, inside a rack at most {} m; racks of servers are shared out over the racks of switches in their order, and any two switches of a pod, of a dragonfly group or of the whole network are joined alike; one kind of cable for each level, which reaches its longest link. The bill counts with the mean",
            f.cable_drop_meters.value,
            f.cable_slack_meters.value,
            super::floor::RACK_METERS
        ),
    }
}

fn level(id: &str, class: &LinkClass, counts: &[u64]) -> CableLevel {
    let starts = [0.0].into_iter().chain(CLASSES_METERS);
    let ends = CLASSES_METERS.into_iter().map(Some).chain([None]);
    let by_length = starts.zip(ends).zip(counts).filter(|(_, links)| **links > 0);
    CableLevel {
        id: id.into(),
        cable: class.cable.label.clone(),
        medium: medium(class.cable.medium).into(),
        links: class.links,
        mean_meters: class.lengths.mean,
        longest_meters: class.lengths.longest,
        by_length: by_length
            .map(|((over_meters, up_to_meters), links)| CableCount { over_meters, up_to_meters, links: *links })
            .collect(),
    }
}

/// Stable name.
fn medium(medium: Medium) -> &'static str {
    match medium {
        Medium::Copper => "copper",
        Medium::ActiveCopper => "active_copper",
        Medium::ActiveOptical => "active_optical",
        Medium::Multimode => "multimode",
        Medium::SingleMode => "single_mode",
    }
}

/// What a full rack of servers weighs, where the system's weight is known.
pub(crate) fn weight(accelerator: &Accelerator, systems: u64, racks: &RackBuild) -> WeightDesign {
    let f = &Catalog::get().racks.floor;
    let system_kg = accelerator.system_kg.as_ref().map(|kg| kg.value);
    let rack_system = racks::is_rack(accelerator);
    let in_full = racks.per_rack.min(systems);
    let rack_kg = system_kg.map(|kg| if rack_system { kg } else { kg * in_full as f64 + f.rack_own_kg.value });
    let (width, depth) = if rack_system {
        (f.rack_system_width_meters.value, f.rack_system_depth_meters.value)
    } else {
        (f.rack_width_meters.value, f.rack_depth_meters.value)
    };
    let noise = "Its noise is not known: no data sheet that was read gives it";
    let why = match (&accelerator.system_kg, rack_system) {
        (None, _) => format!("The weight of {} is not known. {noise}", accelerator.system),
        (Some(_), true) => format!("The rack as it is delivered, on its own {width} × {depth} m. {noise}"),
        (Some(_), false) => format!(
            "{in_full} × {} kg and {} kg of rack, power distribution and cables (judgement), on {width} × {depth} m; aisles around it carry nothing. {noise}",
            system_kg.unwrap_or_default(),
            f.rack_own_kg.value
        ),
    };
    WeightDesign { system_kg, rack_kg, floor_kg_per_m2: rack_kg.map(|kg| kg / (width * depth)), why }
}
