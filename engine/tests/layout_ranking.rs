//! Among layouts of one model on one cluster that were all measured, does the engine order them as they came out?

use engine::request::HostOffload;
use engine::validation::{Comparison, Measurement, compare, measurements};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The fastest over the slowest from which layouts really differ.
const SPREAD: f64 = 1.3;

/// Everything but the layout: what two rows share that were run to compare layouts. Sharding over part of the ranks is
/// among it, because no layout of the engine says that (InternLM-7B on 1,024 A100 gains 1.6 times from it).
fn key(row: &Measurement) -> String {
    format!(
        "{} | {} {} layers | {} x {} | {:?} x {:?} | {} {:?} | sharing {:?}",
        row.source,
        row.model,
        row.layers.unwrap_or(0),
        row.gpus,
        row.accelerator,
        row.global_batch_sequences,
        row.context_length,
        row.recipe,
        row.software(),
        row.sharding_ranks,
    )
}

fn layout(row: &Measurement) -> String {
    let degree = |d: Option<u32>| d.map_or("-".into(), |d| d.to_string());
    format!(
        "t{} p{} v{} c{} e{} b{} {} {}",
        degree(row.tensor),
        degree(row.pipeline),
        degree(row.virtual_pipeline),
        degree(row.context),
        degree(row.expert),
        degree(row.micro_batch_sequences),
        row.sharding.map_or("-", |s| s.id()),
        row.recompute.map_or("-", |r| r.id()),
    )
}

/// Kendall's tau-b.
fn kendall(pairs: &[(f64, f64)]) -> f64 {
    let (mut agree, mut tied_a, mut tied_b, mut all) = (0.0, 0.0, 0.0, 0.0);
    for (i, x) in pairs.iter().enumerate() {
        for y in &pairs[i + 1..] {
            let (a, b) = (x.0 - y.0, x.1 - y.1);
            all += 1.0;
            tied_a += f64::from(u8::from(a == 0.0));
            tied_b += f64::from(u8::from(b == 0.0));
            if a != 0.0 && b != 0.0 {
                agree += (a * b).signum();
            }
        }
    }
    agree / ((all - tied_a) * (all - tied_b)).sqrt().max(1e-12)
}

#[test]
fn measured_layouts_are_ordered_as_they_came_out() {
    let rows: BTreeMap<&str, &Measurement> = measurements().iter().map(|m| (m.id.as_str(), m)).collect();
    let all = compare();
    let mut groups: BTreeMap<String, Vec<&Comparison>> = BTreeMap::new();
    for comparison in &all {
        let row = rows[comparison.id.as_str()];
        if row.host_offload.is_none_or(|o| o == HostOffload::None) {
            groups.entry(key(row)).or_default().push(comparison);
        }
    }
    let mut table = String::from("\n");
    let (mut losses, mut taus) = (Vec::new(), Vec::new());
    for (name, group) in groups {
        let mut layouts: Vec<String> = group.iter().map(|c| layout(rows[c.id.as_str()])).collect();
        layouts.sort();
        layouts.dedup();
        let best = group.iter().map(|c| c.measured).fold(0.0, f64::max);
        let worst = group.iter().map(|c| c.measured).fold(f64::MAX, f64::min);
        if layouts.len() < 2 || best / worst < SPREAD {
            continue;
        }
        let chosen = group.iter().max_by(|a, b| a.predicted.total_cmp(&b.predicted)).expect("not empty");
        let loss = 1.0 - chosen.measured / best;
        let tau = kendall(&group.iter().map(|c| (c.measured, c.predicted)).collect::<Vec<_>>());
        writeln!(
            table,
            "{name}: {} rows, spread {:.2}, tau {tau:.2}, first choice loses {:.1} %",
            group.len(),
            best / worst,
            loss * 100.0
        )
        .expect("writes");
        for c in &group {
            writeln!(
                table,
                "    {} {:44} measured {:8.1} computed {:8.1}",
                c.id,
                layout(rows[c.id.as_str()]),
                c.measured,
                c.predicted
            )
            .expect("writes");
        }
        losses.push(loss);
        taus.push(tau);
    }
    let groups = losses.len();
    let within = losses.iter().filter(|l| **l <= 0.03).count();
    let mean = taus.iter().sum::<f64>() / groups.max(1) as f64;
    writeln!(table, "{groups} groups, first choice within 3 % of the best in {within}, mean tau {mean:.3}")
        .expect("writes");
    println!("{table}");
    assert!(groups >= 3, "{table}");
    assert!(mean >= 0.8, "{table}");
    assert!(within == groups, "{table}");
}
