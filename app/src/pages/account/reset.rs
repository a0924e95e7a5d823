//! Setting a password by a one-time link that an administrator made.

use super::{form_of, new_password, username};
use crate::components::{entry, flash_message};
use crate::flash;
use crate::pages::Description;
use crate::pages::not_found::NotFound;
use crate::pages::problem;
use crate::server_functions::accounts;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

/// The form. Opening the page uses nothing up: programs that look at links before people do would lock them out.
#[component]
pub fn ResetPage() -> impl IntoView {
    let token = use_params_map().get_untracked().get("token").unwrap_or_default();
    let flash = flash::take();
    Suspend::new(async move {
        let email = match accounts() {
            Ok(accounts) => accounts.reset_email(token.clone()).await,
            Err(error) => Err(error),
        };
        let email = match email {
            Ok(email) => email,
            Err(error) if error.code == "not_found" => return view! { <NotFound /> }.into_any(),
            Err(error) => return problem(&error),
        };
        view! {
            <Title text="Set a password · Clusterwright" />
            <Description text="Set a new password for an account of Clusterwright." />
            <main class="page page-entry" id="main">
                {flash_message(flash.as_ref())}
                <p class="eyebrow account-title">{email.clone()}</p>
                <h1>"Set a password"</h1>
                <form method="post" action="/api/fn/reset_password" class="entry-form">
                    <input type="hidden" name="token" value=token />
                    {username(&email)}
                    {entry(new_password("password", "New password"), &form_of(flash.as_ref()))}
                    <button class="button button-primary" type="submit">"Set the password and log in"</button>
                    <p class="help">"This link works once. Whoever is logged in to this account elsewhere is logged out."</p>
                </form>
            </main>
        }
        .into_any()
    })
}
