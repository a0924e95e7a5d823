//! Costs, the bill and the footprint, in the answer to a plan.

use super::plan::{acquisition, provider};
use super::{choice, flag, ids, list, number, object, of, or_null, text, whole};
use engine::request::Facility;
use serde_json::Value;

/// How an offer is paid.
pub(super) const TERMS: &[&str] = &["on_demand", "reserved", "capacity_block", "spot"];

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("TierCost", tier_cost()),
        ("CostOption", cost_option()),
        ("BillLine", bill_line()),
        ("OwnershipCost", ownership()),
        ("RunningPart", running_part()),
        ("Percentiles", percentiles()),
        ("RunRanges", run_ranges()),
        ("Footprint", footprint()),
    ]
}

fn tier_cost() -> Value {
    object(
        "What a size class costs for this run",
        &[
            ("acquisition", acquisition()),
            ("provider", provider()),
            ("label", text("Name for people")),
            ("minimum_months", number("Months of commitment; 0 without one")),
            ("total_usd", of("Range", "Cost of this run by that way of acquiring, USD")),
            ("usd_per_gpu_hour", number("Per device-hour, USD")),
            ("usd_per_million_tokens", number("Per million tokens, USD")),
            (
                "capital_usd",
                or_null(of(
                    "Range",
                    "Purchase of the whole cluster, USD; null where buying is not allowed, or price or draw is not known",
                )),
            ),
            ("gpu_hours", number("Device-hours of the run")),
            ("options", list("Every way of acquiring this cluster, cheapest first", of("CostOption", "A way"))),
        ],
    )
}

fn cost_option() -> Value {
    object(
        "What one way of acquiring costs for this run",
        &[
            ("acquisition", acquisition()),
            ("provider", provider()),
            ("label", text("Name for people")),
            (
                "usd_per_gpu_hour",
                number(
                    "Paid per device-hour, USD; when bought, the cost of an owned hour that holds work, at the request's utilization",
                ),
            ),
            (
                "total_usd",
                of(
                    "Range",
                    "Cost of this run, USD. A purchase counts in full, with what running it takes until the end of the run; a commitment counts the hours of this run and their part of those in which nothing works",
                ),
            ),
            (
                "cash_usd",
                number("Money that leaves the account by the end of the run, USD; a commitment pays its whole term"),
            ),
            ("as_of", text("Date of the price, when bought that of the servers; empty for your own")),
            ("source", text("Source of the price")),
            (
                "within_budget",
                flag(
                    "The cash is within the budget and what is paid per month within the monthly one, as far as the request sets them",
                ),
            ),
            ("fabric", or_null(text("Fabric id that the offer comes with; null where it is unknown"))),
            (
                "days",
                of(
                    "Range",
                    "Days of the run when it is acquired so; spot machines are taken away, and it takes longer",
                ),
            ),
            ("goodput", number("Productive share of the calendar when it is acquired so, 0 to 1")),
            (
                "extras_usd",
                number(
                    "Storage, egress and support in total_usd, USD; 0 when bought, where they are part of the cluster",
                ),
            ),
            ("term", or_null(choice("How the offer is paid; null when bought", TERMS))),
            ("minimum_months", number("Months that are paid at least; 0 without a commitment")),
            ("max_days", or_null(number("Longest run that can be booked, days; null without a bound"))),
            ("age_days", or_null(whole("Age of the price at the catalog's version, days; null for your own price"))),
            ("stale", flag("The price is older than six months")),
            (
                "note",
                or_null(text(
                    "What a reader of this row must know: a prepaid block, a term longer than the run, interruptions",
                )),
            ),
        ],
    )
}

fn bill_line() -> Value {
    object(
        "One line of the bill of materials",
        &[
            ("item", text("What")),
            ("quantity", number("How many")),
            ("unit", text("Unit of the quantity")),
            (
                "unit_usd?",
                of("Range", "Price of one, USD; absent where no price is known or another line holds it, never free"),
            ),
            ("total_usd?", number("Quantity times typical price, USD; absent as the price is")),
            (
                "included_in?",
                text(
                    "Item of the line that holds the price of this one; without it and without a price, the purchase leaves this line out",
                ),
            ),
            ("source", text("Source of the price")),
            ("as_of", text("Date of the price; empty where there is none, and for your own")),
            ("why", text("How the quantity came about")),
            ("price_key?", text("Path under overrides of the price, such as item_usd.quantum-2-qm9700")),
        ],
    )
}

fn ownership() -> Value {
    object(
        "What owning a cluster costs, over the life of the hardware and with its residual value",
        &[
            ("accelerator", text("Accelerator id")),
            ("gpus", whole("Devices")),
            ("facility", choice("Where it stands", &ids(Facility::ALL, Facility::id))),
            ("capital_usd", of("Range", "Purchase of everything, USD")),
            ("residual_usd", of("Range", "What it fetches at the end of its life, USD")),
            ("life_months", number("Life of the hardware, months")),
            (
                "annuity_usd_per_month",
                of("Range", "Capital less residual value as an annuity at the cost of capital, USD per month"),
            ),
            ("straight_line_usd_per_month", of("Range", "The same without interest: straight line, USD per month")),
            ("running", list("Running cost by part", of("RunningPart", "A part"))),
            ("running_usd_per_month", of("Range", "Sum of the parts, USD per month")),
            ("total_usd_per_month", of("Range", "Annuity and running cost, USD per month")),
            ("usd_per_owned_gpu_hour", number("Per device-hour that is owned, used or not, USD")),
            (
                "usd_per_useful_gpu_hour",
                number(
                    "Per device-hour that trains, USD: owned over utilization over goodput, over the life and with resale",
                ),
            ),
            ("usd_per_run", number("Share of this run, USD: its device-hours at the price of a used hour")),
            ("usd_per_million_tokens", number("Of this run, per million tokens, USD")),
        ],
    )
}

fn running_part() -> Value {
    object(
        "One part of the running cost",
        &[
            (
                "part",
                choice(
                    "Which",
                    &[
                        "energy",
                        "colocation",
                        "own_facility",
                        "support",
                        "insurance",
                        "software",
                        "staff",
                        "demand_charge",
                    ],
                ),
            ),
            ("label", text("Name for people")),
            ("usd_per_month", of("Range", "USD per month at the request's utilization")),
        ],
    )
}

fn percentiles() -> Value {
    object(
        "10th, 50th and 90th percentile",
        &[
            ("p10", number("One in ten is below")),
            ("p50", number("Half are below")),
            ("p90", number("Nine in ten are below")),
        ],
    )
}

fn run_ranges() -> Value {
    object(
        "Days and cost of a run as a distribution over throughput, failures and prices",
        &[
            ("days", of("Percentiles", "Days of the run")),
            ("total_usd", of("Percentiles", "Cost of the run, USD")),
            ("draws", whole("Draws behind them; the same draws each time")),
        ],
    )
}

fn footprint() -> Value {
    object(
        "Energy and carbon of a run",
        &[
            ("energy_kwh", number("Energy at the facility, kWh")),
            ("grid_g_per_kwh", or_null(number("Carbon of the region's grid, g CO2e/kWh; null where it is not known"))),
            ("operational_kg", or_null(number("Carbon of that energy, kg CO2e; null where the grid's is not known"))),
            ("life_share", number("Share of the hardware's working life that the run takes; 1 is all of it")),
            ("embodied_kg", number("That share of the carbon of making the servers, kg CO2e")),
            ("total_kg", or_null(number("Both, kg CO2e; null where the grid's is not known"))),
        ],
    )
}
