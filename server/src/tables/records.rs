//! Tables as JSON: a list of rows, each an object by column, as spreadsheets and scripts take them in.

use super::{Cell, Table};
use serde_json::{Map, Value, json};

/// The rows of a table.
pub fn records(table: &Table) -> Value {
    let row = |cells: &Vec<Cell>| -> Value {
        let fields = table.columns.iter().zip(cells).map(|(column, cell)| {
            let value = match cell.settled(column.kind) {
                Cell::Empty => Value::Null,
                Cell::Text(text) => json!(text),
                Cell::Flag(flag) => json!(flag),
                Cell::Integer(whole) => json!(whole),
                Cell::Number(number) => json!(number),
            };
            (column.name.to_string(), value)
        });
        Value::Object(fields.collect::<Map<_, _>>())
    };
    Value::Array(table.rows.iter().map(row).collect())
}
