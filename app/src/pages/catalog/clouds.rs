//! Prices of clouds.

use crate::components::Cell;
use crate::format;
use crate::listing::{Choice, Column, Entry, Kind, Listing, Row, VIEWS};
use engine::catalog::{Catalog, Offer, OfferTerm, ProviderClass};

const COLUMNS: [Column; 13] = [
    Column::new("accelerator", "Accelerator", Kind::Text),
    Column::new("provider", "Provider", Kind::Text),
    Column::more("class", "Class of provider", Kind::Text),
    Column::new("term", "Paid", Kind::Text),
    Column::more("months", "Months of commitment", Kind::Number),
    Column::more("max_days", "Longest booking, days", Kind::Number),
    Column::new("usd_per_gpu_hour", "USD per GPU-hour", Kind::Usd),
    Column::new("instance", "Machine", Kind::Text),
    Column::more("gpus", "GPUs in a machine", Kind::Number),
    Column::new("region", "Region", Kind::Text),
    Column::new("fabric", "Fabric", Kind::Text),
    Column::more("network_gbps_per_gpu", "Network per GPU, Gb/s", Kind::Number),
    Column::more("remark", "Remark", Kind::Text),
];

const CLASSES: [(&str, &str); 3] =
    [("hyperscaler", "Hyperscaler"), ("specialist", "Specialist"), ("marketplace", "Marketplace")];

fn class_id(class: ProviderClass) -> &'static str {
    match class {
        ProviderClass::Marketplace => "marketplace",
        ProviderClass::Specialist => "specialist",
        ProviderClass::Hyperscaler => "hyperscaler",
    }
}

const TERMS: [OfferTerm; 4] = [OfferTerm::OnDemand, OfferTerm::Reserved, OfferTerm::CapacityBlock, OfferTerm::Spot];

/// Name of a way to pay, by its id.
pub(super) fn term_name(id: &str) -> String {
    TERMS.map(term_of).into_iter().find(|(known, _)| *known == id).map_or(id, |(_, name)| name).to_owned()
}

/// Id of a way to pay.
pub(super) fn term_id(term: OfferTerm) -> &'static str {
    term_of(term).0
}

/// How an offer is paid, with its commitment: `Reserved, 12 months`.
pub(super) fn paid(term: OfferTerm, months: Option<u32>) -> String {
    let name = term_of(term).1;
    months.map_or_else(|| name.to_owned(), |months| format!("{name}, {}", format::months(f64::from(months))))
}

/// Id and name of a way to pay.
fn term_of(term: OfferTerm) -> (&'static str, &'static str) {
    match term {
        OfferTerm::OnDemand => ("on_demand", "On demand"),
        OfferTerm::Reserved => ("reserved", "Reserved"),
        OfferTerm::CapacityBlock => ("capacity_block", "Capacity block"),
        OfferTerm::Spot => ("spot", "Spot"),
    }
}

/// By accelerator, cheapest first.
pub(super) fn offers(catalog: &Catalog) -> Listing {
    let mut offers: Vec<_> = catalog.offers.iter().collect();
    offers.sort_by(|a, b| {
        a.accelerator.cmp(&b.accelerator).then(a.usd_per_gpu_hour.value.total_cmp(&b.usd_per_gpu_hour.value))
    });
    let rows: Vec<Row> = offers.into_iter().map(|offer| row(catalog, offer)).collect();
    let named =
        |kinds: &[(&str, &str)]| kinds.iter().map(|(id, name)| ((*id).to_owned(), (*name).to_owned())).collect();
    let choices = vec![
        Choice {
            id: "accelerator",
            label: "Accelerator",
            all: "All accelerators",
            kinds: Listing::kinds(&rows, 0, |id| accelerator(catalog, id).to_owned()),
        },
        Choice {
            id: "provider",
            label: "Provider",
            all: "All providers",
            kinds: Listing::kinds(&rows, 1, |id| catalog.provider(id).map_or(id, |p| p.label.as_str()).to_owned()),
        },
        Choice { id: "class", label: "Class of provider", all: "All classes", kinds: named(&CLASSES) },
        Choice { id: "term", label: "Paid", all: "Every way", kinds: named(&TERMS.map(term_of)) },
    ];
    Listing {
        name: "clouds",
        files: VIEWS,
        caption: "Cloud prices, by accelerator, cheapest first",
        noun: ("price", "prices"),
        columns: COLUMNS.to_vec(),
        choices,
        rows,
    }
}

fn accelerator<'a>(catalog: &'a Catalog, id: &'a str) -> &'a str {
    catalog.accelerator(id).map_or(id, |a| a.label.as_str())
}

fn row(catalog: &Catalog, offer: &Offer) -> Row {
    let provider = catalog.provider(&offer.provider);
    let class = provider.map_or("", |provider| class_id(provider.class));
    let fabric = offer.fabric.as_ref().map_or("—", |id| catalog.fabric(id).map_or(id.as_str(), |f| f.label.as_str()));
    let network = offer.network_gbps_per_gpu;
    let per_gpu = network.map(|rate| format!("{} Gb/s per GPU", format::exact(rate))).unwrap_or_default();
    let price = &offer.usd_per_gpu_hour;
    let gpus = f64::from(offer.gpus);
    Row {
        entries: vec![
            Entry::text(accelerator(catalog, &offer.accelerator)),
            Cell::text(provider.map_or(offer.provider.as_str(), |p| p.label.as_str())).note(class).into(),
            Entry::text(class),
            Entry::text(paid(offer.term, offer.months)),
            Entry::number(offer.months.map(f64::from), format::count),
            Entry::number(offer.max_days, format::exact),
            Entry::figure(price, format::money),
            Entry::text(&offer.instance).note(format::plural(gpus, "GPU", "GPUs")),
            Entry::number(Some(gpus), format::count),
            Entry::text(&offer.region),
            Entry::text(fabric).note(per_gpu),
            Entry::number(network, format::exact),
            Entry::text(price.note.clone().unwrap_or_default()),
        ],
        kinds: [offer.accelerator.as_str(), &offer.provider, class, term_id(offer.term)].map(str::to_owned).to_vec(),
        words: [offer.accelerator.as_str(), &offer.provider].join(" "),
        origin: None,
    }
}
