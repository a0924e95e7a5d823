//! Whether one server is enough, and what a server needs beside its devices.

use super::Decision;
use super::scene::Scene;
use crate::advice::{days_text, thousands};
use crate::units::GB;

/// One server, or one rack where its link joins all devices of a rack.
pub(super) fn one_node(scene: &Scene<'_>) -> Option<Decision> {
    let a = scene.accelerator;
    let devices = a.scale_up_domain.max(a.gpus_per_node);
    let unit = if devices > a.gpus_per_node { "rack" } else { "server" };
    let question = format!("Is one {unit} enough?");
    let ask = scene.one_node(a, devices)?;
    let what = format!("one {unit} of {devices} {}", a.short);
    let Some(rate) = scene.tokens_per_second(&ask) else {
        let answer = format!("No: the model doesn't fit on {what}.");
        let usable = a.usable_gib.value * f64::from(devices);
        return Some(
            Decision::new("one_node", &question, answer)
                .with("usable", &format!("Memory of {what}"), usable, "GiB")
                .with("states", "Weights, gradients and optimizer states, each once", scene.state_gib(), "GiB"),
        );
    };
    let days = scene.days(rate);
    let decision = |answer: String| {
        Decision::new("one_node", &question, answer).with("days", &format!("Days on {what}"), days, "days").with(
            "tokens_per_second",
            &format!("Throughput of {what}"),
            rate,
            "tokens/s",
        )
    };
    let tokens_in = |days: f64| rate * scene.tier.goodput.unwrap_or(1.0) * days * 86_400.0 / 1e9;
    Some(match scene.request.deadline_days {
        Some(deadline) if days <= deadline => {
            decision(format!("Yes: {what} takes {}, within the {} days.", days_text(days), thousands(deadline)))
                .turning(format!(
                    "Above {} billion tokens one {unit} misses the deadline.",
                    thousands(tokens_in(deadline))
                ))
        }
        Some(deadline) => {
            decision(format!("No: {what} takes {}; the deadline is {} days.", days_text(days), thousands(deadline)))
                .turning(format!(
                    "Up to {} billion tokens one {unit} meets the deadline.",
                    thousands(tokens_in(deadline))
                ))
        }
        None => decision(format!("It fits: {what} takes {}. No deadline is given, so time decides.", days_text(days)))
            .turning(format!("In 30 days one {unit} trains on {} billion tokens.", thousands(tokens_in(30.0)))),
    })
}

/// Host memory and scratch: what checkpoints in the host and a copy of the data set take. Drives by their rate are left
/// out: the catalog has no figure of a local drive.
pub(super) fn memory(scene: &Scene<'_>) -> Option<Decision> {
    let nodes = scene.nodes().max(1.0);
    let checkpoint_gb = scene.job.checkpoint_bytes() / GB;
    let share = checkpoint_gb / nodes;
    let devices = scene.accelerator.memory_gb.value * f64::from(scene.cluster.gpus_per_node);
    // one copy is written while the next is taken
    let ram = 2.0 * share;
    let dataset = scene.dataset_tb() * 1_000.0 / nodes;
    let scratch = ram + dataset;
    let answer = format!(
        "At least {} GB of memory for asynchronous checkpoints, and {} GB of scratch for two checkpoints and a part of the data set in each server; the system and the loaders come on top.",
        thousands(ram.ceil()),
        thousands(scratch.ceil())
    );
    Some(
        Decision::new("node_memory", "How much memory and scratch in each server?", answer)
            .with("checkpoint", "One checkpoint", checkpoint_gb, "GB")
            .with("checkpoint_per_server", "Its share of one server", share, "GB")
            .with("device_memory", "Memory of a server's devices", devices, "GB")
            .with("host_memory", "Two shares in host memory", ram, "GB")
            .with("dataset_per_server", "Data set, cached in equal parts", dataset, "GB")
            .with("scratch", "Two shares and that part on scratch", scratch, "GB")
            .turning("With half the servers each holds twice as much. Offloading puts weights, gradients and optimizer states into host memory too."),
    )
}
