//! Scenarios beside one another as their page shows them, as a file to keep.

use super::export::{refused, who_asks};
use super::failures::as_worded;
use crate::rest::query::Query;
use crate::rest::views;
use crate::service::ServiceError;
use crate::state::AppState;
use app::pages::compared;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};

/// What the name of the list is, before its ending.
const NAME: &str = "comparison";

/// `/compare/comparison.csv?ids=a,b` and other endings, with the keys of the page's address.
pub async fn file(
    State(state): State<AppState>,
    Path(file): Path<String>,
    mut query: Query,
    headers: HeaderMap,
) -> Response {
    let Some((NAME, ending)) = views::named(&file) else {
        return ServiceError::NotFound.status().into_response();
    };
    let named: Vec<_> = query.pairs.extract_if(.., |(key, _)| key == "ids").collect();
    let ids: Vec<String> = named.iter().flat_map(|(_, ids)| ids.split(',')).map(|id| id.trim().to_owned()).collect();
    let only = query.pairs.extract_if(.., |(key, _)| key == "only").count() > 0;
    let read = async {
        let actor = who_asks(&state, &headers).await?;
        state.scenarios.compare(&actor, &ids).await
    };
    match read.await {
        Ok(comparison) => {
            let comparison = if only { comparison.only_differences() } else { comparison };
            match views::answer(&compared(&comparison), ending, query) {
                Ok(file) => as_worded(file.respond(&headers)),
                Err(problem) => as_worded(problem.into_response()),
            }
        }
        Err(error) => refused(&error, &headers, "/log-in?next=%2Fscenarios"),
    }
}
