//! What runs in the browser: two small islands that enhance server HTML by event delegation.
//!
//! They render nothing. On the server they leave a mark in the page, which the loader finds.

use leptos::prelude::*;

#[cfg(feature = "hydrate")]
mod charts;
#[cfg(feature = "hydrate")]
mod copy;
#[cfg(feature = "hydrate")]
mod dom;
#[cfg(feature = "hydrate")]
mod explain;
#[cfg(feature = "hydrate")]
mod form;
#[cfg(feature = "hydrate")]
mod leave;
#[cfg(feature = "hydrate")]
mod planner;
#[cfg(feature = "hydrate")]
mod slider;

/// On every page: copy buttons, explanations of figures, charts near the viewport, what a step back leads to, and the mark
/// that scripts run.
#[island]
pub fn PageLive() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    {
        copy::start();
        charts::start();
        explain::start();
        leave::start();
        dom::mark_ready();
    }
}

/// On the planner: the form plans again while a person types.
#[island]
pub fn PlannerLive() -> impl IntoView {
    #[cfg(feature = "hydrate")]
    planner::start();
}
