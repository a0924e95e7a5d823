//! The quotes as a table, and the history of one.

use super::Entry;
use crate::backend::prices::QuoteRow;
use crate::components::{Cell, DataTable, with_unit};
use crate::flash::segment;
use crate::format;
use crate::listing::{self, Column, Listing, Row, View};
use engine::Quotable;
use leptos::prelude::*;

const DASH: &str = "—";

/// A value with its unit; without one where the figure is known no longer.
pub(super) fn amount(value: f64, known: Option<&Quotable>) -> String {
    known.map_or_else(|| format::exact_or_six(value), |known| with_unit(value, known.unit))
}

pub(super) fn person(who: Option<&String>) -> String {
    who.cloned().unwrap_or_else(|| "Someone whose account is deleted".to_owned())
}

/// What a view shows of the quotes, with its form.
pub(super) fn quotes(entries: &[Entry], list: &Listing, view: &View, may_change: bool) -> AnyView {
    let shown = list.shown(view);
    let form = listing::form(list, view, shown.len());
    if shown.is_empty() {
        return view! { {form}{listing::empty(list, view)} }.into_any();
    }
    let columns = list.shown_columns(view);
    let heads = listing::head_cells(list, view);
    let rows: Vec<_> = shown
        .into_iter()
        .filter_map(|place| entries.get(place).zip(list.rows.get(place)))
        .map(|(entry, cells)| row(entry, list, cells, &columns, may_change))
        .collect();
    view! {
        {form}
        <div class="scroll" role="region" tabindex="0" aria-label="Quotes of the team">
            <table class="data data-cards data-quotes" role="table">
                <caption class="visually-hidden">"Quotes of the team beside the catalog's figures"</caption>
                <thead role="rowgroup"><tr role="row">{heads}<th scope="col" role="columnheader">"Change"</th></tr></thead>
                <tbody role="rowgroup">{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn row(entry: &Entry, list: &Listing, cells: &Row, columns: &[usize], may_change: bool) -> AnyView {
    let row = &entry.row;
    let cells: Vec<_> = columns
        .iter()
        .filter_map(|place| list.columns.get(*place).zip(cells.entries.get(*place)))
        .map(|(column, cell)| view_of(entry, column, cell.cell.clone()))
        .collect();
    let href = format!("/price-book?key={}#quote", segment(&row.key));
    let history = format!("/price-book?key={}#history", segment(&row.key));
    let change = may_change.then(|| {
        let (change, remove) = (format!("Change {}", entry.label()), format!("Remove {}", entry.label()));
        view! {
            <a class="button button-small" href=href aria-label=change>"Change"</a>
            <form method="post" action="/api/fn/remove_quote">
                <input type="hidden" name="key" value=row.key.clone() />
                <input type="hidden" name="version" value=row.version />
                <button class="button button-small" type="submit" aria-label=remove>"Remove"</button>
            </form>
        }
    });
    let past = format!("History of {}", entry.label());
    view! {
        <tr role="row">
            {cells}
            <td role="cell"><div class="row-forms">{change}<a class="button button-small" href=history aria-label=past>"History"</a></div></td>
        </tr>
    }
    .into_any()
}

/// A quote in a column: what files leave out stands below it.
fn view_of(entry: &Entry, column: &Column, cell: Cell) -> AnyView {
    let (row, known) = (&entry.row, entry.known.as_ref());
    let name = column.label.to_string();
    let ends = known.and_then(|known| known.catalog.map(|range| (range, known.unit)));
    match column.id {
        "figure" => {
            view! { <th scope="row" role="rowheader">{cell.text}<small>{row.key.clone()}</small></th> }.into_any()
        }
        "catalog" => {
            let ends = ends.filter(|(range, _)| range.low < range.high).map(|(range, unit)| {
                let ends = format!("{} to {}", with_unit(range.low, unit), with_unit(range.high, unit));
                view! { <small>{ends}</small> }
            });
            view! { <td role="cell" data-head=name class="n">{cell.text}{ends}</td> }.into_any()
        }
        "supplier" => {
            let note = (!row.note.is_empty()).then(|| view! { <small>{row.note.clone()}</small> });
            let supplier = if row.supplier.is_empty() { DASH.to_owned() } else { cell.text };
            view! { <td role="cell" data-head=name>{supplier}{note}</td> }.into_any()
        }
        "valid_until" if row.valid_until.is_none() => {
            view! { <td role="cell" data-head=name><span class="quiet">"no end"</span></td> }.into_any()
        }
        "valid_until" if row.expired => {
            let day = format!("{}, not used in plans", cell.text);
            view! { <td role="cell" data-head=name><span class="chip chip-warning">"Expired"</span><small>{day}</small></td> }.into_any()
        }
        "changed_at" => {
            view! { <td role="cell" data-head=name>{cell.text}<small>{person(row.who.as_ref())}</small></td> }
                .into_any()
        }
        _ if column.is_numeric() => view! { <td role="cell" data-head=name class="n">{cell.text}</td> }.into_any(),
        _ => view! { <td role="cell" data-head=name>{cell.text}</td> }.into_any(),
    }
}

/// What a figure was quoted at, newest first.
pub(super) fn history(key: &str, known: Option<&Quotable>, rows: &[QuoteRow]) -> AnyView {
    let label = known.map_or(key, |known| known.label.as_str());
    let title = format!("History of {label}");
    let rows = rows
        .iter()
        .map(|row| {
            let value = row.value.map_or_else(|| "removed".into(), |value| amount(value, known));
            let until = row.valid_until.as_deref().map_or_else(|| DASH.into(), format::date);
            let text = |text: &str| if text.is_empty() { DASH.to_owned() } else { text.to_owned() };
            let time = row.at.replace('T', " ").chars().take(16).collect::<String>();
            vec![
                Cell::text(time),
                Cell::text(value),
                Cell::text(text(&row.supplier)),
                Cell::text(until),
                Cell::text(text(&row.note)),
                Cell::text(person(row.who.as_ref())),
            ]
        })
        .collect();
    let head = ["When (UTC)", "#Quote", "Supplier", "Held until", "Note", "Who"].map(str::to_owned).to_vec();
    view! {
        <section class="section" id="history" aria-labelledby="history-heading">
            <h2 id="history-heading">{title}</h2>
            <DataTable caption="What the figure was quoted at, newest first" head=head rows=rows class="data-people" />
        </section>
    }
    .into_any()
}
