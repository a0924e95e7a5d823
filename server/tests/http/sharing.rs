//! Saving and sharing, by the forms that a browser without scripts sends.

use crate::support::{Answer, Caller, Server, logs};
use server::auth::owner::Transport;

const QUERY: &str = "model.preset=llama-3.1-8b&training_tokens=200B&budget_usd=2000000";

pub async fn save(caller: &mut Caller, name: &str) -> String {
    let answer = caller.post_form("/api/fn/save_scenario", &[("name", name), ("query", QUERY)]).await;
    assert_eq!(answer.status, 302, "{}", answer.text());
    let location = answer.header("location").to_owned();
    let rest = location.strip_prefix("/scenarios/").unwrap_or_else(|| panic!("{location}"));
    rest.split(['?', '#']).next().unwrap().to_owned()
}

/// Makes a link; its token is on the page that the form leads to, once.
async fn share(caller: &mut Caller, id: &str) -> String {
    let answer = caller.post_form("/api/fn/create_link", &[("scenario", id)]).await;
    assert_eq!(answer.status, 302, "{}", answer.text());
    let page = caller.browse(&format!("/scenarios/{id}")).await.text();
    let token: String = page
        .split("/s/")
        .nth(1)
        .unwrap_or_else(|| panic!("no link: {page}"))
        .chars()
        .take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c))
        .collect();
    assert_eq!(token.len(), 27, "{token}");
    token
}

#[tokio::test]
async fn who_saves_becomes_an_owner() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let answer = caller.post_form("/api/fn/save_scenario", &[("name", "First run"), ("query", QUERY)]).await;
    assert_eq!(answer.status, 302);
    let cookie = answer
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|v| v.to_str().unwrap())
        .find(|line| line.starts_with("owner="))
        .unwrap();
    assert!(cookie.ends_with("; Path=/; Max-Age=34560000; HttpOnly; SameSite=Lax"), "{cookie}");
    let list = caller.browse("/scenarios").await;
    assert_eq!(list.status, 200);
    assert!(list.text().contains("First run"), "{}", list.text());
    assert!(!server.caller().get("/scenarios").await.text().contains("First run"), "another browser does not see it");
    let id = save(&mut caller, "Second run").await;
    let page = caller.browse(&format!("/scenarios/{id}")).await;
    assert!(page.status == 200 && page.text().contains("Second run"));
    let list = caller.browse("/scenarios").await.text();
    assert!(list.contains("First run") && list.contains("Second run"));
}

#[tokio::test]
async fn over_https_the_cookie_is_bound_to_the_host() {
    let server = Server::start_with(|config| {
        config.public_url = "https://plan.example.com".into();
        config.transport = Transport::Secure;
    })
    .await;
    let mut caller = server.caller();
    let answer = caller.post_form("/api/fn/save_scenario", &[("name", "x"), ("query", QUERY)]).await;
    let lines: Vec<&str> = answer.headers.get_all("set-cookie").iter().map(|v| v.to_str().unwrap()).collect();
    let cookie = lines.iter().find(|line| line.starts_with("__Host-owner=")).unwrap_or_else(|| panic!("{lines:?}"));
    assert!(
        cookie.contains("; Secure")
            && cookie.contains("; HttpOnly")
            && cookie.contains("; SameSite=Lax")
            && cookie.contains("; Path=/;"),
        "{cookie}"
    );
    assert!(answer.header("strict-transport-security").contains("max-age="));
}

#[tokio::test]
async fn how_cookies_travel_is_a_setting_and_not_what_a_caller_says() {
    for (transport, url, said) in
        [(Transport::Secure, "https://plan.example.com", "http"), (Transport::PlainHttp, "http://127.0.0.1", "https")]
    {
        let server = Server::start_with(|config| (config.transport, config.public_url) = (transport, url.into())).await;
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("accept", "text/html"),
            ("x-forwarded-proto", said),
        ];
        let answer = server.caller().send("POST", "/api/fn/rename_scenario", &headers, b"id=x&name=y".to_vec()).await;
        let cookie = answer.header("set-cookie");
        assert!(cookie.starts_with("flash="), "{cookie}");
        assert_eq!(cookie.contains("; Secure"), transport == Transport::Secure, "{cookie}");
    }
}

#[tokio::test]
async fn names_are_kept_in_one_line_and_save_makes_one_up_where_rename_refuses() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let id = save(&mut caller, "First\r\nline \u{202e}turned\u{0}").await;
    assert!(caller.browse(&format!("/scenarios/{id}")).await.text().contains("First line turned"));
    for nothing in ["", "  ", "\u{202e}\u{2069}"] {
        let unnamed = save(&mut caller, nothing).await;
        let page = caller.browse(&format!("/scenarios/{unnamed}")).await.text();
        assert!(page.contains("Llama 3.1 8B, 200B tokens"), "{nothing:?}");
        let answer = caller.post_form("/api/fn/rename_scenario", &[("id", unnamed.as_str()), ("name", nothing)]).await;
        assert_eq!(answer.status, 302);
        let page = caller.browse(&format!("/scenarios/{unnamed}")).await.text();
        assert!(page.contains("A scenario needs a name"), "{nothing:?}: {page}");
        assert!(page.contains("Llama 3.1 8B, 200B tokens"), "nothing was changed");
    }
}

#[tokio::test]
async fn a_token_that_we_did_not_give_is_never_made_valid() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let planted = "A".repeat(43);
    caller.cookies.push(("owner".into(), planted.clone()));
    save(&mut caller, "Mine").await;
    assert_ne!(caller.cookie("owner"), Some(planted.as_str()));
    let mut attacker = server.caller();
    attacker.cookies.push(("owner".into(), planted));
    assert!(!attacker.browse("/scenarios").await.text().contains("Mine"));
}

#[tokio::test]
async fn what_belongs_to_another_does_not_exist() {
    let server = Server::start().await;
    let (mut owner, mut other) = (server.caller(), server.caller());
    let id = save(&mut owner, "Secret plan").await;
    let token = share(&mut owner, &id).await;
    save(&mut other, "Own").await;
    for caller in [&mut other, &mut server.caller()] {
        let page = caller.browse(&format!("/scenarios/{id}")).await;
        assert_eq!(page.status, 404);
        assert!(!page.text().contains("Secret plan"));
        for (function, pairs) in [
            ("rename_scenario", vec![("id", id.as_str()), ("name", "Taken")]),
            ("delete_scenario", vec![("id", id.as_str())]),
            ("create_link", vec![("scenario", id.as_str())]),
            ("revoke_link", vec![("link", id.as_str()), ("scenario", id.as_str())]),
        ] {
            let answer = caller.post_form(&format!("/api/fn/{function}"), &pairs).await;
            assert!(answer.status < 500, "{function}: {}", answer.status);
        }
    }
    let page = owner.browse(&format!("/scenarios/{id}")).await;
    assert!(page.status == 200 && page.text().contains("Secret plan"), "nothing was changed");
    assert_eq!(server.caller().get(&format!("/s/{token}")).await.status, 200);
}

#[tokio::test]
async fn a_link_opens_for_anyone_until_it_is_revoked() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Board plan").await;
    let token = share(&mut owner, &id).await;
    let page = server.caller().get(&format!("/s/{token}")).await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("Board plan"));
    assert!(!page.text().contains(owner.cookie("owner").unwrap()), "nothing of the owner leaks");
    assert!(!page.text().contains(&id), "nor the id of the scenario");

    let links = owner.browse(&format!("/scenarios/{id}")).await.text();
    assert!(!links.contains(&token), "the token is shown once");
    let document = scraper::Html::parse_document(&links);
    let field = scraper::Selector::parse("form[action='/api/fn/revoke_link'] input[name='link']").unwrap();
    let link = document
        .select(&field)
        .next()
        .and_then(|input| input.value().attr("value"))
        .unwrap_or_else(|| panic!("{links}"))
        .to_owned();
    owner.post_form("/api/fn/revoke_link", &[("link", link.as_str()), ("scenario", id.as_str())]).await;

    let revoked = server.caller().get(&format!("/s/{token}")).await;
    let unknown = server.caller().get(&format!("/s/{}", "A".repeat(27))).await;
    let malformed = server.caller().get("/s/x").await;
    assert_eq!((revoked.status, unknown.status, malformed.status), (404, 404, 404));
    assert!(!revoked.text().contains("Board plan"));
    assert_eq!(without_nonce(&revoked), without_nonce(&unknown), "revoked and unknown look the same");
}

/// A page without what differs in every answer.
pub fn without_nonce(answer: &Answer) -> String {
    answer.text().replace(answer.nonce(), "")
}

#[tokio::test]
async fn a_link_shows_what_was_shared_whatever_becomes_of_the_scenario() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "As shared").await;
    let token = share(&mut owner, &id).await;
    let before = without_nonce(&server.caller().get(&format!("/s/{token}")).await);
    owner.post_form("/api/fn/rename_scenario", &[("id", id.as_str()), ("name", "Renamed")]).await;
    assert!(owner.browse(&format!("/scenarios/{id}")).await.text().contains("Renamed"));
    assert_eq!(without_nonce(&server.caller().get(&format!("/s/{token}")).await), before);
    owner.post_form("/api/fn/delete_scenario", &[("id", id.as_str())]).await;
    assert_eq!(owner.browse(&format!("/scenarios/{id}")).await.status, 404);
    assert_eq!(server.caller().get(&format!("/s/{token}")).await.status, 404, "deleting a scenario closes its links");
}

#[tokio::test]
async fn views_are_counted() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Counted").await;
    let token = share(&mut owner, &id).await;
    for _ in 0..3 {
        server.caller().get(&format!("/s/{token}")).await;
    }
    assert!(owner.browse(&format!("/scenarios/{id}")).await.text().contains('3'));
}

#[tokio::test]
async fn what_was_saved_survives_a_restart() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Kept").await;
    let config = server.config.clone();
    let (stop, listener) =
        (tokio::sync::oneshot::channel::<()>(), tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap());
    let address = listener.local_addr().unwrap();
    // a second process on the same file, as during a replacement
    let second = tokio::spawn(server::serve(listener, config, async { drop(stop.1.await) }));
    let cookie = format!("owner={}", owner.cookie("owner").unwrap());
    let page = reqwest::Client::new()
        .get(format!("http://{address}/scenarios/{id}"))
        .header("cookie", cookie)
        .send()
        .await
        .unwrap();
    assert_eq!(page.status().as_u16(), 200);
    drop(stop.0);
    second.await.unwrap().unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_form_of_another_site_is_refused() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Safe").await;
    let body = format!("id={id}");
    for headers in [
        [("sec-fetch-site", "cross-site"), ("accept", "text/html")],
        [("origin", "https://evil.example"), ("accept", "text/html")],
        [("sec-fetch-site", "same-site"), ("accept", "text/html")],
    ] {
        let mut all = headers.to_vec();
        all.push(("content-type", "application/x-www-form-urlencoded"));
        let answer = owner.send("POST", "/api/fn/delete_scenario", &all, body.clone().into_bytes()).await;
        assert_eq!(answer.status, 403);
        assert!(
            answer.header("content-type").starts_with("text/html") && answer.text().contains("<h1>"),
            "{}",
            answer.text()
        );
    }
    assert_eq!(owner.browse(&format!("/scenarios/{id}")).await.status, 200);
    let problem = owner
        .send(
            "POST",
            "/api/v1/plans",
            &[("sec-fetch-site", "cross-site"), ("content-type", "application/json")],
            b"{}".to_vec(),
        )
        .await;
    assert_eq!(problem.problem(403)["code"], "cross_site");
}

#[tokio::test]
async fn logs_hold_no_secret() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Nameless").await;
    let token = share(&mut owner, &id).await;
    server.caller().get(&format!("/s/{token}")).await;
    server.caller().get(&format!("/s/{token}/typo")).await;
    server.caller().get(&format!("/s/{token}?x={token}")).await;
    server.caller().get("/api/v1/plans?model.preset=nothing&note=confidential-budget").await;
    owner.browse(&format!("/scenarios/{id}")).await;
    let cookie = owner.cookie("owner").unwrap().to_owned();
    server.stop().await;
    let logs = logs();
    assert!(logs.contains("/s/{token}"), "requests are logged by template");
    for (what, secret) in [("token", token.as_str()), ("cookie", cookie.as_str()), ("query", "confidential-budget")] {
        let line = logs.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "the {what} is in the log: {line:?}");
    }
}
