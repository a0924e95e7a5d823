//! The table of routes against the router, in both directions.

use crate::support::Server;
use server::rest;
use server::router::table::{Caller, ROUTES, Route};
use std::collections::BTreeSet;

fn in_table(wanted: impl Fn(&Route) -> bool) -> BTreeSet<String> {
    ROUTES.iter().filter(|route| wanted(route)).map(|route| format!("{} {}", route.method, route.path)).collect()
}

#[test]
fn the_api_of_the_table_is_that_of_the_document() {
    let document = rest::openapi::document();
    let mut documented = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        documented.extend(item.as_object().unwrap().keys().map(|method| format!("{} {path}", method.to_uppercase())));
    }
    assert_eq!(in_table(|route| route.path.starts_with("/api/v1")), documented);
}

#[tokio::test]
async fn the_pages_of_the_table_are_those_of_the_app() {
    let listed: BTreeSet<String> =
        leptos_axum::generate_route_list(app::App).iter().map(|page| format!("GET {}", page.path())).collect();
    let others = [
        "/api/v1/",
        "/api/fn/",
        "/pkg/",
        "/healthz",
        "/readyz",
        "/account/export",
        "/compare/",
        "/scenarios/files/",
        "/price-book/",
        "/cards/",
    ];
    let is_file = |path: &str| path.ends_with("/plan.csv") || path.ends_with("/plan.xlsx");
    let is_page = |path: &str| !is_file(path) && !others.iter().any(|other| path.starts_with(other));
    assert_eq!(in_table(|route| is_page(route.path)), listed);
}

#[test]
fn the_server_functions_of_the_table_are_those_of_the_app() {
    let registered: BTreeSet<String> =
        leptos::server_fn::axum::server_fn_paths().map(|(path, method)| format!("{method} {path}")).collect();
    assert_eq!(in_table(|route| route.path.starts_with("/api/fn/")), registered);
    assert!(
        registered.iter().all(|path| path.starts_with("POST ")),
        "what GET reaches, another site can reach: {registered:?}"
    );
}

#[tokio::test]
async fn every_route_answers_every_kind_of_caller() {
    let server = Server::start().await;
    let stranger = server.caller();
    let mut pretender = server.caller();
    pretender.cookies.push(("owner".into(), "A".repeat(43)));
    for route in ROUTES {
        let path = route
            .path
            .replace("{table}", "tiers")
            .replace("{field}", "total_usd")
            .replace("{id}", "unknown")
            .replace("{token}", "unknown")
            .replace("{card}", "unknown")
            .replace("{*file}", "x.js");
        for (who, caller) in [("without cookie", &stranger), ("with a foreign cookie", &pretender)] {
            let what = format!("{} {path} {who}", route.method);
            let headers: &[(&str, &str)] = if path.starts_with("/api/fn") {
                &[("content-type", "application/x-www-form-urlencoded")]
            } else {
                &[]
            };
            let answer = caller.send(route.method, &path, headers, Vec::new()).await;
            assert!(answer.status != 405 && answer.status < 501, "{what}: {} {}", answer.status, answer.text());
            match route.caller {
                Caller::LinkHolder | Caller::FeedHolder | Caller::Invited => assert_eq!(answer.status, 404, "{what}"),
                Caller::Owner(_) if path.contains("unknown") => assert_eq!(answer.status, 404, "{what}"),
                _ => {}
            }
            if route.caller == Caller::Anyone {
                assert_eq!(answer.header("set-cookie"), "", "{what}: who only looks gets no cookie");
            }
        }
    }
}

#[tokio::test]
async fn whatever_may_change_something_is_closed_to_pages_of_other_sites() {
    let server = Server::start_with(|config| config.public_url = "https://plan.example.com".into()).await;
    let caller = server.caller();
    let refused: [&[(&str, &str)]; 6] = [
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site"), ("origin", "https://evil.example.com")],
        &[("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
        &[("origin", "http://plan.example.com")],
    ];
    let allowed: [&[(&str, &str)]; 4] = [
        &[],
        &[("sec-fetch-site", "same-origin")],
        &[("origin", server.base.as_str())],
        &[("origin", "https://plan.example.com")],
    ];
    for route in ROUTES.iter().filter(|route| route.method != "GET") {
        let with = |headers: &[(&'static str, &str)]| {
            let mut all: Vec<(&str, String)> =
                headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
            all.push(("content-type", "application/x-www-form-urlencoded".into()));
            let caller = caller.clone();
            async move {
                let all: Vec<(&str, &str)> = all.iter().map(|(name, value)| (*name, value.as_str())).collect();
                caller.send(route.method, route.path, &all, Vec::new()).await.status
            }
        };
        for headers in refused {
            assert_eq!(with(headers).await, 403, "{} {} {headers:?}", route.method, route.path);
        }
        for headers in allowed {
            assert_ne!(with(headers).await, 403, "{} {} {headers:?}", route.method, route.path);
        }
    }
}
