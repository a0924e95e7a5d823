//! `/catalog/{table}`: what the engine knows of the world, each figure with its source, date and confidence.

use super::etag::Tagged;
use super::problem::ApiProblem;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use engine::FieldProblem;
use engine::catalog::Catalog;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The tables that there are.
pub const TABLES: [&str; 10] =
    ["accelerators", "fabrics", "clouds", "models", "regions", "tiers", "network", "storage", "racks", "costs"];

/// A catalog is embedded in the program: it changes with a release, and callers ask whether it did.
const CACHE_CONTROL: &str = "public, max-age=300, must-revalidate";

static ANSWERS: LazyLock<BTreeMap<&'static str, Tagged>> = LazyLock::new(|| {
    TABLES
        .into_iter()
        .map(|table| (table, Tagged::new(text(Catalog::get(), table), "application/json", CACHE_CONTROL)))
        .collect()
});

/// One table of the catalog
///
/// Each figure carries `source` (a key into `sources` of the same answer), `date` and `confidence`. A figure that is
/// absent is unknown, never zero. `clouds` holds `providers` and `offers`, `network` holds `switches`, `nics` and
/// `optics`; each other table holds a list, or for `storage`, `racks` and `costs` an object, of its name.
#[utoipa::path(get, path = "/catalog/{table}", operation_id = "getCatalog", tag = "Catalog",
    params(("table" = String, Path, description = "Name of the table")),
    responses(
        (status = 200, description = "The table", body = ref("#/components/schemas/CatalogTable")),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag"),
        (status = 404, description = "There is no such table", body = ref("#/components/schemas/Problem"), content_type = "application/problem+json")))]
pub async fn get_catalog(Path(table): Path<String>, headers: HeaderMap) -> Result<Response, ApiProblem> {
    match ANSWERS.get(table.as_str()) {
        Some(answer) => Ok(answer.respond(&headers)),
        None => Err(unknown(&table)),
    }
}

fn unknown(table: &str) -> ApiProblem {
    let shown: String = table.chars().take(60).collect();
    let message = format!("there is no catalog table `{shown}`; there are {}", TABLES.join(", "));
    ApiProblem::new(StatusCode::NOT_FOUND, "not_found", message.clone()).with(FieldProblem::new(
        "",
        "unknown_id",
        message,
    ))
}

fn text(catalog: &Catalog, table: &str) -> String {
    let lists = match table {
        "accelerators" => vec![(table, json(&catalog.accelerators))],
        "fabrics" => vec![(table, json(&catalog.fabrics))],
        "models" => vec![(table, json(&catalog.models))],
        "regions" => vec![(table, json(&catalog.regions))],
        "tiers" => vec![(table, json(&catalog.tiers))],
        "storage" => vec![(table, json(&catalog.storage))],
        "racks" => vec![(table, json(&catalog.racks))],
        "costs" => vec![(table, json(&catalog.costs))],
        "network" => vec![
            ("switches", json(&catalog.switches)),
            ("nics", json(&catalog.nics)),
            ("optics", json(&catalog.optics)),
        ],
        _ => vec![("providers", json(&catalog.providers)), ("offers", json(&catalog.offers))],
    };
    let mut lists: Map<String, Value> = lists.into_iter().map(|(name, list)| (name.to_owned(), list)).collect();
    let mut cited = BTreeSet::new();
    lists.values().for_each(|list| collect_sources(list, &mut cited));
    let sources: Vec<_> = catalog.sources.iter().filter(|source| cited.contains(source.id.as_str())).collect();
    lists.insert("catalog_version".into(), Value::String(catalog.version.clone()));
    lists.insert("sources".into(), json(&sources));
    Value::Object(lists).to_string()
}

/// Sources that a table cites, so that a reader needs no second request.
fn collect_sources(value: &Value, cited: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_sources(item, cited)),
        Value::Object(fields) => {
            if let Some(Value::String(source)) = fields.get("source") {
                cited.insert(source.clone());
            }
            fields.values().for_each(|field| collect_sources(field, cited));
        }
        _ => {}
    }
}

fn json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cited_source_is_in_the_answer() {
        for table in TABLES {
            let answer: Value = serde_json::from_str(&text(Catalog::get(), table)).expect("JSON");
            let mut cited = BTreeSet::new();
            collect_sources(&answer, &mut cited);
            let given: Vec<&str> =
                answer["sources"].as_array().expect("a list").iter().filter_map(|s| s["id"].as_str()).collect();
            assert!(cited.iter().all(|source| given.contains(&source.as_str())), "{table}: {cited:?} {given:?}");
        }
    }
}
