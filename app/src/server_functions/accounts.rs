//! Signing up, logging in and out, passwords: targets of plain forms.
//!
//! Fields are named in full, so that a request without them is refused before anything is done.

use crate::UiError;
use leptos::prelude::*;

/// Makes an account, logs in, and goes on.
#[server(name = SignUp, prefix = "/api/fn", endpoint = "sign_up")]
pub async fn sign_up(
    email: String,
    password: String,
    #[server(default)] next: String,
    #[server(default)] invitation: String,
) -> Result<(), UiError> {
    use crate::flash;
    // an invitation has a page of its own, which has this form too
    let (page, then) = match invitation.as_str() {
        "" => (with_next("/sign-up", &next), next_or(&next, "/scenarios?welcome=1")),
        token => (format!("/invite/{}", flash::segment(token)), "/team?joined=1"),
    };
    let invitation = Some(invitation).filter(|token| !token.is_empty());
    match super::accounts()?.sign_up(email.clone(), password, invitation).await {
        Ok(()) => flash::go(then),
        Err(error) => flash::go_with_form(&page, &error, &[("email", &email)]),
    }
}

/// Logs in, and goes on.
#[server(name = LogIn, prefix = "/api/fn", endpoint = "log_in")]
pub async fn log_in(email: String, password: String, #[server(default)] next: String) -> Result<(), UiError> {
    use crate::flash;
    match super::accounts()?.log_in(email.clone(), password).await {
        Ok(()) => flash::go(next_or(&next, "/scenarios")),
        Err(error) => flash::go_with_form(&with_next("/log-in", &next), &error, &[("email", &email)]),
    }
}

/// Logs this browser out.
#[server(name = LogOut, prefix = "/api/fn", endpoint = "log_out")]
pub async fn log_out() -> Result<(), UiError> {
    use crate::flash;
    match super::accounts()?.log_out().await {
        Ok(()) => flash::go("/log-in?out=1"),
        Err(error) => refused("/account", &error),
    }
}

/// Logs all browsers of the account out.
#[server(name = LogOutEverywhere, prefix = "/api/fn", endpoint = "log_out_everywhere")]
pub async fn log_out_everywhere() -> Result<(), UiError> {
    use crate::flash;
    match super::accounts()?.log_out_everywhere().await {
        Ok(()) => flash::go("/log-in?everywhere=1"),
        Err(error) => refused("/account", &error),
    }
}

/// Logs one other browser of the account out.
#[server(name = EndSession, prefix = "/api/fn", endpoint = "end_session")]
pub async fn end_session(session: String) -> Result<(), UiError> {
    use crate::flash;
    match super::accounts()?.end_session(session).await {
        Ok(()) => flash::go("/account?ended=1#sessions"),
        Err(error) => refused("/account", &error),
    }
}

/// Changes the password; other browsers are logged out.
#[server(name = ChangePassword, prefix = "/api/fn", endpoint = "change_password")]
pub async fn change_password(old_password: String, new_password: String) -> Result<(), UiError> {
    use crate::flash;
    match super::accounts()?.change_password(old_password, new_password).await {
        Ok(()) => flash::go("/account?changed=1"),
        Err(error) if error.code == "not_logged_in" => refused("/account", &error),
        Err(error) => flash::go_with_form("/account#password", &error, &[]),
    }
}

/// Deletes the account, for good.
#[server(name = DeleteAccount, prefix = "/api/fn", endpoint = "delete_account")]
pub async fn delete_account(delete_password: String) -> Result<(), UiError> {
    use crate::flash;
    match super::accounts()?.delete_account(delete_password).await {
        Ok(()) => flash::go("/log-in?deleted=1"),
        Err(error) if error.code == "not_logged_in" => refused("/account", &error),
        Err(error) => flash::go_with_form("/account#data", &error, &[]),
    }
}

/// Sets a password by a one-time link, and logs in.
#[server(name = ResetPassword, prefix = "/api/fn", endpoint = "reset_password")]
pub async fn reset_password(token: String, password: String) -> Result<(), UiError> {
    use crate::flash;
    match super::accounts()?.reset_password(token.clone(), password).await {
        Ok(()) => flash::go("/account?changed=1"),
        Err(error) => flash::go_with_form(&format!("/reset/{}", flash::segment(&token)), &error, &[]),
    }
}

/// Back to a page that says what went wrong, or to the log-in where nobody is logged in.
#[cfg(feature = "ssr")]
pub(super) fn refused(page: &str, error: &UiError) -> Result<(), UiError> {
    use crate::flash;
    if error.code == "not_logged_in" {
        return flash::go(&with_next("/log-in", page));
    }
    flash::go_with_error(page, error)
}

#[cfg(feature = "ssr")]
fn next_or<'a>(next: &'a str, otherwise: &'a str) -> &'a str {
    if next.is_empty() { otherwise } else { next }
}

/// A page that goes on to another one.
#[cfg(feature = "ssr")]
pub(crate) fn with_next(page: &str, next: &str) -> String {
    if next.is_empty() { page.to_owned() } else { format!("{page}?next={}", crate::flash::segment(next)) }
}
