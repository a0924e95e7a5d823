//! Checklist for each node before it joins.

use super::run::{Run, Vendor};
use super::text::{bytes, number, title};
use super::{Text, collectives, storage};

pub(super) const NAME: &str = "node-burn-in.md";

/// Writes the file.
pub(super) fn write(run: &Run<'_>) -> Result<Text, String> {
    let mut text = format!("# Node burn-in\n\n{}\n", title(run, "Checklist").join("\n"));
    text +=
        "\nEach node, before it joins; again after any part was replaced. Write down date, serial number and result.\n";
    let mut section = |heading: &str, points: Vec<String>| {
        text += &format!("\n## {heading}\n\n");
        for point in points {
            text += &format!("- [ ] {point}\n");
        }
    };
    section("What is there", inventory(run));
    section("Devices under load", load(run));
    section("Links", links(run));
    section("Together", together(run));
    Ok(Text { text, note: "Hours of load are judgement; every other figure is the plan's or the catalog's.".into() })
}

fn inventory(run: &Run<'_>) -> Vec<String> {
    let a = run.accelerator;
    let mut all = vec![
        format!("{} devices: {}", a.gpus_per_node, a.label),
        format!(
            "each gives a process about {} GiB of its {} GB of memory",
            number(a.usable_gib.value),
            number(a.memory_gb.value)
        ),
        "firmware, driver and libraries are those of the first accepted node, to the digit".into(),
        "clocks are in step with the other nodes (NTP or PTP)".into(),
    ];
    if let Some(watts) = &a.board_watts {
        all.push(format!("power limit of each device: {} W", number(watts.value)));
    }
    if let Some(network) = &run.build.network {
        all.push(format!(
            "{} network ports in use, each up at {} Gb/s or as the fabric manager has it",
            network.ports_per_node,
            number(
                run.cluster.network_gbps_per_gpu * f64::from(a.gpus_per_node) / network.ports_per_node.max(1) as f64
            )
        ));
    }
    all
}

fn load(run: &Run<'_>) -> Vec<String> {
    let tool = match run.vendor {
        Vendor::Nvidia => "`dcgmi diag -r 4`",
        Vendor::Amd => "the levels of `rvs` for this device",
        _ => "the maker's own diagnosis",
    };
    vec![
        format!("{tool} passes"),
        format!(
            "matrix multiplications in {} for a day on all devices at once: no error, no device that slows down for heat (a day: judgement)",
            run.precision.label()
        ),
        "no device is slower than the median of the node by more than a few percent: one slow device slows the whole job".into(),
        "no memory error that could not be corrected, before and after".into(),
    ]
}

fn links(run: &Run<'_>) -> Vec<String> {
    let a = run.accelerator;
    let mut all = vec![format!(
        "{}: every link is up; {} GB/s a device and direction by the data sheet",
        a.scale_up_link,
        number(a.scale_up_gb_per_second.value)
    )];
    if run.vendor == Vendor::Nvidia {
        all.push("`nvidia-smi topo -m` shows each network card beside its device".into());
    }
    if !run.is_inside() {
        all.push(format!(
            "every port to a neighbor: a transfer by RDMA (`ib_write_bw`) at the port's rate; {} Gb/s belong to each device",
            number(run.cluster.network_gbps_per_gpu)
        ));
        all.push("error counters of all ports stand still over the day".into());
    }
    all
}

fn together(run: &Run<'_>) -> Vec<String> {
    let mut all = Vec::new();
    if collectives::acceptance(run).is_ok() {
        all.push(format!("`{}` passes with this node among the others", collectives::ACCEPTANCE));
    }
    all.push(format!("`{}` passes with this node among the others", storage::ACCEPTANCE));
    all.push(format!(
        "a checkpoint of {} is written and read back, and the loss goes on where it was",
        bytes(run.reliability.checkpoint_bytes)
    ));
    all.push("the node is pulled from a running job, and the job goes on from its last checkpoint without it".into());
    all
}
