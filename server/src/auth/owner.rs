//! The owner cookie: it makes a browser the owner of what it saves, without an account.

use super::cookie;
use super::secret::OwnerToken;
use axum::http::{HeaderMap, HeaderValue};

/// As long as browsers keep a cookie at most (RFC 6265bis): 400 days.
const MAX_AGE_SECONDS: u64 = 400 * 24 * 60 * 60;

/// How cookies travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// Over https: the `__Host-` prefix makes browsers refuse one that a subdomain or plain http sets.
    Secure,
    /// Over plain http on the machine of a developer, where browsers keep no `Secure` cookie.
    PlainHttp,
}

impl Transport {
    /// Name of the owner cookie.
    pub fn owner_cookie(self) -> &'static str {
        match self {
            Self::Secure => "__Host-owner",
            Self::PlainHttp => "owner",
        }
    }
}

/// The owner token of a request; none when it is absent, malformed or given twice with different values.
pub fn read(headers: &HeaderMap, transport: Transport) -> Option<OwnerToken> {
    cookie::read(headers, transport.owner_cookie()).and_then(OwnerToken::parse)
}

/// The `Set-Cookie` value that gives a browser its token, or renews it.
pub fn set(token: &OwnerToken, transport: Transport) -> Option<HeaderValue> {
    cookie::set(transport.owner_cookie(), token.expose(), MAX_AGE_SECONDS, transport)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header::COOKIE;

    fn headers(lines: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(COOKIE, HeaderValue::from_str(line).expect("a header"));
        }
        headers
    }

    #[test]
    fn the_token_is_found_among_others() {
        let token = OwnerToken::random().expect("random");
        let line = format!("a=1; owner={}; b=2", token.expose());
        assert_eq!(read(&headers(&[&line]), Transport::PlainHttp), Some(token));
        assert_eq!(read(&headers(&[&line]), Transport::Secure), None, "the plain name is not read over https");
    }

    #[test]
    fn a_doubtful_cookie_is_none() {
        let (a, b) = (OwnerToken::random().expect("random"), OwnerToken::random().expect("random"));
        assert_eq!(read(&headers(&["owner=short"]), Transport::PlainHttp), None);
        let twice = format!("owner={}; owner={}", a.expose(), b.expose());
        assert_eq!(read(&headers(&[&twice]), Transport::PlainHttp), None);
        assert_eq!(read(&HeaderMap::new(), Transport::PlainHttp), None);
    }

    #[test]
    fn over_https_it_is_bound_to_the_host() {
        let token = OwnerToken::random().expect("random");
        let value = set(&token, Transport::Secure).expect("a header");
        assert!(value.is_sensitive());
        let text = value.to_str().expect("ASCII");
        assert!(text.starts_with("__Host-owner="), "{text}");
        assert!(text.ends_with("; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure"), "{text}");
        assert!(!text.contains("Domain"), "{text}");
    }
}
