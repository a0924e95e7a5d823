//! Where the caller's own figures are from: the quote of a supplier behind an override.

use super::Overrides;
use super::reader::{Form, Problems};
use crate::problem::FieldProblem;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Source of a figure of the caller's without a quote.
pub(crate) const GIVEN: &str = "your request";

const SUPPLIER: &str = "supplier";
const RECORDED: &str = "recorded";
const VALID_UNTIL: &str = "valid_until";
/// Most characters of the name of a supplier.
const SUPPLIER_MAX: usize = 80;

/// A quote in a price book.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Quote {
    /// Who offered it; may be empty.
    pub supplier: String,
    /// The day on which it was written down, `2026-11-30`; may be empty.
    pub recorded: String,
    /// The last day on which it holds; none until it is changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<String>,
}

/// Quotes by path under `overrides`, parts joined by dots. They change no figure, and say where one is from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Quotes(pub BTreeMap<String, Quote>);

impl Quotes {
    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Source and date of an override: of its quote, if it has one.
    pub(crate) fn source(&self, path: &str) -> (String, String) {
        let Some(quote) = self.0.get(path) else { return (GIVEN.into(), String::new()) };
        let of = match quote.supplier.as_str() {
            "" => " without a supplier".to_owned(),
            supplier => format!(" of {supplier}"),
        };
        let until = quote.valid_until.as_ref().map_or_else(String::new, |day| format!(", valid until {day}"));
        (format!("price book quote{of}{until}"), quote.recorded.clone())
    }

    /// Reads the quotes of overrides. Paths may be nested as `overrides` is, or be one key with dots.
    pub(super) fn read(value: &Value, form: Form, overrides: &Overrides, problems: &mut Problems) -> Self {
        let mut quotes = Self::default();
        let mut waiting = vec![(String::new(), value)];
        while let Some((path, value)) = waiting.pop() {
            let pointer = format!("/quotes/{}", path.replace('.', "/"));
            let mut wrong = |code: &str, message: String| {
                problems.push(FieldProblem::new(pointer.trim_end_matches('/'), code, message));
            };
            match value {
                Value::Object(parts) if is_quote(parts) => {
                    if overrides.value(&path).is_none() {
                        let message = format!(
                            "`{path}` has a quote and is not among `overrides`; give its figure there or leave the quote out"
                        );
                        wrong("unknown_key", message);
                    } else if let Some(quote) = quote(parts, form, &mut wrong) {
                        quotes.0.insert(path, quote);
                    }
                }
                Value::Object(parts) => waiting.extend(parts.iter().map(|(key, inner)| {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    (path, inner)
                })),
                Value::Null => {}
                _ => {
                    let what = if path.is_empty() { "`quotes`".to_owned() } else { format!("`{path}` of `quotes`") };
                    let message = format!("{what} is no object; write {SUPPLIER}, {RECORDED} and {VALID_UNTIL} in it");
                    wrong("wrong_type", message);
                }
            }
        }
        quotes
    }
}

fn is_quote(parts: &Map<String, Value>) -> bool {
    [SUPPLIER, RECORDED, VALID_UNTIL].iter().any(|part| parts.contains_key(*part))
}

fn quote(parts: &Map<String, Value>, form: Form, wrong: &mut impl FnMut(&str, String)) -> Option<Quote> {
    let mut text = |name: &str| match parts.get(name) {
        None | Some(Value::Null) => Some(String::new()),
        Some(Value::String(text)) => Some(text.trim().to_owned()),
        Some(_) => {
            wrong("wrong_type", format!("`{name}` of a quote is no text; write it in quotation marks"));
            None
        }
    };
    let (supplier, recorded, valid_until) = (text(SUPPLIER)?, text(RECORDED)?, text(VALID_UNTIL)?);
    // an address may hold anything: what would spoil the line that it stands in is left out
    let turns =
        |c: char| matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let supplier: String = supplier.chars().filter(|c| !c.is_control() && !turns(*c)).collect();
    let length = supplier.chars().count();
    if length > SUPPLIER_MAX {
        wrong("too_long", format!("`{SUPPLIER}` of a quote has {length} characters; use at most {SUPPLIER_MAX}"));
    }
    for (name, day) in [(RECORDED, &recorded), (VALID_UNTIL, &valid_until)] {
        if !day.is_empty() && !is_day(day) {
            let shown: String = day.chars().take(40).collect();
            wrong("wrong_type", format!("`{name}` of a quote is `{shown}`; write a day such as 2027-03-31"));
            return None;
        }
    }
    if let Some(other) = parts.keys().find(|key| ![SUPPLIER, RECORDED, VALID_UNTIL].contains(&key.as_str())) {
        let shown: String = other.chars().take(40).collect();
        let where_to = if form == Form::Text { "the address" } else { "the request" };
        wrong("unknown_key", format!("`{shown}` is no part of a quote: take it out of {where_to}"));
        return None;
    }
    let valid_until = (!valid_until.is_empty()).then_some(valid_until);
    (length <= SUPPLIER_MAX).then_some(Quote { supplier, recorded, valid_until })
}

/// `2027-03-31`: digits in their places, a month and a day that may be.
fn is_day(text: &str) -> bool {
    let digits = |(place, byte): (usize, u8)| if matches!(place, 4 | 7) { byte == b'-' } else { byte.is_ascii_digit() };
    let part = |range: std::ops::Range<usize>| text.get(range).and_then(|t| t.parse::<u8>().ok()).unwrap_or(0);
    text.len() == 10
        && text.bytes().enumerate().all(digits)
        && (1..=12).contains(&part(5..7))
        && (1..=31).contains(&part(8..10))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlanRequest;
    use crate::request::{plan_request_from_pairs, plan_request_to_pairs};
    use serde_json::json;

    fn body(quotes: Value) -> Value {
        json!({ "model": { "preset": "llama-3.1-8b" }, "quotes": quotes,
            "overrides": { "pue": 1.2, "gpu_hour_usd": { "aws": { "h100-sxm": 3.5 } } } })
    }

    #[test]
    fn quotes_are_read_in_either_form_and_survive_the_address() {
        let whole = json!({ "supplier": "Dell & Söhne", "recorded": "2026-11-30", "valid_until": "2027-01-31" });
        let flat = body(json!({ "pue": { "supplier": "x" }, "gpu_hour_usd.aws.h100-sxm": whole }));
        let nested = body(json!({ "pue": { "supplier": "x" }, "gpu_hour_usd": { "aws": { "h100-sxm": whole } } }));
        let request = PlanRequest::parse(&flat, Form::Json).expect("a request");
        assert_eq!(PlanRequest::parse(&nested, Form::Json).as_ref(), Ok(&request));
        assert_eq!(plan_request_from_pairs(plan_request_to_pairs(&request)).as_ref(), Ok(&request));
        let text = serde_json::to_string(&request).expect("JSON");
        assert_eq!(serde_json::from_str::<PlanRequest>(&text).ok().as_ref(), Some(&request));
        assert_eq!(
            request.quotes.source("gpu_hour_usd.aws.h100-sxm"),
            ("price book quote of Dell & Söhne, valid until 2027-01-31".into(), "2026-11-30".into())
        );
        assert_eq!(request.quotes.source("tax_share"), (GIVEN.into(), String::new()));
    }

    #[test]
    fn a_quote_that_can_not_be_used_says_which_and_what_to_do() {
        for (quotes, pointer, code) in [
            (json!({ "tax_share": { "supplier": "x" } }), "/quotes/tax_share", "unknown_key"),
            (json!({ "pue": { "supplier": "x".repeat(81) } }), "/quotes/pue", "too_long"),
            (json!({ "pue": { "recorded": "soon" } }), "/quotes/pue", "wrong_type"),
            (json!({ "pue": { "valid_until": "2026-13-01" } }), "/quotes/pue", "wrong_type"),
            (json!({ "pue": { "supplier": "x", "price": 1 } }), "/quotes/pue", "unknown_key"),
            (json!({ "pue": { "supplier": 1 } }), "/quotes/pue", "wrong_type"),
            (json!({ "pue": "Dell" }), "/quotes/pue", "wrong_type"),
            (json!("Dell"), "/quotes", "wrong_type"),
        ] {
            let problem = PlanRequest::parse(&body(quotes.clone()), Form::Json).expect_err("refused");
            assert_eq!(
                (problem.errors[0].pointer.as_str(), problem.errors[0].code.as_str()),
                (pointer, code),
                "{quotes}"
            );
        }
    }
}
