//! The quotes as a table, and the history of one.

use super::Entry;
use crate::backend::prices::QuoteRow;
use crate::components::{Cell, DataTable, with_unit};
use crate::flash::segment;
use crate::format;
use engine::Quotable;
use leptos::prelude::*;

const DASH: &str = "—";

/// A value with its unit; without one where the figure is known no longer.
fn amount(value: f64, known: Option<&Quotable>) -> String {
    known.map_or_else(|| format::exact_or_six(value), |known| with_unit(value, known.unit))
}

fn person(who: Option<&String>) -> String {
    who.cloned().unwrap_or_else(|| "Someone whose account is deleted".to_owned())
}

/// All that are shown.
pub(super) fn quotes(entries: &[&Entry], may_change: bool) -> AnyView {
    if entries.is_empty() {
        return view! { <p class="nothing">"No quote is like this. Show all, or look for something else."</p> }
            .into_any();
    }
    let rows: Vec<_> = entries.iter().map(|entry| row(entry, may_change)).collect();
    view! {
        <div class="scroll" role="region" tabindex="0" aria-label="Quotes of the team">
            <table class="data data-quotes">
                <caption class="visually-hidden">"Quotes of the team beside the catalog's figures"</caption>
                <thead><tr>
                    <th scope="col">"Figure"</th>
                    <th scope="col" class="n">"Yours"</th>
                    <th scope="col" class="n">"Catalog"</th>
                    <th scope="col" class="n">"Difference"</th>
                    <th scope="col">"Supplier"</th>
                    <th scope="col">"Holds until"</th>
                    <th scope="col">"Changed"</th>
                    <th scope="col">"Change"</th>
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn row(entry: &Entry, may_change: bool) -> AnyView {
    let (row, known) = (&entry.row, entry.known.as_ref());
    let yours = row.value.map_or_else(|| DASH.into(), |value| amount(value, known));
    let catalog = known.and_then(|known| known.catalog.map(|range| (range, known)));
    let (typical, ends) = match catalog {
        Some((range, known)) if range.low < range.high => {
            let ends = format!("{} to {}", with_unit(range.low, known.unit), with_unit(range.high, known.unit));
            (with_unit(range.typical, known.unit), Some(view! { <small>{ends}</small> }))
        }
        Some((range, known)) => (with_unit(range.typical, known.unit), None),
        None => (DASH.into(), None),
    };
    let difference = entry.difference().map_or_else(|| DASH.into(), format::percent_signed);
    let until = match &row.valid_until {
        Some(day) if row.expired => {
            let day = format!("{}, not used in plans", format::date(day));
            view! { <span class="chip chip-warning">"Expired"</span><small>{day}</small> }.into_any()
        }
        Some(day) => format::date(day).into_any(),
        None => view! { <span class="quiet">"no end"</span> }.into_any(),
    };
    let note = (!row.note.is_empty()).then(|| view! { <small>{row.note.clone()}</small> });
    let supplier = if row.supplier.is_empty() { DASH.to_owned() } else { row.supplier.clone() };
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
        <tr>
            <th scope="row">{entry.label().to_owned()}<small>{row.key.clone()}</small></th>
            <td class="n">{yours}</td>
            <td class="n">{typical}{ends}</td>
            <td class="n">{difference}</td>
            <td>{supplier}{note}</td>
            <td>{until}</td>
            <td>{format::date(&row.at)}<small>{person(row.who.as_ref())}</small></td>
            <td><div class="row-forms">{change}<a class="button button-small" href=history aria-label=past>"History"</a></div></td>
        </tr>
    }
    .into_any()
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
