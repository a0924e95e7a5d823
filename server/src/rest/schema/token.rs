//! What a token is.

use super::{choice, list, object, text};
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    let team = object("A team", &[("id", text("Public id")), ("name", text("Name"))]);
    let token = object(
        "A token",
        &[
            ("name", text("Name that its maker gave")),
            ("scopes", list("What it is for; write is read too", choice("A scope", &["read", "write"]))),
            ("expires_at", text("When it ends, ISO 8601 UTC")),
        ],
    );
    let role = choice("Role in the team now: never more than its maker's, nor than editor", &["viewer", "editor"]);
    vec![("Me", object("What a token is for", &[("team", team), ("role", role), ("token", token)]))]
}
