//! Bill of materials, ways of acquiring, and what to expect of metrics.

use super::{nothing, section as wrap};
use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::catalog::Catalog;
use engine::request::Acquisition;
use leptos::prelude::*;

/// Line by line, with how each quantity came about.
pub(super) fn bill(plan: &Plan) -> AnyView {
    let lines = &plan.bill_of_materials;
    if lines.is_empty() {
        return wrap(
            "bill",
            "Bill of materials",
            nothing(
                "No purchase price is known for the shown cluster. Set the price of a server under “Site and own figures”.",
            ),
        );
    }
    let rows = lines
        .iter()
        .map(|line| {
            vec![
                Cell::text(&line.item).note(&line.why),
                Cell::text(format::quantity(line.quantity, &line.unit)),
                match line.unit_usd {
                    Some(usd) => Cell::money(usd.typical).note(format::money_range(usd.low, usd.high)),
                    None => Cell::text("no price"),
                },
                match (line.total_usd, &line.included_in) {
                    (Some(usd), _) => Cell::money(usd),
                    (None, Some(other)) => Cell::text(format!("in: {other}")),
                    (None, None) => Cell::text("not in the total"),
                },
                Cell::text(source(&line.source)).note(format::date(&line.as_of)),
            ]
        })
        .collect();
    let total: f64 = lines.iter().filter_map(|line| line.total_usd).sum();
    let foot = vec![vec![Cell::text("Total"), Cell::text(""), Cell::text(""), Cell::money(total), Cell::text("")]];
    let head = ["Item", "#Quantity", "#Unit price, USD", "#Total, USD", "Source and date"].map(str::to_owned).to_vec();
    wrap(
        "bill",
        "Bill of materials",
        view! { <DataTable caption="Bill of materials of the shown cluster" head=head rows=rows foot=foot /> }
            .into_any(),
    )
}

/// The title of a source of the catalog; anything else as it is.
fn source(key: &str) -> String {
    Catalog::get().sources.iter().find(|s| s.id == key).map_or_else(|| key.to_owned(), |s| s.title.clone())
}

/// Every way of acquiring the shown cluster.
pub(super) fn options(plan: &Plan) -> AnyView {
    let Some(cost) = plan.shown().and_then(|t| t.cost.as_ref()).filter(|c| !c.options.is_empty()) else {
        return wrap("options", "Options", nothing("No price is known for the shown cluster."));
    };
    let rows = cost
        .options
        .iter()
        .map(|option| {
            let fabric = option
                .fabric
                .as_ref()
                .map(|id| Catalog::get().fabric(id).map_or_else(|| id.clone(), |f| f.label.clone()))
                .unwrap_or_default();
            // the cost holds what interruptions take; the time on offer is not told by itself
            let spot = (option.acquisition == Acquisition::Spot).then_some("interruptions lengthen the run");
            let terms: Vec<&str> = [fabric.as_str()].into_iter().filter(|f| !f.is_empty()).chain(spot).collect();
            let chosen = option.acquisition == cost.acquisition && option.provider == cost.provider;
            vec![
                Cell::text(&option.label).note(if chosen { "counted in this plan" } else { "" }),
                Cell::text(option.acquisition.label()).note(terms.join("; ")),
                Cell::text(format::money(option.usd_per_gpu_hour)),
                Cell::money(option.total_usd.typical)
                    .note(format::money_range(option.total_usd.low, option.total_usd.high)),
                Cell::money(option.cash_usd).note(if option.within_budget { "" } else { "over budget" }),
                Cell::text(source(&option.source)).note(format::date(&option.as_of)),
            ]
        })
        .collect();
    let head = ["From", "How", "#USD per GPU-hour", "#Cost of the run", "#Cash by the end", "Source and date"]
        .map(str::to_owned)
        .to_vec();
    let note = "The cost of the run is its share of what is acquired; the cash is what leaves the account by the end of the run, such as a whole purchase.";
    let body = view! { <p class="quiet">{note}</p><DataTable caption="Ways of acquiring the shown cluster, cheapest first" head=head rows=rows /> };
    wrap("options", "Options", body.into_any())
}

/// What to expect of the metrics that a team watches.
pub(super) fn health(plan: &Plan) -> Option<AnyView> {
    let metrics = &plan.utilization.health;
    if metrics.is_empty() {
        return None;
    }
    let rows = metrics
        .iter()
        .map(|m| {
            let range = format::measure_range(m.low, m.high, &m.unit);
            vec![Cell::text(&m.label), Cell::text(format::measure(m.expected, &m.unit)), Cell::text(range)]
        })
        .collect();
    let head = ["Metric", "#Expected", "#Healthy"].map(str::to_owned).to_vec();
    Some(view! { <div class="block"><h3>"What to expect on the dashboards"</h3><DataTable caption="Metrics to watch" head=head rows=rows /></div> }.into_any())
}
