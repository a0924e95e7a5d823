//! The answer to a plan.

use super::{choice, described, flag, ids, list, map, number, object, of, or_null, text, whole};
use engine::request::Acquisition;
use serde_json::{Value, json};

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("Plan", plan()),
        (
            "PlanOrBatch",
            json!({ "oneOf": [
            { "$ref": "#/components/schemas/Plan" },
            { "type": "array", "items": { "oneOf": [{ "$ref": "#/components/schemas/Plan" }, { "$ref": "#/components/schemas/Problem" }] } },
        ] }),
        ),
        ("Row", map("A row of a table by column", json!({ "type": ["string", "number", "boolean", "null"] }))),
        (
            "Rows",
            json!({ "oneOf": [
            list("The rows of one table", of("Row", "A row")),
            map("The rows of every table by its name", list("The rows of one table", of("Row", "A row"))),
        ] }),
        ),
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
        ("Candidate", candidate()),
        ("Inverse", inverse()),
        ("LargestModelAnswer", largest_model()),
        ("OverrideUse", override_use()),
        ("SensitivityRow", sensitivity_row()),
        ("Notice", notice()),
        ("Explanation", explanation()),
    ]
}

pub(super) fn tier(description: &str) -> Value {
    choice(description, &["starter", "workhorse", "beast"])
}

pub(super) fn acquisition() -> Value {
    choice("Way of acquiring", &ids(Acquisition::ALL, Acquisition::id))
}

pub(super) fn provider() -> Value {
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
                list(
                    "What to buy for the cluster of shown_tier, or for as many of its devices where that one is rented; empty where there is no cluster or no price of its servers",
                    of("BillLine", "A line"),
                ),
            ),
            (
                "build?",
                of("Build", "The physical build of the cluster of shown_tier; absent only if there is no cluster"),
            ),
            ("sensitivity", list("What each input moves, largest first", of("SensitivityRow", "An input"))),
            (
                "ownership",
                or_null(of(
                    "OwnershipCost",
                    "What owning the shown cluster, or as many of its devices, costs by the month and the hour; null where buying is not allowed, or price or draw is not known",
                )),
            ),
            (
                "ranges",
                or_null(of(
                    "RunRanges",
                    "Days and cost of the shown tier as a distribution; null where it has no cost",
                )),
            ),
            ("inverse", of("Inverse", "What the limits allow")),
            ("overridden", list("Your own figures, with what they replace", of("OverrideUse", "A figure"))),
            ("notices", list("What a reader must know", of("Notice", "A notice"))),
            (
                "shown_tier",
                tier("Tier whose cluster the charts and the bill are of: the recommended one, or the nearest"),
            ),
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
            ("tier", tier("Size class: 1 to 4 nodes, 5 to 15 nodes, 16 nodes and up")),
            ("acquisition", acquisition()),
            ("provider", provider()),
            ("minimum_months", number("Months of commitment; 0 without one")),
            ("reasons", list("Why", of("Reason", "A reason"))),
        ],
    )
}

fn tier_plan() -> Value {
    object(
        "One size class sized to the job",
        &[
            ("tier", tier("Size class: 1 to 4 nodes, 5 to 15 nodes, 16 nodes and up")),
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
                    "Days of the run with failures and checkpoints; null where the model does not fit or no price is known",
                )),
            ),
            ("goodput", or_null(number("Productive share of the calendar, 0 to 1; null as days is"))),
            ("cost", or_null(of("TierCost", "What it costs; null where the model does not fit or no price is known"))),
            (
                "footprint",
                or_null(of(
                    "Footprint",
                    "Energy and carbon of the run; null where it has no days or its draw is not known",
                )),
            ),
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
            (
                "power_kw",
                number("Draw at the facility while training, kW, with overhead and PUE; 0 where it is not known"),
            ),
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
            ("minimum_months", number("Months of commitment; 0 without one")),
            ("days", number("Days of the run")),
            ("total_usd", number("Cost of the run, USD")),
            ("mfu", number("MFU, 0 to 1")),
            ("layout", of("Layout", "Layout")),
        ],
    )
}

fn largest_model() -> Value {
    let found = object(
        "The largest dense model that limits allow",
        &[
            ("parameters_billion", number("Parameters, billions, to two significant digits")),
            ("training_tokens", whole("Tokens: as many per parameter as the request asks for its own model")),
            ("candidate", of("Candidate", "The cheapest cluster that does it")),
        ],
    );
    let why = "Null without a budget or a deadline, or when not even the smallest model is possible";
    object("The largest model", &[("largest_model", or_null(described(found, why)))])
}

fn inverse() -> Value {
    let most = object(
        "The most tokens that limits allow",
        &[
            ("training_tokens", whole("Tokens")),
            ("candidate", of("Candidate", "The cluster that trains on so many; its days and cost are of these tokens")),
        ],
    );
    object(
        "What the limits allow, from the clusters of this plan",
        &[
            (
                "smallest_for_deadline",
                or_null(of(
                    "Candidate",
                    "The fewest devices that finish by the deadline, whatever they cost; null without a deadline, or when none does",
                )),
            ),
            (
                "most_tokens",
                or_null(described(
                    most,
                    "The most tokens within budget and deadline; null without such a limit, or when nothing is within it",
                )),
            ),
            (
                "buying_wins_from_utilization",
                or_null(number(
                    "Utilization, 0 to 1, from which on buying is cheaper over the horizon than the cheapest rental on demand; null: at none, or nothing to compare",
                )),
            ),
        ],
    )
}

fn override_use() -> Value {
    object(
        "A figure of yours in place of one of the catalog",
        &[
            ("key", text("Key under overrides, such as pue or gpu_hour_usd.aws.b200")),
            ("label", text("Name for people")),
            ("unit", text("Unit of value and replaces")),
            ("value", number("Your value")),
            ("replaces", or_null(number("The catalog's value; null where it has none"))),
            ("used", flag("A figure that this plan shows is computed with it")),
            ("considered", flag("Clusters were compared with it, whether one of them is shown or not")),
            ("source", text("Where the value is from: your request, or the quote that the request names for it")),
            ("as_of", text("Day on which the quote was recorded; empty where there is none")),
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
            ("unit", text("Unit of low and high")),
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

/// One value in a formula.
pub(super) fn term() -> Value {
    object(
        "One value in a formula",
        &[
            ("name", text("Name in the formula")),
            ("value", number("Value put in")),
            ("unit", text("Unit")),
            ("source", text("Where the value came from, with its date")),
        ],
    )
}

fn explanation() -> Value {
    object(
        "The formula behind one figure, with the values put in",
        &[
            ("title", text("Name of the figure for people")),
            ("value", number("The result")),
            ("unit", text("Unit of the result")),
            (
                "formula",
                text(
                    "An expression over the names of the terms and, after a semicolon, words; words alone for what is searched or simulated",
                ),
            ),
            ("terms", list("The values put in", term())),
        ],
    )
}
