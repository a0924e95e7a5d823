//! What each input moves.

use crate::charts::{Axis, Figure, Format, Kind, Reference, Series};
use crate::format;
use engine::Plan;
use engine::answer::SensitivityRow;

const MOST_ROWS: usize = 10;

/// Bars from the cost of the plan to its cost at the low and the high value of each input.
pub fn sensitivity(plan: &Plan) -> Option<Figure> {
    let base = plan.shown()?.cost.as_ref()?.total_usd.typical;
    let rows: Vec<&SensitivityRow> = plan.sensitivity.iter().take(MOST_ROWS).collect();
    let first = rows.first()?;
    let points = |value: fn(&SensitivityRow) -> f64| {
        rows.iter().enumerate().map(|(place, row)| (place as f64, value(row))).collect()
    };
    let names = |value: fn(&SensitivityRow) -> f64| rows.iter().map(|row| input_value(value(row), &row.unit)).collect();
    let title = format!(
        "What moves the cost most: {}, from {} to {}",
        first.label.to_lowercase().replace("gpu", "GPU"),
        format::money(first.total_usd_low.min(first.total_usd_high)),
        format::money(first.total_usd_low.max(first.total_usd_high))
    );
    Some(Figure {
        title,
        subtitle: "Cost of this run when one input takes its low or its high value, USD".into(),
        series: vec![
            Series { names: names(|r| r.low), ..Series::new("Low value", 2, points(|r| r.total_usd_low)) },
            Series { names: names(|r| r.high), ..Series::new("High value", 3, points(|r| r.total_usd_high)) },
        ],
        reference: Some(Reference { value: base, label: format!("Typical {}", format::money(base)) }),
        ..Figure::new(
            "sensitivity",
            Kind::Tornado,
            Axis::linear("Cost of this run, USD", Format::Usd),
            Axis::categories("Input", rows.iter().map(|row| row.label.clone()).collect()),
        )
    })
}

/// A value of an input with its unit.
fn input_value(value: f64, unit: &str) -> String {
    match unit {
        "USD" => format::money(value),
        "share" | "per year" | "per month" if value.abs() <= 1.0 => format::percent(value),
        "" | "factor" | "ratio" => format!("×{}", format::significant(value, 3)),
        unit if unit.starts_with("USD/") || unit.starts_with("USD per") => {
            format!("{}{}", format::money(value), unit.trim_start_matches("USD"))
        }
        unit => format!("{} {unit}", format::compact(value)),
    }
}
