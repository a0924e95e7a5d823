//! Changing the price book of the team: targets of plain forms.

use crate::UiError;
use leptos::prelude::*;

/// Puts a quote in or changes it. The figure is named by its key, or by words that fit it alone. `version` is that of the
/// quote that the form was for, or of each quote that the page showed: its key, a colon and its version, with commas between
/// them. A quote that is replaced unseen is a conflict.
#[server(name = PutQuote, prefix = "/api/fn", endpoint = "put_quote")]
pub async fn put_quote(
    #[server(default)] key: String,
    #[server(default)] value: String,
    #[server(default)] supplier: String,
    #[server(default)] valid_until: String,
    #[server(default)] note: String,
    #[server(default)] version: String,
    #[server(default)] figure: String,
) -> Result<(), UiError> {
    use crate::backend::prices::{QuoteForm, Standing};
    use crate::flash;
    let typed = [("figure", figure.as_str()), ("value", &value), ("supplier", &supplier), ("note", &note)];
    let typed = [&typed[..], &[("valid_until", valid_until.as_str())]].concat();
    let key = match key_of(&key, &figure) {
        Ok(key) => key,
        Err(error) => {
            super::set_status(error.status());
            return flash::go_with_form("/price-book#quote", &error, &typed);
        }
    };
    let shown = version.split(',').filter_map(|one| one.split_once(':')).find(|(of, _)| *of == key);
    let replaces = shown.is_some();
    let version = shown.map_or(version.as_str(), |(_, version)| version).to_owned();
    let page = format!("/price-book?key={}", flash::segment(&key));
    let quote = QuoteForm { key, value, supplier, valid_until, note, version };
    match super::prices()?.put_quote(quote.clone()).await {
        Ok(Standing::Holds) if replaces => flash::go("/price-book?replaced=1"),
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

/// The key of the figure that a form names.
#[cfg(feature = "ssr")]
fn key_of(key: &str, figure: &str) -> Result<String, UiError> {
    use crate::inputs::figures::{Meant, meant};
    // a key that is none is said by the service
    if !key.is_empty() || figure.is_empty() {
        return Ok(key.to_owned());
    }
    let shown: String = figure.trim().chars().take(60).collect();
    let message = match meant(&engine::quotables(), figure) {
        Meant::One(figure) => return Ok(figure.key.clone()),
        Meant::Several(figures) => {
            format!("“{shown}” fits {} figures: choose one below, or add a word.", figures.len())
        }
        Meant::None => {
            format!("“{shown}” fits no figure. Use words of a name, such as B200 server, or choose one of the list.")
        }
    };
    let fields = vec![("figure".to_owned(), message.clone())];
    Err(UiError { code: "invalid_request".into(), message, fields })
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
