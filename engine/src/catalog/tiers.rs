//! The three sizes of cluster.

use serde::{Deserialize, Serialize};

/// A size class by number of nodes (8-GPU servers, or trays of a rack).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tier {
    /// `starter`, `workhorse` or `beast`.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Smallest number of nodes.
    pub min_nodes: u32,
    /// Largest number of nodes; absent for no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_nodes: Option<u32>,
    /// What it is for.
    pub description: String,
    /// Key of the source of the class.
    pub source: String,
    /// Date of the source.
    pub date: String,
    /// Confidence in it.
    pub confidence: super::Confidence,
}
