//! Buying against renting, in the answer to a plan.

use super::{flag, list, map, number, object, of, or_null, text, whole};
use serde_json::Value;

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![("CloudVsOnPrem", cloud_vs_on_prem()), ("Hybrid", hybrid())]
}

fn cloud_vs_on_prem() -> Value {
    let curve = object(
        "Cumulative cost of one way of acquiring",
        &[
            (
                "id",
                text("Stable id: buy, hybrid, or way of paying and provider, such as on_demand-aws or reserved_36-gcp"),
            ),
            ("label", text("Name for people")),
            ("cumulative_usd", list("Cumulative cost at each of months, USD", number("USD"))),
            ("low_usd", list("Low end at each of months, USD", number("USD"))),
            ("high_usd", list("High end at each of months, USD", number("USD"))),
            (
                "owed_usd",
                number(
                    "What a commitment still takes after the horizon, until its term ends, USD; in none of the points",
                ),
            ),
        ],
    );
    let hour = object(
        "Cost over the horizon of a device-hour that trains, at one utilization: what is paid over hours of work over goodput",
        &[
            ("utilization", number("Utilization, 0 to 1")),
            ("usd_per_useful_gpu_hour", map("By curve id (all but hybrid), USD", number("USD"))),
        ],
    );
    let break_even = object(
        "When buying pays back against one rival",
        &[
            ("against", text("Curve id of the rival")),
            ("label", text("Its name for people")),
            (
                "months",
                or_null(number(
                    "Months until what has been paid for buying is less than for renting, at the request's utilization, resale not counted; null: never within ten years",
                )),
            ),
            (
                "utilization",
                or_null(number(
                    "Utilization, 0 to 1, from which on buying is cheaper over the horizon, by the same measure; null: at none",
                )),
            ),
            ("within_life", flag("The hardware is still within its economic life when buying pays back")),
        ],
    );
    object(
        "Cloud against on-premises",
        &[
            ("gpus", whole("Devices that are compared; 0 where there is no cluster")),
            ("accelerator", text("Accelerator id that is compared; empty where there is no cluster")),
            ("months", list("The months of the curves, from 0", whole("Month"))),
            ("curves", list("Cumulative cost", curve)),
            ("by_utilization", list("Cost of a useful hour by utilization", hour)),
            (
                "owned_useful_hour_usd",
                or_null(number(
                    "Cost of an owned hour that trains at the request's utilization by the measure of the curves, USD: the purchase in full over the horizon, resale left out; ownership has the same hour over the life and with resale",
                )),
            ),
            ("break_even", list("When buying pays back, soonest first, never last", break_even)),
            (
                "hybrid",
                or_null(of(
                    "Hybrid",
                    "The least-cost split into an owned base and a rented peak over the horizon; null where one of them is not allowed or has no price",
                )),
            ),
            (
                "resale_usd",
                or_null(of(
                    "Range",
                    "What the owned hardware would fetch at the end of the horizon, USD, in none of the curves and break-evens; null where buying is not allowed, or price or draw is not known",
                )),
            ),
        ],
    )
}

fn hybrid() -> Value {
    object(
        "An owned base and a rented peak",
        &[
            ("owned_nodes", whole("Nodes to own; 0: rent everything")),
            ("owned_gpus", whole("Devices to own")),
            ("against", text("Curve id of the rental that takes the peak")),
            ("label", text("Its name for people")),
            ("upfront_usd", number("Purchase of the base, USD")),
            ("total_usd", number("Cost over the horizon, USD, by the measure of the curves")),
            ("own_nothing_usd", number("Cost over the horizon when everything is rented there, USD")),
            ("work_gpu_hours", number("Work over the horizon, device-hours")),
            ("rented_gpu_hours", number("Of it, rented, device-hours")),
            ("assumption", text("What is assumed of the demand")),
        ],
    )
}
