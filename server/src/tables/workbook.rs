//! A plan as a workbook: real numbers with formats, headers that stay, and totals that follow the prices.

mod bill;
mod sheet;
mod styles;
mod summary;

use super::assumptions::by_name;
use super::plan;
use super::{Table, plain_name};
use engine::Plan;
use engine::catalog::Catalog;
use rust_xlsxwriter::{Chart, ChartType, DocProperties, ExcelDateTime, Workbook, Worksheet, XlsxError};
use sheet::place;
use styles::Styles;

/// Media type of an answer.
pub const MEDIA_TYPE: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// Name of the sheet that other sheets refer to.
const BILL: &str = "Bill of materials";

/// Where what sheets refer to stands.
#[derive(Clone, Debug, Default)]
struct Places {
    /// Cell of the grand total of the bill, and its value; none where nothing has a price.
    bill_total: Option<(String, f64)>,
}

/// Sheets that are tables side by side: name, and the tables.
const PLAIN: [(&str, &[&str]); 7] = [
    ("Tiers", &["tiers"]),
    ("Options", &["options"]),
    ("Curves", &["curves_wide", "break_even", "by_utilization"]),
    ("Utilization", &["utilization", "utilization_by_month", "health"]),
    ("Sensitivity", &["sensitivity", "ranges", "ownership"]),
    ("Assumptions", &["assumptions"]),
    ("Sources", &["sources", "notices"]),
];

/// Writes a plan, with the name of the scenario that it belongs to. The same plan gives the same bytes.
///
/// # Errors
/// A sheet can't be written, which is a fault of ours.
pub fn write(plan: &Plan, name: Option<&str>) -> Result<Vec<u8>, XlsxError> {
    let styles = Styles::new();
    let mut bill = Worksheet::new();
    bill.set_name(BILL)?;
    let places = bill::write(&mut bill, plan, &styles)?;
    let mut first = Worksheet::new();
    first.set_name("Summary")?;
    summary::write(&mut first, plan, name, &places, &styles)?;
    let mut workbook = Workbook::new();
    workbook.set_properties(&properties(plan, name)?);
    workbook.push_worksheet(first);
    let mut bill = Some(bill);
    for (name, tables) in PLAIN {
        // the bill stands between the tiers with their options and the curves
        if name == "Curves"
            && let Some(bill) = bill.take()
        {
            workbook.push_worksheet(bill);
        }
        let tables: Vec<Table> = tables.iter().filter_map(|table| plan::table(plan, table)).collect();
        let tables = if name == "Assumptions" { tables.into_iter().map(by_name).collect() } else { tables };
        let sheet = workbook.add_worksheet();
        sheet.set_name(name)?;
        place(sheet, &tables, &styles)?;
        if name == "Curves"
            && let Some(curves) = tables.first()
        {
            chart(sheet, name, curves, tables.iter().map(|table| table.columns.len() + 1).sum())?;
        }
    }
    workbook.save_to_buffer()
}

/// Writes one table on a sheet of its own.
///
/// # Errors
/// The sheet can't be written, which is a fault of ours.
pub fn of_table(table: &Table, title: &str) -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let made = month(&Catalog::get().version)?;
    let title = format!("Clusterwright: {title}");
    workbook.set_properties(
        &DocProperties::new().set_title(title).set_author("Clusterwright").set_creation_datetime(&made),
    );
    let sheet = workbook.add_worksheet();
    sheet.set_name(plain_name(&table.name))?;
    place(sheet, std::slice::from_ref(table), &Styles::new())?;
    workbook.save_to_buffer()
}

/// Without a clock: a file that was made twice from one plan is the same file.
fn properties(plan: &Plan, name: Option<&str>) -> Result<DocProperties, XlsxError> {
    let properties = DocProperties::new()
        .set_title(format!("Clusterwright plan: {}", name.map_or_else(|| plan::words(plan), str::to_owned)))
        .set_subject(&plan.headline)
        .set_author("Clusterwright")
        .set_comment(format!(
            "Engine {}, catalog {}. Cells with blue figures are inputs: totals follow them.",
            plan.engine_version, plan.catalog_version
        ));
    Ok(properties.set_creation_datetime(&month(&plan.catalog_version)?))
}

/// The month of a version of the catalog, as that of its figures.
fn month(version: &str) -> Result<ExcelDateTime, XlsxError> {
    let mut parts = version.split('-').map(|part| part.parse::<u16>().unwrap_or(0));
    let (year, month) = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    match (year, u8::try_from(month)) {
        (1900.., Ok(month @ 1..=12)) => ExcelDateTime::from_ymd(year, month, 1),
        _ => ExcelDateTime::from_ymd(1980, 1, 1),
    }
}

/// What has been paid by month, as lines beside the tables.
fn chart(sheet: &mut Worksheet, name: &str, curves: &Table, after: usize) -> Result<(), XlsxError> {
    let (Ok(last), Ok(after)) = (u32::try_from(curves.rows.len()), u16::try_from(after)) else { return Ok(()) };
    if last < 2 || curves.columns.len() < 2 {
        return Ok(());
    }
    let mut chart = Chart::new(ChartType::Line);
    for column in 1..u16::try_from(curves.columns.len()).unwrap_or(1) {
        chart
            .add_series()
            .set_name((name, 0, column))
            .set_categories((name, 1, 0, last, 0))
            .set_values((name, 1, column, last, column));
    }
    chart.title().set_name("Paid so far, USD");
    chart.x_axis().set_name("Month");
    chart.y_axis().set_name("USD").set_num_format("#,##0");
    sheet.insert_chart(1, after, &chart)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::request::plan_request_from_pairs;

    fn plan(query: &str) -> Plan {
        let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        engine::plan(&plan_request_from_pairs(pairs).expect("a request"))
    }

    #[test]
    fn the_same_plan_gives_the_same_file() {
        let plan = plan("model.preset=llama-3.2-1b&max_gpus=16&budget_usd=1M");
        let (a, b) = (write(&plan, None).expect("written"), write(&plan, None).expect("written"));
        assert!(a == b && a.starts_with(b"PK"));
    }

    #[test]
    fn a_plan_without_anything_to_show_is_a_workbook_too() {
        for query in [
            "model.preset=llama-3.1-405b&accelerators=rtx-4090&max_gpus=8",
            "model.preset=llama-3.1-8b&accelerators=tpu-v5p&max_gpus=256&acquisition=buy",
        ] {
            assert!(write(&plan(query), None).expect("written").starts_with(b"PK"), "{query}");
        }
    }
}
