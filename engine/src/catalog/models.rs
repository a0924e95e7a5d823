//! Model presets: published architectures with their exact parameter counts.

use crate::workload::Architecture;
use serde::{Deserialize, Serialize};

/// A published model.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelPreset {
    /// Stable identifier, such as `llama-3.1-70b`.
    pub id: String,
    /// Name for people.
    pub label: String,
    /// Maker.
    pub maker: String,
    /// Longest context the published model was trained for, tokens.
    pub max_context: u64,
    /// Parameters of the published checkpoint, to the last one, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_parameters: Option<u64>,
    /// Source of the architecture.
    pub source: String,
    /// Date of the source.
    pub date: String,
    /// Confidence in it.
    pub confidence: super::Confidence,
    /// What a reader must know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The architecture.
    pub architecture: Architecture,
}
