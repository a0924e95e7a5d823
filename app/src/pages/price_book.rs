//! The price book of the team: its own quotes over the catalog's figures.

mod form;
mod list;
mod table;

use super::account::{done, form_of, to_log_in};
use crate::backend::UiError;
use crate::backend::prices::{PriceBook, QuoteRow};
use crate::components::{Message, flash_message};
use crate::flash::{self, FormFlash};
use crate::format;
use crate::listing::{Listing, View};
use crate::pages::Description;
use crate::pages::{has_flag, problem, query_value};
use crate::server_functions::prices;
use engine::{Quotable, quotables};
use http::request::Parts;
use leptos::prelude::*;
use leptos_meta::Title;

/// What the last form did, by the flag that the address carries.
const DONE: [(&str, &str); 3] = [
    ("saved", "Saved. Plans of your team are made with it from now on."),
    (
        "replaced",
        "Saved in place of the quote that the figure had, which is kept in its history. Plans of your team are made with the new one from now on.",
    ),
    (
        "removed",
        "Removed. Plans of your team are made with the catalog's figure again; what the quote was is kept below.",
    ),
];

/// What is said of a quote that was saved after its last day.
const EXPIRED: &str = "Saved, and not used: its last day is over, so plans of your team are made with the catalog's figure. Change the last day if the offer still holds.";

/// A quote with what the catalog says of the same figure; a figure that is known no longer says nothing.
struct Entry {
    row: QuoteRow,
    known: Option<Quotable>,
}

impl Entry {
    fn label(&self) -> &str {
        self.known.as_ref().map_or(self.row.key.as_str(), |known| known.label.as_str())
    }

    fn group(&self) -> &str {
        self.known.as_ref().map_or("No longer known", |known| known.group)
    }

    /// How far it is from the catalog's typical figure, as a share of that.
    fn difference(&self) -> Option<f64> {
        let typical = self.known.as_ref()?.catalog?.typical;
        (typical > 0.0).then_some(self.row.value? / typical - 1.0)
    }
}

/// The price book of the team that who is logged in works in.
#[component]
pub fn PriceBookPage() -> impl IntoView {
    let flash = flash::take();
    let done = done(&DONE);
    let expired = has_flag("expired").then(|| view! { <Message tone="warning" text=EXPIRED /> });
    let key = query_value("key");
    let query = use_context::<Parts>().and_then(|parts| parts.uri.query().map(str::to_owned)).unwrap_or_default();
    let pairs = list::query(&query);
    Suspend::new(async move {
        let (book, history) = match read(&key).await {
            Ok(read) => read,
            Err(error) if error.code == "not_logged_in" => return to_log_in("/price-book"),
            Err(error) => return problem(&error),
        };
        let typed = form_of(flash.as_ref());
        view! {
            <Title text=format!("Price book of {} · Clusterwright", book.team) />
            <Description text="A team's own quotes over the catalog's figures, with their history; plans of the team are made with them." />
            <main class="page page-wide" id="main">
                {flash_message(flash.as_ref())}
                {done}
                {expired}
                {page(book, &history, &key, &pairs, &typed)}
            </main>
        }
        .into_any()
    })
}

/// The book, and the history of a key if there is one.
async fn read(key: &str) -> Result<(PriceBook, Vec<QuoteRow>), UiError> {
    let prices = prices()?;
    let book = prices.price_book().await?;
    if key.is_empty() {
        return Ok((book, Vec::new()));
    }
    // the answer is a page either way: a key without a history is one that may be put in
    let history = prices.quote_history(key.to_owned()).await.unwrap_or_default();
    crate::server_functions::set_status(200);
    Ok((book, history))
}

/// The quotes beside what is known of their figures, by name.
fn entries(quotes: Vec<QuoteRow>, known: &[Quotable]) -> Vec<Entry> {
    let of_key = |key: &str| known.iter().find(|known| known.key == key).cloned();
    let mut entries: Vec<Entry> = quotes.into_iter().map(|row| Entry { known: of_key(&row.key), row }).collect();
    entries.sort_by(|a, b| a.label().cmp(b.label()));
    entries
}

/// Quotes as a list, for files of what the page shows.
pub fn quotes(rows: Vec<QuoteRow>) -> Listing {
    list::list(&entries(rows, &quotables()))
}

fn page(book: PriceBook, history: &[QuoteRow], key: &str, pairs: &[(String, String)], typed: &FormFlash) -> AnyView {
    let known = quotables();
    let of_key = |key: &str| known.iter().find(|known| known.key == key);
    let chosen = of_key(key);
    let entries = entries(book.quotes, &known);
    let rows: Vec<QuoteRow> = entries.iter().map(|entry| entry.row.clone()).collect();
    let current = rows.iter().find(|row| row.key == key);
    let list = if entries.is_empty() {
        nothing_yet(&known, book.may_change)
    } else {
        let all = list::list(&entries);
        let shown = View::read(&all, list::PLACE, pairs);
        table::quotes(&entries, &all, &shown, book.may_change)
    };
    let form = book.may_change.then(|| form::form(&known, chosen, current, &rows, typed));
    let history = (!history.is_empty()).then(|| table::history(key, chosen, history));
    view! {
        <div class="page-head">
            <div>
                <p class="eyebrow">{book.team}</p>
                <h1>"Price book"</h1>
            </div>
            <p class="actions"><a class="button" href="/catalog">"Catalog"</a><a class="button" href="/team">"Team"</a></p>
        </div>
        <p class="lead">"Your own quotes over the catalog's figures. Every plan that someone of the team makes while logged in uses them and marks them as quotes; what a plan's own inputs say goes before. Nobody outside of the team sees them, unless you share a plan that was made with them."</p>
        <section class="section section-first" id="quotes" aria-labelledby="quotes-heading">
            <h2 id="quotes-heading">"Quotes"</h2>
            {list}
        </section>
        {form}
        {history}
    }
    .into_any()
}

/// What a price book is for, by an example with the catalog's own figure.
fn nothing_yet(known: &[Quotable], may_change: bool) -> AnyView {
    let example = known.iter().find(|known| known.key == "server_usd.b200").and_then(|known| {
        let typical = format::money_full(known.catalog?.typical);
        Some(format!(
            "For example: the catalog plans with {typical} for one {}. If your supplier offers another price, choose that server below, type the price, the supplier and the last day of the offer; from then on your plans are made with it.",
            known.label
        ))
    });
    let who = if may_change { "" } else { " Viewers see the quotes; editors and owners of the team put them in." };
    view! { <div class="nothing"><p><b>"No quotes yet."</b>{who}</p><p>{example}</p></div> }.into_any()
}
