//! Where figures come from.

use serde::{Deserialize, Serialize};

/// A source that figures cite by its key.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Key that a figure cites.
    pub id: String,
    /// Title for people.
    pub title: String,
    /// Address, where public.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// License of the source, or what we may do with its values.
    pub license: String,
}
