//! Operations: who may, then the engine or the store. Handlers and server functions call only these.

pub mod accounts;
pub mod actor;
pub mod cards;
pub mod clock;
pub mod once;
pub mod planning;
pub mod price_books;
pub mod scenarios;
pub mod teams;
pub mod tokens;

use crate::auth::password::PasswordError;
use crate::id::RandomError;
use crate::store::StoreError;
use axum::http::StatusCode;
use engine::FieldProblem;
use std::time::Duration;

/// Why an operation was not done.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// There is none, or it is someone else's: callers can't tell which.
    #[error("not found")]
    NotFound,
    /// It takes an account, and nobody is logged in.
    #[error("not logged in")]
    NotLoggedIn,
    /// The caller's role does not allow it, or a setting does not.
    #[error("not allowed: {0}")]
    Forbidden(&'static str),
    /// Someone else has changed it meanwhile.
    #[error("changed meanwhile: {0}")]
    Conflict(&'static str),
    /// Fields that can't be used.
    #[error("{} field(s) can't be used", .0.len())]
    Invalid(Vec<FieldProblem>),
    /// There is a limit, and it is reached.
    #[error("limit reached: {0}")]
    TooMany(&'static str),
    /// Tried too often.
    #[error("too soon by {0:?}")]
    TooSoon(Duration),
    /// All threads that compute are taken; it is worth trying again.
    #[error("too much to compute at once")]
    Busy,
    /// The store is busy or full; it is worth trying again.
    #[error("storage is not available: {0}")]
    Unavailable(#[source] StoreError),
    /// A plan of another version of this program, which this one can't read.
    #[error("a stored plan can't be read: {0}")]
    Unreadable(#[source] serde_json::Error),
    /// A fault of ours. The text is for the log, never for callers.
    #[error("{0}")]
    Internal(String),
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) => Self::Unavailable(error),
            other => Self::Internal(other.to_string()),
        }
    }
}

impl From<PasswordError> for ServiceError {
    fn from(error: PasswordError) -> Self {
        match error {
            PasswordError::Busy => Self::Busy,
            PasswordError::Failed(text) => Self::Internal(text),
        }
    }
}

impl From<RandomError> for ServiceError {
    fn from(error: RandomError) -> Self {
        Self::Internal(error.to_string())
    }
}

impl ServiceError {
    /// The HTTP status that goes with it.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::NotLoggedIn => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::Conflict(_) => StatusCode::PRECONDITION_FAILED,
            Self::TooSoon(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Invalid(_) | Self::TooMany(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Busy | Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Unreadable(_) | Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Writes what an operator must know; called once, where the error leaves the program.
    pub fn log(&self) {
        match self {
            Self::Internal(_) | Self::Unreadable(_) => tracing::error!(error = %self, "operation failed"),
            Self::Busy | Self::Unavailable(_) => tracing::warn!(error = %self, "operation refused"),
            Self::NotFound
            | Self::NotLoggedIn
            | Self::Forbidden(_)
            | Self::Conflict(_)
            | Self::TooSoon(_)
            | Self::Invalid(_)
            | Self::TooMany(_) => tracing::debug!(error = %self, "operation refused"),
        }
    }
}
