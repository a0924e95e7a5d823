//! The committed constants are what a refit gives, and the errors are what the product says they are.

use engine::catalog::Calibration;
use engine::validation::fit::value;
use engine::validation::refit::{Grouping, band_key, bands, cases, cross_validate, errors, held_out_errors, refit};
use engine::validation::{Case, measurements};

#[test]
fn every_measurement_has_a_source_and_is_predicted_or_says_why_not() {
    let rows = measurements();
    assert!(rows.len() > 600);
    for row in rows {
        assert!(!row.source.is_empty() && !row.reference.is_empty() && !row.date.is_empty(), "{}", row.id);
        let predicted = Case::of(row).and_then(|c| c.tokens(Calibration::get())).is_some();
        let known = row.excluded.is_some() || predicted || row.gpus % row.tensor.unwrap_or(1).max(1) != 0;
        assert!(known || row.layout_does_not_multiply(), "{} is neither predicted nor excluded", row.id);
    }
    let mut ids: Vec<&str> = rows.iter().map(|r| r.id.as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), rows.len(), "ids are unique");
}

#[test]
fn committed_constants_are_those_of_the_fit() {
    let owned = cases();
    let rows: Vec<&Case> = owned.iter().collect();
    let mut committed = Calibration::get().clone();
    let mut fitted = refit(&committed, &rows);
    assert!(fitted.parameters.len() < rows.len() / 5, "{} constants for {} rows", fitted.parameters.len(), rows.len());
    for parameter in &fitted.parameters {
        let (now, was) = (value(&mut fitted.calibration, &parameter.name), value(&mut committed, &parameter.name));
        let (now, was) = (now.expect("fitted"), was.expect("committed"));
        assert!(
            (now - was).abs() <= 0.02 * was,
            "{}: committed {was}, a fit gives {now}; run calibrate --write",
            parameter.name
        );
    }
}

#[test]
fn errors_are_within_what_is_promised() {
    let owned = cases();
    let rows: Vec<&Case> = owned.iter().collect();
    let calibration = Calibration::get();
    let dense = errors(calibration, &rows, false);
    assert!(dense.median <= 0.035 && dense.p90 <= 0.15, "{dense:?}");
    assert!(dense.bias.abs() <= 0.02, "{dense:?}");
    let fine = cross_validate(calibration, &rows, Grouping::Fine);
    let held = held_out_errors(&rows, &fine, false);
    assert!(held.median <= 0.045 && held.p90 <= 0.18, "by accelerator, model, size and format: {held:?}");
    let coarse = cross_validate(calibration, &rows, Grouping::Coarse);
    let held = held_out_errors(&rows, &coarse, false);
    assert!(held.median <= 0.055 && held.p90 <= 0.20, "by accelerator and model: {held:?}");
    let experts = held_out_errors(&rows, &coarse, true);
    assert!(experts.median <= 0.19, "experts: {experts:?}");

    // the committed bands are those of the held-out rows, and hold four fifths of what was measured
    for (key, band) in bands(&rows, &coarse) {
        let committed = calibration.band[&key];
        assert!(
            (committed.low - band.low).abs() < 0.03 && (committed.high - band.high).abs() < 0.05,
            "{key}: {committed:?} {band:?}"
        );
        let of_kind =
            coarse.iter().filter(|(i, _)| band_key(rows[*i].row.has_experts(), rows[*i].row.precision()) == key);
        let ratios: Vec<f64> = of_kind.map(|(_, e)| 1.0 / (1.0 + e)).collect();
        let inside = ratios.iter().filter(|r| (committed.low..=committed.high).contains(r)).count();
        let share = inside as f64 / ratios.len() as f64;
        assert!((0.74..=0.88).contains(&share), "{key}: {share} of {} rows inside", ratios.len());
    }
}
