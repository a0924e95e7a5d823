//! Parts of pages, one file each.

mod account_nav;
pub(crate) mod data_links;
mod data_table;
mod entry;
mod figure;
#[cfg(test)]
pub(crate) mod fixture;
mod icons;
mod layout;
mod messages;
mod planner_form;
mod render;
pub(crate) mod results;

pub use account_nav::AccountNav;
pub use data_table::{Cell, DataTable};
pub use entry::{Entry, entry};
pub use figure::FigureView;
pub use icons::{Icon, icon};
pub use layout::Layout;
pub use messages::{ErrorSummary, Message, flash_message};
pub use planner_form::PlannerForm;
pub use render::{render_results, render_results_with, scenario_name};
pub use results::{Purpose, Results, brief};

#[cfg(test)]
mod tests;
