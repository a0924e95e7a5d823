//! What is bought: accelerators, fabrics, switches and optics.

use crate::format;
use crate::listing::{Choice, Column, Entry, Kind, Listing, Row, VIEWS};
use engine::catalog::{Accelerator, Catalog};

/// The kinds of form that an accelerator may have, by id.
const FORMS: [(&str, &str); 7] = [
    ("sxm", "SXM board"),
    ("oam", "OAM board"),
    ("pcie", "PCIe card"),
    ("workstation", "Workstation card"),
    ("consumer", "Consumer card"),
    ("rack", "Rack"),
    ("cloud-only", "Rented only"),
];

fn form(id: &str) -> String {
    FORMS.iter().find(|(known, _)| *known == id).map_or(id, |(_, name)| *name).to_owned()
}

const ACCELERATORS: [Column; 17] = [
    Column::new("accelerator", "Accelerator", Kind::Text),
    Column::more("vendor", "Vendor", Kind::Text),
    Column::more("form", "Form", Kind::Text),
    Column::new("memory_gb", "Memory", Kind::Number),
    Column::new("usable_gib", "Usable", Kind::Number),
    Column::new("memory_tb_per_second", "Bandwidth", Kind::Number),
    Column::new("bf16_tflops", "bf16 TFLOP/s", Kind::Number),
    Column::new("fp8_tflops", "fp8 TFLOP/s", Kind::Number),
    Column::new("fp4_tflops", "fp4 TFLOP/s", Kind::Number),
    Column::new("scale_up_gb_per_second", "Scale-up link", Kind::Number),
    Column::more("scale_up_domain", "Joined by the link", Kind::Number),
    Column::new("network_gbps_per_gpu", "Network per GPU", Kind::Number),
    Column::new("board_watts", "Board power", Kind::Number),
    Column::new("system_max_kw", "System, maximum", Kind::Number),
    Column::new("system_usd", "System price, USD", Kind::Usd),
    Column::more("system_gpus", "GPUs in the system", Kind::Number),
    Column::new("system", "System", Kind::Text),
];

pub(super) fn accelerators(catalog: &Catalog) -> Listing {
    let rows: Vec<Row> = catalog.accelerators.iter().map(accelerator).collect();
    let choices = vec![
        Choice { id: "vendor", label: "Vendor", all: "All vendors", kinds: Listing::kinds(&rows, 0, str::to_owned) },
        Choice { id: "form", label: "Form", all: "All forms", kinds: Listing::kinds(&rows, 1, form) },
    ];
    Listing {
        name: "accelerators",
        files: VIEWS,
        caption: "Accelerators",
        noun: ("accelerator", "accelerators"),
        columns: ACCELERATORS.to_vec(),
        choices,
        rows,
    }
}

fn accelerator(a: &Accelerator) -> Row {
    Row {
        entries: vec![
            Entry::text(&a.label).note(a.id.clone()),
            Entry::text(&a.vendor),
            Entry::text(form(&a.form)),
            Entry::figure(&a.memory_gb, |v| format!("{} GB", format::exact(v))),
            Entry::figure(&a.usable_gib, |v| format!("{} GiB", format::exact(v))),
            Entry::figure(&a.memory_tb_per_second, |v| format!("{} TB/s", format::exact(v))),
            Entry::figure(&a.bf16_tflops, format::count),
            Entry::maybe(a.fp8_tflops.as_ref(), format::count),
            Entry::maybe(a.fp4_tflops.as_ref(), format::count),
            Entry::figure(&a.scale_up_gb_per_second, |v| format!("{} GB/s", format::exact(v)))
                .note(format!("{}, {} joined", a.scale_up_link, a.scale_up_domain)),
            Entry::number(Some(f64::from(a.scale_up_domain)), format::count),
            Entry::maybe(a.network_gbps_per_gpu.as_ref(), |v| format!("{} Gb/s", format::exact(v))),
            Entry::maybe(a.board_watts.as_ref(), |v| format!("{} W", format::count(v))),
            Entry::maybe(a.system_max_kw.as_ref(), |v| format!("{} kW", format::exact(v))),
            Entry::maybe(a.system_usd.as_ref(), format::money),
            Entry::number(Some(f64::from(a.system_gpus)), format::count),
            Entry::text(&a.system).note(a.note.clone().unwrap_or_default()),
        ],
        kinds: vec![a.vendor.clone(), a.form.clone()],
        words: a.vendor.clone(),
        origin: None,
    }
}

const FABRICS: [Column; 6] = [
    Column::new("fabric", "Fabric", Kind::Text),
    Column::new("efficiency", "Share of line rate", Kind::Share),
    Column::new("latency_us", "Latency of one step", Kind::Number),
    Column::new("rdma", "RDMA", Kind::Flag),
    Column::new("in_network_reduction", "Reduction in the switch", Kind::Flag),
    Column::new("note", "Note", Kind::Text),
];

pub(super) fn fabrics(catalog: &Catalog) -> Listing {
    let rows = catalog.fabrics.iter().map(|f| Row {
        entries: vec![
            Entry::text(&f.label).note(f.id.clone()),
            Entry::figure(&f.efficiency, format::percent),
            Entry::figure(&f.latency_us, |v| format!("{} µs", format::exact(v))),
            Entry::flag(f.rdma),
            Entry::flag(f.in_network_reduction),
            Entry::text(f.note.clone().unwrap_or_default()),
        ],
        ..Row::default()
    });
    Listing {
        name: "fabrics",
        files: VIEWS,
        caption: "Fabrics",
        noun: ("fabric", "fabrics"),
        columns: FABRICS.to_vec(),
        choices: Vec::new(),
        rows: rows.collect(),
    }
}

const NETWORK: [Column; 6] = [
    Column::new("part", "Part", Kind::Text),
    Column::new("kind", "Kind", Kind::Text),
    Column::more("ports", "Ports", Kind::Number),
    Column::new("gbps", "Rate of a port", Kind::Number),
    Column::new("usd", "Price, USD", Kind::Usd),
    Column::new("watts", "Draw", Kind::Number),
];

const SWITCH: &str = "switch";
const CARD: &str = "card";
const OPTIC: &str = "optic";

pub(super) fn network(catalog: &Catalog) -> Listing {
    let switches = catalog.switches.iter().map(|s| Row {
        entries: vec![
            Entry::text(&s.label).note(s.id.clone()),
            Entry::text("Switch").note(format!("{} × {} Gb/s", s.ports, s.port_gbps)),
            Entry::number(Some(f64::from(s.ports)), format::count),
            Entry::number(Some(f64::from(s.port_gbps)), |v| format!("{} Gb/s", format::exact(v))),
            Entry::figure(&s.usd, format::money),
            Entry::maybe(s.watts.as_ref(), |v| format!("{} W", format::count(v))),
        ],
        kinds: vec![SWITCH.to_owned()],
        ..Row::default()
    });
    let optics = catalog.optics.iter().map(|o| Row {
        entries: vec![
            Entry::text(&o.label).note(o.id.clone()),
            Entry::text("Cable or transceiver"),
            Entry::unknown(),
            Entry::number(Some(f64::from(o.gbps)), |v| format!("{} Gb/s", format::exact(v))),
            Entry::figure(o.usd_each.as_ref().unwrap_or(&o.cable_usd), format::money),
            Entry::figure(&o.watts_each, |v| format!("{} W", format::exact(v))),
        ],
        kinds: vec![OPTIC.to_owned()],
        ..Row::default()
    });
    let cards = catalog.nics.iter().map(|n| Row {
        entries: vec![
            Entry::text(&n.label).note(n.id.clone()),
            Entry::text("Network card"),
            Entry::unknown(),
            Entry::number(Some(f64::from(n.gbps)), |v| format!("{} Gb/s", format::exact(v))),
            Entry::figure(&n.usd, format::money),
            Entry::figure(&n.watts, |v| format!("{} W", format::exact(v))),
        ],
        kinds: vec![CARD.to_owned()],
        ..Row::default()
    });
    let kinds = [(SWITCH, "Switches"), (CARD, "Network cards"), (OPTIC, "Cables and transceivers")];
    Listing {
        name: "network",
        files: VIEWS,
        caption: "Switches, network cards and optics",
        noun: ("part", "parts"),
        columns: NETWORK.to_vec(),
        choices: vec![Choice {
            id: "kind",
            label: "Kind",
            all: "All parts",
            kinds: kinds.map(|(id, name)| (id.to_owned(), name.to_owned())).to_vec(),
        }],
        rows: switches.chain(cards).chain(optics).collect(),
    }
}
