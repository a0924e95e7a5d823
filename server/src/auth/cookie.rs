//! Cookies that prove something: read with suspicion, set with everything that protects them.

use super::owner::Transport;
use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};

/// The value of a cookie; none when it is absent or given twice with different values.
pub fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut found: Option<&str> = None;
    let lines = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    for pair in lines.flat_map(|line| line.split(';')) {
        let Some((given, value)) = pair.split_once('=') else { continue };
        if given.trim() != name {
            continue;
        }
        match found {
            Some(earlier) if earlier != value.trim() => return None,
            _ => found = Some(value.trim()),
        }
    }
    found
}

/// The `Set-Cookie` value that keeps a secret for so many seconds; 0 forgets it.
pub fn set(name: &str, secret: &str, seconds: u64, transport: Transport) -> Option<HeaderValue> {
    let secure = match transport {
        Transport::Secure => "; Secure",
        Transport::PlainHttp => "",
    };
    let text = format!("{name}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let mut value = HeaderValue::from_str(&text).ok()?;
    value.set_sensitive(true);
    Some(value)
}
