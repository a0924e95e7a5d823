//! Every measurement as a list: what it is narrowed by, its columns, its rows.

use crate::components::Cell;
use crate::format;
use crate::listing::{Choice, Column, Entry, Kind, Listing, Origin, Place, Row, VIEWS};
use engine::request::Precision;
use engine::validation::{ModelKind, Report, Row as Measured};

/// Where the list stands: its form above the chart, which it narrows, too.
pub(super) const PLACE: Place = Place { path: "/validation", anchor: "scatter", lists: &[], kept: &[] };

const COLUMNS: [Column; 17] = [
    Column::new("model", "Model", Kind::Text),
    Column::more("id", "Id", Kind::Text),
    Column::more("parameters", "Parameters", Kind::Number),
    Column::new("accelerator", "Accelerator", Kind::Text),
    Column::new("gpus", "Devices", Kind::Number),
    Column::more("gpus_per_node", "Devices of a server", Kind::Number),
    Column::new("recipe", "Number format", Kind::Text),
    Column::new("method", "Trained", Kind::Text),
    Column::new("context_length", "Context", Kind::Number),
    Column::new("layout", "Layout", Kind::Text),
    Column::new("measured", "Measured, tokens/s per device", Kind::Number),
    Column::new("predicted", "Predicted", Kind::Number),
    Column::new("error", "Error", Kind::Share),
    Column::new("remark", "Remark", Kind::Text),
    Column::more("fits", "Fits in memory, as predicted", Kind::Flag),
    Column::more("quality", "Quality of the source", Kind::Text),
    Column::new("origin", "Source", Kind::Text),
];

const KINDS: [(&str, &str); 2] = [("dense", "Dense models"), ("experts", "Mixtures of experts")];

fn kind_id(kind: Option<ModelKind>) -> &'static str {
    match kind {
        Some(ModelKind::Dense) => "dense",
        Some(ModelKind::Experts) => "experts",
        None => "",
    }
}

/// The list.
pub(in crate::pages) fn list(report: &Report) -> Listing {
    let rows: Vec<Row> = report.rows.iter().map(row).collect();
    let label = |id: &str| {
        let named = report.rows.iter().find(|row| row.accelerator == id);
        named.map_or(id, |row| row.accelerator_label).to_owned()
    };
    let method = |id: &str| {
        let named = report.rows.iter().find(|row| row.method.id() == id);
        named.map_or(id, |row| row.method.label()).to_owned()
    };
    let precisions = Precision::ALL.iter().map(|p| (p.id().to_owned(), p.label().to_owned())).collect();
    let choices = vec![
        Choice {
            id: "accelerator",
            label: "Accelerator",
            all: "All accelerators",
            kinds: Listing::kinds(&rows, 0, label),
        },
        Choice {
            id: "kind",
            label: "Kind of model",
            all: "Dense and experts",
            kinds: KINDS.map(|(id, name)| (id.to_owned(), name.to_owned())).to_vec(),
        },
        Choice { id: "precision", label: "Number format", all: "All formats", kinds: precisions },
        Choice { id: "method", label: "Trained", all: "Every way", kinds: Listing::kinds(&rows, 3, method) },
    ];
    Listing {
        name: "measurements",
        files: VIEWS,
        caption: "Every measurement",
        noun: ("measurement", "measurements"),
        columns: COLUMNS.to_vec(),
        choices,
        rows,
    }
}

fn row(row: &Measured) -> Row {
    let rate = |value: Option<f64>| {
        let mut entry = Entry::number(value, format::compact);
        entry.cell.title = value.map(format::exact_or_six);
        entry
    };
    let size = row.parameters.map(|p| format!("{} parameters", format::compact(p as f64))).unwrap_or_default();
    let below = if size.is_empty() { row.id.to_owned() } else { format!("{} · {size}", row.id) };
    Row {
        entries: vec![
            Cell::text(row.model).note(below).into(),
            Entry::text(row.id),
            Entry::number(row.parameters.map(|p| p as f64), format::compact),
            Entry::text(row.accelerator_label),
            Entry::number(Some(f64::from(row.gpus)), format::count),
            Entry::number(Some(f64::from(row.gpus_per_node)), format::count),
            Entry::text(row.recipe),
            Entry::text(row.method.label()),
            Entry::number(row.context_length.map(|c| c as f64), format::count),
            Entry::text(&row.layout),
            rate(row.measured),
            rate(row.predicted),
            Entry::number(row.error, format::percent_signed),
            Entry::text(remark(row)),
            row.fits.map_or_else(Entry::unknown, Entry::flag),
            Entry::text(row.quality),
            Entry::text(row.source).note(format!(
                "{} · {} · quality {}",
                row.reference,
                format::date(row.date),
                row.quality
            )),
        ],
        kinds: [row.accelerator, kind_id(row.kind), row.precision.id(), row.method.id()].map(str::to_owned).to_vec(),
        words: row.accelerator.to_owned(),
        origin: Some(Origin {
            source: format!("{}, {}", row.source, row.reference),
            date: row.date.to_owned(),
            confidence: format!("quality {}", row.quality),
        }),
    }
}

fn remark(row: &Measured) -> String {
    let mut parts = Vec::new();
    if let Some(why) = row.excluded {
        parts.push(format!("Not predicted: {why}"));
    }
    if let Some(why) = row.not_fitted {
        parts.push(format!("Not fitted: {why}"));
    }
    if row.fits == Some(false) {
        parts.push("The engine says that it does not fit in memory".to_owned());
    }
    parts.join(". ")
}
