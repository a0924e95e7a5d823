//! Icons: drawn here, colored by the text around them, never the only sign of a meaning.

use leptos::prelude::*;

/// An icon of the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Done, within limits.
    Check,
    /// Too slow.
    Clock,
    /// Not enough memory.
    Memory,
    /// Over budget.
    Coin,
    /// More than needed.
    Oversized,
    /// Good to know.
    Info,
    /// Think about it.
    Warning,
    /// Do something about it.
    Critical,
    /// Further down.
    Down,
    /// Shut this.
    Close,
    /// Step back.
    Undo,
    /// Step forward.
    Redo,
    /// One half of it.
    Half,
    /// One against the other.
    Opposed,
    /// Nobody can tell.
    Unknown,
}

/// Draws an icon.
pub fn icon(icon: Icon) -> impl IntoView {
    let path = match icon {
        Icon::Check => "M3.5 8.5l3 3 6-7",
        Icon::Clock => "M8 4.5V8l2.5 1.5M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z",
        Icon::Memory => "M2 5.5h12v5H2zM4.5 10.5v2M8 10.5v2M11.5 10.5v2",
        Icon::Coin => {
            "M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5zM10 6c-.4-.7-1.1-1-2-1-1.2 0-2 .6-2 1.5 0 2 4 1 4 3 0 .9-.8 1.5-2 1.5-.9 0-1.6-.3-2-1M8 4v1M8 11v1"
        }
        Icon::Oversized => "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
        Icon::Info => "M8 7.25v4M8 4.75v.01M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z",
        Icon::Warning => "M8 6v3.25M8 11.5v.01M8 2l6.25 11.5H1.75z",
        Icon::Critical => "M5.5 5.5l5 5M10.5 5.5l-5 5M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5z",
        Icon::Close => "M4 4l8 8M12 4l-8 8",
        Icon::Down => "M3.5 6l4.5 4.5L12.5 6",
        Icon::Undo => "M6.5 3L3 6.5 6.5 10M3 6.5h6.5a3.5 3.5 0 0 1 0 7H7",
        Icon::Half => "M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5zM8 1.75v12.5M10.25 2.5v11M12.5 4v8",
        Icon::Opposed => "M2.5 5h11M11 2.5L13.5 5 11 7.5M13.5 11h-11M5 8.5L2.5 11 5 13.5",
        Icon::Unknown => {
            "M8 1.75a6.25 6.25 0 1 1 0 12.5 6.25 6.25 0 0 1 0-12.5zM6 6.25a2 2 0 1 1 2.75 1.9c-.5.2-.75.5-.75 1.1M8 11.5v.01"
        }
        Icon::Redo => "M9.5 3L13 6.5 9.5 10M13 6.5H6.5a3.5 3.5 0 0 0 0 7H9",
    };
    view! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d=path />
        </svg>
    }
}
