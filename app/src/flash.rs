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
    /// What is wrong with fields of a form, and what was typed into others of it.
    Form(FormFlash),
}

/// What is wrong with fields of a form, by their names, and what they are filled with again. Never a password.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FormFlash {
    errors: Vec<(String, String)>,
    values: Vec<(String, String)>,
}

impl FormFlash {
    /// What is wrong with a field.
    pub fn error(&self, field: &str) -> Option<&str> {
        self.errors.iter().find(|(name, _)| name == field).map(|(_, text)| text.as_str())
    }

    /// What was typed into a field.
    pub fn value(&self, field: &str) -> Option<&str> {
        self.values.iter().find(|(name, _)| name == field).map(|(_, text)| text.as_str())
    }

    /// Names of the fields that need attention.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.errors.iter().map(|(name, _)| name.as_str())
    }

    fn to_text(&self) -> String {
        let pairs = |kind: &'static str, list: &[(String, String)]| {
            list.iter().map(|(name, text)| (format!("{kind}{name}"), text.clone())).collect::<Vec<_>>()
        };
        let all = pairs("e.", &self.errors).into_iter().chain(pairs("v.", &self.values));
        form_urlencoded::Serializer::new(String::new()).extend_pairs(all).finish()
    }

    fn from_text(text: &str) -> Self {
        let mut form = Self::default();
        for (name, text) in form_urlencoded::parse(text.as_bytes()) {
            let text: String = text.chars().take(500).collect();
            match name.split_once('.') {
                Some(("e", field)) => form.errors.push((field.to_owned(), text)),
                Some(("v", field)) => form.values.push((field.to_owned(), text)),
                _ => {}
            }
        }
        form
    }
}

/// Goes to a page of this site.
///
/// # Errors
/// Never; the type is that of a server function.
pub fn go(path: &str) -> Result<(), UiError> {
    // a header holds visible ASCII only
    let safe: String = path.chars().filter(char::is_ascii_graphic).collect();
    // browsers take `//host` and `/\\host` for another site
    let ours = safe.starts_with('/') && !safe[1..].starts_with(['/', '\\']);
    leptos_axum::redirect(if ours { &safe } else { "/" });
    Ok(())
}

/// Goes back to a form with what is wrong beside its fields, and `values` filled in again.
///
/// # Errors
/// Never; see [`go`].
pub fn go_with_form(path: &str, error: &UiError, values: &[(&str, &str)]) -> Result<(), UiError> {
    if error.fields.is_empty() && values.is_empty() {
        return go_with_error(path, error);
    }
    let mut errors = error.fields.clone();
    if errors.is_empty() {
        errors.push((String::new(), error.message.clone()));
    }
    // a cookie holds 4 KiB, and each byte may take five in it
    let fits =
        |text: &str| text.char_indices().take_while(|(at, c)| at + c.len_utf8() <= 300).map(|(_, c)| c).collect();
    let values = values.iter().map(|(name, text)| ((*name).to_owned(), fits(text))).collect();
    set(&format!("f.{}", segment(&FormFlash { errors, values }.to_text())), "/", 60);
    go(path)
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

/// Goes to a page that shows a new link once: a share link of a scenario, or an invitation to a team.
///
/// # Errors
/// Never; see [`go`].
pub fn go_with_token(path: &str, token: &str) -> Result<(), UiError> {
    set(&format!("t.{}", segment(token)), first_segment(path), 60);
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
    set("", if matches!(flash, Flash::Token(_)) { first_segment(parts.uri.path()) } else { "/" }, 0);
    Some(flash)
}

/// `/team` of `/team#invitations`: a token goes no further than to the pages that show it.
fn first_segment(path: &str) -> &str {
    let end = path.get(1..).and_then(|rest| rest.find(['/', '?', '#'])).map_or(path.len(), |end| end + 1);
    &path[..end]
}

fn parse(value: &str) -> Option<Flash> {
    let (kind, text) = value.split_once('.')?;
    let text = form_urlencoded::parse(format!("x={text}").as_bytes()).next().map(|(_, text)| text.into_owned())?;
    match kind {
        "t" if text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_') => Some(Flash::Token(text)),
        "f" => Some(Flash::Form(FormFlash::from_text(&text))),
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
        for (path, first) in
            [("/team#x", "/team"), ("/scenarios/abc?x=1", "/scenarios"), ("/team", "/team"), ("/", "/")]
        {
            assert_eq!(first_segment(path), first);
        }
        let form = FormFlash {
            errors: vec![("password".into(), "Too short; use 10 & more".into())],
            values: vec![("email".into(), "a+b@c.d".into())],
        };
        let read = parse(&format!("f.{}", segment(&form.to_text())));
        assert_eq!(read, Some(Flash::Form(form.clone())));
        assert_eq!((form.value("email"), form.error("email")), (Some("a+b@c.d"), None));
    }
}
