//! A page of the scenarios as a table: each to be chosen for comparison, and opened.

use super::list::PLACE;
use crate::backend::ScenarioSummary;
use crate::components::Cell;
use crate::format;
use crate::listing::{self, Column, Listing, Row, View};
use crate::pages::scenario::{planner, tags};
use leptos::prelude::*;

/// Id of the form that the check boxes belong to.
const FORM: &str = "compare";
/// Scenarios on one page.
pub(super) const PAGE: usize = 100;

/// The page of this number, from 1, of what a view shows.
pub(super) fn table(scenarios: &[ScenarioSummary], list: &Listing, view: &View, page: usize) -> AnyView {
    let shown = list.shown(view);
    let pages = shown.len().div_ceil(PAGE);
    let page = page.clamp(1, pages.max(1));
    let columns = list.shown_columns(view);
    let heads = listing::head_cells(list, view);
    let rows: Vec<_> = shown
        .iter()
        .skip((page - 1) * PAGE)
        .take(PAGE)
        .filter_map(|place| scenarios.get(*place).zip(list.rows.get(*place)))
        .map(|(scenario, cells)| row(scenario, list, cells, &columns))
        .collect();
    let compare = (rows.len() > 1).then(|| {
        view! {
            <form id=FORM class="inline-form" method="get" action="/compare">
                <button class="button" type="submit">"Compare the chosen"</button>
                <span class="quiet">"Choose two to four."</span>
            </form>
        }
    });
    view! {
        {compare}
        <div class="scroll" role="region" tabindex="0" aria-label="Your scenarios">
            <table class="data data-cards scenarios" role="table">
                <caption class="visually-hidden">"Your scenarios"</caption>
                <thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">"Compare"</th>{heads}<th scope="col" role="columnheader">"In the planner"</th></tr></thead>
                <tbody role="rowgroup">{rows}</tbody>
            </table>
        </div>
        {(pages > 1).then(|| turn(view, page, pages))}
    }
    .into_any()
}

fn row(scenario: &ScenarioSummary, list: &Listing, cells: &Row, columns: &[usize]) -> AnyView {
    let label = format!("Compare {}", scenario.name);
    let open = planner(&scenario.query, &scenario.id, scenario.number);
    let cells: Vec<_> = columns
        .iter()
        .filter_map(|place| list.columns.get(*place).zip(cells.entries.get(*place)))
        .map(|(column, entry)| cell(scenario, column, entry.cell.clone()))
        .collect();
    view! {
        <tr role="row">
            <td role="cell" data-head="Compare"><input type="checkbox" form=FORM name="ids" value=scenario.id.clone() aria-label=label /></td>
            {cells}
            <td role="cell" data-head="In the planner"><a href=open aria-label=format!("Open {} in the planner", scenario.name)>"Open"</a></td>
        </tr>
    }
    .into_any()
}

fn cell(scenario: &ScenarioSummary, column: &Column, cell: Cell) -> AnyView {
    let name = column.label.to_string();
    match column.id {
        "name" => {
            let archived = scenario.archived.then(|| view! { <small>"Archived"</small> });
            view! { <th scope="row" role="rowheader"><a href=cell.href dir="auto">{cell.text}</a>{archived}{tags(&scenario.tags)}</th> }
                .into_any()
        }
        "changed_at" => {
            let (iso, note) = (scenario.updated_at.clone(), cell.note);
            view! { <td role="cell" data-head=name class="no-wrap"><time datetime=iso title=cell.title>{cell.text}</time><small>{note}</small></td> }
                .into_any()
        }
        "notes" | "tags" => view! { <td role="cell" data-head=name dir="auto">{cell.text}</td> }.into_any(),
        _ if column.is_numeric() => view! { <td role="cell" data-head=name class="n">{cell.text}</td> }.into_any(),
        _ => view! { <td role="cell" data-head=name>{cell.text}</td> }.into_any(),
    }
}

/// The way to the pages before and after.
fn turn(view: &View, page: usize, pages: usize) -> AnyView {
    let here = view.page();
    let join = if here.contains('?') { '&' } else { '?' };
    let to = |page: usize| format!("{here}{join}page={page}#{}", PLACE.anchor);
    let before = (page > 1).then(|| view! { <a class="button" rel="prev" href=to(page - 1)>"Page before"</a> });
    let after = (page < pages).then(|| view! { <a class="button" rel="next" href=to(page + 1)>"Next page"</a> });
    let standing = format!("Page {} of {}", format::count(page as f64), format::count(pages as f64));
    view! { <nav class="actions" aria-label="Pages of the list">{before}{after}<span class="quiet">{standing}</span></nav> }
        .into_any()
}
