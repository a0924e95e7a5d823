//! Who is logged in, at the end of the header.

use crate::server_functions::accounts;
use leptos::prelude::*;

/// The account, or the ways to one.
#[component]
pub fn AccountNav() -> impl IntoView {
    Suspend::new(async move {
        let viewer = match accounts() {
            Ok(accounts) => accounts.viewer().await,
            Err(error) => Err(error),
        };
        // a page is shown even when nobody can say who is logged in
        let links = match viewer {
            Ok(Some(viewer)) => {
                let label = format!("Account of {}", viewer.email);
                view! {
                    <li><a href="/team">"Team"</a></li>
                    <li><a href="/price-book">"Prices"</a></li>
                    <li><a class="account-name" href="/account" aria-label=label>{viewer.email}</a></li>
                    <li>
                        <form method="post" action="/api/fn/log_out">
                            <button class="link-button" type="submit">"Log out"</button>
                        </form>
                    </li>
                }
                .into_any()
            }
            Ok(None) => view! {
                <li><a href="/log-in">"Log in"</a></li>
                <li><a href="/sign-up">"Sign up"</a></li>
            }
            .into_any(),
            Err(_) => ().into_any(),
        };
        view! { <nav class="account-nav" aria-label="Account"><ul class="site-nav">{links}</ul></nav> }
    })
}
