//! Tables on a sheet, side by side below one row of headers that stays in sight.

use super::styles::{Styles, length, width};
use crate::tables::{Cell, Kind, Table};
use rust_xlsxwriter::{ExcelDateTime, Url, Worksheet, XlsxError};

/// Longest text of a cell.
const TEXT_MAX: usize = 32_767;
/// Longest address of a link.
const LINK_MAX: usize = 2_000;

/// Puts tables on a sheet.
pub(super) fn place(sheet: &mut Worksheet, tables: &[Table], styles: &Styles) -> Result<(), XlsxError> {
    let mut left = 0u16;
    for table in tables {
        for (index, column) in (0u16..).zip(&table.columns) {
            let at = left + index;
            sheet.write_string_with_format(0, at, column.label.as_ref(), &styles.header)?;
            let lengths = table.rows.iter().filter_map(|row| row.get(usize::from(index))).map(length);
            sheet.set_column_width(at, width(column.kind, &column.label, lengths))?;
            for (row, cells) in (1u32..).zip(&table.rows) {
                if let Some(cell) = cells.get(usize::from(index)) {
                    put(sheet, (row, at), cell, column.kind, styles)?;
                }
            }
        }
        left += u16::try_from(table.columns.len()).unwrap_or(u16::MAX).saturating_add(1);
    }
    finish(sheet)
}

/// What every sheet has.
pub(super) fn finish(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    sheet.set_row_height(0, 32)?;
    sheet.set_freeze_panes(1, 1)?;
    sheet.set_landscape();
    sheet.set_print_fit_to_pages(1, 0);
    sheet.set_repeat_rows(0, 0)?;
    Ok(())
}

/// Writes one cell by its kind. Text stays text, whatever it begins with.
pub(super) fn put(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    cell: &Cell,
    kind: Kind,
    styles: &Styles,
) -> Result<(), XlsxError> {
    match cell {
        Cell::Empty => {}
        Cell::Flag(flag) => {
            sheet.write_boolean_with_format(row, column, *flag, &styles.text)?;
        }
        Cell::Integer(whole) => {
            let number = *whole as f64;
            sheet.write_number_with_format(row, column, number, &styles.number(kind, number))?;
        }
        Cell::Number(number) => {
            sheet.write_number_with_format(row, column, *number, &styles.number(kind, *number))?;
        }
        Cell::Text(text) => {
            let day = (kind == Kind::Date).then(|| day(text)).flatten();
            let is_link = kind == Kind::Link && text.len() <= LINK_MAX && text.starts_with("https://");
            if let Some(day) = day {
                sheet.write_datetime_with_format(row, column, &day, &styles.date)?;
            } else if is_link {
                sheet.write_url(row, column, Url::new(text))?;
            } else {
                let text: String = text.chars().take(TEXT_MAX).collect();
                sheet.write_string_with_format(row, column, text, &styles.text)?;
            }
        }
    }
    Ok(())
}

/// A whole day; a month or a year stays text.
fn day(text: &str) -> Option<ExcelDateTime> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    ExcelDateTime::from_ymd(year, month, day).ok()
}
