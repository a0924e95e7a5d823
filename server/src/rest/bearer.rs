//! Who may with a token: routes whose callers are [`Caller::Token`] take `Authorization: Bearer` and nothing else, and
//! no other route takes it.

use super::problem::ApiProblem;
use crate::auth::api_token::{Presented, presented};
use crate::limits::rate::Standing;
use crate::limits::{Action, Client};
use crate::router::table::{self, Caller};
use crate::service::ServiceError;
use crate::service::actor::Actor;
use crate::state::AppState;
use crate::store::tokens::{Holder, Scope};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::header::{RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Duration;

/// The caller of a route for tokens.
#[derive(Clone, Debug)]
pub struct Bearer(pub Arc<Holder>);

impl Bearer {
    /// As services know who asks. A token has no session.
    pub fn actor(&self) -> Actor {
        Actor::Member(Box::new(self.0.member.clone()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Bearer {
    type Rejection = Response;

    /// What [`guard`] has found; a route that is not in the table of routes as one for tokens lets nobody in.
    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Self::Rejection> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| unauthorized(Presented::Nothing))
    }
}

/// Lets a token in where the table of routes says so.
pub async fn guard(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let Some(Caller::Token(least)) = table::caller_for(request.method(), request.uri().path()) else {
        return next.run(request).await;
    };
    let client = request.extensions().get::<Client>().copied();
    let holder = match known(&state, presented(request.headers()), client).await {
        Ok(holder) => holder,
        Err(refused) => return refused,
    };
    // counted before it is told that its scope is not enough
    let (standing, counted) = state.gates.spend_token(holder.token);
    let mut response = match counted {
        Err(wait) => too_many(&state, wait),
        Ok(()) if holder.scope < least => missing_scope(least),
        Ok(()) => {
            request.extensions_mut().insert(Bearer(Arc::new(holder)));
            next.run(request).await
        }
    };
    if let Some(standing) = standing {
        say(&mut response, standing);
    }
    response
}

/// Who holds the token of a request. Guesses are counted like those of share links.
async fn known(state: &AppState, presented: Presented, client: Option<Client>) -> Result<Holder, Response> {
    let token = match presented {
        Presented::Token(token) => token,
        other => return Err(unauthorized(other)),
    };
    if let Some(client) = client
        && let Err(wait) = state.gates.ask(Action::OpenLink, client)
    {
        return Err(too_many(state, wait));
    }
    match state.tokens.holder(&token).await {
        Ok(holder) => Ok(holder),
        Err(ServiceError::NotLoggedIn) => {
            if let Some(client) = client {
                // this one has been answered; what is owed is asked for next time
                let _ = state.gates.spend(Action::OpenLink, client, 1);
            }
            Err(unauthorized(Presented::Token(token)))
        }
        Err(error) => Err(ApiProblem::from(error).into_response()),
    }
}

/// Unknown, revoked and ended look the same.
fn unauthorized(what: Presented) -> Response {
    let (code, detail, challenge) = match what {
        Presented::Nothing => (
            "token_missing",
            "This takes a token: send `Authorization: Bearer cw_…`. Editors of a team make tokens under Team, Tokens.",
            "Bearer realm=\"clusterwright\"",
        ),
        Presented::Malformed => (
            "token_malformed",
            "What is sent as Authorization is no token of this site; send `Authorization: Bearer cw_…` with all signs of it.",
            "Bearer realm=\"clusterwright\", error=\"invalid_token\"",
        ),
        Presented::Token(_) => (
            "token_invalid",
            "This token is unknown, revoked or has ended. Make another one under Team, Tokens.",
            "Bearer realm=\"clusterwright\", error=\"invalid_token\"",
        ),
    };
    challenged(ApiProblem::new(StatusCode::UNAUTHORIZED, code, detail), challenge)
}

fn missing_scope(least: Scope) -> Response {
    let detail = format!(
        "This takes the scope `{0}`, which the token does not have. Make a token with the scope {0} under Team, Tokens.",
        least.name()
    );
    let challenge = match least {
        Scope::Read => "Bearer realm=\"clusterwright\", error=\"insufficient_scope\", scope=\"read\"",
        Scope::Write => "Bearer realm=\"clusterwright\", error=\"insufficient_scope\", scope=\"write\"",
    };
    challenged(ApiProblem::new(StatusCode::FORBIDDEN, "missing_scope", detail), challenge)
}

fn challenged(problem: ApiProblem, challenge: &'static str) -> Response {
    let mut response = problem.into_response();
    response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
    response
}

fn too_many(state: &AppState, wait: Duration) -> Response {
    state.metrics.rate_limited(Action::Token);
    let detail =
        "There were too many requests with this token; the Retry-After header says in how many seconds to come back.";
    let mut response = ApiProblem::new(StatusCode::TOO_MANY_REQUESTS, "rate_limited", detail).into_response();
    response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
    response
}

/// `RateLimit-*` as most clients read them: requests at once, those left, seconds until all are back.
fn say(response: &mut Response, standing: Standing) {
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("ratelimit-limit"), HeaderValue::from(standing.limit));
    headers.insert(HeaderName::from_static("ratelimit-remaining"), HeaderValue::from(standing.remaining));
    headers.insert(HeaderName::from_static("ratelimit-reset"), HeaderValue::from(whole_seconds(standing.reset)));
}

fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_scope_is_named() {
        for scope in [Scope::Read, Scope::Write] {
            let response = missing_scope(scope);
            assert_eq!(response.status(), StatusCode::FORBIDDEN);
            let challenge = response.headers()[WWW_AUTHENTICATE].to_str().expect("ASCII");
            assert!(challenge.contains("insufficient_scope") && challenge.contains(scope.name()), "{challenge}");
        }
    }
}
