//! What owning the cluster costs by the month and the hour.

use super::{explanation, yours};
use crate::components::{Cell, DataTable};
use crate::format;
use engine::Plan;
use engine::answer::OwnershipCost;
use leptos::prelude::*;

/// The overrides that the parts of the running cost are computed with.
const BEHIND: [(&str, &[&str]); 7] = [
    (
        "energy",
        &[
            "electricity_usd_per_kwh",
            "pue",
            "load_factor",
            "idle_factor",
            "server_overhead",
            "demand_charge_usd_per_kw_month",
        ],
    ),
    ("demand_charge", &["demand_charge_usd_per_kw_month"]),
    ("colocation", &["colocation_usd_per_kw_month"]),
    ("own_facility", &["facility_usd_per_mw", "facility_life_years", "cost_of_capital"]),
    ("support", &["support_share_per_year"]),
    ("insurance", &["insurance_share_per_year"]),
    ("software", &["software_usd_per_gpu_year"]),
];
const STAFF: [&str; 2] = ["staff_fte", "staff_usd_per_year"];

/// The table, with its finding.
pub(super) fn block(plan: &Plan) -> Option<AnyView> {
    let own = plan.ownership.as_ref()?;
    let title = format!(
        "Owning {} takes {} a month: {} an hour, {} an hour that trains",
        format::plural(f64::from(own.gpus), "GPU", "GPUs"),
        format::money(own.total_usd_per_month.typical),
        format::money(own.usd_per_owned_gpu_hour),
        format::money(own.usd_per_useful_gpu_hour)
    );
    let subtitle = format!(
        "Over the {} of the hardware's life, {}, at {} use; low and high ends below each figure",
        format::months(own.life_months),
        own.facility.label().to_lowercase(),
        format::percent(plan.request.utilization)
    );
    let head = ["What", "#USD"].map(str::to_owned).to_vec();
    Some(
        view! {
            <div class="block" id="ownership">
                <h3>{title}</h3>
                <p class="quiet">{subtitle}</p>
                <DataTable caption="What owning the cluster costs" head=head rows=rows(plan, own) />
            </div>
        }
        .into_any(),
    )
}

fn rows(plan: &Plan, own: &OwnershipCost) -> Vec<Vec<Cell>> {
    let row = |name: Cell, figure: Cell, key: &str| {
        vec![name, figure.explained(explanation::key(plan, format!("ownership.{key}")))]
    };
    let named = |name: &str, keys: &[&str]| Cell::text(name).note(yours::mark(plan, keys));
    let after = format!("Residual value after {}", format::months(own.life_months));
    let mut rows = vec![
        row(Cell::text("Purchase"), Cell::money_range(own.capital_usd), "capital_usd"),
        row(
            named(&after, &["residual_value", "hardware_life_years"]),
            Cell::money_range(own.residual_usd),
            "residual_usd",
        ),
        row(
            named("Capital per month, with interest (annuity)", &["cost_of_capital"]),
            Cell::money_range(own.annuity_usd_per_month),
            "annuity_usd_per_month",
        ),
        row(
            Cell::text("Capital per month, without (straight line)").note("for comparison; not in the sums below"),
            Cell::money_range(own.straight_line_usd_per_month),
            "straight_line_usd_per_month",
        ),
    ];
    for part in &own.running {
        let keys = BEHIND.iter().find(|(name, _)| *name == part.part).map_or(&STAFF[..], |(_, keys)| keys);
        let name = format!("{} per month", part.label);
        rows.push(row(named(&name, keys), Cell::money_range(part.usd_per_month), &format!("running.{}", part.part)));
    }
    rows.extend([
        row(
            Cell::text("Running cost per month")
                .note(format!("sum of the parts above, at {} use", format::percent(plan.request.utilization))),
            Cell::money_range(own.running_usd_per_month),
            "running_usd_per_month",
        ),
        row(
            Cell::text("Total per month").note("annuity and running cost"),
            Cell::money_range(own.total_usd_per_month),
            "total_usd_per_month",
        ),
        row(Cell::text("Per GPU-hour, used or not"), Cell::money(own.usd_per_owned_gpu_hour), "usd_per_owned_gpu_hour"),
        row(
            Cell::text("Per GPU-hour that trains").note("÷ utilization ÷ goodput, over the life and with resale"),
            Cell::money(own.usd_per_useful_gpu_hour),
            "usd_per_useful_gpu_hour",
        ),
    ]);
    rows.extend(plan.cloud_vs_on_prem.owned_useful_hour_usd.map(|usd| {
        vec![
            Cell::text("The same, paid in full over the horizon")
                .note("resale left out, as in the chart by utilization"),
            Cell::money(usd).explained(explanation::key(plan, "cloud_vs_on_prem.owned_useful_hour_usd")),
        ]
    }));
    rows.extend([
        row(Cell::text("Share of this run"), Cell::money(own.usd_per_run), "usd_per_run"),
        row(
            Cell::text("Per million tokens of this run"),
            Cell::money(own.usd_per_million_tokens),
            "usd_per_million_tokens",
        ),
    ]);
    rows
}
