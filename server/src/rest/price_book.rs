//! `/price-book`: the quotes of a team over the catalog's figures.

use super::bearer::Bearer;
use super::body::JsonBody;
use super::conditional::{changed, if_match, only_if_absent, quoted, tagged};
use super::etag::Tagged;
use super::files::fault;
use super::input::Fields;
use super::problem::ApiProblem;
use crate::service::ServiceError;
use crate::service::clock::iso;
use crate::service::price_books::{QuoteWish, is_expired, today};
use crate::state::AppState;
use crate::store::quotes::Quote;
use axum::extract::{Path, State};
use axum::http::header::ETAG;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use engine::{FieldProblem, Problem};
use serde::Serialize;

#[derive(Clone, Debug, Serialize)]
struct QuoteAnswer {
    key: String,
    version: i64,
    value: Option<f64>,
    supplier: String,
    valid_until: Option<String>,
    expired: bool,
    note: String,
    changed_at: String,
    changed_by: Option<String>,
}

#[derive(Debug, Serialize)]
struct BookAnswer {
    quotes: Vec<QuoteAnswer>,
}

#[derive(Debug, Serialize)]
struct DetailAnswer {
    quote: QuoteAnswer,
    history: Vec<QuoteAnswer>,
}

impl From<Quote> for QuoteAnswer {
    fn from(quote: Quote) -> Self {
        Self {
            expired: is_expired(&quote, &today()),
            key: quote.key,
            version: quote.version,
            value: quote.value,
            supplier: quote.supplier,
            valid_until: quote.valid_until,
            note: quote.note,
            changed_at: iso(quote.at),
            changed_by: quote.who,
        }
    }
}

/// The price book of the team
///
/// Every quote that holds or has expired, by key. Plans of the team are made with those that hold.
#[utoipa::path(get, path = "/price-book", operation_id = "getPriceBook", tag = "Price book", security(("bearer" = [])),
    responses(
        (status = 200, description = "The quotes", body = ref("#/components/schemas/PriceBook")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_book(
    State(state): State<AppState>,
    bearer: Bearer,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let quotes = state.price_books.list(&bearer.actor()).await?;
    let body = serde_json::to_vec(&BookAnswer { quotes: quotes.into_iter().map(Into::into).collect() });
    Ok(Tagged::new(body.map_err(fault)?, "application/json", "private, no-cache").respond(&headers))
}

/// A quote with its history
///
/// The ETag is the version of the quote. The history is newest first, with the quote itself; a value of null is where it was
/// taken out.
#[utoipa::path(get, path = "/price-book/{key}", operation_id = "getQuote", tag = "Price book", security(("bearer" = [])),
    params(("key" = String, Path, description = "Path under overrides, such as server_usd.b200")),
    responses(
        (status = 200, description = "The quote", body = ref("#/components/schemas/QuoteDetail")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_quote(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(key): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let answer = detail(&state, &bearer, &key).await?.ok_or(ServiceError::NotFound)?;
    Ok(tagged(&headers, &answer.quote.version.to_string(), &answer))
}

/// A quote that is in the book; none where there is none, or it was taken out.
async fn detail(state: &AppState, bearer: &Bearer, key: &str) -> Result<Option<DetailAnswer>, ApiProblem> {
    let history = match state.price_books.history(&bearer.actor(), key).await {
        Ok(history) => history,
        Err(ServiceError::NotFound) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let history: Vec<QuoteAnswer> = history.into_iter().map(QuoteAnswer::from).collect();
    let quote = history.first().filter(|quote| quote.value.is_some()).cloned();
    Ok(quote.map(|quote| DetailAnswer { quote, history }))
}

/// Put a quote in, or change it
///
/// `If-Match` with the ETag that was read makes sure that nobody's change is overwritten, `If-None-Match: *` that there was
/// no quote; without them it is put in in any case.
#[utoipa::path(put, path = "/price-book/{key}", operation_id = "putQuote", tag = "Price book", security(("bearer" = [])),
    params(
        ("key" = String, Path, description = "Path under overrides, such as server_usd.b200"),
        ("If-Match" = Option<String>, Header, description = "The ETag that was read"),
        ("If-None-Match" = Option<String>, Header, description = "* for a quote that must be new")),
    request_body(content = ref("#/components/schemas/QuoteInput"), content_type = "application/json"),
    responses(
        (status = 200, description = "The quote as it is now", body = ref("#/components/schemas/QuoteDetail")),
        (status = 201, description = "The quote, which is new", body = ref("#/components/schemas/QuoteDetail"))))]
pub async fn put_quote(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(key): Path<String>,
    headers: HeaderMap,
    body: JsonBody,
) -> Result<Response, ApiProblem> {
    let mut fields = Fields::of(body.0, &["value", "supplier", "valid_until", "note"])?;
    let value = fields.amount("value");
    let (supplier, until) =
        (fields.text("supplier").unwrap_or_default(), fields.text("valid_until").unwrap_or_default());
    let note = fields.text("note").unwrap_or_default();
    fields.finish()?;
    let value = value.ok_or_else(|| {
        let message = "`value` is missing; send a price or rate, such as 450000";
        ApiProblem::from(Problem::invalid(vec![FieldProblem::new("/value", "required", message)]))
    })?;
    let seen = seen(&state, &bearer, &key, &headers).await?;
    if seen.is_some() && only_if_absent(&headers) {
        return Err(changed());
    }
    let wish = QuoteWish { key: &key, value: &value, supplier: &supplier, valid_until: &until, note: &note };
    state.price_books.put(&bearer.actor(), wish, seen).await?;
    let answer = detail(&state, &bearer, &key).await?.ok_or(ServiceError::NotFound)?;
    let status = if seen.is_none() { StatusCode::CREATED } else { StatusCode::OK };
    let etag = [(ETAG, quoted(&answer.quote.version.to_string()))];
    Ok((status, etag, axum::Json(answer)).into_response())
}

/// Take a quote out
///
/// Its history stays. `If-Match` as for changing it.
#[utoipa::path(delete, path = "/price-book/{key}", operation_id = "deleteQuote", tag = "Price book", security(("bearer" = [])),
    params(
        ("key" = String, Path, description = "Path under overrides, such as server_usd.b200"),
        ("If-Match" = Option<String>, Header, description = "The ETag that was read")),
    responses((status = 204, description = "It is out")))]
pub async fn delete_quote(
    State(state): State<AppState>,
    bearer: Bearer,
    Path(key): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiProblem> {
    let seen = seen(&state, &bearer, &key, &headers).await?.ok_or(ServiceError::NotFound)?;
    state.price_books.remove(&bearer.actor(), &key, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The version that there is, if the caller has seen it or says nothing about it.
async fn seen(state: &AppState, bearer: &Bearer, key: &str, headers: &HeaderMap) -> Result<Option<i64>, ApiProblem> {
    let version = detail(state, bearer, key).await?.map(|detail| detail.quote.version);
    match version {
        Some(version) => {
            if_match(headers, &version.to_string())?;
        }
        // of what is not there, nothing matches
        None if headers.contains_key(axum::http::header::IF_MATCH) => return Err(changed()),
        None => {}
    }
    Ok(version)
}
