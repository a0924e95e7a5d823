//! Tokens of the API: a prefix that scanners of leaked secrets know, randomness, and a checksum that tells typing errors
//! from tokens without asking the database.

use super::secret::TokenHash;
use crate::id::RandomError;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use sha2::{Digest, Sha256};

const PREFIX: &str = "cw_";
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Random signs: 160 bits.
const SIGNS: usize = 27;
const CHECK_SIGNS: usize = 6;

/// A token: shown to its holder once, stored as its SHA-256 only, and redacted when printed.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiToken(String);

impl ApiToken {
    /// A new one.
    ///
    /// # Errors
    /// The operating system gives no randomness.
    pub fn random() -> Result<Self, RandomError> {
        let mut body = PREFIX.to_owned();
        let mut bytes = [0u8; 64];
        while body.len() < PREFIX.len() + SIGNS {
            crate::id::fill(&mut bytes)?;
            // 248 is the last multiple of 62 in a byte: beyond it some signs would come more often
            let fair = bytes.iter().filter(|byte| **byte < 248);
            let signs = fair.map(|byte| sign(*byte));
            body.extend(signs.take(PREFIX.len() + SIGNS - body.len()));
        }
        let check = checksum(&body);
        Ok(Self(format!("{body}_{check}")))
    }

    /// Reads one that a caller sent; anything of another form is none, and so is one with a typing error.
    pub fn parse(text: &str) -> Option<Self> {
        let (body, check) = text.rsplit_once('_')?;
        let signs = body.strip_prefix(PREFIX)?;
        let plausible = signs.len() == SIGNS && signs.bytes().all(|b| b.is_ascii_alphanumeric());
        (plausible && check == checksum(body)).then(|| Self(text.to_owned()))
    }

    /// What is stored of it.
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }

    /// The token itself: only for handing it to its holder.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for ApiToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ApiToken(redacted)")
    }
}

/// What the `Authorization` header of a request holds.
#[derive(Debug, PartialEq, Eq)]
pub enum Presented {
    /// No bearer token.
    Nothing,
    /// Something that is no token of ours.
    Malformed,
    /// A token, known or not.
    Token(ApiToken),
}

/// The bearer token of a request (RFC 6750, 2.1).
pub fn presented(headers: &HeaderMap) -> Presented {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return if headers.contains_key(AUTHORIZATION) { Presented::Malformed } else { Presented::Nothing };
    };
    let text = value.to_str().unwrap_or_default();
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => {
            ApiToken::parse(token.trim()).map_or(Presented::Malformed, Presented::Token)
        }
        _ => Presented::Malformed,
    }
}

fn sign(byte: u8) -> char {
    char::from(ALPHABET.get(usize::from(byte) % ALPHABET.len()).copied().unwrap_or(b'0'))
}

fn checksum(body: &str) -> String {
    Sha256::digest(body.as_bytes()).iter().take(CHECK_SIGNS).map(|byte| sign(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn tokens_are_long_different_and_read_back() {
        let tokens: Vec<_> = (0..100).map(|_| ApiToken::random().expect("random")).collect();
        for (index, token) in tokens.iter().enumerate() {
            assert_eq!(token.expose().len(), 3 + SIGNS + 1 + CHECK_SIGNS);
            assert_eq!(ApiToken::parse(token.expose()).as_ref(), Some(token));
            assert!(!tokens[..index].contains(token));
        }
        assert_eq!(format!("{:?}", tokens[0]), "ApiToken(redacted)");
    }

    #[test]
    fn a_typing_error_is_seen_without_asking() {
        let token = ApiToken::random().expect("random");
        let text = token.expose();
        for at in 3..text.len() {
            let mut bytes = text.as_bytes().to_vec();
            bytes[at] = if bytes[at] == b'a' { b'b' } else { b'a' };
            assert_eq!(ApiToken::parse(std::str::from_utf8(&bytes).expect("ASCII")), None, "sign {at}");
        }
        for text in ["", "cw_", "cw__", &text[..text.len() - 1], &format!("{text}x"), &text.replace("cw_", "gh_")] {
            assert_eq!(ApiToken::parse(text), None, "{text}");
        }
    }

    #[test]
    fn only_one_bearer_token_counts() {
        let token = ApiToken::random().expect("random");
        let header = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(AUTHORIZATION, HeaderValue::from_str(value).expect("a header"));
            }
            presented(&headers)
        };
        let right = format!("Bearer {}", token.expose());
        assert_eq!(header(&[]), Presented::Nothing);
        assert_eq!(header(&[&right]), Presented::Token(token.clone()));
        assert_eq!(header(&[&right.replace("Bearer", "bearer")]), Presented::Token(token.clone()));
        for wrong in [&[right.as_str(), right.as_str()][..], &["Basic YTpi"], &["Bearer x"], &[token.expose()]] {
            assert_eq!(header(wrong), Presented::Malformed, "{wrong:?}");
        }
    }
}
