//! The run of a tier: productive share, days, power, energy, carbon.

use super::money::DAYS;
use super::{Background, Book, MODEL, REQUEST, SEARCH, input, source_of, term};
use crate::answer::{Cluster, Term, TierPlan};
use crate::economics::inputs::Inputs;
use crate::operation::reliability::Reliability;
use crate::request::{Acquisition, PlanRequest};

pub(super) fn run(
    request: &PlanRequest,
    inputs: &Inputs,
    plan: &TierPlan,
    cluster: &Cluster,
    background: &Background<'_>,
    book: &mut Book<'_>,
) {
    let Some(estimate) = &plan.estimate else { return };
    let gpus = f64::from(cluster.gpus);
    goodput(inputs, plan, background, book);
    if let Some(days) = plan.days {
        book.put(
            "days",
            "Days of the run",
            days.typical,
            "days",
            &format!("{DAYS}; low and high at the ends of the throughput's band"),
            vec![
                term("tokens", request.training_tokens as f64, "tokens", REQUEST),
                term("throughput per device", estimate.tokens_per_second_per_gpu, "tokens/s/GPU", MODEL),
                term("devices", gpus, "devices", SEARCH),
                term("goodput", plan.goodput.unwrap_or(1.0), "share", "failures and checkpoints"),
            ],
        );
    }
    book.put(
        "power_kw",
        "Power at the facility while training",
        cluster.power_kw,
        "kW",
        "server maximum × overhead of network and storage × load × PUE",
        vec![
            term("server maximum", background.nameplate_kw, "kW", "accelerator catalog"),
            input("overhead of network and storage", &inputs.server_overhead, "factor"),
            input("load", &inputs.load_factor, "share"),
            input("PUE", &inputs.pue, "ratio"),
        ],
    );
    footprint(request, inputs, plan, cluster, book);
}

fn goodput(inputs: &Inputs, plan: &TierPlan, background: &Background<'_>, book: &mut Book<'_>) {
    let way = plan.cost.as_ref().and_then(|cost| background.way(&cost.label));
    let spot = way.is_some_and(|way| way.acquisition == Acquisition::Spot);
    let r = way.map_or(background.reliability, |way| way.reliability);
    let (formula, terms) = productive_share(inputs, r, spot);
    let value = plan.goodput.unwrap_or(r.goodput);
    book.put("goodput", "Productive share of the calendar", value, "share", formula, terms);
}

/// Formula and terms of the productive share of the calendar.
pub(super) fn productive_share(inputs: &Inputs, r: &Reliability, spot: bool) -> (&'static str, Vec<Term>) {
    let mut terms = vec![
        term("δ, checkpoint write", r.write_seconds, "s", "checkpoint size ÷ write rate of the storage"),
        term("τ, interval", r.interval_seconds, "s", "Daly's formula"),
        term("checkpoint size", r.checkpoint_bytes / 1e9, "GB", "bytes per parameter × parameters"),
    ];
    if r.mtbf_hours == f64::MAX {
        return ("1 ÷ (1 + δ ÷ τ); nothing fails, one checkpoint a day; δ follows the checkpoint size", terms);
    }
    terms.push(between_interruptions(inputs, r));
    terms.push(term("R, restart", inputs.restart_hours.value() * 3_600.0, "s", &source_of(&inputs.restart_hours)));
    if !spot {
        return (
            "1 ÷ (1 + δ ÷ τ + (τ ÷ 2 + δ + R) ÷ M); Daly 2006, with τ = √(2 × δ × M) − δ, not less than δ or a minute, and δ of the checkpoint size",
            terms,
        );
    }
    terms.push(input("interruptions of a spot machine", &inputs.spot_interruptions_per_hour, "per hour"));
    (
        "1 ÷ (1 + δ ÷ τ + (τ ÷ 2 + δ + R) ÷ M); Daly 2006, with τ = √(2 × δ × M) − δ, not less than δ or a minute, δ of the checkpoint size, and M of failures and interruptions of a spot machine together",
        terms,
    )
}

/// M, in seconds.
pub(super) fn between_interruptions(inputs: &Inputs, r: &Reliability) -> Term {
    let failures = &inputs.failures_per_gpu_year;
    let source = format!("{} failures per GPU-year; {}", failures.value(), source_of(failures));
    term("M, time between interruptions", r.mtbf_hours * 3_600.0, "s", &source)
}

fn footprint(request: &PlanRequest, inputs: &Inputs, plan: &TierPlan, cluster: &Cluster, book: &mut Book<'_>) {
    let (Some(print), Some(days)) = (&plan.footprint, plan.days) else { return };
    let hours = || term("hours of the run", days.typical * 24.0, "h", "days of the run");
    let energy = || term("energy", print.energy_kwh, "kWh", "power × hours");
    book.put(
        "footprint.energy_kwh",
        "Energy of the run",
        print.energy_kwh,
        "kWh",
        "power at the facility × hours of the run",
        vec![term("power at the facility", cluster.power_kw, "kW", "power while training"), hours()],
    );
    book.put(
        "footprint.life_share",
        "Share of the hardware's working life",
        print.life_share,
        "share",
        "hours of the run ÷ (life × 8,766 × utilization); an hour at least in a working life",
        vec![
            hours(),
            input("life", &inputs.hardware_life_years, "years"),
            term("utilization", request.utilization, "share", REQUEST),
        ],
    );
    let servers = f64::from(cluster.gpus) / 8.0;
    book.put(
        "footprint.embodied_kg",
        "Embodied carbon of the run",
        print.embodied_kg,
        "kg CO2e",
        "carbon of a server × servers × share of the working life; a server has eight devices",
        vec![
            input("carbon of a server", &inputs.embodied_kg_per_server, "kg CO2e"),
            term("servers", servers, "servers", "devices ÷ 8"),
            term("share of the working life", print.life_share, "share", "hours of the run ÷ working hours"),
        ],
    );
    let (Some(grid), Some(operational), Some(total)) = (&inputs.carbon_g_per_kwh, print.operational_kg, print.total_kg)
    else {
        return;
    };
    book.put(
        "footprint.operational_kg",
        "Carbon of the run's energy",
        operational,
        "kg CO2e",
        "energy × carbon of the grid ÷ 1,000",
        vec![energy(), input("carbon of the grid", grid, "g CO2e/kWh")],
    );
    book.put(
        "footprint.total_kg",
        "Carbon of the run",
        total,
        "kg CO2e",
        "carbon of the energy + embodied carbon",
        vec![
            term("carbon of the energy", operational, "kg CO2e", "energy × grid"),
            term("embodied carbon", print.embodied_kg, "kg CO2e", "share of the servers' own"),
        ],
    );
}
