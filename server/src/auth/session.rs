//! The session cookie: who holds it is logged in.

use super::cookie;
use super::owner::Transport;
use super::secret::SessionToken;
use axum::http::{HeaderMap, HeaderValue};

/// Name of the cookie. Over https the prefix makes browsers refuse one that a subdomain or plain http sets.
fn name(transport: Transport) -> &'static str {
    match transport {
        Transport::Secure => "__Host-session",
        Transport::PlainHttp => "session",
    }
}

/// The session token of a request; none when it is absent, malformed or given twice with different values.
pub fn read(headers: &HeaderMap, transport: Transport) -> Option<SessionToken> {
    cookie::read(headers, name(transport)).and_then(SessionToken::parse)
}

/// The `Set-Cookie` value that logs a browser in.
pub fn set(token: &SessionToken, seconds: u64, transport: Transport) -> Option<HeaderValue> {
    cookie::set(name(transport), token.expose(), seconds, transport)
}

/// The `Set-Cookie` value that logs a browser out.
pub fn forget(transport: Transport) -> Option<HeaderValue> {
    cookie::set(name(transport), "", 0, transport)
}

/// Browser and system of a `User-Agent` in a few words, for the list of sessions. It tells apart what people have, and
/// believes what it is told.
pub fn summary(user_agent: &str) -> String {
    // the first that is named: browsers name those that they want to be taken for too
    let first = |known: &[(&str, &'static str)]| {
        known.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    let browser = first(&[
        ("Edg/", "Edge"),
        ("OPR/", "Opera"),
        ("Firefox/", "Firefox"),
        ("FxiOS/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("CriOS/", "Chrome"),
        ("Safari/", "Safari"),
    ]);
    let system = first(&[
        ("Windows", "Windows"),
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Mac OS X", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ]);
    match (browser, system) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(only), None) | (None, Some(only)) => only.to_owned(),
        (None, None) => {
            let word: String =
                user_agent.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').take(40).collect();
            if word.is_empty() { "Unknown browser".to_owned() } else { word }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_told_apart() {
        for (given, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1 (KHTML, like Gecko) Version/18 Safari/605.1",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.5.0", "curl"),
            ("<script>", "Unknown browser"),
            ("", "Unknown browser"),
        ] {
            assert_eq!(summary(given), expected, "{given}");
        }
        assert!(summary(&"a".repeat(500)).len() <= 80);
    }

    #[test]
    fn over_https_it_is_bound_to_the_host() {
        let token = SessionToken::random().expect("random");
        let value = set(&token, 60, Transport::Secure).expect("a header");
        assert!(value.is_sensitive());
        let text = value.to_str().expect("ASCII");
        assert!(text.starts_with("__Host-session="), "{text}");
        assert!(text.ends_with("; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure"), "{text}");
        let forgotten = forget(Transport::PlainHttp).expect("a header");
        assert!(forgotten.to_str().is_ok_and(|text| text.starts_with("session=; Path=/; Max-Age=0;")));
    }
}
