//! Shared flash storage: the drive it is counted in, and what one node serves.

use super::Figure;
use serde::{Deserialize, Serialize};

/// Building blocks of the shared storage.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StorageBlocks {
    /// The drive that capacity is counted in.
    pub drive: StorageDrive,
    /// The node that rates are counted in.
    pub node: StorageNode,
}

/// A flash drive.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StorageDrive {
    /// Name for people.
    pub label: String,
    /// Raw capacity, TB.
    pub tb: Figure,
}

/// A storage node full of drives.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StorageNode {
    /// Name for people.
    pub label: String,
    /// Height, rack units.
    pub rack_units: u32,
    /// Drives it holds.
    pub drives: Figure,
    /// Read rate that clients get with all drives in, GB/s.
    pub read_gb_per_second: Figure,
    /// Write rate that clients get with all drives in, GB/s.
    pub write_gb_per_second: Figure,
}
