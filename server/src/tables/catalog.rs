//! Tables of the catalog: each list flat, a figure as its value with low, high, source, date and confidence beside it.

use super::{Cell, Column, Kind, Table, plain_name};
use serde_json::Value;

/// A list of the catalog as a table: a row for each entry.
pub fn list(name: &str, entries: &[Value]) -> Table {
    let mut columns: Vec<String> = Vec::new();
    let mut flat: Vec<Vec<(String, Cell)>> = Vec::new();
    for entry in entries {
        let mut cells = Vec::new();
        flatten("", entry, &mut cells);
        for (column, _) in &cells {
            if !columns.contains(column) {
                columns.push(column.clone());
            }
        }
        flat.push(cells);
    }
    // what names an entry comes first
    columns.sort_by_key(|column| match column.as_str() {
        "id" => 0,
        "label" | "title" => 1,
        _ => 2,
    });
    let rows = flat.iter().map(|cells| {
        let cell = |column: &String| cells.iter().find(|(name, _)| name == column).map(|(_, cell)| cell.clone());
        columns.iter().map(|column| cell(column).unwrap_or(Cell::Empty)).collect()
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    Table { name: name.to_owned().into(), columns: columns.into_iter().map(column).collect(), rows }
}

/// An object of the catalog as a table: a row for each of its figures.
pub fn object(name: &str, fields: &Value) -> Table {
    let mut figures = Vec::new();
    collect("", fields, &mut figures);
    list(name, &figures)
}

fn collect(prefix: &str, value: &Value, figures: &mut Vec<Value>) {
    let Value::Object(fields) = value else {
        figures.push(serde_json::json!({ "id": prefix, "value": value }));
        return;
    };
    if fields.contains_key("value") && fields.contains_key("source") {
        let mut figure = serde_json::json!({ "id": prefix });
        if let Some(all) = figure.as_object_mut() {
            all.extend(fields.clone());
        }
        figures.push(figure);
        return;
    }
    for (name, inner) in fields {
        let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        collect(&path, inner, figures);
    }
}

fn flatten(prefix: &str, value: &Value, cells: &mut Vec<(String, Cell)>) {
    let cell = match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let path = match (prefix, name.as_str()) {
                    ("", name) => plain_name(name),
                    // a figure's value has the figure's name
                    (prefix, "value") => prefix.to_owned(),
                    (prefix, name) => format!("{prefix}_{}", plain_name(name)),
                };
                flatten(&path, inner, cells);
            }
            return;
        }
        Value::Array(items) => {
            let texts: Vec<String> =
                items.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned)).collect();
            texts.join("; ").into()
        }
        single => Cell::of_single(single),
    };
    cells.push((prefix.to_owned(), cell));
}

fn column(name: String) -> Column {
    Column { label: name.clone().into(), name: name.into(), kind: Kind::Text }
}
