//! Answers that a caller may already have: a strong tag over the bytes, and 304 when it is the same.

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};

/// Bytes with their tag.
#[derive(Clone, Debug)]
pub struct Tagged {
    body: Bytes,
    tag: HeaderValue,
    media_type: &'static str,
    cache_control: &'static str,
}

impl Tagged {
    /// Tags a body by its content.
    pub fn new(body: impl Into<Bytes>, media_type: &'static str, cache_control: &'static str) -> Self {
        let body = body.into();
        let digest = URL_SAFE_NO_PAD.encode(&Sha256::digest(&body)[..15]);
        let tag = HeaderValue::from_str(&format!("\"{digest}\"")).unwrap_or(HeaderValue::from_static("\"\""));
        Self { body, tag, media_type, cache_control }
    }

    /// The body, or 304 if the caller has it.
    pub fn respond(&self, request: &HeaderMap) -> Response {
        let common = [(ETAG, self.tag.clone()), (CACHE_CONTROL, HeaderValue::from_static(self.cache_control))];
        if self.is_held(request) {
            return (StatusCode::NOT_MODIFIED, common).into_response();
        }
        (common, [(CONTENT_TYPE, HeaderValue::from_static(self.media_type))], self.body.clone()).into_response()
    }

    fn is_held(&self, request: &HeaderMap) -> bool {
        let mine = self.tag.as_bytes();
        let given = request.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        // weak comparison (RFC 9110, 13.1.2): a proxy that compresses marks the tag as weak
        given
            .flat_map(|line| line.split(','))
            .map(str::trim)
            .any(|tag| tag == "*" || tag.trim_start_matches("W/").as_bytes() == mine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tag_follows_the_content() {
        let (a, b) = (Tagged::new("a", "text/plain", "no-cache"), Tagged::new("b", "text/plain", "no-cache"));
        assert_ne!(a.tag, b.tag);
        let mut headers = HeaderMap::new();
        assert_eq!(a.respond(&headers).status(), StatusCode::OK);
        let given = format!("\"other\", W/{}", a.tag.to_str().expect("ASCII"));
        headers.insert(IF_NONE_MATCH, HeaderValue::from_str(&given).expect("a header"));
        assert_eq!(a.respond(&headers).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(b.respond(&headers).status(), StatusCode::OK);
    }
}
