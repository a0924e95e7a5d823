//! The physical build: network, storage, racks, power, floor, heat, and what the run takes of it.

use super::{explanation, network_drawing, nothing, physical_section as physical, section as wrap, yours};
use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::answer::{Build, Footprint, NetworkDesign, PowerDesign, RackDesign, StorageDesign};
use engine::request::{Acquisition, Topology};
use leptos::prelude::*;

/// Blocks, each with its finding.
pub(super) fn section(plan: &Plan) -> AnyView {
    let title = "Network, storage, power";
    let Some(build) = &plan.build else {
        return wrap("build", title, nothing("No cluster is shown, so there is nothing to build."));
    };
    let rents = plan.shown().and_then(|t| t.cost.as_ref()).is_some_and(|c| c.acquisition != Acquisition::Buy);
    let own = rents.then(|| {
        let text = "This is what you would build if you bought the cluster; the provider builds what you rent.";
        view! { <p class="quiet">{text}</p> }
    });
    let body = view! {
        {own}
        <div class="build">
            {network(plan, build)}
            {build.cables.as_ref().map(|c| physical::cables(plan, c))}
            {storage(plan, &build.storage)}
            {racks(plan, &build.racks)}
            {build.floor.as_ref().map(|f| physical::floor(plan, f))}
            {build.weight.as_ref().map(|w| physical::weight(plan, w))}
            {power(plan, &build.power)}
            {build.feeds.as_ref().map(|f| physical::feeds(plan, f))}
            {build.heat.as_ref().map(|h| physical::heat(plan, h))}
            {plan.shown().and_then(|t| t.footprint.as_ref()).map(|f| footprint(plan, f))}
        </div>
    };
    wrap("build", title, body.into_any())
}

/// A block: finding, drawing, table, and how it came about in a sentence.
pub(super) fn block(title: String, drawing: Option<AnyView>, rows: Vec<Vec<Cell>>, why: &[&str]) -> AnyView {
    let head = ["What", "#Figure"].map(str::to_owned).to_vec();
    let why: Vec<_> = why.iter().map(|text| view! { <p class="quiet">{sentence(text)}</p> }).collect();
    view! { <div class="block"><h3>{title.clone()}</h3>{drawing}<DataTable caption=title head=head rows=rows />{why}</div> }
        .into_any()
}

/// With a full stop.
fn sentence(text: &str) -> String {
    if text.ends_with('.') { text.to_owned() } else { format!("{text}.") }
}

/// A topology in words.
pub(super) fn topology(id: &str) -> &str {
    match Topology::ALL.iter().find(|t| t.id() == id) {
        Some(known) => known.label(),
        None if id == "single_switch" => "Single switch",
        None => id,
    }
}

pub(super) fn row(name: &str, value: String, key: Option<String>) -> Vec<Cell> {
    vec![Cell::text(name), Cell::text(value).explained(key)]
}

pub(super) fn unknown(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "not known".into(), show)
}

fn network(plan: &Plan, build: &Build) -> AnyView {
    let Some(network) = &build.network else {
        let text = build.no_network.clone().unwrap_or_else(|| "There is no network between servers.".into());
        return view! { <div class="block"><h3>"No network between servers"</h3><p class="quiet">{text}</p></div> }
            .into_any();
    };
    let key = |part: &str| explanation::key(plan, format!("build.network.{part}"));
    let count = |n: u64| format::count(n as f64);
    let mut rows = vec![
        row("Topology", topology(&network.topology).into(), None),
        row("Tiers of switches", format::count(f64::from(network.tiers)), None),
        vec![
            Cell::text("Switch").note(network.switch.clone()),
            Cell::text(format!("{} × {} Gb/s", network.switch_ports, network.switch_port_gbps)),
        ],
    ];
    let levels =
        [("Leaf switches", network.leaves), ("Spine switches", network.spines), ("Core switches", network.cores)];
    let levels: Vec<_> = levels.into_iter().filter(|(_, n)| *n > 0).collect();
    rows.extend(levels.iter().map(|(name, n)| row(name, count(*n), None)));
    rows.push(row("Switches in all", count(network.switches), key("switches")));
    rows.push(row("Network ports of a server", count(network.ports_per_node), None));
    let links = [
        ("Links from devices to switches", network.links.device),
        (near(network), network.links.near),
        (far(network), network.links.far),
    ];
    rows.extend(links.into_iter().filter(|(_, n)| *n > 0).map(|(name, n)| row(name, count(n), None)));
    rows.push(vec![
        Cell::text("Oversubscription").note(yours::mark(plan, &["oversubscription"])),
        Cell::text(blocking(network.oversubscription)),
    ]);
    rows.push(row("Bisection, per direction", format::gigabits(network.bisection_gbps), key("bisection_gbps")));
    let drawing = plan.shown().and_then(|t| t.cluster.as_ref()).map(|cluster| {
        view! { <div class="network" inner_html=network_drawing::draw(network, u64::from(cluster.nodes))></div> }
            .into_any()
    });
    block(finding(network), drawing, rows, &[&network.why, &network.bisection_why])
}

/// How much of the traffic passes, in a sentence.
fn passes(oversubscription: f64) -> String {
    match oversubscription {
        ratio if ratio <= 1.0 => blocking(ratio),
        ratio => format!("oversubscribed {}", blocking(ratio)),
    }
}

fn finding(network: &NetworkDesign) -> String {
    let switches = format::plural(network.switches as f64, "switch", "switches");
    let shape = topology(&network.topology).to_lowercase();
    let tiers = if network.tiers > 1 { format!(" of {} tiers", network.tiers) } else { String::new() };
    match network.topology.as_str() {
        "single_switch" => format!("One switch joins all servers, {}", passes(network.oversubscription)),
        _ => format!("{switches} as a {shape}{tiers}, {}", passes(network.oversubscription)),
    }
}

fn blocking(oversubscription: f64) -> String {
    if oversubscription <= 1.0 {
        "non-blocking".into()
    } else {
        format!("{} to 1", format::significant(oversubscription, 3))
    }
}

fn near(network: &NetworkDesign) -> &'static str {
    match network.topology.as_str() {
        "dragonfly" => "Links inside groups",
        "torus" => "Links along the torus",
        _ => "Links from leaves to spines",
    }
}

fn far(network: &NetworkDesign) -> &'static str {
    if network.topology == "dragonfly" { "Links between groups" } else { "Links from spines to cores" }
}

fn storage(plan: &Plan, storage: &StorageDesign) -> AnyView {
    let key = |part: &str| explanation::key(plan, format!("build.storage.{part}"));
    let binds = match storage.binds.as_str() {
        "capacity" => "the capacity",
        "read_rate" => "the read rate",
        "write_rate" => "the write rate",
        other => other,
    };
    let title = format!("{}, set by {binds}", format::plural(storage.drives as f64, "drive", "drives"));
    let rows = vec![
        row("Usable capacity that is needed", format::terabytes(storage.needed_tb), key("needed_tb")),
        row("Usable capacity of the drives", format::terabytes(storage.usable_tb), key("usable_tb")),
        vec![
            Cell::text("Read rate that is needed"),
            Cell::text(format!("{} GB/s", format::significant(storage.read_gb_per_second, 3)))
                .explained(key("read_gb_per_second")),
        ],
        vec![
            Cell::text("Write rate that is needed").note(yours::mark(plan, &["checkpoint_write_gb_per_second"])),
            Cell::text(format!("{} GB/s", format::significant(storage.write_gb_per_second, 3)))
                .explained(key("write_gb_per_second")),
        ],
        row("Storage nodes", format::count(storage.nodes as f64), key("nodes")),
        row("Drives", format::count(storage.drives as f64), key("drives")),
    ];
    block(title, None, rows, &[&storage.why])
}

fn racks(plan: &Plan, racks: &RackDesign) -> AnyView {
    let key = |part: &str| explanation::key(plan, format!("build.racks.{part}"));
    let cooling = match racks.cooling.as_str() {
        "air" => "cooled by air",
        "rear_door" => "cooled by rear doors",
        "direct_liquid" => "cooled by liquid",
        other => other,
    };
    let each = racks.kw_each.map(|kw| format!(" of {}", format::kilowatts(kw))).unwrap_or_default();
    let title = format!("{}{each}, {cooling}", format::plural(racks.count as f64, "rack", "racks"));
    let rows = vec![
        row("Racks of servers", format::count(racks.server_racks as f64), key("server_racks")),
        row("Racks of switches and storage alone", format::count(racks.service_racks as f64), key("service_racks")),
        row("Racks in all", format::count(racks.count as f64), key("count")),
        row("Servers in a full rack", format::count(racks.servers_per_rack as f64), key("servers_per_rack")),
        vec![
            Cell::text("Nameplate of a full rack").note(yours::mark(plan, &["rack_kw"])),
            Cell::text(unknown(racks.kw_each, format::kilowatts)).explained(key("kw_each")),
        ],
    ];
    block(title, None, rows, &[&racks.why])
}

fn power(plan: &Plan, power: &PowerDesign) -> AnyView {
    let key = |part: &str| explanation::key(plan, format!("build.power.{part}"));
    let title = match (power.facility_kw, power.it_kw) {
        (Some(facility), Some(it)) => {
            format!("{} at the facility for {} of IT", format::kilowatts(facility), format::kilowatts(it))
        }
        _ => "The power is not known".into(),
    };
    let rows = vec![
        row("Servers, nameplate", unknown(power.servers_kw, format::kilowatts), key("servers_kw")),
        vec![
            Cell::text("Switches and transceivers, typical").note("a part of IT"),
            Cell::text(unknown(power.network_kw, format::kilowatts)).explained(key("network_kw")),
        ],
        vec![
            Cell::text("IT at full load, contracted").note(yours::mark(plan, &["server_overhead"])),
            Cell::text(unknown(power.it_kw, format::kilowatts)).explained(key("it_kw")),
        ],
        vec![
            Cell::text("Facility at full load").note(yours::mark(plan, &["pue"])),
            Cell::text(unknown(power.facility_kw, format::kilowatts)).explained(key("facility_kw")),
        ],
        vec![
            Cell::text("Facility while training").note(yours::mark(plan, &["load_factor"])),
            Cell::text(unknown(power.training_kw, format::kilowatts)).explained(key("training_kw")),
        ],
    ];
    block(title, None, rows, &[&power.why])
}

fn footprint(plan: &Plan, print: &Footprint) -> AnyView {
    let key = |part: &str| explanation::key(plan, explanation::of_tier(plan.shown_tier, &format!("footprint.{part}")));
    let energy = format::energy(print.energy_kwh);
    let title = match print.total_kg {
        Some(total) => format!("The run takes {energy}, and emits {} of CO₂e", format::mass(total)),
        None => format!("The run takes {energy}; the carbon of the region's grid is not known"),
    };
    let keys = ["load_factor", "idle_factor", "server_overhead", "pue"];
    let grid = match print.grid_g_per_kwh {
        Some(grams) => format!("grid: {} g/kWh", format::significant(grams, 3)),
        None => "the grid's carbon is not known".into(),
    };
    let rows = vec![
        vec![
            Cell::text("Energy at the facility").note(yours::mark(plan, &keys)),
            Cell { title: Some(format!("{} kWh", format::count(print.energy_kwh))), ..Cell::text(energy.clone()) }
                .explained(key("energy_kwh")),
        ],
        vec![
            Cell::text("Carbon of that energy").note(grid).also(yours::mark(plan, &["carbon_g_per_kwh"])),
            Cell::text(unknown(print.operational_kg, format::mass)).explained(key("operational_kg")),
        ],
        vec![
            Cell::text("Share of the carbon of making the servers")
                .note(format!("{} of their working life", format::percent(print.life_share)))
                .also(yours::mark(plan, &["embodied_kg_per_server", "hardware_life_years"])),
            Cell::text(format::mass(print.embodied_kg)).explained(key("embodied_kg")),
        ],
        row("Both", unknown(print.total_kg, format::mass), key("total_kg")),
    ];
    block(title, None, rows, &[])
}
