//! Shared storage that a run needs.

/// Capacity and rates of the shared storage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StorageNeed {
    /// Data set, TB.
    pub dataset_tb: f64,
    /// One checkpoint, TB.
    pub checkpoint_tb: f64,
    /// Usable capacity, TB.
    pub usable_tb: f64,
}

/// Checkpoints that are kept.
pub(crate) const KEPT_CHECKPOINTS: f64 = 5.0;

/// Room for the data set, five checkpoints, and as much again for work.
pub(crate) fn storage_need(tokens: f64, bytes_per_token: f64, checkpoint_bytes: f64) -> StorageNeed {
    let dataset_tb = tokens * bytes_per_token / 1e12;
    let checkpoint_tb = checkpoint_bytes / 1e12;
    StorageNeed { dataset_tb, checkpoint_tb, usable_tb: 2.0 * (dataset_tb + KEPT_CHECKPOINTS * checkpoint_tb) }
}
