//! The answer to a plan.

use super::{choice, flag, list, map, number, object, of, or_null, text, whole};
use engine::request::Acquisition;
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("Plan", plan()),
        (
            "Reason",
            object(
                "A reason as code and text",
                &[("code", text("Stable code")), ("text", text("One sentence for a person"))],
            ),
        ),
        (
            "Range",
            object(
                "Low, typical and high",
                &[("low", number("Low end")), ("typical", number("Typical value")), ("high", number("High end"))],
            ),
        ),
        ("Recommended", recommended()),
        ("TierPlan", tier_plan()),
        ("Cluster", cluster()),
        ("TierCost", tier_cost()),
        ("CostOption", cost_option()),
        ("Candidate", candidate()),
        ("Utilization", utilization()),
        ("SizePoint", size_point()),
        ("StepShares", step_shares()),
        ("UtilizationMonth", utilization_month()),
        ("HealthMetric", health_metric()),
        ("CloudVsOnPrem", cloud_vs_on_prem()),
        ("BillLine", bill_line()),
        ("SensitivityRow", sensitivity_row()),
        ("Notice", notice()),
        ("Explanation", explanation()),
    ]
}

fn tier() -> Value {
    choice("Size class: 1 to 4 nodes, 5 to 15 nodes, 16 nodes and up", &["starter", "workhorse", "beast"])
}

fn acquisition() -> Value {
    let ids: Vec<&str> = Acquisition::ALL.iter().map(|way| way.id()).collect();
    choice("Way of acquiring", &ids)
}

fn provider() -> Value {
    or_null(text("Provider id; null when bought"))
}

fn plan() -> Value {
    object(
        "A plan: what to run, how long it takes, what it costs, and why",
        &[
            ("engine_version", text("Version of the engine")),
            ("catalog_version", text("Version of the catalog: year and month of the newest figure")),
            ("request", of("PlanRequest", "The request with defaults filled in")),
            ("headline", text("The answer in one sentence")),
            ("recommended", or_null(of("Recommended", "The recommendation; null when nothing meets the limits"))),
            (
                "no_recommendation",
                list(
                    "Why there is no recommendation, and the nearest plan; empty when there is one",
                    of("Reason", "A reason"),
                ),
            ),
            ("tiers", list("The three size classes; always three", of("TierPlan", "One size class"))),
            ("cheapest", or_null(of("Candidate", "The cheapest cluster that meets the limits"))),
            ("fastest", or_null(of("Candidate", "The fastest cluster that meets the limits"))),
            (
                "frontier",
                list(
                    "Cost against time: no other cluster is both cheaper and faster than one of these",
                    of("Candidate", "A cluster"),
                ),
            ),
            ("utilization", of("Utilization", "Utilization by size and by month")),
            ("cloud_vs_on_prem", of("CloudVsOnPrem", "Cloud against on-premises")),
            (
                "bill_of_materials",
                list("What to buy for the recommended, or nearest, cluster", of("BillLine", "A line")),
            ),
            ("sensitivity", list("What each input moves, largest first", of("SensitivityRow", "An input"))),
            ("notices", list("What a reader must know", of("Notice", "A notice"))),
            ("shown_tier", tier()),
            ("layouts_evaluated", whole("Layouts that were evaluated")),
            (
                "explanations?",
                map(
                    "How each figure came about, by key; only with explain=true",
                    of("Explanation", "A formula with its values"),
                ),
            ),
        ],
    )
}

fn recommended() -> Value {
    object(
        "The recommendation",
        &[
            ("tier", tier()),
            ("acquisition", acquisition()),
            ("provider", provider()),
            ("reasons", list("Why", of("Reason", "A reason"))),
        ],
    )
}

fn tier_plan() -> Value {
    object(
        "One size class sized to the job",
        &[
            ("tier", tier()),
            (
                "verdict",
                choice("How it stands to the job", &["fits", "too_slow", "too_small", "over_budget", "oversized"]),
            ),
            ("reasons", list("Why", of("Reason", "A reason"))),
            (
                "cluster",
                or_null(of("Cluster", "The cluster; null only if nothing that is allowed exists in this class")),
            ),
            ("estimate", or_null(of("Estimate", "Its estimate, with fits: false where the model does not fit"))),
            (
                "days",
                or_null(of(
                    "Range",
                    "Days of the run with failures and checkpoints; null where the model does not fit",
                )),
            ),
            ("goodput", or_null(number("Productive share of the calendar, 0 to 1"))),
            ("cost", or_null(of("TierCost", "What it costs; null where the model does not fit or no price is known"))),
        ],
    )
}

fn cluster() -> Value {
    object(
        "Devices and how they are joined",
        &[
            ("accelerator", text("Accelerator id")),
            ("accelerator_label", text("Its name")),
            ("accelerator_short", text("Its short name, such as H100")),
            ("gpus", whole("Devices")),
            ("nodes", whole("Servers, or trays of a rack")),
            ("gpus_per_node", whole("Devices per server")),
            ("scale_up_domain", whole("Devices joined by the scale-up link")),
            ("fabric", text("Fabric id between servers")),
            ("network_gbps_per_gpu", number("Network rate per device, Gb/s")),
            ("power_kw", number("Draw at the facility while training, kW")),
        ],
    )
}

fn tier_cost() -> Value {
    object(
        "What a size class costs for this run",
        &[
            ("acquisition", acquisition()),
            ("provider", provider()),
            ("label", text("Name for people")),
            ("total_usd", of("Range", "For this run, USD")),
            ("usd_per_gpu_hour", number("Per device-hour, USD")),
            ("usd_per_million_tokens", number("Per million tokens, USD")),
            ("capital_usd", or_null(of("Range", "Purchase of the whole cluster, USD; null where no price is known"))),
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
            ("usd_per_gpu_hour", number("Paid per device-hour, USD; when bought, the cost of an owned hour")),
            ("total_usd", of("Range", "Attributable to this run, USD")),
            ("cash_usd", number("Money that leaves the account by the end of the run, USD")),
            ("as_of", text("Date of the price")),
            ("source", text("Source of the price")),
            ("within_budget", flag("The cash is within the budget, or there is none")),
            ("fabric", or_null(text("Fabric id that the offer comes with; null where it is unknown"))),
        ],
    )
}

fn candidate() -> Value {
    object(
        "One cluster on the frontier of cost against time",
        &[
            ("accelerator", text("Accelerator id")),
            ("accelerator_short", text("Its short name")),
            ("gpus", whole("Devices")),
            ("acquisition", acquisition()),
            ("provider", provider()),
            ("days", number("Days of the run")),
            ("total_usd", number("Cost of the run, USD")),
            ("mfu", number("MFU, 0 to 1")),
            ("layout", of("Layout", "Layout")),
        ],
    )
}

fn utilization() -> Value {
    object(
        "Utilization by size and by month",
        &[
            ("by_cluster_size", list("By cluster size", of("SizePoint", "One size"))),
            ("by_month", list("By month", of("UtilizationMonth", "One month"))),
            ("health", list("What to expect of the metrics a team watches", of("HealthMetric", "A metric"))),
        ],
    )
}

fn size_point() -> Value {
    object(
        "The recommended accelerator at one cluster size",
        &[
            ("gpus", whole("Devices")),
            ("days", number("Days of the run")),
            ("tokens_per_second", number("Tokens per second of the whole cluster")),
            ("mfu", number("MFU while training, 0 to 1")),
            ("goodput", number("Productive share of the calendar, 0 to 1")),
            ("shares", of("StepShares", "Where the time goes")),
            ("layout", of("Layout", "Layout")),
        ],
    )
}

fn step_shares() -> Value {
    object(
        "Shares of the calendar time; they sum to 1",
        &[
            ("compute", number("Matrix multiplications, attention and memory-bound work")),
            ("communication", number("Exposed communication")),
            ("bubble", number("Pipeline bubble")),
            ("input", number("Waiting for input")),
            ("overhead", number("Optimizer, launches, jitter")),
            ("checkpoints", number("Writing checkpoints")),
            ("failures", number("Lost work and restarts")),
        ],
    )
}

fn utilization_month() -> Value {
    object(
        "Demand against capacity in one month",
        &[
            ("month", whole("Month, from 1")),
            ("demand_gpu_hours", number("Demand, device-hours")),
            ("capacity_gpu_hours", number("Owned capacity, device-hours")),
            ("burst_gpu_hours", number("Demand above capacity, rented, device-hours")),
            ("idle_gpu_hours", number("Capacity without work, device-hours")),
            ("utilization", number("Share of the capacity that works, 0 to 1")),
        ],
    )
}

fn health_metric() -> Value {
    object(
        "A metric that a team watches, with what to expect",
        &[
            ("metric", text("Stable key")),
            ("label", text("Name for people")),
            ("unit", text("Unit")),
            ("expected", number("Expected value")),
            ("low", number("Low end of the healthy range")),
            ("high", number("High end of the healthy range")),
        ],
    )
}

fn cloud_vs_on_prem() -> Value {
    let curve = object(
        "Cumulative cost of one way of acquiring",
        &[
            ("id", text("Stable id: buy, or acquisition and provider")),
            ("label", text("Name for people")),
            ("cumulative_usd", list("Cumulative cost at each of months, USD", number("USD"))),
            ("low_usd", list("Low end, where known", number("USD"))),
            ("high_usd", list("High end, where known", number("USD"))),
        ],
    );
    let hour = object(
        "Cost of a useful device-hour at one utilization",
        &[
            ("utilization", number("Utilization, 0 to 1")),
            ("usd_per_useful_gpu_hour", map("By curve id, USD", number("USD"))),
        ],
    );
    let break_even = object(
        "When buying pays back against one rival",
        &[
            ("against", text("Curve id of the rival")),
            ("label", text("Its name for people")),
            ("months", or_null(number("Months until buying is cheaper; null: never"))),
            (
                "utilization",
                or_null(number("Utilization above which buying is cheaper over the horizon; null: at none")),
            ),
        ],
    );
    object(
        "Cloud against on-premises",
        &[
            ("gpus", whole("Devices that are compared")),
            ("accelerator", text("Accelerator id that is compared")),
            ("months", list("The months of the curves, from 0", whole("Month"))),
            ("curves", list("Cumulative cost", curve)),
            ("by_utilization", list("Cost of a useful hour by utilization", hour)),
            ("break_even", list("When buying pays back", break_even)),
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
            ("unit_usd", of("Range", "Price of one, USD")),
            ("total_usd", number("Quantity times typical price, USD")),
            ("source", text("Source of the price")),
            ("as_of", text("Date of the price")),
            ("why", text("How the quantity came about")),
        ],
    )
}

fn sensitivity_row() -> Value {
    object(
        "What one input moves",
        &[
            ("input", text("Stable key of the input")),
            ("label", text("Name for people")),
            ("low", number("Its low value")),
            ("high", number("Its high value")),
            ("unit", text("Unit of the input")),
            ("total_usd_low", number("Cost of the run at the low value, USD")),
            ("total_usd_high", number("Cost of the run at the high value, USD")),
        ],
    )
}

fn notice() -> Value {
    object(
        "Something that a reader of the plan must know",
        &[
            ("code", text("Stable code")),
            ("severity", choice("How much it matters", &["info", "warning", "critical"])),
            ("text", text("One or two sentences")),
            ("source", text("Where it comes from")),
        ],
    )
}

fn explanation() -> Value {
    let term = object(
        "One value in a formula",
        &[
            ("name", text("Name in the formula")),
            ("value", number("Value put in")),
            ("unit", text("Unit")),
            ("source", text("Where the value came from, with its date")),
        ],
    );
    object(
        "The formula behind one figure, with the values put in",
        &[
            ("title", text("Name of the figure for people")),
            ("value", number("The result")),
            ("unit", text("Unit of the result")),
            ("formula", text("The formula in words and symbols")),
            ("terms", list("The values put in", term)),
        ],
    )
}
