//! Owning: by the month and the hour, and against renting.

use super::{Book, REQUEST, input, term};
use crate::answer::{Plan, Term};
use crate::economics::inputs::Inputs;
use crate::economics::ownership::Ownership;
use crate::request::Facility;

/// Each figure of the `ownership` section.
pub(super) fn ownership(plan: &Plan, inputs: &Inputs, own: &Ownership, goodput: f64, book: &mut Book<'_>) {
    let Some(o) = &plan.ownership else { return };
    let utilization = || term("utilization", plan.request.utilization, "share", REQUEST);
    let gpus = || term("devices", f64::from(o.gpus), "devices", "the shown cluster");
    let capital = || term("C, purchase", o.capital_usd.typical, "USD", "bill of materials");
    let residual =
        || term("R, residual value", o.residual_usd.typical, "USD", "residual share at the end of the life × purchase");
    let months = || term("n, life", o.life_months, "months", &super::source_of(&inputs.hardware_life_years));
    let priced = plan.bill_of_materials.iter().filter_map(|l| Some((l, l.total_usd?)));
    let lines = priced.map(|(l, usd)| term(&l.item, usd, "USD", l.source.as_str())).collect();
    book.put("ownership.capital_usd", "Purchase", o.capital_usd.typical, "USD", "sum of the bill of materials", lines);
    book.put(
        "ownership.residual_usd",
        "Residual value at the end of the life",
        o.residual_usd.typical,
        "USD",
        "purchase × residual share at that age, linear between the years of the table",
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
        "years × 12",
        vec![input("life", &inputs.hardware_life_years, "years")],
    );
    book.put(
        "ownership.annuity_usd_per_month",
        "Capital as an annuity",
        o.annuity_usd_per_month.typical,
        "USD/month",
        "(C − R/(1+r)ⁿ) × r/(1−(1+r)⁻ⁿ), r = cost of capital ÷ 12",
        vec![capital(), residual(), months(), input("cost of capital", &inputs.cost_of_capital, "per year")],
    );
    book.put(
        "ownership.straight_line_usd_per_month",
        "Capital by straight line",
        o.straight_line_usd_per_month.typical,
        "USD/month",
        "(C − R)/n",
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
        "sum of the parts at your utilization; the cost of a run that is bought counts every hour as working",
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
        "cost of owning ÷ (devices × 730 h)",
        vec![total(), gpus()],
    );
    let mut by_life =
        vec![total(), gpus(), utilization(), term("goodput", goodput, "share", "failures and checkpoints")];
    let by_horizon = plan.cloud_vs_on_prem.owned_useful_hour_usd;
    by_life.extend(
        by_horizon.map(|usd| term("by the measure of the curves", usd, "USD/GPU-hour", "buying against renting")),
    );
    book.put(
        "ownership.usd_per_useful_gpu_hour",
        "Per device-hour that trains, over the life and with resale",
        o.usd_per_useful_gpu_hour,
        "USD/GPU-hour",
        "cost of owning ÷ (devices × 730 h × utilization × goodput); by the measure of the curves the purchase is paid in full within the horizon and resale is left out",
        by_life,
    );
    let run = "owned device-hour ÷ utilization × device-hours of the run";
    let hour = || term("owned device-hour", o.usd_per_owned_gpu_hour, "USD/GPU-hour", "cost of owning ÷ device-hours");
    book.put("ownership.usd_per_run", "Share of this run", o.usd_per_run, "USD", run, vec![hour(), utilization()]);
    book.put(
        "ownership.usd_per_million_tokens",
        "Per million tokens",
        o.usd_per_million_tokens,
        "USD per million tokens",
        "share of this run ÷ tokens × 1,000,000",
        vec![
            term("share of this run", o.usd_per_run, "USD", run),
            term("tokens", plan.request.training_tokens as f64, "tokens", REQUEST),
        ],
    );
}

fn running(part: &str, plan: &Plan, inputs: &Inputs, own: &Ownership) -> (&'static str, Vec<Term>) {
    let contracted = || {
        term("contracted draw (IT at full load)", own.it_kw, "kW", "server maximum × overhead of network and storage")
    };
    match part {
        "energy" => (
            "contracted draw × (utilization × load + (1 − utilization) × idle load) × PUE × price × 730 h",
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
            "contracted draw × price of a contracted kW",
            vec![contracted(), input("price", &inputs.colocation_usd_per_kw_month, "USD/kW-month")],
        ),
        "own_facility" => (
            "contracted draw ÷ 1,000 × price of a MW, as an annuity over the facility's life without residual value",
            vec![
                contracted(),
                input("price", &inputs.facility_usd_per_mw, "USD/MW of IT"),
                input("life", &inputs.facility_life_years, "years"),
                input("cost of capital", &inputs.cost_of_capital, "per year"),
            ],
        ),
        "support" => {
            ("servers without spares × share ÷ 12", vec![input("share", &inputs.support_share_per_year, "per year")])
        }
        "insurance" => {
            ("servers without spares × share ÷ 12", vec![input("share", &inputs.insurance_share_per_year, "per year")])
        }
        "software" => (
            "devices × price ÷ 12",
            vec![
                term("devices", own.gpus, "devices", "the shown cluster"),
                input("price", &inputs.software_usd_per_gpu_year, "USD per GPU-year"),
            ],
        ),
        "staff" => (
            "(engineers of a site + nodes ÷ nodes per engineer) × cost of one ÷ 12",
            vec![
                term("engineers", inputs.staff(own.nodes), "FTE", "staff inputs, or your request"),
                input("cost of one", &inputs.staff_usd_per_year, "USD/year"),
            ],
        ),
        _ => (
            "contracted draw × load × PUE × charge",
            vec![
                contracted(),
                term("charge", inputs.demand_charge_usd_per_kw_month.unwrap_or(0.0), "USD/kW-month", REQUEST),
            ],
        ),
    }
}

const OWN: &str =
    "purchase + interest on what is not written off + running cost + rent above the capacity; resale is not counted";

/// Curves, useful hours, break-evens, the mix and resale.
pub(super) fn comparison(plan: &Plan, inputs: &Inputs, own: Option<&Ownership>, goodput: f64, book: &mut Book<'_>) {
    let c = &plan.cloud_vs_on_prem;
    let r = &plan.request;
    let demand = || {
        vec![
            term("utilization", r.utilization, "share", REQUEST),
            term("growth of demand", r.demand_growth_per_month, "per month", REQUEST),
            term("seasonality", r.demand_seasonality, "amplitude", REQUEST),
            input("trend of rental prices", &inputs.price_trend_per_year, "per year"),
        ]
    };
    let owning = || {
        own.map_or_else(Vec::new, |own| {
            vec![
                term("purchase", own.capital.typical, "USD", "bill of materials"),
                term(
                    "running cost at your utilization",
                    own.running_month(r.utilization),
                    "USD/month",
                    "sum of its parts",
                ),
                input("cost of capital", &inputs.cost_of_capital, "per year"),
            ]
        })
    };
    let month_of = |id: &str| {
        let curve = c.curves.iter().find(|curve| curve.id == id);
        term(
            "rent of the first month",
            curve.and_then(|c| c.cumulative_usd.get(1)).copied().unwrap_or(0.0),
            "USD",
            "price × 730 h × devices × utilization × (1 + extras), at equal work",
        )
    };
    for curve in &c.curves {
        let (formula, mut terms) = match curve.id.as_str() {
            "buy" => (OWN, owning()),
            "hybrid" => ("as buying, for the owned base, + rent of the demand above it", owning()),
            id => (
                "rent of each month's demand; a commitment pays every hour; low and high by the range of the price",
                vec![month_of(id)],
            ),
        };
        terms.extend(demand());
        let key = format!("cloud_vs_on_prem.curves.{}", curve.id);
        let end = curve.cumulative_usd.last().copied().unwrap_or(0.0);
        book.put(&key, &format!("Cumulative cost at the horizon: {}", curve.label), end, "USD", formula, terms);
        let point = c.by_utilization.last().and_then(|p| Some((p, p.usd_per_useful_gpu_hour.get(&curve.id)?)));
        if let Some((point, usd)) = point {
            book.put(
                &format!("cloud_vs_on_prem.by_utilization.{}", curve.id),
                &format!("Hour that trains at full utilization: {}", curve.label),
                *usd,
                "USD/GPU-hour",
                "cumulative cost over the horizon at that utilization ÷ (device-hours of work × goodput)",
                vec![
                    term("utilization", point.utilization, "share", "row of the table"),
                    term("horizon", f64::from(r.horizon_months), "months", REQUEST),
                    term("goodput", goodput, "share", "failures and checkpoints"),
                ],
            );
        }
    }
    for rival in &c.break_even {
        let terms = || {
            let mut terms = owning();
            terms.push(month_of(&rival.against));
            terms.extend(demand());
            terms
        };
        if let Some(months) = rival.months {
            book.put(
                &format!("break_even.{}.months", rival.against),
                &format!("Months until buying beats {}", rival.label),
                months,
                "months",
                "month at which purchase + interest + running cost falls below the rent; flat prices without interest: purchase ÷ (rent − running cost); resale is not counted",
                terms(),
            );
        }
        if let Some(utilization) = rival.utilization {
            book.put(
                &format!("break_even.{}.utilization", rival.against),
                &format!("Utilization from which buying beats {}", rival.label),
                utilization,
                "share",
                "utilization at which both have paid the same by the horizon, by the measure of the curves",
                terms(),
            );
        }
    }
    if let Some(h) = &c.hybrid {
        let mut terms = vec![
            term("nodes of the compared cluster", own.map_or(0.0, |own| own.nodes), "nodes", h.assumption.as_str()),
            term("owned nodes", f64::from(h.owned_nodes), "nodes", "least cost of every number of nodes"),
            term("work", h.work_gpu_hours, "GPU-hours", "demand over the horizon"),
            term("rented", h.rented_gpu_hours, "GPU-hours", "demand above the owned base"),
            term("everything rented", h.own_nothing_usd, "USD", "the same rental"),
        ];
        terms.extend(demand());
        book.put(
            "cloud_vs_on_prem.hybrid",
            "Own the base, rent the peak",
            h.total_usd,
            "USD",
            "least over the owned nodes of purchase and running cost of the base + rent of the demand above it, over the horizon",
            terms,
        );
    }
    if let (Some(usd), Some(o)) = (c.owned_useful_hour_usd, &plan.ownership) {
        let mut terms = owning();
        terms.extend([
            term("utilization", r.utilization, "share", REQUEST),
            term("horizon", f64::from(r.horizon_months), "months", REQUEST),
            term("goodput", goodput, "share", "failures and checkpoints"),
            term("over the life and with resale", o.usd_per_useful_gpu_hour, "USD/GPU-hour", "what owning costs"),
        ]);
        book.put(
            "cloud_vs_on_prem.owned_useful_hour_usd",
            "Per device-hour that trains, paid in full over the horizon, without resale",
            usd,
            "USD/GPU-hour",
            "cumulative cost of buying at the horizon ÷ (device-hours of work × goodput), as the chart by utilization; over the life the purchase is spread as an annuity and resale taken off",
            terms,
        );
    }
    if let (Some(resale), Some(own)) = (&c.resale_usd, own) {
        book.put(
            "cloud_vs_on_prem.resale_usd",
            "Resale at the end of the horizon",
            resale.typical,
            "USD",
            "purchase × residual share at that age; in none of the curves and break-evens",
            vec![
                term("purchase", own.capital.typical, "USD", "bill of materials"),
                term("age", f64::from(r.horizon_months), "months", REQUEST),
            ],
        );
    }
    let place = match r.facility {
        Facility::Colocation => return,
        Facility::Own => input("own facility", &inputs.facility_usd_per_mw, "USD/MW of IT"),
    };
    if let Some(buy) = book.into.get_mut("cloud_vs_on_prem.curves.buy") {
        buy.terms.push(place);
    }
}
