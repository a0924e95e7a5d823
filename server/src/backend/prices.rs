//! The price book, as pages and forms need it.

use super::RequestBackend;
use crate::service::price_books::{QuoteWish, has_ended, is_expired, today};
use crate::service::{ServiceError, clock};
use crate::store::quotes::Quote;
use crate::store::teams::Role;
use app::backend::UiError;
use app::backend::prices::{PriceBackend, PriceBook, QuoteForm, QuoteRow, Standing};

/// A quote as pages have it; the day says whether it holds.
pub(crate) fn row(quote: Quote, today: &str) -> QuoteRow {
    QuoteRow {
        expired: is_expired(&quote, today),
        key: quote.key,
        version: quote.version,
        value: quote.value,
        supplier: quote.supplier,
        valid_until: quote.valid_until,
        note: quote.note,
        who: quote.who,
        at: clock::iso(quote.at),
    }
}

#[async_trait::async_trait]
impl PriceBackend for RequestBackend {
    async fn price_book(&self) -> Result<PriceBook, UiError> {
        let actor = self.actor().await?;
        let quotes = self.state.price_books.list(actor).await.map_err(|error| self.failed(error))?;
        let member = actor.member().map_err(|error| self.failed(error))?;
        let today = today();
        Ok(PriceBook {
            team: member.team_name.clone(),
            may_change: member.role >= Role::Editor,
            quotes: quotes.into_iter().map(|quote| row(quote, &today)).collect(),
        })
    }

    async fn quote_history(&self, key: String) -> Result<Vec<QuoteRow>, UiError> {
        let rows =
            self.state.price_books.history(self.actor().await?, &key).await.map_err(|error| self.failed(error))?;
        let today = today();
        Ok(rows.into_iter().map(|quote| row(quote, &today)).collect())
    }

    async fn put_quote(&self, quote: QuoteForm) -> Result<Standing, UiError> {
        let wish = QuoteWish {
            key: &quote.key,
            value: &quote.value,
            supplier: &quote.supplier,
            valid_until: &quote.valid_until,
            note: &quote.note,
        };
        let seen = quote.version.parse().ok();
        let put = self.state.price_books.put(self.actor().await?, wish, seen).await;
        put.map_err(|error| self.failed(error))?;
        let ended = has_ended(Some(quote.valid_until.trim()).filter(|day| !day.is_empty()), &today());
        Ok(if ended { Standing::Expired } else { Standing::Holds })
    }

    async fn remove_quote(&self, key: String, version: String) -> Result<(), UiError> {
        let actor = self.actor().await?;
        // whoever names no version has seen none
        let removed = match version.parse() {
            Ok(seen) => self.state.price_books.remove(actor, &key, seen).await,
            Err(_) => actor.member().and(Err(ServiceError::NotFound)),
        };
        removed.map(drop).map_err(|error| self.failed(error))
    }
}
