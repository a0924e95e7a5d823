//! Shared storage that a run needs: capacity, rates, and the drives and nodes that give them.

use crate::catalog::{Catalog, Figure, StorageBlocks};
use crate::request::StorageClass;

/// What sets the number of drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binds {
    Capacity,
    Read,
    Write,
}

impl Binds {
    /// Stable name.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Binds::Capacity => "capacity",
            Binds::Read => "read_rate",
            Binds::Write => "write_rate",
        }
    }
}

/// Rates of the shared storage, GB/s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rates {
    pub class: StorageClass,
    pub read: f64,
    pub write: f64,
}

impl Rates {
    /// Those of a class for a number of devices, or the write rate that the caller gives.
    pub(crate) fn of(class: StorageClass, gpus: f64, given_write: Option<f64>) -> Self {
        let (read, write) = Self::per_gpu(class);
        Self { class, read: gpus * read.value, write: given_write.unwrap_or(gpus * write.value) }
    }

    /// Read and write rate for each device, GB/s.
    pub(crate) fn per_gpu(class: StorageClass) -> (&'static Figure, &'static Figure) {
        let costs = &Catalog::get().costs;
        match class {
            StorageClass::Standard => {
                (&costs.storage_read_gb_per_second_per_gpu, &costs.storage_write_gb_per_second_per_gpu)
            }
            StorageClass::Enhanced => (
                &costs.storage_enhanced_read_gb_per_second_per_gpu,
                &costs.storage_enhanced_write_gb_per_second_per_gpu,
            ),
        }
    }
}

/// Capacity and rates of the shared storage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StorageNeed {
    pub class: StorageClass,
    /// Data set, TB.
    pub dataset_tb: f64,
    /// One checkpoint, TB.
    pub checkpoint_tb: f64,
    /// Usable capacity that is needed, TB.
    pub needed_tb: f64,
    /// Read rate that is needed, GB/s.
    pub read_gb_per_second: f64,
    /// Write rate that is needed, GB/s.
    pub write_gb_per_second: f64,
    pub drives: u64,
    pub nodes: u64,
    pub binds: Binds,
    /// Usable capacity of the drives, TB.
    pub usable_tb: f64,
}

/// Checkpoints that are kept.
pub(crate) const KEPT_CHECKPOINTS: f64 = 5.0;

/// Room for the data set, five checkpoints, and as much again for work, at the rates of a class of the DGX SuperPOD
/// storage guideline.
///
/// Drives = the most that one of the three takes: capacity over the usable share of a drive, and each rate over a
/// drive's part of what a full node serves.
pub(crate) fn storage_need(tokens: f64, bytes_per_token: f64, checkpoint_bytes: f64, rates: Rates) -> StorageNeed {
    let Catalog { costs, storage: StorageBlocks { drive, node }, .. } = Catalog::get();
    let dataset_tb = tokens * bytes_per_token / 1e12;
    let checkpoint_tb = checkpoint_bytes / 1e12;
    let needed_tb = 2.0 * (dataset_tb + KEPT_CHECKPOINTS * checkpoint_tb);
    let Rates { class, read, write } = rates;
    let usable_each = drive.tb.value * costs.storage_usable_share.value;
    let whole = |n: f64| (n - 1e-9).ceil().max(1.0) as u64;
    let by_rate = |rate: f64, of_node: f64| whole(rate * node.drives.value / of_node);
    let by_capacity = whole(needed_tb / usable_each);
    let by_read = by_rate(read, node.read_gb_per_second.value);
    let by_write = by_rate(write, node.write_gb_per_second.value);
    let drives = by_capacity.max(by_read).max(by_write);
    let binds = match drives {
        d if d == by_capacity => Binds::Capacity,
        d if d == by_write => Binds::Write,
        _ => Binds::Read,
    };
    StorageNeed {
        class,
        dataset_tb,
        checkpoint_tb,
        needed_tb,
        read_gb_per_second: read,
        write_gb_per_second: write,
        drives,
        nodes: whole(drives as f64 / node.drives.value),
        binds,
        usable_tb: drives as f64 * usable_each,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standard(gpus: f64, given: Option<f64>) -> Rates {
        Rates::of(StorageClass::Standard, gpus, given)
    }

    #[test]
    fn the_enhanced_class_has_the_rates_of_the_guideline() {
        // one scalable unit of 256 devices, and four
        for (gpus, class, read, write) in [
            (256.0, StorageClass::Standard, 40.0, 20.0),
            (1_024.0, StorageClass::Standard, 160.0, 80.0),
            (256.0, StorageClass::Enhanced, 125.0, 62.0),
            (1_024.0, StorageClass::Enhanced, 500.0, 248.0),
        ] {
            let rates = Rates::of(class, gpus, None);
            assert_eq!((rates.read, rates.write), (read, write));
        }
        let need = |class| storage_need(1e12, 4.0, 1e12, Rates::of(class, 1_024.0, None));
        assert!(need(StorageClass::Enhanced).drives > 3 * need(StorageClass::Standard).drives);
    }

    #[test]
    fn the_largest_of_the_three_needs_binds() {
        // 1,024 devices: 160 GB/s over 90/24 a drive is 42.7 drives, 80 GB/s over 65/24 is 29.5
        let by_read = storage_need(1e12, 4.0, 1e12, standard(1_024.0, None));
        assert_eq!((by_read.binds, by_read.drives, by_read.nodes), (Binds::Read, 43, 2));
        assert_eq!((by_read.read_gb_per_second, by_read.write_gb_per_second), (160.0, 80.0));
        // 250 GB/s of writes over 65/24 is 92.3 drives
        let by_write = storage_need(1e12, 4.0, 1e12, standard(1_024.0, Some(250.0)));
        assert_eq!((by_write.binds, by_write.drives, by_write.nodes), (Binds::Write, 93, 4));
        // 2 × (400 + 5 × 10) TB over 24 usable a drive is 37.5 drives
        let by_capacity = storage_need(1e14, 4.0, 1e13, standard(64.0, None));
        assert_eq!((by_capacity.binds, by_capacity.drives, by_capacity.nodes), (Binds::Capacity, 38, 2));
    }

    #[test]
    fn drives_and_nodes_meet_every_need() {
        let Catalog { costs, storage, .. } = Catalog::get();
        for tokens in [1e6, 1e12, 1e15] {
            for checkpoint in [1e9, 1e12, 3e13] {
                for gpus in [1.0, 8.0, 100.0, 4_096.0, 131_072.0] {
                    for given in [None, Some(0.001), Some(5_000.0)] {
                        let need = storage_need(tokens, 4.0, checkpoint, standard(gpus, given));
                        let drives = need.drives as f64;
                        let rate = |of_node: f64| drives * of_node / storage.node.drives.value + 1e-6;
                        assert!(need.usable_tb + 1e-6 >= need.needed_tb);
                        assert!(rate(storage.node.read_gb_per_second.value) >= need.read_gb_per_second);
                        assert!(rate(storage.node.write_gb_per_second.value) >= need.write_gb_per_second);
                        assert!(need.nodes as f64 * storage.node.drives.value >= drives && need.nodes >= 1);
                        assert_eq!(need.usable_tb, drives * storage.drive.tb.value * costs.storage_usable_share.value);
                    }
                }
            }
        }
    }
}
