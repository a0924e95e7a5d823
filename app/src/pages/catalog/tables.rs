//! The tables of the catalog.

use super::figures::{cell, confidence, maybe};
use crate::components::{Cell, DataTable};
use crate::format;
use engine::catalog::{Catalog, OfferTerm, ProviderClass};
use leptos::prelude::*;

fn table(caption: &'static str, head: &[&str], rows: Vec<Vec<Cell>>) -> AnyView {
    let head = head.iter().map(|h| (*h).to_owned()).collect();
    let count = format::plural(rows.len() as f64, "row", "rows");
    view! { <p class="quiet">{count}</p><DataTable caption=format!("{caption}: table") head=head rows=rows class="data-dense" /> }.into_any()
}

pub(super) fn accelerators(catalog: &'static Catalog) -> AnyView {
    let rows = catalog
        .accelerators
        .iter()
        .map(|a| {
            vec![
                Cell::text(&a.label).note(a.id.clone()),
                cell(&a.memory_gb, |v| format!("{} GB", format::exact(v))),
                cell(&a.usable_gib, |v| format!("{} GiB", format::exact(v))),
                cell(&a.memory_tb_per_second, |v| format!("{} TB/s", format::exact(v))),
                cell(&a.bf16_tflops, format::count),
                maybe(a.fp8_tflops.as_ref(), format::count),
                maybe(a.fp4_tflops.as_ref(), format::count),
                cell(&a.scale_up_gb_per_second, |v| format!("{} GB/s", format::exact(v)))
                    .note(format!("{}, {} joined", a.scale_up_link, a.scale_up_domain)),
                maybe(a.network_gbps_per_gpu.as_ref(), |v| format!("{} Gb/s", format::exact(v))),
                maybe(a.board_watts.as_ref(), |v| format!("{} W", format::count(v))),
                maybe(a.system_max_kw.as_ref(), |v| format!("{} kW", format::exact(v))),
                maybe(a.system_usd.as_ref(), format::money),
                Cell::text(&a.system).note(a.note.clone().unwrap_or_default()),
            ]
        })
        .collect();
    let head = [
        "Accelerator",
        "#Memory",
        "#Usable",
        "#Bandwidth",
        "#bf16 TFLOP/s",
        "#fp8 TFLOP/s",
        "#fp4 TFLOP/s",
        "#Scale-up link",
        "#Network per GPU",
        "#Board power",
        "#System, maximum",
        "#System price, USD",
        "System",
    ];
    table("Accelerators", &head, rows)
}

pub(super) fn clouds(catalog: &'static Catalog) -> AnyView {
    let mut offers: Vec<_> = catalog.offers.iter().collect();
    offers.sort_by(|a, b| {
        a.accelerator.cmp(&b.accelerator).then(a.usd_per_gpu_hour.value.total_cmp(&b.usd_per_gpu_hour.value))
    });
    let rows = offers
        .into_iter()
        .map(|o| {
            let accelerator = catalog.accelerator(&o.accelerator).map_or(o.accelerator.as_str(), |a| a.label.as_str());
            let provider = catalog.provider(&o.provider);
            let class = provider.map_or("", |p| match p.class {
                ProviderClass::Marketplace => "marketplace",
                ProviderClass::Specialist => "specialist",
                ProviderClass::Hyperscaler => "hyperscaler",
            });
            let term = match (o.term, o.months) {
                (OfferTerm::OnDemand, _) => "On demand".to_owned(),
                (OfferTerm::Reserved, Some(months)) => format!("Reserved, {}", format::months(f64::from(months))),
                (OfferTerm::Reserved, None) => "Reserved".into(),
                (OfferTerm::CapacityBlock, _) => "Capacity block".into(),
                (OfferTerm::Spot, _) => "Spot".into(),
            };
            let fabric =
                o.fabric.as_ref().map(|id| catalog.fabric(id).map_or(id.as_str(), |f| f.label.as_str())).unwrap_or("—");
            vec![
                Cell::text(accelerator),
                Cell::text(provider.map_or(o.provider.as_str(), |p| p.label.as_str())).note(class),
                Cell::text(term),
                cell(&o.usd_per_gpu_hour, format::money),
                Cell::text(&o.instance).note(format::plural(f64::from(o.gpus), "GPU", "GPUs")),
                Cell::text(&o.region),
                Cell::text(fabric).note(
                    o.network_gbps_per_gpu.map(|g| format!("{} Gb/s per GPU", format::exact(g))).unwrap_or_default(),
                ),
            ]
        })
        .collect();
    table(
        "Cloud prices, by accelerator, cheapest first",
        &["Accelerator", "Provider", "Paid", "#USD per GPU-hour", "Machine", "Region", "Fabric"],
        rows,
    )
}

pub(super) fn regions(catalog: &'static Catalog) -> AnyView {
    let rows = catalog
        .regions
        .iter()
        .map(|r| {
            let electricity = match (&r.electricity_usd_per_kwh, &r.electricity_eur_per_kwh) {
                (Some(usd), _) => cell(usd, |v| format!("${}/kWh", format::exact(v))),
                (None, eur) => maybe(eur.as_ref(), |v| format!("€{}/kWh", format::exact(v))),
            };
            vec![
                Cell::text(&r.label).note(r.id.clone()),
                electricity,
                maybe(r.colocation_usd_per_kw_month.as_ref(), |v| format!("${}", format::exact(v))),
                maybe(r.carbon_g_per_kwh.as_ref(), |v| format!("{} g/kWh", format::count(v))),
            ]
        })
        .collect();
    table("Regions", &["Region", "#Electricity", "#Colocation per kW and month", "#Carbon of the grid, CO2e"], rows)
}

pub(super) fn models(catalog: &'static Catalog) -> AnyView {
    let rows = catalog
        .models
        .iter()
        .map(|m| {
            let a = &m.architecture;
            let experts =
                a.moe.as_ref().map_or("—".to_owned(), |moe| format!("{} of {}", moe.experts_per_token, moe.experts));
            vec![
                Cell::text(&m.label)
                    .note(m.id.clone())
                    .link(format!("/?model.preset={}", crate::flash::segment(&m.id))),
                Cell::text(&m.maker),
                m.published_parameters.map_or_else(
                    || Cell::text("—"),
                    |p| Cell { title: Some(format::count(p as f64)), ..Cell::text(format::compact(p as f64)) },
                ),
                Cell::text(format::count(f64::from(a.layers))),
                Cell::text(format::count(f64::from(a.hidden))),
                Cell::text(format!("{} / {}", a.heads, a.kv_heads)),
                Cell::text(format::count(f64::from(a.vocab))),
                Cell::text(experts),
                Cell::text(format::count(m.max_context as f64)),
                Cell::text(&m.source).note(format!(
                    "{} · {} confidence{}",
                    m.date,
                    confidence(m.confidence),
                    m.note.as_ref().map(|n| format!(". {n}")).unwrap_or_default()
                )),
            ]
        })
        .collect();
    let head = [
        "Model",
        "Maker",
        "#Parameters",
        "#Layers",
        "#Hidden",
        "#Heads / KV heads",
        "#Vocabulary",
        "#Active experts",
        "#Longest context",
        "Source",
    ];
    table("Models", &head, rows)
}

pub(super) fn fabrics(catalog: &'static Catalog) -> AnyView {
    let yes = |flag: bool| if flag { "yes" } else { "no" };
    let rows = catalog
        .fabrics
        .iter()
        .map(|f| {
            vec![
                Cell::text(&f.label).note(f.id.clone()),
                cell(&f.efficiency, format::percent),
                cell(&f.latency_us, |v| format!("{} µs", format::exact(v))),
                Cell::text(yes(f.rdma)),
                Cell::text(yes(f.in_network_reduction)),
                Cell::text(f.note.clone().unwrap_or_default()),
            ]
        })
        .collect();
    table(
        "Fabrics",
        &["Fabric", "#Share of line rate", "#Latency of one step", "RDMA", "Reduction in the switch", "Note"],
        rows,
    )
}

pub(super) fn network(catalog: &'static Catalog) -> AnyView {
    let switches = catalog.switches.iter().map(|s| {
        let rate = format!("{} × {} Gb/s", s.ports, s.port_gbps);
        vec![
            Cell::text(&s.label).note(s.id.clone()),
            Cell::text(rate),
            cell(&s.usd, format::money),
            maybe(s.watts.as_ref(), |v| format!("{} W", format::count(v))),
        ]
    });
    let optics = catalog.optics.iter().map(|o| {
        let price = o.usd_each.as_ref().unwrap_or(&o.cable_usd);
        vec![
            Cell::text(&o.label).note(o.id.clone()),
            Cell::text(format!("{} Gb/s", o.gbps)),
            cell(price, format::money),
            cell(&o.watts_each, |v| format!("{} W", format::exact(v))),
        ]
    });
    table("Switches and optics", &["Part", "Rate", "#Price, USD", "#Draw"], switches.chain(optics).collect())
}

pub(super) fn sources(catalog: &'static Catalog) -> AnyView {
    let rows = catalog
        .sources
        .iter()
        .map(|s| {
            let title = Cell::text(&s.title).note(s.id.clone());
            let title = match &s.url {
                Some(url) if url.starts_with("https://") || url.starts_with("http://") => title.link(url.clone()),
                _ => title,
            };
            vec![title, Cell::text(&s.license)]
        })
        .collect();
    table("Sources", &["Source", "License"], rows)
}
