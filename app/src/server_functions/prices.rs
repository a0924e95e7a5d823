//! Changing the price book of the team: targets of plain forms.

use crate::UiError;
use leptos::prelude::*;

/// Puts a quote in or changes it.
#[server(name = PutQuote, prefix = "/api/fn", endpoint = "put_quote")]
pub async fn put_quote(
    #[server(default)] key: String,
    #[server(default)] value: String,
    #[server(default)] supplier: String,
    #[server(default)] valid_until: String,
    #[server(default)] note: String,
    #[server(default)] version: String,
) -> Result<(), UiError> {
    use crate::backend::prices::{QuoteForm, Standing};
    use crate::flash;
    let page = format!("/price-book?key={}", flash::segment(&key));
    let quote = QuoteForm { key, value, supplier, valid_until, note, version };
    match super::prices()?.put_quote(quote.clone()).await {
        Ok(Standing::Holds) => flash::go("/price-book?saved=1"),
        Ok(Standing::Expired) => flash::go("/price-book?expired=1"),
        Err(error) if error.code == "not_logged_in" => super::accounts::refused(&page, &error),
        Err(error) => {
            let values = [
                ("key", quote.key.as_str()),
                ("value", &quote.value),
                ("supplier", &quote.supplier),
                ("valid_until", &quote.valid_until),
                ("note", &quote.note),
            ];
            flash::go_with_form(&format!("{page}#quote"), &error, &values)
        }
    }
}

/// Takes a quote out; its history stays.
#[server(name = RemoveQuote, prefix = "/api/fn", endpoint = "remove_quote")]
pub async fn remove_quote(#[server(default)] key: String, #[server(default)] version: String) -> Result<(), UiError> {
    use crate::flash;
    match super::prices()?.remove_quote(key, version).await {
        Ok(()) => flash::go("/price-book?removed=1"),
        Err(error) => super::accounts::refused("/price-book", &error),
    }
}
