//! Every route in one table, with its kind of caller.
//!
//! Adding a route: add it to its router, add a line here, and for the API run `clusterwright openapi` into
//! `server/openapi.json`. Tests compare this table with the router and with the OpenAPI document.

use crate::limits::Action;
use crate::store::teams::Role;
use crate::store::tokens::Scope;
use axum::http::Method;

/// Who a route is for, and what it knows them by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// Anyone; it reads no cookie and no token.
    Anyone,
    /// A browser with its owner cookie, or a member with at least this role in the team; what belongs to others is 404.
    Owner(Role),
    /// Whoever holds the token in the address.
    LinkHolder,
    /// A spreadsheet with the token in the address, which is given data that it may keep for a minute.
    FeedHolder,
    /// Whoever holds the one-time token in the address; the page has a form.
    Invited,
    /// A member with at least this role in the team, which everyone has who is logged in; others are led to the log-in.
    Member(Role),
    /// A browser that logs in or signs up.
    Entrant,
    /// A program with a token of at least this scope in its `Authorization` header; it reads no cookie.
    Token(Scope),
}

/// A route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Method.
    pub method: &'static str,
    /// Path; `{name}` is one segment, `{*name}` the rest.
    pub path: &'static str,
    /// Who it is for.
    pub caller: Caller,
    /// What it is counted as; none is not counted.
    pub action: Option<Action>,
}

const fn route(method: &'static str, path: &'static str, caller: Caller) -> Route {
    Route { method, path, caller, action: None }
}

const fn counted(method: &'static str, path: &'static str, caller: Caller, action: Action) -> Route {
    Route { method, path, caller, action: Some(action) }
}

/// The table.
pub const ROUTES: &[Route] = &[
    // the API
    counted("GET", "/api/v1/plans", Caller::Anyone, Action::Compute),
    counted("POST", "/api/v1/plans", Caller::Anyone, Action::Compute),
    counted("GET", "/api/v1/plans.csv", Caller::Anyone, Action::Compute),
    counted("POST", "/api/v1/plans.csv", Caller::Anyone, Action::Compute),
    counted("GET", "/api/v1/plans.xlsx", Caller::Anyone, Action::Compute),
    counted("POST", "/api/v1/plans.xlsx", Caller::Anyone, Action::Compute),
    counted("GET", "/api/v1/plans/artifacts", Caller::Anyone, Action::Compute),
    counted("GET", "/api/v1/plans/artifacts/{name}", Caller::Anyone, Action::Compute),
    counted("GET", "/api/v1/plans/artifacts.zip", Caller::Anyone, Action::Compute),
    counted("GET", "/api/v1/plans.json", Caller::Anyone, Action::Compute),
    counted("POST", "/api/v1/plans.json", Caller::Anyone, Action::Compute),
    counted("GET", "/api/v1/plans/value/{field}", Caller::Anyone, Action::Compute),
    counted("POST", "/api/v1/plans/batch.csv", Caller::Anyone, Action::Compute),
    counted("GET", "/api/v1/largest-model", Caller::Anyone, Action::Compute),
    counted("POST", "/api/v1/largest-model", Caller::Anyone, Action::Compute),
    counted("GET", "/api/v1/estimates", Caller::Anyone, Action::Compute),
    counted("POST", "/api/v1/estimates", Caller::Anyone, Action::Compute),
    counted("GET", "/api/v1/estimates.csv", Caller::Anyone, Action::Compute),
    counted("POST", "/api/v1/estimates.csv", Caller::Anyone, Action::Compute),
    route("GET", "/api/v1/catalog/{table}", Caller::Anyone),
    route("GET", "/api/v1/validation", Caller::Anyone),
    route("GET", "/api/v1/views/{file}", Caller::Anyone),
    route("GET", "/api/v1/openapi.json", Caller::Anyone),
    route("GET", "/api/v1/me", Caller::Token(Scope::Read)),
    route("GET", "/api/v1/scenarios", Caller::Token(Scope::Read)),
    counted("POST", "/api/v1/scenarios", Caller::Token(Scope::Write), Action::Write),
    route("GET", "/api/v1/scenarios/{id}", Caller::Token(Scope::Read)),
    counted("PATCH", "/api/v1/scenarios/{id}", Caller::Token(Scope::Write), Action::Write),
    counted("DELETE", "/api/v1/scenarios/{id}", Caller::Token(Scope::Write), Action::Write),
    counted("POST", "/api/v1/scenarios/{id}/duplicate", Caller::Token(Scope::Write), Action::Write),
    route("GET", "/api/v1/scenarios/{id}/plan", Caller::Token(Scope::Read)),
    route("GET", "/api/v1/scenarios/{id}/plan.csv", Caller::Token(Scope::Read)),
    route("GET", "/api/v1/scenarios/{id}/plan.json", Caller::Token(Scope::Read)),
    counted("GET", "/api/v1/scenarios/{id}/plan.xlsx", Caller::Token(Scope::Read), Action::Compute),
    route("GET", "/api/v1/scenarios/{id}/versions", Caller::Token(Scope::Read)),
    route("GET", "/api/v1/scenarios/{id}/versions/{number}", Caller::Token(Scope::Read)),
    counted("POST", "/api/v1/scenarios/{id}/versions/{number}/restore", Caller::Token(Scope::Write), Action::Write),
    route("GET", "/api/v1/scenarios/{id}/links", Caller::Token(Scope::Read)),
    counted("POST", "/api/v1/scenarios/{id}/links", Caller::Token(Scope::Write), Action::Write),
    route("GET", "/api/v1/links/{id}", Caller::Token(Scope::Read)),
    counted("PATCH", "/api/v1/links/{id}", Caller::Token(Scope::Write), Action::Write),
    counted("DELETE", "/api/v1/links/{id}", Caller::Token(Scope::Write), Action::Write),
    counted("POST", "/api/v1/links/{id}/rotate", Caller::Token(Scope::Write), Action::Write),
    route("GET", "/api/v1/compare", Caller::Token(Scope::Read)),
    route("GET", "/api/v1/log", Caller::Token(Scope::Read)),
    route("GET", "/api/v1/price-book", Caller::Token(Scope::Read)),
    route("GET", "/api/v1/price-book/{key}", Caller::Token(Scope::Read)),
    counted("PUT", "/api/v1/price-book/{key}", Caller::Token(Scope::Write), Action::Write),
    counted("DELETE", "/api/v1/price-book/{key}", Caller::Token(Scope::Write), Action::Write),
    counted("GET", "/api/v1/feeds/{token}/{table}", Caller::FeedHolder, Action::OpenLink),
    counted("GET", "/api/v1/feeds/{token}/value/{field}", Caller::FeedHolder, Action::OpenLink),
    // pages
    route("GET", "/api/docs", Caller::Anyone),
    counted("GET", "/", Caller::Anyone, Action::Compute),
    route("GET", "/catalog", Caller::Anyone),
    route("GET", "/method", Caller::Anyone),
    route("GET", "/validation", Caller::Anyone),
    route("GET", "/rules", Caller::Anyone),
    counted("GET", "/decisions", Caller::Anyone, Action::Compute),
    route("GET", "/scenarios", Caller::Owner(Role::Viewer)),
    route("GET", "/scenarios/{id}", Caller::Owner(Role::Viewer)),
    route("GET", "/scenarios/files/{file}", Caller::Owner(Role::Viewer)),
    route("GET", "/scenarios/{id}/plan.csv", Caller::Owner(Role::Viewer)),
    counted("GET", "/scenarios/{id}/plan.xlsx", Caller::Owner(Role::Viewer), Action::Compute),
    route("GET", "/scenarios/{id}/versions/{number}", Caller::Owner(Role::Viewer)),
    route("GET", "/scenarios/{id}/versions/{number}/plan.csv", Caller::Owner(Role::Viewer)),
    counted("GET", "/scenarios/{id}/versions/{number}/plan.xlsx", Caller::Owner(Role::Viewer), Action::Compute),
    route("GET", "/scenarios/{id}/difference", Caller::Owner(Role::Viewer)),
    route("GET", "/scenarios/{id}/conflict", Caller::Owner(Role::Viewer)),
    counted("GET", "/scenarios/{id}/again", Caller::Owner(Role::Viewer), Action::Compute),
    route("GET", "/compare", Caller::Owner(Role::Viewer)),
    counted("GET", "/s/{token}", Caller::LinkHolder, Action::OpenLink),
    counted("GET", "/s/{token}/plan.csv", Caller::LinkHolder, Action::OpenLink),
    counted("GET", "/s/{token}/plan.xlsx", Caller::LinkHolder, Action::Compute),
    counted("GET", "/s/{token}/today", Caller::LinkHolder, Action::Compute),
    counted("GET", "/cards/{card}", Caller::LinkHolder, Action::Compute),
    route("GET", "/sign-up", Caller::Entrant),
    route("GET", "/log-in", Caller::Entrant),
    route("GET", "/account", Caller::Member(Role::Viewer)),
    route("GET", "/price-book/{file}", Caller::Member(Role::Viewer)),
    route("GET", "/compare/{file}", Caller::Owner(Role::Viewer)),
    counted("GET", "/account/export", Caller::Member(Role::Viewer), Action::Write),
    counted("GET", "/reset/{token}", Caller::Invited, Action::OpenLink),
    route("GET", "/team", Caller::Member(Role::Viewer)),
    route("GET", "/price-book", Caller::Member(Role::Viewer)),
    route("GET", "/team/tokens", Caller::Member(Role::Editor)),
    counted("GET", "/invite/{token}", Caller::Invited, Action::OpenLink),
    // server functions
    counted("POST", "/api/fn/replan", Caller::Anyone, Action::Compute),
    counted("POST", "/api/fn/save_scenario", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/rename_scenario", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/describe_scenario", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/archive_scenario", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/unarchive_scenario", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/duplicate_scenario", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/save_version", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/keep_again", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/restore_version", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/delete_scenario", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/create_link", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/revoke_link", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/pause_link", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/resume_link", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/rotate_link", Caller::Owner(Role::Editor), Action::Write),
    counted("POST", "/api/fn/sign_up", Caller::Entrant, Action::SignUp),
    counted("POST", "/api/fn/log_in", Caller::Entrant, Action::LogIn),
    counted("POST", "/api/fn/reset_password", Caller::Entrant, Action::LogIn),
    counted("POST", "/api/fn/log_out", Caller::Member(Role::Viewer), Action::Write),
    counted("POST", "/api/fn/log_out_everywhere", Caller::Member(Role::Viewer), Action::Write),
    counted("POST", "/api/fn/end_session", Caller::Member(Role::Viewer), Action::Write),
    counted("POST", "/api/fn/change_password", Caller::Member(Role::Viewer), Action::LogIn),
    counted("POST", "/api/fn/delete_account", Caller::Member(Role::Viewer), Action::LogIn),
    counted("POST", "/api/fn/create_team", Caller::Member(Role::Viewer), Action::Write),
    counted("POST", "/api/fn/switch_team", Caller::Member(Role::Viewer), Action::Write),
    counted("POST", "/api/fn/leave_team", Caller::Member(Role::Viewer), Action::Write),
    counted("POST", "/api/fn/accept_invitation", Caller::Member(Role::Viewer), Action::Write),
    counted("POST", "/api/fn/put_quote", Caller::Member(Role::Editor), Action::Write),
    counted("POST", "/api/fn/remove_quote", Caller::Member(Role::Editor), Action::Write),
    counted("POST", "/api/fn/create_token", Caller::Member(Role::Editor), Action::Write),
    counted("POST", "/api/fn/revoke_token", Caller::Member(Role::Editor), Action::Write),
    counted("POST", "/api/fn/rename_team", Caller::Member(Role::Owner), Action::Write),
    counted("POST", "/api/fn/create_invitation", Caller::Member(Role::Owner), Action::Write),
    counted("POST", "/api/fn/withdraw_invitation", Caller::Member(Role::Owner), Action::Write),
    counted("POST", "/api/fn/change_role", Caller::Member(Role::Owner), Action::Write),
    counted("POST", "/api/fn/remove_member", Caller::Member(Role::Owner), Action::Write),
    // operation and files
    route("GET", "/healthz", Caller::Anyone),
    route("GET", "/readyz", Caller::Anyone),
    route("GET", "/pkg/{*file}", Caller::Anyone),
];

/// Who a path is for. A path that is not in the table is for those of the routes that begin like it, so that a
/// mistyped share link is guarded like a right one.
pub fn caller_of(path: &str) -> Caller {
    let exact = ROUTES.iter().find(|route| matches(route.path, path));
    let first = |path: &str| path.split('/').nth(1).unwrap_or_default().to_owned();
    let near = || ROUTES.iter().find(|route| !path.starts_with("/api") && first(route.path) == first(path));
    exact.or_else(near).map_or(Caller::Anyone, |route| route.caller)
}

/// Who a request is for; none where there is no such route. HEAD is for those whom GET is for.
pub fn caller_for(method: &Method, path: &str) -> Option<Caller> {
    let method = if *method == Method::HEAD { "GET" } else { method.as_str() };
    ROUTES.iter().find(|route| route.method == method && matches(route.path, path)).map(|route| route.caller)
}

/// What a request is counted as. HEAD costs what GET costs.
pub fn action_of(method: &Method, path: &str) -> Option<Action> {
    let method = if *method == Method::HEAD { "GET" } else { method.as_str() };
    let exact = ROUTES.iter().find(|route| route.method == method && matches(route.path, path));
    exact.and_then(|route| route.action)
}

fn matches(template: &str, path: &str) -> bool {
    let (mut template, mut path) = (template.split('/'), path.split('/'));
    loop {
        match (template.next(), path.next()) {
            (None, None) => return true,
            (Some(wild), Some(_)) if wild.starts_with("{*") => return true,
            (Some(wild), Some(segment)) if wild.starts_with('{') && !segment.is_empty() => {}
            (Some(fixed), Some(segment)) if fixed == segment => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_find_their_callers() {
        assert_eq!(caller_of("/"), Caller::Anyone);
        assert_eq!(caller_of("/api/v1/catalog/models"), Caller::Anyone);
        assert_eq!(caller_of("/scenarios/abc"), Caller::Owner(Role::Viewer));
        assert_eq!(caller_of("/api/fn/save_scenario"), Caller::Owner(Role::Editor));
        assert_eq!(caller_of("/api/fn/change_role"), Caller::Member(Role::Owner));
        assert_eq!(caller_of("/s/abc"), Caller::LinkHolder);
        assert_eq!(caller_of("/pkg/a/b.js"), Caller::Anyone);
    }

    #[test]
    fn what_computes_writes_or_guesses_is_counted() {
        assert_eq!(action_of(&Method::GET, "/"), Some(Action::Compute));
        assert_eq!(action_of(&Method::HEAD, "/api/v1/plans"), Some(Action::Compute));
        assert_eq!(action_of(&Method::GET, "/s/abc"), Some(Action::OpenLink));
        assert_eq!(action_of(&Method::GET, "/healthz"), None);
        assert_eq!(action_of(&Method::POST, "/"), None, "there is no such route");
        for route in ROUTES.iter().filter(|route| route.method != "GET") {
            assert!(route.action.is_some(), "{} {} is not counted", route.method, route.path);
        }
    }

    #[test]
    fn a_mistyped_link_is_guarded_like_a_right_one() {
        for path in ["/s/", "/s", "/s/abc/more", "/s/abc/"] {
            assert_eq!(caller_of(path), Caller::LinkHolder, "{path}");
        }
        assert_eq!(caller_of("/scenarios/abc/more"), Caller::Owner(Role::Viewer));
        assert_eq!(caller_of("/nothing"), Caller::Anyone);
    }
}
