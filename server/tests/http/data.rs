//! One's own data: taken along as JSON, and deleted.

use crate::accounts::{PASSWORD, follow, save, signed_up};
use crate::database;
use crate::support::{Caller, Server};
use crate::teams::{field_values, joined, status};
use serde_json::Value;

async fn delete(caller: &mut Caller, password: &str) -> String {
    let answer = caller.post_form("/api/fn/delete_account", &[("delete_password", password)]).await;
    follow(caller, &answer).await
}

#[tokio::test]
async fn what_somebody_has_is_taken_along_as_json() {
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let id = save(&mut owner, "Plan A").await;
    let mut guest = joined(&server, &mut owner, "guest@a.b", "editor").await;
    save(&mut guest, "By the guest").await;
    let answer = owner.get("/account/export").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    assert!(answer.header("content-disposition").starts_with("attachment"));
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let data = answer.json();
    assert_eq!(data["email"], "owner@a.b");
    let names = |key: &str, field: &str| -> Vec<String> {
        data[key].as_array().unwrap().iter().map(|one: &Value| one[field].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("teams", "name"), ["Team of owner@a.b"]);
    assert_eq!(names("scenarios", "name"), ["Plan A", "By the guest"]);
    assert_eq!(names("done", "action"), ["made_team", "saved_scenario", "invited"]);
    assert_eq!(data["scenarios"][0]["id"], id.as_str());
    assert_eq!(data["scenarios"][0]["request"]["model"]["preset"], "llama-3.2-1b");
    assert_eq!(data["sessions"].as_array().unwrap().len(), 1);
    for secret in ["argon2", "guest@a.b", "password", owner.cookie("session").unwrap()] {
        assert!(!answer.text().contains(secret), "{secret}: {}", answer.text());
    }
    assert_eq!(server.caller().get("/account/export").await.status, 401);
    let led = server.caller().get_with("/account/export", &[("accept", "text/html")]).await;
    assert_eq!((led.status, led.header("location")), (302, "/log-in?next=%2Faccount"));
    assert_eq!(
        signed_up(&server, "x@a.b").await.get("/account/export").await.json()["scenarios"],
        serde_json::json!([])
    );
}

/// Whatever the database holds of an account or its teams is in what is taken along: a new table is either told there or
/// named here with why it is not.
#[tokio::test]
async fn nothing_that_an_account_holds_is_left_behind() {
    const TOLD: [(&str, &str); 11] = [
        ("account", "email"),
        ("session", "sessions"),
        ("team", "teams"),
        ("member", "teams"),
        ("scenario", "scenarios"),
        ("scenario_version", "scenarios"),
        ("share_link", "scenarios"),
        ("audit", "done"),
        ("api_token", "tokens"),
        ("quote", "price_book"),
        ("invitation", "invitations"),
    ];
    // owners are numbers, a reset link is a secret, and answers to programs repeat what they have made
    const NOT_TOLD: [&str; 3] = ["owner", "reset_link", "idempotency"];
    let server = Server::start().await;
    let mut owner = signed_up(&server, "owner@a.b").await;
    let id = save(&mut owner, "Plan A").await;
    owner.post_form("/api/fn/create_link", &[("scenario", &id), ("label", "for the bank")]).await;
    owner.post_form("/api/fn/create_invitation", &[("role", "viewer")]).await;
    let quote = [("key", "pue"), ("value", "1.15"), ("supplier", "Hall Ltd"), ("valid_until", "2099-12-31")];
    owner.post_form("/api/fn/put_quote", &quote).await;
    owner.post_form("/api/fn/remove_quote", &[("key", "pue"), ("version", "1")]).await;
    let data = owner.get("/account/export").await.json();
    let mut database = database::open(&server.config.database).await;
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_sqlx%' ESCAPE '\\'",
    )
    .fetch_all(&mut database)
    .await
    .unwrap();
    for table in tables {
        let told = TOLD.iter().find(|(known, _)| *known == table).map(|(_, key)| *key);
        assert!(told.is_some() || NOT_TOLD.contains(&table.as_str()), "{table} is neither told nor excused");
        assert!(told.is_none_or(|key| !data[key].is_null()), "{table}");
    }
    let book = data["price_book"].as_array().unwrap();
    assert_eq!(book.len(), 2, "with its history");
    assert_eq!((book[0]["supplier"].as_str(), book[0]["value"].as_f64()), (Some("Hall Ltd"), Some(1.15)));
    assert_eq!((&book[1]["value"], &book[1]["changed_by_you"]), (&Value::Null, &Value::Bool(true)));
    assert_eq!(data["scenarios"][0]["links"][0]["label"], "for the bank");
    assert_eq!(data["invitations"][0]["role"], "viewer");
}

#[tokio::test]
async fn a_deleted_account_leaves_nothing_and_takes_nothing_from_others() {
    let server = Server::start().await;
    let mut ada = signed_up(&server, "ada@a.b").await;
    let shared = save(&mut ada, "Shared with Eva").await;
    let mut eva = joined(&server, &mut ada, "eva@a.b", "viewer").await;
    ada.post_form("/api/fn/create_team", &[("name", "Alone")]).await;
    let alone = save(&mut ada, "Only mine").await;
    ada.post_form("/api/fn/create_link", &[("scenario", &alone)]).await;
    let page = ada.browse(&format!("/scenarios/{alone}")).await.text();
    let token: String = page.split("/s/").nth(1).unwrap().chars().take(27).collect();
    assert_eq!(server.caller().get(&format!("/s/{token}")).await.status, 200);

    assert!(delete(&mut ada, "wrong password").await.contains("This is not your password."));
    let refused = delete(&mut ada, PASSWORD).await;
    assert!(refused.contains("“Team of ada@a.b” has other members and no other owner."), "{refused}");
    assert_eq!(ada.get(&format!("/scenarios/{alone}")).await.status, 200, "nothing was deleted");

    let teams = field_values(&ada.browse("/team").await.text(), "input[name='team']");
    ada.post_form("/api/fn/switch_team", &[("team", &teams[0])]).await;
    let members =
        field_values(&ada.browse("/team").await.text(), "form[action='/api/fn/change_role'] input[name='member']");
    assert_eq!(status(&ada, "/api/fn/change_role", &[("member", &members[1]), ("role", "owner")]).await, 200);
    let copy = ada.clone();
    let deleted = delete(&mut ada, PASSWORD).await;
    assert!(deleted.contains("Your account and what belonged to it alone are deleted."), "{deleted}");
    assert_eq!(copy.get("/account").await.status, 401);
    assert_eq!(server.caller().get(&format!("/s/{token}")).await.status, 404);
    let again = [("email", "ada@a.b"), ("password", PASSWORD)];
    assert_eq!(status(&server.caller(), "/api/fn/log_in", &again).await, 422);

    assert_eq!(eva.browse(&format!("/scenarios/{shared}")).await.status, 200, "Eva is an owner now");
    let page = eva.browse("/team").await.text();
    assert!(page.contains("Someone whose account is deleted") && !page.contains("ada@a.b"), "{page}");
    let mut database = database::open(&server.config.database).await;
    for (table, rows) in
        [("account", 1), ("session", 1), ("scenario", 1), ("share_link", 0), ("team", 2), ("member", 2)]
    {
        let sql = sqlx::AssertSqlSafe(format!("SELECT COUNT(*) FROM {table}"));
        let count: i64 = sqlx::query_scalar(sql).fetch_one(&mut database).await.unwrap();
        assert_eq!(count, rows, "{table}");
    }
    let orphans = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut database).await.unwrap();
    assert!(orphans.is_empty());
}
