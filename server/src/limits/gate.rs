//! Lets a request in, or says when to come back.

use super::address::{self, Network, Peer};
use super::{Action, Client};
use crate::router::table::{self, Caller};
use crate::state::AppState;
use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

/// Counts a request by what it does and where it comes from; too many are answered 429.
pub async fn count(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let client = client(&request, &state);
    request.extensions_mut().insert(client);
    let Some(action) = table::action_of(request.method(), request.uri().path()) else {
        return next.run(request).await;
    };
    let guesses =
        matches!(table::caller_of(request.uri().path()), Caller::LinkHolder | Caller::FeedHolder | Caller::Invited);
    // before the link is looked up: who guesses too often must not learn whether this guess was right
    if guesses && let Err(wait) = state.gates.ask(Action::OpenLink, client) {
        return refused(&state, Action::OpenLink, wait);
    }
    if action != Action::OpenLink
        && let Err(wait) = state.gates.spend(action, client, 1)
    {
        return refused(&state, action, wait);
    }
    let response = next.run(request).await;
    if guesses && response.status() == StatusCode::NOT_FOUND {
        // this one has been answered; what is owed is asked for next time
        let _ = state.gates.spend(Action::OpenLink, client, 1);
    }
    response
}

/// The answer to one that came too soon.
pub fn refused(state: &AppState, action: Action, wait: Duration) -> Response {
    tracing::debug!(action = action.name(), "rate limited");
    state.metrics.rate_limited(action);
    (StatusCode::TOO_MANY_REQUESTS, [(RETRY_AFTER, seconds(wait))]).into_response()
}

/// At most so many requests at once; more are answered 503, at once and at little cost. Supervisors always get in.
pub async fn shed(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if matches!(request.uri().path(), "/healthz" | "/readyz") {
        return next.run(request).await;
    }
    let Some(_slot) = state.gates.slot() else {
        state.metrics.shed();
        return StatusCode::SERVICE_UNAVAILABLE.into_response();
    };
    next.run(request).await
}

fn client(request: &Request, state: &AppState) -> Client {
    // a request that came over no connection is a test's
    let peer = request.extensions().get::<Peer>().map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
    Client(Network::of(address::client(peer, request.headers(), &state.config.limits.trusted_proxies)))
}

/// Whole seconds, rounded up: who waits as long as told gets in.
fn seconds(wait: Duration) -> HeaderValue {
    HeaderValue::from(wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
}
