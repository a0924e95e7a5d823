//! Owning by the month and the hour.

use super::{Book, Lists, REQUEST, input, term};
use crate::answer::{Plan, Term};
use crate::catalog::Catalog;
use crate::economics::inputs::Inputs;
use crate::economics::ownership::Ownership;

/// Each figure of the `ownership` section.
pub(super) fn ownership(plan: &Plan, inputs: &Inputs, own: &Ownership, lists: &Lists<'_>, book: &mut Book<'_>) {
    let Some(o) = &plan.ownership else { return };
    let utilization = || term("utilization", plan.request.utilization, "share", REQUEST);
    let gpus = || term("devices", f64::from(o.gpus), "devices", "the shown cluster");
    let capital = || term("C, purchase", o.capital_usd.typical, "USD", "bill of materials");
    let residual =
        || term("R, residual value", o.residual_usd.typical, "USD", "residual share at the end of the life × purchase");
    let months = || term("n, life", o.life_months, "months", &super::source_of(&inputs.hardware_life_years));
    let priced = plan.bill_of_materials.iter().filter_map(|l| Some((l, l.total_usd?)));
    let lines = priced.map(|(l, usd)| term(&l.item, usd, "USD", l.source.as_str())).collect();
    book.put(
        "ownership.capital_usd",
        "Purchase",
        o.capital_usd.typical,
        "USD",
        "sum of the terms; the bill of materials",
        lines,
    );
    book.put(
        "ownership.residual_usd",
        "Residual value at the end of the life",
        o.residual_usd.typical,
        "USD",
        "C × residual share; at the age of n months, linear between the years of the table",
        vec![
            capital(),
            term("residual share", own.residual.typical, "share", "resale values by age, catalog"),
            months(),
        ],
    );
    book.put(
        "ownership.life_months",
        "Life of the hardware",
        o.life_months,
        "months",
        "life × 12",
        vec![input("life", &inputs.hardware_life_years, "years")],
    );
    let mut terms = vec![capital(), residual(), months()];
    let formula = if own.cost_of_capital > 0.0 {
        terms.push(monthly_rate(inputs));
        "(C − R ÷ (1 + r)^n) × r ÷ (1 − (1 + r)^(−n)); r is the cost of capital ÷ 12"
    } else {
        "(C − R) ÷ n; capital costs nothing"
    };
    let annuity = o.annuity_usd_per_month.typical;
    book.put("ownership.annuity_usd_per_month", "Capital as an annuity", annuity, "USD/month", formula, terms);
    book.put(
        "ownership.straight_line_usd_per_month",
        "Capital by straight line",
        o.straight_line_usd_per_month.typical,
        "USD/month",
        "(C − R) ÷ n",
        vec![capital(), residual(), months()],
    );
    for part in &o.running {
        let (formula, terms) = running(&part.part, plan, inputs, own);
        let key = format!("ownership.running.{}", part.part);
        book.put(&key, &part.label, part.usd_per_month.typical, "USD/month", formula, terms);
    }
    let parts: Vec<Term> = o
        .running
        .iter()
        .map(|p| term(&p.label, p.usd_per_month.typical, "USD/month", "part of the running cost"))
        .collect();
    book.put(
        "ownership.running_usd_per_month",
        &format!("Running cost at {:.0}% use", 100.0 * plan.request.utilization),
        o.running_usd_per_month.typical,
        "USD/month",
        "sum of the terms; the parts at your utilization. The cost of a run that is bought counts every hour as working",
        parts,
    );
    book.put(
        "ownership.total_usd_per_month",
        "Cost of owning",
        o.total_usd_per_month.typical,
        "USD/month",
        "annuity + running cost",
        vec![
            term("annuity", o.annuity_usd_per_month.typical, "USD/month", "capital as an annuity"),
            term("running cost", o.running_usd_per_month.typical, "USD/month", "sum of the parts"),
        ],
    );
    let total = || term("cost of owning", o.total_usd_per_month.typical, "USD/month", "annuity + running cost");
    book.put(
        "ownership.usd_per_owned_gpu_hour",
        "Per owned device-hour",
        o.usd_per_owned_gpu_hour,
        "USD/GPU-hour",
        "cost of owning ÷ (devices × 730)",
        vec![total(), gpus()],
    );
    let mut by_life =
        vec![total(), gpus(), utilization(), term("goodput", lists.goodput, "share", "failures and checkpoints")];
    let by_horizon = plan.cloud_vs_on_prem.owned_useful_hour_usd;
    by_life.extend(
        by_horizon.map(|usd| term("by the measure of the curves", usd, "USD/GPU-hour", "buying against renting")),
    );
    book.put(
        "ownership.usd_per_useful_gpu_hour",
        "Per device-hour that trains, over the life and with resale",
        o.usd_per_useful_gpu_hour,
        "USD/GPU-hour",
        "cost of owning ÷ (devices × 730 × utilization × goodput); by the measure of the curves the purchase is paid in full within the horizon and resale is left out",
        by_life,
    );
    let run = "owned device-hour ÷ utilization × device-hours of the run";
    let hour = || term("owned device-hour", o.usd_per_owned_gpu_hour, "USD/GPU-hour", "cost of owning ÷ device-hours");
    let hours = term("device-hours of the run", lists.run_gpu_hours, "GPU-hours", "tokens ÷ (throughput × goodput)");
    let terms = vec![hour(), utilization(), hours];
    let run_usd = o.usd_per_owned_gpu_hour / plan.request.utilization * lists.run_gpu_hours;
    book.put("ownership.usd_per_run", "Share of this run", o.usd_per_run, "USD", run, terms);
    book.put(
        "ownership.usd_per_million_tokens",
        "Per million tokens",
        o.usd_per_million_tokens,
        "USD per million tokens",
        "share of this run ÷ tokens × 1,000,000",
        vec![
            term("share of this run", run_usd, "USD", run),
            term("tokens", plan.request.training_tokens as f64, "tokens", REQUEST),
        ],
    );
}

/// Cost of capital of a month.
fn monthly_rate(inputs: &Inputs) -> Term {
    let rate = &inputs.cost_of_capital;
    let source = format!("{} a year ÷ 12; {}", rate.value(), super::source_of(rate));
    term("r, cost of capital of a month", rate.value() / 12.0, "per month", &source)
}

fn running(part: &str, plan: &Plan, inputs: &Inputs, own: &Ownership) -> (&'static str, Vec<Term>) {
    let contracted = || {
        term("contracted draw", own.it_kw, "kW", "IT at full load: server maximum × overhead of network and storage")
    };
    let servers = || term("servers", own.servers_usd, "USD", "the line of servers in the bill of materials, no spares");
    match part {
        "energy" => (
            "contracted draw × (utilization × load + (1 − utilization) × min(idle load, load)) × PUE × price × 730",
            vec![
                contracted(),
                term("utilization", plan.request.utilization, "share", REQUEST),
                input("load", &inputs.load_factor, "share"),
                input("idle load", &inputs.idle_factor, "share"),
                input("PUE", &inputs.pue, "ratio"),
                input("price", &inputs.electricity_usd_per_kwh, "USD/kWh"),
            ],
        ),
        "colocation" => (
            "contracted draw × price; of a contracted kW",
            vec![contracted(), input("price", &inputs.colocation_usd_per_kw_month, "USD/kW-month")],
        ),
        "own_facility" => {
            let mut terms = vec![
                contracted(),
                input("price", &inputs.facility_usd_per_mw, "USD/MW of IT"),
                input("life", &inputs.facility_life_years, "years"),
            ];
            if own.cost_of_capital <= 0.0 {
                return ("contracted draw ÷ 1,000 × price ÷ (life × 12); capital costs nothing", terms);
            }
            terms.push(monthly_rate(inputs));
            (
                "contracted draw ÷ 1,000 × price × r ÷ (1 − (1 + r)^(−life × 12)); an annuity over the facility's life, without residual value",
                terms,
            )
        }
        "support" => {
            ("servers × share ÷ 12", vec![servers(), input("share", &inputs.support_share_per_year, "per year")])
        }
        "insurance" => {
            ("servers × share ÷ 12", vec![servers(), input("share", &inputs.insurance_share_per_year, "per year")])
        }
        "software" => (
            "devices × price ÷ 12",
            vec![
                term("devices", own.gpus, "devices", "the shown cluster"),
                input("price", &inputs.software_usd_per_gpu_year, "USD per GPU-year"),
            ],
        ),
        "staff" => staff(inputs, own),
        _ => (
            "contracted draw × load × PUE × charge",
            vec![
                contracted(),
                input("load", &inputs.load_factor, "share"),
                input("PUE", &inputs.pue, "ratio"),
                term("charge", inputs.demand_charge_usd_per_kw_month.unwrap_or(0.0), "USD/kW-month", REQUEST),
            ],
        ),
    }
}

fn staff(inputs: &Inputs, own: &Ownership) -> (&'static str, Vec<Term>) {
    let cost = input("cost of one", &inputs.staff_usd_per_year, "USD/year");
    if let Some(fte) = inputs.staff_fte {
        return ("engineers × cost of one ÷ 12", vec![term("engineers", fte, "FTE", REQUEST), cost]);
    }
    let per = &Catalog::get().costs.staff_nodes_per_fte;
    let base = &Catalog::get().costs.staff_fte_base;
    let terms = vec![
        term("engineers of a site", base.value, "FTE", &super::cited(base)),
        term("nodes", own.nodes, "nodes", "the shown cluster"),
        term("nodes per engineer", per.value, "nodes", &super::cited(per)),
        cost,
    ];
    ("(engineers of a site + nodes ÷ nodes per engineer) × cost of one ÷ 12", terms)
}
