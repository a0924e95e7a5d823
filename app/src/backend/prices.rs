//! What pages and forms need of the team's price book: the port that `server` implements. It knows who asks, and in which
//! team.

use super::UiError;

/// Which prices a plan is made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prices {
    /// The quotes of the team over the catalog's figures, for those who are in a team.
    Team,
    /// The catalog's alone.
    Catalog,
}

/// How a plan stands to the price book of the team; of those who have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookUse {
    /// What the plan was made with.
    pub prices: Prices,
    /// Keys of the quotes that the request was given.
    pub keys: Vec<String>,
    /// Keys of the quotes that have expired.
    pub expired: Vec<String>,
}

/// A row of the price book: a quote as it is or was.
#[derive(Clone, Debug, PartialEq)]
pub struct QuoteRow {
    /// What it replaces: a path under `overrides`.
    pub key: String,
    /// Counts the changes of the key.
    pub version: i64,
    /// Price or rate; none where the quote was removed.
    pub value: Option<f64>,
    /// Who offered it; may be empty.
    pub supplier: String,
    /// The last day on which it holds, `2026-11-30`; none until it is changed.
    pub valid_until: Option<String>,
    /// That day is over.
    pub expired: bool,
    /// A remark; may be empty.
    pub note: String,
    /// Address of who changed it; none when that account is deleted.
    pub who: Option<String>,
    /// When, ISO 8601 UTC.
    pub at: String,
}

/// The price book of a team.
#[derive(Clone, Debug, PartialEq)]
pub struct PriceBook {
    /// Name of the team.
    pub team: String,
    /// Who asks may change it.
    pub may_change: bool,
    /// The quotes, by key.
    pub quotes: Vec<QuoteRow>,
}

/// Whether a quote is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Plans are made with it.
    Holds,
    /// Its last day is over.
    Expired,
}

/// A quote as a form gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuoteForm {
    /// What it replaces.
    pub key: String,
    /// Price or rate.
    pub value: String,
    /// Who offered it.
    pub supplier: String,
    /// The last day on which it holds.
    pub valid_until: String,
    /// A remark.
    pub note: String,
    /// The version that was shown; empty if there was no quote.
    pub version: String,
}

/// The price book.
#[async_trait::async_trait]
pub trait PriceBackend: Send + Sync + 'static {
    /// The price book of the team.
    async fn price_book(&self) -> Result<PriceBook, UiError>;

    /// What a key had, newest first.
    async fn quote_history(&self, key: String) -> Result<Vec<QuoteRow>, UiError>;

    /// Puts a quote in or changes it.
    async fn put_quote(&self, quote: QuoteForm) -> Result<Standing, UiError>;

    /// Takes a quote out.
    async fn remove_quote(&self, key: String, version: String) -> Result<(), UiError>;
}
