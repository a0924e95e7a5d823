//! Tables of errors and of rows.

use crate::components::{Cell, DataTable};
use crate::format;
use engine::validation::{Group, Report, Summaries, Summary};
use leptos::prelude::*;

fn table(caption: &str, head: &[&str], rows: Vec<Vec<Cell>>) -> AnyView {
    let head = head.iter().map(|h| (*h).to_owned()).collect();
    view! { <DataTable caption=format!("{caption}: table") head=head rows=rows class="data-cards" /> }.into_any()
}

/// With the fit, and held out.
pub(super) fn overall(report: &Report) -> AnyView {
    let (all, held) = (&report.summaries.overall, &report.held_out);
    let line = |name: &str, note: &str, s: Summary| {
        let mut cells = vec![Cell::text(name).note(note)];
        cells.push(Cell::text(format::count(s.rows as f64)));
        cells.extend([s.median, s.p90, s.mean].map(|share| Cell::text(format::percent(share))));
        cells.push(Cell::text(format::percent_signed(s.bias)));
        cells
    };
    let (fine, coarse) = (
        "held out by accelerator, model, size and number format",
        "held out by accelerator and model: nothing of that pair was seen",
    );
    let rows = vec![
        line("Dense, fitted", "constants have seen these rows", all.dense.unwrap_or_default()),
        line("Dense, configuration held out", fine, held.fine.dense),
        line("Dense, model held out", coarse, held.coarse.dense),
        line("Experts, fitted", "constants have seen these rows", all.experts.unwrap_or_default()),
        line("Experts, configuration held out", fine, held.fine.experts),
        line("Experts, model held out", coarse, held.coarse.experts),
    ];
    let head = ["Predictions", "#Rows", "#Half are within", "#9 of 10 are within", "#Mean error", "#Bias"];
    view! {
        {table("Errors of all predictions", &head, rows)}
        <p class="quiet">"Errors are of tokens per second. Bias is the median error: above zero, predictions are faster than what was measured."</p>
    }
    .into_any()
}

/// By accelerator, number format, size, servers, method and source.
pub(super) fn groups(s: &Summaries) -> AnyView {
    let all: [(&str, &str, &[Group]); 7] = [
        ("By kind of model", "Kind", std::slice::from_ref(&s.overall)),
        ("By accelerator", "Accelerator", &s.by_accelerator),
        ("By number format", "Number format", &s.by_precision),
        ("By size of the model", "Parameters", &s.by_model_size),
        ("By number of servers", "Servers", &s.by_nodes),
        ("By what was trained", "Method", &s.by_method),
        ("By source", "Source", &s.by_source),
    ];
    all.into_iter()
        .map(|(title, first, groups)| {
            let head = [first, "Kind", "#Rows", "#Half are within", "#9 of 10 are within", "#Mean error", "#Bias"];
            let rows = groups.iter().flat_map(lines).collect();
            view! { <h3>{title}</h3>{table(title, &head, rows)} }
        })
        .collect_view()
        .into_any()
}

/// One line for each kind of model in a group.
fn lines(group: &Group) -> Vec<Vec<Cell>> {
    let line = |kind: &str, s: Summary| {
        let mut cells = vec![Cell::text(&group.label), Cell::text(kind), Cell::text(format::count(s.rows as f64))];
        cells.extend([s.median, s.p90, s.mean].map(|share| Cell::text(format::percent(share))));
        cells.push(Cell::text(format::percent_signed(s.bias)));
        cells
    };
    let dense = group.dense.map(|s| line("Dense", s));
    dense.into_iter().chain(group.experts.map(|s| line("Experts", s))).collect()
}
