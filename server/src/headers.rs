//! What every answer carries for the browser, errors included.

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use leptos::nonce::Nonce;

use crate::auth::owner::Transport;
use crate::auth::session;
use crate::router::table::{self, Caller};
use crate::state::AppState;

const PERMISSIONS: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), \
                           microphone=(), midi=(), payment=(), usb=()";

/// Mints the nonce of an answer, lets the page use it, and sets the headers.
pub async fn protect(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let nonce = Nonce::new();
    request.extensions_mut().insert(nonce.clone());
    say_transport(request.headers_mut(), state.transport());
    let caller = table::caller_of(request.uri().path());
    let known = session::read(request.headers(), state.transport()).is_some();
    let mut response = next.run(request).await;
    let status = response.status();
    // every page says who is logged in: after a log-out, going back must not show it
    if known && !response.headers().contains_key(header::CACHE_CONTROL) {
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    }
    apply(response.headers_mut(), status, &nonce, caller, state.transport());
    response
}

/// How the page traveled to its reader, which decides how its cookies do, is a setting. What a caller or a proxy says of
/// it is not believed.
fn say_transport(headers: &mut HeaderMap, transport: Transport) {
    let scheme = match transport {
        Transport::Secure => "https",
        Transport::PlainHttp => "http",
    };
    headers.insert(HeaderName::from_static("x-forwarded-proto"), HeaderValue::from_static(scheme));
}

fn apply(headers: &mut HeaderMap, status: StatusCode, nonce: &Nonce, caller: Caller, transport: Transport) {
    let mut set = |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("permissions-policy"), PERMISSIONS);
    if transport == Transport::Secure {
        set(header::STRICT_TRANSPORT_SECURITY, "max-age=63072000; includeSubDomains");
    }
    match caller {
        // whoever holds the address may look: neither search engines, nor other sites, nor caches may learn it
        Caller::LinkHolder => {
            set(header::REFERRER_POLICY, "no-referrer");
            set(HeaderName::from_static("x-robots-tag"), "noindex, nofollow");
            set(header::CACHE_CONTROL, "private, no-store");
        }
        // as above, but a sheet may keep what it was given for as long as that says
        Caller::FeedHolder => {
            set(header::REFERRER_POLICY, "no-referrer");
            set(HeaderName::from_static("x-robots-tag"), "noindex, nofollow");
        }
        // as above, but its form says where it comes from
        Caller::Invited => {
            set(header::REFERRER_POLICY, "same-origin");
            set(HeaderName::from_static("x-robots-tag"), "noindex, nofollow");
            set(header::CACHE_CONTROL, "private, no-store");
        }
        // forms without scripts come back to where the referrer says, so it must reach ourselves
        Caller::Anyone | Caller::Owner(_) | Caller::Member(_) | Caller::Entrant | Caller::Token(_) => {
            set(header::REFERRER_POLICY, "same-origin");
        }
    }
    if matches!(caller, Caller::Owner(_) | Caller::Member(_) | Caller::Entrant | Caller::Token(_)) {
        set(header::CACHE_CONTROL, "private, no-store");
    }
    if let Ok(policy) = HeaderValue::from_str(&content_security_policy(nonce)) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        // pages may be kept for going back, and errors for nothing
        let value = if status.is_client_error() || status.is_server_error() { "no-store" } else { "private, no-cache" };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(value));
    }
}

/// Only our own files and the inline scripts that carry the nonce; WebAssembly may be compiled; `blob:` and `data:`
/// are for saving a chart as an image.
fn content_security_policy(nonce: &Nonce) -> String {
    format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; \
         font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
         object-src 'none'"
    )
}
