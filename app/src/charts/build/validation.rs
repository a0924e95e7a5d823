//! Predicted against measured throughput.

use crate::charts::{Axis, Figure, Format, Kind, Reference, Series};
use crate::format;
use engine::validation::{Row, summarize};

/// Families of accelerators that are told apart, and how their ids begin; the last takes the rest.
const FAMILIES: [(&str, &[&str]); 5] = [
    ("NVIDIA A100", &["a100"]),
    ("NVIDIA Hopper", &["h100", "h200", "h800", "h20"]),
    ("NVIDIA Blackwell", &["b200", "b300", "gb200", "gb300"]),
    ("AMD Instinct", &["mi"]),
    ("Workstation and PCIe cards", &[]),
];

fn family(accelerator: &str) -> usize {
    let named = FAMILIES.iter().position(|(_, ids)| ids.iter().any(|id| accelerator.starts_with(id)));
    named.unwrap_or(FAMILIES.len() - 1)
}

/// A cloud of all rows that are predicted; `shown` says which rows these are.
pub fn predicted_against_measured(rows: &[&Row], shown: &str) -> Option<Figure> {
    let mut series: Vec<Series> =
        FAMILIES.iter().enumerate().map(|(index, (label, _))| Series::new(*label, index + 1, Vec::new())).collect();
    for row in rows {
        let (Some(measured), Some(predicted)) = (row.measured, row.predicted) else { continue };
        let Some(series) = series.get_mut(family(row.accelerator)) else { continue };
        series.points.push((measured, predicted));
        series.names.push(format!(
            "{} · {} on {} × {}",
            row.id,
            row.model,
            format::count(f64::from(row.gpus)),
            row.accelerator
        ));
    }
    series.retain(|s| !s.points.is_empty());
    let errors = summarize(rows.iter().filter_map(|r| r.error));
    if errors.rows == 0 {
        return None;
    }
    Some(Figure {
        title: format!(
            "Half of these {} predictions are within {} of what was measured, 9 of 10 within {}",
            format::count(errors.rows as f64),
            format::percent(errors.median),
            format::percent(errors.p90)
        ),
        subtitle: format!(
            "Tokens per second and device, {shown}. On the line, both are the same; above it, the engine is too optimistic"
        ),
        series,
        reference: Some(Reference { value: 0.2, label: "Solid: equal. Dashed: 20% above and below".into() }),
        ..Figure::new(
            "predicted-measured",
            Kind::Scatter,
            Axis::log("Measured, tokens/s per device", Format::Rate),
            Axis::log("Predicted, tokens/s per device", Format::Rate),
        )
    })
}
