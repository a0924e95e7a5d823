//! Time and memory of one training step, and the search for the best layout.
//!
//! `machine` (what a device and its links do) and `job` (what is trained) feed `layer` (one layer on one
//! device), `stages` (layers over the pipeline), `memory` and `step`; `search` walks the layouts;
//! `estimate` is the door.

mod activations;
mod collectives;
mod estimate;
mod job;
mod layer;
mod machine;
mod memory;
mod place;
mod remedy;
mod rules;
mod search;
mod stages;
mod step;

pub(crate) use collectives::Group;
pub use estimate::estimate;
pub(crate) use estimate::{answer as estimate_of, domain, reference_network};
pub(crate) use job::{Job, LORA_RANK};
pub(crate) use machine::{Links, Machine, band_of, effective_precision};
pub(crate) use search::{BatchRule, Found, Pipelines, Search};
pub(crate) use stages::chunk_layers;
