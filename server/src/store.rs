//! The SQLite store: one writer, several readers, and what each aggregate keeps.
//!
//! Only this module and its children speak SQL. It decides nothing about who may: that is the service layer.

pub mod accounts;
pub mod audit;
pub mod backup;
pub mod data;
pub mod idempotency;
pub mod invitations;
pub mod links;
pub mod quotes;
pub mod scenarios;
mod schema;
pub mod sessions;
mod statements;
pub mod teams;
pub mod tokens;
pub mod versions;

pub use schema::SchemaState;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection, Sqlite, Transaction};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a statement waits for a lock, and a caller for a connection.
const PATIENCE: Duration = Duration::from_secs(5);
const READERS: u32 = 4;

/// Why the store could not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Locked, full, or out of connections: nothing was lost, and trying again may work.
    #[error("the database is busy or full: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// Anything else that the database said.
    #[error("the database failed: {0}")]
    Database(#[source] sqlx::Error),
    /// What was stored can't be read back.
    #[error("a stored value can't be read: {0}")]
    Corrupt(#[source] serde_json::Error),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let passing = match &error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => true,
            // primary result codes of SQLite: 5 busy, 6 locked, 8 read-only, 10 I/O, 13 full
            sqlx::Error::Database(inner) => inner
                .code()
                .and_then(|code| code.parse::<i64>().ok())
                .is_some_and(|code| matches!(code & 0xff, 5 | 6 | 8 | 10 | 13)),
            _ => false,
        };
        if passing { Self::Unavailable(error) } else { Self::Database(error) }
    }
}

/// Why the store could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no file.
    #[error("there is no database at {}; create it with `clusterwright migrate`, or start with `clusterwright serve --migrate`", .0.display())]
    Missing(PathBuf),
    /// The directory or the file can't be made.
    #[error("can't create {}: {source}", .path.display())]
    Create {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// SQLite refuses it.
    #[error("can't open {}: {source}", .path.display())]
    Open {
        /// Which.
        path: PathBuf,
        /// Why.
        source: sqlx::Error,
    },
}

/// The open database.
#[derive(Clone, Debug)]
pub struct Store {
    // one connection: SQLite has one writer anyway, and a queue of ours is fairer than its busy handler
    writer: SqlitePool,
    readers: SqlitePool,
}

impl Store {
    /// Opens a database that exists.
    ///
    /// # Errors
    /// The file is missing or can't be opened.
    pub async fn open(path: &Path) -> Result<Self, OpenError> {
        if !path.exists() {
            return Err(OpenError::Missing(path.to_owned()));
        }
        Self::connect(path).await
    }

    /// Opens a database, and creates the file and its directory where there is none.
    ///
    /// # Errors
    /// The file can't be created or opened.
    pub async fn open_or_create(path: &Path) -> Result<Self, OpenError> {
        create(path)?;
        Self::connect(path).await
    }

    async fn connect(path: &Path) -> Result<Self, OpenError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(false)
            .foreign_keys(true)
            .busy_timeout(PATIENCE)
            .journal_mode(SqliteJournalMode::Wal)
            // writes are few and are what people keep: what was acknowledged survives a power cut
            .synchronous(SqliteSynchronous::Full)
            .pragma("trusted_schema", "OFF")
            .pragma("temp_store", "MEMORY");
        let open = |source| OpenError::Open { path: path.to_owned(), source };
        // the writer first: it makes the files of the write-ahead log that readers need
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .min_connections(1)
            .acquire_timeout(PATIENCE)
            .after_release(|connection, _| Box::pin(is_reusable(connection)))
            .connect_with(options.clone().optimize_on_close(true, None))
            .await
            .map_err(open)?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(PATIENCE)
            .connect_with(options.read_only(true))
            .await
            .map_err(open)?;
        Ok(Self { writer, readers })
    }

    /// A transaction that may write. It takes the lock at once: one that started as a reader and then wrote
    /// would fail without waiting.
    pub(crate) async fn write(&self) -> Result<Transaction<'static, Sqlite>, StoreError> {
        Ok(self.writer.begin_with("BEGIN IMMEDIATE").await?)
    }

    pub(crate) fn read(&self) -> &SqlitePool {
        &self.readers
    }

    /// Both pools answer, and the write lock can be had; how the schema stands to this program.
    ///
    /// # Errors
    /// One of them does not.
    pub async fn ping(&self) -> Result<SchemaState, StoreError> {
        let schema = self.schema().await?;
        self.write().await?.rollback().await?;
        Ok(schema)
    }

    /// Each pool with its connections: open ones, and those of them that nobody uses.
    pub fn connections(&self) -> [(&'static str, i64, i64); 2] {
        [("writer", &self.writer), ("readers", &self.readers)].map(|(name, pool)| {
            let idle = i64::try_from(pool.num_idle()).unwrap_or(i64::MAX);
            // the two are read one after the other
            (name, i64::from(pool.size()).max(idle), idle)
        })
    }

    /// Lets go of the files, with the write-ahead log folded into the database.
    pub async fn close(&self) {
        self.readers.close().await;
        if let Err(error) = sqlx::query(statements::CHECKPOINT).execute(&self.writer).await {
            tracing::warn!(%error, "the write-ahead log stays for the next start");
        }
        self.writer.close().await;
    }
}

/// SQLite ends a transaction by itself where the disk is full or fails; the ROLLBACK that follows then fails too, and
/// leaves a connection that takes no other transaction. It is replaced.
async fn is_reusable(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    // what was dropped is rolled back when its turn has come: this waits for it
    connection.ping().await?;
    Ok(!connection.is_in_transaction())
}

/// Makes the file with access for its owner only: it holds people's plans.
fn create(path: &Path) -> Result<(), OpenError> {
    let failed = |source| OpenError::Create { path: path.to_owned(), source };
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).map_err(failed)?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map(drop).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::{Executor, SqlSafeStr};

    /// A migrated database in a directory of its own.
    pub(crate) async fn fresh() -> (tempfile::TempDir, Store) {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let store = Store::open_or_create(&directory.path().join("t.sqlite")).await.expect("opens");
        store.migrate().await.expect("migrates");
        (directory, store)
    }

    #[tokio::test]
    async fn every_statement_can_be_prepared() {
        let (_directory, store) = fresh().await;
        let mut connection = store.writer.acquire().await.expect("a connection");
        let mut refused = Vec::new();
        let accounts = [accounts::ALL, sessions::ALL, teams::ALL, invitations::ALL, audit::ALL, data::ALL, tokens::ALL];
        let all = [statements::ALL, scenarios::ALL, versions::ALL, links::ALL, quotes::ALL, idempotency::ALL]
            .into_iter()
            .chain(accounts);
        for sql in all.flatten() {
            refused.extend(connection.prepare(sql.into_sql_str()).await.err().map(|error| format!("{sql}: {error}")));
        }
        assert_eq!(refused, Vec::<String>::new());
    }

    #[tokio::test]
    async fn readers_can_not_write() {
        let (_directory, store) = fresh().await;
        let written = sqlx::query("INSERT INTO owner (token_hash, created_at) VALUES (zeroblob(32), 1)")
            .execute(&store.readers)
            .await;
        assert!(written.is_err());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn only_its_owner_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let (directory, _store) = fresh().await;
        let mode = std::fs::metadata(directory.path().join("t.sqlite")).expect("there").permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
}
