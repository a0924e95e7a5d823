//! The account of who is logged in: its browsers and its password. Signing up and logging in are beside it.

mod enter;
mod reset;

pub(super) use enter::EMAIL;
pub use enter::{LogInPage, SignUpPage};
pub use reset::ResetPage;

use crate::backend::accounts::{AccountDetail, SessionSummary};
use crate::components::{Entry, Message, entry, flash_message};
use crate::flash::{self, Flash, FormFlash};
use crate::format;
use crate::pages::Description;
use crate::pages::{has_flag, problem};
use crate::server_functions::{accounts, with_next};
use leptos::prelude::*;
use leptos_meta::Title;

/// What the last form did, by the flag that the address carries.
const DONE: [(&str, &str); 2] =
    [("changed", "The password is set. All other browsers are logged out."), ("ended", "That browser is logged out.")];

/// A new password.
pub(super) const fn new_password(name: &'static str, label: &'static str) -> Entry {
    Entry {
        name,
        label,
        kind: "password",
        autocomplete: "new-password",
        help: "10 to 128 characters. A sentence is easy to remember and hard to guess.",
        most: 128,
    }
}

/// Whose password a form is about: for password managers, which people do not see.
fn username(email: &str) -> impl IntoView + use<> {
    view! { <input type="text" name="username" autocomplete="username" value=email.to_owned() hidden /> }
}

/// What the last form left for the fields of this page.
pub(super) fn form_of(flash: Option<&Flash>) -> FormFlash {
    match flash {
        Some(Flash::Form(form)) => form.clone(),
        _ => FormFlash::default(),
    }
}

/// Messages of what the last form did: those whose flag the address carries.
pub(super) fn done(texts: &[(&'static str, &'static str)]) -> Vec<impl IntoView + use<>> {
    texts
        .iter()
        .filter(|(flag, _)| has_flag(flag))
        .map(|(_, text)| view! { <Message tone="good" text=*text /> })
        .collect()
}

/// The account.
#[component]
pub fn AccountPage() -> impl IntoView {
    let flash = flash::take();
    let done = done(&DONE);
    Suspend::new(async move {
        let account = match accounts() {
            Ok(accounts) => accounts.account().await,
            Err(error) => Err(error),
        };
        let account = match account {
            Ok(account) => account,
            Err(error) if error.code == "not_logged_in" => return to_log_in("/account"),
            Err(error) => return problem(&error),
        };
        view! {
            <Title text="Account · Clusterwright" />
            <Description text="Password, sessions and teams of an account; everything in it can be taken along or deleted." />
            <main class="page page-prose" id="main">
                {flash_message(flash.as_ref())}
                {done}
                <div class="page-head">
                    <div><p class="eyebrow">"Account"</p><h1 class="account-title">{account.email.clone()}</h1></div>
                </div>
                {sessions(&account)}
                {password(&account.email, &form_of(flash.as_ref()))}
                {data(&account.email, &form_of(flash.as_ref()))}
            </main>
        }
        .into_any()
    })
}

/// Nobody is logged in: first that, then this page.
pub(super) fn to_log_in(page: &str) -> AnyView {
    leptos_axum::redirect(&with_next("/log-in", page));
    ().into_any()
}

fn sessions(account: &AccountDetail) -> AnyView {
    let rows: Vec<_> = account.sessions.iter().map(session).collect();
    view! {
        <section class="section section-first" id="sessions" aria-labelledby="sessions-heading">
            <h2 id="sessions-heading">"Where you are logged in"</h2>
            <div class="scroll" role="region" tabindex="0" aria-label="Browsers that are logged in">
                <table class="data">
                    <caption class="visually-hidden">"Browsers that are logged in, last used first"</caption>
                    <thead><tr><th scope="col">"Browser"</th><th scope="col">"Logged in"</th><th scope="col">"Last used"</th><th scope="col">"End"</th></tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <form method="post" action="/api/fn/log_out_everywhere" class="inline-form form-after">
                <button class="button button-danger" type="submit">"Log out everywhere"</button>
                <span class="quiet">"Ends every session, this one too."</span>
            </form>
        </section>
    }
    .into_any()
}

fn session(session: &SessionSummary) -> AnyView {
    let end = if session.current {
        view! { <span class="quiet">"This browser"</span> }.into_any()
    } else {
        let label = format!("Log out {}, logged in on {}", session.user_agent, format::date(&session.created_at));
        view! {
            <form method="post" action="/api/fn/end_session">
                <input type="hidden" name="session" value=session.id.clone() />
                <button class="button button-small" type="submit" aria-label=label>"Log out"</button>
            </form>
        }
        .into_any()
    };
    view! {
        <tr>
            <th scope="row">{session.user_agent.clone()}</th>
            <td>{format::date(&session.created_at)}</td>
            <td>{format::date(&session.last_seen_at)}</td>
            <td>{end}</td>
        </tr>
    }
    .into_any()
}

fn password(email: &str, form: &FormFlash) -> AnyView {
    let old = Entry {
        name: "old_password",
        label: "Password now",
        kind: "password",
        autocomplete: "current-password",
        help: "",
        most: 128,
    };
    view! {
        <section class="section" id="password" aria-labelledby="password-heading">
            <h2 id="password-heading">"Change the password"</h2>
            <form method="post" action="/api/fn/change_password" class="entry-form">
                {username(email)}
                {entry(old, form)}
                {entry(new_password("new_password", "New password"), form)}
                <button class="button button-primary" type="submit">"Change the password"</button>
                <p class="help">"All other browsers are logged out."</p>
            </form>
        </section>
    }
    .into_any()
}

/// Taking it along, and deleting it.
fn data(email: &str, form: &FormFlash) -> AnyView {
    let password = Entry {
        name: "delete_password",
        label: "Your password",
        kind: "password",
        autocomplete: "current-password",
        help: "",
        most: 128,
    };
    let open = form.error("delete_password").is_some();
    view! {
        <section class="section" id="data" aria-labelledby="data-heading">
            <h2 id="data-heading">"Your data"</h2>
            <p class="actions"><a class="button" href="/account/export" download="clusterwright-account.json">"Download it as JSON"</a></p>
            <details class="manage-item" open=open>
                <summary>"Delete the account"</summary>
                <form method="post" action="/api/fn/delete_account">
                    <p>"This deletes the account and every team that nobody else is in, with its scenarios and links, for good. Teams with other members keep theirs."</p>
                    {username(email)}
                    {entry(password, form)}
                    <button class="button button-danger" type="submit">"Delete the account for good"</button>
                </form>
            </details>
        </section>
    }
    .into_any()
}
