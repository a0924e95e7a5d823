//! `/catalog/{table}`: what the engine knows of the world, each figure with its source, date and confidence.

use super::checked;
use super::etag::Tagged;
use super::files::File;
use super::problem::ApiProblem;
use super::query::Query;
use crate::service::planning::Planning;
use crate::tables::{Table, catalog as tables};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use engine::FieldProblem;
use engine::catalog::Catalog;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The tables that there are.
pub const TABLES: [&str; 12] = [
    "accelerators",
    "fabrics",
    "clouds",
    "models",
    "regions",
    "tiers",
    "network",
    "storage",
    "racks",
    "costs",
    "rules",
    "reference-builds",
];

/// A catalog is embedded in the program: it changes with a release, and callers ask whether it did.
const CACHE_CONTROL: &str = "public, max-age=300, must-revalidate";

static ANSWERS: LazyLock<BTreeMap<&'static str, Tagged>> = LazyLock::new(|| {
    TABLES.into_iter().filter(|table| !checked::is_checked(table)).map(|table| (table, tagged(table))).collect()
});

static CHECKED: LazyLock<BTreeMap<&'static str, Tagged>> = LazyLock::new(|| {
    TABLES.into_iter().filter(|table| checked::is_checked(table)).map(|table| (table, tagged(table))).collect()
});

fn tagged(table: &str) -> Tagged {
    Tagged::new(text(Catalog::get(), table), "application/json", CACHE_CONTROL)
}

/// Lists that there are as CSV: `clouds` and `network` hold several, and each cites sources.
pub const LISTS: [&str; 17] = [
    "accelerators",
    "fabrics",
    "providers",
    "offers",
    "models",
    "regions",
    "tiers",
    "switches",
    "nics",
    "optics",
    "storage",
    "racks",
    "costs",
    "sources",
    "rules",
    "contradictions",
    "reference-builds",
];

/// One table of the catalog
///
/// With the ending `.csv` one list as CSV, such as `offers.csv`: a figure is a column of its name, with its low and high
/// end, source, date and confidence beside it.
///
/// Each figure carries `source` (a key into `sources` of the same answer), `date` and `confidence`. A figure that is
/// absent is unknown, never zero. `clouds` holds `providers` and `offers`, `network` holds `switches`, `nics` and
/// `optics`; each other table holds a list, or for `storage`, `racks` and `costs` an object, of its name. `rules` are
/// the rules of thumb of two field reports, checked, with their `groups` and the `contradictions` between them;
/// `reference-builds` are the clusters that the reports recommend, at today's cost.
#[utoipa::path(get, path = "/catalog/{table}", operation_id = "getCatalog", tag = "Catalog",
    params(("table" = String, Path, description = "Name of the table")),
    responses(
        (status = 200, description = "The table", content((ref("#/components/schemas/CatalogTable") = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The caller has it: its If-None-Match is the current ETag"),
        (status = 404, description = "There is no such table", content((ref("#/components/schemas/Problem") = "application/problem+json"), (String = "text/csv"))),
        (status = 422, description = "A choice of the CSV is none", content((ref("#/components/schemas/Problem") = "application/problem+json"), (String = "text/csv")))))]
pub async fn get_catalog(
    State(planning): State<Planning>,
    Path(table): Path<String>,
    mut query: Query,
    headers: HeaderMap,
) -> Result<Response, ApiProblem> {
    let is_checked = checked::is_checked(table.trim_end_matches(".csv"));
    if is_checked {
        // computed where it holds up nobody else; then it is kept
        planning.checked().await?;
    }
    if let Some(list) = table.strip_suffix(".csv") {
        let dialect = query.take_dialect()?;
        let flat = flat(Catalog::get(), list).ok_or_else(|| unknown(&table))?;
        return Ok(File::delimited(&flat, dialect, format!("catalog {list}"))?.respond(&headers));
    }
    let answers = if is_checked { &CHECKED } else { &ANSWERS };
    match answers.get(table.as_str()) {
        Some(answer) => Ok(answer.respond(&headers)),
        None => Err(unknown(&table)),
    }
}

/// One list as a table.
fn flat(catalog: &Catalog, list: &str) -> Option<Table> {
    let entries = match list {
        "accelerators" => json(&catalog.accelerators),
        "fabrics" => json(&catalog.fabrics),
        "providers" => json(&catalog.providers),
        "offers" => json(&catalog.offers),
        "models" => json(&catalog.models),
        "regions" => json(&catalog.regions),
        "tiers" => json(&catalog.tiers),
        "switches" => json(&catalog.switches),
        "nics" => json(&catalog.nics),
        "optics" => json(&catalog.optics),
        "storage" => json(&catalog.storage),
        "racks" => json(&catalog.racks),
        "costs" => json(&catalog.costs),
        "sources" => json(&catalog.sources),
        list => checked::flat(list)?,
    };
    Some(match &entries {
        Value::Array(entries) => tables::list(list, entries),
        fields => tables::object(list, fields),
    })
}

fn unknown(table: &str) -> ApiProblem {
    let shown: String = table.chars().take(60).collect();
    let known = match table.ends_with(".csv") {
        true => LISTS.map(|list| format!("{list}.csv")).join(", "),
        false => TABLES.join(", "),
    };
    let message = format!("there is no catalog table `{shown}`; there are {known}");
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
        "rules" | "reference-builds" => checked::lists(table),
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

pub(super) fn json<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_is_a_table() {
        for list in LISTS {
            let flat = flat(Catalog::get(), list).expect("a list");
            assert!(
                !flat.rows.is_empty() && (flat.columns[0].name == "id" || list == "offers"),
                "{list}: {:?}",
                flat.columns
            );
            assert!(flat.rows.iter().all(|row| row.len() == flat.columns.len()), "{list}");
        }
    }

    #[test]
    fn every_cited_source_is_in_the_answer() {
        // the terms of a calculation say in words where they come from
        for table in TABLES.into_iter().filter(|table| !checked::is_checked(table)) {
            let answer: Value = serde_json::from_str(&text(Catalog::get(), table)).expect("JSON");
            let mut cited = BTreeSet::new();
            collect_sources(&answer, &mut cited);
            let given: Vec<&str> =
                answer["sources"].as_array().expect("a list").iter().filter_map(|s| s["id"].as_str()).collect();
            assert!(cited.iter().all(|source| given.contains(&source.as_str())), "{table}: {cited:?} {given:?}");
        }
    }
}
