//! `/metrics`: what was done is counted, on a listener of its own.

use crate::support::{Caller, Server};

/// A port that was free a moment ago.
fn free_address() -> std::net::SocketAddr {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

async fn scrape(address: std::net::SocketAddr) -> String {
    let response = reqwest::get(format!("http://{address}/metrics")).await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    assert!(response.headers()["content-type"].to_str().unwrap().starts_with("text/plain; version=0.0.4"));
    response.text().await.unwrap()
}

/// The value of a series, 0 where there is none.
fn value(text: &str, series: &str) -> f64 {
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.map_or(0.0, |number| number.parse().unwrap())
}

async fn ask(caller: &Caller, path: &str, times: usize) {
    for _ in 0..times {
        caller.get(path).await;
    }
}

#[tokio::test]
async fn what_was_done_is_counted() {
    let address = free_address();
    let server = Server::start_with(|config| {
        config.metrics_address = Some(address);
        config.limits.writes = "60:1".parse().unwrap();
    })
    .await;
    let caller = server.caller();
    ask(&caller, "/api/v1/plans?model.preset=llama-3.2-1b&max_gpus=8", 3).await;
    ask(&caller, "/api/v1/plans?model.preset=nothing", 2).await;
    ask(&caller, "/s/secret-token", 1).await;
    ask(&caller, "/made-up/series", 1).await;
    caller.send("BREW", "/api/v1/plans", &[], Vec::new()).await;
    for _ in 0..3 {
        caller.post_text("/api/fn/delete_scenario", "application/x-www-form-urlencoded", "id=x").await;
    }
    let text = scrape(address).await;
    for (series, expected) in [
        (r#"clusterwright_http_requests_total{route="/api/v1/plans",method="GET",status="200"}"#, 3.0),
        (r#"clusterwright_http_requests_total{route="/api/v1/plans",method="GET",status="422"}"#, 2.0),
        (r#"clusterwright_http_requests_total{route="/api/v1/plans",method="other",status="405"}"#, 1.0),
        (r#"clusterwright_http_requests_total{route="/s/{token}",method="GET",status="404"}"#, 1.0),
        (r#"clusterwright_http_request_duration_seconds_count{route="/api/v1/plans"}"#, 6.0),
        ("clusterwright_plan_cache_hits_total", 2.0),
        ("clusterwright_plan_cache_misses_total", 1.0),
        ("clusterwright_plan_compute_seconds_count", 1.0),
        (r#"clusterwright_rate_limited_total{action="write"}"#, 2.0),
        ("clusterwright_shed_total", 0.0),
        (r#"clusterwright_sqlite_connections{pool="writer",state="idle"}"#, 1.0),
    ] {
        assert_eq!(value(&text, series), expected, "{series} in\n{text}");
    }
    assert!(value(&text, "clusterwright_plan_compute_seconds_sum") > 0.0);
    for secret in ["secret-token", "made-up", "BREW"] {
        assert!(!text.contains(secret), "callers make up no series: {secret}");
    }
}

#[tokio::test]
async fn the_world_does_not_reach_metrics_and_metrics_reach_nothing_else() {
    let address = free_address();
    let server = Server::start_with(|config| config.metrics_address = Some(address)).await;
    assert_eq!(server.caller().get("/metrics").await.status, 404);
    assert_eq!(reqwest::get(format!("http://{address}/")).await.unwrap().status().as_u16(), 404);
    server.stop().await;
    assert!(reqwest::get(format!("http://{address}/metrics")).await.is_err(), "it stops with the server");
}
