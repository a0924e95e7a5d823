//! What a tier costs: each way of acquiring, per hour, per token.

use super::{Background, Book, MODEL, REQUEST, SEARCH, Way, dated, input, term};
use crate::answer::{Cluster, Term, TierPlan};
use crate::catalog::OfferTerm;
use crate::economics::inputs::{Input, Inputs};
use crate::economics::ownership::Ownership;
use crate::economics::rental::{Held, Rent};
use crate::request::{Acquisition, PlanRequest};

pub(super) fn cost(
    request: &PlanRequest,
    inputs: &Inputs,
    plan: &TierPlan,
    cluster: &Cluster,
    background: &Background<'_>,
    book: &mut Book<'_>,
) {
    let (Some(cost), Some(days)) = (&plan.cost, plan.days) else { return };
    let gpus = f64::from(cluster.gpus);
    let mut seen: Vec<Acquisition> = Vec::new();
    for option in &cost.options {
        let Some(way) = background.way(&option.label) else { continue };
        let (formula, terms) = total(request, way);
        if option.label == cost.label {
            book.put("total_usd", "Cost of the run", cost.total_usd.typical, "USD", formula, terms.clone());
        }
        if seen.contains(&option.acquisition) {
            continue;
        }
        seen.push(option.acquisition);
        let key = |part: &str| format!("options.{}.{part}", option.acquisition.id());
        let title = |what: &str| format!("{what}: {}", option.label);
        book.put(&key("total_usd"), &title("Cost of the run"), option.total_usd.typical, "USD", formula, terms);
        let (formula, terms) = cash(request, way);
        book.put(&key("cash_usd"), &title("Cash by the end of the run"), option.cash_usd, "USD", formula, terms);
        if let Some(rent) = way.rent {
            let (formula, terms) = extras(request, inputs, way, rent);
            let title = title("Storage, egress and support");
            book.put(&key("extras_usd"), &title, option.extras_usd, "USD", &formula, terms);
        }
        let formula = format!("{DAYS}; interruptions of spot machines lower the goodput");
        book.put(
            &key("days"),
            &title("Days of the run"),
            option.days.typical,
            "days",
            &formula,
            days_terms(request, way),
        );
    }
    let total_usd = background.way(&cost.label).map_or(cost.total_usd.typical, |way| way.total);
    book.put(
        "usd_per_million_tokens",
        "Cost per million tokens",
        cost.usd_per_million_tokens,
        "USD per million tokens",
        "cost of the run ÷ tokens × 1,000,000",
        vec![
            term("cost of the run", total_usd, "USD", "cost of the run"),
            term("tokens", request.training_tokens as f64, "tokens", REQUEST),
        ],
    );
    book.put(
        "gpu_hours",
        "Device-hours of the run",
        cost.gpu_hours,
        "GPU-hours",
        "days × 24 × devices",
        vec![term("days", days.typical, "days", "days of the run"), term("devices", gpus, "devices", SEARCH)],
    );
    hours(request, inputs, plan, background, book);
}

pub(super) const DAYS: &str = "tokens ÷ (throughput per device × devices × goodput) ÷ 86,400";

/// Terms of the days of a way.
pub(super) fn days_terms(request: &PlanRequest, way: &Way<'_>) -> Vec<Term> {
    vec![
        term("tokens", request.training_tokens as f64, "tokens", REQUEST),
        term("throughput per device", way.estimate.tokens_per_second_per_gpu, "tokens/s/GPU", MODEL),
        term("devices", way.gpus, "devices", SEARCH),
        term("goodput", way.reliability.goodput, "share", "failures and checkpoints when acquired so"),
    ]
}

const EXTRAS: &str = "storage, egress and support";
const IDLE: &str = "hours held ÷ (hours with work × utilization)";

/// Formula and terms of what a way of acquiring costs for the run.
pub(super) fn total(request: &PlanRequest, way: &Way<'_>) -> (&'static str, Vec<Term>) {
    if let Some(own) = way.own {
        return purchase(way, own);
    }
    let mut terms = rented_hours(way);
    terms.push(term(EXTRAS, way.extras, "USD", "share of the rent, at least what storage and egress come to"));
    if let Some(held) = way.rent.and_then(|r| r.held.as_ref()) {
        terms.extend(held_terms(request, way, held));
        return (
            "devices × days × 24 × price × hours held ÷ (hours with work × utilization) + storage, egress and support; a commitment pays every hour of whole terms, and the run bears those without work in proportion",
            terms,
        );
    }
    let formula = match way.term {
        Some(OfferTerm::CapacityBlock) => {
            "devices × ⌈days⌉ × 24 × price + storage, egress and support; whole days are paid up front"
        }
        Some(OfferTerm::Spot) => {
            "devices × days × 24 × price + storage, egress and support; the days hold what is done again after interruptions"
        }
        _ => "devices × days × 24 × price + storage, egress and support",
    };
    (formula, terms)
}

fn purchase(way: &Way<'_>, own: &Ownership) -> (&'static str, Vec<Term>) {
    let running = "energy at the load of training, place, support, insurance, software, staff";
    let terms = vec![
        term("purchase", own.capital.typical, "USD", "bill of materials"),
        term("running cost, every hour working", own.running_month(1.0), "USD/month", running),
        term("days", way.days, "days", "days of the run when acquired so"),
    ];
    ("purchase + running cost × days × 24 ÷ 730; every hour of the run works", terms)
}

fn rented_hours(way: &Way<'_>) -> Vec<Term> {
    vec![
        term("devices", way.gpus, "devices", SEARCH),
        term("days", way.days, "days", "days of the run when acquired so"),
        term("price", way.price, "USD/GPU-hour", &dated(way.source, way.as_of)),
    ]
}

/// Terms of what a run bears of a commitment.
fn held_terms(request: &PlanRequest, way: &Way<'_>, held: &Held) -> [Term; 3] {
    let terms = format!("as many whole terms of {} months of 730 h as the run takes", way.minimum_months);
    [
        term("hours held", held.hours, "h", &terms),
        term("hours with work", held.with_work, "h", "those of them within the horizon, or the run where it is longer"),
        term("utilization", request.utilization, "share", REQUEST),
    ]
}

fn cash(request: &PlanRequest, way: &Way<'_>) -> (&'static str, Vec<Term>) {
    let Some(held) = way.rent.and_then(|r| r.held.as_ref()) else { return total(request, way) };
    let source = "of all hours held: share of their rent, at least what storage and egress come to";
    let terms = vec![
        term("devices", way.gpus, "devices", SEARCH),
        held_terms(request, way, held)[0].clone(),
        term("price", way.price, "USD/GPU-hour", &dated(way.source, way.as_of)),
        term(EXTRAS, held.extras, "USD", source),
    ];
    ("devices × hours held × price + storage, egress and support; whole terms are paid", terms)
}

/// Formula and terms of what comes on top of the devices.
fn extras(request: &PlanRequest, inputs: &Inputs, way: &Way<'_>, rent: &Rent) -> (String, Vec<Term>) {
    let (share, stored, egress) =
        (&inputs.cloud_extras_share, &inputs.object_storage_usd_per_gb_month, &inputs.egress_usd_per_gb);
    let storing = "stored × 1,000 × object storage × hours ÷ 730";
    let leaving = "checkpoint × 1,000 × egress";
    let mut terms = vec![
        input("share", share, "share"),
        term("rent of the devices", way.gpus * rent.billed_hours * way.price, "USD", "devices × billed hours × price"),
    ];
    let storage_terms = || {
        [
            term("stored", rent.stored_tb, "TB", "data set and checkpoints, twice for work"),
            input("object storage", stored, "USD/GB-month"),
            term("hours", rent.hours, "h", "hours of the run"),
        ]
    };
    let egress_terms =
        || [term("checkpoint", rent.checkpoint_tb, "TB", "one checkpoint"), input("egress", egress, "USD/GB")];
    let mut formula = "share × rent of the devices".to_owned();
    let mut words = "your own prices come on top of the share";
    if ![share, stored, egress].into_iter().any(Input::is_given) {
        formula = format!("max({formula}, {storing} + {leaving})");
        words = "not less than storage and the egress of one checkpoint at list price";
        terms.extend(storage_terms());
        terms.extend(egress_terms());
    } else {
        if stored.is_given() {
            formula = format!("{formula} + {storing}");
            terms.extend(storage_terms());
        }
        if egress.is_given() {
            formula = format!("{formula} + {leaving}");
            terms.extend(egress_terms());
        }
    }
    if let Some(held) = &rent.held {
        formula = format!("({formula}) × {IDLE}");
        terms.extend(held_terms(request, way, held));
    }
    (format!("{formula}; {words}"), terms)
}

/// Price of an hour, purchase, and an owned hour.
fn hours(request: &PlanRequest, inputs: &Inputs, plan: &TierPlan, background: &Background<'_>, book: &mut Book<'_>) {
    let Some(cost) = &plan.cost else { return };
    let counted = background.way(&cost.label);
    if let Some(way) = counted.filter(|way| way.term.is_some()) {
        let terms = vec![term("price", way.price, "USD/GPU-hour", &dated(way.source, way.as_of))];
        let title = "Price of a device-hour";
        book.put("usd_per_gpu_hour", title, cost.usd_per_gpu_hour, "USD/GPU-hour", "price; as the offer has it", terms);
    }
    let Some(own) = background.own else { return };
    let mut terms = vec![term("capital", own.annuity_month().typical, "USD/month", "annuity less residual value")];
    let parts = own.month_by_part(request.utilization).filter(|(_, month)| month.typical > 0.0);
    terms.extend(
        parts.map(|(key, month)| term(&key.replace('_', " "), month.typical, "USD/month", "at your utilization")),
    );
    let names: Vec<String> = terms.iter().map(|t| t.name.clone()).collect();
    terms.extend([
        term("devices", own.gpus, "devices", SEARCH),
        term("utilization", request.utilization, "share", REQUEST),
        term("purchase", own.capital.typical, "USD", "bill of materials"),
        input("life", &inputs.hardware_life_years, "years"),
        term("residual value at its end", own.residual.typical, "share", "residual values by age"),
        input("cost of capital", &inputs.cost_of_capital, "per year"),
    ]);
    let formula = format!(
        "({}) ÷ (730 × devices × utilization); capital is the annuity of the purchase over the life at the cost of capital, less the residual value at its end",
        names.join(" + ")
    );
    let value = own.useful_hour(request.utilization).typical;
    let title = "Cost of a used owned hour, over the life and with resale";
    if counted.is_some_and(|way| way.term.is_none()) {
        book.put("usd_per_gpu_hour", title, value, "USD/GPU-hour", &formula, terms.clone());
    }
    book.put("owned_hour_usd", title, value, "USD/GPU-hour", &formula, terms);
    let lines =
        background.bill.iter().filter_map(|l| Some(term(&l.item, l.total_usd?, "USD", &dated(&l.source, &l.as_of))));
    book.put(
        "capital_usd",
        "Purchase of the cluster",
        own.capital.typical,
        "USD",
        "sum of the terms; the lines of the bill of materials of this cluster that have a price",
        lines.collect(),
    );
}
