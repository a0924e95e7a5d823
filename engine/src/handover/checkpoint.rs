//! When to write checkpoints, how, how many to keep, and the room they take.

use super::Text;
use super::run::Run;
use super::text::{bytes, comments, duration, number, title};
use crate::operation::storage::KEPT_CHECKPOINTS;
use crate::request::{Method, Sharding};

pub(super) const NAME: &str = "checkpoint.yaml";

/// Checkpoints that the plan's storage has room for.
pub(super) fn kept() -> u64 {
    KEPT_CHECKPOINTS as u64
}

/// A node's part of one checkpoint, bytes.
pub(super) fn bytes_per_node(run: &Run<'_>) -> f64 {
    run.reliability.checkpoint_bytes / f64::from(run.cluster.nodes.max(1))
}

/// Writes the file.
pub(super) fn write(run: &Run<'_>) -> Result<Text, String> {
    let r = &run.reliability;
    let write_rate = r.checkpoint_bytes / r.write_seconds.max(1e-9);
    let mut top = title(run, "Checkpoints");
    top.push(format!(
        "Interval by Daly 2006: sqrt(2 x {} s to write x {} h between interruptions) less the write, in whole steps.",
        number(r.write_seconds),
        number(r.mtbf_hours)
    ));
    top.push("The plan counts each write as time lost. Written in the background, training waits only while states are copied to the host; the rest of that share is won back.".into());
    if run.layout.sharding >= Sharding::Gradients {
        top.push(
            "Megatron-FSDP can't write in the background; torchtitan and DeepSpeed are told by their own files.".into(),
        );
    }
    if run.request().method == Method::Lora {
        top.push(
            "Adapters and their optimizer states only; the frozen weights are those that the run started from.".into(),
        );
    }
    let body = format!(
        "interval_seconds: {interval}\ninterval_steps: {steps}\nstep_seconds: {step}\nasynchronous: true\nsize_bytes: {size:.0}\nsize_bytes_per_node: {node:.0}\nwrite_seconds: {write}\nwrite_gb_per_second: {rate}\nkeep: {kept}\nkeep_bytes: {room:.0}\nhours_between_interruptions: {mtbf}\nrestart_hours: {restart}\nlost_hours_per_interruption: {lost}\nshare_of_time_writing: {share}\n",
        interval = number(r.interval_seconds),
        steps = run.checkpoint_steps(),
        step = number(run.estimate.step_seconds),
        size = r.checkpoint_bytes,
        node = bytes_per_node(run),
        write = number(r.write_seconds),
        rate = number(write_rate / 1e9),
        kept = kept(),
        room = r.checkpoint_bytes * kept() as f64,
        mtbf = number(r.mtbf_hours.min(1e9)),
        restart = number(run.inputs.restart_hours.value()),
        lost = number(lost_hours(run)),
        share = number(r.checkpoint_share),
    );
    let note = format!(
        "One checkpoint is {}; every {} ({} steps); {} are kept, {} in all. Keep the space of one node's part, {}, free in its memory for writing in the background.",
        bytes(r.checkpoint_bytes),
        duration(r.interval_seconds),
        run.checkpoint_steps(),
        kept(),
        bytes(r.checkpoint_bytes * kept() as f64),
        bytes(bytes_per_node(run))
    );
    Ok(Text { text: comments(&top) + &body, note })
}

/// Work and time that an interruption costs: half an interval, the write, and the restart, hours.
pub(super) fn lost_hours(run: &Run<'_>) -> f64 {
    let r = &run.reliability;
    (r.interval_seconds / 2.0 + r.write_seconds) / 3_600.0 + run.inputs.restart_hours.value()
}
