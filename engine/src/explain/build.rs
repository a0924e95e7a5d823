//! How the figures of the physical build came about.

use super::{cited, own_source, physical, source_of, term};
use crate::answer::{Build, Explanation, NetworkDesign, Term};
use crate::catalog::{Accelerator, Catalog, StorageBlocks};
use crate::economics::inputs::Inputs;
use crate::operation::network::{self, NetworkBuild};
use crate::operation::storage::Rates;
use crate::request::PlanRequest;
use std::collections::BTreeMap;

/// The cluster that is built.
pub(crate) struct Built<'a> {
    pub accelerator: &'a Accelerator,
    pub gpus: u32,
    pub network: Option<&'a NetworkBuild>,
}

/// Explains the build under keys such as `build.network.switches`.
pub(crate) fn build(
    request: &PlanRequest,
    inputs: &Inputs,
    built: Option<&Built<'_>>,
    build: &Build,
    into: &mut BTreeMap<String, Explanation>,
) {
    let systems = built.map_or(0, |b| network::systems(b.accelerator, b.gpus));
    physical::physical(inputs, built.map(|b| b.accelerator), systems, build, into);
    let mut put = |key: &str, title: &str, value: f64, unit: &str, formula: &str, terms: Vec<Term>| {
        let explanation = Explanation { title: title.into(), value, unit: unit.into(), formula: formula.into(), terms };
        into.insert(format!("build.{key}"), explanation);
    };
    if let Some((design, network)) = build.network.as_ref().zip(built.and_then(|b| b.network)) {
        let formula = format!(
            "leaves + spines + cores; {}, with ports, ports of a switch and downlinks per uplink as given",
            design.why.trim_end_matches('.')
        );
        let terms = network_terms(request, design);
        put("network.switches", "Switches", design.switches as f64, "switches", &formula, terms);
        let terms = vec![
            term("links in the cut", network.shape.cut_links, "links", &design.bisection_why),
            term("rate of a switch port", f64::from(design.switch_port_gbps), "Gb/s", &design.switch),
            term("ports", design.links.device as f64, "ports", "one link for each network port"),
            term("rate of a port", network.port_gbps, "Gb/s", "network of the cluster"),
        ];
        let formula = "min(links in the cut × rate of a switch port, ports ÷ 2 × rate of a port); what the worst halving of the devices leaves open, at most what half of them send";
        put("network.bisection_gbps", "Bisection bandwidth", design.bisection_gbps, "Gb/s", formula, terms);
    }
    let Catalog { costs, storage: StorageBlocks { drive, node }, racks: figures, .. } = Catalog::get();
    let storage = &build.storage;
    let (read, write) = Rates::per_gpu(inputs.storage_class);
    let write_source = match inputs.checkpoint_write_gb_per_second {
        Some(_) => own_source(request, "checkpoint_write_gb_per_second"),
        None => cited(write),
    };
    put(
        "storage.drives",
        "Storage drives",
        storage.drives as f64,
        "drives",
        "max(⌈capacity ÷ (drive × usable share)⌉, ⌈read rate × drives of a node ÷ read rate of a node⌉, ⌈write rate × drives of a node ÷ write rate of a node⌉, 1)",
        vec![
            term("capacity", storage.needed_tb, "TB", "data set and checkpoints, twice for work"),
            term("drive", drive.tb.value, "TB", &cited(&drive.tb)),
            term("usable share", costs.storage_usable_share.value, "share", &cited(&costs.storage_usable_share)),
            term("read rate", storage.read_gb_per_second, "GB/s", &cited(read)),
            term("write rate", storage.write_gb_per_second, "GB/s", &write_source),
            term("drives of a node", node.drives.value, "drives", &cited(&node.drives)),
            term("read rate of a node", node.read_gb_per_second.value, "GB/s", &cited(&node.read_gb_per_second)),
            term("write rate of a node", node.write_gb_per_second.value, "GB/s", &cited(&node.write_gb_per_second)),
        ],
    );
    let racks = &build.racks;
    let limit = request.overrides.scalar("rack_kw");
    put(
        "racks.count",
        "Racks",
        racks.count as f64,
        "racks",
        "⌈servers ÷ servers in a rack⌉ + racks of switches and storage; servers in a rack by power of a rack and space of a rack",
        vec![
            term("servers", systems as f64, "servers", "devices ÷ devices of a server"),
            term("servers in a rack", racks.servers_per_rack as f64, "servers", "power and space of a rack"),
            term(
                "power of a rack",
                limit.unwrap_or(costs.air_cooled_rack_kw.value),
                "kW",
                &limit.map_or_else(|| cited(&costs.air_cooled_rack_kw), |_| own_source(request, "rack_kw")),
            ),
            term("space of a rack", figures.servers_per_rack.value, "servers", &cited(&figures.servers_per_rack)),
            term("racks of switches and storage", racks.service_racks as f64, "racks", "their height in rack units"),
        ],
    );
    let power = &build.power;
    if let (Some(servers), Some(it), Some(facility)) = (power.servers_kw, power.it_kw, power.facility_kw) {
        put(
            "power.facility_kw",
            "Power at the facility at full load",
            facility,
            "kW",
            "servers × overhead × PUE; IT power at full load is without the PUE, and while training all of it × load while training",
            vec![
                term("servers", servers, "kW", "maximum of the system in the accelerator catalog"),
                term("overhead", inputs.server_overhead.value(), "factor", &source_of(&inputs.server_overhead)),
                term("IT power at full load", it, "kW", "servers × overhead"),
                term("load while training", inputs.load_factor.value(), "share", &source_of(&inputs.load_factor)),
                term("PUE", inputs.pue.value(), "ratio", &source_of(&inputs.pue)),
            ],
        );
    }
}

fn network_terms(request: &PlanRequest, network: &NetworkDesign) -> Vec<Term> {
    // only a tree of several switches has uplinks to thin out
    let tree = network.topology.ends_with("tree") || network.topology == "rail_optimized";
    let asked = request.overrides.scalar("oversubscription").filter(|_| tree);
    let source = asked.map_or_else(|| "non-blocking by default".into(), |_| own_source(request, "oversubscription"));
    let level = |name: &str, count: u64| term(name, count as f64, "switches", &network.why);
    vec![
        level("leaves", network.leaves),
        level("spines", network.spines),
        level("cores", network.cores),
        term("ports", network.links.device as f64, "ports", "ports of a server × servers"),
        term("ports of a switch", f64::from(network.switch_ports), "ports", &network.switch),
        term("downlinks per uplink", asked.unwrap_or(1.0), "ratio", &source),
    ]
}
