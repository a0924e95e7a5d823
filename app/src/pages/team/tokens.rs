//! Tokens of the API: which there are, making one, revoking one.

use crate::backend::tokens::TokenSummary;
use crate::components::flash_message;
use crate::flash::{self, Flash, FormFlash};
use crate::format;
use crate::pages::Description;
use crate::pages::account::{done, form_of, to_log_in};
use crate::pages::problem;
use crate::server_functions::tokens;
use leptos::prelude::*;
use leptos_meta::Title;

const DONE: [(&str, &str); 1] = [("revoked", "The token is revoked: programs that use it are refused from now on.")];

/// What a token may be for, with what that is.
const SCOPES: [(&str, &str); 2] =
    [("read", "read: reads what the team has"), ("write", "write: saves, changes and deletes it too")];

/// Days that a token may be good for.
const DAYS: [(&str, &str); 4] = [("30", "30 days"), ("90", "90 days"), ("180", "180 days"), ("365", "1 year")];

/// The tokens of the team that who is logged in works in.
#[component]
pub fn TokensPage() -> impl IntoView {
    let flash = flash::take();
    let done = done(&DONE);
    Suspend::new(async move {
        let found = match tokens() {
            Ok(tokens) => tokens.tokens().await,
            Err(error) => Err(error),
        };
        let found = match found {
            Ok(found) => found,
            Err(error) if error.code == "not_logged_in" => return to_log_in("/team/tokens"),
            Err(error) => return problem(&error),
        };
        let token = match &flash {
            Some(Flash::Token(token)) => Some(token.clone()),
            _ => None,
        };
        view! {
            <Title text="Tokens · Clusterwright" />
            <Description text="Tokens that let programs and spreadsheets read or change what a team has, each for one team and one scope." />
            <main class="page page-prose" id="main">
                <nav class="crumbs" aria-label="Breadcrumb"><a href="/team">"Team"</a></nav>
                {flash_message(flash.as_ref())}
                {done}
                <h1>"Tokens of the API"</h1>
                <p class="lead">"Programs use a token in place of a log-in. It works for this team only, and may no more than its maker may at the time."</p>
                {token.map(shown_once)}
                {new_token(&form_of(flash.as_ref()))}
                {list(&found)}
                <p class="quiet">"How programs and spreadsheets use the API: "<a href="/api/docs">"API documentation"</a></p>
            </main>
        }
        .into_any()
    })
}

fn shown_once(token: String) -> AnyView {
    view! {
        <div class="new-link">
            <label for="new-token-value">"New token. Copy it now: it is shown only this once."</label>
            <div class="field-input">
                <input class="input" id="new-token-value" type="text" readonly value=token.clone() autocomplete="off" spellcheck="false" />
                <a class="button" href="#new-token-value" data-copy=token>"Copy token"</a>
            </div>
        </div>
    }
    .into_any()
}

fn new_token(form: &FormFlash) -> AnyView {
    let error = form.error("name").or(form.error("scope")).or(form.error("days")).map(str::to_owned);
    let (scope, days) = (form.value("scope").unwrap_or("read"), form.value("days").unwrap_or("90"));
    let scopes = SCOPES.map(|(id, words)| view! { <option value=id selected={id == scope}>{words}</option> });
    let lives = DAYS.map(|(id, words)| view! { <option value=id selected={id == days}>{words}</option> });
    view! {
        <section class="section section-first" id="new-token" aria-labelledby="new-token-heading">
            <h2 id="new-token-heading">"New token"</h2>
            <form method="post" action="/api/fn/create_token" class="entry-form">
                <div class="field">
                    <div class="field-head"><label for="token-name">"Name"</label></div>
                    <input class="input" id="token-name" name="name" type="text" required maxlength="120" autocomplete="off"
                        value=form.value("name").unwrap_or_default().to_owned()
                        aria-invalid=error.is_some().then_some("true") aria-describedby="token-error token-help" />
                    <p class="help" id="token-help">"What uses it, such as the sheet of procurement."</p>
                    <p class="field-error" id="token-error">{error}</p>
                </div>
                <div class="field">
                    <div class="field-head"><label for="token-scope">"Scope"</label></div>
                    <select class="input select" id="token-scope" name="scope">{scopes.collect_view()}</select>
                </div>
                <div class="field">
                    <div class="field-head"><label for="token-days">"Ends after"</label></div>
                    <select class="input select" id="token-days" name="days">{lives.collect_view()}</select>
                </div>
                <button class="button button-primary" type="submit">"Make the token"</button>
            </form>
        </section>
    }
    .into_any()
}

fn list(tokens: &[TokenSummary]) -> AnyView {
    let body = if tokens.is_empty() {
        view! { <p class="nothing">"The team has no tokens."</p> }.into_any()
    } else {
        let rows: Vec<_> = tokens.iter().map(line).collect();
        view! {
            <div class="scroll" role="region" tabindex="0" aria-label="Tokens of the team">
                <table class="data data-people">
                    <caption class="visually-hidden">"Tokens of the team, newest first"</caption>
                    <thead><tr>
                        <th scope="col">"Name"</th><th scope="col">"Scope"</th><th scope="col">"Made by"</th>
                        <th scope="col">"Ends"</th><th scope="col">"Last used"</th><th scope="col">"Change"</th>
                    </tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
        .into_any()
    };
    view! {
        <section class="section" id="tokens" aria-labelledby="tokens-heading">
            <h2 id="tokens-heading">"Tokens of the team"</h2>
            {body}
        </section>
    }
    .into_any()
}

fn line(token: &TokenSummary) -> AnyView {
    let ends = match token.ended {
        true => format!("ended on {}", format::date(&token.expires_at)),
        false => format::date(&token.expires_at),
    };
    let used = token.last_used_at.as_deref().map_or_else(|| "never".to_owned(), format::date);
    view! {
        <tr>
            <th scope="row" class="account-title">{token.name.clone()}</th>
            <td>{token.scope.clone()}</td>
            <td>{token.made_by.clone()}</td>
            <td>{ends}</td>
            <td>{used}</td>
            <td>
                <form method="post" action="/api/fn/revoke_token">
                    <input type="hidden" name="token" value=token.id.clone() />
                    <button class="button button-small" type="submit" aria-label=format!("Revoke {}", token.name)>"Revoke"</button>
                </form>
            </td>
        </tr>
    }
    .into_any()
}
