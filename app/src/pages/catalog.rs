//! The catalog: every figure that plans rest on, with its source and date.

mod figures;
mod tables;

use engine::catalog::Catalog;
use leptos::prelude::*;
use leptos_meta::Title;

/// A section of the page.
type Section = (&'static str, &'static str, fn(&'static Catalog) -> AnyView);

const SECTIONS: [Section; 7] = [
    ("accelerators", "Accelerators", tables::accelerators),
    ("clouds", "Cloud prices", tables::clouds),
    ("regions", "Regions", tables::regions),
    ("models", "Models", tables::models),
    ("fabrics", "Fabrics", tables::fabrics),
    ("network", "Switches and optics", tables::network),
    ("sources", "Sources", tables::sources),
];

/// The page.
#[component]
pub fn CatalogPage() -> impl IntoView {
    let catalog = Catalog::get();
    let anchors: Vec<_> =
        SECTIONS.iter().map(|(id, name, _)| view! { <li><a href=format!("#{id}")>{*name}</a></li> }).collect();
    let sections: Vec<_> = SECTIONS
        .iter()
        .map(|(id, name, table)| {
            let heading = format!("{id}-heading");
            view! { <section class="section" id=*id aria-labelledby=heading><h2 id=heading.clone()>{*name}</h2>{table(catalog)}</section> }
        })
        .collect();
    let intro = format!(
        "Version {}. Every figure has a source, a date and a confidence; rest on one to read them. Peaks are dense. Prices are US dollars without tax. A dash is unknown, never zero.",
        catalog.version
    );
    view! {
        <Title text="Catalog · Clusterwright" />
        <main class="page page-wide" id="main">
            <h1>"Catalog"</h1>
            <p class="lead">{intro}</p>
            <p class="actions"><a class="button" href="/price-book">"Your team's price book: own quotes over these figures"</a></p>
            <nav class="subnav" aria-label="Sections of the catalog"><ul>{anchors}</ul></nav>
            {sections}
        </main>
    }
}
