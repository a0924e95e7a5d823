//! What every answer carries, errors included.

use crate::support::{Answer, Server};

fn check(what: &str, answer: &Answer) {
    let policy = answer.header("content-security-policy");
    for part in [
        "default-src 'none'",
        "script-src 'self' 'nonce-",
        "'wasm-unsafe-eval'",
        "style-src 'self';",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "object-src 'none'",
    ] {
        assert!(policy.contains(part), "{what} ({}): {part} in {policy}", answer.status);
    }
    assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{what}");
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
    ] {
        assert_eq!(answer.header(name), value, "{what} ({}): {name}", answer.status);
    }
    for name in ["permissions-policy", "referrer-policy", "cache-control", "x-request-id"] {
        assert!(!answer.header(name).is_empty(), "{what} ({}): {name}", answer.status);
    }
    for name in ["server", "access-control-allow-origin", "x-powered-by"] {
        assert!(answer.header(name).is_empty(), "{what} ({}): {name}", answer.status);
    }
}

#[tokio::test]
async fn every_kind_of_answer_is_protected() {
    let server = Server::start().await;
    std::fs::write(server.config.site_root.join("favicon.svg"), "<svg/>").unwrap();
    std::fs::write(server.config.site_root.join("pkg/x.js"), "1").unwrap();
    let caller = server.caller();
    let tag = caller.get("/api/v1/catalog/tiers").await.header("etag").to_owned();
    let large = vec![b' '; 1_000_000];
    let json = [("content-type", "application/json")];
    let form = [("content-type", "application/x-www-form-urlencoded")];
    let answers = [
        ("page", 200, caller.get("/").await),
        ("missing page", 404, caller.get("/nothing").await),
        ("missing file", 404, caller.get("/nothing.png").await),
        ("file", 200, caller.get("/favicon.svg").await),
        ("package", 200, caller.get("/pkg/x.js").await),
        ("missing package", 404, caller.get("/pkg/y.js").await),
        ("health", 200, caller.get("/healthz").await),
        ("data", 200, caller.get("/api/v1/catalog/tiers").await),
        ("held data", 304, caller.get_with("/api/v1/catalog/tiers", &[("if-none-match", &tag)]).await),
        ("unknown in API", 404, caller.get("/api/v1/nothing").await),
        ("other method", 405, caller.send("DELETE", "/api/v1/plans", &[], Vec::new()).await),
        ("other method on a page", 405, caller.send("POST", "/", &form, b"a=1".to_vec()).await),
        ("malformed", 400, caller.send("POST", "/api/v1/plans", &json, b"{".to_vec()).await),
        ("large", 413, caller.send("POST", "/api/v1/plans", &json, large.clone()).await),
        ("large form", 413, caller.send("POST", "/api/fn/save_scenario", &form, vec![b'a'; 100_000]).await),
        ("wrong type", 415, caller.send("POST", "/api/v1/plans", &[], b"{}".to_vec()).await),
        ("invalid", 422, caller.send("POST", "/api/v1/plans", &json, b"{}".to_vec()).await),
        (
            "cross-site",
            403,
            caller.send("POST", "/api/fn/save_scenario", &[("sec-fetch-site", "cross-site")], Vec::new()).await,
        ),
        ("link", 404, caller.get("/s/unknown").await),
        ("scenarios", 200, caller.get("/scenarios").await),
        ("scenario", 404, caller.get("/scenarios/unknown").await),
    ];
    for (what, status, answer) in &answers {
        assert_eq!(answer.status, *status, "{what}: {}", answer.text());
        check(what, answer);
    }
}

#[tokio::test]
async fn the_nonce_of_the_header_is_that_of_the_page_and_new_each_time() {
    let server = Server::start().await;
    let caller = server.caller();
    let (first, second) = (caller.get("/").await, caller.get("/").await);
    assert_ne!(first.nonce(), second.nonce());
    assert!(first.nonce().len() >= 20);
    for page in [&first, &second, &caller.get("/nothing").await] {
        let html = scraper::Html::parse_document(&page.text());
        let inline: Vec<_> = html
            .select(&scraper::Selector::parse("script").unwrap())
            .filter(|s| s.value().attr("src").is_none())
            .collect();
        assert!(!inline.is_empty(), "the loader of the islands is inline");
        for script in inline {
            let data = script.value().attr("type").is_some_and(|kind| kind.contains("json"));
            assert!(data || script.value().attr("nonce") == Some(page.nonce()), "{}", script.html());
        }
        let styled = scraper::Selector::parse("[style], style").unwrap();
        assert_eq!(
            html.select(&styled).map(|e| e.html()).collect::<Vec<_>>(),
            Vec::<String>::new(),
            "the policy forbids inline style"
        );
    }
}

#[tokio::test]
async fn share_links_tell_nobody_where_they_are() {
    let server = Server::start().await;
    for path in ["/s/AAAAAAAAAAAAAAAAAAAAAAAAAAA", "/s/x/y", "/s/x.png", "/s"] {
        let answer = server.caller().get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("x-robots-tag"), "noindex, nofollow", "{path}");
        assert_eq!(answer.header("cache-control"), "private, no-store", "{path}");
    }
    let page = server.caller().get("/").await;
    assert_eq!(page.header("referrer-policy"), "same-origin", "forms without scripts come back by the referrer");
    assert_eq!(server.caller().get("/scenarios").await.header("cache-control"), "private, no-store");
}

#[tokio::test]
async fn a_missing_file_is_plain_text_and_a_missing_page_is_a_page() {
    let server = Server::start().await;
    for path in ["/pkg/app.js", "/nothing.css", "/.env", "/..%2f..%2fetc%2fpasswd", "/pkg/..%2f..%2fdata%2ft.sqlite"] {
        let answer = server.caller().get(path).await;
        assert_eq!((answer.status, answer.text().as_str()), (404, "Not found\n"), "{path}");
        assert!(answer.header("content-type").starts_with("text/plain"), "{path}");
    }
    let page = server.caller().get("/nothing").await;
    assert!(page.status == 404 && page.header("content-type").starts_with("text/html") && page.text().contains("<h1"));
}

#[tokio::test]
async fn hashed_files_are_kept_for_ever_and_come_compressed() {
    let server = Server::start_with(|config| {
        std::fs::write(config.site_root.join("hash.txt"), "js: abc\nwasm: def\ncss: ghi\n").unwrap();
        config.hash_file = Some(config.site_root.join("hash.txt"));
    })
    .await;
    let package = server.config.site_root.join("pkg");
    std::fs::write(package.join("clusterwright.abc.js"), "export const long = 1;").unwrap();
    std::fs::write(package.join("clusterwright.abc.js.br"), "packed").unwrap();
    let caller = server.caller();
    let plain = caller.get("/pkg/clusterwright.abc.js").await;
    assert_eq!(plain.header("cache-control"), "public, max-age=31536000, immutable");
    let packed = caller.get_with("/pkg/clusterwright.abc.js", &[("accept-encoding", "br")]).await;
    assert_eq!((packed.header("content-encoding"), packed.text().as_str()), ("br", "packed"));
    let tag = plain.header("etag").to_owned();
    assert_eq!(caller.get_with("/pkg/clusterwright.abc.js", &[("if-none-match", &tag)]).await.status, 304);
    let page = caller.get("/").await.text();
    assert!(
        page.contains("clusterwright.abc.js")
            && page.contains("clusterwright.def.wasm")
            && page.contains("clusterwright.ghi.css"),
        "{page}"
    );
}

#[tokio::test]
async fn a_request_id_of_a_proxy_is_kept_if_it_is_plain() {
    let server = Server::start().await;
    let caller = server.caller();
    let kept = caller.get_with("/healthz", &[("x-request-id", "proxy-0123456789")]).await;
    assert_eq!(kept.header("x-request-id"), "proxy-0123456789");
    let long = "a".repeat(500);
    for odd in ["short", "with space in it", long.as_str()] {
        let made = caller.get_with("/healthz", &[("x-request-id", odd)]).await;
        assert!((12..=24).contains(&made.header("x-request-id").len()), "{odd}");
    }
}
