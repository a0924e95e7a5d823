//! Plans beside one another in a table: what differs is marked by a sign and a word, the best by another.

use crate::comparison::{Comparison, Row, Value};
use leptos::prelude::*;

/// The table; the titles of the columns may be links. On a narrow screen each row stands alone, its values below one
/// another, each under the name of its plan.
pub fn comparison_table(comparison: &Comparison, caption: &str, links: &[String]) -> AnyView {
    let heads: Vec<_> = comparison
        .columns
        .iter()
        .enumerate()
        .map(|(place, column)| {
            let title = match links.get(place) {
                Some(href) => view! { <a href=href.clone()>{column.title.clone()}</a> }.into_any(),
                None => column.title.clone().into_any(),
            };
            let versions = format!("Engine {}, catalog {}", column.engine_version, column.catalog_version);
            view! { <th scope="col" role="columnheader">{title}<small>{versions}</small></th> }
        })
        .collect();
    let titles: Vec<&str> = comparison.columns.iter().map(|column| column.title.as_str()).collect();
    let span = titles.len() + 1;
    let groups: Vec<_> = comparison
        .groups
        .iter()
        .map(|group| {
            let rows: Vec<_> = group.rows.iter().map(|one| row(one, &titles)).collect();
            view! {
                <tbody role="rowgroup">
                    <tr role="row" class="comparison-group"><th scope="rowgroup" role="rowheader" colspan=span>{group.title.clone()}</th></tr>
                    {rows}
                </tbody>
            }
        })
        .collect();
    view! {
        <div class="scroll" role="region" tabindex="0" aria-label=caption.to_owned()>
            <table class="data comparison" role="table">
                <caption class="visually-hidden">{caption.to_owned()}</caption>
                <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">"Figure"</th>{heads}</tr></thead>
                {groups}
            </table>
        </div>
    }
    .into_any()
}

fn row(row: &Row, titles: &[&str]) -> AnyView {
    let mark = row.differs.then(|| view! { <span class="differs">"≠ differs"</span> });
    let cells: Vec<_> = row.values.iter().zip(titles).map(|(value, title)| cell(value, title)).collect();
    view! { <tr role="row"><th scope="row" role="rowheader">{row.label.clone()}{mark}</th>{cells}</tr> }.into_any()
}

fn cell(value: &Value, title: &str) -> AnyView {
    let best = value.best.then(|| view! { <span class="best">"✓ best"</span> });
    let range = value.range.clone().map(|text| view! { <small>{text}</small> });
    let difference = value.difference_text.clone().map(|text| view! { <small class="difference">{text}</small> });
    view! { <td role="cell" data-column=title.to_owned()><span>{value.text.clone()}{best}</span>{range}{difference}</td> }
        .into_any()
}
