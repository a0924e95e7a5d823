//! The lists of pages by name, for files of what they show.

use super::{catalog, rules, validation};
use crate::listing::Listing;

/// Their names.
pub const NAMES: [&str; 10] = [
    "accelerators",
    "clouds",
    "price-history",
    "regions",
    "models",
    "fabrics",
    "network",
    "sources",
    "measurements",
    "rules",
];

/// The list of a name. Rules are computed first, which takes the work of dozens of plans.
pub fn listing(name: &str) -> Option<Listing> {
    match name {
        "measurements" => Some(validation::measurements::list(engine::validation::report())),
        "rules" => Some(rules::rows::list(engine::rules())),
        name => catalog::list(name),
    }
}
