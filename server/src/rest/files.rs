//! Answers that are files: how a caller wants them, and what they are called.

use super::etag::Tagged;
use super::problem::ApiProblem;
use super::query::Query;
use crate::service::ServiceError;
use crate::tables::Table;
use crate::tables::delimited::{self, Decimal, Delimiter, Dialect, Start};
use axum::http::header::CONTENT_DISPOSITION;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use engine::{FieldProblem, Problem};
use std::fmt::Write;

/// The same request gives the same answer until a release: sheets that ask each hour are told that nothing changed.
pub const KEPT: &str = "private, max-age=300, must-revalidate";
/// Longest name of a file without its ending, characters.
const NAME_MAX: usize = 150;

/// A file to be.
pub struct File {
    /// What it holds.
    pub body: Vec<u8>,
    /// Its media type.
    pub media_type: &'static str,
    /// Its name without the ending, as a person wrote it.
    pub name: String,
    /// The ending, without its dot.
    pub ending: String,
}

impl File {
    /// A table as text with delimiters.
    ///
    /// # Errors
    /// It can't be written, which is a fault of ours.
    pub fn delimited(table: &Table, dialect: Dialect, name: String) -> Result<Self, ApiProblem> {
        let body = delimited::write(table, dialect).map_err(fault)?;
        Ok(Self { body, media_type: delimited::MEDIA_TYPE, name, ending: "csv".to_owned() })
    }

    /// As an answer, or 304 if the caller has it.
    pub fn respond(self, request: &HeaderMap) -> Response {
        let disposition = disposition(&self.name, &self.ending);
        let mut response = Tagged::new(self.body, self.media_type, KEPT).respond(request).into_response();
        if let Ok(value) = HeaderValue::from_str(&disposition) {
            response.headers_mut().insert(CONTENT_DISPOSITION, value);
        }
        response
    }
}

/// A fault of ours.
pub fn fault(error: impl std::fmt::Display) -> ApiProblem {
    ServiceError::Internal(error.to_string()).into()
}

/// `Content-Disposition` with the name twice (RFC 6266): in ASCII for old readers, and as it is.
fn disposition(name: &str, ending: &str) -> String {
    let clean: String =
        name.chars().map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { '-' } else { c }).collect();
    let clean: String = clean.trim_matches(|c: char| c.is_whitespace() || c == '.').chars().take(NAME_MAX).collect();
    let clean = if clean.is_empty() { "clusterwright".to_owned() } else { clean };
    let plain: String =
        clean.chars().map(|c| if c.is_ascii_alphanumeric() || " ._-".contains(c) { c } else { '_' }).collect();
    let mut coded = String::new();
    for byte in clean.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            coded.push(char::from(byte));
        } else {
            let _ = write!(coded, "%{byte:02X}");
        }
    }
    format!("attachment; filename=\"{plain}.{ending}\"; filename*=UTF-8''{coded}.{ending}")
}

impl Query {
    /// Takes the table that is asked for out of the pairs.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn take_table(&mut self, known: &[&'static str]) -> Result<Option<&'static str>, ApiProblem> {
        let Some(name) = self.take("table") else { return Ok(None) };
        self.choose("table", &name, &known.iter().map(|name| (*name, *name)).collect::<Vec<_>>()).map(Some)
    }

    /// Takes out of the pairs how a spreadsheet wants text.
    ///
    /// # Errors
    /// A choice is none.
    pub fn take_dialect(&mut self) -> Result<Dialect, ApiProblem> {
        let mut dialect = Dialect::default();
        if let Some(text) = self.take("bom") {
            let yes = [("true", Start::Mark), ("1", Start::Mark), ("false", Start::Bare), ("0", Start::Bare)];
            dialect.start = self.choose("bom", &text, &yes)?;
        }
        if let Some(text) = self.take("delimiter") {
            let all = [("comma", Delimiter::Comma), ("semicolon", Delimiter::Semicolon), ("tab", Delimiter::Tab)];
            dialect.delimiter = self.choose("delimiter", &text, &all)?;
        }
        if let Some(text) = self.take("decimal") {
            dialect.decimal = self.choose("decimal", &text, &[("point", Decimal::Point), ("comma", Decimal::Comma)])?;
        }
        Ok(dialect)
    }

    /// Takes a key out of the pairs; its last value counts.
    pub fn take(&mut self, key: &str) -> Option<String> {
        let taken: Vec<_> = self.pairs.extract_if(.., |(name, _)| name == key).collect();
        taken.into_iter().next_back().map(|(_, value)| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    pub fn choose<T: Copy>(&self, key: &str, text: &str, all: &[(&'static str, T)]) -> Result<T, ApiProblem> {
        let found = all.iter().find(|(name, _)| name.eq_ignore_ascii_case(text)).map(|(_, choice)| *choice);
        found.ok_or_else(|| {
            let shown: String = text.chars().take(60).collect();
            let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
            let message = format!("`{key}` is `{shown}`; use one of {}", names.join(", "));
            Problem::invalid(vec![FieldProblem::new(format!("/{key}"), "unknown_id", message)]).into()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe_and_kept() {
        assert_eq!(disposition("plan", "csv"), "attachment; filename=\"plan.csv\"; filename*=UTF-8''plan.csv");
        let hostile = disposition("../a\"b\r\nSet-Cookie: x\u{1f680}训", "xlsx");
        assert!(hostile.is_ascii() && !hostile.contains(['\r', '\n']), "{hostile}");
        assert_eq!(
            hostile,
            "attachment; filename=\"-a-b--Set-Cookie- x__.xlsx\"; filename*=UTF-8''-a-b--Set-Cookie-%20x%F0%9F%9A%80%E8%AE%AD.xlsx"
        );
        assert_eq!(disposition(" .. ", "csv"), disposition("clusterwright", "csv"));
        assert!(disposition(&"长".repeat(500), "csv").len() < 2_000);
    }
}
