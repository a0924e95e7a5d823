//! Share links: each kind, and everything that ends one.

use crate::database;
use crate::sharing::{save, without_nonce};
use crate::support::{Answer, Caller, Server};
use crate::teams::{field_values, status};
use server::service::ServiceError;

/// Makes a link; its address is on the page that the form leads to, once.
pub async fn make(caller: &mut Caller, scenario: &str, fields: &[(&str, &str)]) -> String {
    let mut form = vec![("scenario", scenario)];
    form.extend_from_slice(fields);
    let answer = caller.post_form("/api/fn/create_link", &form).await;
    shown_once(caller, &answer).await
}

/// The address on the page that an answer leads to.
async fn shown_once(caller: &mut Caller, answer: &Answer) -> String {
    assert_eq!(answer.status, 302, "{}", answer.text());
    let page = caller.browse(answer.header("location").split('#').next().unwrap()).await.text();
    let shown = field_values(&page, "#new-link");
    assert_eq!(shown.len(), 1, "{page}");
    let address = shown[0].split_once("://").and_then(|(_, rest)| rest.split_once('/')).unwrap().1;
    format!("/{address}")
}

/// The public id of the newest link.
async fn newest(caller: &mut Caller, scenario: &str) -> String {
    let page = caller.browse(&format!("/scenarios/{scenario}")).await.text();
    field_values(&page, "form[action='/api/fn/revoke_link'] input[name='link']").remove(0)
}

async fn change(caller: &mut Caller, action: &str, scenario: &str, link: &str) -> Answer {
    let answer = caller.post_form(&format!("/api/fn/{action}_link"), &[("scenario", scenario), ("link", link)]).await;
    assert_eq!(answer.status, 302, "{}", answer.text());
    answer
}

/// Sets a column of all links, as time would.
async fn age(server: &Server, set: &'static str) {
    let mut database = database::open(&server.config.database).await;
    sqlx::query(sqlx::AssertSqlSafe(format!("UPDATE share_link SET {set}"))).execute(&mut database).await.unwrap();
}

/// Everything of an answer that a stranger sees, without what differs in every answer.
fn seen(answer: &Answer) -> (u16, Vec<(String, String)>, String) {
    let nonce = answer.nonce();
    let headers = answer.headers.iter().filter(|(name, _)| !["x-request-id", "date"].contains(&name.as_str()));
    let mut headers: Vec<(String, String)> =
        headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().replace(nonce, ""))).collect();
    headers.sort();
    (answer.status, headers, without_nonce(answer))
}

#[tokio::test]
async fn whatever_does_not_open_looks_the_same() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Secret plan").await;
    let unknown = server.caller().get(&format!("/s/{}", "A".repeat(27))).await;
    assert_eq!(unknown.status, 404);
    for reason in ["This link doesn", "mistyped", "paused", "revoked", "time may be over", "Ask whoever sent it"] {
        assert!(unknown.text().contains(reason), "{reason}");
    }
    let mut closed = vec![("malformed", "/s/x".to_owned()), ("too long", format!("/s/{}", "A".repeat(200)))];
    let feed = make(&mut owner, &id, &[("kind", "feed")]).await;
    let feed_token = feed.split('/').nth(4).unwrap().to_owned();
    closed.push(("feed", format!("/s/{feed_token}")));
    let paused = make(&mut owner, &id, &[]).await;
    let link = newest(&mut owner, &id).await;
    change(&mut owner, "pause", &id, &link).await;
    closed.push(("paused", paused));
    let revoked = make(&mut owner, &id, &[("kind", "live")]).await;
    let link = newest(&mut owner, &id).await;
    change(&mut owner, "revoke", &id, &link).await;
    closed.push(("revoked", revoked));
    let rotated = make(&mut owner, &id, &[]).await;
    let link = newest(&mut owner, &id).await;
    let answer = change(&mut owner, "rotate", &id, &link).await;
    let fresh = shown_once(&mut owner, &answer).await;
    assert_eq!(server.caller().get(&fresh).await.status, 200, "the new address opens");
    closed.push(("rotated", rotated));
    let deleted = save(&mut owner, "Deleted").await;
    let of_deleted = make(&mut owner, &deleted, &[("days", "never")]).await;
    owner.post_form("/api/fn/delete_scenario", &[("id", &deleted)]).await;
    closed.push(("of a deleted scenario", of_deleted));

    for suffix in ["", "?_figure=all", "?x=1"] {
        for (what, path) in &closed {
            let answer = server.caller().get(&format!("{path}{suffix}")).await;
            assert_eq!(seen(&answer), seen(&unknown), "{what} {suffix}");
        }
    }
    let unknown_today = server.caller().get(&format!("/s/{}/today", "A".repeat(27))).await;
    for (what, path) in &closed {
        assert_eq!(seen(&server.caller().get(&format!("{path}/today")).await), seen(&unknown_today), "{what}, today");
    }

    age(&server, "expires_at = 1000").await;
    assert_eq!(seen(&server.caller().get(&fresh).await), seen(&unknown), "expired");
    let page = owner.browse(&format!("/scenarios/{id}")).await.text();
    assert!(page.contains("Expired on 1 January 1970") && page.contains("Revoked"), "{page}");
    assert!(matches!(
        server::open(server.config.clone()).await.unwrap().scenarios.open_feed(&feed_token).await,
        Err(ServiceError::NotFound)
    ));
}

#[tokio::test]
async fn a_live_link_follows_its_scenario_and_a_frozen_one_does_not() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "First name").await;
    let frozen = make(&mut owner, &id, &[("kind", "frozen"), ("label", "for the board"), ("days", "7")]).await;
    let live = make(&mut owner, &id, &[("kind", "live"), ("days", "never")]).await;
    owner.post_form("/api/fn/rename_scenario", &[("id", &id), ("name", "Second name")]).await;
    let (frozen, live) = (server.caller().get(&frozen).await.text(), server.caller().get(&live).await.text());
    assert!(frozen.contains("Frozen on ") && frozen.contains("First name") && !frozen.contains("Second name"));
    assert!(live.contains("Live: last changed on ") && live.contains("Second name") && !live.contains("First name"));
    let page = owner.browse(&format!("/scenarios/{id}")).await.text();
    for text in ["for the board", "Active, expires in 7 days", "Active, never ends"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let cookie = owner.cookie("owner").unwrap().to_owned();
    for (what, page) in [("frozen", frozen), ("live", live)] {
        assert!(
            !page.contains(&id) && !page.contains(&cookie) && !page.contains("for the board"),
            "{what} tells nothing of its owner"
        );
    }
}

#[tokio::test]
async fn pausing_is_undone_by_resuming_and_revoking_is_not() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Paused plan").await;
    let path = make(&mut owner, &id, &[]).await;
    let link = newest(&mut owner, &id).await;
    let opens = async || server.caller().get(&path).await.status;
    assert_eq!(opens().await, 200);
    for _ in 0..2 {
        change(&mut owner, "pause", &id, &link).await;
        assert_eq!(opens().await, 404);
    }
    assert!(owner.browse(&format!("/scenarios/{id}")).await.text().contains("Paused, expires in 30 days"));
    change(&mut owner, "resume", &id, &link).await;
    assert_eq!(opens().await, 200);
    change(&mut owner, "revoke", &id, &link).await;
    for action in ["pause", "resume", "rotate"] {
        assert_eq!(status(&owner, &format!("/api/fn/{action}_link"), &[("link", &link)]).await, 403, "{action}");
        assert_eq!(opens().await, 404);
    }
    assert_eq!(status(&server.caller(), "/api/fn/resume_link", &[("link", &link)]).await, 404, "of another");
}

#[tokio::test]
async fn a_wish_that_can_not_be_read_makes_no_link() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Plain plan").await;
    for (field, value) in [("kind", "open"), ("days", "31"), ("label", &"a".repeat(81))] {
        assert_eq!(status(&owner, "/api/fn/create_link", &[("scenario", &id), (field, value)]).await, 422, "{field}");
    }
    let page = owner.browse(&format!("/scenarios/{id}")).await.text();
    assert!(!page.contains("/api/fn/revoke_link"), "there is no link");
}

#[tokio::test]
async fn readers_are_counted_and_programs_and_further_looks_are_not() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Counted plan").await;
    let path = make(&mut owner, &id, &[]).await;
    let stranger = server.caller();
    for agent in ["Slackbot-LinkExpanding 1.0", "Twitterbot/1.0", "WhatsApp/2.23", "facebookexternalhit/1.1"] {
        assert_eq!(stranger.get_with(&path, &[("user-agent", agent)]).await.status, 200);
    }
    assert_eq!(stranger.send("HEAD", &path, &[], Vec::new()).await.status, 200);
    assert_eq!(stranger.get(&format!("{path}?_figure=all")).await.status, 200);
    assert_eq!(stranger.get(&format!("{path}?_figure=nothing")).await.status, 200, "the plan itself");
    assert_eq!(stranger.get(&format!("{path}/today")).await.status, 200);
    let page = owner.browse(&format!("/scenarios/{id}")).await.text();
    assert!(page.contains("0 times") && !page.contains("last on "), "{page}");
    for _ in 0..2 {
        stranger.get_with(&path, &[("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0")]).await;
    }
    let page = owner.browse(&format!("/scenarios/{id}")).await.text();
    assert!(page.contains("2 times") && page.contains("last on "), "{page}");
}

#[tokio::test]
async fn guessing_is_limited_on_every_way_in_and_reading_is_not() {
    use server::config::limits::Rate;
    use server::limits::rate::Bucket;
    use std::num::NonZeroU32;
    let (per_minute, burst) = (NonZeroU32::new(1).unwrap(), NonZeroU32::new(3).unwrap());
    let server =
        Server::start_with(|config| config.limits.missed_links = Rate(Some(Bucket { per_minute, burst }))).await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Read often").await;
    let path = make(&mut owner, &id, &[]).await;
    for suffix in ["?_figure=all", "?_figure=nothing", "/today", ""].into_iter().cycle().take(12) {
        assert_eq!(server.caller().get(&format!("{path}{suffix}")).await.status, 200, "{suffix}");
    }
    let guess = "A".repeat(27);
    for missed in [format!("/s/{guess}?_figure=all"), format!("/s/{guess}/today"), "/cards/AAAAAAAAAAAAAAAA.png".into()]
    {
        assert_eq!(server.caller().get(&missed).await.status, 404, "{missed}");
    }
    assert_eq!(server.caller().get(&format!("/s/{guess}")).await.status, 429);
}

#[tokio::test]
async fn a_shared_plan_stands_beside_todays() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Then and now").await;
    let path = make(&mut owner, &id, &[]).await;
    let today = server.caller().get(&format!("{path}/today")).await;
    assert_eq!(today.status, 200);
    let text = today.text();
    assert!(text.contains("nothing has changed") && text.contains("Figure by figure") && text.contains("Then and now"));
    assert_eq!(today.header("x-robots-tag"), "noindex, nofollow");
    assert_eq!(today.header("referrer-policy"), "no-referrer");

    // a plan of an older catalog at twice the price
    let mut database = database::open(&server.config.database).await;
    let plan: String = sqlx::query_scalar("SELECT plan FROM share_link").fetch_one(&mut database).await.unwrap();
    let mut plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    plan["catalog_version"] = "2020-01".into();
    let usd = &mut plan["tiers"][1]["cost"]["total_usd"]["typical"];
    *usd = (usd.as_f64().unwrap() * 2.0).into();
    let changed = plan.to_string();
    sqlx::query("UPDATE share_link SET plan = ?1").bind(changed).execute(&mut database).await.unwrap();
    let text = server.caller().get(&format!("{path}/today")).await.text();
    assert!(text.contains("Catalog 2020-01 then") && text.contains("\u{2212}50%"), "{text}");
}

#[tokio::test]
async fn a_feed_is_data_of_the_current_plan_and_no_page() {
    let server = Server::start().await;
    let mut owner = server.caller();
    let id = save(&mut owner, "Fed plan").await;
    let feed = make(&mut owner, &id, &[("kind", "feed"), ("label", "sheet")]).await;
    assert!(feed.starts_with("/api/v1/feeds/") && feed.ends_with("/tiers.csv"), "{feed}");
    let token = feed.split('/').nth(4).unwrap();
    let page = make(&mut owner, &id, &[("kind", "live")]).await;
    let scenarios = server::open(server.config.clone()).await.unwrap().scenarios;
    let first = scenarios.open_feed(token).await.unwrap();
    assert_eq!((first.name.as_str(), first.version), ("Fed plan", 1));
    scenarios.count_feed(first.link).await;
    owner.post_form("/api/fn/rename_scenario", &[("id", &id), ("name", "Renamed")]).await;
    let second = scenarios.open_feed(token).await.unwrap();
    assert_eq!((second.name.as_str(), second.version, &second.plan), ("Renamed", 2, &first.plan));
    scenarios.count_feed(second.link).await;
    let share_token = page.trim_start_matches("/s/");
    assert!(matches!(scenarios.open_feed(share_token).await, Err(ServiceError::NotFound)), "of a page");
    assert!(owner.browse(&format!("/scenarios/{id}")).await.text().contains("2 times"));
}

/// The value of a tag of the head, by its property or name.
fn tag(page: &str, name: &str) -> String {
    let document = scraper::Html::parse_document(page);
    let css = format!("head meta[property='{name}'], head meta[name='{name}']");
    let found = document.select(&scraper::Selector::parse(&css).unwrap()).next();
    found.and_then(|tag| tag.value().attr("content")).unwrap_or_else(|| panic!("no {name}: {page}")).to_owned()
}

#[tokio::test]
async fn a_preview_shows_the_plan_and_goes_with_its_link() {
    let server = Server::start_with(|config| config.public_url = "https://plan.example.com".into()).await;
    let mut owner = server.caller();
    let name = "Ada & Co \"<b>\" 東京";
    let id = save(&mut owner, name).await;
    let path = make(&mut owner, &id, &[("kind", "live")]).await;
    let page = server.caller().get(&path).await.text();
    assert_eq!(tag(&page, "og:title"), format!("{name} · Clusterwright"));
    assert_eq!(tag(&page, "og:description"), tag(&page, "description"));
    assert!(tag(&page, "og:description").contains('$'), "the headline");
    assert_eq!(tag(&page, "twitter:card"), "summary_large_image");
    assert_eq!(tag(&page, "robots"), "noindex");
    let address = tag(&page, "og:image");
    let card = address.strip_prefix("https://plan.example.com").unwrap_or_else(|| panic!("{address}")).to_owned();
    let token = path.trim_start_matches("/s/");
    assert!(card.starts_with("/cards/") && !card.contains(token) && !page.contains(&id), "{card}");

    let answer = server.caller().get(&card).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "image/png"));
    assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow");
    let side = |at: usize| u32::from_be_bytes(answer.body[at..at + 4].try_into().unwrap());
    assert_eq!((&answer.body[1..4], side(16), side(20)), (b"PNG".as_slice(), 1200, 630));
    assert_eq!(server.caller().get(&card).await.body, answer.body, "kept");
    owner.post_form("/api/fn/rename_scenario", &[("id", &id), ("name", "Another name")]).await;
    assert_ne!(server.caller().get(&card).await.body, answer.body, "a live link has the picture of what it shows");

    let link = newest(&mut owner, &id).await;
    let gone = async || server.caller().get(&card).await.status == 404;
    for (action, expected) in [("pause", true), ("resume", false), ("rotate", true)] {
        change(&mut owner, action, &id, &link).await;
        assert_eq!(gone().await, expected, "{action}");
    }
    for wrong in ["/cards/x.png", "/cards/AAAAAAAAAAAAAAAA.png", "/cards/AAAAAAAAAAAAAAAA", "/cards/..%2f..png"] {
        assert_eq!(server.caller().get(wrong).await.status, 404, "{wrong}");
    }
    let other = make(&mut owner, &id, &[]).await;
    let card = tag(&server.caller().get(&other).await.text(), "og:image");
    let card = card.strip_prefix("https://plan.example.com").unwrap();
    assert_eq!(server.caller().get(card).await.status, 200);
    age(&server, "expires_at = 1000").await;
    assert_eq!(server.caller().get(card).await.status, 404, "a picture that is kept is not shown either");
}

#[tokio::test]
async fn what_is_done_to_a_link_is_in_the_log_of_the_team() {
    let server = Server::start().await;
    let mut owner = crate::accounts::signed_up(&server, "owner@a.b").await;
    let id = save(&mut owner, "Board plan").await;
    make(&mut owner, &id, &[]).await;
    let link = newest(&mut owner, &id).await;
    for action in ["pause", "resume", "rotate", "revoke", "revoke"] {
        change(&mut owner, action, &id, &link).await;
    }
    let log = owner.browse("/team").await.text();
    for words in [
        "made a share link to",
        "paused a share link to",
        "resumed a share link to",
        "another address",
        "revoked a share link to",
    ] {
        assert_eq!(log.matches(words).count(), 1, "{words}: {log}");
    }
}
