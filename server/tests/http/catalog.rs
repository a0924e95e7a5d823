//! `/catalog/{table}`.

use crate::support::Server;
use serde_json::{Map, Value};

const TABLES: [(&str, &[&str]); 12] = [
    ("accelerators", &["accelerators"]),
    ("fabrics", &["fabrics"]),
    ("clouds", &["providers", "offers"]),
    ("models", &["models"]),
    ("regions", &["regions"]),
    ("tiers", &["tiers"]),
    ("network", &["switches", "nics", "optics"]),
    ("storage", &["storage"]),
    ("racks", &["racks"]),
    ("costs", &["costs"]),
    ("rules", &["groups", "rules", "contradictions"]),
    ("reference-builds", &["reference_builds"]),
];

/// What is computed from the figures of the others.
const COMPUTED: [&str; 2] = ["rules", "reference-builds"];

#[tokio::test]
async fn each_table_has_rows_version_and_sources() {
    let server = Server::start().await;
    for (table, lists) in TABLES {
        let answer = server.caller().get(&format!("/api/v1/catalog/{table}")).await;
        assert_eq!(answer.status, 200, "{table}");
        let value = answer.json();
        assert!(value["catalog_version"].is_string() && value["sources"].is_array(), "{table}");
        for list in lists {
            let content = &value[list];
            let is_empty = content.as_array().map_or(content.as_object().is_none_or(Map::is_empty), Vec::is_empty);
            assert!(!is_empty, "{table}: {list}");
        }
        assert_eq!(value.as_object().map(Map::len), Some(lists.len() + 2), "{table}: nothing else");
    }
}

#[tokio::test]
async fn each_figure_has_source_date_and_confidence() {
    fn check(path: &str, value: &Value) {
        match value {
            Value::Array(items) => items.iter().enumerate().for_each(|(i, item)| check(&format!("{path}/{i}"), item)),
            Value::Object(fields) => {
                if fields.contains_key("value") {
                    for key in ["source", "date", "confidence"] {
                        assert!(fields.get(key).is_some_and(Value::is_string), "{path}: {key}");
                    }
                }
                fields.iter().for_each(|(name, field)| check(&format!("{path}/{name}"), field));
            }
            _ => {}
        }
    }
    let server = Server::start().await;
    for (table, _) in TABLES.into_iter().filter(|(table, _)| !COMPUTED.contains(table)) {
        check(table, &server.caller().get(&format!("/api/v1/catalog/{table}")).await.json());
    }
}

#[tokio::test]
async fn who_has_it_gets_304() {
    let server = Server::start().await;
    let caller = server.caller();
    for path in ["/api/v1/catalog/accelerators", "/api/v1/openapi.json"] {
        let first = caller.get(path).await;
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with('"') && tag.len() > 10, "{tag}");
        assert!(first.header("cache-control").contains("max-age"));
        let again = caller.get_with(path, &[("if-none-match", &tag)]).await;
        assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, tag.as_str()));
        assert_eq!(caller.get_with(path, &[("if-none-match", "\"other\"")]).await.status, 200);
    }
}

#[tokio::test]
async fn large_answers_are_compressed_when_asked() {
    let server = Server::start().await;
    let caller = server.caller();
    let plain = caller.get("/api/v1/catalog/models").await;
    assert_eq!(plain.header("content-encoding"), "");
    for encoding in ["gzip", "br"] {
        let packed = caller.get_with("/api/v1/catalog/models", &[("accept-encoding", encoding)]).await;
        assert_eq!(packed.header("content-encoding"), encoding);
        assert!(packed.body.len() * 3 < plain.body.len(), "{encoding}");
        assert!(packed.header("vary").to_ascii_lowercase().contains("accept-encoding"));
    }
}
