//! The document around every page, and the table of pages.

use crate::components::Layout;
use crate::pages::{
    AccountPage, ApiDocsPage, InvitePage, LogInPage, PriceBookPage, ResetPage, SharedTodayPage, SignUpPage, TeamPage,
    TokensPage,
};
use crate::pages::{AgainPage, ComparePage, ConflictPage, DifferencePage, VersionPage};
use crate::pages::{
    CatalogPage, DecisionsPage, MethodPage, NotFound, PlannerPage, RulesPage, ScenarioPage, ScenariosPage, SharedPage,
    ValidationPage,
};
use leptos::config::LeptosOptions;
use leptos::prelude::*;
use leptos_meta::{HashedStylesheet, MetaTags, Title, provide_meta_context};
use leptos_router::components::{Route, Router, Routes};
use leptos_router::{SsrMode, path};

/// The document: head, style sheet, island loader, and the page.
pub fn shell(options: LeptosOptions) -> impl IntoView {
    view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="color-scheme" content="light dark" />
                <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
                <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#171a1d" />
                <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
                <HashedStylesheet options=options.clone() id="style" />
                <HydrationScripts options=options islands=true />
                <MetaTags />
            </head>
            <body>
                <App />
            </body>
        </html>
    }
}

/// All pages.
#[component]
pub fn App() -> impl IntoView {
    provide_meta_context();
    view! {
        <Title formatter=escaped />
        <Router>
            <Layout>
                <Routes fallback=NotFound>
                    <Route path=path!("/") view=PlannerPage ssr=SsrMode::Async />
                    <Route path=path!("/s/:token") view=SharedPage ssr=SsrMode::Async />
                    <Route path=path!("/s/:token/today") view=SharedTodayPage ssr=SsrMode::Async />
                    <Route path=path!("/scenarios") view=ScenariosPage ssr=SsrMode::Async />
                    <Route path=path!("/scenarios/:id") view=ScenarioPage ssr=SsrMode::Async />
                    <Route path=path!("/scenarios/:id/versions/:number") view=VersionPage ssr=SsrMode::Async />
                    <Route path=path!("/scenarios/:id/difference") view=DifferencePage ssr=SsrMode::Async />
                    <Route path=path!("/scenarios/:id/again") view=AgainPage ssr=SsrMode::Async />
                    <Route path=path!("/scenarios/:id/conflict") view=ConflictPage ssr=SsrMode::Async />
                    <Route path=path!("/compare") view=ComparePage ssr=SsrMode::Async />
                    <Route path=path!("/sign-up") view=SignUpPage ssr=SsrMode::Async />
                    <Route path=path!("/log-in") view=LogInPage ssr=SsrMode::Async />
                    <Route path=path!("/account") view=AccountPage ssr=SsrMode::Async />
                    <Route path=path!("/reset/:token") view=ResetPage ssr=SsrMode::Async />
                    <Route path=path!("/team") view=TeamPage ssr=SsrMode::Async />
                    <Route path=path!("/team/tokens") view=TokensPage ssr=SsrMode::Async />
                    <Route path=path!("/api/docs") view=ApiDocsPage ssr=SsrMode::Async />
                    <Route path=path!("/invite/:token") view=InvitePage ssr=SsrMode::Async />
                    <Route path=path!("/price-book") view=PriceBookPage ssr=SsrMode::Async />
                    <Route path=path!("/catalog") view=CatalogPage ssr=SsrMode::Async />
                    <Route path=path!("/method") view=MethodPage ssr=SsrMode::Async />
                    <Route path=path!("/validation") view=ValidationPage ssr=SsrMode::Async />
                    <Route path=path!("/rules") view=RulesPage ssr=SsrMode::Async />
                    <Route path=path!("/decisions") view=DecisionsPage ssr=SsrMode::Async />
                </Routes>
            </Layout>
        </Router>
    }
}

/// Titles hold what people named: Leptos writes them as they are, and a `</title>` in one would end it.
fn escaped(title: String) -> String {
    title.replace('&', "&amp;").replace('<', "&lt;")
}
