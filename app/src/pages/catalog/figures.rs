//! A figure of the catalog as a cell: value, then source, date and confidence.

use crate::components::Cell;
use crate::format;
use engine::catalog::{Catalog, Confidence, Figure};

/// How a value is written.
pub(super) type Write = fn(f64) -> String;

/// The cell of a figure: the value with its date below it, everything else where a pointer rests.
pub(super) fn cell(figure: &Figure, write: Write) -> Cell {
    Cell { title: Some(provenance(figure, write)), ..Cell::text(write(figure.value)) }.note(note(figure))
}

/// The cell of a figure that may be unknown.
pub(super) fn maybe(figure: Option<&Figure>, write: Write) -> Cell {
    figure.map_or_else(|| Cell::text("—"), |figure| cell(figure, write))
}

/// Source, date and confidence in short.
fn note(figure: &Figure) -> String {
    format!("{} · {}", figure.source, figure.date)
}

fn provenance(figure: &Figure, write: Write) -> String {
    let source = Catalog::get()
        .sources
        .iter()
        .find(|s| s.id == figure.source)
        .map_or(figure.source.as_str(), |s| s.title.as_str());
    let range = match (figure.low, figure.high) {
        (None, None) => String::new(),
        (low, high) => {
            format!(", from {} to {}", write(low.unwrap_or(figure.value)), write(high.unwrap_or(figure.value)))
        }
    };
    let remark = figure.note.as_ref().map(|note| format!(". {note}")).unwrap_or_default();
    format!(
        "{}{range}. {source}, {}, {} confidence{remark}",
        write(figure.value),
        format::date(&figure.date),
        confidence(figure.confidence)
    )
}

pub(super) fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::High => "high",
        Confidence::Medium => "medium",
        Confidence::Low => "low",
    }
}
