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

/// Renames a scenario, unless its texts were changed since the edition that the page had.
#[server(name = RenameScenario, prefix = "/api/fn", endpoint = "rename_scenario")]
pub async fn rename_scenario(
    id: String,
    #[server(default)] name: String,
    #[server(default)] edition: Option<i64>,
) -> Result<(), UiError> {
    let outcome = super::scenarios()?.rename(id.clone(), name, edition).await;
    after(&id, outcome, "?renamed=1")
}

/// Changes notes and tags of a scenario, unless its texts were changed since the edition that the page had. Tags are
/// separated by commas.
#[server(name = DescribeScenario, prefix = "/api/fn", endpoint = "describe_scenario")]
pub async fn describe_scenario(
    id: String,
    #[server(default)] notes: String,
    #[server(default)] tags: String,
    #[server(default)] edition: Option<i64>,
) -> Result<(), UiError> {
    let tags = tags.split([',', '،', '、', '，']).map(str::to_owned).collect();
    match super::scenarios()?.describe(id.clone(), notes, tags, edition).await {
        // the page that shows both keeps what was typed
        Err(error) if error.code == "invalid_request" => {
            let page = format!("/scenarios/{}/conflict", crate::flash::segment(&id));
            crate::flash::go(&format!("{page}?why={}", crate::flash::segment(&error.message)))
        }
        outcome => after(&id, outcome, "?described=1"),
    }
}

/// Puts a scenario away.
#[server(name = ArchiveScenario, prefix = "/api/fn", endpoint = "archive_scenario")]
pub async fn archive_scenario(id: String) -> Result<(), UiError> {
    use crate::backend::scenarios::Archiving;
    let outcome = super::scenarios()?.archive(id.clone(), Archiving::PutAway).await;
    after(&id, outcome, "?archived=1")
}

/// Takes a scenario out of the archive.
#[server(name = UnarchiveScenario, prefix = "/api/fn", endpoint = "unarchive_scenario")]
pub async fn unarchive_scenario(id: String) -> Result<(), UiError> {
    use crate::backend::scenarios::Archiving;
    let outcome = super::scenarios()?.archive(id.clone(), Archiving::TakeOut).await;
    after(&id, outcome, "?unarchived=1")
}

/// Copies a scenario, and goes to the copy.
#[server(name = DuplicateScenario, prefix = "/api/fn", endpoint = "duplicate_scenario")]
pub async fn duplicate_scenario(id: String) -> Result<(), UiError> {
    match super::scenarios()?.duplicate(id.clone()).await {
        Ok(copy) => after(&copy, Ok(()), "?duplicated=1"),
        Err(error) => after(&id, Err(error), ""),
    }
}

/// On to the page of a scenario, with what was done or what went wrong; where someone else was first, to the page that
/// shows both.
#[cfg(feature = "ssr")]
pub(super) fn after(id: &str, outcome: Result<(), UiError>, done: &str) -> Result<(), UiError> {
    use crate::flash;
    let page = format!("/scenarios/{}", flash::segment(id));
    match outcome {
        Ok(()) => flash::go(&format!("{page}{done}")),
        Err(error) if error.code == "conflict" => flash::go(&format!("{page}/conflict")),
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
