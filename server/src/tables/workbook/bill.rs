//! The bill of materials: a unit price is an input, and line totals, sums of sections and the grand total follow it.

use super::Places;
use super::sheet::{finish, put};
use super::styles::Styles;
use crate::tables::{Cell, Kind};
use engine::Plan;
use engine::answer::BillLine;
use rust_xlsxwriter::{Format, Formula, Worksheet, XlsxError};

const HEAD: [(&str, f64); 11] = [
    ("Item", 48.0),
    ("Quantity", 11.0),
    ("Unit", 12.0),
    ("Unit price, USD", 17.0),
    ("Total, USD", 18.0),
    ("Unit price, low, USD", 16.0),
    ("Unit price, high, USD", 16.0),
    ("Price is part of", 24.0),
    ("Source of the price", 30.0),
    ("Date of the price", 12.0),
    ("Why so many", 60.0),
];

/// A group of lines with a sum of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Servers,
    Network,
    Storage,
    Site,
    Tax,
}

impl Section {
    fn of(line: &BillLine) -> Self {
        match (line.unit.as_str(), line.item.as_str()) {
            ("system", _) => Self::Servers,
            ("card" | "switch" | "transceiver" | "cable" | "link" | "port", _) | ("lot", "Network") => Self::Network,
            ("TB usable" | "node" | "drive", _) => Self::Storage,
            ("lot", "Tax and duty") => Self::Tax,
            _ => Self::Site,
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Servers => "Servers",
            Self::Network => "Network",
            Self::Storage => "Storage",
            Self::Site => "Racks, power, installation",
            Self::Tax => "Tax and duty",
        }
    }
}

/// How the unit price of a line came about.
enum Price {
    /// It stands for itself.
    Input(f64),
    /// The price of another line.
    Same { row: u32, usd: f64 },
    /// A share of what some lines cost.
    Share { of: Vec<u32>, share: f64, usd: f64 },
    /// Nobody knows: a buyer may fill it in.
    Unknown,
    /// Another line holds it.
    Included,
}

/// A line with its place on the sheet, counted from 0.
struct Placed<'a> {
    line: &'a BillLine,
    row: u32,
    price: Price,
}

/// Writes the sheet; says where its total is.
pub(super) fn write(sheet: &mut Worksheet, plan: &Plan, styles: &Styles) -> Result<Places, XlsxError> {
    for (column, (label, width)) in (0u16..).zip(HEAD) {
        sheet.write_string_with_format(0, column, label, &styles.header)?;
        sheet.set_column_width(column, width)?;
    }
    let mut sums: Vec<(u32, f64)> = Vec::new();
    let mut placed: Vec<Placed<'_>> = Vec::new();
    let mut row = 1;
    for lines in plan.bill_of_materials.chunk_by(|a, b| Section::of(a) == Section::of(b)) {
        let from = row;
        let mut sum = 0.0;
        for line in lines {
            let next = Placed { line, row, price: price(line, &placed) };
            write_line(sheet, &next, styles)?;
            sum += line.total_usd.unwrap_or(0.0);
            placed.push(next);
            row += 1;
        }
        let label = lines.first().map_or("", |line| Section::of(line).label());
        sheet.write_string_with_format(row, 0, format!("{label}, sum"), &styles.total_label)?;
        let formula = formula(format!("SUM(E{}:E{row})", from + 1), sum);
        sheet.write_formula_with_format(row, 4, formula, &styles.total)?;
        sums.push((row, sum));
        // one row of space
        row += 2;
    }
    finish(sheet)?;
    if sums.is_empty() {
        sheet.write_string(1, 0, "No purchase price is known for the shown cluster.")?;
        return Ok(Places::default());
    }
    let total: f64 = sums.iter().map(|(_, sum)| sum).sum();
    let cells: Vec<String> = sums.iter().map(|(row, _)| format!("E{}", row + 1)).collect();
    sheet.write_string_with_format(row, 0, "Total", &styles.total_label)?;
    sheet.write_formula_with_format(row, 4, formula(cells.join("+"), total), &styles.total)?;
    sheet.write_string_with_format(
        row + 1,
        0,
        "Blue figures are inputs: change a unit price and the totals here and on the summary follow. Lines without a price are not in the total.",
        &styles.quiet,
    )?;
    Ok(Places { bill_total: Some((format!("E{}", row + 1), total)) })
}

fn price(line: &BillLine, before: &[Placed<'_>]) -> Price {
    if line.included_in.is_some() {
        return Price::Included;
    }
    let Some(usd) = line.unit_usd.map(|range| range.typical) else { return Price::Unknown };
    if let Some(item) = line.item.strip_prefix("Spare: ")
        && let Some(same) = before.iter().find(|placed| placed.line.item == item)
        && same.line.unit_usd.map(|range| range.typical) == Some(usd)
    {
        return Price::Same { row: same.row, usd };
    }
    let of: Vec<&Placed<'_>> = match (line.unit.as_str(), Section::of(line)) {
        // a share of the servers that work
        ("lot", Section::Network) => before.iter().filter(|placed| !placed.line.item.starts_with("Spare: ")).collect(),
        // shares of the hardware, neither of the other
        ("lot", _) => {
            before.iter().filter(|placed| placed.line.unit != "lot" || placed.line.item == "Network").collect()
        }
        _ => Vec::new(),
    };
    let base: f64 = of.iter().filter_map(|placed| placed.line.total_usd).sum();
    match share(usd, base) {
        Some(share) => Price::Share { of: of.iter().map(|placed| placed.row).collect(), share, usd },
        None => Price::Input(usd),
    }
}

/// A share in few digits that gives the amount to the cent; as it is where none does.
fn share(usd: f64, base: f64) -> Option<f64> {
    if base <= 0.0 {
        return None;
    }
    let exact = usd / base;
    let short = (exact * 1e6).round() / 1e6;
    Some(if (short * base - usd).abs() < 0.001 { short } else { exact })
}

fn write_line(sheet: &mut Worksheet, placed: &Placed<'_>, styles: &Styles) -> Result<(), XlsxError> {
    let (line, row) = (placed.line, placed.row);
    let number = row + 1;
    let text = |text: &String| Cell::from(text);
    put(sheet, (row, 0), &text(&line.item), Kind::Text, styles)?;
    put(sheet, (row, 1), &line.quantity.into(), Kind::Number, styles)?;
    put(sheet, (row, 2), &text(&line.unit), Kind::Text, styles)?;
    put(sheet, (row, 5), &line.unit_usd.map(|range| range.low).into(), Kind::Rate, styles)?;
    put(sheet, (row, 6), &line.unit_usd.map(|range| range.high).into(), Kind::Rate, styles)?;
    put(sheet, (row, 7), &line.included_in.as_ref().into(), Kind::Text, styles)?;
    put(sheet, (row, 8), &text(&line.source), Kind::Text, styles)?;
    put(sheet, (row, 9), &text(&line.as_of), Kind::Date, styles)?;
    put(sheet, (row, 10), &text(&line.why), Kind::Text, styles)?;
    let money: Format = styles.number(Kind::Money, 0.0);
    match &placed.price {
        Price::Input(usd) => {
            sheet.write_number_with_format(row, 3, *usd, &styles.input)?;
        }
        Price::Same { row: of, usd } => {
            sheet.write_formula_with_format(
                row,
                3,
                formula(format!("D{}", of + 1), *usd),
                &styles.number(Kind::Rate, *usd),
            )?;
        }
        Price::Share { of, share, usd } => {
            let cells: Vec<String> = of.iter().map(|row| format!("E{}", row + 1)).collect();
            let text = format!("{share}*SUM({})", cells.join(","));
            sheet.write_formula_with_format(row, 3, formula(text, *usd), &styles.number(Kind::Rate, *usd))?;
        }
        Price::Unknown => {
            sheet.write_blank(row, 3, &styles.input)?;
            let live = Formula::new(format!("IF(ISNUMBER(D{number}),B{number}*D{number},\"no price\")"));
            let live = live.set_result("no price");
            sheet.write_formula_with_format(row, 4, live, &money)?;
            return Ok(());
        }
        Price::Included => return Ok(()),
    }
    let total = formula(format!("B{number}*D{number}"), line.total_usd.unwrap_or(0.0));
    sheet.write_formula_with_format(row, 4, total, &money)?;
    Ok(())
}

/// A formula with its result, for readers that do not compute.
pub(super) fn formula(text: String, result: f64) -> Formula {
    Formula::new(text).set_result(result.to_string())
}
