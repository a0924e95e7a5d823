//! The embedded figures hold what the catalog promises.

use super::{Catalog, Figure, Medium, OfferTerm, Optic};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Accelerator ids that are part of the API contract.
const ACCELERATORS: &str = "v100-sxm a100-sxm-40 a100-sxm-80 a100-pcie-80 h100-sxm h100-sxm-96 h100-pcie h100-nvl h200-sxm h20-sxm h800-sxm b200 b300 gb200-nvl72 gb300-nvl72 l40s rtx-a6000 rtx-6000-ada rtx-pro-6000 rtx-4090 rtx-5090 rtx-5060-ti mi250x mi300x mi325x mi350x mi355x gaudi-3 tpu-v5e tpu-v5p tpu-v6e tpu-v7 trainium-2";
/// Fabric ids that are part of the API contract.
const FABRICS: &str = "infiniband roce efa ethernet-tcp omnipath";
/// Tier ids that are part of the API contract, in their order.
const TIERS: &str = "starter workhorse beast";

/// Every figure below `value`, with the path that leads to it.
fn walk(path: &str, value: &Value, found: &mut Vec<(String, Figure)>) {
    match value {
        Value::Object(fields) if fields.contains_key("value") => {
            for key in ["source", "date", "confidence"] {
                assert!(fields.get(key).is_some_and(Value::is_string), "{path} has no {key}");
            }
            let figure =
                serde_json::from_value(value.clone()).unwrap_or_else(|e| unreachable!("{path} is no figure: {e}"));
            found.push((path.to_owned(), figure));
        }
        Value::Object(fields) => {
            for (key, inner) in fields {
                walk(&format!("{path}.{key}"), inner, found);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                let id = inner.get("id").and_then(Value::as_str).map_or_else(|| index.to_string(), str::to_owned);
                walk(&format!("{path}.{id}"), inner, found);
            }
        }
        _ => {}
    }
}

fn figures_of(name: &str, part: &impl Serialize) -> Vec<(String, Figure)> {
    let value = serde_json::to_value(part).unwrap_or_else(|e| unreachable!("{name} does not serialize: {e}"));
    let mut found = Vec::new();
    walk(name, &value, &mut found);
    found
}

fn figures() -> Vec<(String, Figure)> {
    let catalog = Catalog::get();
    [
        figures_of("accelerators", &catalog.accelerators),
        figures_of("fabrics", &catalog.fabrics),
        figures_of("offers", &catalog.offers),
        figures_of("price_history", &catalog.price_history),
        figures_of("regions", &catalog.regions),
        figures_of("costs", &catalog.costs),
        figures_of("switches", &catalog.switches),
        figures_of("optics", &catalog.optics),
        figures_of("nics", &catalog.nics),
        figures_of("storage", &catalog.storage),
        figures_of("racks", &catalog.racks),
    ]
    .concat()
}

/// `2026`, `2026-11` or `2026-11-30`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let widths: Vec<usize> = parts.iter().map(|p| p.len()).collect();
    parts.iter().all(|p| p.bytes().all(|b| b.is_ascii_digit()))
        && matches!(widths.as_slice(), [4] | [4, 2] | [4, 2, 2])
        && parts.get(1).is_none_or(|m| ("01"..="12").contains(m))
        && parts.get(2).is_none_or(|d| ("01"..="31").contains(d))
}

fn assert_unique<'a>(what: &str, ids: impl Iterator<Item = &'a str>) {
    let mut seen = BTreeSet::new();
    for id in ids {
        assert!(!id.is_empty(), "a {what} has no id");
        assert!(seen.insert(id), "{what} {id} is there twice");
    }
    assert!(!seen.is_empty(), "there is no {what}");
}

#[test]
fn every_file_parses() {
    let catalog = Catalog::load();
    assert!(is_date(&catalog.version), "{}", catalog.version);
    assert_eq!(catalog.costs.residual_value_by_year.len(), 5);
}

#[test]
fn the_walk_refuses_a_figure_without_provenance() {
    let bare = serde_json::json!([{ "id": "x", "memory_gb": { "value": 80.0, "source": "s", "date": "2026" } }]);
    let refused = std::panic::catch_unwind(|| walk("test", &bare, &mut Vec::new()));
    assert!(refused.is_err());
}

#[test]
fn the_walk_finds_what_is_there() {
    let catalog = Catalog::get();
    let found = figures();
    for part in [
        "accelerators.b200.fp4_tflops",
        "costs.pue",
        "costs.residual_value_by_year.4",
        "regions.us-texas.carbon_g_per_kwh",
    ] {
        assert!(found.iter().any(|(path, _)| path == part), "{part} was not found");
    }
    assert!(found.len() > catalog.offers.len() + 10 * catalog.accelerators.len());
}

#[test]
fn every_figure_has_a_known_source_and_a_date() {
    let sources: BTreeSet<&str> = Catalog::get().sources.iter().map(|s| s.id.as_str()).collect();
    for (path, figure) in figures() {
        assert!(sources.contains(figure.source.as_str()), "{path} cites the unknown source {:?}", figure.source);
        assert!(is_date(&figure.date), "{path} has the date {:?}", figure.date);
        assert!(figure.note.is_none_or(|n| !n.trim().is_empty()), "{path} has an empty note");
    }
    for tier in &Catalog::get().tiers {
        assert!(sources.contains(tier.source.as_str()) && is_date(&tier.date), "tier {}", tier.id);
    }
    for model in &Catalog::get().models {
        assert!(
            sources.contains(model.source.as_str()),
            "model {} cites the unknown source {:?}",
            model.id,
            model.source
        );
        assert!(is_date(&model.date), "model {} has the date {:?}", model.id, model.date);
    }
}

#[test]
fn every_source_has_a_license() {
    for source in &Catalog::get().sources {
        assert!(!source.title.is_empty() && !source.license.is_empty(), "{}", source.id);
        assert!(source.url.as_ref().is_none_or(|u| u.starts_with("https://")), "{}", source.id);
    }
}

#[test]
fn every_figure_is_finite_and_inside_its_range() {
    for (path, figure) in figures() {
        assert!(figure.value.is_finite(), "{path}");
        assert!(figure.low.is_none_or(|low| low.is_finite() && low <= figure.value), "{path}: low end above the value");
        assert!(
            figure.high.is_none_or(|high| high.is_finite() && figure.value <= high),
            "{path}: high end below the value"
        );
    }
}

#[test]
fn zero_is_never_a_price_or_a_rate() {
    // Inputs that may honestly be zero: a tax that the user gives, a trend assumed flat, software that is not bought.
    let zero = ["costs.tax_share", "costs.price_trend_per_year", "costs.software_usd_per_gpu_year"];
    for (path, figure) in figures() {
        if !zero.contains(&path.as_str()) {
            assert!(figure.value > 0.0, "{path} is {}", figure.value);
        }
        if path != "costs.price_trend_per_year" {
            assert!(figure.low.is_none_or(|low| low >= 0.0), "{path} has a negative low end");
        }
    }
}

#[test]
fn shares_are_shares() {
    let catalog = Catalog::get();
    for (path, figure) in figures() {
        let name = path.rsplit('.').next().unwrap_or_default();
        if name.contains("share") || name.contains("factor") || name == "efficiency" || name == "utilization" {
            assert!(figure.range().high <= 1.0, "{path} is above 1");
        }
    }
    assert!(catalog.costs.pue.range().low >= 1.0);
    assert!(catalog.costs.server_overhead.range().low >= 1.0);
    assert!(catalog.costs.idle_factor.value < catalog.costs.load_factor.value);
}

#[test]
fn the_ids_of_the_contract_are_there_and_unique() {
    let catalog = Catalog::get();
    for id in ACCELERATORS.split(' ') {
        assert!(catalog.accelerator(id).is_some(), "{id}");
    }
    for id in FABRICS.split(' ') {
        assert!(catalog.fabric(id).is_some(), "{id}");
    }
    let tiers: Vec<&str> = catalog.tiers.iter().map(|t| t.id.as_str()).collect();
    assert_eq!(tiers.join(" "), TIERS);
    assert_eq!(catalog.regions.first().map(|r| r.id.as_str()), Some("us-average"));
    assert_unique("accelerator", catalog.accelerators.iter().map(|x| x.id.as_str()));
    assert_unique("short name", catalog.accelerators.iter().map(|x| x.short.as_str()));
    assert_unique("fabric", catalog.fabrics.iter().map(|x| x.id.as_str()));
    assert_unique("provider", catalog.providers.iter().map(|x| x.id.as_str()));
    assert_unique("region", catalog.regions.iter().map(|x| x.id.as_str()));
    assert_unique("tier", catalog.tiers.iter().map(|x| x.id.as_str()));
    assert_unique("switch", catalog.switches.iter().map(|x| x.id.as_str()));
    assert_unique("optic", catalog.optics.iter().map(|x| x.id.as_str()));
    assert_unique("source", catalog.sources.iter().map(|x| x.id.as_str()));
}

#[test]
fn tiers_cover_every_size_once() {
    let mut next = 1;
    for (index, tier) in Catalog::get().tiers.iter().enumerate() {
        assert_eq!(tier.min_nodes, next, "{}", tier.id);
        match tier.max_nodes {
            Some(max) => next = max + 1,
            None => assert_eq!(index + 1, Catalog::get().tiers.len(), "{} has no end", tier.id),
        }
    }
}

#[test]
fn peaks_are_dense() {
    for a in &Catalog::get().accelerators {
        let bf16 = a.bf16_tflops.value;
        if let Some(fp8) = &a.fp8_tflops {
            let ratio = fp8.value / bf16;
            assert!((1.0..=2.1).contains(&ratio), "{}: fp8 is {ratio} of bf16", a.id);
        }
        if let Some(fp4) = &a.fp4_tflops {
            let fp8 = a.fp8_tflops.as_ref().map_or(bf16, |f| f.value);
            let ratio = fp4.value / fp8;
            assert!((1.0..=3.1).contains(&ratio), "{}: fp4 is {ratio} of fp8", a.id);
        }
    }
    let bf16 = |id: &str| Catalog::get().accelerator(id).map(|a| a.bf16_tflops.value);
    assert_eq!(bf16("b200"), Some(2250.0));
    assert_eq!(bf16("h100-sxm"), Some(989.0));
    assert_eq!(bf16("h100-pcie"), Some(756.0));
    assert_eq!(bf16("h100-nvl"), Some(835.0));
    assert!(Catalog::get().accelerator("a100-sxm-80").is_some_and(|a| a.fp8_tflops.is_none()));
}

#[test]
fn accelerators_hang_together() {
    for a in &Catalog::get().accelerators {
        let id = &a.id;
        // A nominal GB is between 1e9 and 2^30 bytes, and an allocator never sees more than the larger reading.
        let ratio = a.usable_gib.value / a.memory_gb.value;
        assert!((0.85..1.0).contains(&ratio), "{id}: {ratio} GiB usable per nominal GB");
        assert!(a.usable_gib.range().high <= 1.01 * a.memory_gb.range().high, "{id}");
        assert!(a.gpus_per_node >= 1 && a.scale_up_domain >= 1 && a.system_gpus >= a.gpus_per_node, "{id}");
        assert_eq!(a.system_gpus % a.gpus_per_node, 0, "{id}");
        assert!(
            ["sxm", "oam", "pcie", "workstation", "consumer", "rack", "cloud-only"].contains(&a.form.as_str()),
            "{id}"
        );
        if a.form == "rack" {
            assert_eq!((a.gpus_per_node, a.scale_up_domain, a.system_gpus), (4, 72, 72), "{id}");
        }
        if a.form == "cloud-only" {
            assert!(a.system_usd.is_none(), "{id} is not sold");
        }
        if let (Some(kw), Some(watts)) = (&a.system_max_kw, &a.board_watts) {
            let boards = watts.range().low * f64::from(a.system_gpus) / 1000.0;
            assert!(kw.value > boards, "{id}: the system draws less than its boards");
        }
        if a.system_usd.is_some() {
            assert!(a.system_max_kw.is_some(), "{id} has a price but no power");
        }
    }
}

#[test]
fn offers_refer_to_what_exists() {
    let catalog = Catalog::get();
    for o in &catalog.offers {
        let name = format!("{} {} {:?}", o.provider, o.accelerator, o.term);
        assert!(catalog.provider(&o.provider).is_some(), "{name}: unknown provider");
        assert!(catalog.accelerator(&o.accelerator).is_some(), "{name}: unknown accelerator");
        assert!(o.fabric.as_ref().is_none_or(|f| catalog.fabric(f).is_some()), "{name}: unknown fabric");
        assert!(o.network_gbps_per_gpu.is_none_or(|n| n.is_finite() && n > 0.0), "{name}");
        assert!(o.fabric.is_some() || o.network_gbps_per_gpu.is_none(), "{name}: a rate without a fabric");
        assert!(o.gpus >= 1 && !o.instance.is_empty() && !o.region.is_empty(), "{name}");
        assert!(o.months.is_none() || o.term == OfferTerm::Reserved, "{name}: months without a commitment");
        let undated = o.term == OfferTerm::Reserved && o.months.is_none();
        assert!(!undated || o.usd_per_gpu_hour.note.is_some(), "{name}: an unknown commitment must be said");
    }
    for p in &catalog.providers {
        assert!(catalog.offers.iter().any(|o| o.provider == p.id), "{} offers nothing", p.id);
    }
    for s in &catalog.switches {
        assert!(catalog.fabric(&s.fabric).is_some(), "{}", s.id);
    }
}

#[test]
fn each_way_of_paying_is_there_once() {
    let mut seen = BTreeSet::new();
    for o in &Catalog::get().offers {
        assert!(
            seen.insert((&o.provider, &o.accelerator, o.term, o.months)),
            "{} {} {:?} is there twice",
            o.provider,
            o.accelerator,
            o.term
        );
    }
}

#[test]
fn spot_and_commitment_are_below_on_demand() {
    let mut on_demand = BTreeMap::new();
    for o in Catalog::get().offers.iter().filter(|o| o.term == OfferTerm::OnDemand) {
        on_demand.insert((&o.provider, &o.accelerator), o.usd_per_gpu_hour.value);
    }
    for o in Catalog::get().offers.iter().filter(|o| o.term != OfferTerm::OnDemand) {
        if let Some(full) = on_demand.get(&(&o.provider, &o.accelerator)) {
            let flagged = o.usd_per_gpu_hour.note.as_ref().is_some_and(|n| n.contains("suspicious"));
            assert!(
                o.usd_per_gpu_hour.value < *full || flagged,
                "{} {} {:?}: {} against {full} on demand",
                o.provider,
                o.accelerator,
                o.term,
                o.usd_per_gpu_hour.value
            );
        }
    }
}

#[test]
fn old_prices_say_so() {
    for o in &Catalog::get().offers {
        let price = &o.usd_per_gpu_hour;
        if price.date.as_str() < "2026-05" {
            let said =
                price.note.as_ref().is_some_and(|n| n.contains("older than six months") || n.contains("undated"));
            assert!(said, "{} {} of {}", o.provider, o.accelerator, price.date);
        }
    }
}

#[test]
fn every_switch_can_be_cabled() {
    let catalog = Catalog::get();
    assert_unique("switch", catalog.switches.iter().map(|x| x.id.as_str()));
    assert_unique("optic", catalog.optics.iter().map(|x| x.id.as_str()));
    assert_unique("network card", catalog.nics.iter().map(|x| x.id.as_str()));
    for switch in catalog.switches.iter().filter(|s| s.port_gbps >= 100) {
        assert!(matches!(switch.links_per_cage, 1 | 2), "{}", switch.id);
        assert!(switch.ports.is_multiple_of(switch.links_per_cage), "{}", switch.id);
        // single-mode fiber reaches everywhere, at the rate of a port and of a plug
        for gbps in [switch.port_gbps, switch.port_gbps * switch.links_per_cage] {
            let plug = |o: &&Optic| o.medium == Medium::SingleMode && o.gbps >= gbps && o.usd_each.is_some();
            assert!(catalog.optics.iter().any(|o| plug(&o)), "{} at {gbps} Gb/s", switch.id);
        }
    }
    for optic in &catalog.optics {
        let plugs = matches!(optic.medium, Medium::Multimode | Medium::SingleMode);
        assert_eq!(optic.usd_each.is_some(), plugs, "{}", optic.id);
    }
    for nic in &catalog.nics {
        assert!(!nic.fabrics.is_empty() && nic.fabrics.iter().all(|f| catalog.fabric(f).is_some()), "{}", nic.id);
    }
    assert!(catalog.switches.iter().any(|s| s.id == "sn2201"), "the switch for management");
}

#[test]
fn residual_value_falls() {
    let years: Vec<_> = Catalog::get().costs.residual_value_by_year.iter().map(Figure::range).collect();
    for pair in years.windows(2) {
        let [earlier, later] = pair else { continue };
        assert!(later.low < earlier.low && later.typical < earlier.typical && later.high < earlier.high);
    }
    assert!(years.iter().all(|y| y.high < 1.0 && y.low > 0.0));
}

#[test]
fn no_text_names_a_path_of_a_machine() {
    for text in [
        include_str!("../../catalog/accelerators.toml"),
        include_str!("../../catalog/clouds.toml"),
        include_str!("../../catalog/costs.toml"),
        include_str!("../../catalog/fabrics.toml"),
        include_str!("../../catalog/network.toml"),
        include_str!("../../catalog/racks.toml"),
        include_str!("../../catalog/regions.toml"),
        include_str!("../../catalog/sources.toml"),
        include_str!("../../catalog/storage.toml"),
        include_str!("../../catalog/tiers.toml"),
    ] {
        for path in ["/work", "/tmp/", "/home/", "/root/", ".csv"] {
            assert!(!text.contains(path), "{path}");
        }
    }
}
