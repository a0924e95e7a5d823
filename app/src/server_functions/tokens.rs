//! Tokens of the API: targets of plain forms.

use crate::UiError;
use leptos::prelude::*;

/// Makes a token; it is shown once, on the next page.
#[server(name = CreateToken, prefix = "/api/fn", endpoint = "create_token")]
pub async fn create_token(
    name: String,
    #[server(default)] scope: String,
    #[server(default)] days: String,
) -> Result<(), UiError> {
    use crate::flash;
    match super::tokens()?.create_token(name.clone(), scope.clone(), days.clone()).await {
        Ok(token) => flash::go_with_token(PAGE, &token),
        Err(error) if error.fields.is_empty() => super::accounts::refused(PAGE, &error),
        Err(error) => flash::go_with_form(
            "/team/tokens#new-token",
            &error,
            &[("name", &name), ("scope", &scope), ("days", &days)],
        ),
    }
}

/// Revokes a token.
#[server(name = RevokeToken, prefix = "/api/fn", endpoint = "revoke_token")]
pub async fn revoke_token(token: String) -> Result<(), UiError> {
    match super::tokens()?.revoke_token(token).await {
        Ok(()) => crate::flash::go("/team/tokens?revoked=1"),
        Err(error) => super::accounts::refused(PAGE, &error),
    }
}

#[cfg(feature = "ssr")]
const PAGE: &str = "/team/tokens";
