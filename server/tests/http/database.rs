//! Looks into a database file beside the program.

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Row};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

pub async fn open(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).create_if_missing(false).connect().await.unwrap()
}

/// SQLite finds nothing wrong.
pub async fn assert_sound(path: &Path) {
    let mut connection = open(path).await;
    let faults: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check").fetch_all(&mut connection).await.unwrap();
    assert_eq!(faults, ["ok"]);
    let orphans = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut connection).await.unwrap();
    assert!(orphans.is_empty());
}

/// Names of all scenarios by public id.
pub async fn scenarios(path: &Path) -> HashMap<String, String> {
    let rows: Vec<(String, String)> =
        sqlx::query_as("SELECT public_id, name FROM scenario").fetch_all(&mut open(path).await).await.unwrap();
    rows.into_iter().collect()
}

/// Everything in a database: each row of each table as text.
pub async fn dump(path: &Path) -> BTreeMap<String, Vec<String>> {
    let mut connection = open(path).await;
    let tables: Vec<(String, String)> = sqlx::query_as("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
        .fetch_all(&mut connection)
        .await
        .unwrap();
    let mut all = BTreeMap::new();
    for (name, sql) in tables {
        let mut rows = vec![sql.clone()];
        if sql.starts_with("CREATE TABLE") {
            let columns: Vec<String> = sqlx::query_scalar("SELECT name FROM pragma_table_info(?1)")
                .bind(&name)
                .fetch_all(&mut connection)
                .await
                .unwrap();
            let quoted: Vec<String> = columns.iter().map(|column| format!("quote(\"{column}\")")).collect();
            let query = format!("SELECT {} FROM \"{name}\" ORDER BY 1, rowid", quoted.join(" || '|' || "));
            let found = sqlx::query(AssertSqlSafe(query)).fetch_all(&mut connection).await.unwrap();
            rows.extend(found.iter().map(|row| row.get::<String, _>(0)));
        }
        all.insert(name, rows);
    }
    all
}
