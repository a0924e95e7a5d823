//! `/validation`: every published measurement with its prediction, and the errors by group.

use super::etag::Tagged;
use axum::http::HeaderMap;
use axum::response::Response;
use std::sync::LazyLock;

/// Measurements and constants are embedded in the program: they change with a release.
static ANSWER: LazyLock<Tagged> = LazyLock::new(|| {
    let text = serde_json::to_string(engine::validation::report()).unwrap_or_default();
    Tagged::new(text, "application/json", "public, max-age=300, must-revalidate")
});

/// Predicted against measured
///
/// Every published measurement with its configuration in short, its source, what was measured, what the engine predicts
/// and the error, or why it is not predicted; errors by accelerator, number format, model size, servers, source and
/// method; and the errors of predictions by constants that never saw the row's group.
#[utoipa::path(get, path = "/validation", operation_id = "getValidation", tag = "Validation",
    responses(
        (status = 200, description = "The validation", body = ref("#/components/schemas/Validation")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag")))]
pub async fn get_validation(headers: HeaderMap) -> Response {
    ANSWER.respond(&headers)
}
