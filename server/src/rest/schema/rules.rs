//! The tables of the catalog that are computed: rules of thumb, and the clusters that field reports recommend.

use super::plan::term;
use super::{choice, flag, ids, list, number, object, of, or_null, text, whole};
use engine::rules::RuleVerdict;
use serde_json::{Value, json};

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("RuleGroup", object("A group of rules", &[("id", text("Stable id")), ("label", text("Name for people"))])),
        ("Rule", rule()),
        ("RuleCase", case()),
        ("RuleCheck", check()),
        ("Contradiction", contradiction()),
        ("SaidSpan", span()),
        ("ReferenceBuild", build()),
        ("BuildCost", cost()),
    ]
}

fn outcome() -> Value {
    choice(
        "How the calculation stands to what is said; shown where there is nothing to compare with",
        &["agrees", "too_low", "too_high", "contradicted", "shown"],
    )
}

fn rule() -> Value {
    let citation = object(
        "Where a verdict comes from",
        &[
            ("source", text("Key into sources")),
            ("date", text("Date of what was read: 2026-09-01, 2026-09 or 2026")),
            ("title", text("Title for people")),
            ("url?", text("Address, where public")),
        ],
    );
    object(
        "A rule of thumb with its verdict and its checks",
        &[
            ("id", text("Stable id")),
            ("group", text("Id of its group")),
            ("report", whole("Which field report says it: 1 or 2")),
            ("claim", whole("Number of the claim within that report, from 1")),
            ("rule", text("The rule in our words")),
            ("verdict", choice("Verdict", &ids(&RuleVerdict::ALL, RuleVerdict::id))),
            ("why", text("Why, in one or two sentences")),
            ("sources", list("Sources of the verdict, the field report first", citation)),
            ("case", or_null(of("RuleCase", "The case of the checks; null where nothing is computed"))),
            (
                "checks",
                list(
                    "Calculations by this engine with this catalog; empty where arithmetic can't tell",
                    of("RuleCheck", "A calculation"),
                ),
            ),
        ],
    )
}

fn case() -> Value {
    object(
        "The very case that a check is about",
        &[
            ("id", text("Stable id")),
            ("kind", choice("What takes the query: plans and the planner, or estimates", &["planner", "estimate"])),
            ("label", text("What it is, for people")),
            ("query", text("Query string")),
            ("gpus?", whole("Devices of the plan, where the query holds it to a number by its deadline")),
        ],
    )
}

fn check() -> Value {
    let figure = object(
        "A figure",
        &[
            ("kind", choice("Kind", &["figure"])),
            ("unit", text("Unit of both figures")),
            ("said", or_null(of("SaidSpan", "What the rule says; null where it gives no figure"))),
            ("computed", of("Range", "What the engine computes")),
            ("ratio", or_null(number("The larger over the smaller; null where they agree or nothing is said"))),
            ("formula", text("The calculation in names and symbols")),
            ("terms", list("The values put in", term())),
        ],
    );
    let possible = object(
        "Whether something is possible",
        &[
            ("kind", choice("Kind", &["possible"])),
            ("said", flag("What the rule says")),
            ("computed", flag("What the engine finds: a layout that is legal and fits in memory")),
            ("reason", text("Why, in a sentence")),
        ],
    );
    object(
        "One calculation",
        &[
            ("what", text("What is calculated")),
            ("outcome", outcome()),
            ("text", text("The result in one line for people")),
            ("finding", json!({ "oneOf": [figure, possible], "description": "What was found" })),
        ],
    )
}

fn contradiction() -> Value {
    object(
        "Two statements of the field reports that can't both hold",
        &[
            ("id", text("Stable id")),
            ("topic", text("What it is about")),
            ("first", text("What report 1 says; what report 2 says first, where it contradicts itself")),
            ("second", text("What report 2 says")),
            ("use_instead", text("What to use instead")),
            ("rules", list("Ids of the rules concerned", text("Rule id"))),
        ],
    )
}

fn span() -> Value {
    object(
        "One figure, or two ends",
        &[("low", number("Low end")), ("high", or_null(number("High end; null where it is open")))],
    )
}

fn build() -> Value {
    object(
        "A cluster that a field report recommends, with its price then and its cost today",
        &[
            ("id", text("Stable id")),
            ("name", text("Name for people")),
            ("said_for", text("What the field report says it is for, in our words")),
            ("accelerator", text("Accelerator id")),
            ("gpus", whole("Devices")),
            ("nodes", whole("Servers")),
            ("fabric", text("Fabric id")),
            ("planner", of("RuleCase", "Opens the planner on this cluster")),
            ("note", or_null(text("What a reader of that plan must know"))),
            ("cost", of("BuildCost", "Cost today")),
            ("said_usd", or_null(of("SaidSpan", "Purchase price that the field report gives, USD"))),
            ("outcome", outcome()),
            ("ratio", or_null(number("The larger over the smaller price; null where they agree"))),
        ],
    )
}

fn cost() -> Value {
    let range = |name: &'static str, description: &str| (name, of("Range", description));
    object(
        "What a counted cluster costs today",
        &[
            range("capital_usd", "Purchase of everything, USD"),
            range("servers_usd", "Of it, the servers without spares, USD"),
            range("network_usd", "Of it, the network between servers with its installation, USD; 0 for one server"),
            range("annuity_usd_per_month", "Capital as an annuity, less its residual value, USD per month"),
            range("energy_usd_per_month", "Electricity of the IT and its cooling, USD per month"),
            range("cooling_usd_per_month", "Of it, what the facility takes on top of the IT, USD per month"),
            range("it_energy_usd_per_month", "Of it, the IT alone, USD per month"),
            range("support_usd_per_month", "Hardware support, USD per month"),
            range("running_usd_per_month", "Everything but the capital, USD per month"),
            range("usd_per_owned_gpu_hour", "Per device-hour that is owned, used or not, USD"),
            range("usd_per_used_gpu_hour", "Per device-hour that holds work, USD"),
            ("servers_kw", number("Maximum draw of the servers, kW")),
            ("memory_gb", number("Memory of all devices, GB (1e9 bytes)")),
            ("switches", number("Switches between the servers")),
        ],
    )
}
