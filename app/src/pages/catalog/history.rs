//! What accelerators cost before: a chart of one, and the list of every dated price.

use crate::charts::build::{Posted, price_history};
use crate::components::FigureView;
use crate::format;
use crate::listing::{self, Choice, Column, Entry, Kind, Listing, Row, VIEWS, Value, View};
use engine::catalog::{Catalog, Figure, PriceSeries};
use leptos::prelude::*;

const COLUMNS: [Column; 8] = [
    Column::new("accelerator", "Accelerator", Kind::Text),
    Column::new("provider", "Provider", Kind::Text),
    Column::new("term", "Paid", Kind::Text),
    Column::new("instance", "Machine", Kind::Text),
    Column::new("date", "Date", Kind::Date),
    Column::new("usd_per_gpu_hour", "USD per GPU-hour", Kind::Usd),
    Column::new("change", "Since the price before", Kind::Share),
    Column::new("remark", "Remark", Kind::Text),
];

/// One price of a series.
struct Point<'a> {
    series: &'a PriceSeries,
    price: &'a Figure,
    before: Option<&'a Figure>,
}

/// Every dated price, in the order of the list.
fn points(catalog: &Catalog) -> Vec<Point<'_>> {
    let of_one = |series| {
        let prices = PriceSeries::prices(series, catalog);
        let before = std::iter::once(None).chain(prices.clone().into_iter().map(Some));
        prices.into_iter().zip(before).map(move |(price, before)| Point { series, price, before }).collect::<Vec<_>>()
    };
    catalog.price_history.iter().flat_map(of_one).collect()
}

fn accelerator<'a>(catalog: &'a Catalog, id: &'a str) -> &'a str {
    catalog.accelerator(id).map_or(id, |a| a.label.as_str())
}

fn provider<'a>(catalog: &'a Catalog, id: &'a str) -> &'a str {
    catalog.provider(id).map_or(id, |p| p.label.as_str())
}

/// The list.
pub(super) fn prices(catalog: &Catalog) -> Listing {
    let rows: Vec<Row> = points(catalog).iter().map(|point| row(catalog, point)).collect();
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
            kinds: Listing::kinds(&rows, 1, |id| provider(catalog, id).to_owned()),
        },
        Choice {
            id: "term",
            label: "Paid",
            all: "Every way",
            kinds: Listing::kinds(&rows, 2, super::clouds::term_name),
        },
    ];
    Listing {
        name: "price-history",
        files: VIEWS,
        caption: "Posted prices by date",
        noun: ("dated price", "dated prices"),
        columns: COLUMNS.to_vec(),
        choices,
        rows,
    }
}

fn row(catalog: &Catalog, point: &Point<'_>) -> Row {
    let (series, price) = (point.series, point.price);
    let change = point.before.map(|before| price.value / before.value - 1.0);
    // a date is one word, which no column breaks
    let day = format::date(&price.date).replace(' ', "\u{a0}");
    let date = Entry { value: Value::Text(price.date.clone()), ..Entry::text(day) };
    Row {
        entries: vec![
            Entry::text(accelerator(catalog, &series.accelerator)),
            Entry::text(provider(catalog, &series.provider)),
            Entry::text(super::clouds::paid(series.term, series.months)),
            Entry::text(&series.instance),
            date,
            Entry::figure(price, format::money),
            Entry::number(change, format::percent_signed),
            Entry::text(price.note.clone().unwrap_or_default()),
        ],
        kinds: [series.accelerator.as_str(), &series.provider, super::clouds::term_id(series.term)]
            .map(str::to_owned)
            .to_vec(),
        words: [series.accelerator.as_str(), &series.provider].join(" "),
        origin: None,
    }
}

/// The section: the form, the chart of what is chosen, and the list.
pub(super) fn section(list: &Listing, view: &View) -> AnyView {
    let catalog = Catalog::get();
    let points = points(catalog);
    let places = list.shown(view);
    let mut shown: Vec<&Point<'_>> = places.iter().filter_map(|place| points.get(*place)).collect();
    // lines go from the past to the present, however the table is ordered
    shown.sort_by(|a, b| a.price.date.cmp(&b.price.date));
    let chosen = drawn(&shown, view.kind("accelerator"));
    let figure = chosen.and_then(|id| price_history(accelerator(catalog, id), &posted(catalog, &shown, id)));
    let figure = match figure {
        Some(figure) => view! { <FigureView figure=figure full=true table_at="#price-history-table" /> }.into_any(),
        None if places.is_empty() => ().into_any(),
        None => view! { <p class="nothing">"Of these prices none has a second date, so there is no line to draw: the table has what there is."</p> }.into_any(),
    };
    let known = list.choices.first().map_or(0, |choice| choice.kinds.len());
    let hint = format!(
        "Two dated prices or more of the same machine are known of {known} accelerators of {}; of the others there is only the price under “Cloud prices”. {}",
        catalog.accelerators.len(),
        match chosen {
            Some(id) if view.kind("accelerator").is_empty() => format!(
                "The chart is of {}, of which most are known; choose another one below.",
                accelerator(catalog, id)
            ),
            _ => String::new(),
        }
    );
    let table = if places.is_empty() { listing::empty(list, view) } else { listing::table(list, view) };
    view! {
        <p class="quiet">{hint}</p>
        {listing::form(list, view, places.len())}
        {figure}
        <div id="price-history-table">{table}</div>
    }
    .into_any()
}

/// The accelerator that the chart is of: the one chosen, else the one with the most prices.
fn drawn<'a>(shown: &[&Point<'a>], chosen: &str) -> Option<&'a str> {
    let count = |id: &str| shown.iter().filter(|point| point.series.accelerator == id).count();
    let ids = shown.iter().map(|point| point.series.accelerator.as_str());
    ids.filter(|id| chosen.is_empty() || *id == chosen).max_by_key(|id| count(id))
}

/// The lines of an accelerator among these prices.
fn posted(catalog: &Catalog, shown: &[&Point<'_>], id: &str) -> Vec<Posted> {
    let series = catalog.price_history.iter().filter(|series| series.accelerator == id);
    let of = |series: &PriceSeries| Posted {
        label: format!(
            "{}, {}",
            provider(catalog, &series.provider),
            super::clouds::paid(series.term, series.months).to_lowercase()
        ),
        prices: shown
            .iter()
            .filter(|point| std::ptr::eq(point.series, series))
            .map(|point| (point.price.date.clone(), point.price.value))
            .collect(),
    };
    series.map(of).filter(|posted| !posted.prices.is_empty()).collect()
}
