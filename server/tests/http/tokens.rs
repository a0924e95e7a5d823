//! Tokens of the API: made on the page, used by programs, and gone with what they hang on.

use crate::accounts::{follow, signed_up};
use crate::database;
use crate::support::{Caller, Server, logs};
use crate::teams::{field_values, joined, status};
use server::config::limits::Rate;

/// A new token of who is logged in; it is on the page that the form leads to, once.
pub async fn make_token(editor: &mut Caller, name: &str, scope: &str) -> String {
    let form = [("name", name), ("scope", scope), ("days", "90")];
    let answer = editor.post_form("/api/fn/create_token", &form).await;
    let page = follow(editor, &answer).await;
    field_values(&page, "input#new-token-value").pop().unwrap_or_else(|| panic!("no token: {page}"))
}

/// Revokes the tokens of a name.
pub async fn revoke_tokens(editor: &mut Caller, name: &str) {
    let page = editor.browse("/team/tokens").await.text();
    let document = scraper::Html::parse_document(&page);
    let rows = scraper::Selector::parse("#tokens tbody tr").unwrap();
    let input = scraper::Selector::parse("input[name='token']").unwrap();
    let ids: Vec<String> = document
        .select(&rows)
        .filter(|row| row.text().next().is_some_and(|text| text == name))
        .map(|row| row.select(&input).next().unwrap().value().attr("value").unwrap().to_owned())
        .collect();
    drop(document);
    assert!(!ids.is_empty(), "{page}");
    for id in ids {
        editor.post_form("/api/fn/revoke_token", &[("token", &id)]).await;
    }
}

fn program(server: &Server, token: &str) -> Caller {
    let mut caller = server.caller();
    caller.bearer = Some(token.to_owned());
    caller
}

#[tokio::test]
async fn a_token_says_what_it_is_and_is_shown_once() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let name = "表 “Q3” <b>";
    let token = make_token(&mut owner, name, "write").await;
    assert!(token.starts_with("cw_") && token.len() == 37, "{token}");
    let page = owner.browse("/team/tokens").await.text();
    assert!(!page.contains(&token) && page.contains("表 “Q3” &lt;b&gt;") && page.contains("never"), "{page}");
    let answer = program(&server, &token).get("/api/v1/me").await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let me = answer.json();
    assert_eq!((&me["token"]["name"], &me["role"]), (&name.into(), &"editor".into()), "{me}");
    assert_eq!(me["token"]["scopes"], serde_json::json!(["read", "write"]));
    assert_eq!(me["team"]["name"], "Team of owner@a.b");
    assert!(answer.header("cache-control").contains("no-store"));
    assert_eq!(answer.header("set-cookie"), "");
    assert!(!owner.browse("/team/tokens").await.text().contains("never"), "its use is noted");
    let log = owner.browse("/team").await.text();
    assert!(log.contains("made the token “表"), "{log}");
}

#[tokio::test]
async fn what_is_no_token_is_told_how_to_get_one() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let token = make_token(&mut owner, "A", "read").await;
    let other = if token.ends_with('x') { 'y' } else { 'x' };
    let mistyped = format!("{}{other}", &token[..token.len() - 1]);
    let unknown = "cw_000000000000000000000000000_000000";
    for (header, code) in [
        (None, "token_missing"),
        (Some(format!("Basic {token}")), "token_malformed"),
        (Some(format!("Bearer {mistyped}")), "token_malformed"),
        (Some(format!("Bearer {unknown}")), "token_malformed"),
    ] {
        let headers: Vec<(&str, &str)> = header.iter().map(|value| ("authorization", value.as_str())).collect();
        let answer = server.caller().get_with("/api/v1/me", &headers).await;
        let problem = answer.problem(401);
        assert_eq!(problem["code"], code, "{header:?}");
        assert!(answer.header("www-authenticate").starts_with("Bearer realm="), "{header:?}");
    }
    // a cookie opens nothing here, and a token nothing where cookies do
    assert_eq!(owner.get("/api/v1/me").await.problem(401)["code"], "token_missing");
    let holder = program(&server, &token);
    assert_eq!(holder.get("/team").await.status, 401);
    assert_eq!(status(&holder, "/api/fn/create_token", &[("name", "B"), ("scope", "write")]).await, 401);
    assert_eq!(server.caller().get(&format!("/api/v1/me?token={token}")).await.status, 401, "nor in the address");
}

#[tokio::test]
async fn a_token_goes_when_it_ends_is_revoked_or_its_maker_leaves() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let mut editor = joined(&server, &mut owner, "editor@a.b", "editor").await;
    let (first, second, third) = (
        make_token(&mut editor, "First", "write").await,
        make_token(&mut editor, "Second", "write").await,
        make_token(&mut editor, "Third", "write").await,
    );
    for token in [&first, &second, &third] {
        assert_eq!(program(&server, token).get("/api/v1/me").await.json()["role"], "editor");
    }
    // an owner of the team may revoke it too
    revoke_tokens(&mut owner, "First").await;
    assert_eq!(program(&server, &first).get("/api/v1/me").await.problem(401)["code"], "token_invalid");
    let past = "UPDATE api_token SET created_at = 1, expires_at = 2 WHERE name = 'Second'";
    sqlx::query(past).execute(&mut database::open(&server.config.database).await).await.unwrap();
    assert_eq!(program(&server, &second).get("/api/v1/me").await.problem(401)["code"], "token_invalid");
    assert!(owner.browse("/team/tokens").await.text().contains("ended on"));
    // never more than its maker may now
    let members =
        field_values(&owner.browse("/team").await.text(), "form[action='/api/fn/change_role'] input[name='member']");
    owner.post_form("/api/fn/change_role", &[("member", &members[1]), ("role", "viewer")]).await;
    assert_eq!(program(&server, &third).get("/api/v1/me").await.json()["role"], "viewer");
    editor.post_form("/api/fn/leave_team", &[]).await;
    assert_eq!(program(&server, &third).get("/api/v1/me").await.problem(401)["code"], "token_invalid");
}

#[tokio::test]
async fn viewers_make_none_and_fields_are_checked() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let viewer = joined(&server, &mut owner, "viewer@a.b", "viewer").await;
    let good = [("name", "A"), ("scope", "read"), ("days", "90")];
    assert_eq!(status(&viewer, "/api/fn/create_token", &good).await, 403);
    assert_eq!(viewer.get("/team/tokens").await.status, 403);
    for bad in [
        [("name", ""), ("scope", "read"), ("days", "90")],
        [("name", "A"), ("scope", "admin"), ("days", "90")],
        [("name", "A"), ("scope", "read"), ("days", "366")],
        [("name", "A"), ("scope", "read"), ("days", "0")],
        [("name", "A"), ("scope", "read"), ("days", "x")],
    ] {
        assert_eq!(status(&owner, "/api/fn/create_token", &bad).await, 422, "{bad:?}");
    }
    let answer =
        owner.post_form("/api/fn/create_token", &[("name", "Kept"), ("scope", "write"), ("days", "366")]).await;
    let page = follow(&mut owner, &answer).await;
    assert!(page.contains("1 to 365 days") && page.contains("value=\"Kept\""), "{page}");
    for _ in 0..20 {
        assert_eq!(status(&owner, "/api/fn/create_token", &good).await, 200);
    }
    assert_eq!(status(&owner, "/api/fn/create_token", &good).await, 422, "twenty are the most");
}

#[tokio::test]
async fn a_token_is_counted_by_itself_and_told_how_it_stands() {
    let server = Server::start_with(|config| config.limits.tokens = "60:3".parse::<Rate>().unwrap()).await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let (one, other) = (make_token(&mut owner, "One", "read").await, make_token(&mut owner, "Other", "read").await);
    let one = program(&server, &one);
    for left in ["2", "1", "0"] {
        let answer = one.get("/api/v1/me").await;
        assert_eq!((answer.status, answer.header("ratelimit-limit")), (200, "3"));
        assert_eq!(answer.header("ratelimit-remaining"), left);
        assert!(answer.header("ratelimit-reset").parse::<u32>().is_ok());
    }
    let refused = one.get("/api/v1/me").await;
    assert_eq!(refused.problem(429)["code"], "rate_limited");
    assert!(!refused.header("retry-after").is_empty() && refused.header("ratelimit-remaining") == "0");
    assert_eq!(program(&server, &other).get("/api/v1/me").await.status, 200);
}

#[tokio::test]
async fn neither_database_nor_log_holds_a_token() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let token = make_token(&mut owner, "Secret", "read").await;
    let holder = program(&server, &token);
    assert_eq!(holder.get("/api/v1/me").await.status, 200);
    holder.get("/api/v1/plans.csv?model.preset=nothing").await;
    assert!(!logs().contains(&token), "the token is in the log");
    server
        .stop_keeping(|files| {
            for file in files {
                let bytes = std::fs::read(file).unwrap();
                assert!(!bytes.windows(token.len()).any(|window| window == token.as_bytes()), "{}", file.display());
            }
        })
        .await;
}
