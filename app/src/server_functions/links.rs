//! Making and changing share links: targets of plain forms.

use crate::UiError;
use leptos::prelude::*;

/// Makes a share link; its token is shown once, on the next page.
#[server(name = CreateLink, prefix = "/api/fn", endpoint = "create_link")]
pub async fn create_link(
    scenario: String,
    #[server(default)] kind: String,
    #[server(default)] label: String,
    #[server(default)] days: String,
) -> Result<(), UiError> {
    let made = super::links()?.create_link(scenario.clone(), kind, label, days).await;
    shown_once(&scenario, "made", made)
}

/// Keeps a share link from opening until it is resumed.
#[server(name = PauseLink, prefix = "/api/fn", endpoint = "pause_link")]
pub async fn pause_link(link: String, #[server(default)] scenario: String) -> Result<(), UiError> {
    done(&scenario, "paused", super::links()?.pause_link(link).await)
}

/// Lets a paused share link open again.
#[server(name = ResumeLink, prefix = "/api/fn", endpoint = "resume_link")]
pub async fn resume_link(link: String, #[server(default)] scenario: String) -> Result<(), UiError> {
    done(&scenario, "resumed", super::links()?.resume_link(link).await)
}

/// Revokes a share link.
#[server(name = RevokeLink, prefix = "/api/fn", endpoint = "revoke_link")]
pub async fn revoke_link(link: String, #[server(default)] scenario: String) -> Result<(), UiError> {
    done(&scenario, "revoked", super::links()?.revoke_link(link).await)
}

/// Gives a share link another token, which is shown once, on the next page.
#[server(name = RotateLink, prefix = "/api/fn", endpoint = "rotate_link")]
pub async fn rotate_link(link: String, #[server(default)] scenario: String) -> Result<(), UiError> {
    let rotated = super::links()?.rotate_link(link).await;
    shown_once(&scenario, "rotated", rotated)
}

#[cfg(feature = "ssr")]
fn page(scenario: &str) -> String {
    format!("/scenarios/{}", crate::flash::segment(scenario))
}

/// On to the page of the scenario, which shows the new address.
#[cfg(feature = "ssr")]
fn shown_once(
    scenario: &str,
    flag: &str,
    outcome: Result<crate::backend::links::NewLink, UiError>,
) -> Result<(), UiError> {
    match outcome {
        Ok(link) => crate::flash::go_with_token(&format!("{}?{flag}={}#links", page(scenario), link.kind), &link.token),
        Err(error) => crate::flash::go_with_error(&page(scenario), &error),
    }
}

/// On to the page of the scenario, which says that it is done.
#[cfg(feature = "ssr")]
fn done(scenario: &str, flag: &str, outcome: Result<(), UiError>) -> Result<(), UiError> {
    match outcome {
        Ok(()) => crate::flash::go(&format!("{}?{flag}=1#links", page(scenario))),
        Err(error) => crate::flash::go_with_error(&page(scenario), &error),
    }
}
