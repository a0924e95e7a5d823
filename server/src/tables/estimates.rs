//! Estimates as rows, each with its number in what was sent, and with what is wrong with those that can't be made.

use super::Kind::{Flag, Integer, Number, Percent, Text};
use super::{Cell, Column, Table, field, id, table};
use engine::{Estimate, Problem};

/// What became of one row that was asked for.
pub struct Row {
    /// Its number, from 1.
    pub number: usize,
    /// The estimate, or what is wrong.
    pub outcome: Result<Estimate, Problem>,
}

impl Row {
    fn of<T: Into<Cell>>(&self, value: impl Fn(&Estimate) -> T) -> Cell {
        self.outcome.as_ref().ok().map(value).into()
    }
}

/// The table of estimates.
pub fn estimates(rows: Vec<Row>) -> Table {
    let problems: Vec<Vec<Cell>> = rows.iter().map(|row| problem_cells(row.outcome.as_ref().err())).collect();
    let mut made = table(
        "estimates",
        rows,
        &[
            field("row", "Row", Integer, |row: &Row| (row.number as u64).into()),
            field("tokens_per_second_per_gpu", "Tokens per second and GPU", Number, |row| {
                row.of(|e| e.tokens_per_second_per_gpu)
            }),
            field("tokens_per_second_per_gpu_low", "Low", Number, |row| row.of(|e| e.band.low)),
            field("tokens_per_second_per_gpu_high", "High", Number, |row| row.of(|e| e.band.high)),
            field("step_seconds", "Seconds per step", Number, |row| row.of(|e| e.step_seconds)),
            field("model_tflops_per_gpu", "Model TFLOP/s per GPU", Number, |row| row.of(|e| e.model_tflops_per_gpu)),
            field("mfu", "MFU", Percent, |row| row.of(|e| e.mfu)),
            field("hfu", "HFU", Percent, |row| row.of(|e| e.hfu)),
            field("parameters", "Parameters", Integer, |row| row.of(|e| e.parameters)),
            field("active_parameters", "Active parameters", Integer, |row| row.of(|e| e.active_parameters)),
            field("fits", "Fits in memory", Flag, |row| row.of(|e| e.fits)),
            field("memory_gib", "Memory used, GiB", Number, |row| row.of(|e| e.memory_gib.total)),
            field("usable_memory_gib", "Memory usable, GiB", Number, |row| row.of(|e| e.memory_gib.usable)),
            field("tensor", "Tensor", Integer, |row| row.of(|e| e.layout.tensor)),
            field("pipeline", "Pipeline", Integer, |row| row.of(|e| e.layout.pipeline)),
            field("virtual_pipeline", "Virtual pipeline", Integer, |row| row.of(|e| e.layout.virtual_pipeline)),
            field("context", "Context", Integer, |row| row.of(|e| e.layout.context)),
            field("expert", "Expert", Integer, |row| row.of(|e| e.layout.expert)),
            field("data", "Data", Integer, |row| row.of(|e| e.layout.data)),
            field("sharding", "Sharding", Text, |row| row.of(|e| id(e.layout.sharding))),
            field("micro_batch_sequences", "Micro-batch, sequences", Integer, |row| {
                row.of(|e| e.layout.micro_batch_sequences)
            }),
            field("recompute", "Recompute", Text, |row| row.of(|e| id(e.layout.recompute))),
            field("remedy", "What would make it fit", Text, |row| row.of(|e| e.remedy.clone())),
        ],
    );
    made.columns.extend(problem_columns());
    for (row, problem) in made.rows.iter_mut().zip(problems) {
        row.extend(problem);
    }
    made
}

/// Columns for what is wrong with a row.
pub(crate) fn problem_columns() -> Vec<Column> {
    let column =
        |name: &'static str, label: &'static str| Column { name: name.into(), label: label.into(), kind: Text };
    vec![column("error_field", "Field with an error"), column("error_remedy", "What to do")]
}

/// The fields that are wrong as an address names them, and what to do about each.
pub(crate) fn problem_cells(problem: Option<&Problem>) -> Vec<Cell> {
    let Some(problem) = problem else { return vec![Cell::Empty, Cell::Empty] };
    let fields: Vec<String> = problem.errors.iter().map(|error| key(&error.pointer)).collect();
    let remedies: Vec<&str> = problem.errors.iter().map(|error| error.message.as_str()).collect();
    vec![fields.join("; ").into(), remedies.join("; ").into()]
}

/// `/model/preset` as `model.preset`.
pub(crate) fn key(pointer: &str) -> String {
    let parts = pointer.trim_start_matches('/').split('/').map(|part| part.replace("~1", "/").replace("~0", "~"));
    parts.collect::<Vec<_>>().join(".")
}
