//! How the figures of a plan came about: formula, values, sources.

pub(crate) mod build;

use crate::answer::{Estimate, Explanation, Plan, Term, TierPlan};
use crate::catalog::{Catalog, Figure};
use crate::economics::inputs::{Input, Inputs};
use crate::economics::ownership::Ownership;
use crate::operation::reliability::Reliability;
use crate::request::{Acquisition, PlanRequest};
use std::collections::BTreeMap;

/// What the plan itself doesn't keep of a tier's cluster.
pub(crate) struct Background<'a> {
    pub reliability: &'a Reliability,
    pub own: Option<&'a Ownership>,
    /// Sequences of one step, after rounding.
    pub batch: f64,
}

/// Explains one tier; `prefix` is such as `tiers.workhorse`.
pub(crate) fn tier(
    request: &PlanRequest,
    inputs: &Inputs,
    plan: &TierPlan,
    background: &Background<'_>,
    prefix: &str,
    into: &mut BTreeMap<String, Explanation>,
) {
    let (Some(estimate), Some(cluster)) = (&plan.estimate, &plan.cluster) else { return };
    let mut put = |key: &str, title: &str, value: f64, unit: &str, formula: &str, terms: Vec<Term>| {
        let explanation = Explanation { title: title.into(), value, unit: unit.into(), formula: formula.into(), terms };
        into.insert(format!("{prefix}.{key}"), explanation);
    };
    let gpus = f64::from(cluster.gpus);
    let context = request.context_length as f64;
    let accelerator = Catalog::get().accelerator(&cluster.accelerator);
    estimate_figures(estimate, accelerator.map(|a| &a.usable_gib), &mut put);
    put(
        "tokens_per_second_per_gpu",
        "Throughput per device",
        estimate.tokens_per_second_per_gpu,
        "tokens/s/GPU",
        "batch × context length ÷ (step time × devices)",
        vec![
            term("batch", background.batch, "sequences", "layout search"),
            term("context length", context, "tokens", "your request"),
            term("step time", estimate.step_seconds, "s", "performance model"),
            term("devices", gpus, "devices", "cluster search"),
        ],
    );
    let r = background.reliability;
    put(
        "goodput",
        "Productive share of the calendar",
        plan.goodput.unwrap_or(r.goodput),
        "share",
        "1 ÷ (1 + δ/τ + (τ/2 + δ + R)/M), with τ = √(2δM) − δ (Daly 2006)",
        vec![
            term("δ, checkpoint write", r.write_seconds, "s", "checkpoint size ÷ write rate of the storage"),
            term("checkpoint size", r.checkpoint_bytes / 1e9, "GB", "bytes per parameter × parameters"),
            term("τ, interval", r.interval_seconds, "s", "Daly's formula"),
            term(
                "M, time between interruptions",
                r.mtbf_hours * 3_600.0,
                "s",
                &described("failures per GPU-year", &inputs.failures_per_gpu_year),
            ),
            term("R, restart", inputs.restart_hours.value() * 3_600.0, "s", &source_of(&inputs.restart_hours)),
        ],
    );
    if let Some(days) = plan.days {
        put(
            "days",
            "Days of the run",
            days.typical,
            "days",
            "tokens ÷ (throughput per device × devices × goodput) ÷ 86,400",
            vec![
                term("tokens", request.training_tokens as f64, "tokens", "your request"),
                term("throughput per device", estimate.tokens_per_second_per_gpu, "tokens/s/GPU", "performance model"),
                term("devices", gpus, "devices", "cluster search"),
                term("goodput", plan.goodput.unwrap_or(1.0), "share", "failures and checkpoints"),
            ],
        );
    }
    put(
        "power_kw",
        "Power at the facility while training",
        cluster.power_kw,
        "kW",
        "server maximum × overhead × load × PUE",
        vec![
            term(
                "overhead of network and storage",
                inputs.server_overhead.value(),
                "factor",
                &source_of(&inputs.server_overhead),
            ),
            term("load", inputs.load_factor.value(), "share", &source_of(&inputs.load_factor)),
            term("PUE", inputs.pue.value(), "ratio", &source_of(&inputs.pue)),
        ],
    );
    cost_figures(request, inputs, plan, background, gpus, &mut put);
}

type Put<'a> = dyn FnMut(&str, &str, f64, &str, &str, Vec<Term>) + 'a;

fn estimate_figures(estimate: &Estimate, usable: Option<&Figure>, put: &mut Put<'_>) {
    let parts = estimate.time_seconds.parts().into_iter().filter(|(_, seconds)| *seconds > 0.0);
    put(
        "step_seconds",
        "Time of one optimizer step",
        estimate.step_seconds,
        "s",
        "sum of the parts on the slowest device",
        parts.map(|(name, seconds)| term(&name.replace('_', " "), seconds, "s", "performance model")).collect(),
    );
    put(
        "mfu",
        "Model FLOPs utilization",
        estimate.mfu,
        "share",
        "throughput per device × FLOPs per token ÷ dense peak (causal attention, recompute not counted)",
        vec![
            term("throughput per device", estimate.tokens_per_second_per_gpu, "tokens/s/GPU", "performance model"),
            term(
                "FLOPs per token",
                estimate.flops_per_token,
                "FLOP",
                "3 × (2 × matmul weights + causal attention); 2 × for frozen weights",
            ),
            term("dense peak", estimate.peak_tflops * 1e12, "FLOP/s", "accelerator catalog, dense"),
        ],
    );
    let m = &estimate.memory_gib;
    let source = |what: &str| what.to_owned();
    put(
        "memory_gib.total",
        "Memory of the fullest device",
        m.total,
        "GiB",
        "weights + gradients + optimizer + activations + logits + buffers",
        vec![
            term("weights", m.weights, "GiB", &source("2 bytes a parameter over tensor, pipeline and expert ranks")),
            term("gradients", m.gradients, "GiB", &source("4 bytes a parameter, 2 where fully sharded")),
            term("optimizer", m.optimizer, "GiB", &source("master copy and states over the sharding group")),
            term("activations", m.activations, "GiB", &source("Korthikanti et al. 2022, arXiv 2205.05198")),
            term("logits", m.logits, "GiB", &source("last stage, with the gradient")),
            term("buffers", m.buffers, "GiB", &source("context, communicators, fragmentation, gathered layers")),
            term("usable", m.usable, "GiB", &usable.map_or_else(|| source("accelerator catalog"), cited)),
        ],
    );
}

fn cost_figures(
    request: &PlanRequest,
    inputs: &Inputs,
    plan: &TierPlan,
    background: &Background<'_>,
    gpus: f64,
    put: &mut Put<'_>,
) {
    let (Some(cost), Some(days)) = (&plan.cost, plan.days) else { return };
    let price = cost.options.iter().find(|o| o.acquisition == cost.acquisition && o.provider == cost.provider);
    let price_source = price.map_or_else(String::new, |p| format!("{}, {}", p.source, p.as_of));
    if cost.acquisition == Acquisition::Buy {
        if let Some(own) = background.own {
            let months = days.typical * 24.0 / crate::units::HOURS_PER_MONTH;
            put(
                "total_usd",
                "Cost of the run",
                cost.total_usd.typical,
                "USD",
                "purchase + running cost × months of the run",
                vec![
                    term("purchase", own.capital.typical, "USD", "bill of materials"),
                    term(
                        "running cost",
                        own.running_month(1.0),
                        "USD/month",
                        "energy, colocation, support, insurance, staff",
                    ),
                    term("months", months, "months", "days of the run ÷ 30.4"),
                ],
            );
        }
    } else {
        let mut terms = vec![
            term("devices", gpus, "devices", "cluster search"),
            term("days", days.typical, "days", "days of the run"),
            term("price", cost.usd_per_gpu_hour, "USD/GPU-hour", &price_source),
            term("extras", inputs.cloud_extras_share.value(), "share", &source_of(&inputs.cloud_extras_share)),
        ];
        let formula = if cost.acquisition == Acquisition::Reserved {
            terms.push(term("utilization", request.utilization, "share", "your request"));
            "devices × days × 24 × price × (1 + extras), ÷ utilization where a commitment pays idle hours"
        } else {
            "devices × days × 24 × price × (1 + storage, egress and support)"
        };
        put("total_usd", "Cost of the run", cost.total_usd.typical, "USD", formula, terms);
    }
    if let Some(own) = background.own {
        let mut terms = vec![
            term("purchase", own.capital.typical, "USD", "bill of materials"),
            term("life", own.life_months, "months", &source_of(&inputs.hardware_life_years)),
            term("residual value at its end", own.residual, "share", "residual values by age"),
            term("cost of capital", own.cost_of_capital, "per year", &source_of(&inputs.cost_of_capital)),
            term("capital", own.capital_month(own.capital.typical), "USD/month", "annuity less residual value"),
        ];
        for (name, usd) in &own.running_parts {
            terms.push(term(name, *usd, "USD/month", "at full use"));
        }
        terms.push(term("utilization", request.utilization, "share", "your request"));
        put(
            "owned_hour_usd",
            "Cost of one useful owned hour",
            own.useful_hour(request.utilization).typical,
            "USD/GPU-hour",
            "(capital per month + running cost per month) ÷ (730 × devices × utilization)",
            terms,
        );
    }
}

/// Explains break-evens and the purchase, which are of the whole plan.
pub(crate) fn whole(plan: &Plan, own: Option<&Ownership>, into: &mut BTreeMap<String, Explanation>) {
    let Some(own) = own else { return };
    let priced = plan.bill_of_materials.iter().filter_map(|l| Some((l, l.total_usd?)));
    let lines = priced.map(|(l, usd)| term(&l.item, usd, "USD", &format!("{}, {}", l.source, l.as_of)));
    into.insert(
        "bill_of_materials.total_usd".into(),
        Explanation {
            title: "Purchase of the cluster".into(),
            value: own.capital.typical,
            unit: "USD".into(),
            formula: "sum of the lines that have a price".into(),
            terms: lines.collect(),
        },
    );
    for rival in &plan.cloud_vs_on_prem.break_even {
        let Some(months) = rival.months else { continue };
        let rent =
            plan.cloud_vs_on_prem.curves.iter().find(|c| c.id == rival.against).and_then(|c| c.cumulative_usd.get(1));
        into.insert(
            format!("break_even.{}.months", rival.against),
            Explanation {
                title: format!("Months until buying beats {}", rival.label),
                value: months,
                unit: "months".into(),
                formula: "month at which purchase + interest + running cost falls below the rent; flat prices: purchase ÷ (rent − running cost)".into(),
                terms: vec![
                    term("purchase", own.capital.typical, "USD", "bill of materials"),
                    term("running cost", own.running_month(plan.request.utilization), "USD/month", "at your utilization"),
                    term("rent of the first month", rent.copied().unwrap_or(0.0), "USD/month", "price × 730 h × devices × utilization × (1 + extras)"),
                    term("cost of capital", own.cost_of_capital, "per year", "cost inputs"),
                ],
            },
        );
    }
}

fn term(name: &str, value: f64, unit: &str, source: &str) -> Term {
    Term { name: name.into(), value, unit: unit.into(), source: source.into() }
}

fn source_of(input: &Input) -> String {
    described("", input)
}

fn described(what: &str, input: &Input) -> String {
    let lead = if what.is_empty() { String::new() } else { format!("{} {what}; ", input.value()) };
    if input.as_of.is_empty() {
        format!("{lead}{}", input.source)
    } else {
        format!("{lead}{}, {}", input.source, input.as_of)
    }
}

fn cited(figure: &Figure) -> String {
    format!("{}, {}", figure.source, figure.date)
}
