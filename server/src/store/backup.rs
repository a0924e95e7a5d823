//! Copies of the database: taken while it serves, and put back.

use super::schema::{SchemaState, schema_of};
use super::{StoreError, statements};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions, Connection};
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a restore waits for others to let go of the database.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why there is no copy.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file that is to be read is missing.
    #[error("there is no database at {}", .0.display())]
    Missing(PathBuf),
    /// The file that is to be written is there.
    #[error("{} is there already; name another file, or move it away", .0.display())]
    Exists(PathBuf),
    /// The database is there, and would be lost.
    #[error("{} is there already and would be lost; take a backup of it first, then restore with --force", .0.display())]
    WouldOverwrite(PathBuf),
    /// A server has the database open.
    #[error("{} is open in another program; stop the server, then restore", .0.display())]
    InUse(PathBuf),
    /// What is to be restored has not all of its data in it.
    #[error("{} is a live database: part of it is in the -wal file beside it. Restore a file that `clusterwright backup` wrote", .0.display())]
    Live(PathBuf),
    /// The copy is not a database of ours, or not of this program.
    #[error("{} can't be used: {reason}", .path.display())]
    Unusable {
        /// Which.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// A file can't be read or written.
    #[error("can't write {}: {source}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The database fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whether a database that is there may be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// It may not.
    Keep,
    /// It may.
    Overwrite,
}

/// Writes a copy of a database as it is at one instant, while others write to it. The copy appears whole and checked,
/// or not at all.
///
/// # Errors
/// The file is there, can't be written, or the database fails.
pub async fn backup(database: &Path, target: &Path) -> Result<SchemaState, BackupError> {
    if !database.is_file() {
        return Err(BackupError::Missing(database.to_owned()));
    }
    if target.exists() {
        return Err(BackupError::Exists(target.to_owned()));
    }
    let partial = Partial::beside(target)?;
    let mut live = open(database, SqliteConnectOptions::new().read_only(true)).await?;
    let copied = sqlx::query(statements::COPY).bind(partial.path.to_string_lossy()).execute(&mut live).await;
    drop(live.close().await);
    copied.map_err(StoreError::from)?;
    let schema = check(&partial.path).await?;
    partial.take_place_of(target)?;
    Ok(schema)
}

/// Puts a copy in the place of a database. The database is the old one or the new one at every instant.
///
/// # Errors
/// The copy can't be used, or the database is there or in use.
pub async fn restore(database: &Path, source: &Path, existing: Existing) -> Result<SchemaState, BackupError> {
    if !source.is_file() {
        return Err(BackupError::Missing(source.to_owned()));
    }
    if beside(source, "-wal").metadata().is_ok_and(|log| log.len() > 0) {
        return Err(BackupError::Live(source.to_owned()));
    }
    if database.exists() && existing == Existing::Keep {
        return Err(BackupError::WouldOverwrite(database.to_owned()));
    }
    // a new machine has no directory for it yet
    if let Some(parent) = database.parent() {
        std::fs::create_dir_all(parent).map_err(|source| BackupError::File { path: parent.to_owned(), source })?;
    }
    let partial = Partial::beside(database)?;
    partial.fill_from(source)?;
    let schema = check(&partial.path).await.map_err(|error| match error {
        BackupError::Unusable { reason, .. } => BackupError::Unusable { path: source.to_owned(), reason },
        other => other,
    })?;
    if database.exists() {
        fold(database).await?;
    }
    partial.take_place_of(database)?;
    Ok(schema)
}

/// The copy is whole and of this program or an earlier one.
async fn check(path: &Path) -> Result<SchemaState, BackupError> {
    let unusable = |reason: String| BackupError::Unusable { path: path.to_owned(), reason };
    // nobody else has it, and it is to stay one file
    let mut copy = open(path, SqliteConnectOptions::new().read_only(true).immutable(true)).await?;
    let faults = sqlx::query_scalar::<_, String>(statements::INTEGRITY).fetch_all(&mut copy).await;
    let orphans = sqlx::query(statements::FOREIGN_KEYS).fetch_all(&mut copy).await;
    let schema = schema_of(&mut copy).await;
    drop(copy.close().await);
    let faults = faults.map_err(|error| unusable(format!("it is no database ({error})")))?;
    if faults != ["ok"] {
        return Err(unusable(format!("it is damaged: {}", faults.join("; "))));
    }
    if !orphans.map_err(|error| unusable(error.to_string()))?.is_empty() {
        return Err(unusable("it is damaged: rows refer to others that are missing".into()));
    }
    match schema.map_err(|error| unusable(error.to_string()))? {
        bad @ (SchemaState::Newer { .. } | SchemaState::Altered { .. }) => Err(unusable(bad.to_string())),
        SchemaState::Pending { ref versions } if versions.first().is_some_and(|first| *first == 1) => {
            Err(unusable("it is no database of Clusterwright".into()))
        }
        good => Ok(good),
    }
}

/// Folds the write-ahead log of a database into it, which only who has it alone can do. A log that stayed behind would
/// be taken for that of the new database. One that is too damaged to be opened has nothing to fold.
async fn fold(database: &Path) -> Result<(), BackupError> {
    let folded = async {
        let mut old = open(database, SqliteConnectOptions::new().busy_timeout(PATIENCE)).await?;
        let mode = sqlx::query_scalar::<_, String>(statements::FOLD).fetch_one(&mut old).await;
        drop(old.close().await);
        mode.map_err(StoreError::from)
    };
    match folded.await {
        Ok(mode) if mode == "delete" => {}
        Ok(_) | Err(StoreError::Unavailable(_)) => return Err(BackupError::InUse(database.to_owned())),
        Err(error) => tracing::warn!(%error, "the database that is replaced is damaged"),
    }
    for left in ["-wal", "-shm"].map(|suffix| beside(database, suffix)) {
        match std::fs::remove_file(&left) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                return Err(BackupError::File { path: left, source });
            }
            _ => {}
        }
    }
    Ok(())
}

async fn open(path: &Path, options: SqliteConnectOptions) -> Result<SqliteConnection, StoreError> {
    Ok(options.filename(path).create_if_missing(false).disable_statement_logging().connect().await?)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// A file that is being written under another name; gone when dropped.
struct Partial {
    path: PathBuf,
}

impl Partial {
    /// An empty one, for its owner only: it holds people's plans.
    fn beside(target: &Path) -> Result<Self, BackupError> {
        let path = beside(target, &format!(".{}.partial", std::process::id()));
        let failed = |source| BackupError::File { path: path.clone(), source };
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path).map_err(failed)?;
        Ok(Self { path })
    }

    fn fill_from(&self, source: &Path) -> Result<(), BackupError> {
        let copied = || {
            let mut from = File::open(source)?;
            std::io::copy(&mut from, &mut OpenOptions::new().write(true).open(&self.path)?)
        };
        copied().map(drop).map_err(|source| BackupError::File { path: self.path.clone(), source })
    }

    /// Takes its place, on disk before it is named.
    fn take_place_of(self, target: &Path) -> Result<(), BackupError> {
        let renamed = || {
            File::open(&self.path)?.sync_all()?;
            std::fs::rename(&self.path, target)?;
            let directory = target.parent().filter(|parent| !parent.as_os_str().is_empty());
            File::open(directory.unwrap_or(Path::new(".")))?.sync_all()
        };
        renamed().map_err(|source| BackupError::File { path: target.to_owned(), source })
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // it is not there any more where it has taken its place
        drop(std::fs::remove_file(&self.path));
    }
}
