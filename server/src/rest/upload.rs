//! Reads a sheet that was sent as text with delimiters: its type, its separators, its rows.

use super::problem::ApiProblem;
use crate::limits::body::BODY_MAX;
use crate::tables::delimited::Decimal;
use axum::body::to_bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use engine::{FieldProblem, Problem};
use std::collections::BTreeSet;

/// The text of a body that is a sheet.
pub struct CsvBody(pub String);

impl<S: Send + Sync> FromRequest<S> for CsvBody {
    type Rejection = ApiProblem;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Self::Rejection> {
        let (parts, body) = request.into_parts();
        let media_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let bare = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if !matches!(bare.as_str(), "text/csv" | "application/csv" | "text/tab-separated-values") {
            let sent: String = media_type.chars().take(60).collect();
            let detail = format!("The body is `{sent}`; send the sheet with `Content-Type: text/csv`.");
            return Err(ApiProblem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", detail));
        }
        let bytes = to_bytes(body, BODY_MAX).await;
        let bytes = bytes.map_err(|_| ApiProblem::of_status(StatusCode::PAYLOAD_TOO_LARGE))?;
        String::from_utf8(bytes.to_vec()).map(Self).map_err(|_| {
            malformed(
                "The sheet is not UTF-8; save it as “CSV UTF-8”, which is a choice of its own in Excel.".to_owned(),
            )
        })
    }
}

/// The rows of a sheet that ask for something.
#[derive(Debug)]
pub struct Sheet {
    /// Rows below the first that are not empty.
    pub rows: Vec<Row>,
}

/// A row.
#[derive(Debug)]
pub struct Row {
    /// Its number below the first row, from 1; empty rows count.
    pub number: u64,
    /// What its sender calls it.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Inputs by name, without empty cells.
    pub pairs: Vec<(String, String)>,
}

impl Sheet {
    /// Reads a sheet.
    ///
    /// # Errors
    /// The first row is missing or names a column twice, or quotes do not end.
    pub fn read(text: &str, decimal: Decimal) -> Result<Self, ApiProblem> {
        let text = text.trim_start_matches('\u{feff}');
        let first = text.lines().next().unwrap_or_default();
        let mut reader =
            csv::ReaderBuilder::new().delimiter(delimiter(first)).flexible(true).from_reader(text.as_bytes());
        let head = reader.headers().map_err(|error| malformed(format!("The sheet can't be read: {error}.")))?;
        let keys: Vec<String> = head.iter().map(|key| key.trim().to_owned()).collect();
        if !keys.iter().any(|key| key.starts_with("model")) {
            let message = "the first row must name inputs as the address of the planner does, `model.preset` among them; \
                           such as: name,model.preset,training_tokens,budget_usd";
            return Err(invalid(message.to_owned()));
        }
        let named: Vec<&String> = keys.iter().filter(|key| !key.is_empty()).collect();
        if named.iter().collect::<BTreeSet<_>>().len() < named.len() {
            return Err(invalid("the first row names a column twice; give each input one column".to_owned()));
        }
        let mut rows = Vec::new();
        for (number, record) in (1u64..).zip(reader.records()) {
            let record = record.map_err(|error| malformed(format!("Row {number} can't be read: {error}.")))?;
            rows.extend(row(number, &keys, &record, decimal));
        }
        Ok(Self { rows })
    }
}

/// None for a row without anything in it, as spreadsheets leave behind.
fn row(number: u64, keys: &[String], record: &csv::StringRecord, decimal: Decimal) -> Option<Row> {
    let mut row = Row { number, id: String::new(), name: String::new(), pairs: Vec::new() };
    for (index, cell) in record.iter().enumerate() {
        let trimmed = cell.trim();
        let key = keys.get(index).map_or("", String::as_str);
        match key {
            _ if trimmed.is_empty() => {}
            "id" => row.id = cell.to_owned(),
            "name" => row.name = cell.to_owned(),
            // what has no name is an input that nobody can know: it is said and not dropped
            "" => row.pairs.push((format!("column {}", index + 1), trimmed.to_owned())),
            key => row.pairs.push((key.to_owned(), number_of(trimmed, decimal))),
        }
    }
    let empty = row.pairs.is_empty() && row.id.is_empty() && row.name.is_empty();
    (!empty).then_some(row)
}

/// `1.234,5` as `1234.5` where the comma is the decimal sign; lists and other text stay.
fn number_of(text: &str, decimal: Decimal) -> String {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if decimal == Decimal::Point {
        return text.to_owned();
    }
    let (sign, bare) = text.strip_prefix('-').map_or(("", text), |bare| ("-", bare));
    let (bare, unit) =
        bare.split_at(bare.trim_end_matches(|c: char| c == '%' || c == ' ' || c.is_ascii_alphabetic()).len());
    let (whole, fraction) = bare.split_once(',').map_or((bare, None), |(whole, fraction)| (whole, Some(fraction)));
    let groups: Vec<&str> = whole.split('.').collect();
    let grouped = groups.iter().all(|group| digits(group)) && groups.iter().skip(1).all(|group| group.len() == 3);
    match fraction {
        Some(fraction) if grouped && digits(fraction) => format!("{sign}{}.{fraction}{unit}", groups.concat()),
        None if grouped && groups.len() > 1 => format!("{sign}{}{unit}", groups.concat()),
        _ => text.to_owned(),
    }
}

/// The separator that the first row has most of.
fn delimiter(first: &str) -> u8 {
    let count = |sign: u8| first.bytes().filter(|b| *b == sign).count();
    let (commas, semicolons, tabs) = (count(b','), count(b';'), count(b'\t'));
    match () {
        () if semicolons > commas && semicolons >= tabs => b';',
        () if tabs > commas => b'\t',
        () => b',',
    }
}

fn malformed(detail: String) -> ApiProblem {
    ApiProblem::new(StatusCode::BAD_REQUEST, "malformed_csv", detail)
}

fn invalid(message: String) -> ApiProblem {
    Problem::invalid(vec![FieldProblem::new("", "invalid_header", message)]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str, decimal: Decimal) -> Vec<Vec<(String, String)>> {
        Sheet::read(text, decimal).expect("a sheet").rows.into_iter().map(|row| row.pairs).collect()
    }

    #[test]
    fn separators_and_marks_are_told_apart() {
        let expected = vec![vec![
            ("model.preset".to_owned(), "llama-3.1-8b".to_owned()),
            ("accelerators".to_owned(), "h100-sxm,b200".to_owned()),
            ("utilization".to_owned(), "0.6".to_owned()),
        ]];
        let comma = "\u{feff}model.preset,accelerators,utilization\r\nllama-3.1-8b,\"h100-sxm,b200\",0.6\r\n,,\r\n";
        assert_eq!(pairs(comma, Decimal::Point), expected);
        let german = "model.preset;accelerators;utilization\nllama-3.1-8b;h100-sxm,b200;0,6\n";
        assert_eq!(pairs(german, Decimal::Comma), expected);
    }

    #[test]
    fn only_numbers_change_their_decimal_sign() {
        for (given, read) in [
            ("0,6", "0.6"),
            ("1.234.567,89", "1234567.89"),
            ("5.000.000", "5000000"),
            ("-1,5", "-1.5"),
            ("1,5T", "1.5T"),
            ("h100-sxm,b200", "h100-sxm,b200"),
            ("llama-3.1-8b", "llama-3.1-8b"),
            ("1.5", "1.5"),
            ("60 %", "60 %"),
            ("a,1", "a,1"),
        ] {
            assert_eq!(number_of(given, Decimal::Comma), read, "{given}");
        }
    }

    #[test]
    fn a_first_row_that_names_nothing_is_refused() {
        for text in ["", "a,b\n1,2\n", "model.preset,model.preset\na,b\n"] {
            assert!(Sheet::read(text, Decimal::Point).is_err(), "{text}");
        }
        let rows =
            Sheet::read("id,name,model.preset\n7,\"two\nlines\",x\n,,\n8,,\n", Decimal::Point).expect("a sheet").rows;
        assert_eq!(
            rows.iter().map(|row| (row.number, row.id.as_str(), row.name.as_str())).collect::<Vec<_>>(),
            [(1, "7", "two\nlines"), (3, "8", "")]
        );
    }
}
