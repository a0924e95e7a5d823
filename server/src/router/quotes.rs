//! The price book as its page shows it, as a file to keep.

use super::export::{refused, who_asks};
use super::failures::as_worded;
use crate::backend::prices::row;
use crate::rest::query::Query;
use crate::rest::views;
use crate::service::ServiceError;
use crate::service::price_books::today;
use crate::state::AppState;
use app::pages::quotes;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};

/// What the name of the list is, before its ending.
const NAME: &str = "quotes";

/// `/price-book/quotes.csv` and other endings: the quotes of the team that who is logged in works in, with the keys of the
/// page's address.
pub async fn file(
    State(state): State<AppState>,
    Path(file): Path<String>,
    query: Query,
    headers: HeaderMap,
) -> Response {
    let Some((NAME, ending)) = views::named(&file) else {
        return ServiceError::NotFound.status().into_response();
    };
    let read = async {
        let actor = who_asks(&state, &headers).await?;
        state.price_books.list(&actor).await
    };
    match read.await {
        Ok(found) => {
            let today = today();
            let listing = quotes(found.into_iter().map(|quote| row(quote, &today)).collect());
            match views::answer(&listing, ending, query) {
                Ok(file) => as_worded(file.respond(&headers)),
                Err(problem) => as_worded(problem.into_response()),
            }
        }
        Err(error) => refused(&error, &headers, "/log-in?next=%2Fprice-book"),
    }
}
