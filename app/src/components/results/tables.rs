//! Bill of materials, and what to expect of metrics.

use super::{explanation, nothing, section as wrap, yours};
use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::answer::BillLine;
use engine::catalog::Catalog;
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
                    Some(usd) => Cell::money_range(usd),
                    None => Cell::text("no price"),
                },
                match (line.total_usd, &line.included_in) {
                    (Some(usd), _) => Cell::money(usd),
                    (None, Some(other)) => Cell::text("included").note(format!("in: {other}")),
                    (None, None) => Cell::text("not in the total"),
                },
                Cell::text(source(&line.source)).note(format::date(&line.as_of)).also(mark(plan, line)),
            ]
        })
        .collect();
    let total: f64 = lines.iter().filter_map(|line| line.total_usd).sum();
    let exact = format::money_full(total);
    let total = Cell::money(total).note(exact).explained(explanation::key(plan, "bill_of_materials.total_usd"));
    let foot =
        vec![vec![Cell::text("Total").note(left_out(lines)), Cell::text(""), Cell::text(""), total, Cell::text("")]];
    let head = ["Item", "#Quantity", "#Unit price, USD", "#Total, USD", "Source and date"].map(str::to_owned).to_vec();
    wrap(
        "bill",
        "Bill of materials",
        view! { <DataTable caption="Bill of materials of the shown cluster" head=head rows=rows foot=foot class="data-many data-cards" /><p class="quiet">{IN_FILES}</p> }
            .into_any(),
    )
}

/// Where the total is in the files of the bill.
const IN_FILES: &str = "The CSV holds the lines alone, so that the sum of its column of totals is right; the workbook has the total below them.";

/// What the total is without: lines whose price is not known and in no other line.
fn left_out(lines: &[BillLine]) -> String {
    let missing: Vec<&str> =
        lines.iter().filter(|l| l.total_usd.is_none() && l.included_in.is_none()).map(|l| l.item.as_str()).collect();
    if missing.is_empty() {
        String::new()
    } else {
        format!("without the lines that have no price: {}", missing.join("; "))
    }
}

/// A line whose price or number is the caller's.
fn mark(plan: &Plan, line: &BillLine) -> String {
    let accelerator = plan.shown().and_then(|t| t.cluster.as_ref()).map_or("", |c| c.accelerator.as_str());
    let server = format!("server_usd.{accelerator}");
    let keys: &[&str] = match (line.unit.as_str(), line.item.as_str()) {
        ("system", item) if item.starts_with("Spare") => &[&server, "spare_share"],
        ("system", _) => &[&server],
        ("switch", item) if item.ends_with("leaves") || item.ends_with("spines") || item.ends_with("cores") => {
            &["oversubscription"]
        }
        ("rack", _) => &["rack_kw"],
        ("TB usable", _) => &["storage_usd_per_tb"],
        ("lot", "Network") => &["network_share_of_capital"],
        ("lot", item) if item.starts_with("Tax") => &["tax_share"],
        ("lot", _) => &["installation_share"],
        _ => &[],
    };
    let keys: Vec<&str> =
        keys.iter().copied().chain(line.price_key.as_deref().filter(|key| !keys.contains(key))).collect();
    yours::mark(plan, &keys)
}

/// The title of a source of the catalog; anything else as it is.
pub(super) fn source(key: &str) -> String {
    Catalog::get().sources.iter().find(|s| s.id == key).map_or_else(|| key.to_owned(), |s| s.title.clone())
}

/// Where a term is from, its sources by their titles: `id, date; words` becomes `Title, November 2026; words`.
pub(super) fn sources(text: &str) -> String {
    let titled = |part: &str| {
        let (id, date) = part.split_once(", ").map_or((part, None), |(id, date)| (id, Some(date)));
        let title = source(id);
        match date {
            Some(date) if title != id => format!("{title}, {}", format::date(date)),
            _ if title != id => title,
            _ => part.to_owned(),
        }
    };
    text.split("; ").map(titled).collect::<Vec<_>>().join("; ")
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
            let key = explanation::key(plan, format!("utilization.health.{}", m.metric));
            let range = format::measure_range(m.low, m.high, &m.unit);
            vec![
                Cell::text(&m.label),
                Cell::text(format::measure(m.expected, &m.unit)).explained(key),
                Cell::text(range),
            ]
        })
        .collect();
    let head = ["Metric", "#Expected", "#Healthy"].map(str::to_owned).to_vec();
    Some(view! { <div class="block"><h3>"What to expect on the dashboards"</h3><DataTable caption="Metrics to watch" head=head rows=rows /></div> }.into_any())
}
