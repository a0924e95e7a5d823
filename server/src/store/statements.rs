//! Statements as data, so that a test can prepare every one of them.

/// Names statements and lists them in `ALL`.
macro_rules! statements {
    ($($(#[$doc:meta])* $name:ident = $sql:literal;)+) => {
        $($(#[$doc])* const $name: &str = $sql;)+

        /// Every statement of this module, for the test that prepares them.
        #[cfg(test)]
        pub(super) const ALL: &[&str] = &[$($name),+];
    };
}

pub(super) use statements;

pub(super) const CHECKPOINT: &str = "PRAGMA wal_checkpoint(TRUNCATE)";
pub(super) const HAS_MIGRATIONS: &str =
    "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name = '_sqlx_migrations'";
pub(super) const APPLIED_MIGRATIONS: &str = "SELECT version, success, checksum FROM _sqlx_migrations ORDER BY version";
pub(super) const COPY: &str = "VACUUM INTO ?1";
pub(super) const INTEGRITY: &str = "PRAGMA integrity_check";
pub(super) const FOREIGN_KEYS: &str = "PRAGMA foreign_key_check";
pub(super) const FOLD: &str = "PRAGMA journal_mode = DELETE";

#[cfg(test)]
pub(super) const ALL: &[&str] = &[CHECKPOINT, HAS_MIGRATIONS, APPLIED_MIGRATIONS, COPY, INTEGRITY, FOREIGN_KEYS, FOLD];
