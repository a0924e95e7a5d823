//! Tables as text with delimiters: RFC 4180, CRLF, UTF-8, for spreadsheets of any locale.

use super::{Cell, Column, Kind, Table};
use std::io;

/// Media type of an answer.
pub const MEDIA_TYPE: &str = "text/csv; charset=utf-8; header=present";

/// How a spreadsheet wants it. The default is that of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Between cells.
    pub delimiter: Delimiter,
    /// Between whole and fraction.
    pub decimal: Decimal,
    /// What the text begins with.
    pub start: Start,
}

/// Between cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delimiter {
    /// `,`
    #[default]
    Comma,
    /// `;`, which Excel expects where the comma is the decimal sign.
    Semicolon,
    /// A tab.
    Tab,
}

/// Between whole and fraction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decimal {
    /// `.`
    #[default]
    Point,
    /// `,`
    Comma,
}

/// What the text begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Start {
    /// The first cell.
    #[default]
    Bare,
    /// A byte order mark, without which Excel takes UTF-8 for the code page of Windows.
    Mark,
}

impl Default for Dialect {
    fn default() -> Self {
        Self { delimiter: Delimiter::Comma, decimal: Decimal::Point, start: Start::Bare }
    }
}

impl Delimiter {
    /// As a byte.
    pub fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
            Self::Tab => b'\t',
        }
    }
}

/// Writes a table.
///
/// # Errors
/// Never to memory; the type is the writer's.
pub fn write(table: &Table, dialect: Dialect) -> io::Result<Vec<u8>> {
    let mut writer = csv_writer(dialect);
    writer.write_record(table.columns.iter().map(|column| column.name.as_ref()))?;
    for row in &table.rows {
        writer.write_record(table.columns.iter().zip(row).map(|(column, cell)| text(column, cell, dialect.decimal)))?;
    }
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

/// A cell alone, as text and not as a part of a sheet.
pub fn bare(column: &Column, cell: &Cell) -> String {
    match cell {
        Cell::Text(words) => words.clone(),
        other => text(column, other, Decimal::Point),
    }
}

/// One readable cell, for what went wrong.
///
/// # Errors
/// Never to memory; the type is the writer's.
pub fn cell(words: &str) -> io::Result<Vec<u8>> {
    let mut writer = csv_writer(Dialect::default());
    writer.write_record([words])?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

fn csv_writer(dialect: Dialect) -> csv::Writer<Vec<u8>> {
    let begin = match dialect.start {
        Start::Bare => Vec::new(),
        Start::Mark => "\u{feff}".as_bytes().to_vec(),
    };
    csv::WriterBuilder::new()
        .delimiter(dialect.delimiter.byte())
        .terminator(csv::Terminator::CRLF)
        .flexible(true)
        .from_writer(begin)
}

fn text(column: &Column, cell: &Cell, decimal: Decimal) -> String {
    let number = match cell.settled(column.kind) {
        Cell::Empty => return String::new(),
        Cell::Text(text) => return neutral(text),
        Cell::Flag(flag) => return if flag { "TRUE" } else { "FALSE" }.to_owned(),
        Cell::Integer(whole) => return whole.to_string(),
        Cell::Number(number) if column.kind == Kind::Money => format!("{number:.2}"),
        Cell::Number(number) => number.to_string(),
    };
    match decimal {
        Decimal::Point => number,
        Decimal::Comma => number.replace('.', ","),
    }
}

/// Text that a spreadsheet would take for a formula gets an apostrophe before it (OWASP, CSV injection), also where
/// blanks or full-width signs hide its beginning. Numbers are cells of their own and are never touched.
fn neutral(text: String) -> String {
    let begins = |c: char| matches!(c, '=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '\0' | '＝' | '＋' | '－' | '＠');
    let hidden = text.trim_start().starts_with(begins);
    if hidden || text.starts_with(begins) { format!("'{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(kind: Kind, cells: impl IntoIterator<Item = Cell>) -> Table {
        let column = Column { name: "a".into(), label: "A".into(), kind };
        Table { name: "t".into(), columns: vec![column], rows: cells.into_iter().map(|cell| vec![cell]).collect() }
    }

    fn written(table: &Table, dialect: Dialect) -> String {
        String::from_utf8(write(table, dialect).expect("written")).expect("UTF-8")
    }

    #[test]
    fn text_that_begins_a_formula_is_neutralized_and_numbers_are_not() {
        for text in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\0=1", " =1", "＝1", "－2"] {
            let read = written(&one(Kind::Text, [text.into()]), Dialect::default());
            let mut reader = csv::Reader::from_reader(read.as_bytes());
            let cell = reader.records().next().expect("a row").expect("reads")[0].to_owned();
            assert_eq!(cell, format!("'{text}"));
        }
        for text in ["a=1", "'=1", "1-2", "—", "H100, 8x"] {
            assert_eq!(neutral(text.to_owned()), text);
        }
        assert_eq!(
            written(&one(Kind::Number, [(-1.5).into(), (-3e-7).into()]), Dialect::default()),
            "a\r\n-1.5\r\n-0.0000003\r\n"
        );
    }

    #[test]
    fn amounts_are_to_the_cent_and_never_negative_zero() {
        let cells = [1_234_567.891, -0.001, 0.0, -12.5, f64::NAN, f64::INFINITY].map(Cell::from);
        assert_eq!(
            written(&one(Kind::Money, cells), Dialect::default()),
            "a\r\n1234567.89\r\n0.00\r\n0.00\r\n-12.50\r\n\"\"\r\n\"\"\r\n"
        );
    }

    #[test]
    fn other_locales_get_their_signs() {
        let german = Dialect { delimiter: Delimiter::Semicolon, decimal: Decimal::Comma, start: Start::Mark };
        let text = written(&one(Kind::Number, [1234.5.into(), Cell::Integer(7)]), german);
        assert_eq!(text, "\u{feff}a\r\n1234,5\r\n7\r\n");
        let quoted = written(&one(Kind::Text, ["a;b".into(), "a,b".into()]), german);
        assert_eq!(quoted, "\u{feff}a\r\n\"a;b\"\r\na,b\r\n");
    }

    #[test]
    fn any_name_survives() {
        for name in [
            "训练集群",
            "مجموعة التدريب",
            "🚀🧪 β",
            "say \"hi\", twice",
            "two\nlines",
            "crlf\r\nline",
            &"长".repeat(120),
        ] {
            let bytes = write(&one(Kind::Text, [name.into()]), Dialect::default()).expect("written");
            let mut reader = csv::Reader::from_reader(bytes.as_slice());
            assert_eq!(&reader.records().next().expect("a row").expect("reads")[0], name);
        }
    }
}
