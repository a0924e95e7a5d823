//! A list in the page: its form, its table with heads that order it, or what stands there when nothing is left.

use super::{Listing, View, empty, form};
use crate::components::{DataTable, HeadLink};
use leptos::prelude::*;

/// The list as a view shows it.
pub fn section(listing: &Listing, view: &View) -> AnyView {
    let shown = listing.shown(view);
    let table = if shown.is_empty() { empty(listing, view) } else { table(listing, view) };
    view! { {form(listing, view, shown.len())}{table} }.into_any()
}

/// The table alone.
pub fn table(listing: &Listing, view: &View) -> AnyView {
    let columns = listing.shown_columns(view);
    let head = columns.iter().filter_map(|place| listing.columns.get(*place)).map(|column| column.head()).collect();
    let rows = listing
        .shown(view)
        .into_iter()
        .filter_map(|place| listing.rows.get(place))
        .map(|row| columns.iter().filter_map(|place| row.entries.get(*place)).map(|entry| entry.cell.clone()).collect())
        .collect();
    let links = heads(listing, view);
    view! { <DataTable caption=format!("{}: table", listing.caption) head=head rows=rows links=links class="data-dense data-cards" /> }
        .into_any()
}

/// For each column shown: where its head leads, and whether rows are ordered by it.
pub fn heads(listing: &Listing, view: &View) -> Vec<HeadLink> {
    let link = |column: &super::Column| HeadLink {
        href: view.sorted_by(column.id).address(),
        order: view.sort.filter(|(by, _)| *by == column.id).map(|(_, order)| order),
    };
    listing.shown_columns(view).into_iter().filter_map(|place| listing.columns.get(place)).map(link).collect()
}

/// The heads of the columns shown, for tables that hold more than the list.
pub fn head_cells(listing: &Listing, view: &View) -> Vec<AnyView> {
    let columns = listing.shown_columns(view).into_iter().filter_map(|place| listing.columns.get(place));
    let cell = |(column, link): (&super::Column, HeadLink)| {
        let class = column.is_numeric().then_some("n");
        view! { <th scope="col" role="columnheader" class=class aria-sort=link.aria_sort()>{link.around(column.label.to_string())}</th> }
            .into_any()
    };
    columns.zip(heads(listing, view)).map(cell).collect()
}
