//! What runs: HTTP, storage, owners, the REST API and the command line of Clusterwright.
//!
//! The way through: `router` → `rest` or `backend` (the port of the pages) → `service` (who may) → `engine` or `store`.

pub mod auth;
pub mod backend;
pub mod cli;
pub mod config;
mod headers;
pub mod id;
pub mod limits;
pub mod listen;
pub mod metrics;
pub mod rest;
pub mod router;
pub mod service;
pub mod state;
pub mod store;
pub mod tables;
pub mod telemetry;

use config::Config;
use listen::Drained;
use state::AppState;
use std::time::Duration;
use store::{OpenError, SchemaState, Store, StoreError};
use tokio::net::TcpListener;

/// How long callers that are being answered have when the server stops.
const DRAIN: Duration = Duration::from_secs(20);

/// Why the server does not start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The database can't be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The schema is not the one of this program.
    #[error("{0}")]
    Schema(SchemaState),
    /// A migration failed.
    #[error("a migration failed: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// The listener failed.
    #[error("can't listen: {0}")]
    Listen(#[from] std::io::Error),
}

/// Serves until `shutdown`, on a database that is up to date.
///
/// # Errors
/// The database can't be opened or is not up to date, or the listener fails.
pub async fn serve(
    listener: TcpListener,
    config: Config,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let state = open(config).await?;
    run(listener, state, shutdown).await
}

/// Opens the database of a configuration, if it is up to date.
///
/// # Errors
/// It can't be opened, or its schema is not the one of this program.
pub async fn open(config: Config) -> Result<AppState, ServeError> {
    let store = Store::open(&config.database).await?;
    match store.schema().await? {
        SchemaState::Current { .. } => Ok(AppState::new(config, store)),
        other => {
            store.close().await;
            Err(ServeError::Schema(other))
        }
    }
}

/// Creates the database of a configuration if there is none, and brings it up to date.
///
/// # Errors
/// It can't be created, is newer than this program, or a migration fails.
pub async fn migrate(config: &Config) -> Result<SchemaState, ServeError> {
    let store = Store::open_or_create(&config.database).await?;
    let before = store.schema().await?;
    if matches!(before, SchemaState::Newer { .. } | SchemaState::Altered { .. }) {
        return Err(ServeError::Schema(before));
    }
    store.migrate().await?;
    let after = store.schema().await?;
    store.close().await;
    Ok(after)
}

/// Serves until `shutdown`, lets those who are being answered finish, and closes the database.
///
/// # Errors
/// The listener fails.
pub async fn run(
    listener: TcpListener,
    state: AppState,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> Result<(), ServeError> {
    let metrics = match state.config.metrics_address {
        Some(address) => Some(TcpListener::bind(address).await?),
        None => None,
    };
    let metrics = metrics.map(|listener| tokio::spawn(axum::serve(listener, state.metrics.router()).into_future()));
    // computed while nobody waits for it
    let rules = state.planning.clone();
    tokio::spawn(async move {
        if let Err(error) = rules.checked().await {
            tracing::warn!(%error, "the rules of thumb are not checked yet");
        }
    });
    let router = router::build(&state);
    let announce = state.clone();
    let signal = async move {
        shutdown.await;
        announce.stop();
    };
    let drained = listen::serve(listener, router, &state.config.limits, signal, DRAIN).await;
    if drained == Drained::OutOfTime {
        tracing::warn!("stopped with callers unanswered");
    }
    if let Some(metrics) = metrics {
        metrics.abort();
    }
    state.store.close().await;
    Ok(())
}
