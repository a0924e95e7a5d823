//! Tables of the catalog.

use super::{choice, list, number, object, of, text};
use serde_json::{Value, json};

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![("CatalogTable", table()), ("Figure", figure()), ("Source", source())]
}

fn table() -> Value {
    let mut schema = object(
        "One table of the catalog: its list, or two for clouds. Fields of a row that hold a figure are of the schema Figure",
        &[
            ("catalog_version", text("Year and month of the newest figure")),
            ("sources", list("The sources that this table cites", of("Source", "A source"))),
        ],
    );
    let rows = json!({ "type": "array", "items": { "type": "object" } });
    for name in ["accelerators", "fabrics", "models", "regions", "tiers", "providers", "offers"] {
        schema["properties"][name] = rows.clone();
    }
    schema
}

fn figure() -> Value {
    object(
        "A figure with its range and provenance; its unit is in the name of the field that holds it",
        &[
            ("value", number("The typical value")),
            ("low?", number("The low end, where known")),
            ("high?", number("The high end, where known")),
            ("source", text("Key into sources")),
            ("date", text("Date of the figure: 2026-09-01, 2026-09 or 2026")),
            ("confidence", choice("How far to trust it", &["high", "medium", "low"])),
            ("note?", text("A remark that a reader of the figure needs")),
        ],
    )
}

fn source() -> Value {
    object(
        "A source of figures",
        &[
            ("id", text("Key that figures cite")),
            ("title", text("Title for people")),
            ("url?", text("Address, where public")),
            ("license", text("License of the source, or what we may do with its values")),
        ],
    )
}
