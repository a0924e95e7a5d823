//! Saving, renaming and deleting scenarios: targets of plain forms.

use crate::UiError;
use leptos::prelude::*;

/// Saves the inputs as a scenario, and goes to it.
#[server(name = SaveScenario, prefix = "/api/fn", endpoint = "save_scenario")]
pub async fn save_scenario(#[server(default)] name: String, #[server(default)] query: String) -> Result<(), UiError> {
    use crate::{flash, inputs::Inputs};
    let inputs = Inputs::from_query(&query);
    let back = format!("/?{}", inputs.query());
    // the planner shows what is wrong with the inputs
    let Ok(request) = inputs.request() else { return flash::go(&back) };
    match super::backend()?.save_scenario(name, request, inputs.prices()).await {
        Ok(id) => flash::go(&format!("/scenarios/{}?saved=1", flash::segment(&id))),
        Err(error) => flash::go_with_error(&back, &error),
    }
}

/// Renames a scenario.
#[server(name = RenameScenario, prefix = "/api/fn", endpoint = "rename_scenario")]
pub async fn rename_scenario(id: String, #[server(default)] name: String) -> Result<(), UiError> {
    use crate::flash;
    let page = format!("/scenarios/{}", flash::segment(&id));
    match super::backend()?.rename_scenario(id, name).await {
        Ok(()) => flash::go(&format!("{page}?renamed=1")),
        Err(error) => flash::go_with_error(&page, &error),
    }
}

/// Deletes a scenario and its links.
#[server(name = DeleteScenario, prefix = "/api/fn", endpoint = "delete_scenario")]
pub async fn delete_scenario(id: String) -> Result<(), UiError> {
    use crate::flash;
    let page = format!("/scenarios/{}", flash::segment(&id));
    match super::backend()?.delete_scenario(id).await {
        Ok(()) => flash::go("/scenarios?deleted=1"),
        Err(error) => flash::go_with_error(&page, &error),
    }
}
