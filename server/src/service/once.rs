//! Requests that are done once, however often a program sends them.

use super::{ServiceError, clock};
use crate::store::Store;
use crate::store::idempotency::{Begun, KeptAnswer};
use crate::store::sessions::Member;
use sha2::{Digest, Sha256};

/// How long answers are kept.
const KEPT: i64 = 24 * 60 * 60 * 1000;
/// After how long a request that was begun is taken for lost, as after a crash: no answer takes that long.
const GIVEN_UP: i64 = 60 * 1000;

/// The service.
#[derive(Clone, Debug)]
pub struct Once {
    store: Store,
}

impl Once {
    /// Over a store.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// Begins a request of a team under a key.
    ///
    /// # Errors
    /// The store fails.
    pub async fn begin(&self, member: &Member, key: &str, asked: &str) -> Result<Begun, ServiceError> {
        let (digest, now): ([u8; 32], i64) = (Sha256::digest(asked.as_bytes()).into(), clock::now());
        Ok(self.store.begin_once(member.team, key, &digest, now, (now - KEPT, now - GIVEN_UP)).await?)
    }

    /// Keeps the answer, or forgets a request that failed: it may be sent again with its mistakes mended.
    ///
    /// # Errors
    /// The store fails.
    pub async fn end(&self, member: &Member, key: &str, answer: Option<&KeptAnswer>) -> Result<(), ServiceError> {
        Ok(self.store.end_once(member.team, key, answer).await?)
    }
}
