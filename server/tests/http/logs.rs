//! The logs of the real program: JSON with request ids, and no secret in them.

use crate::process::Process;
use serde_json::Value;
use std::time::Duration;

const QUERY: &str = "model.preset=llama-3.2-1b&max_gpus=8&budget_usd=987654321";

#[tokio::test]
async fn logs_are_json_with_request_ids_and_without_secrets() {
    let directory = tempfile::tempdir().unwrap();
    let mut process = Process::start(directory.path(), &["--log-format", "json", "--log", "trace"]);
    let mut owner = process.caller();
    let saved = owner.post_form("/api/fn/save_scenario", &[("name", "Codename Walrus"), ("query", QUERY)]).await;
    let id = saved.header("location").split('?').next().unwrap().trim_start_matches("/scenarios/").to_owned();
    let cookie = owner.cookie("owner").unwrap().to_owned();
    owner.post_form("/api/fn/create_link", &[("scenario", &id)]).await;
    let flash = owner.cookie("flash").unwrap().to_owned();
    let page = owner.browse(&format!("/scenarios/{id}")).await.text();
    let token: String = page.split("/s/").nth(1).unwrap().chars().take(27).collect();

    let link = format!("/s/{token}");
    let opened = owner.get(&link).await;
    assert_eq!(opened.status, 200);
    for path in
        [format!("{link}/typo"), format!("{link}?again={token}"), format!("/pkg/{token}"), format!("/{token}.png")]
    {
        owner.get(&path).await;
    }
    owner.get("/?budget_usd=987654321&model.preset=nothing").await;
    owner
        .get_with("/", &[("authorization", &format!("Bearer {token}")), ("referer", &format!("http://x{link}"))])
        .await;
    owner.post_text("/api/v1/plans", "application/json", format!("{{\"{token}\": \"Codename Walrus\"}}")).await;
    owner.post_form("/api/fn/rename_scenario", &[("id", &id), ("name", "")]).await;
    owner.post_form("/api/fn/revoke_link", &[("link", &token), ("scenario", &id)]).await;
    owner.post_form("/api/fn/delete_scenario", &[("id", &token)]).await;
    owner.send("BREW", &link, &[], Vec::new()).await;
    let refused = owner.get_with(&link, &[("x-request-id", &format!("{token}\u{e9}"))]).await;
    let named = owner.get_with("/healthz", &[("x-request-id", "from-a-proxy-1")]).await;
    let (mut person, email, password) = (process.caller(), "very.particular@example.com", "a particular password");
    let sign_up = [("email", email), ("password", password)];
    person.post_form("/api/fn/sign_up", &sign_up).await;
    person.post_form("/api/fn/sign_up", &sign_up).await;
    person.post_form("/api/fn/log_in", &[("email", email), ("password", "a mistyped secret")]).await;
    person
        .post_form("/api/fn/change_password", &[("old_password", "a mistyped secret"), ("new_password", password)])
        .await;
    let session = person.cookie("session").unwrap().to_owned();
    let invitation = crate::teams::invite(&mut person, "viewer").await;
    let invited = person.get(&format!("/invite/{invitation}?again={invitation}")).await;
    assert_eq!(invited.status, 200);
    person.get(&format!("/log-in?next=/invite/{invitation}")).await;
    let reset = crate::process::succeed(directory.path(), &["user", "reset-link", email]);
    let reset = reset.trim().rsplit('/').next().unwrap().to_owned();
    person.get(&format!("/reset/{reset}")).await;
    person.get(&format!("/reset/{reset}/typo")).await;
    person.post_form("/api/fn/reset_password", &[("token", &reset), ("password", "short")]).await;
    person.post_form("/api/fn/reset_password", &[("token", &reset), ("password", password)]).await;
    let second = person.cookie("session").unwrap().to_owned();
    assert_ne!(session, second);
    process.terminate();
    assert!(process.ended(Duration::from_secs(10)).success());

    let log = process.log();
    let lines: Vec<Value> = log
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line} in\n{log}")))
        .collect();
    assert!(lines.len() > 15, "{log}");
    let by_id = |id: &str| lines.iter().find(|line| line["span"]["id"] == id && line["message"] == "answered");
    for (answer, route) in [(&opened, "/s/{token}"), (&refused, "/s/{token}"), (&named, "/healthz")] {
        let line = by_id(answer.header("x-request-id")).unwrap_or_else(|| panic!("{:?}\n{log}", answer.headers));
        assert_eq!(
            (line["span"]["route"].as_str(), line["status"].as_u64()),
            (Some(route), Some(answer.status.into()))
        );
        assert!(line["duration_ms"].is_u64() && line["timestamp"].is_string() && line["level"].is_string(), "{line}");
    }
    assert_eq!(named.header("x-request-id"), "from-a-proxy-1");
    assert_ne!(opened.header("x-request-id"), refused.header("x-request-id"));
    for (what, secret) in [
        ("cookie", cookie.as_str()),
        ("token", token.as_str()),
        ("flash", flash.as_str()),
        ("budget", "987654321"),
        ("name", "Walrus"),
        ("session", session.as_str()),
        ("new session", second.as_str()),
        ("invitation", invitation.as_str()),
        ("reset link", reset.as_str()),
        ("address", "very.particular"),
        ("password", "particular password"),
        ("password in a form", "particular+password"),
        ("mistyped password", "mistyped"),
        ("hash of a password", "argon2"),
    ] {
        let line = log.lines().find(|line| line.contains(secret));
        assert!(line.is_none(), "the {what} is in the log: {line:?}");
    }
}
