//! Buying against renting: by month, by utilization, and when buying pays back.

use super::Kind::{Flag, Integer, Money, Number, Percent, Rate, Text};
use super::{Cell, Column, Table, field, table};
use engine::Plan;
use engine::answer::{BreakEven, CostCurve};

/// One point of one curve.
struct Point<'a> {
    month: u32,
    curve: &'a CostCurve,
    index: usize,
}

/// Long: a row for each month and curve, so that the columns are the same whatever is compared.
pub(super) fn curves(plan: &Plan) -> Table {
    let compared = &plan.cloud_vs_on_prem;
    let points = compared.curves.iter().flat_map(|curve| {
        compared.months.iter().enumerate().map(move |(index, month)| Point { month: *month, curve, index })
    });
    table(
        "curves",
        points,
        &[
            field("month", "Month", Integer, |p: &Point<'_>| p.month.into()),
            field("id", "Way of acquiring", Text, |p| (&p.curve.id).into()),
            field("label", "Acquired from", Text, |p| (&p.curve.label).into()),
            field("cumulative_usd", "Paid so far, USD", Money, |p| p.curve.cumulative_usd.get(p.index).copied().into()),
            field("low_usd", "Paid so far, low, USD", Money, |p| p.curve.low_usd.get(p.index).copied().into()),
            field("high_usd", "Paid so far, high, USD", Money, |p| p.curve.high_usd.get(p.index).copied().into()),
        ],
    )
}

/// Wide: a row for each month, a column for each curve, as charts of spreadsheets want it.
pub(super) fn curves_wide(plan: &Plan) -> Table {
    let compared = &plan.cloud_vs_on_prem;
    let month = Column { name: "month".into(), label: "Month".into(), kind: Integer };
    let columns = std::iter::once(month).chain(compared.curves.iter().map(|curve| Column {
        name: format!("{}_usd", super::plain_name(&curve.id)).into(),
        label: format!("{}, USD", curve.label).into(),
        kind: Money,
    }));
    let rows = compared.months.iter().enumerate().map(|(index, month)| {
        let paid = compared.curves.iter().map(|curve| Cell::from(curve.cumulative_usd.get(index).copied()));
        std::iter::once(Cell::from(*month)).chain(paid).collect()
    });
    Table { name: "curves_wide".into(), columns: columns.collect(), rows: rows.collect() }
}

/// One rate at one utilization.
struct Useful<'a> {
    utilization: f64,
    id: &'a str,
    label: &'a str,
    usd: f64,
}

pub(super) fn by_utilization(plan: &Plan) -> Table {
    let compared = &plan.cloud_vs_on_prem;
    let label = |id: &str| compared.curves.iter().find(|curve| curve.id == id).map_or("", |curve| curve.label.as_str());
    let points = compared.by_utilization.iter().flat_map(|point| {
        point.usd_per_useful_gpu_hour.iter().map(|(id, usd)| Useful {
            utilization: point.utilization,
            id,
            label: label(id),
            usd: *usd,
        })
    });
    table(
        "by_utilization",
        points,
        &[
            field("utilization", "Utilization", Percent, |p: &Useful<'_>| p.utilization.into()),
            field("id", "Way of acquiring", Text, |p| p.id.into()),
            field("label", "Acquired from", Text, |p| p.label.into()),
            field("usd_per_useful_gpu_hour", "USD per useful GPU-hour", Rate, |p| p.usd.into()),
        ],
    )
}

pub(super) fn break_even(plan: &Plan) -> Table {
    table(
        "break_even",
        plan.cloud_vs_on_prem.break_even.iter(),
        &[
            field("against", "Against", Text, |b: &&BreakEven| (&b.against).into()),
            field("label", "Rented from", Text, |b| (&b.label).into()),
            field("months", "Months until buying pays back", Number, |b| b.months.into()),
            field("utilization", "Buying is cheaper from utilization", Percent, |b| b.utilization.into()),
            field("within_life", "Within the life of the hardware", Flag, |b| b.within_life.into()),
        ],
    )
}
