//! Charts: one [`Figure`] of plain data, and three renderings of it (SVG, Plotly, table) that can't disagree.

pub mod build;
mod figure;
mod plotly;
mod svg;
mod table;
mod text;
mod ticks;
mod time;

pub use figure::{Axis, Figure, Format, Kind, Mark, Reference, Scale, Series};
pub use plotly::figure_json;
pub(crate) use svg::escape;
pub use svg::{Size, legend_key, svg};
pub use table::{Table, table};
pub use time::day;

#[cfg(test)]
mod tests;
