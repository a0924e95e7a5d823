//! What people see: pages rendered on the server, and the islands that enhance them in the browser.
//!
//! The browser library (feature `hydrate`) holds only [`islands`], the client stubs of [`server_functions`] and
//! their small types. Pages, charts and figures are server HTML (feature `ssr`).
#![recursion_limit = "512"]

pub mod islands;
pub mod server_functions;
mod ui_error;

#[cfg(feature = "ssr")]
pub mod backend;
#[cfg(feature = "ssr")]
pub mod charts;
#[cfg(feature = "ssr")]
pub mod comparison;
#[cfg(feature = "ssr")]
pub mod components;
#[cfg(feature = "ssr")]
pub mod flash;
#[cfg(feature = "ssr")]
pub mod format;
#[cfg(feature = "ssr")]
pub mod inputs;
#[cfg(feature = "ssr")]
pub mod listing;
#[cfg(feature = "ssr")]
pub mod pages;
#[cfg(feature = "ssr")]
mod root;

#[cfg(feature = "ssr")]
pub use components::render_results;
#[cfg(feature = "ssr")]
pub use components::results::explanation::FIGURE as EXPLAINED_FIGURE;
#[cfg(feature = "ssr")]
pub use root::{App, shell};
pub use ui_error::UiError;

/// Starts the islands of a page.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    leptos::mount::hydrate_islands();
}
