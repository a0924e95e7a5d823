//! The price book of a team: its own quotes over the catalog's figures, and the requests that are planned with them.
//!
//! Any member sees it, editors change it. Everything here is about the team that the caller's session works in: another
//! team's book does not exist.

use super::actor::{Actor, allow};
use super::{ServiceError, clock};
use crate::store::Store;
use crate::store::quotes::{NewQuote, Quote, Quoted};
use crate::store::teams::Role;
use app::backend::prices::Prices;
use engine::catalog::Catalog;
use engine::request::{self, Form, Overrides, plan_request_from_pairs};
use engine::{FieldProblem, PlanRequest};
use serde_json::{Map, Value, json};

/// Rows of one team, with those that were replaced.
const ROWS_MAX: i64 = 5_000;
const HISTORY_MAX: i64 = 100;
const KEY_MAX: usize = 120;
const SUPPLIER_MAX: usize = 80;
const NOTE_MAX: usize = 500;

/// A quote as a form or a program gives it: text, read here.
#[derive(Clone, Copy, Debug)]
pub struct QuoteWish<'a> {
    /// Path under `overrides`, such as `server_usd.b200`.
    pub key: &'a str,
    /// Price or rate, such as `450k` or `0.08`.
    pub value: &'a str,
    /// Who offered it; may be empty.
    pub supplier: &'a str,
    /// The last day on which it holds, `2026-11-30`; empty until it is changed.
    pub valid_until: &'a str,
    /// A remark; may be empty.
    pub note: &'a str,
}

/// A request with the quotes of the caller's team in it.
#[derive(Clone, Debug)]
pub struct Priced {
    /// What is planned.
    pub request: PlanRequest,
    /// The team has quotes at all; none for callers without a team.
    pub book: Option<Used>,
}

/// Which quotes of a book a request has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// Keys of those that are in it.
    pub keys: Vec<String>,
    /// Keys of those that are not, because they have expired.
    pub expired: Vec<String>,
}

/// The price book service.
#[derive(Clone, Debug)]
pub struct PriceBooks {
    store: Store,
}

impl PriceBooks {
    /// Over a store.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// The quotes of the caller's team, by key.
    ///
    /// # Errors
    /// Nobody is logged in, or reading failed.
    pub async fn list(&self, caller: &Actor) -> Result<Vec<Quote>, ServiceError> {
        Ok(self.store.quotes(caller.member()?.team).await?)
    }

    /// What a key of the caller's team had, newest first.
    ///
    /// # Errors
    /// Nobody is logged in, the team never had a quote of this key, or reading failed.
    pub async fn history(&self, caller: &Actor, key: &str) -> Result<Vec<Quote>, ServiceError> {
        let rows = self.store.quote_history(caller.member()?.team, key, HISTORY_MAX).await?;
        if rows.is_empty() { Err(ServiceError::NotFound) } else { Ok(rows) }
    }

    /// Puts a quote in or changes it. `seen` is the version that the caller has seen, none if there was no quote.
    ///
    /// # Errors
    /// The caller is no editor, the wish can't be read, someone else has changed it meanwhile, there are too many rows, or
    /// storing failed.
    pub async fn put(&self, caller: &Actor, wish: QuoteWish<'_>, seen: Option<i64>) -> Result<i64, ServiceError> {
        let member = caller.member()?;
        allow(member.role, Role::Editor)?;
        let read = read(wish)?;
        let quote = NewQuote {
            key: wish.key,
            value: Some(read.value),
            supplier: &read.supplier,
            valid_until: read.valid_until.as_deref(),
            note: &read.note,
        };
        said(self.store.quote(member.team, member.account, quote, seen, ROWS_MAX, clock::now()).await?)
    }

    /// Takes a quote out; its history stays. `seen` is the version that the caller has seen.
    ///
    /// # Errors
    /// The caller is no editor, there is no such quote, someone else has changed it meanwhile, or storing failed.
    pub async fn remove(&self, caller: &Actor, key: &str, seen: i64) -> Result<i64, ServiceError> {
        let member = caller.member()?;
        allow(member.role, Role::Editor)?;
        let gone = NewQuote { key, value: None, supplier: "", valid_until: None, note: "" };
        said(self.store.quote(member.team, member.account, gone, Some(seen), ROWS_MAX, clock::now()).await?)
    }

    /// A request with the quotes of the caller's team under what it says itself, unless the caller wants none. Anyone
    /// without a team has the request as it is.
    ///
    /// # Errors
    /// Reading failed.
    pub async fn priced(&self, caller: &Actor, request: PlanRequest, prices: Prices) -> Result<Priced, ServiceError> {
        let Ok(member) = caller.member() else { return Ok(Priced { request, book: None }) };
        let quotes = self.store.quotes(member.team).await?;
        if quotes.is_empty() {
            return Ok(Priced { request, book: None });
        }
        Ok(match prices {
            Prices::Catalog => Priced { request, book: Some(Used::default()) },
            Prices::Team => merged(request, &quotes, &today()),
        })
    }
}

/// Today in UTC, as quotes are dated.
pub fn today() -> String {
    day(clock::now())
}

/// The day of a time in milliseconds since 1970, UTC.
fn day(at: i64) -> String {
    clock::iso(at).chars().take(10).collect()
}

/// A quote holds on its last day, and no longer.
pub fn is_expired(quote: &Quote, today: &str) -> bool {
    has_ended(quote.valid_until.as_deref(), today)
}

/// The last day of a quote is over.
pub fn has_ended(valid_until: Option<&str>, today: &str) -> bool {
    valid_until.is_some_and(|last| last < today)
}

fn said(quoted: Quoted) -> Result<i64, ServiceError> {
    match quoted {
        Quoted::Done(version) => Ok(version),
        Quoted::Gone => Err(ServiceError::NotFound),
        Quoted::Stale => Err(ServiceError::Conflict(
            "This quote has been changed meanwhile, by someone else or by you in another tab. What holds now is shown; look at it and change it again.",
        )),
        Quoted::TooMany => Err(ServiceError::TooMany(
            "The price book has 5,000 rows with its history, which is the most. Put further figures into the inputs of a plan.",
        )),
    }
}

/// A wish, read.
struct Read {
    value: f64,
    supplier: String,
    valid_until: Option<String>,
    note: String,
}

fn read(wish: QuoteWish<'_>) -> Result<Read, ServiceError> {
    let mut problems = Vec::new();
    let value = read_value(wish.key, wish.value).unwrap_or_else(|problem| {
        problems.push(problem);
        0.0
    });
    let mut short = |name: &str, text: &str, most: usize| {
        let kept = super::scenarios::tidy_name(text);
        let length = kept.chars().count();
        if length > most {
            let message = format!("The {name} has {length} characters; use at most {most}.");
            problems.push(FieldProblem::new(format!("/{name}"), "too_long", message));
        }
        kept
    };
    let supplier = short("supplier", wish.supplier, SUPPLIER_MAX);
    let note = short("note", wish.note, NOTE_MAX);
    let valid_until = wish.valid_until.trim();
    if !valid_until.is_empty() && !is_date(valid_until) {
        let message = format!(
            "“{}” is no date; write the last day on which the quote holds, such as 2027-03-31, or nothing.",
            valid_until.chars().take(40).collect::<String>()
        );
        problems.push(FieldProblem::new("/valid_until", "wrong_type", message));
    }
    if !problems.is_empty() {
        return Err(ServiceError::Invalid(problems));
    }
    Ok(Read { value, supplier, note, valid_until: (!valid_until.is_empty()).then(|| valid_until.to_owned()) })
}

fn is_date(text: &str) -> bool {
    text.len() == 10
        && text.starts_with("20")
        && text.parse::<jiff::civil::Date>().is_ok_and(|date| date.to_string() == text)
}

/// The value of an override as the engine reads it, with its range and its words.
fn read_value(key: &str, value: &str) -> Result<f64, FieldProblem> {
    let unknown = || {
        let shown: String = key.chars().take(60).collect();
        let message = format!("“{shown}” is no figure that can be replaced; choose one from the list.");
        FieldProblem::new("/key", "unknown_id", message)
    };
    if key.is_empty() || key.len() > KEY_MAX {
        return Err(unknown());
    }
    let name = format!("overrides.{key}");
    let read = plan_request_from_pairs([("model.preset", any_model()), (name.as_str(), value)]);
    match read {
        Ok(request) => match at(&overrides(&request), key) {
            Some(Value::Number(number)) => number.as_f64().ok_or_else(unknown),
            Some(_) => Err(unknown()),
            None if value.trim().is_empty() => {
                Err(FieldProblem::new("/value", "required", "Type a price or rate, such as 450k or 0.08."))
            }
            None => Err(unknown()),
        },
        Err(problem) => Err(problem.errors.into_iter().next().map_or_else(unknown, |error| {
            let of_value = matches!(error.code.as_str(), "out_of_range" | "not_whole")
                || (error.code == "wrong_type" && engine::quotables().iter().any(|known| known.key == key));
            if !of_value {
                return unknown();
            }
            let last = format!("`{}`", key.rsplit('.').next().unwrap_or(key));
            FieldProblem::new("/value", &error.code, error.message.replacen(&last, "The value", 1).replace('`', ""))
        })),
    }
}

/// A model that is known: overrides are read as a part of a request, and what a model is does not matter to them.
fn any_model() -> &'static str {
    Catalog::get().models.first().map_or("", |model| model.id.as_str())
}

fn overrides(request: &PlanRequest) -> Value {
    serde_json::to_value(&request.overrides).unwrap_or_default()
}

/// What is at a path whose parts are joined by dots.
fn at<'v>(value: &'v Value, key: &str) -> Option<&'v Value> {
    key.split('.').try_fold(value, |inner, part| inner.get(part))
}

/// Puts a number at a path, if nothing is there.
fn put(object: &mut Map<String, Value>, key: &str, number: f64) -> bool {
    match key.split_once('.') {
        None if object.contains_key(key) => false,
        None => object.insert(key.to_owned(), json!(number)).is_none(),
        Some((first, rest)) => {
            let inner = object.entry(first).or_insert_with(|| json!({}));
            inner.as_object_mut().is_some_and(|inner| put(inner, rest, number))
        }
    }
}

/// A request with quotes under what it says itself. A key that this version does not read any more is left out.
fn merged(request: PlanRequest, quotes: &[Quote], today: &str) -> Priced {
    let mut used = Used::default();
    let mut candidates = Vec::new();
    for quote in quotes {
        match quote.value {
            _ if is_expired(quote, today) => used.expired.push(quote.key.clone()),
            Some(value) => candidates.push((quote.key.as_str(), value)),
            None => {}
        }
    }
    // each round leaves out at least one key
    for _ in 0..=quotes.len() {
        let mut value = overrides(&request);
        let Some(object) = value.as_object_mut() else { break };
        let keys: Vec<&str> =
            candidates.iter().filter(|(key, number)| put(object, key, *number)).map(|(key, _)| *key).collect();
        match with_overrides(&value) {
            Ok(overrides) => {
                used.keys = keys.into_iter().map(str::to_owned).collect();
                let mut request = request;
                request.overrides = overrides;
                let of_book = quotes.iter().filter(|quote| used.keys.contains(&quote.key));
                request.quotes.0.extend(of_book.map(|quote| (quote.key.clone(), provenance(quote))));
                return Priced { request, book: Some(used) };
            }
            Err(wrong) => {
                let before = candidates.len();
                candidates
                    .retain(|(key, _)| !wrong.iter().any(|bad| key == bad || key.starts_with(&format!("{bad}."))));
                if candidates.len() == before {
                    break;
                }
            }
        }
    }
    tracing::warn!("the quotes of a price book can't be read and were left out");
    Priced { request, book: Some(used) }
}

/// What a plan says of a quote that it is made with.
fn provenance(quote: &Quote) -> request::Quote {
    request::Quote { supplier: quote.supplier.clone(), recorded: day(quote.at), valid_until: quote.valid_until.clone() }
}

/// Overrides as the engine reads them, or the keys that it does not.
fn with_overrides(value: &Value) -> Result<Overrides, Vec<String>> {
    let tree = json!({ "model": { "preset": any_model() }, "overrides": value });
    let read = PlanRequest::parse(&tree, Form::Json).map(|request| request.overrides);
    read.map_err(|problem| {
        let keys = problem.errors.iter().map(|error| error.pointer.trim_start_matches("/overrides/").replace('/', "."));
        keys.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(overrides: Value) -> PlanRequest {
        let body = json!({ "model": { "preset": "llama-3.1-8b" }, "overrides": overrides });
        PlanRequest::parse(&body, Form::Json).expect("a request")
    }

    fn quote(key: &str, value: f64, valid_until: Option<&str>) -> Quote {
        Quote {
            key: key.into(),
            version: 1,
            value: Some(value),
            supplier: String::new(),
            valid_until: valid_until.map(str::to_owned),
            note: String::new(),
            at: 1,
            who: None,
        }
    }

    #[test]
    fn the_request_wins_over_the_book_and_the_book_over_the_catalog() {
        let own = request(json!({ "pue": 1.5, "server_usd": { "b200": 400_000 } }));
        let quotes = [
            quote("pue", 1.1, None),
            quote("server_usd.b200", 300_000.0, None),
            quote("server_usd.h100-sxm", 200_000.0, Some("2026-11-30")),
            quote("gpu_hour_usd.aws.b200", 3.0, None),
            quote("staff_fte", 2.0, Some("2026-11-29")),
        ];
        let priced = merged(own.clone(), &quotes, "2026-11-30");
        let overrides = &priced.request.overrides;
        assert_eq!(overrides.scalar("pue"), Some(1.5));
        assert_eq!((overrides.server_usd["b200"], overrides.server_usd["h100-sxm"]), (400_000.0, 200_000.0));
        assert_eq!(overrides.gpu_hour_usd["aws"]["b200"], 3.0);
        assert_eq!(overrides.scalar("staff_fte"), None, "it has expired");
        let used = priced.book.expect("a book");
        assert_eq!(used.keys, ["server_usd.h100-sxm", "gpu_hour_usd.aws.b200"]);
        assert_eq!(used.expired, ["staff_fte"]);
        let mut rest = priced.request;
        rest.overrides = own.overrides.clone();
        let sources: Vec<&String> = rest.quotes.0.keys().collect();
        assert_eq!(sources, ["gpu_hour_usd.aws.b200", "server_usd.h100-sxm"], "what the request gives itself has none");
        rest.quotes = own.quotes.clone();
        assert_eq!(rest, own, "nothing else is changed");
    }

    #[test]
    fn what_is_read_no_longer_does_not_spoil_the_rest() {
        let quotes = [
            quote("server_usd.gone", 1.0, None),
            quote("retired_usd", 1.0, None),
            quote("pue", 9.0, None),
            quote("staff_fte", 2.0, None),
        ];
        let priced = merged(request(json!({})), &quotes, "2026-11-30");
        assert_eq!(priced.book.expect("a book").keys, ["staff_fte"]);
        assert_eq!(priced.request.overrides.scalar("staff_fte"), Some(2.0));
        assert!(priced.request.overrides.server_usd.is_empty());
    }

    #[test]
    fn values_are_read_as_the_engine_reads_them() {
        assert_eq!(read_value("server_usd.b200", "$450k").ok(), Some(450_000.0));
        assert_eq!(read_value("gpu_hour_usd.aws.b200", "3.5").ok(), Some(3.5));
        assert_eq!(read_value("electricity_usd_per_kwh", "0").ok(), Some(0.0));
        for (key, value, pointer) in [
            ("server_usd.b200", "0", "/value"),
            ("server_usd.b200", "much", "/value"),
            ("server_usd.b200", " ", "/value"),
            ("server_usd.b300x", "1", "/key"),
            ("server_usd", "1", "/key"),
            ("server_usd.b200.x", "1", "/key"),
            ("topology", "auto", "/key"),
            ("nothing", "1", "/key"),
            ("", "1", "/key"),
            ("a.b.c.d.e.f.g.h", "1", "/key"),
        ] {
            let problem = read_value(key, value).expect_err("refused");
            assert_eq!(problem.pointer, pointer, "{key} {value}: {}", problem.message);
        }
        let problem = read_value("pue", "9").expect_err("refused");
        assert!(problem.message.starts_with("The value is 9, above 5"), "{}", problem.message);
        for (text, right) in
            [("2026-11-30", true), ("2026-02-30", false), ("2026-1-1", false), ("1926-11-30", false), ("soon", false)]
        {
            assert_eq!(is_date(text), right, "{text}");
        }
    }
}
