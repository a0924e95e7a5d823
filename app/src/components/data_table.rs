//! A table in a region that scrolls and can be reached by keyboard.

use super::results::explanation;
use crate::format;
use crate::listing::Order;
use leptos::prelude::*;

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What it shows.
    pub text: String,
    /// The value in full, where the text is rounded.
    pub title: Option<String>,
    /// A second line, quieter.
    pub note: Option<String>,
    /// Where it leads.
    pub href: Option<String>,
    /// The figure of the plan that it is: it opens how that came about.
    pub explained: Option<String>,
}

impl Cell {
    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), title: None, note: None, href: None, explained: None }
    }

    /// Money with its full value.
    pub fn money(usd: f64) -> Self {
        Self { title: Some(format::money_full(usd)), ..Self::text(format::money(usd)) }
    }

    /// Adds a quieter second line.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        let note = note.into();
        self.note = (!note.is_empty()).then_some(note);
        self
    }

    /// A typical value with its low and its high end below it.
    pub fn money_range(range: engine::catalog::Range) -> Self {
        let ends = format::money_range(range.low, range.high);
        Self::money(range.typical).note(if range.low == range.high { String::new() } else { ends })
    }

    /// Adds a second line to the one that there may be.
    pub fn also(self, note: impl Into<String>) -> Self {
        let (before, more) = (self.note.clone().unwrap_or_default(), note.into());
        match (before.is_empty(), more.is_empty()) {
            (_, true) => self,
            (true, false) => self.note(more),
            (false, false) => self.note(format!("{before}; {more}")),
        }
    }

    /// Opens how it came about, if there is a key for it.
    pub fn explained(mut self, key: Option<String>) -> Self {
        self.explained = key;
        self
    }

    /// Makes it a link.
    pub fn link(mut self, href: impl Into<String>) -> Self {
        self.href = Some(href.into());
        self
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::text(text)
    }
}

/// Where the head of a column leads: to the rows ordered by it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadLink {
    /// The address.
    pub href: String,
    /// How the rows are ordered by this column, if they are.
    pub order: Option<Order>,
}

impl HeadLink {
    /// The head with its link; an arrow shows the order to those who see it.
    pub fn around(&self, name: String) -> AnyView {
        let arrow = match self.order {
            Some(Order::Up) => "↑",
            Some(Order::Down) => "↓",
            None => "",
        };
        let arrow = (!arrow.is_empty()).then(|| view! { <span class="sort-arrow" aria-hidden="true">{arrow}</span> });
        view! { <a class="sort" href=self.href.clone()>{name}{arrow}</a> }.into_any()
    }

    /// What the column says of its order to those who can't see the arrow.
    pub fn aria_sort(&self) -> Option<&'static str> {
        self.order.map(|order| match order {
            Order::Up => "ascending",
            Order::Down => "descending",
        })
    }
}

/// Class of tables whose rows become cards where the columns do not fit side by side.
const CARDS: &str = "data-cards";

/// A table. Heads that start with `#` are of numeric columns, which stand to the right.
///
/// With `data-cards` among its classes each row is a card on narrow screens, each cell after the name of its column.
/// Roles are written out then: a browser drops those of tables that are not laid out as such.
#[component]
pub fn DataTable(
    /// What the table shows, for those who can't see where it stands.
    #[prop(into)]
    caption: String,
    /// Column names.
    head: Vec<String>,
    /// Rows; the first cell names the row.
    rows: Vec<Vec<Cell>>,
    /// Rows that stand apart at the end.
    #[prop(optional)]
    foot: Vec<Vec<Cell>>,
    /// Where the heads lead, in the order of the columns.
    #[prop(optional)]
    links: Vec<HeadLink>,
    /// Class of the table.
    #[prop(optional)]
    class: &'static str,
) -> impl IntoView {
    let numeric: Vec<bool> = head.iter().map(|h| h.starts_with('#')).collect();
    let align = |column: usize| numeric.get(column).copied().unwrap_or(false).then_some("n");
    let cards = class.split(' ').any(|name| name == CARDS);
    let role = |name: &'static str| cards.then_some(name);
    let names: Vec<String> = head.iter().map(|h| h.trim_start_matches('#').to_owned()).collect();
    let name_of = |column: usize| names.get(column).filter(|_| cards).cloned();
    let heads: Vec<_> = head
        .iter()
        .enumerate()
        .map(|(i, h)| {
            let name = h.trim_start_matches('#').to_owned();
            let link = links.get(i);
            let sort = link.and_then(HeadLink::aria_sort);
            let name = link.map_or_else(|| name.clone().into_any(), |link| link.around(name.clone()));
            match align(i) {
                Some(class) => {
                    view! { <th scope="col" role=role("columnheader") aria-sort=sort class=class>{name}</th> }
                        .into_any()
                }
                None => view! { <th scope="col" role=role("columnheader") aria-sort=sort>{name}</th> }.into_any(),
            }
        })
        .collect();
    let row = |cells: Vec<Cell>| {
        let cells: Vec<AnyView> = cells
            .into_iter()
            .enumerate()
            .map(|(i, cell)| {
                let (text, title) = match (cell.explained, cell.href) {
                    (Some(key), _) => (explanation::button(key, cell.text, cell.title), None),
                    (None, Some(href)) => (view! { <a href=href>{cell.text}</a> }.into_any(), cell.title),
                    (None, None) => (cell.text.into_any(), cell.title),
                };
                let text = match cell.note {
                    Some(note) => view! { {text}<small>{note}</small> }.into_any(),
                    None => text,
                };
                // an empty class would be written, too
                match (i, align(i)) {
                    (0, _) => view! { <th scope="row" role=role("rowheader") title=title>{text}</th> }.into_any(),
                    (_, None) => {
                        view! { <td role=role("cell") data-head=name_of(i) title=title>{text}</td> }.into_any()
                    }
                    (_, Some(class)) => {
                        view! { <td role=role("cell") data-head=name_of(i) title=title class=class>{text}</td> }
                            .into_any()
                    }
                }
            })
            .collect();
        view! { <tr role=role("row")>{cells}</tr> }
    };
    let body: Vec<_> = rows.into_iter().map(row).collect();
    let foot = (!foot.is_empty())
        .then(|| view! { <tfoot role=role("rowgroup")>{foot.into_iter().map(row).collect::<Vec<_>>()}</tfoot> });
    view! {
        <div class="scroll" role="region" tabindex="0" aria-label=caption>
            <table class=format!("data {class}") role=role("table")>
                <caption class="visually-hidden">{caption.clone()}</caption>
                <thead role=role("rowgroup")><tr role=role("row")>{heads}</tr></thead>
                <tbody role=role("rowgroup")>{body}</tbody>
                {foot}
            </table>
        </div>
    }
}
