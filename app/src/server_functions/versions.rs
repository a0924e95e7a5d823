//! Saving, restoring and renewing versions of scenarios: targets of plain forms.

use crate::UiError;
use leptos::prelude::*;

/// Saves the inputs as a new version of a scenario, unless someone has saved one since the version `base`.
#[server(name = SaveVersion, prefix = "/api/fn", endpoint = "save_version")]
pub async fn save_version(
    id: String,
    #[server(default)] base: Option<i64>,
    #[server(default)] query: String,
) -> Result<(), UiError> {
    use crate::{flash, inputs::Inputs};
    let inputs = Inputs::from_query(&query);
    // the planner shows what is wrong with the inputs
    let back = format!("/?{}", inputs.query());
    let Ok(request) = inputs.request() else { return flash::go(&back) };
    match super::scenarios()?.save_version(id.clone(), base, request, inputs.prices()).await {
        Err(error) if error.code != "conflict" => flash::go_with_error(&back, &error),
        outcome => super::scenarios::after(&id, outcome.map(drop), "?saved=1"),
    }
}

/// Plans again for the inputs that a scenario has, with the catalog of today, and saves that as a new version.
#[server(name = KeepAgain, prefix = "/api/fn", endpoint = "keep_again")]
pub async fn keep_again(id: String, #[server(default)] base: Option<i64>) -> Result<(), UiError> {
    let outcome = super::scenarios()?.keep_again(id.clone(), base).await;
    super::scenarios::after(&id, outcome.map(drop), "?saved=1")
}

/// Makes what an earlier version holds, inputs and plan, the newest version.
#[server(name = RestoreVersion, prefix = "/api/fn", endpoint = "restore_version")]
pub async fn restore_version(id: String, number: i64) -> Result<(), UiError> {
    let outcome = super::scenarios()?.restore_version(id.clone(), number).await;
    super::scenarios::after(&id, outcome.map(drop), "?restored=1#history")
}
