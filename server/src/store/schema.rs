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
    use crate::auth::secret::{OwnerToken, ShareToken};
    use crate::store::links::{LinkKey, LinkKind};

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
    async fn scenarios_and_links_of_the_first_schema_are_kept() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let store = Store::open_or_create(&directory.path().join("t.sqlite")).await.expect("opens");
        let first: Vec<_> = MIGRATOR.iter().take(1).cloned().collect();
        Migrator::with_migrations(first).run(&store.writer).await.expect("migrates");
        let versions = MIGRATOR.iter().skip(1).map(|m| m.version).collect();
        assert_eq!(store.schema().await.ok(), Some(SchemaState::Pending { versions }));
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
        let share = ShareToken::random().expect("random");
        sqlx::query(
            "INSERT INTO share_link (public_id, token_hash, scenario_id, name, plan, engine_version, catalog_version, frozen_at, views, created_at)
             VALUES ('mnopqrstuvwx', ?1, 1, 'As shared', '{}', '1', '1', 5, 3, 6)",
        )
        .bind(share.hash().as_bytes())
        .execute(&store.writer)
        .await
        .expect("inserted");
        store.migrate().await.expect("migrates");
        let owner = store.owner(token).await.expect("reads").expect("there");
        let link =
            store.open_link(LinkKey::Page(share.hash()), i64::MAX).await.expect("reads").expect("opens for good");
        assert_eq!((link.kind, link.name.as_str(), link.as_of), (LinkKind::Frozen, "As shared", 5));
        let kept: Vec<_> = store.scenarios(owner).await.expect("reads").into_iter().map(|s| s.name).collect();
        assert_eq!(kept, ["Kept"]);
    }

    /// What was saved before there were versions is the first version of its scenario.
    #[tokio::test]
    async fn scenarios_of_the_third_schema_become_first_versions() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let store = Store::open_or_create(&directory.path().join("t.sqlite")).await.expect("opens");
        let before: Vec<_> = MIGRATOR.iter().take(3).cloned().collect();
        Migrator::with_migrations(before).run(&store.writer).await.expect("migrates");
        for sql in [
            "INSERT INTO owner (id, token_hash, created_at, kind) VALUES (1, zeroblob(32), 1, 'browser'), (2, randomblob(32), 1, 'team')",
            "INSERT INTO scenario (id, public_id, owner_id, name, headline, query, request, plan, engine_version, catalog_version, version, created_at, updated_at)
             VALUES (1, 'abcdefghijkl', 1, 'Of a browser', 'h1', 'q1', '{\"a\":1}', '{\"p\":1}', '0.1', '2026-10', 1, 10, 10),
                    (2, 'abcdefghijkm', 2, 'Renamed twice', 'h2', 'q2', '{\"a\":2}', '{\"p\":2}', '0.2', '2026-11', 3, 20, 40)",
            "INSERT INTO share_link (public_id, token_hash, scenario_id, name, plan, engine_version, catalog_version, frozen_at, created_at)
             VALUES ('abcdefghijkn', zeroblob(32), 2, 'Shared', '{}', '0.2', '2026-11', 20, 30)",
        ] {
            sqlx::query(sql).execute(&store.writer).await.expect("inserted");
        }
        store.migrate().await.expect("migrates");
        for (id, public_id, author, edition) in [(1, "abcdefghijkl", "browser", 1), (2, "abcdefghijkm", "unknown", 3)] {
            let scenario = store.scenario(public_id).await.expect("reads").expect("there");
            assert_eq!((scenario.number, scenario.edition, scenario.frozen_at), (1, edition, scenario.created_at));
            assert_eq!((scenario.notes.as_str(), scenario.tags.0.len(), scenario.archived_at), ("", 0, None));
            let versions = store.versions(scenario.id).await.expect("reads");
            let [only] = versions.as_slice() else { panic!("{versions:?}") };
            assert_eq!((only.number, only.author.as_str(), only.reason.as_str()), (1, author, "saved"));
            assert_eq!(
                (only.headline.as_str(), only.query.as_str()),
                (format!("h{id}").as_str(), format!("q{id}").as_str())
            );
            assert_eq!(only.saved_at, scenario.created_at);
            let plan = store.version_plan(scenario.id, 1).await.expect("reads");
            assert_eq!(plan, Some(format!("{{\"p\":{id}}}")));
        }
        let links: i64 =
            sqlx::query_scalar("SELECT COUNT(*) FROM share_link").fetch_one(store.read()).await.expect("reads");
        assert_eq!(links, 1);
    }
}
