//! What a team keeps: scenarios, versions, links and quotes.

use super::{choice, flag, input, list, number, object, of, or_null, text, whole};
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    let version = version_fields();
    vec![
        ("Scenario", scenario()),
        ("ScenarioList", scenario_list()),
        ("ScenarioInput", scenario_input()),
        ("ScenarioChange", scenario_change()),
        ("Version", object("A version without its plan", &version)),
        (
            "VersionList",
            object("The versions that are kept", &[("versions", list("Newest first", of("Version", "A version")))]),
        ),
        (
            "VersionDetail",
            object(
                "A version with its plan",
                &[("version", of("Version", "The version")), ("plan", of("Plan", "Its plan as it was when saved"))],
            ),
        ),
        ("Comparison", comparison()),
        ("Link", link()),
        ("LinkList", object("The links of a scenario", &[("links", list("Newest first", of("Link", "A link")))])),
        (
            "LinkToken",
            object(
                "A link with its token",
                &[
                    ("link", of("Link", "The link")),
                    ("token", text("Its token, which is shown this once")),
                    ("url", text("What to hand on: a page, or for a feed the address of its table summary")),
                ],
            ),
        ),
        (
            "LinkInput",
            input(
                "A link to be made",
                &[
                    ("kind?", choice("What it opens; frozen if absent", &["frozen", "live", "feed"])),
                    ("label?", text("What the team calls it, up to 80 characters")),
                    ("days?", choice("After how many days it ends; 30 if absent", &["7", "30", "90", "never"])),
                ],
            ),
        ),
        (
            "LinkChange",
            input("A change of a link", &[("paused", flag("Whether it opens nothing until it is resumed"))]),
        ),
        ("Quote", quote()),
        (
            "Log",
            object(
                "A page of what was done in a team",
                &[
                    (
                        "lines",
                        list(
                            "Newest first",
                            object(
                                "Something that was done",
                                &[
                                    ("at", text("ISO 8601 UTC")),
                                    ("who", or_null(text("Address of who did it; null when the account is deleted"))),
                                    ("action", text("What was done, such as saved_scenario")),
                                    ("object", text("What it was done to, such as the name of a scenario")),
                                    ("about", or_null(text("Address of whom it was done to, if to a person"))),
                                ],
                            ),
                        ),
                    ),
                    ("next", or_null(text("The cursor of the next page; null on the last"))),
                ],
            ),
        ),
        ("PriceBook", object("The price book of a team", &[("quotes", list("By key", of("Quote", "A quote")))])),
        (
            "QuoteDetail",
            object(
                "A quote with its history",
                &[("quote", of("Quote", "The quote")), ("history", list("Newest first", of("Quote", "As it was")))],
            ),
        ),
        (
            "QuoteInput",
            input(
                "A quote",
                &[
                    (
                        "value",
                        serde_json::json!({ "type": ["number", "string"], "description": "Price or rate in the unit of the key, such as 450000 or 450k" }),
                    ),
                    ("supplier?", text("Who offered it, up to 80 characters")),
                    (
                        "valid_until?",
                        text("Last day on which it holds, such as 2027-03-31; until it is changed if absent"),
                    ),
                    ("note?", text("A remark, up to 500 characters")),
                ],
            ),
        ),
    ]
}

fn scenario() -> Value {
    object(
        "A scenario without its plan",
        &[
            ("id", text("Public id")),
            ("name", text("Name, 1 to 120 characters")),
            ("headline", text("The answer in one sentence")),
            ("notes", text("Remarks, plain text; may be empty")),
            ("tags", list("Tags, sorted", text("A tag"))),
            ("archived", flag("Put away")),
            ("version", whole("Number of the current version, from 1")),
            ("edition", whole("Counts the changes of its texts; version.edition is the ETag")),
            ("query", text("Inputs as the address of the planner and GET /plans have them")),
            ("engine_version", text("Engine that made the plan")),
            ("catalog_version", text("Catalog that the plan is from")),
            ("frozen_at", text("When the plan was made, ISO 8601 UTC")),
            ("created_at", text("ISO 8601 UTC")),
            ("updated_at", text("ISO 8601 UTC")),
        ],
    )
}

fn scenario_list() -> Value {
    object(
        "A page of scenarios",
        &[
            ("scenarios", list("Newest change first", of("Scenario", "A scenario"))),
            ("found", whole("How many there are on all pages")),
            ("tags", list("Every tag of the team's scenarios, sorted", text("A tag"))),
            ("next", or_null(text("cursor of the next page; null on the last"))),
        ],
    )
}

fn texts() -> Vec<(&'static str, Value)> {
    vec![
        ("notes?", text("Remarks, plain text, up to 4,000 characters")),
        ("tags?", list("Up to 10 tags of up to 30 characters", text("A tag"))),
        ("archived?", flag("Put away, or taken out again")),
        ("prices?", choice("With the quotes of the price book or without; team if absent", &["team", "catalog"])),
    ]
}

fn scenario_input() -> Value {
    let mut fields = texts();
    fields.push(("name?", text("Name, up to 120 characters; made of the inputs if absent")));
    fields.push(("request", of("PlanRequest", "What is planned")));
    input("A scenario to be saved", &fields)
}

fn scenario_change() -> Value {
    let mut fields = texts();
    fields.push(("name?", text("A new name, 1 to 120 characters")));
    fields.push(("request?", of("PlanRequest", "What is planned, as the next version")));
    input("A change of a scenario; what is absent stays", &fields)
}

fn version_fields() -> Vec<(&'static str, Value)> {
    vec![
        ("number", whole("From 1")),
        ("headline", text("The answer in one sentence")),
        ("query", text("Inputs as the address of the planner and GET /plans have them")),
        ("engine_version", text("Engine that made the plan")),
        ("catalog_version", text("Catalog that the plan is from")),
        ("frozen_at", text("When the plan was made, ISO 8601 UTC")),
        ("saved_at", text("ISO 8601 UTC")),
        ("saved_by", or_null(text("Address of who saved it; null when there was none, or the account is deleted"))),
        ("reason", text("Why it was saved, in a few words")),
    ]
}

fn comparison() -> Value {
    let column = object(
        "A scenario",
        &[
            ("title", text("Its name")),
            ("headline", text("Its answer in one sentence")),
            ("engine_version", text("Engine that made the plan")),
            ("catalog_version", text("Catalog that the plan is from")),
        ],
    );
    let value = object(
        "What one scenario has",
        &[
            ("text", text("For people, with its unit")),
            ("number", or_null(number("The number: shares 0 to 1, money in USD; null where it is none or unknown"))),
            ("range", or_null(text("From what to what it may be, for people"))),
            ("difference", or_null(number("The number less that of the first scenario"))),
            ("difference_text", or_null(text("The same for people"))),
            ("best", flag("None of the others is better, and one is worse")),
        ],
    );
    let row = object(
        "An input or a figure",
        &[
            ("key", text("Stable key; of an input, its key in the address")),
            ("label", text("For people")),
            ("differs", flag("The scenarios do not all have the same")),
            ("values", list("One for each scenario, in their order", value)),
        ],
    );
    let group = object(
        "Rows about one thing",
        &[
            ("id", text("Stable id: inputs, result, cost, layout, utilization")),
            ("title", text("For people")),
            ("rows", list("Rows", row)),
        ],
    );
    object(
        "Scenarios beside one another; differences are from the first",
        &[
            ("columns", list("The scenarios, in the order asked for", column)),
            ("groups", list("Rows by what they are about", group)),
        ],
    )
}

fn link() -> Value {
    object(
        "A link without its token",
        &[
            ("id", text("Public id, which opens nothing")),
            ("scenario", text("Public id of its scenario")),
            ("kind", choice("What it opens", &["frozen", "live", "feed"])),
            ("label", text("What the team calls it; may be empty")),
            ("state", choice("Whether it opens", &["active", "paused", "expired", "revoked"])),
            ("views", whole("Times that it was opened")),
            ("last_view_at", or_null(text("ISO 8601 UTC; null if never"))),
            ("expires_at", or_null(text("ISO 8601 UTC; null if never"))),
            ("created_at", text("ISO 8601 UTC")),
        ],
    )
}

fn quote() -> Value {
    object(
        "A quote of a team",
        &[
            ("key", text("Path under overrides, such as server_usd.b200")),
            ("version", whole("Counts its changes; the ETag")),
            ("value", or_null(number("Price or rate in the unit of the key; null where it was taken out"))),
            ("supplier", text("Who offered it; may be empty")),
            ("valid_until", or_null(text("Last day on which it holds, ISO 8601; null until it is changed"))),
            ("expired", flag("It holds no longer, and plans are made without it")),
            ("note", text("A remark; may be empty")),
            ("changed_at", text("ISO 8601 UTC")),
            ("changed_by", or_null(text("Address of who changed it; null when the account is deleted"))),
        ],
    )
}
