//! Accounts and sessions, by the forms that a browser without scripts sends.

use crate::database;
use crate::process::{Process, fail, succeed};
use crate::support::{Answer, Caller, Server, logs};
use server::auth::owner::Transport;
use server::config::accounts::Registration;
use std::time::{Duration, Instant};

pub const PASSWORD: &str = "a sentence for tests";
const QUERY: &str = "model.preset=llama-3.2-1b&max_gpus=8&accelerators=h100-sxm";

/// A browser that has just signed up.
pub async fn signed_up(server: &Server, email: &str) -> Caller {
    let mut caller = server.caller();
    let answer = caller.post_form("/api/fn/sign_up", &[("email", email), ("password", PASSWORD)]).await;
    assert_eq!((answer.status, answer.header("location")), (302, "/scenarios?welcome=1"), "{}", answer.text());
    caller
}

async fn log_in(caller: &mut Caller, email: &str, password: &str) -> Answer {
    caller.post_form("/api/fn/log_in", &[("email", email), ("password", password)]).await
}

pub async fn save(caller: &mut Caller, name: &str) -> String {
    let answer = caller.post_form("/api/fn/save_scenario", &[("name", name), ("query", QUERY)]).await;
    answer.header("location").split('?').next().unwrap().trim_start_matches("/scenarios/").to_owned()
}

/// The page that a form leads to.
pub async fn follow(caller: &mut Caller, answer: &Answer) -> String {
    assert_eq!(answer.status, 302, "{}", answer.text());
    let path = answer.header("location").split('#').next().unwrap().to_owned();
    caller.browse(&path).await.text()
}

fn session_cookie(answer: &Answer) -> Option<String> {
    let mut lines = answer.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap().to_owned());
    lines.find(|line| line.starts_with("session=") || line.starts_with("__Host-session="))
}

#[tokio::test]
async fn what_was_saved_before_signing_up_is_kept_and_opens_wherever_the_account_logs_in() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let id = save(&mut caller, "Before the account").await;
    let anonymous = caller.clone();
    let answer = caller.post_form("/api/fn/sign_up", &[("email", "Ada@Example.com"), ("password", PASSWORD)]).await;
    let page = follow(&mut caller, &answer).await;
    assert!(page.contains("Before the account") && page.contains("Team of ada@example.com"), "{page}");
    assert!(page.contains("Account of ada@example.com"), "the header says who is logged in");
    assert_eq!(anonymous.get(&format!("/scenarios/{id}")).await.status, 404, "the cookie alone opens it no longer");

    let mut other = server.caller();
    let later = save(&mut other, "On the other machine").await;
    log_in(&mut other, " ADA@example.com ", PASSWORD).await;
    let list = other.browse("/scenarios").await.text();
    assert!(list.contains("Before the account") && list.contains("On the other machine"), "{list}");
    assert_eq!(caller.browse(&format!("/scenarios/{later}")).await.status, 200, "and on the first one");
    other.post_form("/api/fn/rename_scenario", &[("id", id.as_str()), ("name", "Renamed elsewhere")]).await;
    assert!(caller.browse("/scenarios").await.text().contains("Renamed elsewhere"));
    let new = save(&mut other, "With the account").await;
    assert_eq!(caller.browse(&format!("/scenarios/{new}")).await.status, 200);
    assert_eq!(signed_up(&server, "eva@example.com").await.get(&format!("/scenarios/{id}")).await.status, 404);
}

#[tokio::test]
async fn a_session_cookie_is_new_at_each_log_in_and_stored_as_its_hash() {
    let server = Server::start().await;
    let mut caller = server.caller();
    let planted = "A".repeat(43);
    caller.cookies.push(("session".into(), planted.clone()));
    let answer = caller.post_form("/api/fn/sign_up", &[("email", "a@b.c"), ("password", PASSWORD)]).await;
    let line = session_cookie(&answer).unwrap();
    assert!(line.ends_with("; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax"), "{line}");
    let first = caller.cookie("session").unwrap().to_owned();
    assert!(first != planted && first.len() == 43);
    let before = caller.clone();
    log_in(&mut caller, "a@b.c", PASSWORD).await;
    let second = caller.cookie("session").unwrap().to_owned();
    assert_ne!(first, second);
    assert_eq!(before.get("/account").await.status, 401, "the session before it has ended");
    assert_eq!(caller.browse("/account").await.status, 200);
    server
        .stop_keeping(|database| {
            let bytes: Vec<u8> = database.iter().flat_map(|path| std::fs::read(path).unwrap_or_default()).collect();
            for secret in [&first, &second, PASSWORD] {
                assert!(!bytes.windows(secret.len()).any(|window| window == secret.as_bytes()), "{secret} is stored");
            }
            assert!(bytes.windows(30).any(|window| window == b"$argon2id$v=19$m=19456,t=2,p=1"));
        })
        .await;
}

#[tokio::test]
async fn over_https_the_session_cookie_is_bound_to_the_host() {
    let server = Server::start_with(|config| {
        (config.transport, config.public_url) = (Transport::Secure, "https://plan.example.com".into());
    })
    .await;
    let mut caller = server.caller();
    let answer = caller.post_form("/api/fn/sign_up", &[("email", "a@b.c"), ("password", PASSWORD)]).await;
    let line = session_cookie(&answer).unwrap();
    assert!(line.starts_with("__Host-session=") && line.ends_with("; HttpOnly; SameSite=Lax; Secure"), "{line}");
    assert_eq!(caller.browse("/account").await.status, 200);
    let mut pretender = server.caller();
    pretender.cookies.push(("session".into(), caller.cookie("__Host-session").unwrap().into()));
    assert_eq!(pretender.get("/account").await.status, 401, "the plain name is not read");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_get_the_same_answer_for_the_same_effort() {
    let server = Server::start().await;
    signed_up(&server, "known@example.com").await;
    let mut pages = Vec::new();
    let mut times = Vec::new();
    for email in ["known@example.com", "nobody@example.com"] {
        let mut caller = server.caller();
        let mut took = Duration::MAX;
        for _ in 0..3 {
            let start = Instant::now();
            let answer = log_in(&mut caller, email, "not the password").await;
            took = took.min(start.elapsed());
            assert!(answer.header("location") == "/log-in" && session_cookie(&answer).is_none());
        }
        let page = caller.browse("/log-in").await;
        assert!(page.text().contains("The email address or the password is wrong."), "{}", page.text());
        assert!(page.text().contains(&format!("value=\"{email}\"")), "what was typed is not lost");
        assert!(!page.text().contains("not the password"));
        pages.push(page.text().replace(page.nonce(), "").replace(email, ""));
        times.push(took);
        let program = server.caller();
        let form = format!("email={email}&password=not+the+password");
        let answer = program.post_text("/api/fn/log_in", "application/x-www-form-urlencoded", form).await;
        assert_eq!(answer.status, 422, "{}", answer.text());
    }
    assert_eq!(pages[0], pages[1]);
    // the same work: far apart only where one of them does not hash at all
    let (short, long) = (times[0].min(times[1]), times[0].max(times[1]));
    assert!(short > long / 4, "{times:?}");
}

#[tokio::test]
async fn what_is_wrong_is_said_beside_its_field() {
    let server = Server::start().await;
    signed_up(&server, "taken@example.com").await;
    for (email, password, field, words) in [
        ("nonsense", PASSWORD, "email", "This is no email address"),
        ("new@example.com", "short", "password", "has 5 characters; use at least 10"),
        ("new@example.com", "Password123", "password", "tried first"),
        ("longname@example.com", "longname@example.com", "password", "is the email address"),
        ("TAKEN@example.com", PASSWORD, "email", "There is an account with this address already"),
    ] {
        let mut caller = server.caller();
        let answer = caller.post_form("/api/fn/sign_up", &[("email", email), ("password", password)]).await;
        assert!(session_cookie(&answer).is_none());
        let page = follow(&mut caller, &answer).await;
        let document = scraper::Html::parse_document(&page);
        let select = |css: &str| scraper::Selector::parse(css).unwrap();
        let error = document.select(&select(&format!("#{field}-error"))).next().unwrap();
        assert!(error.text().collect::<String>().contains(words), "{email}: {page}");
        let input = document.select(&select(&format!("#{field}"))).next().unwrap().value();
        assert_eq!(input.attr("aria-invalid"), Some("true"));
        assert!(input.attr("aria-describedby").unwrap().contains(&format!("{field}-error")));
        let typed = document.select(&select("#email")).next().unwrap().value().attr("value");
        assert_eq!(typed, Some(email), "what was typed is not lost");
        let secret = document.select(&select("#password")).next().unwrap().value().attr("value");
        assert_eq!(secret, Some(""), "but a password never comes back");
        assert!(!caller.browse("/sign-up").await.text().contains(words), "it is said once");
    }
}

#[tokio::test]
async fn sessions_are_listed_and_ended_one_by_one_or_all_at_once() {
    let server = Server::start().await;
    let mut first = signed_up(&server, "a@b.c").await;
    let mut others = vec![server.caller(), server.caller()];
    for other in &mut others {
        log_in(other, "a@b.c", PASSWORD).await;
    }
    let page = first.browse("/account").await.text();
    let document = scraper::Html::parse_document(&page);
    let ids: Vec<String> = document
        .select(&scraper::Selector::parse("input[name='session']").unwrap())
        .map(|input| input.value().attr("value").unwrap().to_owned())
        .collect();
    assert!(ids.len() == 2 && page.contains("This browser"), "{page}");

    let mut stranger = signed_up(&server, "x@y.z").await;
    let theft = stranger.post_form("/api/fn/end_session", &[("session", ids[0].as_str())]).await;
    assert!(follow(&mut stranger, &theft).await.contains("There is nothing here"));
    let alive = async |callers: &[Caller]| {
        let mut statuses = Vec::new();
        for caller in callers {
            statuses.push(caller.get("/account").await.status);
        }
        statuses
    };
    assert_eq!(alive(&others).await, [200, 200]);
    let ended = first.post_form("/api/fn/end_session", &[("session", ids[0].as_str())]).await;
    assert!(follow(&mut first, &ended).await.contains("That browser is logged out."));
    let mut statuses = alive(&others).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
    let all = first.post_form("/api/fn/log_out_everywhere", &[]).await;
    assert!(session_cookie(&all).unwrap().starts_with("session=; Path=/; Max-Age=0;"));
    assert!(follow(&mut first, &all).await.contains("logged out in all browsers"));
    assert_eq!(alive(&others).await, [401, 401]);
    assert_eq!(stranger.get("/account").await.status, 200, "others are not touched");
}

#[tokio::test]
async fn who_logs_out_is_out_and_comes_back_to_the_page_that_was_asked_for() {
    let server = Server::start().await;
    let mut caller = signed_up(&server, "a@b.c").await;
    let kept = caller.clone();
    let out = caller.post_form("/api/fn/log_out", &[]).await;
    assert!(follow(&mut caller, &out).await.contains("You are logged out."));
    assert_eq!(kept.get("/account").await.status, 401, "a copy of the cookie is of no use");
    let asked = caller.browse("/account").await;
    assert_eq!((asked.status, asked.header("location")), (302, "/log-in?next=%2Faccount"));
    let page = caller.browse(asked.header("location")).await.text();
    assert!(page.contains("name=\"next\" value=\"/account\""), "{page}");
    let form = [("email", "a@b.c"), ("password", PASSWORD), ("next", "/account")];
    assert_eq!(caller.post_form("/api/fn/log_in", &form).await.header("location"), "/account");
    for elsewhere in ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/ /evil"] {
        let form = [("email", "a@b.c"), ("password", PASSWORD), ("next", elsewhere)];
        let location = caller.post_form("/api/fn/log_in", &form).await.header("location").to_owned();
        assert_eq!(location, "/", "{elsewhere}");
    }
}

#[tokio::test]
async fn changing_the_password_takes_the_old_one_and_ends_all_other_sessions() {
    let server = Server::start().await;
    let mut caller = signed_up(&server, "a@b.c").await;
    let mut other = server.caller();
    log_in(&mut other, "a@b.c", PASSWORD).await;
    let change = async |caller: &mut Caller, old: &str, new: &str| {
        let answer = caller.post_form("/api/fn/change_password", &[("old_password", old), ("new_password", new)]).await;
        follow(caller, &answer).await
    };
    assert!(change(&mut caller, "wrong password", "another sentence").await.contains("This is not your password."));
    assert!(change(&mut caller, PASSWORD, "short").await.contains("use at least 10"));
    assert_eq!(other.get("/account").await.status, 200, "nothing was changed");
    let stolen = caller.clone();
    assert!(change(&mut caller, PASSWORD, "another sentence").await.contains("The password is set."));
    assert_eq!((other.get("/account").await.status, stolen.get("/account").await.status), (401, 401));
    assert!(session_cookie(&log_in(&mut other, "a@b.c", PASSWORD).await).is_none());
    assert!(session_cookie(&log_in(&mut other, "a@b.c", "another sentence").await).is_some());
}

#[tokio::test]
async fn sessions_end_after_14_days_idle_and_90_days_in_any_case() {
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let server = Server::start().await;
    let back = async |sql: &'static str, days: i64| {
        let mut database = database::open(&server.config.database).await;
        sqlx::query(sql).bind(days * DAY).execute(&mut database).await.unwrap();
    };
    let idle = "UPDATE session SET created_at = created_at - ?1, last_seen_at = last_seen_at - ?1";
    let old = "UPDATE session SET created_at = created_at - ?1, expires_at = expires_at - ?1";
    for (sql, days) in [(idle, 13), (old, 89)] {
        let caller = signed_up(&server, &format!("a{days}@b.c")).await;
        back(sql, days).await;
        assert_eq!(caller.get("/account").await.status, 200, "{sql} {days}");
        if days == 13 {
            back(idle, 1).await;
            assert_eq!(caller.get("/account").await.status, 200, "looking has put it off");
            back(idle, 14).await;
        } else {
            back(sql, 1).await;
        }
        assert_eq!(caller.get("/account").await.status, 401, "{sql} {days}");
    }
}

#[tokio::test]
async fn where_registration_is_not_open_nobody_signs_up() {
    for registration in [Registration::Invitation, Registration::Closed] {
        let server = Server::start_with(|config| config.accounts.registration = registration).await;
        let mut caller = server.caller();
        assert!(caller.browse("/sign-up").await.text().contains("made by an administrator"));
        let answer = caller.post_form("/api/fn/sign_up", &[("email", "a@b.c"), ("password", PASSWORD)]).await;
        assert!(session_cookie(&answer).is_none());
        assert!(session_cookie(&log_in(&mut caller, "a@b.c", PASSWORD).await).is_none());
    }
}

#[tokio::test]
async fn guesses_at_an_account_are_counted_together_and_the_answer_says_when_to_come_back() {
    let server = Server::start_with(|config| config.limits.account_log_ins = "60:3".parse().unwrap()).await;
    signed_up(&server, "a@b.c").await;
    for _ in 0..3 {
        assert_eq!(log_in(&mut server.caller(), "a@b.c", "guess after guess").await.status, 302);
    }
    let mut caller = server.caller();
    let answer = log_in(&mut caller, "A@B.C", PASSWORD).await;
    assert!(session_cookie(&answer).is_none(), "the right password does not help now");
    assert!(follow(&mut caller, &answer).await.contains("tried too often"));
    let form = format!("email=a%40b.c&password={}", PASSWORD.replace(' ', "+"));
    let program = server.caller().post_text("/api/fn/log_in", "application/x-www-form-urlencoded", form).await;
    assert_eq!((program.status, program.header("retry-after")), (429, "1"), "{}", program.text());
    assert!(log_in(&mut caller, "other@b.c", "guess after guess").await.status == 302, "others are not touched");
    tokio::time::sleep(Duration::from_millis(1_100)).await;
    assert!(session_cookie(&log_in(&mut caller, "a@b.c", PASSWORD).await).is_some());
}

#[tokio::test]
async fn log_ins_and_sign_ups_of_one_address_are_counted() {
    let server = Server::start_with(|config| {
        (config.limits.log_ins, config.limits.sign_ups) = ("60:2".parse().unwrap(), "60:2".parse().unwrap());
    })
    .await;
    let mut caller = server.caller();
    for i in 0..2 {
        let email = format!("a{i}@b.c");
        assert_eq!(caller.post_form("/api/fn/sign_up", &[("email", &email), ("password", PASSWORD)]).await.status, 302);
        assert_eq!(log_in(&mut caller, &email, PASSWORD).await.status, 302);
    }
    let refused = caller.post_form("/api/fn/sign_up", &[("email", "b@b.c"), ("password", PASSWORD)]).await;
    assert!(refused.status == 429 && refused.header("retry-after") == "1", "{}", refused.text());
    assert_eq!(log_in(&mut caller, "a0@b.c", PASSWORD).await.status, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_passwords_at_once_leave_the_others_their_turn() {
    let server = Server::start().await;
    let attempts = (0..40).map(|i| {
        let mut caller = server.caller();
        tokio::spawn(async move { log_in(&mut caller, &format!("a{i}@b.c"), "some password").await.status })
    });
    let attempts: Vec<_> = attempts.collect();
    let start = Instant::now();
    assert_eq!(server.caller().get("/healthz").await.status, 200);
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    for attempt in attempts {
        assert_eq!(attempt.await.unwrap(), 302);
    }
}

#[tokio::test]
async fn an_administrator_adds_accounts_and_lets_people_back_in_by_links_that_work_once() {
    let directory = tempfile::tempdir().unwrap();
    let process = Process::start(directory.path(), &[]);
    let run = |args: &[&str]| succeed(directory.path(), args).trim().to_owned();
    let link = run(&["user", "add", "Ada@example.com"]);
    let path = link.strip_prefix("http://127.0.0.1:3000").unwrap();
    assert!(fail(directory.path(), &["user", "add", "ada@example.com"]).contains("There is an account"));
    assert!(fail(directory.path(), &["user", "reset-link", "eva@example.com"]).contains("there is no account"));
    assert!(fail(directory.path(), &["user", "add", "nonsense"]).contains("no email address"));
    assert!(run(&["user", "list"]).contains("ada@example.com  since 20"), "{}", run(&["user", "list"]));
    assert!(run(&["user", "list"]).contains("has set no password yet"));

    let mut caller = process.caller();
    assert!(session_cookie(&log_in(&mut caller, "ada@example.com", "").await).is_none(), "no password is none");
    for _ in 0..2 {
        let page = caller.browse(path).await;
        assert_eq!((page.status, page.header("referrer-policy")), (200, "same-origin"));
        assert_eq!(
            (page.header("x-robots-tag"), page.header("cache-control")),
            ("noindex, nofollow", "private, no-store")
        );
    }
    let token = path.trim_start_matches("/reset/").to_owned();
    let weak = caller.post_form("/api/fn/reset_password", &[("token", token.as_str()), ("password", "short")]).await;
    assert!(follow(&mut caller, &weak).await.contains("use at least 10"));
    let form = [("token", token.as_str()), ("username", "ada@example.com"), ("password", PASSWORD)];
    let set = caller.post_form("/api/fn/reset_password", &form).await;
    assert!(follow(&mut caller, &set).await.contains("ada@example.com"));
    assert_eq!(process.caller().get(path).await.status, 404, "it works once");
    let again = process.caller().post_form("/api/fn/reset_password", &form).await;
    assert!(session_cookie(&again).is_none());
    assert!(run(&["user", "list"]).contains("last seen 20"));

    let (older, newer) =
        (run(&["user", "reset-link", "ada@example.com"]), run(&["user", "reset-link", "ada@example.com"]));
    let status =
        async |link: &str| process.caller().get(link.strip_prefix("http://127.0.0.1:3000").unwrap()).await.status;
    assert_eq!((status(&older).await, status(&newer).await), (404, 200), "a newer link replaces the older");
    let token = newer.rsplit('/').next().unwrap();
    process.caller().post_form("/api/fn/reset_password", &[("token", token), ("password", "a third sentence")]).await;
    assert_eq!(caller.get("/account").await.status, 401, "whoever was logged in is out");
}

#[tokio::test]
async fn a_page_that_names_who_is_logged_in_is_not_kept() {
    let server = Server::start().await;
    let caller = signed_up(&server, "a@b.c").await;
    for path in ["/", "/catalog", "/scenarios", "/account", "/nothing-here"] {
        let page = caller.get_with(path, &[("accept", "text/html")]).await;
        assert_eq!(page.header("cache-control"), "private, no-store", "{path}");
        assert!(page.text().contains("a@b.c"), "{path}");
        assert_eq!(page.header("set-cookie"), "", "{path}: looking changes no cookie");
    }
    assert_eq!(server.caller().get("/").await.header("cache-control"), "private, no-cache");
}

#[tokio::test]
async fn whatever_is_typed_into_the_form_comes_to_an_answer() {
    let server = Server::start().await;
    let odd = [
        "\u{0}",
        "\u{1f680}",
        "%",
        "\u{202e}a@b.c",
        "a@b.c\r\nset-cookie: x=y",
        "<script>alert(1)</script>",
        "\u{e9}@\u{e9}",
    ];
    for text in odd.into_iter().flat_map(|text| [text.to_owned(), text.repeat(2_000)]) {
        for path in ["/api/fn/sign_up", "/api/fn/log_in"] {
            for (email, password) in [(text.as_str(), PASSWORD), ("a@b.c", text.as_str()), (&text, &text)] {
                let mut caller = server.caller();
                let answer = caller.post_form(path, &[("email", email), ("password", password)]).await;
                let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
                assert!(cookies.iter().all(|cookie| cookie.len() < 4_000), "{path} {email:.20}: {cookies:?}");
                if answer.status == 302
                    && answer.header("location").starts_with(path.replace("/api/fn/", "/").replace('_', "-").as_str())
                {
                    let page = follow(&mut caller, &answer).await;
                    assert!(page.contains("aria-invalid=\"true\""), "{path} {email:.20}");
                    assert!(!page.contains("<script>alert"), "{path}");
                }
                assert!(answer.status == 302 || answer.status == 413, "{path} {email:.20}: {}", answer.status);
            }
        }
    }
}

#[tokio::test]
async fn logs_hold_no_password_no_session_and_no_address_of_people() {
    let server = Server::start().await;
    let email = "very.particular@example.com";
    let mut caller = signed_up(&server, email).await;
    let session = caller.cookie("session").unwrap().to_owned();
    log_in(&mut server.caller(), email, "a particularly wrong password").await;
    let change = [("old_password", PASSWORD), ("new_password", "a particular new password")];
    caller.post_form("/api/fn/change_password", &change).await;
    let second = caller.cookie("session").unwrap().to_owned();
    caller.get(&format!("/reset/{}", "particularreset".repeat(3).get(..43).unwrap())).await;
    caller.post_text("/api/fn/log_in", "application/x-www-form-urlencoded", format!("email={email}")).await;
    caller.post_text("/api/fn/log_in", "application/json", "{\"password\": \"a particular new password\"}").await;
    server.stop().await;
    let logs = logs();
    assert!(logs.contains("/reset/:token") || logs.contains("/reset/{token}"), "requests are logged by template");
    let secrets =
        [email, session.as_str(), second.as_str(), PASSWORD, "particularly wrong", "particular new", "particularreset"];
    for secret in secrets {
        for form in [secret.to_owned(), secret.replace(' ', "+"), secret.replace('@', "%40")] {
            let line = logs.lines().find(|line| line.contains(&form));
            assert!(line.is_none(), "{form} is in the log: {line:?}");
        }
    }
}
