//! What one answer tells the next page: a short-lived cookie that scripts can't read.
//!
//! A new share link travels this way, because a token in an address ends up in logs and histories.

use crate::backend::UiError;
use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderValue, request::Parts};
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;

const NAME: &str = "flash";

/// A message for the next page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flash {
    /// The token of a new share link.
    Token(String),
    /// What went wrong.
    Error(String),
}

/// Goes to a page of this site.
///
/// # Errors
/// Never; the type is that of a server function.
pub fn go(path: &str) -> Result<(), UiError> {
    // a header holds visible ASCII only
    let safe: String = path.chars().filter(char::is_ascii_graphic).collect();
    leptos_axum::redirect(if safe.starts_with('/') && !safe.starts_with("//") { &safe } else { "/" });
    Ok(())
}

/// Goes to a page that shows an error.
///
/// # Errors
/// Never; see [`go`].
pub fn go_with_error(path: &str, error: &UiError) -> Result<(), UiError> {
    let message = error.fields.first().map_or(error.message.as_str(), |(_, message)| message);
    set(&format!("e.{}", segment(message)), "/", 60);
    go(path)
}

/// Goes to the page of a scenario that shows a new share link once.
///
/// # Errors
/// Never; see [`go`].
pub fn go_with_token(path: &str, token: &str) -> Result<(), UiError> {
    set(&format!("t.{}", segment(token)), "/scenarios", 60);
    go(path)
}

/// Takes the message for this page, if there is one; it is gone afterwards.
pub fn take() -> Option<Flash> {
    let parts = use_context::<Parts>()?;
    let cookies = parts.headers.get_all(COOKIE).iter().filter_map(|v| v.to_str().ok());
    let value = cookies
        .flat_map(|line| line.split(';'))
        .find_map(|pair| pair.trim().strip_prefix("flash=").map(str::to_owned))?;
    let flash = parse(&value)?;
    set("", if matches!(flash, Flash::Token(_)) { "/scenarios" } else { "/" }, 0);
    Some(flash)
}

fn parse(value: &str) -> Option<Flash> {
    let (kind, text) = value.split_once('.')?;
    let text = form_urlencoded::parse(format!("x={text}").as_bytes()).next().map(|(_, text)| text.into_owned())?;
    match kind {
        "t" if text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_') => Some(Flash::Token(text)),
        "e" => Some(Flash::Error(text.chars().take(500).collect())),
        _ => None,
    }
}

fn set(value: &str, path: &str, seconds: u32) {
    let Some(options) = use_context::<ResponseOptions>() else { return };
    let https = use_context::<Parts>().is_some_and(|parts| {
        parts.headers.get("x-forwarded-proto").is_some_and(|proto| proto.as_bytes().eq_ignore_ascii_case(b"https"))
    });
    let secure = if https { "; Secure" } else { "" };
    let cookie = format!("{NAME}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(header) = HeaderValue::from_str(&cookie) {
        options.append_header(SET_COOKIE, header);
    }
}

/// Text as a part of a path or of a cookie.
pub fn segment(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_survives_the_cookie() {
        let message = "A name; with \"marks\", and ü";
        assert_eq!(parse(&format!("e.{}", segment(message))), Some(Flash::Error(message.into())));
        assert_eq!(parse("t.abc-_1"), Some(Flash::Token("abc-_1".into())));
        assert_eq!(parse("t.a%3Cb"), None, "a token holds no markup");
        assert_eq!(parse("x.y"), None);
    }
}
