//! The form that narrows a list, and what stands there when nothing is left. A plain GET form: it works without scripts.

use super::view::sort_value;
use super::{Column, Kind, Listing, Order, View};
use crate::components::filter_select;
use leptos::prelude::*;

/// Choices, words, order and columns of a table, with how many rows there are and the way to take them along.
pub fn form(listing: &Listing, view: &View, shown: usize) -> AnyView {
    form_saying(listing, view, count(listing, view, shown))
}

/// The same where the list does not hold all that there is: what is said of how many there are.
pub fn form_saying(listing: &Listing, view: &View, count: String) -> AnyView {
    fields(listing, view, count, view! { {orders(listing, view)}{columns(listing, view)} }.into_any())
}

/// Choices and words of a list that is no table, with how many rows there are and the way to take them along.
pub fn filter(listing: &Listing, view: &View, shown: usize) -> AnyView {
    fields(listing, view, count(listing, view, shown), ().into_any())
}

fn count(listing: &Listing, view: &View, shown: usize) -> String {
    if view.is_narrowed() {
        format!("{shown} of {}: {}", listing.count(listing.rows.len()), view.described(listing))
    } else {
        let all = if shown > 1 { "All " } else { "" };
        format!("{all}{}", listing.count(shown))
    }
}

fn fields(listing: &Listing, view: &View, count: String, more: AnyView) -> AnyView {
    let choices: Vec<_> = listing
        .choices
        .iter()
        .map(|choice| {
            let kinds: Vec<(&str, &str)> = choice.kinds.iter().map(|(id, name)| (id.as_str(), name.as_str())).collect();
            filter_select(
                &view.id(choice.id),
                &view.key(choice.id),
                choice.label,
                choice.all,
                &kinds,
                view.kind(choice.id),
            )
        })
        .collect();
    let hidden: Vec<_> = view
        .others()
        .iter()
        .map(|(name, value)| view! { <input type="hidden" name=name.clone() value=value.clone() /> })
        .collect();
    let words = view.id("q");
    let clear =
        view.is_narrowed().then(|| view! { <a class="button" href=view.widened().address()>"Clear filters"</a> });
    view! {
        <form class="inline-form filter-form" id=view.id("filter") method="get" action=view.action() aria-label=format!("Filter: {}", listing.caption)>
            {hidden}
            {choices}
            <div class="field">
                <label for=words.clone()>"Words"</label>
                <input class="input" id=words name=view.key("q") type="search" maxlength="60" value=view.words.clone() />
            </div>
            {more}
            <button class="button button-primary" type="submit">"Show"</button>
            {clear}
        </form>
        <p class="listing-count"><span>{count}</span>{files(listing, view)}</p>
    }
    .into_any()
}

/// The orders by name: where the heads of columns are not in sight, and for those who would rather choose.
fn orders(listing: &Listing, view: &View) -> AnyView {
    let orders = listing.columns.iter().flat_map(|column| {
        [Order::Up, Order::Down].map(|order| (sort_value(column.id, order), order_name(column, order)))
    });
    let orders: Vec<(String, String)> = if listing.columns.len() > 1 { orders.collect() } else { Vec::new() };
    if orders.is_empty() {
        return ().into_any();
    }
    let orders: Vec<(&str, &str)> = orders.iter().map(|(id, name)| (id.as_str(), name.as_str())).collect();
    let chosen = view.sort.map(|(column, order)| sort_value(column, order)).unwrap_or_default();
    filter_select(&view.id("sort"), &view.key("sort"), "Order", "As listed", &orders, &chosen)
}

/// An order in words: `USD per GPU-hour, lowest first`.
fn order_name(column: &Column, order: Order) -> String {
    let way = match (column.kind, order) {
        (Kind::Number | Kind::Usd | Kind::Share, Order::Up) => "lowest first",
        (Kind::Number | Kind::Usd | Kind::Share, Order::Down) => "highest first",
        (Kind::Date, Order::Up) => "oldest first",
        (Kind::Date, Order::Down) => "newest first",
        (Kind::Flag, Order::Up) => "no first",
        (Kind::Flag, Order::Down) => "yes first",
        (_, Order::Up) => "A to Z",
        (_, Order::Down) => "Z to A",
    };
    format!("{}, {way}", column.label)
}

/// Which columns are shown, folded.
fn columns(listing: &Listing, view: &View) -> AnyView {
    let shown = listing.shown_columns(view);
    if listing.columns.len() < 3 {
        return ().into_any();
    }
    let boxes: Vec<_> = listing
        .columns
        .iter()
        .enumerate()
        // the first is always there
        .skip(1)
        .map(|(place, column)| {
            let is_shown = shown.contains(&place);
            view! {
                <label class="check"><input type="checkbox" name=view.key("columns") value=column.id checked=is_shown />{column.label.clone()}</label>
            }
        })
        .collect();
    let summary = format!("Columns: {} of {}", shown.len(), listing.columns.len());
    view! {
        <details class="columns-choice">
            <summary class="button">{summary}</summary>
            <fieldset>
                <legend class="visually-hidden">{format!("Columns of: {}", listing.caption)}</legend>
                <div class="columns-boxes">{boxes}</div>
                <p class="quiet">"“Show” puts it into effect; with none chosen the usual ones are shown."</p>
            </fieldset>
        </details>
    }
    .into_any()
}

/// The files of exactly this view.
fn files(listing: &Listing, view: &View) -> AnyView {
    let links: Vec<_> = [("csv", "CSV"), ("xlsx", "XLSX"), ("json", "JSON")]
        .into_iter()
        .map(|(ending, name)| {
            let label = format!("Download this view of {} as {name}", listing.noun.1);
            view! { " "<a href=view.file(listing, ending) aria-label=label rel="nofollow">{name}</a> }
        })
        .collect();
    view! { <span class="listing-files">"Download this view:"{links}</span> }.into_any()
}

/// No row is left: why, and the way back.
pub fn empty(listing: &Listing, view: &View) -> AnyView {
    let text = format!("No {} has all of that: {}.", listing.noun.0, view.described(listing));
    view! {
        <div class="empty" role="status">
            <p>{text}" Fewer words or another choice find more."</p>
            <p class="actions"><a class="button" href=view.widened().address()>"Clear filters"</a></p>
        </div>
    }
    .into_any()
}
