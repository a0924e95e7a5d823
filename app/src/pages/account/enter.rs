//! Signing up and logging in.

use super::{done, form_of, new_password};
use crate::components::{Entry, entry, flash_message};
use crate::flash;
use crate::pages::Description;
use crate::pages::query_value;
use crate::server_functions::{accounts, with_next};
use leptos::prelude::*;
use leptos_meta::Title;

/// The address of an account.
pub(crate) const EMAIL: Entry =
    Entry { name: "email", label: "Email", kind: "email", autocomplete: "username", help: "", most: 254 };

/// What the last form did, by the flag that the address carries.
const DONE: [(&str, &str); 3] = [
    ("out", "You are logged out."),
    ("everywhere", "You are logged out in all browsers."),
    ("deleted", "Your account and what belonged to it alone are deleted."),
];

/// Logging in.
#[component]
pub fn LogInPage() -> impl IntoView {
    let flash = flash::take();
    let done = done(&DONE);
    let next = query_value("next");
    let form = form_of(flash.as_ref());
    let password = Entry {
        name: "password",
        label: "Password",
        kind: "password",
        autocomplete: "current-password",
        help: "Forgotten? An administrator of this server can make a link that sets a new one.",
        most: 128,
    };
    view! {
        <Title text="Log in · Clusterwright" />
        <Description text="Log in to reach the scenarios, links and prices of your team from any browser." />
        <main class="page page-entry" id="main">
            {flash_message(flash.as_ref())}
            {done}
            <h1>"Log in"</h1>
            <form method="post" action="/api/fn/log_in" class="entry-form">
                <input type="hidden" name="next" value=next.clone() />
                {entry(EMAIL, &form)}
                {entry(password, &form)}
                <button class="button button-primary" type="submit">"Log in"</button>
            </form>
            <p class="quiet">"No account yet? "<a href=with_next("/sign-up", &next)>"Sign up"</a>". Planning needs none."</p>
        </main>
    }
}

/// Signing up.
#[component]
pub fn SignUpPage() -> impl IntoView {
    let flash = flash::take();
    let next = query_value("next");
    let form = form_of(flash.as_ref());
    let open = accounts().is_ok_and(|accounts| accounts.registration() == "open");
    let body = if open {
        view! {
            <p class="lead">"Keep your plans on every device and share them with your team. What you have saved in this browser comes along."</p>
            <form method="post" action="/api/fn/sign_up" class="entry-form">
                <input type="hidden" name="next" value=next.clone() />
                {entry(EMAIL, &form)}
                {entry(new_password("password", "Password"), &form)}
                <button class="button button-primary" type="submit">"Sign up"</button>
            </form>
            <p class="quiet">"You have an account? "<a href=with_next("/log-in", &next)>"Log in"</a></p>
        }
        .into_any()
    } else {
        view! {
            <p class="lead">"Accounts are made by an administrator here. Ask yours for a link that sets your password; planning and sharing need no account."</p>
            <p class="actions">
                <a class="button button-primary" href="/">"Open the planner"</a>
                <a class="button" href="/log-in">"Log in"</a>
            </p>
        }
        .into_any()
    };
    view! {
        <Title text="Sign up · Clusterwright" />
        <Description text="An account keeps scenarios beyond this browser and shares them with a team; planning and sharing need none." />
        <main class="page page-entry" id="main">
            {flash_message(flash.as_ref())}
            <h1>"Sign up"</h1>
            {body}
        </main>
    }
}
