//! `Idempotency-Key`: a request that makes something and is sent again gets the answer of the first.

use super::conditional::quoted;
use super::problem::ApiProblem;
use crate::service::once::Once;
use crate::store::idempotency::{Begun, KeptAnswer};
use crate::store::sessions::Member;
use axum::http::header::{CONTENT_TYPE, ETAG, LOCATION};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
const KEY_MAX: usize = 255;

/// Does the work, or gives the answer that was given when it was done. It goes on when its caller hangs up, so that the
/// next time there is an answer.
pub async fn once<W>(
    once: &Once,
    member: &Member,
    headers: &HeaderMap,
    asked: &str,
    work: W,
) -> Result<Response, ApiProblem>
where
    W: Future<Output = Result<KeptAnswer, ApiProblem>> + Send + 'static,
{
    let Some(key) = key(headers)? else { return work.await.map(made) };
    match once.begin(member, &key, asked).await? {
        Begun::First => {}
        Begun::Answered(answer) => {
            let mut response = made(answer);
            response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
            return Ok(response);
        }
        Begun::OtherRequest => {
            let detail = "This Idempotency-Key was sent with another request in the last 24 hours; use a new key for each request.";
            return Err(ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_reused", detail));
        }
        Begun::Running => {
            let detail =
                "The first request with this Idempotency-Key is still being answered; send it again in a moment.";
            return Err(ApiProblem::new(StatusCode::CONFLICT, "idempotency_key_in_use", detail));
        }
    }
    let (once, member) = (once.clone(), member.clone());
    let working = tokio::spawn(async move {
        let answer = work.await;
        if let Err(error) = once.end(&member, &key, answer.as_ref().ok()).await {
            // it is done and has its answer; only sending it again is not covered
            tracing::warn!(%error, "an answer is not kept for its Idempotency-Key");
        }
        answer
    });
    working.await.map_err(super::files::fault)?.map(made)
}

/// An answer about something that was made.
fn made(KeptAnswer { location, etag, body }: KeptAnswer) -> Response {
    let mut response = (StatusCode::CREATED, body).into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ETAG, quoted(&etag));
    if let Ok(location) = HeaderValue::from_str(&location) {
        headers.insert(LOCATION, location);
    }
    response
}

fn key(headers: &HeaderMap) -> Result<Option<String>, ApiProblem> {
    let Some(value) = headers.get(KEY) else { return Ok(None) };
    let text = value.to_str().ok().filter(|text| (1..=KEY_MAX).contains(&text.len()));
    text.map(|text| Some(text.to_owned())).ok_or_else(|| {
        let detail = "The Idempotency-Key can't be used: send 1 to 255 ASCII characters, such as a UUID.";
        ApiProblem::new(StatusCode::UNPROCESSABLE_ENTITY, "idempotency_key_invalid", detail)
    })
}
