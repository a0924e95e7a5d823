//! What the plan is, in which order its files are used, and where its figures come from.

use super::operating::Operating;
use super::run::Run;
use super::text::{bytes, duration, layout, nodes, number};
use super::{Artifact, Refusal, slurm};
use crate::advice::{days_text, money, thousands};
use crate::catalog::{Catalog, Figure};
use crate::request::Acquisition;
use std::collections::BTreeSet;

pub(super) const NAME: &str = "README.md";

/// The text.
pub(super) fn text(run: &Run<'_>, operating: &Operating, artifacts: &[Artifact], refused: &[Refusal]) -> String {
    let mut text = format!("# {}\n\n{}\n", run.request().model.label(), run.plan.headline);
    text += "\n## What\n\n";
    for point in what(run) {
        text += &format!("- {point}\n");
    }
    text += "\n## Order of steps\n\n";
    for (index, step) in steps(artifacts, run).into_iter().enumerate() {
        text += &format!("{}. {step}\n", index + 1);
    }
    text += "\n## Files\n\n| file | what to know | accepted by |\n| --- | --- | --- |\n";
    for a in artifacts {
        text += &format!("| `{}` | {} | {} |\n", a.name, a.note.replace('|', "\\|"), a.validated_with);
    }
    if !refused.is_empty() {
        text += "\nNot made for this plan:\n\n";
        for r in refused {
            text += &format!("- `{}`: {}\n", r.name, r.reason);
        }
    }
    text += &operation(operating);
    text += &physical(run);
    text += "\n## Sources\n\n";
    for source in sources(run) {
        text += &format!("- {source}\n");
    }
    text += &format!(
        "\nEngine {}, catalog {}. The plan itself explains each of its figures.\n",
        run.plan.engine_version, run.plan.catalog_version
    );
    text
}

fn what(run: &Run<'_>) -> Vec<String> {
    let (c, e, request) = (run.cluster, run.estimate, run.request());
    let mut all = vec![
        format!(
            "{} of {} on {} tokens, {} of context, {}, {}.",
            request.method.label(),
            request.model.label(),
            thousands(request.training_tokens as f64),
            thousands(request.context_length as f64),
            run.precision.label(),
            request.optimizer.label()
        ),
        format!(
            "{} {} in {}, {} at {} Gb/s a device.",
            thousands(f64::from(c.gpus)),
            c.accelerator_label,
            nodes(run),
            run.fabric.label,
            number(c.network_gbps_per_gpu)
        ),
        layout(run),
        format!(
            "Sharding: {}; recompute: {}.",
            run.layout.sharding.label().to_lowercase(),
            run.layout.recompute.label().to_lowercase()
        ),
        format!(
            "{} tokens/s ({} to {}), {:.2} s a step, MFU {:.1} %, {} steps.",
            thousands(e.tokens_per_second_per_gpu * f64::from(c.gpus)),
            thousands(e.band.low * f64::from(c.gpus)),
            thousands(e.band.high * f64::from(c.gpus)),
            e.step_seconds,
            e.mfu * 100.0,
            thousands(run.steps as f64)
        ),
        format!("Memory of the fullest device: {:.1} of {:.1} GiB.", e.memory_gib.total, e.memory_gib.usable),
    ];
    if let Some(days) = run.tier.days {
        all.push(format!("{} ({} to {}).", days_text(days.typical), days_text(days.low), days_text(days.high)));
    }
    match &run.tier.cost {
        Some(cost) => all.push(format!(
            "{}: {} for this run ({} to {}).",
            cost.label,
            money(cost.total_usd.typical),
            money(cost.total_usd.low),
            money(cost.total_usd.high)
        )),
        None => all.push("No price is known.".into()),
    }
    all
}

fn steps(artifacts: &[Artifact], run: &Run<'_>) -> Vec<String> {
    let there = |name: &str| artifacts.iter().any(|a| a.name == name);
    let all = [
        ("node-burn-in.md", "Accept each node by `node-burn-in.md`."),
        ("nccl.env", "Fill in what `nccl.env` asks for."),
        ("nccl-acceptance.sh", "Accept the network: `bash nccl-acceptance.sh` inside an allocation of all nodes."),
        ("storage-acceptance.sh", "Accept the storage: `bash storage-acceptance.sh` in the same allocation."),
        ("checkpoint.yaml", "Give checkpoints the room that `checkpoint.yaml` says."),
        ("prometheus-rules.yaml", "Load `prometheus-rules.yaml`, and see that the job exports what its head names."),
    ];
    let mut steps: Vec<String> =
        all.into_iter().filter(|(name, _)| there(name)).map(|(_, step)| step.to_owned()).collect();
    if let Some(chosen) = slurm::chosen(run) {
        steps.push(format!("Read the head of `{chosen}`: what it can't say, and what you fill in."));
        steps.push(
            "Run a few hundred steps: `sbatch train.sbatch`. Compare tokens per second and memory with the figures above before the long run."
                .into(),
        );
        steps.push("Stop the job once on purpose, and see it go on from its checkpoint.".into());
        steps.push("Start the long run.".into());
    }
    steps
}

fn operation(o: &Operating) -> String {
    let mut text = String::from(
        "\n## Operation\n\n| metric | expected | alarm below | alarm above | unit |\n| --- | --- | --- | --- | --- |\n",
    );
    for m in &o.metrics {
        text += &format!(
            "| {} | {} | {} | {} | {} |\n",
            m.label,
            number(m.expected),
            number(m.low),
            number(m.high),
            m.unit
        );
    }
    text += &format!(
        "\n- Interruptions: {} a week, one in {}; each costs {:.2} h, of which {} h until training runs again.\n",
        number((o.interruptions_per_week * 100.0).round() / 100.0),
        duration(o.hours_between_interruptions.min(1e9) * 3_600.0),
        o.lost_hours_per_interruption,
        number(o.restart_hours)
    );
    text += &format!(
        "- Checkpoints: {} every {}. Goodput {:.1} %.\n",
        bytes(o.checkpoint_bytes),
        duration(o.checkpoint_interval_seconds),
        o.goodput * 100.0
    );
    text += &match o.spare_systems {
        Some(spares) => format!("- Spares: {} systems, of the bill of materials.\n", number(spares)),
        None => "- Spares: the provider replaces; ask how soon, the plan counts on the restart time above.\n".into(),
    };
    text += &format!(
        "- People: {} full-time engineers share operation and being on call.\n",
        number((o.staff_fte * 10.0).round() / 10.0)
    );
    text += "- NVMe of each node, as one striped volume (nothing on it is the only copy):\n";
    for s in &o.scratch {
        text += &format!("  - `{}`: {}. {}\n", s.folder, bytes(s.bytes_per_node), s.why);
    }
    text
}

/// Floor, cables, power and heat, for whoever builds the cluster.
fn physical(run: &Run<'_>) -> String {
    let Some(build) = &run.plan.build else { return String::new() };
    let whole = |n: f64| thousands(n.round());
    let mut text = String::from("\n## Physical build\n\n");
    if run.tier.cost.as_ref().is_some_and(|c| c.acquisition != Acquisition::Buy) {
        text += "What you would build if you bought the cluster; the provider builds what you rent.\n\n";
    }
    let racks = &build.racks;
    text += &format!(
        "- Racks: {} ({} of servers). {}.\n",
        whole(racks.count as f64),
        whole(racks.server_racks as f64),
        racks.why
    );
    if let Some(floor) = &build.floor {
        let rows = if floor.rows == 1 { "1 row".to_owned() } else { format!("{} rows", whole(floor.rows as f64)) };
        text += &format!("- Floor: {rows}, {} m² with their aisles. {}.\n", whole(floor.area_m2), floor.why);
    }
    if let Some(weight) = &build.weight {
        text += &match (weight.rack_kg, weight.floor_kg_per_m2) {
            (Some(kg), Some(load)) => {
                format!("- Weight: {} kg a full rack, {} kg/m² below it. {}.\n", whole(kg), whole(load), weight.why)
            }
            _ => format!("- Weight: not known. {}.\n", weight.why),
        };
    }
    for level in build.cables.iter().flat_map(|c| &c.levels) {
        text += &format!(
            "- Cables, {}: {} of {}, {:.1} m on average, the longest {:.1} m.\n",
            match level.id.as_str() {
                "device" => "servers to switches",
                "near" => "neighboring switches",
                _ => "distant switches",
            },
            whole(level.links as f64),
            level.cable,
            level.mean_meters,
            level.longest_meters
        );
    }
    if let Some(feeds) = &build.feeds {
        text += &match (feeds.rack_kw, feeds.rack_amps, feeds.rack_breaker_amps) {
            (Some(kw), Some(amps), Some(breaker)) => format!(
                "- Feeds: {} for each rack, each for {kw:.1} kW, {} A at {} V, breaker of at least {} A. {}.\n",
                feeds.feeds,
                whole(amps.ceil()),
                feeds.volts,
                whole(breaker.ceil()),
                feeds.why
            ),
            _ => format!("- Feeds: not known. {}.\n", feeds.why),
        };
    }
    if let Some(heat) = &build.heat {
        let air = heat.air_m3_per_hour.map_or_else(|| "air: not known".into(), |m3| format!("air: {} m³/h", whole(m3)));
        let water = heat.water_liters_per_minute.map_or_else(String::new, |l| format!(", water: {} l/min", whole(l)));
        text += &format!("- Heat, {air}{water}. {}.\n", heat.why);
    }
    text
}

fn sources(run: &Run<'_>) -> Vec<String> {
    let catalog = Catalog::get();
    let (a, costs) = (run.accelerator, &catalog.costs);
    let mut figures: Vec<(&str, &Figure)> = vec![
        ("memory of a device", &a.usable_gib),
        ("peak of a device", &a.bf16_tflops),
        ("link of a device", &a.scale_up_gb_per_second),
        ("share of the network's rate", &run.fabric.efficiency),
        ("latency of the network", &run.fabric.latency_us),
        ("failures", &costs.failures_per_gpu_year),
        ("restart", &costs.restart_hours),
        ("rate of storage, read", &costs.storage_read_gb_per_second_per_gpu),
        ("rate of storage, write", &costs.storage_write_gb_per_second_per_gpu),
        ("bytes of a token", &costs.bytes_per_token),
    ];
    figures.extend(a.board_watts.as_ref().map(|w| ("power of a device", w)));
    let mut all: BTreeSet<String> = figures
        .into_iter()
        .map(|(what, f)| {
            let title =
                catalog.sources.iter().find(|s| s.id == f.source).map_or(f.source.as_str(), |s| s.title.as_str());
            format!("{what}: {title}, {}", f.date)
        })
        .collect();
    if let Some(cost) = &run.tier.cost
        && let Some(option) = cost.options.iter().find(|o| o.label == cost.label)
    {
        all.insert(format!("price: {} {}", option.source, option.as_of).trim_end().to_owned());
    }
    all.into_iter().collect()
}
