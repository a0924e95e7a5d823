//! How cells look: formats by kind, headers, inputs, totals.

use crate::tables::{Cell, Kind};
use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder};

/// Formats that sheets share.
pub(super) struct Styles {
    pub(super) header: Format,
    pub(super) text: Format,
    pub(super) title: Format,
    pub(super) date: Format,
    pub(super) total_label: Format,
    pub(super) total: Format,
    pub(super) input: Format,
    pub(super) quiet: Format,
}

pub(super) const MONEY: &str = "#,##0.00";

impl Styles {
    pub(super) fn new() -> Self {
        let base = || Format::new().set_align(FormatAlign::Top);
        Self {
            header: Format::new()
                .set_bold()
                .set_text_wrap()
                .set_align(FormatAlign::VerticalCenter)
                .set_background_color(Color::RGB(0x00E8_EDF2))
                .set_border_bottom(FormatBorder::Thin),
            text: base().set_text_wrap(),
            title: base().set_bold(),
            date: base().set_num_format("yyyy-mm-dd").set_align(FormatAlign::Left),
            total_label: base().set_bold().set_border_top(FormatBorder::Thin),
            total: base().set_bold().set_border_top(FormatBorder::Thin).set_num_format(MONEY),
            // blue on yellow: what a reader of models expects an input to look like
            input: base()
                .set_font_color(Color::RGB(0x0000_00FF))
                .set_background_color(Color::RGB(0x00FF_F9DB))
                .set_num_format("#,##0.00####"),
            quiet: base().set_font_color(Color::RGB(0x0059_6068)).set_text_wrap(),
        }
    }

    /// The format of a number.
    pub(super) fn number(&self, kind: Kind, number: f64) -> Format {
        let format = match kind {
            Kind::Integer => "#,##0",
            Kind::Money => MONEY,
            Kind::Rate => "#,##0.00####",
            Kind::Percent => "0.0%",
            // a mixed column: as it was given
            Kind::Text => "General",
            _ if number.abs() >= 1_000.0 => "#,##0",
            _ if number.abs() >= 1.0 => "#,##0.00",
            _ => "0.00####",
        };
        Format::new().set_align(FormatAlign::Top).set_num_format(format)
    }
}

/// Width of a column, characters.
pub(super) fn width(kind: Kind, label: &str, cells: impl Iterator<Item = usize>) -> f64 {
    let longest = cells.max().unwrap_or(0);
    let word = label.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
    let wanted = match kind {
        Kind::Text | Kind::Link => longest.clamp(8, 60),
        Kind::Money => 16,
        _ => 13,
    };
    wanted.max(word + 2) as f64
}

/// Characters that a cell takes.
pub(super) fn length(cell: &Cell) -> usize {
    match cell {
        Cell::Text(text) => text.lines().map(|line| line.chars().count()).max().unwrap_or(0),
        _ => 8,
    }
}
