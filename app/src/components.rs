//! Parts of pages, one file each.

mod account_nav;
mod comparison_table;
pub(crate) mod data_links;
mod data_table;
mod entry;
mod figure;
mod filter;
#[cfg(test)]
pub(crate) mod fixture;
mod icons;
mod layout;
mod messages;
mod planner_form;
mod reference_builds;
mod render;
pub(crate) mod results;
mod textarea;

pub use account_nav::AccountNav;
pub use comparison_table::comparison_table;
pub use data_table::{Cell, DataTable, HeadLink};
pub use entry::{Entry, entry};
pub use figure::FigureView;
pub use filter::filter_select;
pub use icons::{Icon, icon};
pub use layout::Layout;
pub use messages::{ErrorSummary, Message, flash_message};
pub use planner_form::PlannerForm;
pub use reference_builds::{price_standing, said_price};
pub use render::{render_parts, render_results, scenario_name};
pub(crate) use results::explanation;
pub use results::{Purpose, Results, brief, tier_name, with_unit};
pub use textarea::textarea_text;

#[cfg(test)]
mod tests;
