//! Batch script: allocation, health check, and the training software of the plan.

use super::run::{Run, Vendor};
use super::text::{comments, title};
use super::{Text, collectives, deepspeed, megatron, nemo, torchtitan};
use crate::request::SoftwareStack;

pub(super) const NAME: &str = "train.sbatch";

/// How a file of configuration is written.
type Write = fn(&Run<'_>) -> Result<Text, String>;

const MEGATRON: (&str, Write) = (megatron::NAME, megatron::write);
const TORCHTITAN: (&str, Write) = (torchtitan::NAME, torchtitan::write);
const DEEPSPEED: (&str, Write) = (deepspeed::NAME, deepspeed::write);
const NEMO: (&str, Write) = (nemo::NAME, nemo::write);

/// The file that the job runs: that of the software the plan counts with, or the first that can be made.
pub(super) fn chosen(run: &Run<'_>) -> Option<&'static str> {
    let order: [(&str, Write); 4] = match run.request().software.stack {
        SoftwareStack::PytorchFsdp => [TORCHTITAN, MEGATRON, NEMO, DEEPSPEED],
        SoftwareStack::Deepspeed => [DEEPSPEED, MEGATRON, TORCHTITAN, NEMO],
        _ => [MEGATRON, NEMO, TORCHTITAN, DEEPSPEED],
    };
    order.into_iter().find(|(_, write)| write(run).is_ok()).map(|(name, _)| name)
}

/// Writes the file.
pub(super) fn write(run: &Run<'_>) -> Result<Text, String> {
    let chosen = chosen(run).ok_or("No configuration of training software can be made for this plan.")?;
    let c = run.cluster;
    let mut text = String::from("#!/usr/bin/env bash\n");
    text += "#SBATCH --job-name=train\n";
    text += &format!("#SBATCH --nodes={}\n", c.nodes);
    text += "#SBATCH --ntasks-per-node=1\n";
    text += &format!("#SBATCH --gpus-per-node={}\n", c.gpus_per_node);
    text += &format!("#SBATCH --time={}\n", time_limit(run));
    text += "#SBATCH --exclusive\n#SBATCH --requeue\n#SBATCH --signal=B:USR1@300\n#SBATCH --open-mode=append\n#SBATCH --output=train-%j.log\n";
    if let Some(trays) = segment(run) {
        text += &format!("#SBATCH --segment={trays}\n");
    }
    let mut top = title(run, "Batch job");
    top.push(format!(
        "Runs {chosen}. One task a node starts one process for each of its {} devices. The time limit is the slow end of the whole run: give your site's with sbatch --time. Five minutes before the limit, and when a node fails, the job is queued again and goes on from its last checkpoint.",
        c.gpus_per_node
    ));
    if segment(run).is_some() {
        top.push("--segment keeps each part of the job in one rack; it takes Slurm's topology/block.".into());
    }
    text += &comments(&top);
    text += "set -euo pipefail\n\n";
    text += "# a requeued job starts again from the top, with the environment that it was sent with\n";
    text += "here=${SLURM_SUBMIT_DIR:-.}\n";
    if has_environment(run) {
        text += &format!("# shellcheck source=/dev/null\nsource \"$here/{}\"\n", collectives::ENVIRONMENT);
    }
    text += &health_check(run);
    text += "\nmaster=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\n";
    text += "launcher=(\n  torchrun\n";
    text += &format!("  --nnodes={}\n  --nproc-per-node={}\n", c.nodes, c.gpus_per_node);
    text += "  --rdzv-id=\"$SLURM_JOB_ID\"\n  --rdzv-backend=c10d\n  --rdzv-endpoint=\"$master:29500\"\n)\n\n";
    text += "again() { scontrol requeue \"$SLURM_JOB_ID\"; }\ntrap again USR1\n";
    text += &launch(chosen);
    let note = format!(
        "Runs {chosen}. Partition, account and container are your site's: give them to sbatch. The health check stops the job before training when a node lacks a device, or has fewer ports up than the plan's network design: change the number where yours differs."
    );
    Ok(Text { text, note })
}

fn has_environment(run: &Run<'_>) -> bool {
    collectives::environment(run).is_ok()
}

/// The slow end of the plan's days, as Slurm reads it.
fn time_limit(run: &Run<'_>) -> String {
    let days = run.tier.days.map_or_else(|| run.steps as f64 * run.estimate.step_seconds / 86_400.0, |d| d.high);
    let minutes = (days * 1_440.0).ceil().max(1.0) as u64;
    format!("{}-{:02}:{:02}:00", minutes / 1_440, minutes % 1_440 / 60, minutes % 60)
}

/// Servers of one rack, where a rack is one scale-up domain and the job takes whole ones.
fn segment(run: &Run<'_>) -> Option<u32> {
    let trays = run.accelerator.scale_up_domain / run.accelerator.gpus_per_node;
    (run.is_rack() && run.cluster.nodes >= trays && run.cluster.nodes.is_multiple_of(trays)).then_some(trays)
}

/// Counts devices, looks for errors that memory could not correct, and for ports that are down.
fn health_check(run: &Run<'_>) -> String {
    let per_node = run.cluster.gpus_per_node;
    let count = match run.vendor {
        Vendor::Amd => "rocm-smi --showid | grep -o \"GPU\\[[0-9]*\\]\" | sort -u | wc -l",
        _ => "nvidia-smi --list-gpus | grep -c \"^GPU\" || true",
    };
    let mut checks = vec![
        format!("devices=$({count})"),
        format!(
            "if [ \"$devices\" -ne {per_node} ]; then echo \"$(hostname): $devices of {per_node} devices\" >&2; exit 1; fi"
        ),
    ];
    if run.vendor == Vendor::Nvidia {
        checks.push(
            "errors=$(nvidia-smi --query-gpu=ecc.errors.uncorrected.volatile.total --format=csv,noheader,nounits | awk \"\\$1 + 0 > 0\" | wc -l)".into(),
        );
        checks.push(
            "if [ \"$errors\" -gt 0 ]; then echo \"$(hostname): $errors devices with uncorrected memory errors\" >&2; exit 1; fi".into(),
        );
    }
    let verbs = matches!(run.fabric.id.as_str(), "infiniband" | "roce") && !run.is_inside();
    if let Some(network) = run.build.network.as_ref().filter(|_| verbs) {
        let least = network.ports_per_node;
        checks.push("ports=$(cat /sys/class/infiniband/*/ports/*/state | grep -c ACTIVE || true)".into());
        checks.push(format!(
            "if [ \"$ports\" -lt {least} ]; then echo \"$(hostname): $ports of {least} network ports are up\" >&2; exit 1; fi"
        ));
    }
    checks.push("echo \"$(hostname): healthy\"".into());
    let checks: String = checks.iter().map(|check| format!("  {check}\n")).collect();
    format!(
        "\n# each node must be whole before the job takes it\n# shellcheck disable=SC2016 # the nodes expand it\nsrun --ntasks-per-node=1 bash -euc '\n{checks}'\n"
    )
}

/// Starts the software in the background, so that the shell can answer the signal.
fn launch(chosen: &str) -> String {
    let script = |what: &str| format!(": \"${{TRAIN_SCRIPT:?{what}}}\"\n");
    let (before, command) = match chosen {
        name if name == megatron::NAME => (String::new(), format!("bash \"$here/{name}\" \"${{launcher[@]}}\"")),
        name if name == torchtitan::NAME => (
            [
                ": \"${LR:?the peak learning rate of your recipe}\"\n",
                ": \"${TOKENIZER:?the directory of a Hugging Face tokenizer}\"\n",
                ": \"${DATASET:?the name of a data set that torchtitan knows or you registered}\"\n",
                ": \"${DATA_PATH:?the directory of the data}\"\n",
                "read -ra recipe <<<\"${RECIPE_ARGS:-}\"\n",
            ]
            .concat(),
            format!(
                "\"${{launcher[@]}}\" -m torchtitan.train --job.config_file \"$here/{name}\" \\\n  --optimizer.lr \"$LR\" --model.hf_assets_path \"$TOKENIZER\" \\\n  --training.dataset \"$DATASET\" --training.dataset_path \"$DATA_PATH\" \"${{recipe[@]}}\""
            ),
        ),
        name if name == deepspeed::NAME => (
            script("your training script, which calls deepspeed.initialize"),
            format!("\"${{launcher[@]}}\" \"$TRAIN_SCRIPT\" --deepspeed --deepspeed_config \"$here/{name}\""),
        ),
        name => (
            script("your script, which lays a YAML file over a recipe of Megatron Bridge"),
            format!("\"${{launcher[@]}}\" \"$TRAIN_SCRIPT\" --config-file \"$here/{name}\""),
        ),
    };
    format!("{before}srun --kill-on-bad-exit=1 {command} &\nwait \"$!\"\n")
}
