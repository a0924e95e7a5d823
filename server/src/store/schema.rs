//! Which migrations a database has, and bringing it up to date.

use super::{Store, StoreError, statements};
use sqlx::migrate::{MigrateError, Migrator};
use sqlx::sqlite::SqliteConnection;

static MIGRATOR: Migrator = sqlx::migrate!("../migrations");

/// How the schema of a database stands to this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// All migrations are applied.
    Current {
        /// Version of the newest.
        version: i64,
    },
    /// Some are missing.
    Pending {
        /// Their versions.
        versions: Vec<i64>,
    },
    /// The database was written by a newer program: this one must not touch it.
    Newer {
        /// Version of the database.
        database: i64,
        /// Newest version that this program knows.
        program: i64,
    },
    /// An applied migration differs from the one in this program, or was left half done.
    Altered {
        /// Its version.
        version: i64,
    },
}

impl std::fmt::Display for SchemaState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Current { version } => write!(f, "schema {version}, up to date"),
            Self::Pending { versions } => write!(
                f,
                "{} migration(s) are pending; run `clusterwright migrate` (after a backup), or start with `clusterwright serve --migrate`",
                versions.len()
            ),
            Self::Newer { database, program } => write!(
                f,
                "the database has schema {database} and this program knows up to {program}; start the newer program, or restore a backup"
            ),
            Self::Altered { version } => {
                write!(
                    f,
                    "migration {version} in the database is not the one in this program; restore a backup or use the program that made it"
                )
            }
        }
    }
}

/// How the schema of an open database stands to this program.
pub(super) async fn schema_of(connection: &mut SqliteConnection) -> Result<SchemaState, StoreError> {
    let program = MIGRATOR.iter().map(|m| m.version).max().unwrap_or(0);
    let tables: i64 = sqlx::query_scalar(statements::HAS_MIGRATIONS).fetch_one(&mut *connection).await?;
    let applied: Vec<(i64, bool, Vec<u8>)> = match tables {
        0 => Vec::new(),
        _ => sqlx::query_as(statements::APPLIED_MIGRATIONS).fetch_all(&mut *connection).await?,
    };
    if let Some((database, ..)) = applied.last().filter(|(version, ..)| *version > program) {
        return Ok(SchemaState::Newer { database: *database, program });
    }
    for (version, success, checksum) in &applied {
        let same = MIGRATOR.iter().any(|m| m.version == *version && *m.checksum == **checksum);
        if !success || !same {
            return Ok(SchemaState::Altered { version: *version });
        }
    }
    let versions: Vec<i64> =
        MIGRATOR.iter().map(|m| m.version).filter(|v| !applied.iter().any(|(a, ..)| a == v)).collect();
    if versions.is_empty() {
        Ok(SchemaState::Current { version: program })
    } else {
        Ok(SchemaState::Pending { versions })
    }
}

impl Store {
    /// How the schema stands to this program.
    ///
    /// # Errors
    /// The database can't be read.
    pub async fn schema(&self) -> Result<SchemaState, StoreError> {
        schema_of(&mut *self.read().acquire().await?).await
    }

    /// Applies the migrations that are missing.
    ///
    /// # Errors
    /// One of them fails, or the database is newer than this program.
    pub async fn migrate(&self) -> Result<(), MigrateError> {
        MIGRATOR.run(&self.writer).await
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::fresh;
    use super::*;
    use crate::auth::secret::OwnerToken;

    #[tokio::test]
    async fn an_empty_database_is_pending_and_a_migrated_one_is_current() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let store = Store::open_or_create(&directory.path().join("t.sqlite")).await.expect("opens");
        assert!(matches!(store.schema().await, Ok(SchemaState::Pending { .. })));
        store.migrate().await.expect("migrates");
        assert!(matches!(store.schema().await, Ok(SchemaState::Current { .. })));
        store.migrate().await.expect("a second time changes nothing");
    }

    #[tokio::test]
    async fn a_newer_database_is_recognized() {
        let (_directory, store) = fresh().await;
        sqlx::query("INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (9999, 'x', 1, x'00', 0)")
            .execute(&store.writer)
            .await
            .expect("inserted");
        assert!(matches!(store.schema().await, Ok(SchemaState::Newer { database: 9999, .. })));
        assert!(store.migrate().await.is_err());
    }

    #[tokio::test]
    async fn an_altered_migration_is_recognized() {
        let (_directory, store) = fresh().await;
        sqlx::query("UPDATE _sqlx_migrations SET checksum = x'00' WHERE version = 1")
            .execute(&store.writer)
            .await
            .expect("updated");
        assert_eq!(store.schema().await.ok(), Some(SchemaState::Altered { version: 1 }));
    }

    /// What people saved before there were accounts is theirs afterwards.
    #[tokio::test]
    async fn scenarios_of_the_first_schema_keep_their_browsers() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let store = Store::open_or_create(&directory.path().join("t.sqlite")).await.expect("opens");
        let first: Vec<_> = MIGRATOR.iter().take(1).cloned().collect();
        Migrator::with_migrations(first).run(&store.writer).await.expect("migrates");
        let later: Vec<i64> = MIGRATOR.iter().skip(1).map(|migration| migration.version).collect();
        assert_eq!(store.schema().await.ok(), Some(SchemaState::Pending { versions: later }));
        let token = OwnerToken::random().expect("random").hash();
        sqlx::query("INSERT INTO owner (token_hash, created_at) VALUES (?1, 1)")
            .bind(token.as_bytes())
            .execute(&store.writer)
            .await
            .expect("inserted");
        sqlx::query(
            "INSERT INTO scenario (public_id, owner_id, name, headline, query, request, plan, engine_version, catalog_version, created_at, updated_at)
             VALUES ('abcdefghijkl', 1, 'Kept', 'h', 'q', '{}', '{}', '1', '1', 1, 1)",
        )
        .execute(&store.writer)
        .await
        .expect("inserted");
        store.migrate().await.expect("migrates");
        let owner = store.owner(token).await.expect("reads").expect("there");
        let kept: Vec<_> = store.scenarios(owner).await.expect("reads").into_iter().map(|s| s.name).collect();
        assert_eq!(kept, ["Kept"]);
    }
}
