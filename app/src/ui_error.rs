//! An error that a person reads.

use leptos::server_fn::codec::JsonEncoding;
use leptos::server_fn::error::{FromServerFnError, ServerFnErrorErr};
use serde::{Deserialize, Serialize};

/// An error that a person reads, with a stable code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UiError {
    /// `not_found`, `not_logged_in`, `forbidden`, `conflict`, `rate_limited`, `invalid_request`, `busy`, `unavailable`, `internal`.
    pub code: String,
    /// What to do about it.
    pub message: String,
    /// Bad fields: name of the form field (dotted path) and message.
    pub fields: Vec<(String, String)>,
}

impl UiError {
    /// An error without bad fields.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), fields: Vec::new() }
    }

    /// The HTTP status that goes with the code.
    pub fn status(&self) -> u16 {
        match self.code.as_str() {
            "not_found" => 404,
            "not_logged_in" => 401,
            "forbidden" => 403,
            "conflict" => 412,
            "rate_limited" => 429,
            "invalid_request" => 422,
            "busy" | "unavailable" => 503,
            _ => 500,
        }
    }

    /// Nothing is wrong with what was asked: the same may work in a moment.
    pub fn is_passing(&self) -> bool {
        matches!(self.code.as_str(), "rate_limited" | "busy" | "unavailable")
    }

    /// What to tell a person who waits for an answer: a header of the answer is nothing that they see.
    pub fn advice(&self) -> &str {
        match self.code.as_str() {
            "rate_limited" => {
                "Too many requests came from this network. Your inputs are kept; wait a minute, then change one again."
            }
            _ => &self.message,
        }
    }
}

impl std::fmt::Display for UiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for UiError {}

impl FromServerFnError for UiError {
    type Encoder = JsonEncoding;

    /// What the transport says is not for people: each kind becomes a sentence that says what to do.
    fn from_server_fn_error(value: ServerFnErrorErr) -> Self {
        match value {
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => Self::new(
                "invalid_request",
                "The form could not be read: a field is missing. Reload the page and send it again.",
            ),
            ServerFnErrorErr::Request(_) => {
                Self::new("unavailable", "The server could not be reached. Check the connection and try again.")
            }
            ServerFnErrorErr::Deserialization(_) => {
                Self::new("internal", "The answer could not be read: the site may have been updated. Reload the page.")
            }
            _ => Self::new("internal", "Something went wrong on the server. Try again in a moment."),
        }
    }
}
