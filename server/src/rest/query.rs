//! Reads the query of an address.

use super::problem::ApiProblem;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use engine::{FieldProblem, Problem};
use std::convert::Infallible;

/// Whether a plan carries the formula behind each figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Figures only.
    #[default]
    Plain,
    /// With explanations.
    Explained,
}

/// The pairs of a query in the order given, and what of them is about the answer and not about the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Key and value, decoded.
    pub pairs: Vec<(String, String)>,
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self::parse(parts.uri.query().unwrap_or_default()))
    }
}

impl Query {
    fn parse(text: &str) -> Self {
        Self { pairs: form_urlencoded::parse(text.as_bytes()).into_owned().collect() }
    }

    /// Takes `explain` out of the pairs.
    ///
    /// # Errors
    /// It is neither true nor false.
    pub fn take_explain(&mut self) -> Result<Detail, ApiProblem> {
        let mut detail = Detail::Plain;
        for (_, value) in self.pairs.extract_if(.., |(key, _)| key == "explain") {
            detail = match value.trim().to_ascii_lowercase().as_str() {
                "true" | "1" | "yes" | "on" => Detail::Explained,
                "false" | "0" | "no" | "off" | "" => Detail::Plain,
                other => {
                    let shown: String = other.chars().take(60).collect();
                    let message = format!("`explain` is `{shown}`; write true or false");
                    return Err(Problem::invalid(vec![FieldProblem::new("/explain", "wrong_type", message)]).into());
                }
            };
        }
        Ok(detail)
    }

    /// Nothing may be left but keys that start with `_`.
    ///
    /// # Errors
    /// Something is left.
    pub fn finish_known(self, known: &[&str]) -> Result<(), ApiProblem> {
        let left = self.pairs.iter().map(|(key, _)| key).filter(|key| !key.starts_with('_') && !key.is_empty());
        let errors: Vec<FieldProblem> = left.map(|key| super::input::unknown_key(key, known)).collect();
        if errors.is_empty() { Ok(()) } else { Err(Problem::invalid(errors).into()) }
    }

    /// Nothing may be left: the request is in the body. Keys that start with `_` are there to defeat caches.
    ///
    /// # Errors
    /// Something is left.
    pub fn finish(self) -> Result<(), ApiProblem> {
        let left = self.pairs.into_iter().map(|(key, _)| key).filter(|key| !key.starts_with('_') && !key.is_empty());
        let errors: Vec<FieldProblem> = left
            .map(|key| {
                let shown: String = key.chars().take(80).collect();
                let message = format!("`{shown}` is in the address; with POST the request is the JSON body, and the address takes only `explain`");
                FieldProblem::new(format!("/{}", shown.replace('~', "~0").replace('/', "~1")), "unknown_key", message)
            })
            .collect();
        if errors.is_empty() { Ok(()) } else { Err(Problem::invalid(errors).into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn explain_is_taken_out() {
        let mut query = Query::parse("a=1&explain=true&b=2");
        assert_eq!(query.take_explain().ok(), Some(Detail::Explained));
        assert_eq!(query, Query::parse("a=1&b=2"));
        assert_eq!(Query::parse("").take_explain().ok(), Some(Detail::Plain));
        assert!(Query::parse("explain=maybe").take_explain().is_err());
    }

    #[test]
    fn only_underscores_may_be_left() {
        assert!(Query::parse("_=1700000000&_x").finish().is_ok());
        assert!(Query::parse("budget_usd=1").finish().is_err());
    }
}
