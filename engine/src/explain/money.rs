//! What a tier costs: each way of acquiring, per hour, per token.

use super::{Background, Book, REQUEST, SEARCH, dated, input, source_of, term};
use crate::answer::{Cluster, CostOption, Term, TierPlan};
use crate::catalog::OfferTerm;
use crate::economics::inputs::Inputs;
use crate::request::{Acquisition, PlanRequest};
use crate::units::HOURS_PER_MONTH;

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
        let counted = option.label == cost.label;
        let first = !seen.contains(&option.acquisition);
        if !counted && !first {
            continue;
        }
        seen.push(option.acquisition);
        let (formula, terms) = total(request, inputs, option, gpus, background);
        if first {
            let key = format!("options.{}.total_usd", option.acquisition.id());
            let title = format!("Cost of the run: {}", option.label);
            book.put(&key, &title, option.total_usd.typical, "USD", formula, terms.clone());
            cash(option, gpus, book);
            extras(inputs, option, book);
            option_days(request, plan, option, background, book);
        }
        if counted {
            book.put("total_usd", "Cost of the run", cost.total_usd.typical, "USD", formula, terms);
        }
    }
    let total = || term("cost of the run", cost.total_usd.typical, "USD", "cost of the run");
    book.put(
        "usd_per_million_tokens",
        "Cost per million tokens",
        cost.usd_per_million_tokens,
        "USD per million tokens",
        "cost of the run ÷ tokens × 1,000,000",
        vec![total(), term("tokens", request.training_tokens as f64, "tokens", REQUEST)],
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

/// Formula and terms of what a way of acquiring costs for the run.
fn total(
    request: &PlanRequest,
    inputs: &Inputs,
    option: &CostOption,
    gpus: f64,
    background: &Background<'_>,
) -> (&'static str, Vec<Term>) {
    let days = || term("days", option.days.typical, "days", "days of the run when acquired so");
    if option.acquisition == Acquisition::Buy {
        let mut terms = Vec::new();
        if let Some(own) = background.own {
            let months = option.days.typical * 24.0 / HOURS_PER_MONTH;
            let running = own.running_month(1.0);
            terms.push(term("purchase", own.capital.typical, "USD", "bill of materials"));
            terms.push(term(
                "running cost, every hour working",
                running,
                "USD/month",
                "energy at the load of training, place, support, insurance, software, staff",
            ));
            terms.push(term("months", months, "months", "days of the run × 24 ÷ 730"));
        }
        terms.push(days());
        return ("purchase + running cost × months of the run, in which every hour works", terms);
    }
    let mut terms = vec![
        term("devices", gpus, "devices", SEARCH),
        days(),
        term("price", option.usd_per_gpu_hour, "USD/GPU-hour", &price_source(option)),
        term("storage, egress and support", option.extras_usd, "USD", &source_of(&inputs.cloud_extras_share)),
    ];
    let formula = match option.term {
        Some(OfferTerm::Reserved) => {
            terms.push(term("utilization", request.utilization, "share", REQUEST));
            "devices × days × 24 × price ÷ utilization + storage, egress and support: the run bears idle hours of the term in proportion, and those of a term beyond the horizon"
        }
        Some(OfferTerm::CapacityBlock) => {
            "devices × whole days × 24 × price + storage, egress and support, paid up front"
        }
        Some(OfferTerm::Spot) => {
            "devices × days × 24 × price + storage, egress and support; the days hold what is done again after interruptions"
        }
        _ => "devices × days × 24 × price + storage, egress and support",
    };
    (formula, terms)
}

fn price_source(option: &CostOption) -> String {
    dated(&option.source, &option.as_of)
}

fn cash(option: &CostOption, gpus: f64, book: &mut Book<'_>) {
    let formula = match option.term {
        None => "purchase in full + running cost until the end of the run",
        Some(OfferTerm::Reserved) => {
            "devices × hours of as many whole terms as the run takes × price + storage, egress and support"
        }
        _ => "cost of the run: nothing is paid beyond it",
    };
    let key = format!("options.{}.cash_usd", option.acquisition.id());
    let title = format!("Cash by the end of the run: {}", option.label);
    let terms = vec![
        term("devices", gpus, "devices", SEARCH),
        term("days", option.days.typical, "days", "days of the run when acquired so"),
        term("price", option.usd_per_gpu_hour, "USD/GPU-hour", &price_source(option)),
        term("term", option.minimum_months, "months", "offer"),
    ];
    book.put(&key, &title, option.cash_usd, "USD", formula, terms);
}

fn extras(inputs: &Inputs, option: &CostOption, book: &mut Book<'_>) {
    if option.term.is_none() {
        return;
    }
    let key = format!("options.{}.extras_usd", option.acquisition.id());
    book.put(
        &key,
        &format!("Storage, egress and support: {}", option.label),
        option.extras_usd,
        "USD",
        "share of the device price, but not less than storage of the data and checkpoints + egress of one checkpoint at list price; prices of your own come on top of the share",
        vec![
            input("share", &inputs.cloud_extras_share, "share"),
            input("object storage", &inputs.object_storage_usd_per_gb_month, "USD/GB-month"),
            input("egress", &inputs.egress_usd_per_gb, "USD/GB"),
        ],
    );
}

fn option_days(
    request: &PlanRequest,
    plan: &TierPlan,
    option: &CostOption,
    background: &Background<'_>,
    book: &mut Book<'_>,
) {
    let Some(estimate) = &plan.estimate else { return };
    let Some(cluster) = &plan.cluster else { return };
    let gpus = f64::from(cluster.gpus);
    let bought = background.owned_tokens_per_second_per_gpu.filter(|_| option.term.is_none());
    let per_gpu = bought.unwrap_or(estimate.tokens_per_second_per_gpu);
    let key = format!("options.{}.days", option.acquisition.id());
    book.put(
        &key,
        &format!("Days of the run: {}", option.label),
        option.days.typical,
        "days",
        "tokens ÷ (throughput per device × devices × goodput) ÷ 86,400; interruptions of spot machines lower the goodput",
        vec![
            term("tokens", request.training_tokens as f64, "tokens", REQUEST),
            term("throughput per device", per_gpu, "tokens/s/GPU", super::MODEL),
            term("devices", gpus, "devices", SEARCH),
            term("goodput", option.goodput, "share", "failures and checkpoints when acquired so"),
        ],
    );
}

/// Price of an hour, purchase, and an owned hour.
fn hours(request: &PlanRequest, inputs: &Inputs, plan: &TierPlan, background: &Background<'_>, book: &mut Book<'_>) {
    let Some(cost) = &plan.cost else { return };
    let counted = cost.options.iter().find(|o| o.label == cost.label);
    if let Some(option) = counted.filter(|o| o.term.is_some()) {
        let terms = vec![term("price", option.usd_per_gpu_hour, "USD/GPU-hour", &price_source(option))];
        book.put(
            "usd_per_gpu_hour",
            "Price of a device-hour",
            cost.usd_per_gpu_hour,
            "USD/GPU-hour",
            "price of the offer",
            terms,
        );
    }
    let Some(own) = background.own else { return };
    let mut terms = vec![
        term("purchase", own.capital.typical, "USD", "bill of materials"),
        input("life", &inputs.hardware_life_years, "years"),
        term("residual value at its end", own.residual.typical, "share", "residual values by age"),
        input("cost of capital", &inputs.cost_of_capital, "per year"),
        term("capital", own.annuity_month().typical, "USD/month", "annuity less residual value"),
    ];
    for part in &own.parts {
        terms.push(term(part.key, part.month.typical, "USD/month", "at full use"));
    }
    terms.push(term("utilization", request.utilization, "share", REQUEST));
    let formula = "(capital per month + running cost per month) ÷ (730 × devices × utilization)";
    let value = own.useful_hour(request.utilization).typical;
    if counted.is_some_and(|o| o.term.is_none()) {
        book.put(
            "usd_per_gpu_hour",
            "Cost of a used owned hour, over the life and with resale",
            value,
            "USD/GPU-hour",
            formula,
            terms.clone(),
        );
    }
    book.put(
        "owned_hour_usd",
        "Cost of a used owned hour, over the life and with resale",
        value,
        "USD/GPU-hour",
        formula,
        terms,
    );
    book.put(
        "capital_usd",
        "Purchase of the cluster",
        own.capital.typical,
        "USD",
        "sum of the bill of materials for this cluster",
        vec![term("purchase", own.capital.typical, "USD", "bill of materials")],
    );
}
