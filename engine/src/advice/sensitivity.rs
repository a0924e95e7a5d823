//! What each input moves, one at a time, largest first.

use super::acquire::{self, Acquired};
use super::candidates::{Field, Sized};
use crate::answer::{SensitivityRow, TierPlan};
use crate::catalog::{Catalog, Range};
use crate::economics::bill;
use crate::economics::cents;
use crate::economics::inputs::{Input, Inputs};
use crate::economics::ownership::Ownership;
use crate::economics::rental::{Rental, Run};
use crate::operation::power;
use crate::operation::reliability::reliability;
use crate::request::PlanRequest;
use crate::units::HOURS_PER_MONTH;

/// Varies the inputs of the shown tier's cost between their low and high.
pub(super) fn sensitivity(
    request: &PlanRequest,
    inputs: &Inputs,
    field: &Field,
    sized: Option<&Sized>,
    shown: Option<&TierPlan>,
) -> Vec<SensitivityRow> {
    let (Some(sized), Some(cost)) = (sized, shown.and_then(|t| t.cost.as_ref())) else { return Vec::new() };
    let Some(option) = sized.options.iter().find(|o| o.label == cost.label) else {
        return Vec::new();
    };
    let total = |inputs: &Inputs, request: &PlanRequest, per_gpu: f64, price: Option<f64>| {
        run_cost(request, inputs, field, sized, option, per_gpu, price)
    };
    let e = &sized.estimate;
    let usual = e.tokens_per_second_per_gpu;
    let mut rows = Vec::new();
    let mut row = |input: &str, label: &str, unit: &str, low: f64, high: f64, usd_low: f64, usd_high: f64| {
        if (usd_low - usd_high).abs() > 0.005 {
            rows.push(SensitivityRow {
                input: input.into(),
                label: label.into(),
                low,
                high,
                unit: unit.into(),
                total_usd_low: cents(usd_low),
                total_usd_high: cents(usd_high),
            });
        }
    };
    row(
        "throughput",
        "Throughput",
        "tokens/s/GPU",
        e.band.low,
        e.band.high,
        total(inputs, request, e.band.low, None),
        total(inputs, request, e.band.high, None),
    );
    if let Some(rental) = option.rental.map(|i| &field.rentals(sized)[i]) {
        let range = market(rental);
        row(
            "gpu_hour_usd",
            "Price per GPU-hour",
            "USD/h",
            range.low,
            range.high,
            total(inputs, request, usual, Some(range.low)),
            total(inputs, request, usual, Some(range.high)),
        );
    }
    for (key, label, unit, pick) in VARIED {
        let range = pick(&mut inputs.clone()).range;
        if range.low == range.high {
            continue;
        }
        let at = |value: f64| {
            let mut changed = inputs.clone();
            pick(&mut changed).range = Range::exactly(value);
            total(&changed, request, usual, None)
        };
        row(key, label, unit, range.low, range.high, at(range.low), at(range.high));
    }
    let figure = &Catalog::get().costs.utilization;
    let at = |utilization: f64| total(inputs, &PlanRequest { utilization, ..request.clone() }, usual, None);
    let (low, high) = (figure.low.unwrap_or(0.4), figure.high.unwrap_or(0.9));
    row("utilization", "Utilization", "share", low, high, at(low), at(high));
    rows.sort_by(|a, b| {
        let swing = |r: &SensitivityRow| (r.total_usd_high - r.total_usd_low).abs();
        swing(b).total_cmp(&swing(a))
    });
    rows
}

/// What the same device costs at the same terms from providers of the same class; the offer's own range if wider. The
/// caller's own price is what it is.
fn market(rental: &Rental) -> Range {
    if rental.given {
        return rental.price;
    }
    let catalog = Catalog::get();
    let class = |id: &str| catalog.provider(id).map(|p| p.class);
    let own = rental.price;
    catalog
        .offers
        .iter()
        .filter(|o| o.accelerator == rental.offer.accelerator && o.term == rental.offer.term)
        .filter(|o| o.months == rental.offer.months)
        .filter(|o| class(&o.provider) == class(&rental.offer.provider))
        .map(|o| o.usd_per_gpu_hour.value)
        .fold(own, |r, usd| Range { low: r.low.min(usd), typical: r.typical, high: r.high.max(usd) })
}

type Pick = fn(&mut Inputs) -> &mut Input;

/// Inputs that are varied between the ends of the catalog.
const VARIED: &[(&str, &str, &str, Pick)] = &[
    ("failures_per_gpu_year", "Failures", "per GPU-year", |i| &mut i.failures_per_gpu_year),
    ("restart_hours", "Restart after a failure", "hours", |i| &mut i.restart_hours),
    ("cloud_extras_share", "Cloud storage, egress, support", "share", |i| &mut i.cloud_extras_share),
    ("electricity_usd_per_kwh", "Electricity", "USD/kWh", |i| &mut i.electricity_usd_per_kwh),
    ("pue", "PUE", "ratio", |i| &mut i.pue),
    ("colocation_usd_per_kw_month", "Colocation", "USD/kW-month", |i| &mut i.colocation_usd_per_kw_month),
    ("cost_of_capital", "Cost of capital", "per year", |i| &mut i.cost_of_capital),
    ("hardware_life_years", "Hardware life", "years", |i| &mut i.hardware_life_years),
    ("support_share_per_year", "Hardware support", "share per year", |i| &mut i.support_share_per_year),
    ("facility_usd_per_mw", "Own facility", "USD/MW of IT", |i| &mut i.facility_usd_per_mw),
    ("facility_life_years", "Life of an own facility", "years", |i| &mut i.facility_life_years),
    ("software_usd_per_gpu_year", "Licensed software", "USD per GPU-year", |i| &mut i.software_usd_per_gpu_year),
    ("server_overhead", "Power overhead of network and storage", "factor", |i| &mut i.server_overhead),
    ("spare_share", "Spare servers", "share of servers", |i| &mut i.spare_share),
    ("installation_share", "Racks, installation, freight", "share of hardware", |i| &mut i.installation_share),
    ("storage_usd_per_tb", "Storage", "USD/TB", |i| &mut i.storage_usd_per_tb),
    ("tax_share", "Tax and duty", "share", |i| &mut i.tax_share),
];

/// Cost of the run with changed inputs, the layout as found.
fn run_cost(
    request: &PlanRequest,
    inputs: &Inputs,
    field: &Field,
    sized: &Sized,
    option: &Acquired,
    per_gpu: f64,
    price: Option<f64>,
) -> f64 {
    let gpus = f64::from(sized.gpus);
    let failures = acquire::failures(inputs, gpus, sized.reliability.checkpoint_bytes);
    let rental = option.rental.map(|i| &field.rentals(sized)[i]);
    let failures = rental.map_or(failures, |r| acquire::failures_of(inputs, r, &failures));
    let goodput = reliability(&failures).goodput;
    let hours = request.training_tokens as f64 / (per_gpu * gpus * goodput) / 3_600.0;
    match rental {
        Some(rental) => {
            let run = Run { gpus, hours, ..Run::of(request, sized.storage) };
            rental.run(inputs, &run, price.unwrap_or(rental.price.typical)).total
        }
        None => {
            let bought =
                bill::bill(request, inputs, sized.accelerator, sized.gpus, sized.network.as_ref(), &sized.storage)
                    .zip(power::nameplate_kw(sized.accelerator, gpus))
                    .map(|(bill, kw)| Ownership::new(inputs, &bill, gpus, f64::from(sized.nodes), kw));
            bought.map_or(0.0, |own| own.capital.typical + own.running_month(1.0) * hours / HOURS_PER_MONTH)
        }
    }
}
