//! The catalog: every figure that plans rest on, with its source and date, narrowed and ordered by the address.

mod clouds;
mod hardware;
mod history;
mod models;
mod places;

#[cfg(test)]
mod tests;

use crate::listing::{self, Listing, Place, View};
use crate::pages::Description;
use engine::catalog::Catalog;
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;

/// A section of the page: id of section and list, heading, list.
type Section = (&'static str, &'static str, fn(&Catalog) -> Listing);

const SECTIONS: [Section; 8] = [
    ("accelerators", "Accelerators", hardware::accelerators),
    ("clouds", "Cloud prices", clouds::offers),
    (HISTORY, "Price history", history::prices),
    ("regions", "Regions", places::regions),
    ("models", "Models", models::models),
    ("fabrics", "Fabrics", hardware::fabrics),
    ("network", "Switches, cards and optics", hardware::network),
    ("sources", "Sources", places::sources),
];

/// The section that has a chart.
const HISTORY: &str = "price-history";

/// Names of the lists.
const LISTS: [&str; 8] = ["accelerators", "clouds", HISTORY, "regions", "models", "fabrics", "network", "sources"];

/// The list of a section.
pub(super) fn list(name: &str) -> Option<Listing> {
    SECTIONS.iter().find(|(id, ..)| *id == name).map(|(_, _, list)| list(Catalog::get()))
}

/// The page.
#[component]
pub fn CatalogPage() -> impl IntoView {
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let pairs = listing::query(&query);
    if listing::is_wordy(&pairs) {
        leptos_axum::redirect(&shorter(&pairs));
    }
    view! {
        <Title text="Catalog · Clusterwright" />
        <Description text="Accelerators, cloud prices, models, networks, regions and electricity that plans are made with, each figure with its source and date." />
        {body(&pairs)}
    }
}

/// What an address says of the list of a section.
fn view_of(listing: &Listing, name: &'static str, pairs: &[(String, String)]) -> View {
    View::read(listing, Place { path: "/catalog", anchor: name, lists: &LISTS, kept: &[] }, pairs)
}

/// The address that says the same in fewer words.
fn shorter(pairs: &[(String, String)]) -> String {
    let views = SECTIONS.map(|(name, _, list)| (name, view_of(&list(Catalog::get()), name, pairs)));
    let own = views
        .iter()
        .flat_map(|(name, view)| view.pairs().into_iter().map(move |(key, value)| (format!("{name}.{key}"), value)));
    listing::with_query("/catalog", own)
}

/// Everything under the head of the document.
fn body(pairs: &[(String, String)]) -> AnyView {
    let catalog = Catalog::get();
    let anchors: Vec<_> =
        SECTIONS.iter().map(|(id, name, _)| view! { <li><a href=format!("#{id}")>{*name}</a></li> }).collect();
    let sections: Vec<_> = SECTIONS
        .iter()
        .map(|(id, name, list)| {
            let heading = format!("{id}-heading");
            let list = list(catalog);
            let view = view_of(&list, id, pairs);
            view! {
                <section class="section" id=*id aria-labelledby=heading>
                    <h2 id=heading.clone()>{*name}</h2>
                    {if *id == HISTORY { history::section(&list, &view) } else { listing::section(&list, &view) }}
                </section>
            }
        })
        .collect();
    let intro = format!(
        "Version {}. Every figure has a source, a date and a confidence; rest on one to read them. Peaks are dense. Prices are US dollars without tax. A dash is unknown, never zero. Heads of columns order a table.",
        catalog.version
    );
    view! {
        <main class="page page-wide" id="main">
            <h1>"Catalog"</h1>
            <p class="lead">{intro}</p>
            <p class="actions"><a class="button" href="/price-book">"Your team's price book: own quotes over these figures"</a></p>
            <nav class="subnav" aria-label="Sections of the catalog"><ul>{anchors}</ul></nav>
            {sections}
        </main>
    }
    .into_any()
}
