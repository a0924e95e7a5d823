//! Regions, and where all figures come from.

use crate::components::Cell;
use crate::format;
use crate::listing::{Column, Entry, Kind, Listing, Row, VIEWS};
use engine::catalog::Catalog;

const REGIONS: [Column; 5] = [
    Column::new("region", "Region", Kind::Text),
    Column::new("electricity_usd_per_kwh", "Electricity, USD", Kind::Usd),
    Column::new("electricity_eur_per_kwh", "Electricity, EUR", Kind::Number),
    Column::new("colocation_usd_per_kw_month", "Colocation per kW and month", Kind::Usd),
    Column::new("carbon_g_per_kwh", "Carbon of the grid, CO2e", Kind::Number),
];

pub(super) fn regions(catalog: &Catalog) -> Listing {
    let rows = catalog.regions.iter().map(|r| Row {
        entries: vec![
            Entry::text(&r.label).note(r.id.clone()),
            Entry::maybe(r.electricity_usd_per_kwh.as_ref(), |v| format!("${}/kWh", format::exact(v))),
            Entry::maybe(r.electricity_eur_per_kwh.as_ref(), |v| format!("€{}/kWh", format::exact(v))),
            Entry::maybe(r.colocation_usd_per_kw_month.as_ref(), |v| format!("${}", format::exact(v))),
            Entry::maybe(r.carbon_g_per_kwh.as_ref(), |v| format!("{} g/kWh", format::count(v))),
        ],
        ..Row::default()
    });
    Listing {
        name: "regions",
        files: VIEWS,
        caption: "Regions",
        noun: ("region", "regions"),
        columns: REGIONS.to_vec(),
        choices: Vec::new(),
        rows: rows.collect(),
    }
}

const SOURCES: [Column; 4] = [
    Column::new("source", "Source", Kind::Text),
    Column::new("license", "License", Kind::Text),
    Column::more("id", "Id", Kind::Text),
    Column::more("url", "Address", Kind::Link),
];

pub(super) fn sources(catalog: &Catalog) -> Listing {
    let rows = catalog.sources.iter().map(|s| {
        let title = Cell::text(&s.title).note(s.id.clone());
        let title = match &s.url {
            Some(url) if url.starts_with("https://") || url.starts_with("http://") => title.link(url.clone()),
            _ => title,
        };
        Row {
            entries: vec![
                title.into(),
                Entry::text(&s.license),
                Entry::text(&s.id),
                Entry::text(s.url.clone().unwrap_or_default()),
            ],
            ..Row::default()
        }
    });
    Listing {
        name: "sources",
        files: VIEWS,
        caption: "Sources",
        noun: ("source", "sources"),
        columns: SOURCES.to_vec(),
        choices: Vec::new(),
        rows: rows.collect(),
    }
}
