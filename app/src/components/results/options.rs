//! Every way of acquiring the shown cluster.

use super::{explanation, nothing, section as wrap, tables::source, yours};
use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::answer::{CostOption, TierCost};
use engine::catalog::{Catalog, OfferTerm};
use leptos::prelude::*;

/// The table, cheapest first.
pub(super) fn section(plan: &Plan) -> AnyView {
    let Some(cost) = plan.shown().and_then(|t| t.cost.as_ref()).filter(|c| !c.options.is_empty()) else {
        return wrap("options", "Options", nothing("No price is known for the shown cluster."));
    };
    let rows = cost.options.iter().map(|option| row(plan, cost, option)).collect();
    let head = [
        "From",
        "Network",
        "#USD per GPU-hour",
        "#Time",
        "#Cost of the run",
        "#Cash by the end",
        "Commitment",
        "Price",
    ]
    .map(str::to_owned)
    .to_vec();
    let note = "The cost of the run counts a purchase in full and a commitment by the hours of this run; the cash is what leaves the account by the end of the run, such as a whole term. Extras are storage, egress and support, as part of the cost. Interruptions make a run on spot machines longer.";
    let body = view! { <p class="quiet">{note}</p><DataTable caption="Ways of acquiring the shown cluster, cheapest first" head=head rows=rows class="data-many data-cards" /> };
    wrap("options", "Options", body.into_any())
}

fn row(plan: &Plan, cost: &TierCost, option: &CostOption) -> Vec<Cell> {
    let key = |part: &str, value: f64| {
        let key = explanation::of_tier(plan.shown_tier, &format!("options.{}.{part}", option.acquisition.id()));
        explanation::key_of_value(plan, key, value)
    };
    let fabric = option
        .fabric
        .as_ref()
        .map(|id| Catalog::get().fabric(id).map_or_else(|| id.clone(), |f| f.label.clone()))
        .unwrap_or_else(|| "not stated".into());
    let is_chosen = option.label == cost.label;
    let extras = match option.extras_usd {
        usd if usd > 0.0 => format!("{} of extras", format::money(usd)),
        _ => String::new(),
    };
    let total = Cell::money_range(option.total_usd)
        .also(extras)
        .also(yours::mark(plan, &["cloud_extras_share", "egress_usd_per_gb", "object_storage_usd_per_gb_month"]))
        .explained(key("total_usd", option.total_usd.typical));
    vec![
        Cell::text(&option.label)
            .note(if is_chosen { "counted in this plan" } else { "" })
            .also(option.note.clone().unwrap_or_default()),
        Cell::text(fabric),
        Cell::money(option.usd_per_gpu_hour).note(own_price(plan, option)),
        Cell::text(format::days(option.days.typical))
            .note(format::days_range(option.days.low, option.days.high))
            .explained(key("days", option.days.typical)),
        total,
        Cell::money(option.cash_usd)
            .note(if option.within_budget { "" } else { "over budget" })
            .explained(key("cash_usd", option.cash_usd)),
        commitment(option),
        price(option),
    ]
}

/// What is signed: the term, the least that is paid, the longest that can be had.
fn commitment(option: &CostOption) -> Cell {
    let term = match option.term {
        None => "Purchase",
        Some(OfferTerm::OnDemand) => "None",
        Some(OfferTerm::Spot) => "None",
        Some(OfferTerm::Reserved) => "Term",
        Some(OfferTerm::CapacityBlock) => "Prepaid block",
    };
    let least = match option.minimum_months {
        months if months > 0.0 => format!("at least {}", format::months(months)),
        _ => String::new(),
    };
    let longest = option.max_days.map(|days| format!("at most {}", format::days(days))).unwrap_or_default();
    Cell::text(term).note(least).also(longest)
}

/// Where the price is from, and how old it is.
fn price(option: &CostOption) -> Cell {
    let age = match option.age_days {
        Some(days) => format!("{}, {} old", format::date(&option.as_of), format::plural(days as f64, "day", "days")),
        None => format::date(&option.as_of),
    };
    Cell::text(source(&option.source)).note(age).also(if option.stale { "older than six months" } else { "" })
}

/// The price is the caller's.
fn own_price(plan: &Plan, option: &CostOption) -> String {
    let accelerator = plan.shown().and_then(|t| t.cluster.as_ref()).map_or("", |c| c.accelerator.as_str());
    match &option.provider {
        Some(provider) => yours::mark(plan, &[&format!("gpu_hour_usd.{provider}.{accelerator}")]),
        None => yours::mark(plan, &[&format!("server_usd.{accelerator}")]),
    }
}
