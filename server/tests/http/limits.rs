//! Too many requests: 429 with the time to wait, in the form that the caller reads; too many at once: 503.

use crate::support::{Answer, Caller, Server};
use serde_json::json;
use server::config::limits::Rate;
use std::time::Duration;

const PLAN: &str = "/api/v1/plans?model.preset=llama-3.2-1b&max_gpus=8";

fn rate(text: &str) -> Rate {
    text.parse().unwrap()
}

/// Seconds to wait, which every refusal says.
fn wait(answer: &Answer) -> u64 {
    answer.header("retry-after").parse().unwrap_or_else(|_| panic!("{}: {:?}", answer.status, answer.headers))
}

async fn from(caller: &Caller, address: &str, path: &str) -> u16 {
    caller.get_with(path, &[("x-forwarded-for", address)]).await.status
}

#[tokio::test]
async fn a_burst_of_plans_passes_and_then_each_caller_is_told_when_to_come_back() {
    let server = Server::start_with(|config| config.limits.compute = rate("30:5")).await;
    let caller = server.caller();
    for i in 0..5 {
        let path = ["/", PLAN, "/api/v1/estimates?model.preset=llama-3.2-1b&accelerator=h100-sxm&gpus=8"][i % 3];
        assert_eq!(caller.get(path).await.status, 200, "{i} {path}");
    }
    let data = caller.get(PLAN).await;
    assert_eq!(data.problem(429)["code"], "rate_limited");
    assert!((1..=2).contains(&wait(&data)), "{}", wait(&data));
    let page = caller.get_with("/", &[("accept", "text/html")]).await;
    assert_eq!(page.status, 429);
    assert!(page.header("content-type").starts_with("text/html") && page.text().contains("Too many requests"));
    assert!(wait(&page) >= 1 && page.header("content-security-policy").contains("default-src 'none'"));
    let script = caller.post_text("/api/fn/replan", "application/x-www-form-urlencoded", "query=").await;
    let error: app::UiError = serde_json::from_slice(&script.body).unwrap();
    assert_eq!((script.status, error.code.as_str()), (429, "rate_limited"), "scripts can show it");

    for path in ["/healthz", "/catalog", "/scenarios", "/api/v1/catalog/tiers"] {
        assert_eq!(caller.get(path).await.status, 200, "what computes nothing is not counted: {path}");
    }
    tokio::time::sleep(Duration::from_secs(wait(&data))).await;
    assert_eq!(caller.get(PLAN).await.status, 200, "who waits as told gets in");
}

#[tokio::test]
async fn an_array_of_estimates_counts_by_its_length() {
    let server = Server::start_with(|config| config.limits.compute = rate("60:40")).await;
    let caller = server.caller();
    let one = json!({ "model": { "preset": "llama-3.2-1b" }, "accelerator": "h100-sxm", "gpus": 8 });
    let batch = |n: usize| json!(vec![&one; n]);
    assert_eq!(caller.post_json("/api/v1/estimates", &batch(320)).await.status, 200, "1 + 20 of 40");
    let refused = caller.post_json("/api/v1/estimates", &batch(320)).await;
    assert_eq!(refused.problem(429)["code"], "rate_limited");
    assert!(wait(&refused) >= 1);
    assert_eq!(caller.post_json("/api/v1/estimates", &batch(10)).await.status, 200, "a short one still passes");
}

#[tokio::test]
async fn saving_is_counted_and_what_is_refused_is_not_saved() {
    let server = Server::start_with(|config| config.limits.writes = rate("60:3")).await;
    let mut caller = server.caller();
    let form = |name| [("name", name), ("query", "model.preset=llama-3.2-1b&max_gpus=8")];
    for name in ["First", "Second", "Third"] {
        assert_eq!(caller.post_form("/api/fn/save_scenario", &form(name)).await.status, 302);
    }
    let refused = caller.post_form("/api/fn/save_scenario", &form("Fourth")).await;
    assert_eq!(refused.status, 429);
    assert!(wait(&refused) == 1 && refused.text().contains("<h1>Too many requests"), "{}", refused.text());
    let list = caller.browse("/scenarios").await.text();
    assert!(list.contains("Third") && !list.contains("Fourth"), "{list}");
    assert_eq!(caller.get(PLAN).await.status, 200, "planning has its own count");
}

#[tokio::test]
async fn who_guesses_links_is_stopped_before_a_right_guess_shows() {
    let server = Server::start_with(|config| config.limits.missed_links = rate("60:4")).await;
    let mut owner = server.caller();
    let saved = owner
        .post_form("/api/fn/save_scenario", &[("name", "x"), ("query", "model.preset=llama-3.2-1b&max_gpus=8")])
        .await;
    let id = saved.header("location").split('?').next().unwrap().trim_start_matches("/scenarios/").to_owned();
    owner.post_form("/api/fn/create_link", &[("scenario", &id)]).await;
    let page = owner.browse(&format!("/scenarios/{id}")).await.text();
    let token: String = page.split("/s/").nth(1).unwrap().chars().take(27).collect();
    let link = format!("/s/{token}");

    let caller = server.caller();
    for _ in 0..20 {
        assert_eq!(caller.get(&link).await.status, 200, "a link that opens is never counted");
    }
    for _ in 0..4 {
        assert_eq!(caller.get("/s/unknown").await.status, 404);
    }
    let (miss, hit) = (caller.get("/s/unknown").await, caller.get(&link).await);
    assert_eq!((miss.status, hit.status), (429, 429), "right and wrong guesses look the same");
    assert_eq!(miss.header("referrer-policy"), "no-referrer");
    tokio::time::sleep(Duration::from_secs(wait(&hit))).await;
    assert_eq!(caller.get(&link).await.status, 200);
}

#[tokio::test]
async fn behind_a_proxy_that_is_trusted_each_address_counts_for_itself() {
    let server = Server::start_with(|config| {
        config.limits.compute = rate("60:2");
        config.limits.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    })
    .await;
    let caller = server.caller();
    for address in ["203.0.113.1", "203.0.113.2", "2001:db8:0:1::1", "2001:db8:0:2::1"] {
        let statuses = [from(&caller, address, PLAN).await, from(&caller, address, PLAN).await];
        assert_eq!(statuses, [200, 200], "{address}");
        assert_eq!(from(&caller, address, PLAN).await, 429, "{address}");
    }
    assert_eq!(from(&caller, "9.9.9.9, 203.0.113.1", PLAN).await, 429, "what a caller writes itself does not help");
    assert_eq!(from(&caller, "2001:db8:0:1:ffff::2", PLAN).await, 429, "a subscriber of IPv6 has a /64");
}

#[tokio::test]
async fn without_trust_nobody_can_choose_an_address() {
    let server = Server::start_with(|config| config.limits.compute = rate("60:2")).await;
    let caller = server.caller();
    assert_eq!([from(&caller, "203.0.113.1", PLAN).await, from(&caller, "203.0.113.2", PLAN).await], [200, 200]);
    assert_eq!(from(&caller, "203.0.113.3", PLAN).await, 429);
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_at_once_are_answered_503_and_the_rest_are_served() {
    let server = Server::start_with(|config| config.limits.requests = 2).await;
    let plans = (0..24).map(|i| {
        let caller = server.caller();
        tokio::spawn(async move {
            caller.get(&format!("/api/v1/plans?model.preset=llama-3.1-405b&max_gpus={}", 1024 + i)).await
        })
    });
    let plans: Vec<_> = plans.collect();
    let (mut served, mut shed) = (0, 0);
    for plan in plans {
        let answer = plan.await.unwrap();
        match answer.status {
            200 => served += 1,
            _ => {
                assert_eq!(answer.problem(503)["code"], "unavailable");
                assert_eq!(wait(&answer), 2);
                shed += 1;
            }
        }
        assert_eq!(server.caller().get("/healthz").await.status, 200, "a supervisor always gets in");
    }
    assert!(served >= 2 && shed >= 1, "{served} served, {shed} shed");
    assert_eq!(server.caller().get(PLAN).await.status, 200, "places are given back");
}

/// The search has no clock: what may be asked is bounded, so the most that can be asked is what takes longest.
#[tokio::test(flavor = "multi_thread")]
async fn the_hardest_question_is_answered_or_given_up_in_time() {
    let server = Server::start().await;
    let model = json!({ "architecture": { "layers": 840, "hidden": 30720, "heads": 240, "kv_heads": 240, "ffn": 122_880, "vocab": 256_000 } });
    let plan = json!({ "model": model, "training_tokens": 1e14, "context_length": 1_048_576, "max_gpus": 131_072 });
    // an answer that takes too long is 503
    assert_eq!(server.caller().post_json("/api/v1/plans", &plan).await.status, 200);

    let estimate = |i: u32| json!({ "model": model, "accelerator": "h100-sxm", "gpus": 131_072 - 8 * i, "context_length": 1_048_576 });
    let batch = json!((0..1_000).map(estimate).collect::<Vec<_>>());
    let caller = server.caller();
    let asked = tokio::spawn(async move { caller.post_json("/api/v1/estimates", &batch).await.status });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let other = server.caller().get(PLAN).await;
    assert_eq!(other.status, 200, "others get their turn in between: {}", other.text());
    let status = asked.await.unwrap();
    assert!(status == 200 || status == 503, "{status}");
    assert_eq!(server.caller().get(PLAN).await.status, 200);
}
