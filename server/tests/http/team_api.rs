//! What a team keeps, over the API: scenarios, versions, links and the price book.

use crate::accounts::signed_up;
use crate::database;
use crate::openapi::documented::{Checked, documented_keys};
use crate::support::{Answer, Caller, Server};
use crate::teams::joined;
use crate::tokens::{make_token, revoke_tokens};
use serde_json::{Value, json};
use server::router::table::{self, ROUTES};

const PATH: &str = "/api/v1/scenarios";

/// A program with a new token.
pub async fn program(server: &Server, editor: &mut Caller, scope: &str) -> Caller {
    let mut caller = server.caller();
    caller.bearer = Some(make_token(editor, "A program", scope).await);
    caller
}

/// A team's owner, and a program that may write.
pub async fn team(server: &Server) -> (Caller, Caller) {
    let mut owner = signed_up(server, "owner@a.b").await;
    let writer = program(server, &mut owner, "write").await;
    (owner, writer)
}

pub fn request() -> Value {
    json!({ "model": { "preset": "llama-3.2-1b" }, "max_gpus": 8, "accelerators": ["h100-sxm"] })
}

/// A new scenario, by its public id.
pub async fn saved(writer: &Caller, name: &str) -> String {
    let answer = writer.post_json(PATH, &json!({ "name": name, "request": request() })).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn send(caller: &Caller, method: &str, path: &str, headers: &[(&str, &str)], body: Value) -> Answer {
    let mut all = vec![("content-type", "application/json")];
    all.extend_from_slice(headers);
    caller.send(method, path, &all, body.to_string().into_bytes()).await
}

#[tokio::test]
async fn a_scenario_is_saved_read_changed_restored_copied_and_deleted() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let body = json!({ "name": "Plan A", "notes": "For the board", "tags": ["Q3", "board"], "request": request() });
    let answer = writer.post_json(PATH, &body).await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let (made, first) = (answer.json(), answer.header("etag").to_owned());
    let path = answer.header("location").to_owned();
    assert_eq!(path, format!("{PATH}/{}", made["id"].as_str().unwrap()));
    assert_eq!(
        (&made["name"], &made["notes"], &made["tags"]),
        (&json!("Plan A"), &json!("For the board"), &json!(["board", "q3"]))
    );
    let read = writer.get(&path).await;
    assert_eq!((read.status, read.header("etag"), read.json()), (200, first.as_str(), made.clone()));
    let held = writer.get_with(&path, &[("if-none-match", &first)]).await;
    assert_eq!((held.status, held.header("etag"), held.body.len()), (304, first.as_str(), 0));

    // a request makes a version, and comes with the rest or not at all
    let larger = json!({ "model": { "preset": "llama-3.2-1b" }, "max_gpus": 16, "accelerators": ["h100-sxm"] });
    let refused = send(&writer, "PATCH", &path, &[], json!({ "name": " ", "request": larger })).await.problem(422);
    assert_eq!(refused["errors"][0]["pointer"], "/name");
    let wrong =
        send(&writer, "PATCH", &path, &[], json!({ "notes": "x", "request": { "model": { "preset": "lama" } } })).await;
    assert_eq!(wrong.problem(422)["errors"][0]["pointer"], "/request/model/preset");
    let unknown = send(&writer, "PATCH", &path, &[], json!({ "nmae": "x" })).await.problem(422);
    assert_eq!(unknown["errors"][0]["code"], "unknown_key");
    assert_eq!(writer.get(&path).await.json(), made, "nothing was changed");
    let renamed = json!({ "name": "Plan B", "request": larger });
    let changed = send(&writer, "PATCH", &path, &[("if-match", &first)], renamed.clone()).await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    let second = changed.header("etag").to_owned();
    assert_eq!((&changed.json()["name"], &changed.json()["version"]), (&json!("Plan B"), &json!(2)));
    assert_ne!(first, second);

    // who has seen less is told so, and nothing is done
    for (method, at, body) in [
        ("PATCH", path.clone(), json!({ "name": "Overwritten" })),
        ("DELETE", path.clone(), json!({})),
        ("POST", format!("{path}/versions/1/restore"), json!({})),
    ] {
        let late = send(&writer, method, &at, &[("if-match", &first)], body).await;
        assert_eq!(late.problem(412)["code"], "conflict", "{method} {at}");
    }
    assert_eq!(writer.get(&path).await.header("etag"), second);
    let unsaid = send(&writer, "PATCH", &path, &[], json!({ "archived": true })).await;
    assert_eq!((unsaid.status, &unsaid.json()["archived"]), (200, &json!(true)));

    let versions = writer.get(&format!("{path}/versions")).await.json();
    let numbers: Vec<&Value> = versions["versions"].as_array().unwrap().iter().map(|v| &v["number"]).collect();
    assert_eq!(numbers, [&json!(2), &json!(1)]);
    let old = writer.get(&format!("{path}/versions/1")).await.json();
    assert_eq!(old["plan"]["request"]["max_gpus"], 8);
    for none in ["3", "0", "-1", "x", "99999999999999999999"] {
        assert_eq!(writer.get(&format!("{path}/versions/{none}")).await.problem(404)["code"], "not_found");
    }
    let current = unsaid.header("etag");
    let restored =
        send(&writer, "POST", &format!("{path}/versions/1/restore"), &[("if-match", current)], json!({})).await;
    assert_eq!((restored.status, &restored.json()["version"]), (200, &json!(3)), "{}", restored.text());
    let plan = writer.get(&format!("{path}/plan")).await;
    assert_eq!((plan.status, &plan.json()["request"]["max_gpus"]), (200, &json!(8)));
    assert_eq!(plan.header("etag"), restored.header("etag"));
    assert!(writer.get(&format!("{path}/plan?explain=true")).await.json()["explanations"].is_object());
    assert_eq!(writer.get(&format!("{path}/plan?explain=true")).await.status, 200);

    let copy = send(&writer, "POST", &format!("{path}/duplicate"), &[], json!({})).await;
    assert_eq!((copy.status, &copy.json()["name"]), (201, &json!("Plan B (copy)")));
    let ids = format!("{},{}", made["id"].as_str().unwrap(), copy.json()["id"].as_str().unwrap());
    let compared = writer.get(&format!("/api/v1/compare?ids={ids}")).await.json();
    assert_eq!(compared["columns"][1]["title"], "Plan B (copy)");
    assert_eq!(writer.get("/api/v1/compare").await.problem(422)["errors"][0]["pointer"], "/ids");
    assert_eq!(writer.get(&format!("/api/v1/compare?id={ids}")).await.problem(422)["errors"][0]["code"], "unknown_key");

    let deleted = writer.send("DELETE", &path, &[("if-match", restored.header("etag"))], Vec::new()).await;
    assert_eq!((deleted.status, deleted.body.len()), (204, 0));
    for gone in [path.clone(), format!("{path}/plan"), format!("{path}/versions"), format!("{path}/links")] {
        assert_eq!(writer.get(&gone).await.problem(404)["code"], "not_found", "{gone}");
    }
}

#[tokio::test]
async fn the_list_is_searched_and_read_page_by_page() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    for name in ["One", "Two", "Three"] {
        saved(&writer, name).await;
    }
    let names = |answer: &Answer| -> Vec<String> {
        let list = answer.json();
        list["scenarios"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap().to_owned()).collect()
    };
    let first = writer.get(&format!("{PATH}?limit=2&_=1")).await;
    assert_eq!((names(&first).len(), &first.json()["found"]), (2, &json!(3)));
    let next = first.json()["next"].as_str().unwrap().to_owned();
    let second = writer.get(&format!("{PATH}?limit=2&cursor={next}")).await;
    assert!(second.json()["next"].is_null());
    let mut all = [names(&first), names(&second)].concat();
    all.sort();
    assert_eq!(all, ["One", "Three", "Two"]);
    assert_eq!(names(&writer.get(&format!("{PATH}?search=thr")).await), ["Three"]);
    assert!(names(&writer.get(&format!("{PATH}?archived=true")).await).is_empty());
    let held = writer.get_with(&format!("{PATH}?limit=2&_=1"), &[("if-none-match", first.header("etag"))]).await;
    assert_eq!(held.status, 304);
    for (query, pointer) in [
        ("limit=0", "/limit"),
        ("limit=101", "/limit"),
        ("limit=x", "/limit"),
        ("archived=x", "/archived"),
        ("tags=x", "/tags"),
    ] {
        assert_eq!(
            writer.get(&format!("{PATH}?{query}")).await.problem(422)["errors"][0]["pointer"],
            pointer,
            "{query}"
        );
    }
}

#[tokio::test]
async fn a_request_that_is_sent_again_is_done_once() {
    let server = Server::start().await;
    let (mut owner, writer) = team(&server).await;
    let body = json!({ "name": "Once", "request": request() });
    let key = [("idempotency-key", "5ae7b2c0-made-once")];
    // at the same time: one is done, the other is told to wait or gets the same
    let (a, b) =
        tokio::join!(send(&writer, "POST", PATH, &key, body.clone()), send(&writer, "POST", PATH, &key, body.clone()));
    for answer in [&a, &b] {
        assert!(answer.status == 201 || answer.problem(409)["code"] == "idempotency_key_in_use", "{}", answer.text());
    }
    let first = if a.status == 201 { a } else { b };
    assert_eq!(first.status, 201);
    let id = first.json()["id"].as_str().unwrap().to_owned();
    send(&writer, "PATCH", &format!("{PATH}/{id}"), &[], json!({ "name": "Renamed since" })).await;
    // another token of the team is the same team
    let other = program(&server, &mut owner, "write").await;
    for caller in [&writer, &other] {
        let again = send(caller, "POST", PATH, &key, body.clone()).await;
        assert_eq!((again.status, again.text()), (201, first.text()));
        for header in ["location", "etag", "content-type"] {
            assert_eq!(again.header(header), first.header(header), "{header}");
        }
        assert_eq!(again.header("idempotency-replayed"), "true");
    }
    assert_eq!(writer.get(PATH).await.json()["found"], 1);
    // another body, and another operation
    let clash = send(&writer, "POST", PATH, &key, json!({ "name": "Twice", "request": request() })).await;
    assert_eq!(clash.problem(422)["code"], "idempotency_key_reused");
    let clash = send(&writer, "POST", &format!("{PATH}/{id}/duplicate"), &key, json!({})).await;
    assert_eq!(clash.problem(422)["code"], "idempotency_key_reused");
    // another team has keys of its own
    let mut outsider = signed_up(&server, "outsider@a.b").await;
    let stranger = program(&server, &mut outsider, "write").await;
    let theirs = send(&stranger, "POST", PATH, &key, body.clone()).await;
    assert_eq!((theirs.status, theirs.header("idempotency-replayed")), (201, ""));
    assert_ne!(theirs.json()["id"], id.as_str());
    // what failed can be mended and sent again
    let mended = [("idempotency-key", "mended")];
    let failed = send(&writer, "POST", PATH, &mended, json!({ "name": "x".repeat(121), "request": request() })).await;
    assert_eq!(failed.status, 422);
    assert_eq!(send(&writer, "POST", PATH, &mended, body.clone()).await.status, 201);
    for bad in ["", &"k".repeat(256)] {
        let refused = send(&writer, "POST", PATH, &[("idempotency-key", bad)], body.clone()).await;
        assert_eq!(refused.problem(422)["code"], "idempotency_key_invalid");
    }
    // after a day it is forgotten
    let mut database = database::open(&server.config.database).await;
    sqlx::query("UPDATE idempotency SET created_at = created_at - 86400001").execute(&mut database).await.unwrap();
    let later = send(&writer, "POST", PATH, &key, body).await;
    assert_eq!((later.status, later.header("idempotency-replayed")), (201, ""));
    assert_ne!(later.json()["id"], id.as_str());
    let left: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM idempotency").fetch_one(&mut database).await.unwrap();
    assert_eq!(left, 1, "old answers are deleted");
}

/// Every route of the table that takes a token: who may not, is told why, and what is another team's is not there.
#[tokio::test]
async fn what_is_another_teams_is_not_there_and_scopes_are_kept() {
    let server = Server::start().await;
    let (mut owner, writer) = team(&server).await;
    let id = saved(&writer, "Ours").await;
    let link = send(&writer, "POST", &format!("{PATH}/{id}/links"), &[], json!({})).await.json();
    let link = link["link"]["id"].as_str().unwrap().to_owned();
    send(&writer, "PUT", "/api/v1/price-book/pue", &[], json!({ "value": 1.2 })).await;
    let reader = program(&server, &mut owner, "read").await;
    let mut outsider = signed_up(&server, "outsider@a.b").await;
    let stranger = program(&server, &mut outsider, "write").await;
    // a member of both teams: the token is of one of them
    let mut both = joined(&server, &mut owner, "both@a.b", "editor").await;
    both.post_form("/api/fn/create_team", &[("name", "Their own")]).await;
    let elsewhere = program(&server, &mut both, "write").await;
    assert_eq!(elsewhere.get("/api/v1/me").await.json()["team"]["name"], "Their own");
    let mut ended = server.caller();
    ended.bearer = Some(make_token(&mut owner, "Ended", "write").await);
    let past = "UPDATE api_token SET created_at = 1, expires_at = 2 WHERE name = 'Ended'";
    sqlx::query(past).execute(&mut database::open(&server.config.database).await).await.unwrap();
    let mut revoked = server.caller();
    revoked.bearer = Some(make_token(&mut owner, "Revoked", "write").await);
    revoke_tokens(&mut owner, "Revoked").await;
    let mut asked = 0;
    for route in ROUTES {
        let table::Caller::Token(scope) = route.caller else { continue };
        if route.path.ends_with("/me") {
            continue;
        }
        let of = if route.path.starts_with("/api/v1/links") { &link } else { &id };
        let path = route.path.replace("{id}", of).replace("{number}", "1").replace("{key}", "pue");
        let path = if path.ends_with("/compare") { format!("{path}?ids={id},{of}x") } else { path };
        let what = format!("{} {path}", route.method);
        for (nobody, code) in
            [(&server.caller(), "token_missing"), (&ended, "token_invalid"), (&revoked, "token_invalid")]
        {
            let answer = send(nobody, route.method, &path, &[], json!({})).await;
            assert_eq!(answer.status, 401, "{what}");
            assert!(answer.header("www-authenticate").starts_with("Bearer"), "{what}");
            if !path.ends_with(".csv") {
                assert_eq!(answer.problem(401)["code"], code, "{what}");
            }
        }
        if scope == server::store::tokens::Scope::Write {
            let answer = send(&reader, route.method, &path, &[], json!({})).await;
            assert_eq!(answer.problem(403)["code"], "missing_scope", "{what}");
            assert!(answer.header("www-authenticate").contains("scope=\"write\""), "{what}");
        }
        let ours = ["/scenarios", "/price-book", "/log"].iter().any(|list| path.ends_with(list));
        let body = match route.method {
            "PUT" => continue,
            "PATCH" if path.contains("/links/") => json!({ "paused": true }),
            "PATCH" => json!({ "name": "Theirs" }),
            _ => json!({}),
        };
        for other in [&stranger, &elsewhere] {
            let answer = send(other, route.method, &path, &[], body.clone()).await;
            let expected = if ours && route.method == "GET" {
                200
            } else if ours {
                422
            } else {
                404
            };
            assert_eq!(answer.status, expected, "{what}: {}", answer.text());
            asked += 1;
        }
    }
    assert!(asked > 40, "{asked}");
    for other in [&stranger, &elsewhere] {
        assert_eq!(other.get(PATH).await.json()["found"], 0);
        assert_eq!(other.get("/api/v1/price-book").await.json()["quotes"], json!([]));
    }
    assert_eq!(writer.get(&format!("{PATH}/{id}")).await.json()["name"], "Ours");
    // a cookie is no token here
    assert_eq!(owner.get(PATH).await.problem(401)["code"], "token_missing");
}

#[tokio::test]
async fn a_link_is_made_paused_rotated_and_revoked() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let id = saved(&writer, "Shared").await;
    let links = format!("{PATH}/{id}/links");
    let wish = json!({ "kind": "live", "label": "Board", "days": "7" });
    let made = send(&writer, "POST", &links, &[], wish).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let path = made.header("location").to_owned();
    let (made, token) = (made.json(), made.json()["token"].as_str().unwrap().to_owned());
    assert!(made["url"].as_str().unwrap().ends_with(&format!("/s/{token}")), "{made}");
    let link = writer.get(&path).await;
    assert_eq!((&link.json()["state"], &link.json()["label"]), (&json!("active"), &json!("Board")));
    assert_eq!(link.json()["scenario"], id.as_str());
    assert!(!link.text().contains(&token) && !writer.get(&links).await.text().contains(&token), "shown once");
    let opens = |token: String| {
        let caller = server.caller();
        async move { caller.get(&format!("/s/{token}")).await.status }
    };
    assert_eq!(opens(token.clone()).await, 200);
    let paused = send(&writer, "PATCH", &path, &[], json!({ "paused": true })).await;
    assert_eq!((&paused.json()["state"], opens(token.clone()).await), (&json!("paused"), 404));
    send(&writer, "PATCH", &path, &[], json!({ "paused": false })).await;
    assert_eq!(opens(token.clone()).await, 200);
    let rotated = send(&writer, "POST", &format!("{path}/rotate"), &[], json!({})).await.json();
    let fresh = rotated["token"].as_str().unwrap().to_owned();
    assert_eq!((opens(token).await, opens(fresh.clone()).await), (404, 200));
    for _ in 0..2 {
        assert_eq!(writer.send("DELETE", &path, &[], Vec::new()).await.status, 204, "again is no fault");
    }
    assert_eq!(opens(fresh).await, 404);
    assert_eq!(writer.get(&path).await.json()["state"], "revoked");
    assert_eq!(send(&writer, "PATCH", &path, &[], json!({ "paused": false })).await.problem(403)["code"], "forbidden");
    assert_eq!(
        send(&writer, "POST", &format!("{path}/rotate"), &[], json!({})).await.problem(403)["code"],
        "forbidden"
    );
    for (body, pointer) in [
        (json!({ "kind": "open" }), "/kind"),
        (json!({ "days": "31" }), "/days"),
        (json!({ "label": "x".repeat(81) }), "/label"),
        (json!({ "name": "x" }), "/name"),
    ] {
        assert_eq!(send(&writer, "POST", &links, &[], body).await.problem(422)["errors"][0]["pointer"], pointer);
    }
    assert_eq!(send(&writer, "PATCH", &path, &[], json!({})).await.problem(422)["errors"][0]["pointer"], "/paused");
}

#[tokio::test]
async fn a_quote_is_put_changed_and_taken_out_and_plans_have_it() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let path = "/api/v1/price-book/server_usd.b200";
    assert_eq!(writer.get(path).await.problem(404)["code"], "not_found");
    let body = json!({ "value": 450_000, "supplier": "Vendor A", "valid_until": "2099-12-31", "note": "Q-17" });
    assert_eq!(
        send(&writer, "PUT", path, &[("if-match", "\"1\"")], body.clone()).await.problem(412)["code"],
        "conflict"
    );
    let put = send(&writer, "PUT", path, &[("if-none-match", "*")], body.clone()).await;
    assert_eq!((put.status, put.header("etag")), (201, "\"1\""), "{}", put.text());
    let quote = put.json()["quote"].clone();
    assert_eq!(
        (&quote["value"], &quote["changed_by"], &quote["expired"]),
        (&json!(450_000.0), &json!("owner@a.b"), &json!(false))
    );
    assert_eq!(send(&writer, "PUT", path, &[("if-none-match", "*")], body).await.status, 412, "it is there now");
    assert_eq!(writer.get_with(path, &[("if-none-match", "\"1\"")]).await.status, 304);
    let changed = send(&writer, "PUT", path, &[("if-match", "\"1\"")], json!({ "value": "$1.5M" })).await;
    assert_eq!((changed.status, changed.header("etag")), (200, "\"2\""), "{}", changed.text());
    for (method, body) in [("PUT", json!({ "value": 1 })), ("DELETE", json!({}))] {
        assert_eq!(send(&writer, method, path, &[("if-match", "\"1\"")], body).await.problem(412)["code"], "conflict");
    }
    let detail = writer.get(path).await.json();
    let history: Vec<&Value> = detail["history"].as_array().unwrap().iter().map(|quote| &quote["value"]).collect();
    assert_eq!(history, [&json!(1_500_000.0), &json!(450_000.0)]);

    // plans that are saved have it, unless they are not to
    let planned = json!({ "model": { "preset": "llama-3.1-8b" }, "training_tokens": 200_000_000_000_u64, "accelerators": ["b200"], "acquisition": ["buy"] });
    for (prices, expected) in [("team", json!(1_500_000.0)), ("catalog", Value::Null)] {
        let made = writer.post_json(PATH, &json!({ "request": planned, "prices": prices })).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let plan = writer.get(&format!("{}/plan", made.header("location"))).await.json();
        assert_eq!(plan["request"]["overrides"]["server_usd"]["b200"], expected, "{prices}");
    }

    for (key, body, pointer) in [
        ("server_usd.b200", json!({}), "/value"),
        ("server_usd.b200", json!({ "value": -1 }), "/value"),
        ("server_usd.b200", json!({ "value": true }), "/value"),
        ("server_usd.b200", json!({ "value": 1, "valid_until": "soon" }), "/valid_until"),
        ("server_usd.b200", json!({ "value": 1, "price": 2 }), "/price"),
        ("server_usd.b2000", json!({ "value": 1 }), "/key"),
    ] {
        let refused = send(&writer, "PUT", &format!("/api/v1/price-book/{key}"), &[], body.clone()).await.problem(422);
        assert_eq!(refused["errors"][0]["pointer"], pointer, "{body}");
    }
    assert_eq!(writer.send("DELETE", path, &[("if-match", "\"2\"")], Vec::new()).await.status, 204);
    assert_eq!(writer.get(path).await.status, 404);
    assert_eq!(writer.send("DELETE", path, &[], Vec::new()).await.status, 404);
    assert_eq!(writer.get("/api/v1/price-book").await.json()["quotes"], json!([]));
    let back = send(&writer, "PUT", path, &[], json!({ "value": 7 })).await;
    assert_eq!((back.status, back.json()["history"].as_array().unwrap().len()), (201, 4), "its history stays");
    assert!(back.json()["history"][1]["value"].is_null());
}

#[tokio::test]
async fn answers_and_documentation_have_the_same_keys() {
    let server = Server::start().await;
    let (_, writer) = team(&server).await;
    let mut checked = Checked::new();
    let body = json!({ "name": "A", "notes": "n", "tags": ["t"], "request": request() });
    let made = writer.post_json(PATH, &body).await;
    let path = made.header("location").to_owned();
    checked.check("Scenario", &made.json(), "made");
    let renewed =
        send(&writer, "PATCH", &path, &[], json!({ "request": { "model": { "preset": "llama-3.1-8b" } } })).await;
    checked.check("Scenario", &renewed.json(), "changed");
    let copy = send(&writer, "POST", &format!("{path}/duplicate"), &[], json!({})).await.json();
    send(&writer, "PATCH", &path, &[], json!({ "request": request() })).await;
    checked.check("ScenarioList", &writer.get(&format!("{PATH}?limit=1")).await.json(), "list");
    checked.check("VersionList", &writer.get(&format!("{path}/versions")).await.json(), "versions");
    checked.check("VersionDetail", &writer.get(&format!("{path}/versions/1")).await.json(), "version");
    checked.check("Plan", &writer.get(&format!("{path}/plan?explain=1")).await.json(), "plan");
    checked.check("Rows", &writer.get(&format!("{path}/plan.json")).await.json(), "rows");
    let ids = format!("{},{}", made.json()["id"].as_str().unwrap(), copy["id"].as_str().unwrap());
    checked.check("Comparison", &writer.get(&format!("/api/v1/compare?ids={ids}")).await.json(), "comparison");
    let link = send(&writer, "POST", &format!("{path}/links"), &[], json!({ "label": "x" })).await.json();
    checked.check("LinkToken", &link, "link");
    server.caller().get(&format!("/s/{}", link["token"].as_str().unwrap())).await;
    checked.check("LinkList", &writer.get(&format!("{path}/links")).await.json(), "links");
    let quote = json!({ "value": 1.1, "supplier": "S", "valid_until": "2020-01-01", "note": "N" });
    checked.check("QuoteDetail", &send(&writer, "PUT", "/api/v1/price-book/pue", &[], quote).await.json(), "quote");
    checked.check("PriceBook", &writer.get("/api/v1/price-book").await.json(), "book");
    checked.check("Log", &writer.get("/api/v1/log?limit=2").await.json(), "log");
    checked.differences.truncate(20);
    assert!(checked.differences.is_empty(), "{:#?}", checked.differences);
    let roots =
        ["Scenario", "ScenarioList", "VersionList", "Comparison", "LinkToken", "LinkList", "QuoteDetail", "PriceBook"];
    let never: Vec<String> = documented_keys(&roots).into_iter().filter(|key| !checked.keys.contains(key)).collect();
    assert_eq!(never, Vec::<String>::new(), "documented, but in no answer");
}
