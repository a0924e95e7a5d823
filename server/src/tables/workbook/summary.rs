//! The first sheet: the key figures, and how the cost of the run follows from prices.

use super::bill::formula;
use super::sheet::put;
use super::styles::Styles;
use super::{BILL, Places};
use crate::tables::{Cell, Kind, summary};
use engine::Plan;
use engine::answer::CostOption;
use engine::request::Acquisition;
use rust_xlsxwriter::{Worksheet, XlsxError};

/// Half a cent: what a formula may be off before a plain number stands in its place.
const CLOSE: f64 = 0.005;
const LIVE: &str = "Follows the prices below and on the sheet “Bill of materials”";
const FIXED: &str = "As planned: does not follow changed prices";

/// Rows of the cost below the key figures.
struct Cost {
    /// Cell of the result, and its value.
    total: Option<(String, f64)>,
}

pub(super) fn write(
    sheet: &mut Worksheet,
    plan: &Plan,
    name: Option<&str>,
    places: &Places,
    styles: &Styles,
) -> Result<(), XlsxError> {
    for (column, (label, width)) in
        (0u16..).zip([("Figure", 44.0), ("Value", 44.0), ("Remark", 52.0), ("Name in the API", 30.0)])
    {
        sheet.write_string_with_format(0, column, label, &styles.header)?;
        sheet.set_column_width(column, width)?;
    }
    let table = summary::summary(plan);
    let row_of = |name: &str| table.columns.iter().position(|column| column.name == name).map(|index| index as u32 + 1);
    let after = u32::try_from(table.columns.len()).unwrap_or(0) + 2;
    let option = plan.shown().and_then(|tier| tier.cost.as_ref()).and_then(summary::counted);
    let cost = match option {
        Some(option) if option.acquisition == Acquisition::Buy => buying(sheet, after, plan, option, places, styles)?,
        Some(option) => renting(sheet, after, plan, option, styles)?,
        None => Cost { total: None },
    };
    let tokens = plan.request.training_tokens as f64;
    let cells = table.rows.first().cloned().unwrap_or_default();
    for ((row, column), cell) in (1u32..).zip(&table.columns).zip(&cells) {
        sheet.write_string_with_format(row, 0, column.label.as_ref(), &styles.title)?;
        sheet.write_string_with_format(row, 3, column.name.as_ref(), &styles.quiet)?;
        let number = match cell {
            Cell::Number(number) => *number,
            _ => 0.0,
        };
        let live = match (column.name.as_ref(), &cost.total, &places.bill_total) {
            ("total_usd", Some((at, value)), _) if (value - number).abs() < CLOSE => Some(formula(at.clone(), number)),
            ("usd_per_million_tokens", Some((_, value)), _) if tokens > 0.0 => row_of("total_usd")
                .map(|total| formula(format!("B{}/({tokens}/1000000)", total + 1), value / tokens * 1e6)),
            ("capital_usd", _, Some((at, value))) if (value - number).abs() < CLOSE => {
                Some(formula(format!("'{BILL}'!{at}"), number))
            }
            _ => None,
        };
        let is_money = matches!(column.kind, Kind::Money | Kind::Rate) && *cell != Cell::Empty;
        match live {
            Some(live) => {
                sheet.write_formula_with_format(row, 1, live, &styles.number(column.kind, number))?;
                sheet.write_string_with_format(row, 2, LIVE, &styles.quiet)?;
            }
            None => {
                put(sheet, (row, 1), cell, column.kind, styles)?;
                if is_money {
                    sheet.write_string_with_format(row, 2, FIXED, &styles.quiet)?;
                }
            }
        }
    }
    if let Some(name) = name {
        // the row between the key figures and the cost; a string is never read as a formula
        let row = after - 1;
        sheet.write_string_with_format(row, 0, "Scenario", &styles.title)?;
        sheet.write_string_with_format(row, 1, name, &styles.text)?;
    }
    super::sheet::finish(sheet)
}

/// Purchase and running it until the end of the run.
fn buying(
    sheet: &mut Worksheet,
    row: u32,
    plan: &Plan,
    option: &CostOption,
    places: &Places,
    styles: &Styles,
) -> Result<Cost, XlsxError> {
    let capital = plan.shown().and_then(|tier| tier.cost.as_ref()).and_then(|cost| cost.capital_usd);
    let (Some((at, bill)), Some(capital)) = (&places.bill_total, capital) else { return Ok(Cost { total: None }) };
    if (bill - capital.typical).abs() >= CLOSE {
        return Ok(Cost { total: None });
    }
    let running = option.total_usd.typical - bill;
    sheet.write_string_with_format(row, 0, "How the cost of the run comes about", &styles.header)?;
    sheet.write_string_with_format(row + 1, 0, "Purchase, by the bill of materials, USD", &styles.text)?;
    let money = styles.number(Kind::Money, 0.0);
    sheet.write_formula_with_format(row + 1, 1, formula(format!("'{BILL}'!{at}"), *bill), &money)?;
    sheet.write_string_with_format(row + 2, 0, "Running it until the end of the run, USD", &styles.text)?;
    sheet.write_number_with_format(row + 2, 1, running, &styles.input)?;
    sheet.write_string_with_format(
        row + 2,
        2,
        "As planned; support and insurance are shares of the purchase",
        &styles.quiet,
    )?;
    sheet.write_string_with_format(row + 3, 0, "Cost of the run, USD", &styles.total_label)?;
    let sum = formula(format!("B{}+B{}", row + 2, row + 3), option.total_usd.typical);
    sheet.write_formula_with_format(row + 3, 1, sum, &styles.total)?;
    Ok(Cost { total: Some((format!("B{}", row + 4), option.total_usd.typical)) })
}

/// Device-hours at their price, and what comes on top.
fn renting(
    sheet: &mut Worksheet,
    row: u32,
    plan: &Plan,
    option: &CostOption,
    styles: &Styles,
) -> Result<Cost, XlsxError> {
    let gpus = plan.shown().and_then(|tier| tier.cluster.as_ref()).map_or(0, |cluster| cluster.gpus);
    let hours = f64::from(gpus) * option.days.typical * 24.0;
    let total = option.total_usd.typical;
    let Some(price) = price(option, hours) else { return Ok(Cost { total: None }) };
    // within a cent of what is answered, which is rounded
    let extras = total - hours * price;
    sheet.write_string_with_format(row, 0, "How the cost of the run comes about", &styles.header)?;
    let rows = [
        ("GPU-hours of the run", hours, styles.number(Kind::Number, hours)),
        ("Price of a GPU-hour, USD", price, styles.input.clone()),
        ("Storage, egress and support, USD", extras, styles.input.clone()),
    ];
    for (at, (label, value, format)) in (row + 1..).zip(rows) {
        sheet.write_string_with_format(at, 0, label, &styles.text)?;
        sheet.write_number_with_format(at, 1, value, &format)?;
    }
    sheet.write_string_with_format(row + 3, 2, "As planned; often a share of the rent", &styles.quiet)?;
    sheet.write_string_with_format(row + 4, 0, "Cost of the run, USD", &styles.total_label)?;
    let sum = formula(format!("B{}*B{}+B{}", row + 2, row + 3, row + 4), total);
    sheet.write_formula_with_format(row + 4, 1, sum, &styles.total)?;
    Ok(Cost { total: Some((format!("B{}", row + 5), total)) })
}

/// The price of a device-hour before it was rounded to the cent, in as few digits as give the cost; none where the cost is
/// no product of hours and price, as of a prepaid block or a term.
fn price(option: &CostOption, hours: f64) -> Option<f64> {
    let exact = (option.total_usd.typical - option.extras_usd) / hours;
    if !exact.is_finite() || (exact - option.usd_per_gpu_hour).abs() > CLOSE + 1e-6 {
        return None;
    }
    let short = |digits: i32| (exact * 10f64.powi(digits)).round() / 10f64.powi(digits);
    let is_right =
        |price: &f64| (hours * price + option.extras_usd - option.total_usd.typical).abs() < 2.0 * CLOSE + 1e-6;
    Some([2, 4, 6].map(short).into_iter().find(is_right).unwrap_or(exact))
}
