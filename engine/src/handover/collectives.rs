//! Environment of the collective library, and the acceptance test of the network.

use super::Text;
use super::run::{Run, Vendor};
use super::text::{comments, number, title};
use crate::catalog::Calibration;
use crate::performance::domain;
use crate::validation::{BandwidthPoint, bandwidth_errors, bandwidth_points};

pub(super) const ENVIRONMENT: &str = "nccl.env";
pub(super) const ACCEPTANCE: &str = "nccl-acceptance.sh";

const MIB: f64 = 1_048_576.0;
/// Messages that have a pass mark: gradients are reduced in buckets of this order.
const MARKED: [f64; 4] = [64.0 * MIB, 256.0 * MIB, 1_024.0 * MIB, 8_192.0 * MIB];

fn name(vendor: Vendor) -> &'static str {
    if vendor == Vendor::Amd { "RCCL" } else { "NCCL" }
}

fn refuses(run: &Run<'_>) -> Option<String> {
    let own = match run.vendor {
        Vendor::Nvidia | Vendor::Amd => return None,
        Vendor::Gaudi => "HCCL",
        Vendor::Tpu => "XLA over the chips' own links",
        Vendor::Trainium => "Neuron's own collectives",
    };
    Some(format!(
        "This accelerator does not use NCCL: its collectives are {own}, which no file here is checked against."
    ))
}

/// Variables that do something on this fabric, and no others.
pub(super) fn environment(run: &Run<'_>) -> Result<Text, String> {
    if let Some(reason) = refuses(run) {
        return Err(reason);
    }
    if run.is_inside() {
        let place =
            if run.is_rack() { "rack, joined by NVLink (its IMEX service must run on every tray)" } else { "server" };
        return Err(format!(
            "All devices are in one {place}: {} uses no network, and its defaults hold.",
            name(run.vendor)
        ));
    }
    let (lines, about) = fabric(run)?;
    let mut top = title(run, &format!("{} environment for {}", name(run.vendor), run.fabric.label));
    top.push("Only what does something on this fabric. Everything else stays at its default until nccl-acceptance.sh shows a gain.".into());
    let mut text = comments(&top);
    for line in &lines {
        text += line;
        text.push('\n');
    }
    Ok(Text { text, note: about })
}

fn fabric(run: &Run<'_>) -> Result<(Vec<String>, String), String> {
    let mut lines: Vec<String> = vec!["# shellcheck shell=bash".into(), "export NCCL_DEBUG=WARN".into()];
    let mut say = |why: &str, line: &str| lines.extend([format!("# {why}"), line.to_owned()]);
    say(
        "the interface that ranks find each other over; it carries no training traffic",
        "export NCCL_SOCKET_IFNAME=\"${NCCL_SOCKET_IFNAME:?the management interface of the nodes, such as eth0}\"",
    );
    let by_rail = run.build.network.as_ref().is_some_and(|n| n.topology == "rail_optimized");
    let about = match run.fabric.id.as_str() {
        "infiniband" => {
            say("fail without verbs, instead of falling back to TCP", "export NCCL_NET=IB");
            say(
                "the compute ports, so that storage ports carry no gradients",
                "export NCCL_IB_HCA=\"${NCCL_IB_HCA:?the compute ports, such as =mlx5_0,mlx5_1}\"",
            );
            "Name the compute ports and the management interface of your nodes."
        }
        "roce" => {
            say("fail without verbs, instead of falling back to TCP", "export NCCL_NET=IB");
            say(
                "the compute ports, so that storage ports carry no gradients",
                "export NCCL_IB_HCA=\"${NCCL_IB_HCA:?the compute ports, such as =mlx5_0,mlx5_1}\"",
            );
            say(
                "the class that the switches keep lossless: 4 x its DSCP",
                "export NCCL_IB_TC=\"${NCCL_IB_TC:?4 x the DSCP of the lossless class of your switches}\"",
            );
            "Name the compute ports, the management interface and the lossless class of your switches."
        }
        "efa" => {
            say("the provider of libfabric that the aws-ofi-nccl plugin takes", "export FI_PROVIDER=efa");
            "EFA takes the aws-ofi-nccl plugin; the NCCL_IB variables do nothing here."
        }
        "ethernet-tcp" => {
            say("TCP: there is nothing faster on this fabric", "export NCCL_NET=Socket");
            if run.cluster.network_gbps_per_gpu >= 100.0 {
                say(
                    "several threads and sockets for a link of 100 Gb/s and more; their product may be 64 at most",
                    "export NCCL_SOCKET_NTHREADS=4\nexport NCCL_NSOCKS_PERTHREAD=4",
                );
            }
            "Every transfer crosses the host; the plan's figure for this fabric is a rough one."
        }
        other => return Err(format!("The variables of {other} were not checked, and a wrong one is worse than none.")),
    };
    if by_rail && matches!(run.fabric.id.as_str(), "infiniband" | "roce") {
        say("devices of one index share a leaf: stay on its rail", "export NCCL_CROSS_NIC=0");
    }
    Ok((lines, about.into()))
}

/// Share of the predicted bus bandwidth that passes: one less twice the median error of the engine's model of collectives
/// over published curves from 64 MiB. Judgement: the 90th percentile would pass a network that loses a third.
pub(super) fn acceptance_share() -> f64 {
    let median = bandwidth_errors(Calibration::get(), MARKED[0]).median;
    ((1.0 - 2.0 * median) * 100.0).floor() / 100.0
}

/// Measured over predicted of the published all-reduce points from 64 MiB that cross a network, racks or others.
fn published(racks: bool) -> Vec<f64> {
    let large = bandwidth_points().iter().filter(|p| p.message_bytes >= MARKED[0] && p.collective == "all_reduce");
    let crossing = large.filter(|p| p.gpus > p.domain && (p.domain > 16) == racks);
    crossing.filter_map(|p| Some(p.busbw_gb_per_second / p.predicted(Calibration::get())?)).collect()
}

/// How published systems stand to the mark.
fn ground(run: &Run<'_>, share: f64) -> String {
    if run.is_inside() {
        return "The curve inside one scale-up domain is the best known of all.".into();
    }
    let ratios = published(run.is_rack());
    let reach = ratios.iter().filter(|r| **r >= share).count();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let text = format!("Of {} published points between servers of this kind, {reach} reach it", ratios.len());
    if run.is_rack() {
        return format!(
            "{text}; the largest system reached {:.0} % of the model. Between racks, take the mark for a target, not for a reason to send racks back.",
            least * 100.0
        );
    }
    format!("{text}.")
}

/// Bus bandwidth of an all-reduce over all devices, GB/s, by size of message.
pub(super) fn expected(run: &Run<'_>) -> Vec<(f64, f64)> {
    let c = run.cluster;
    let domain = domain(run.accelerator, c.gpus_per_node);
    let point = |message_bytes: f64| BandwidthPoint {
        id: String::new(),
        system: String::new(),
        accelerator: c.accelerator.clone(),
        gpus: c.gpus,
        domain,
        fabric: Some(c.fabric.clone()),
        network_gbps_per_gpu: Some(c.network_gbps_per_gpu),
        collective: "all_reduce".into(),
        in_switch: true,
        message_bytes,
        busbw_gb_per_second: 0.0,
        source: String::new(),
        reference: String::new(),
    };
    MARKED.iter().filter_map(|bytes| Some((*bytes, point(*bytes).predicted(Calibration::get())?))).collect()
}

/// The test of all devices together, with a pass mark for each size.
pub(super) fn acceptance(run: &Run<'_>) -> Result<Text, String> {
    if let Some(reason) = refuses(run) {
        return Err(reason);
    }
    let c = run.cluster;
    if c.gpus < 2 {
        return Err("One device has nothing to reduce with.".into());
    }
    let share = acceptance_share();
    let marks: Vec<(f64, f64, f64)> = expected(run).into_iter().map(|(size, gb)| (size, gb, gb * share)).collect();
    let library = name(run.vendor);
    let tests = if run.vendor == Vendor::Amd { "rccl-tests" } else { "nccl-tests" };
    let mut top = title(run, &format!("Acceptance test of the network: all_reduce_perf of {tests}"));
    top.push(format!(
        "Pass mark: {} % of the bus bandwidth that the engine's model of collectives expects of {} devices on {} at {} Gb/s a device.",
        number(share * 100.0),
        c.gpus,
        run.fabric.label,
        number(c.network_gbps_per_gpu)
    ));
    top.push(
        "The share is one less twice the median error of that model over published curves from 64 MiB (judgement)."
            .into(),
    );
    top.push(ground(run, share));
    top.push("Use: inside an allocation of all nodes, with an all_reduce_perf that was built with MPI.".into());
    if run.fabric.id == "roce" {
        top.push(
            "No curve of RoCE was among them: a badly tuned fabric loses 30 % and more, which is what this finds."
                .into(),
        );
    }
    if run.fabric.id == "ethernet-tcp" {
        top.push("No curve of TCP was among them: the mark is a rough one.".into());
    }
    let mut text = String::from("#!/usr/bin/env bash\n") + &comments(&top);
    text += "set -euo pipefail\n\n: \"${ALL_REDUCE_PERF:=all_reduce_perf}\"\n";
    if environment(run).is_ok() {
        text += &format!(
            "here=$(cd \"$(dirname \"${{BASH_SOURCE[0]}}\")\" && pwd)\n# shellcheck source=/dev/null\nsource \"$here/{ENVIRONMENT}\"\n"
        );
    }
    text += "# bytes, expected and least bus bandwidth in GB/s\nmarks=\"\n";
    for (size, expected, least) in &marks {
        text += &format!("{size:.0} {expected:.1} {least:.1}\n");
    }
    text += "\"\nresult=$(mktemp)\ntrap 'rm -f \"$result\"' EXIT\n";
    text += &format!(
        "srun --nodes={} --ntasks-per-node={} --gpus-per-node={} --mpi=pmix \\\n  \"$ALL_REDUCE_PERF\" -b {:.0} -e {:.0} -f 2 -g 1 -w 20 -n 50 -c 1 | tee \"$result\"\n",
        c.nodes, c.gpus_per_node, c.gpus_per_node, MARKED[0], MARKED[3]
    );
    text += &format!(
        "# columns of {tests}: 1 size, 8 bus bandwidth, 9 wrong values (out of place)\nawk -v marks=\"$marks\" '\n  BEGIN {{\n    lines = split(marks, line, \"\\n\")\n    for (i = 1; i <= lines; i++) if (split(line[i], field, \" \") == 3) {{ least[field[1]] = field[3]; wanted++ }}\n  }}\n  $1 in least {{\n    seen++\n    good = ($8 + 0 >= least[$1] + 0) && ($9 == 0)\n    if (!good) failed++\n    printf \"%s %d bytes: %s GB/s, at least %s, wrong %s\\n\", (good ? \"pass\" : \"FAIL\"), $1, $8, least[$1], $9\n  }}\n  END {{\n    if (seen != wanted) {{ printf \"FAIL only %d of %d sizes were measured\\n\", seen, wanted; exit 1 }}\n    exit failed > 0\n  }}\n' \"$result\"\n"
    );
    let largest = marks.last().copied().unwrap_or((0.0, 0.0, 0.0));
    let note = format!(
        "{library} is to reach {:.1} GB/s of bus bandwidth at 8 GiB over {} devices (expected {:.1}); smaller messages have marks of their own.",
        largest.2, c.gpus, largest.1
    );
    Ok(Text { text, note })
}
