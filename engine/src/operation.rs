//! What running a cluster takes: failures and checkpoints, power, network, storage.

pub(crate) mod describe;
pub(crate) mod network;
pub(crate) mod power;
pub(crate) mod racks;
pub(crate) mod reliability;
pub(crate) mod storage;
