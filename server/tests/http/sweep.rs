//! Every route × every kind of caller: what each is answered follows from the table of routes and from nothing else.
//!
//! Callers are programs, which are answered with a status where browsers are led to a page.

use crate::accounts::{PASSWORD, save, signed_up};
use crate::links::make;
use crate::support::{Caller, Server};
use crate::teams::{field_values, invite, joined, status};
use crate::tokens::{make_token, revoke_tokens};
use server::router::table::{self, ROUTES, Route};
use server::state::AppState;
use server::store::teams::Role;
use server::store::tokens::Scope;

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    /// A browser that has nothing.
    Anonymous,
    /// A browser that has saved something of its own.
    Browser,
    /// An account that is in another team.
    Outsider,
    /// A member of the team.
    Member(Role),
    /// A program with a token that a member made.
    Token(Scope),
    /// A program with a token that is revoked.
    Revoked,
}

const EVERYONE: [Who; 9] = [
    Who::Anonymous,
    Who::Browser,
    Who::Outsider,
    Who::Member(Role::Viewer),
    Who::Member(Role::Editor),
    Who::Member(Role::Owner),
    Who::Token(Scope::Read),
    Who::Token(Scope::Write),
    Who::Revoked,
];

/// What a request is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum About {
    /// What the caller has: any account does what it likes with its own.
    Own,
    /// Something of the team.
    Team,
}

/// A team with a member of each role, a second owner, and those who are not in it.
struct Cast {
    server: Server,
    state: AppState,
    callers: Vec<(Who, Caller)>,
    owner: Caller,
    team: String,
    made: u32,
}

impl Cast {
    async fn new() -> Self {
        let server = Server::start().await;
        let state = server::open(server.config.clone()).await.unwrap();
        let mut owner = signed_up(&server, "owner@a.b").await;
        let mut callers = vec![(Who::Anonymous, server.caller())];
        let mut browser = server.caller();
        save(&mut browser, "Of a browser").await;
        callers.push((Who::Browser, browser));
        callers.push((Who::Outsider, signed_up(&server, "outsider@a.b").await));
        for role in [Role::Viewer, Role::Editor, Role::Owner] {
            let caller = joined(&server, &mut owner, &format!("{}2@a.b", role.name()), role.name()).await;
            callers.push((Who::Member(role), caller));
        }
        owner.post_form("/api/fn/create_team", &[("name", "Another")]).await;
        let team = field_values(&owner.browse("/team").await.text(), "input[name='team']").remove(0);
        owner.post_form("/api/fn/switch_team", &[("team", &team)]).await;
        for (who, scope) in
            [(Who::Token(Scope::Read), "read"), (Who::Token(Scope::Write), "write"), (Who::Revoked, "write")]
        {
            let mut program = server.caller();
            program.bearer = Some(make_token(&mut owner, who_name(who), scope).await);
            callers.push((who, program));
        }
        revoke_tokens(&mut owner, who_name(Who::Revoked)).await;
        state.accounts.add("forgetful@a.b").await.unwrap();
        Self { server, state, callers, owner, team, made: 0 }
    }

    /// A new scenario of the team with a link, by their public ids, and the token of the link.
    async fn scenario(&mut self) -> (String, String, String) {
        let id = save(&mut self.owner, "Of the team").await;
        self.owner.post_form("/api/fn/create_link", &[("scenario", &id)]).await;
        let page = self.owner.browse(&format!("/scenarios/{id}")).await.text();
        let link = field_values(&page, "form[action='/api/fn/revoke_link'] input[name='link']").remove(0);
        (id, link, page.split("/s/").nth(1).unwrap().chars().take(27).collect())
    }

    /// The picture of a new link.
    async fn card(&mut self) -> String {
        let token = self.scenario().await.2;
        let page = self.server.caller().get(&format!("/s/{token}")).await.text();
        format!("/cards/{}", page.split("/cards/").nth(1).unwrap().split('"').next().unwrap())
    }

    /// A figure that nobody has quoted yet.
    fn unquoted(&self) -> String {
        let known = engine::quotables().into_iter().filter(|known| known.group == "Rented, per device-hour");
        let keys: Vec<_> = known.map(|known| known.key).collect();
        keys[self.made as usize % keys.len()].clone()
    }

    /// A new viewer of the team, by public id.
    async fn viewer(&mut self) -> String {
        self.made += 1;
        let email = format!("extra{}@a.b", self.made);
        joined(&self.server, &mut self.owner, &email, "viewer").await;
        let page = self.owner.browse("/team").await.text();
        field_values(&page, "form[action='/api/fn/change_role'] input[name='member']").pop().unwrap()
    }

    /// Another session of a caller, by public id; none of who has no account.
    async fn second_session(&self, who: Who, caller: &Caller) -> String {
        let email = match who {
            Who::Anonymous | Who::Browser | Who::Token(_) | Who::Revoked => return "A".repeat(16),
            Who::Outsider => "outsider@a.b".to_owned(),
            Who::Member(role) => format!("{}2@a.b", role.name()),
        };
        self.server.caller().post_form("/api/fn/log_in", &[("email", &email), ("password", PASSWORD)]).await;
        let page = caller.get_with("/account", &[("accept", "text/html")]).await.text();
        field_values(&page, "input[name='session']").remove(0)
    }

    /// Path of a request of the API about something of the team.
    async fn of_the_team(&mut self, route: &str, who: Who, caller: &Caller) -> String {
        if route.contains("{key}") {
            let key = self.unquoted();
            // a caller without a team has no book either; it is refused before that is looked at
            let mut keeper = if matches!(who, Who::Token(_)) { self.owner.clone() } else { caller.clone() };
            keeper.post_form("/api/fn/put_quote", &[("key", &key), ("value", "0.5")]).await;
            return route.replace("{key}", &key);
        }
        let (id, link, _) = self.scenario().await;
        if route.contains("/feeds/") {
            let feed = make(&mut self.owner, &id, &[("kind", "feed")]).await;
            let token = feed.split('/').nth(4).unwrap();
            return route.replace("{token}", token).replace("{table}", "tiers.csv").replace("{field}", "total_usd");
        }
        if route.contains("{number}") {
            let query = "model.preset=llama-3.2-1b&max_gpus=16&accelerators=h100-sxm";
            self.owner.post_form("/api/fn/save_version", &[("id", &id), ("query", query)]).await;
        }
        match route {
            "/api/v1/compare" => format!("{route}?ids={id},{}", self.scenario().await.0),
            links if links.starts_with("/api/v1/links/") => links.replace("{id}", &link),
            other => other.replace("{id}", &id).replace("{number}", "1"),
        }
    }

    /// Path and form of a request that succeeds for who may make it, and what it is about.
    async fn request(
        &mut self,
        route: &Route,
        who: Who,
        caller: &Caller,
    ) -> (String, Vec<(&'static str, String)>, About) {
        self.made += 1;
        let email = format!("new{}@a.b", self.made);
        let name = route.path.rsplit('/').next().unwrap();
        let (mut path, mut form, mut about) = (route.path.to_owned(), Vec::new(), About::Own);
        let mut add = |name: &'static str, value: &str| form.push((name, value.to_owned()));
        const QUERY: &str = "model.preset=llama-3.2-1b&max_gpus=8&accelerators=h100-sxm";
        match route.path {
            "/"
            | "/catalog"
            | "/method"
            | "/validation"
            | "/rules"
            | "/decisions"
            | "/scenarios"
            | "/sign-up"
            | "/log-in"
            | "/account"
            | "/account/export"
            | "/team"
            | "/price-book"
            | "/team/tokens"
            | "/api/docs"
            | "/api/v1/me"
            | "/api/v1/log"
            | "/healthz"
            | "/readyz"
            | "/api/v1/validation"
            | "/api/v1/openapi.json" => {}
            team if matches!(route.caller, table::Caller::Token(_) | table::Caller::FeedHolder) => {
                path = self.of_the_team(team, who, caller).await;
            }
            "/api/v1/largest-model" => path = "/api/v1/largest-model?model.preset=llama-3.2-1b&max_gpus=8".into(),
            plans if plans.starts_with("/api/v1/plans") && !plans.contains('{') => {
                path = format!("{plans}?model.preset=llama-3.2-1b&max_gpus=8")
            }
            estimates if estimates.starts_with("/api/v1/estimates") => {
                path = format!("{estimates}?model.preset=llama-3.2-1b&accelerator=h100-sxm&gpus=8");
            }
            "/api/v1/plans/artifacts/{name}" => {
                path = "/api/v1/plans/artifacts/README.md?model.preset=llama-3.2-1b&max_gpus=8".into()
            }
            "/api/v1/plans/value/{field}" => {
                path = "/api/v1/plans/value/total_usd?model.preset=llama-3.2-1b&max_gpus=8".into()
            }
            "/price-book/{file}" => path = "/price-book/quotes.csv".into(),
            "/scenarios/files/{file}" => path = "/scenarios/files/scenarios.csv".into(),
            "/api/v1/views/{file}" => path = "/api/v1/views/fabrics.csv".into(),
            "/api/v1/catalog/{table}" => path = "/api/v1/catalog/tiers".into(),
            "/pkg/{*file}" => path = "/pkg/x.js".into(),
            "/scenarios/{id}" => (path, about) = (format!("/scenarios/{}", self.scenario().await.0), About::Team),
            "/s/{token}/today" | "/s/{token}/plan.csv" | "/s/{token}/plan.xlsx" => {
                path = path.replace("{token}", &self.scenario().await.2);
            }
            "/cards/{card}" => path = self.card().await,
            version if version.starts_with("/scenarios/{id}/versions/{number}") => {
                let id = self.scenario().await.0;
                (path, about) = (version.replace("{id}", &id).replace("{number}", "1"), About::Team);
            }
            "/scenarios/{id}/difference" => {
                let id = self.scenario().await.0;
                (path, about) = (format!("/scenarios/{id}/difference?from=1&to=1"), About::Team);
            }
            "/scenarios/{id}/conflict"
            | "/scenarios/{id}/again"
            | "/scenarios/{id}/plan.csv"
            | "/scenarios/{id}/plan.xlsx" => {
                (path, about) = (path.replace("{id}", &self.scenario().await.0), About::Team);
            }
            "/compare" => {
                let ids = [self.scenario().await.0, self.scenario().await.0].join(",");
                (path, about) = (format!("/compare?ids={ids}"), About::Team);
            }
            "/compare/{file}" => {
                let ids = [self.scenario().await.0, self.scenario().await.0].join(",");
                (path, about) = (format!("/compare/comparison.csv?ids={ids}"), About::Team);
            }
            "/s/{token}" => path = format!("/s/{}", self.scenario().await.2),
            "/invite/{token}" => path = format!("/invite/{}", invite(&mut self.owner, "viewer").await),
            "/reset/{token}" => {
                let token = self.state.accounts.reset_link("forgetful@a.b").await.unwrap();
                path = format!("/reset/{}", token.expose());
            }
            _ => match name {
                "replan" => add("query", QUERY),
                "save_scenario" => {
                    add("name", "New");
                    add("query", QUERY);
                }
                "save_version" | "restore_version" => {
                    about = About::Team;
                    let id = self.scenario().await.0;
                    self.owner.post_form("/api/fn/save_version", &[("id", &id), ("query", QUERY)]).await;
                    add("id", &id);
                    add("query", QUERY);
                    add("number", "1");
                }
                "describe_scenario" | "archive_scenario" | "unarchive_scenario" | "duplicate_scenario"
                | "keep_again" | "rename_scenario" | "delete_scenario" => {
                    about = About::Team;
                    add("id", &self.scenario().await.0);
                    add("name", "Renamed");
                }
                "create_link" => {
                    about = About::Team;
                    add("scenario", &self.scenario().await.0);
                }
                "revoke_link" | "pause_link" | "resume_link" | "rotate_link" => {
                    about = About::Team;
                    let (scenario, link, _) = self.scenario().await;
                    add("scenario", &scenario);
                    add("link", &link);
                }
                "create_token" => {
                    add("name", "Of a program");
                    add("scope", "read");
                    add("days", "30");
                }
                "revoke_token" => {
                    about = About::Team;
                    make_token(&mut self.owner, "To be revoked", "read").await;
                    let page = self.owner.browse("/team/tokens").await.text();
                    add("token", &field_values(&page, "form[action='/api/fn/revoke_token'] input[name='token']")[0]);
                }
                "sign_up" => {
                    add("email", &email);
                    add("password", PASSWORD);
                }
                "log_in" => {
                    add("email", "owner@a.b");
                    add("password", PASSWORD);
                }
                "reset_password" => {
                    add("token", self.state.accounts.reset_link("forgetful@a.b").await.unwrap().expose());
                    add("password", PASSWORD);
                }
                "end_session" => add("session", &self.second_session(who, caller).await),
                "change_password" => {
                    add("old_password", PASSWORD);
                    add("new_password", PASSWORD);
                }
                "delete_account" => add("delete_password", PASSWORD),
                "put_quote" => {
                    add("key", &self.unquoted());
                    add("value", "0.5");
                }
                "remove_quote" => {
                    let key = self.unquoted();
                    let quote = [("key", key.as_str()), ("value", "0.5")];
                    let mut keeper = if matches!(who, Who::Member(_)) { self.owner.clone() } else { caller.clone() };
                    keeper.post_form("/api/fn/put_quote", &quote).await;
                    add("key", &key);
                    add("version", "1");
                }
                "create_team" | "rename_team" => add("name", "A team"),
                "switch_team" => {
                    about = About::Team;
                    add("team", &self.team.clone());
                }
                "accept_invitation" => add("token", &invite(&mut self.owner, "viewer").await),
                "create_invitation" => add("role", "viewer"),
                "withdraw_invitation" => {
                    about = About::Team;
                    invite(&mut self.owner, "viewer").await;
                    let page = self.owner.browse("/team").await.text();
                    add("invitation", &field_values(&page, "input[name='invitation']")[0]);
                }
                "change_role" | "remove_member" => {
                    about = About::Team;
                    add("member", &self.viewer().await);
                    add("role", "editor");
                }
                "leave_team" if who == Who::Outsider => {
                    // the last owner of a team stays
                    joined(&self.server, &mut caller.clone(), &email, "owner").await;
                }
                "log_out" | "log_out_everywhere" | "leave_team" => {}
                _ => panic!("the sweep does not know {} {}", route.method, route.path),
            },
        }
        (path, form, about)
    }
}

fn who_name(who: Who) -> &'static str {
    match who {
        Who::Token(Scope::Read) => "Reads",
        Who::Token(Scope::Write) => "Writes",
        _ => "Revoked",
    }
}

/// What a caller is answered, by the table.
fn expected(route: &Route, who: Who, about: About) -> u16 {
    let by_role = |role: Role, least: Role| if role >= least { 200 } else { 403 };
    match (route.caller, who) {
        // the site of the tests is empty
        (table::Caller::Anyone, _) if route.path.starts_with("/pkg") => 404,
        (
            table::Caller::Anyone
            | table::Caller::Entrant
            | table::Caller::LinkHolder
            | table::Caller::FeedHolder
            | table::Caller::Invited,
            _,
        ) => 200,
        (table::Caller::Owner(least) | table::Caller::Member(least), Who::Member(role)) => by_role(role, least),
        (table::Caller::Token(least), Who::Token(scope)) => {
            if scope >= least {
                200
            } else {
                403
            }
        }
        (table::Caller::Token(_), _) => 401,
        // a token is nothing where a cookie is asked for
        (table::Caller::Member(_), Who::Anonymous | Who::Browser | Who::Token(_) | Who::Revoked) => 401,
        (table::Caller::Owner(_) | table::Caller::Member(_), _) if about == About::Team => 404,
        (table::Caller::Owner(_) | table::Caller::Member(_), _) => 200,
    }
}

#[tokio::test]
async fn every_route_answers_every_caller_as_the_table_says() {
    let mut wrong = Vec::new();
    let mut asked = 0;
    let mut cast = Cast::new().await;
    for route in ROUTES {
        for who in EVERYONE {
            let caller = cast.callers.iter().find(|(of, _)| *of == who).unwrap().1.clone();
            let (path, form, about) = cast.request(route, who, &caller).await;
            let found = match route.method {
                "GET" => caller.get(&path).await.status,
                _ if path.starts_with("/api/v1/plans/batch.csv") => {
                    let sheet = "model.preset,max_gpus\nllama-3.2-1b,8\n";
                    caller.post_text("/api/v1/plans/batch.csv", "text/csv", sheet).await.status
                }
                method if matches!(route.caller, table::Caller::Token(_)) => {
                    let json = [("content-type", "application/json")];
                    match caller.send(method, &path, &json, body_of(route).to_string().into_bytes()).await.status {
                        201 | 204 => 200,
                        status => status,
                    }
                }
                _ if path.starts_with("/api/v1/") => {
                    let query: Vec<(String, String)> =
                        form_urlencoded::parse(path.split('?').nth(1).unwrap().as_bytes()).into_owned().collect();
                    caller.post_json(path.split('?').next().unwrap(), &json_of(&query)).await.status
                }
                _ => {
                    let form: Vec<(&str, &str)> = form.iter().map(|(name, value)| (*name, value.as_str())).collect();
                    status(&caller, &path, &form).await
                }
            };
            asked += 1;
            let right = expected(route, who, about);
            if found != right {
                wrong.push(format!("{} {} by {who:?}: {found}, not {right}", route.method, route.path));
            }
        }
        // what a form does to its callers is not to reach the next route
        if route.path.starts_with("/api/fn/") {
            cast = Cast::new().await;
        }
    }
    assert!(wrong.is_empty(), "{asked} asked:\n{}", wrong.join("\n"));
    assert_eq!(asked, ROUTES.len() * EVERYONE.len());
}

/// What a program sends to a route of its team.
fn body_of(route: &Route) -> serde_json::Value {
    match (route.method, route.path) {
        ("POST", "/api/v1/scenarios") => {
            serde_json::json!({ "request": { "model": { "preset": "llama-3.2-1b" }, "max_gpus": 8 } })
        }
        ("PATCH", "/api/v1/scenarios/{id}") => serde_json::json!({ "notes": "Changed" }),
        ("POST", "/api/v1/scenarios/{id}/links") => serde_json::json!({ "kind": "live" }),
        ("PATCH", "/api/v1/links/{id}") => serde_json::json!({ "paused": true }),
        ("PUT", "/api/v1/price-book/{key}") => serde_json::json!({ "value": 0.5 }),
        _ => serde_json::json!({}),
    }
}

/// The same request as JSON.
fn json_of(query: &[(String, String)]) -> serde_json::Value {
    let mut body = serde_json::json!({});
    for (name, value) in query {
        let value = value.parse::<u32>().map_or_else(|_| serde_json::json!(value), |number| serde_json::json!(number));
        match name.split_once('.') {
            Some((outer, inner)) => body[outer] = serde_json::json!({ inner: value }),
            None => body[name] = value,
        }
    }
    body
}
