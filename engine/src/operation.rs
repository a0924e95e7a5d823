//! What running a cluster takes: failures and checkpoints, power, heat, network, storage, floor.

pub(crate) mod describe;
pub(crate) mod feeds;
pub(crate) mod floor;
pub(crate) mod floor_plan;
pub(crate) mod heat;
pub(crate) mod network;
pub(crate) mod power;
pub(crate) mod racks;
pub(crate) mod reliability;
pub(crate) mod storage;
