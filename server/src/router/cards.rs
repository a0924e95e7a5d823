//! The picture of a shared plan, for those who show previews of links.

use super::failures::missing_file;
use crate::service::ServiceError;
use crate::state::AppState;
use axum::extract::{Path, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

/// `{card}` is the name of a picture with `.png`.
pub async fn card(State(state): State<AppState>, Path(card): Path<String>) -> Response {
    let Some(name) = card.strip_suffix(".png") else { return missing_file() };
    let drawn = async {
        let shared = state.scenarios.open_card(name).await?;
        state.cards.png(shared).await
    };
    match drawn.await {
        Ok(png) => ([(CONTENT_TYPE, "image/png")], png).into_response(),
        Err(ServiceError::NotFound) => missing_file(),
        Err(error) => {
            error.log();
            error.status().into_response()
        }
    }
}
