//! Pictures of shared plans for previews: drawn once off the async threads, and kept within a bound.

mod drawing;

use super::ServiceError;
use super::scenarios::links::Shared;
use axum::body::Bytes;
use quick_cache::sync::Cache;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

/// Pictures kept; one is about 60 KB.
const KEPT: usize = 128;
/// How long a caller waits for its turn.
const PATIENCE: Duration = Duration::from_secs(6);

/// A picture by its name and by what it shows: a live link has another one after each change of its scenario.
type Key = (String, i64);

/// The pictures. Clones share them.
#[derive(Clone, Debug)]
pub struct Cards {
    kept: Arc<Cache<Key, Bytes>>,
    // one at a time: nobody waits for a preview as for a plan
    turn: Arc<Semaphore>,
}

impl Default for Cards {
    fn default() -> Self {
        Self { kept: Arc::new(Cache::new(KEPT)), turn: Arc::new(Semaphore::new(1)) }
    }
}

impl Cards {
    /// The picture of a shared plan as PNG.
    ///
    /// # Errors
    /// Too many are waiting, or drawing failed.
    pub async fn png(&self, shared: Shared) -> Result<Bytes, ServiceError> {
        let key = (shared.card.clone(), shared.version);
        self.kept.get_or_insert_async(&key, self.draw(shared)).await
    }

    async fn draw(&self, shared: Shared) -> Result<Bytes, ServiceError> {
        let turn = tokio::time::timeout(PATIENCE, Arc::clone(&self.turn).acquire_owned()).await;
        let turn = turn.map_err(|_| ServiceError::Busy)?.map_err(|error| ServiceError::Internal(error.to_string()))?;
        let drawn = tokio::task::spawn_blocking(move || {
            let png = drawing::png(&shared);
            drop(turn);
            png
        });
        let png = drawn.await.map_err(|error| ServiceError::Internal(error.to_string()))?;
        png.map(Bytes::from).map_err(ServiceError::Internal)
    }
}
