//! An invitation, as who holds its link sees it.

use super::role_article;
use crate::components::{entry, flash_message};
use crate::flash;
use crate::pages::Description;
use crate::pages::account::{EMAIL, form_of, new_password};
use crate::pages::not_found::NotFound;
use crate::pages::problem;
use crate::server_functions::{accounts, teams, with_next};
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

/// The invitation. Opening the page uses nothing up.
#[component]
pub fn InvitePage() -> impl IntoView {
    let token = use_params_map().get_untracked().get("token").unwrap_or_default();
    let flash = flash::take();
    Suspend::new(async move {
        let offer = match teams() {
            Ok(teams) => teams.offer(token.clone()).await,
            Err(error) => Err(error),
        };
        let offer = match offer {
            Ok(offer) => offer,
            Err(error) if error.code == "not_found" => return view! { <NotFound /> }.into_any(),
            Err(error) => return problem(&error),
        };
        let (viewer, closed) = match accounts() {
            Ok(accounts) => (accounts.viewer().await.unwrap_or_default(), accounts.registration() == "closed"),
            Err(error) => return problem(&error),
        };
        let form = form_of(flash.as_ref());
        let log_in = with_next("/log-in", &format!("/invite/{}", flash::segment(&token)));
        let ways = match viewer {
            Some(viewer) => view! {
                <form method="post" action="/api/fn/accept_invitation" class="actions">
                    <input type="hidden" name="token" value=token />
                    <button class="button button-primary" type="submit">{format!("Join as {}", viewer.email)}</button>
                </form>
            }
            .into_any(),
            None if closed => view! {
                <p class="actions"><a class="button button-primary" href=log_in>"Log in to join"</a></p>
            }
            .into_any(),
            None => view! {
                <form method="post" action="/api/fn/sign_up" class="entry-form">
                    <input type="hidden" name="invitation" value=token />
                    {entry(EMAIL, &form)}
                    {entry(new_password("password", "Password"), &form)}
                    <button class="button button-primary" type="submit">"Sign up and join"</button>
                </form>
                <p class="quiet">"You have an account? "<a href=log_in>"Log in to join"</a></p>
            }
            .into_any(),
        };
        view! {
            <Title text="Invitation · Clusterwright" />
            <Description text="An invitation to a team of Clusterwright: its members see one another's scenarios and plan with the same price book." />
            <main class="page page-entry" id="main">
                {flash_message(flash.as_ref())}
                <p class="eyebrow">"Invitation"</p>
                <h1 class="account-title">{format!("Join {}", offer.team)}</h1>
                <p class="lead">{format!("{} invites you to plan together, as {}.", offer.made_by, role_article(&offer.role))}</p>
                {ways}
            </main>
        }
        .into_any()
    })
}
