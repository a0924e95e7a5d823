//! Header, navigation and footer around every page.

use super::icons::{Icon, icon};
use crate::components::AccountNav;
use crate::islands::PageLive;
use http::request::Parts;
use leptos::prelude::*;

const PAGES: [(&str, &str); 6] = [
    ("/", "Planner"),
    ("/scenarios", "Scenarios"),
    ("/catalog", "Catalog"),
    ("/rules", "Rules"),
    ("/method", "Method"),
    ("/validation", "Validation"),
];

/// The frame of every page.
#[component]
pub fn Layout(children: Children) -> impl IntoView {
    let here = use_context::<Parts>().map(|parts| parts.uri.path().to_owned()).unwrap_or_default();
    let current = move |path: &str| match (path, here.as_str()) {
        (path, here) if path == here => Some("page"),
        ("/", _) => None,
        (path, here) if here.starts_with(path) => Some("true"),
        _ => None,
    };
    let links = PAGES.map(|(path, name)| view! { <li><a href=path aria-current=current(path)>{name}</a></li> });
    view! {
        <a class="skip" href="#main">"Skip to the content"</a>
        <header class="site-header">
            <a class="brand" href="/" aria-label="Clusterwright, planner">{mark()}<span>"Clusterwright"</span></a>
            <nav aria-label="Main">
                <ul class="site-nav">{links.collect_view()}<li><a href="/api/docs" aria-current=current("/api/docs")>"API"</a></li></ul>
            </nav>
            <AccountNav />
        </header>
        {children()}
        <footer class="site-footer">
            <p>"Sizing and cost of clusters that train language models. Every price has a date and a source; amounts are US dollars without tax unless a tax is set."</p>
            <ul class="site-nav">
                <li><a href="/method">"How figures come about"</a></li>
                <li><a href="/validation">"Predicted against measured"</a></li>
                <li><a href="/rules">"Rules of thumb, checked"</a></li>
                <li><a href="/catalog">"Sources and dates"</a></li>
            </ul>
        </footer>
        <dialog class="explained" id="explained" aria-labelledby="explained-title">
            <form method="dialog"><h2 id="explained-title">"How this came about"</h2><button class="button" aria-label="Close">{icon(Icon::Close)}</button></form>
            <div id="explained-body"></div>
            <p class="quiet"><a id="explained-link" href="/">"This figure as a page of its own, to link to"</a></p>
        </dialog>
        <PageLive />
    }
}

/// The mark: a cluster, half of it busy.
fn mark() -> impl IntoView {
    let squares =
        [(0.0, 0.0, 1.0), (6.5, 0.0, 1.0), (13.0, 0.0, 0.35), (0.0, 6.5, 1.0), (6.5, 6.5, 0.35), (0.0, 13.0, 1.0)];
    let squares = squares.map(|(x, y, opacity)| view! { <rect x=x y=y width="5" height="5" rx="1" opacity=opacity /> });
    view! { <svg class="mark" viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">{squares.collect_view()}</svg> }
}
