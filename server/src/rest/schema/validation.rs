//! The validation.

use super::{choice, flag, ids, list, number, object, of, or_null, text, whole};
use engine::request::{Method, Precision};
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("Validation", validation()),
        ("ValidationRow", row()),
        ("ValidationSummaries", summaries()),
        ("ErrorGroup", group()),
        ("ErrorSummary", summary()),
        ("HeldOut", held_out()),
        ("HeldOutKinds", kinds()),
    ]
}

fn validation() -> Value {
    object(
        "Predicted against measured",
        &[
            ("calibration_version", text("Version of the constants")),
            ("measurements", whole("Measurements in rows")),
            ("predicted", whole("Of these, predicted")),
            ("excluded", whole("Of these, not predicted; each row says why")),
            ("summaries", of("ValidationSummaries", "Errors with the committed constants")),
            ("held_out", of("HeldOut", "Errors of predictions by constants that never saw the row's group")),
            ("rows", list("Every measurement", of("ValidationRow", "A measurement"))),
        ],
    )
}

fn row() -> Value {
    object(
        "A published measurement with its prediction",
        &[
            ("id", text("Stable id")),
            ("source", text("Publication")),
            ("reference", text("Where in it")),
            ("date", text("Date of the publication: 2026-09-01, 2026-09 or 2026")),
            ("model", text("Name of the model as published")),
            (
                "kind",
                or_null(choice("Kind of model; null where the architecture is not published", &["dense", "experts"])),
            ),
            ("parameters", or_null(whole("Parameters, counted from the architecture; null where it is not published"))),
            ("accelerator", text("Accelerator id")),
            ("accelerator_label", text("Name of the accelerator")),
            ("recipe", text("Number format as published, such as fp8-cs")),
            ("precision", choice("Number format of the linear layers", &ids(Precision::ALL, Precision::id))),
            ("method", choice("What was trained", &ids(Method::ALL, Method::id))),
            ("gpus", whole("Devices")),
            ("gpus_per_node", whole("Devices of one server")),
            ("context_length", or_null(whole("Context length, tokens; null where not published"))),
            ("layout", text("What is published of the layout, in short")),
            ("measured", or_null(number("Measured tokens per second and device; null where not published as such"))),
            ("predicted", or_null(number("Predicted tokens per second and device; null where excluded says why"))),
            ("error", or_null(number("predicted/measured − 1"))),
            ("fits", or_null(flag("The engine says that it fits in memory"))),
            (
                "quality",
                choice("A: full configuration, primary source. B: something is missing or rounded", &["A", "B"]),
            ),
            (
                "counted",
                flag(
                    "Counted in the summaries of pretraining: one row for each configuration of a source for dense models, all rows of experts",
                ),
            ),
            ("excluded", or_null(text("Why there is no prediction"))),
            ("not_fitted", or_null(text("Why no constant is fitted to it although it is predicted and counted"))),
        ],
    )
}

fn summaries() -> Value {
    let groups = |description: &str| list(description, of("ErrorGroup", "A group"));
    object(
        "Errors in all the ways they are grouped; of pretraining, except by_method",
        &[
            ("overall", of("ErrorGroup", "All counted rows")),
            ("by_accelerator", groups("By accelerator")),
            ("by_precision", groups("By number format of the linear layers")),
            ("by_model_size", groups("By parameters of the model")),
            ("by_nodes", groups("One server, or several")),
            ("by_source", groups("By publication")),
            ("by_method", groups("By what was trained")),
        ],
    )
}

fn group() -> Value {
    object(
        "Errors of a group of rows, dense models and experts apart",
        &[
            ("id", text("Id of the group")),
            ("label", text("Name of the group")),
            ("dense", or_null(of("ErrorSummary", "Dense models; null where the group has none"))),
            ("experts", or_null(of("ErrorSummary", "Mixtures of experts; null where the group has none"))),
        ],
    )
}

fn summary() -> Value {
    object(
        "Errors of predicted tokens per second, as shares of what was measured",
        &[
            ("rows", whole("Rows")),
            ("median", number("Median of the absolute error")),
            ("p90", number("90th percentile of the absolute error")),
            ("mean", number("Mean of the absolute error")),
            ("bias", number("Median of the signed error; above 0, predictions are too fast")),
        ],
    )
}

fn held_out() -> Value {
    object(
        "Errors of rows whose group was left out of the fit",
        &[
            ("fine", of("HeldOutKinds", "Groups of the same accelerator, model, size band and number format")),
            ("coarse", of("HeldOutKinds", "Groups of the same accelerator and model: the harder test")),
        ],
    )
}

fn kinds() -> Value {
    object(
        "Errors of both kinds of models",
        &[("dense", of("ErrorSummary", "Dense models")), ("experts", of("ErrorSummary", "Mixtures of experts"))],
    )
}
