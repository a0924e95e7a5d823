//! A token of the API, as rates count it.

use super::rate::Key;
use crate::store::tokens::TokenId;

/// One token. Only those that are known are counted, so their number is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TokenKey(Option<TokenId>);

impl TokenKey {
    /// The key of a token.
    pub fn of(token: TokenId) -> Self {
        Self(Some(token))
    }
}

impl Key for TokenKey {
    /// All of them together.
    fn wider(self) -> Self {
        Self(None)
    }
}
