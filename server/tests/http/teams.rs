//! Teams: invitations, roles, and what others see, by the forms that a browser without scripts sends.

use crate::accounts::{PASSWORD, follow, save, signed_up};
use crate::database;
use crate::support::{Answer, Caller, Server};
use server::config::accounts::Registration;

/// The token of a new invitation, which is on the page that the form leads to, once.
pub async fn invite(owner: &mut Caller, role: &str) -> String {
    let answer = owner.post_form("/api/fn/create_invitation", &[("role", role)]).await;
    let page = follow(owner, &answer).await;
    let rest = page.split("/invite/").nth(1).unwrap_or_else(|| panic!("no link: {page}"));
    rest.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()
}

/// A browser that has signed up and joined.
pub async fn joined(server: &Server, owner: &mut Caller, email: &str, role: &str) -> Caller {
    let token = invite(owner, role).await;
    let mut caller = signed_up(server, email).await;
    let answer = caller.post_form("/api/fn/accept_invitation", &[("token", &token)]).await;
    assert_eq!(answer.header("location"), "/team?joined=1", "{}", answer.text());
    caller
}

/// The public ids of the members, as an owner's page has them, by their order of joining.
async fn member_ids(owner: &mut Caller) -> Vec<String> {
    field_values(&owner.browse("/team").await.text(), "form[action='/api/fn/change_role'] input[name='member']")
}

pub fn field_values(page: &str, css: &str) -> Vec<String> {
    let document = scraper::Html::parse_document(page);
    let inputs = scraper::Selector::parse(css).unwrap();
    document.select(&inputs).map(|input| input.value().attr("value").unwrap().to_owned()).collect()
}

/// The status that a form answers to a program, which is not led to another page.
pub async fn status(caller: &Caller, path: &str, pairs: &[(&str, &str)]) -> u16 {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    caller.post_text(path, "application/x-www-form-urlencoded", body).await.status
}

fn led_to(answer: &Answer) -> &str {
    answer.header("location")
}

#[tokio::test]
async fn who_is_invited_sees_what_the_team_has_and_may_what_the_role_says() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let id = save(&mut owner, "Plan of the team").await;
    let mut viewer = joined(&server, &mut owner, "viewer@a.b", "viewer").await;
    let mut editor = joined(&server, &mut owner, "editor@a.b", "editor").await;
    let page = format!("/scenarios/{id}");
    for caller in [&mut viewer, &mut editor] {
        assert!(caller.browse("/scenarios").await.text().contains("Plan of the team"));
        assert_eq!(caller.browse(&page).await.status, 200);
    }
    let seen = viewer.browse(&page).await.text();
    assert!(!seen.contains("/api/fn/rename_scenario") && !seen.contains("/api/fn/create_link"), "no forms for viewers");
    for (path, pairs) in [
        ("/api/fn/rename_scenario", vec![("id", id.as_str()), ("name", "Spoiled")]),
        ("/api/fn/delete_scenario", vec![("id", id.as_str())]),
        ("/api/fn/create_link", vec![("scenario", id.as_str())]),
        ("/api/fn/save_scenario", vec![("name", "Mine"), ("query", "model.preset=llama-3.2-1b&max_gpus=8")]),
        ("/api/fn/rename_team", vec![("name", "Spoiled")]),
        ("/api/fn/create_invitation", vec![("role", "owner")]),
    ] {
        assert_eq!(status(&viewer, path, &pairs).await, 403, "{path}");
        let answer = viewer.post_form(path, &pairs).await;
        let page = follow(&mut viewer, &answer).await;
        assert!(page.contains("Ask an owner") || page.contains("Only an owner"), "{path}: {page}");
    }
    let seen = owner.browse(&page).await.text();
    assert!(seen.contains("Plan of the team") && seen.contains("/api/fn/create_link"));

    editor.post_form("/api/fn/rename_scenario", &[("id", &id), ("name", "Better")]).await;
    let theirs = save(&mut editor, "By the editor").await;
    let list = owner.browse("/scenarios").await.text();
    assert!(list.contains("Better") && list.contains("By the editor"), "{list}");
    assert_eq!(status(&editor, "/api/fn/create_invitation", &[("role", "viewer")]).await, 403);
    assert_eq!(owner.browse(&format!("/scenarios/{theirs}")).await.status, 200);
    let outsider = signed_up(&server, "outsider@a.b").await;
    assert_eq!(outsider.get(&page).await.status, 404);
}

#[tokio::test]
async fn an_invitation_lets_one_account_in_once_and_ends() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let token = invite(&mut owner, "editor").await;
    assert_eq!(token.len(), 27, "{token}");
    assert!(!owner.browse("/team").await.text().contains(&token), "it is shown once");
    let page = server.caller().get(&format!("/invite/{token}")).await;
    assert!(page.status == 200 && page.text().contains("owner@a.b invites you to plan together, as an editor."));
    assert_eq!(page.header("cache-control"), "private, no-store");
    assert_eq!(status(&server.caller(), "/api/fn/accept_invitation", &[("token", &token)]).await, 401);
    assert_eq!(status(&owner, "/api/fn/accept_invitation", &[("token", &token)]).await, 200, "who is in stays in");
    let mut first = signed_up(&server, "first@a.b").await;
    assert_eq!(led_to(&first.post_form("/api/fn/accept_invitation", &[("token", &token)]).await), "/team?joined=1");
    let second = signed_up(&server, "second@a.b").await;
    assert_eq!(status(&second, "/api/fn/accept_invitation", &[("token", &token)]).await, 404);
    assert_eq!(second.get(&format!("/invite/{token}")).await.status, 404);

    let withdrawn = invite(&mut owner, "viewer").await;
    let ids = field_values(&owner.browse("/team").await.text(), "input[name='invitation']");
    assert_eq!(ids.len(), 1);
    assert_eq!(
        status(&second, "/api/fn/withdraw_invitation", &[("invitation", &ids[0])]).await,
        404,
        "of another team"
    );
    assert_eq!(status(&first, "/api/fn/withdraw_invitation", &[("invitation", &ids[0])]).await, 403, "of an editor");
    assert_eq!(status(&owner, "/api/fn/withdraw_invitation", &[("invitation", &ids[0])]).await, 200);
    assert_eq!(second.get(&format!("/invite/{withdrawn}")).await.status, 404);

    let expired = invite(&mut owner, "viewer").await;
    let mut database = database::open(&server.config.database).await;
    sqlx::query("UPDATE invitation SET created_at = 1, expires_at = 2").execute(&mut database).await.unwrap();
    assert_eq!(second.get(&format!("/invite/{expired}")).await.status, 404);
    assert_eq!(status(&second, "/api/fn/accept_invitation", &[("token", &expired)]).await, 404);
    assert_eq!(status(&owner, "/api/fn/create_invitation", &[("role", "emperor")]).await, 422);
}

#[tokio::test]
async fn with_an_invitation_one_signs_up_where_registration_takes_one() {
    for (registration, expected) in
        [(Registration::Open, 200), (Registration::Invitation, 200), (Registration::Closed, 403)]
    {
        let server = Server::start_with(|config| config.accounts.registration = registration).await;
        let mut owner = administered(&server).await;
        let token = invite(&mut owner, "viewer").await;
        let mut guest = server.caller();
        let form = guest.browse(&format!("/invite/{token}")).await.text();
        assert_eq!(form.contains("/api/fn/sign_up"), expected == 200, "{registration:?}");
        let pairs = [("email", "guest@a.b"), ("password", PASSWORD), ("invitation", token.as_str())];
        let weak = guest.post_form("/api/fn/sign_up", &[("email", "guest@a.b"), ("password", "short"), pairs[2]]).await;
        assert_eq!(led_to(&weak), format!("/invite/{token}"), "back to the invitation, which is not used up");
        guest.browse(&format!("/invite/{token}")).await;
        let forged = "A".repeat(27);
        let unknown = [pairs[0], pairs[1], ("invitation", forged.as_str())];
        assert_eq!(status(&guest, "/api/fn/sign_up", &unknown).await, if expected == 200 { 404 } else { 403 });
        let answer = guest.post_form("/api/fn/sign_up", &pairs).await;
        if expected != 200 {
            assert_eq!(guest.get("/account").await.status, 401);
            continue;
        }
        let page = follow(&mut guest, &answer).await;
        assert!(page.contains("Team of admin@a.b") && page.contains("you are a viewer"), "{page}");
        assert_eq!(
            status(&server.caller(), "/api/fn/sign_up", &[("email", "other@a.b"), pairs[1], pairs[2]]).await,
            404
        );
    }
}

/// An account that an administrator made.
async fn administered(server: &Server) -> Caller {
    let state = server::open(server.config.clone()).await.unwrap();
    let token = state.accounts.add("admin@a.b").await.unwrap();
    let mut caller = server.caller();
    caller.post_form("/api/fn/reset_password", &[("token", token.expose()), ("password", PASSWORD)]).await;
    caller
}

#[tokio::test]
async fn owners_change_roles_and_remove_and_the_last_one_stays() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let mut second = joined(&server, &mut owner, "second@a.b", "editor").await;
    let mut third = joined(&server, &mut owner, "third@a.b", "viewer").await;
    let ids = member_ids(&mut owner).await;
    assert_eq!(ids.len(), 3);
    let stranger = signed_up(&server, "stranger@a.b").await;
    let role = |member: usize, role: &'static str| [("member", ids[member].clone()), ("role", role.to_owned())];
    let set = async |caller: &Caller, pairs: &[(&str, String)]| {
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (*name, value.as_str())).collect();
        status(caller, "/api/fn/change_role", &pairs).await
    };
    assert_eq!(set(&second, &role(1, "owner")).await, 403, "nobody raises themselves");
    assert_eq!(set(&stranger, &role(1, "viewer")).await, 404, "of another team");
    assert_eq!(set(&owner, &role(0, "viewer")).await, 403, "the last owner stays one");
    assert_eq!(status(&owner, "/api/fn/leave_team", &[]).await, 403, "and in");
    assert_eq!(status(&owner, "/api/fn/remove_member", &[("member", &ids[0])]).await, 403);
    assert_eq!(set(&owner, &role(1, "owner")).await, 200);
    let token = invite(&mut second, "owner").await;
    assert_eq!(set(&owner, &role(1, "editor")).await, 200);
    assert_eq!(stranger.get(&format!("/invite/{token}")).await.status, 404, "and takes the invitations along");
    assert_eq!(set(&second, &role(2, "editor")).await, 403, "from the next request on");

    let id = save(&mut owner, "Of the team").await;
    assert_eq!(third.browse(&format!("/scenarios/{id}")).await.status, 200);
    assert_eq!(status(&second, "/api/fn/remove_member", &[("member", &ids[2])]).await, 403);
    assert_eq!(status(&stranger, "/api/fn/remove_member", &[("member", &ids[2])]).await, 404);
    assert_eq!(status(&owner, "/api/fn/remove_member", &[("member", &ids[2])]).await, 200);
    assert_eq!(third.get(&format!("/scenarios/{id}")).await.status, 404);
    assert!(third.browse("/team").await.text().contains("Team of third@a.b"), "back in the own team");
    let left = second.post_form("/api/fn/leave_team", &[]).await;
    assert!(follow(&mut second, &left).await.contains("Team of second@a.b"));
    assert_eq!(second.get(&format!("/scenarios/{id}")).await.status, 404);
    let page = owner.browse("/team").await.text();
    for words in [
        "gave second@a.b the role owner",
        "removed third@a.b",
        "left the team",
        "joined, role viewer",
        "made an invitation, role owner",
        "saved “Of the team”",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
}

#[tokio::test]
async fn one_account_works_in_several_teams_and_opens_what_any_of_them_has() {
    let server = Server::start().await;
    let mut caller = signed_up(&server, "a@a.b").await;
    let first = save(&mut caller, "In the first").await;
    let made = caller.post_form("/api/fn/create_team", &[("name", "  Second\r\nteam ")]).await;
    assert!(follow(&mut caller, &made).await.contains("Second team"));
    let second = save(&mut caller, "In the second").await;
    let list = caller.browse("/scenarios").await.text();
    assert!(list.contains("In the second") && !list.contains("In the first"), "{list}");
    for id in [&first, &second] {
        assert_eq!(caller.browse(&format!("/scenarios/{id}")).await.status, 200);
    }
    let teams = field_values(&caller.browse("/team").await.text(), "input[name='team']");
    let stranger = signed_up(&server, "x@a.b").await;
    assert_eq!(status(&stranger, "/api/fn/switch_team", &[("team", &teams[0])]).await, 404);
    caller.post_form("/api/fn/switch_team", &[("team", &teams[0])]).await;
    assert!(caller.browse("/scenarios").await.text().contains("In the first"));
    let mut elsewhere = server.caller();
    elsewhere.post_form("/api/fn/log_in", &[("email", "a@a.b"), ("password", PASSWORD)]).await;
    assert!(elsewhere.browse("/team").await.text().contains("Team of a@a.b"), "another browser has its own");
    assert_eq!(status(&caller, "/api/fn/create_team", &[("name", " ")]).await, 422);
    let answer = caller.post_form("/api/fn/rename_team", &[("name", "")]).await;
    assert!(follow(&mut caller, &answer).await.contains("A team needs a name"));
}

#[tokio::test]
async fn the_log_says_who_did_what_to_what_and_only_the_team_reads_it() {
    let server = Server::start().await;
    let mut before = server.caller();
    save(&mut before, "Brought along").await;
    before.post_form("/api/fn/sign_up", &[("email", "owner@a.b"), ("password", PASSWORD)]).await;
    let mut owner = before;
    let mut viewer = joined(&server, &mut owner, "viewer@a.b", "viewer").await;
    let id = save(&mut owner, "First name").await;
    owner.post_form("/api/fn/rename_scenario", &[("id", &id), ("name", "Second name")]).await;
    owner.post_form("/api/fn/create_link", &[("scenario", &id)]).await;
    let page = owner.browse(&format!("/scenarios/{id}")).await.text();
    let link = field_values(&page, "form[action='/api/fn/revoke_link'] input[name='link']").remove(0);
    for _ in 0..2 {
        owner.post_form("/api/fn/revoke_link", &[("link", &link), ("scenario", &id)]).await;
    }
    owner.post_form("/api/fn/delete_scenario", &[("id", &id)]).await;
    let page = viewer.browse("/team").await.text();
    let document = scraper::Html::parse_document(&page);
    let rows = scraper::Selector::parse("#log tbody tr").unwrap();
    let cells = scraper::Selector::parse("td").unwrap();
    let lines: Vec<String> = document
        .select(&rows)
        .map(|row| row.select(&cells).map(|cell| cell.text().collect::<String>()).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        lines,
        [
            "owner@a.b deleted “Second name”",
            "owner@a.b revoked a share link to “Second name”",
            "owner@a.b made a share link to “Second name”",
            "owner@a.b renamed a scenario to “Second name”",
            "owner@a.b saved “First name”",
            "viewer@a.b joined, role viewer",
            "owner@a.b made an invitation, role viewer",
            "owner@a.b brought scenarios saved before logging in: 1",
            "owner@a.b made the team",
        ]
    );
    assert!(!signed_up(&server, "x@a.b").await.browse("/team").await.text().contains("owner@a.b"));
}

/// What was done comes page by page, newest first, and what is older than it is kept is let go of.
#[tokio::test]
async fn the_log_has_pages_and_an_end() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let program = {
        let mut program = server.caller();
        program.bearer = Some(crate::tokens::make_token(&mut owner, "Reads the log", "read").await);
        program
    };
    let mut database = crate::database::open(&server.config.database).await;
    let now: i64 = sqlx::query_scalar("SELECT max(at) FROM audit").fetch_one(&mut database).await.unwrap();
    sqlx::query("UPDATE audit SET id = id + 100000").execute(&mut database).await.unwrap();
    const DAY: i64 = 24 * 60 * 60 * 1000;
    for line in 0..250 {
        // the last ones are from before the log is kept
        let at = if line < 20 { now - 401 * DAY } else { now - 399 * DAY };
        sqlx::query(
            "INSERT INTO audit (id, team_id, account_id, action, object, at) SELECT ?1 + 1, team_id, account_id, 'saved_scenario', ?2, ?3 FROM audit WHERE id > 100000 LIMIT 1",
        )
        .bind(line)
        .bind(format!("Plan {line}"))
        .bind(at)
        .execute(&mut database)
        .await
        .unwrap();
    }
    let mut seen = Vec::new();
    let mut path = "/team".to_owned();
    for place in 0..3 {
        let page = owner.browse(&path).await.text();
        assert!(page.contains("What was done is kept for 400 days."));
        let rows = texts(&page, "#log tbody tr td:last-child");
        seen.extend(rows);
        let links = hrefs(&page, "#log .actions a");
        assert_eq!(links.iter().any(|href| href == "/team#log"), place > 0, "{links:?}");
        match links.iter().find(|href| href.starts_with("/team?from=")) {
            Some(older) => path = older.clone(),
            None => assert_eq!(place, 2, "the last page has no older one"),
        }
    }
    let plans: Vec<String> = seen.iter().filter(|text| text.contains("“Plan ")).cloned().collect();
    assert_eq!(plans.len(), 230, "each once, and none that is too old");
    assert!(plans[0].contains("Plan 249") && plans[229].contains("Plan 20"), "{plans:?}");

    let mut objects: Vec<String> = Vec::new();
    let mut address = "/api/v1/log?limit=100".to_owned();
    loop {
        let answer = program.get(&address).await.json();
        objects
            .extend(answer["lines"].as_array().unwrap().iter().map(|line| line["object"].as_str().unwrap().to_owned()));
        match answer["next"].as_str() {
            Some(next) => address = format!("/api/v1/log?limit=100&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(objects.iter().filter(|object| object.starts_with("Plan ")).count(), 230);
    for bad in ["limit=0", "limit=101", "limit=x", "cursor=x", "cursor=-1", "from=1"] {
        assert_eq!(program.get(&format!("/api/v1/log?{bad}")).await.status, 422, "{bad}");
    }
    // old lines go with old sessions, when someone logs in
    let log_in = [("email", "owner@a.b"), ("password", crate::accounts::PASSWORD)];
    server.caller().post_form("/api/fn/log_in", &log_in).await;
    let left: i64 = sqlx::query_scalar("SELECT count(*) FROM audit WHERE object GLOB 'Plan [0-9]*'")
        .fetch_one(&mut database)
        .await
        .unwrap();
    assert_eq!(left, 230);
}

fn texts(page: &str, css: &str) -> Vec<String> {
    let document = scraper::Html::parse_document(page);
    let css = scraper::Selector::parse(css).unwrap();
    document.select(&css).map(|element| element.text().collect()).collect()
}

fn hrefs(page: &str, css: &str) -> Vec<String> {
    let document = scraper::Html::parse_document(page);
    let css = scraper::Selector::parse(css).unwrap();
    document.select(&css).filter_map(|link| link.value().attr("href")).map(str::to_owned).collect()
}
