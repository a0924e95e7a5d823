//! Refits the constants of the performance model to the shipped measurements and prints them, with the errors of the
//! fit and of rows whose group was held out. `calibrate --write` puts the constants into the catalog file and the
//! held-out errors beside the measurements.

use engine::catalog::Calibration;
use engine::validation::fit::value;
use engine::validation::refit::{Grouping, bands, cases, cross_validate, errors, held_out_kinds, refit};
use engine::validation::{Case, HeldOut, Summary, bandwidth_errors};
use std::process::ExitCode;

const FILE: &str = "engine/catalog/calibration.toml";
const HELD_OUT: &str = "engine/validation/held_out.toml";

fn main() -> ExitCode {
    let write = std::env::args().any(|a| a == "--write");
    let owned = cases();
    let rows: Vec<&Case> = owned.iter().collect();
    let start = Calibration::get();
    let mut fitted = refit(start, &rows);
    println!("{} constants fitted to {} rows", fitted.parameters.len(), rows.len());
    for parameter in &fitted.parameters {
        let now = value(&mut fitted.calibration, &parameter.name).unwrap_or(f64::NAN);
        println!("{:36} {:9.4} from {:9.4}", parameter.name, now, parameter.start);
    }
    let show = |name: &str, s: Summary| {
        println!(
            "{name:34} {:4} rows, median {:5.2} %, 90th percentile {:5.2} %, mean {:5.2} %, bias {:+5.2} %",
            s.rows,
            s.median * 100.0,
            s.p90 * 100.0,
            s.mean * 100.0,
            s.bias * 100.0
        );
    };
    show("bandwidth, all sizes", bandwidth_errors(&fitted.calibration, 0.0));
    show("bandwidth, from 64 MiB", bandwidth_errors(&fitted.calibration, 67_108_864.0));
    for experts in [false, true] {
        let kind = if experts { "experts" } else { "dense" };
        show(&format!("fit, {kind}"), errors(&fitted.calibration, &rows, experts));
    }
    let mut held = Vec::new();
    let mut errors_held_out = HeldOut::default();
    for grouping in [Grouping::Fine, Grouping::Coarse] {
        held = cross_validate(start, &rows, grouping);
        let kinds = held_out_kinds(&rows, &held);
        show(&format!("held out, {grouping:?}, dense").to_lowercase(), kinds.dense);
        show(&format!("held out, {grouping:?}, experts").to_lowercase(), kinds.experts);
        match grouping {
            Grouping::Fine => errors_held_out.fine = kinds,
            Grouping::Coarse => errors_held_out.coarse = kinds,
        }
    }
    fitted.calibration.band = bands(&rows, &held);
    for (key, band) in &fitted.calibration.band {
        println!("band {key}: measured is {:.3} to {:.3} of predicted in 80 % of held-out rows", band.low, band.high);
    }
    if !write {
        return ExitCode::SUCCESS;
    }
    let outcome = std::fs::read_to_string(FILE)
        .and_then(|text| std::fs::write(FILE, rewritten(&text, &mut fitted.calibration)))
        .and_then(|()| std::fs::write(HELD_OUT, errors_held_out.to_toml()));
    match outcome {
        Ok(()) => {
            println!("wrote {FILE} and {HELD_OUT}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{FILE}, {HELD_OUT}: {why}; run this from the top of the checkout");
            ExitCode::FAILURE
        }
    }
}

/// The file with the values replaced and everything else, comments and starting values too, as it was.
fn rewritten(text: &str, calibration: &mut Calibration) -> String {
    let mut section = String::new();
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if line.starts_with('[') {
            section = line.trim_matches(['[', ']']).to_owned();
        }
        let name = line.split('=').next().unwrap_or_default().trim().trim_matches('"').to_owned();
        let mut line = line.to_owned();
        match section.as_str() {
            "gemm_efficiency" => {
                for precision in ["bf16", "fp8", "fp4"] {
                    if let Some(now) = value(calibration, &format!("gemm|{name}|{precision}")) {
                        line = replaced(&line, &format!("{precision} = "), now);
                    }
                }
            }
            "attention_efficiency" => {
                if let Some(now) = value(calibration, &format!("attention|{name}")) {
                    line = replaced(&line, &format!("{name} = "), now);
                }
            }
            "grouped_efficiency" => {
                if let Some(now) = value(calibration, &format!("grouped|{name}")) {
                    line = replaced(&line, &format!("{name} = "), now);
                }
            }
            "constants" => {
                if let Some(now) = value(calibration, &name) {
                    line = replaced(&line, "{ value = ", now);
                }
            }
            "band" => {
                if let Some(band) = calibration.band.get(&name) {
                    line = replaced(&replaced(&line, "low = ", band.low), "high = ", band.high);
                }
            }
            _ => {}
        }
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn replaced(line: &str, before: &str, now: f64) -> String {
    let Some(at) = line.find(before) else { return line.to_owned() };
    let from = at + before.len();
    let to = line[from..].find([',', ' ', '}']).map_or(line.len(), |n| from + n);
    format!("{}{}{}", &line[..from], (now * 1e4).round() / 1e4, &line[to..])
}
