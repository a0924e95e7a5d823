//! Arguments of Megatron-LM's `pretrain_gpt.py`.

use super::core_model::{self, Field, Setting};
use super::run::{Run, Vendor};
use super::text::{comments, points, title};
use super::{Text, checkpoint};
use crate::request::{HostOffload, Method, Optimizer, Sharding};

pub(super) const NAME: &str = "megatron-lm.sh";
pub(super) const PARSERS: &str = "bash -n, shellcheck 0.11.0; names of arguments against the fields of megatron-core 0.16.1 and megatron-bridge 0.3.1";

/// Writes the file.
pub(super) fn write(run: &Run<'_>) -> Result<Text, String> {
    if let Some(reason) = run.vendor.refuses("Megatron-LM") {
        return Err(reason);
    }
    let request = run.request();
    if request.method == Method::Lora {
        return Err("Megatron-LM's arguments know no LoRA; nemo.yaml is the same Megatron-Core with adapters.".into());
    }
    if request.host_offload == HostOffload::Everything {
        return Err(
            "Megatron-LM streams optimizer states from the host, not weights and gradients layer by layer.".into()
        );
    }
    let mut arguments = arguments_of(&core_model::model(run)?);
    arguments.extend(training(run)?);
    let differences = differences(run);
    let mut top = title(run, "Megatron-LM arguments");
    top.extend(points("Otherwise than the plan, or not in it:", &differences));
    top.push(
        "Use: LR=... ROTARY_BASE=... TOKENIZER=... DATA_PATH=... CHECKPOINTS=... bash megatron-lm.sh torchrun ..."
            .into(),
    );
    let mut text = String::from("#!/usr/bin/env bash\n");
    text += &comments(&top);
    text += "set -euo pipefail\n\n";
    text += "# not figures of a plan: your recipe, your data, your places\n";
    text += ": \"${MEGATRON_DIR:?the directory of Megatron-LM}\"\n";
    text += ": \"${LR:?the peak learning rate of your recipe}\"\n";
    if run.architecture.learned_positions == 0 {
        text += ": \"${ROTARY_BASE:?the base of the rotary embedding of your model}\"\n";
    }
    text += ": \"${TOKENIZER:?the name or directory of a Hugging Face tokenizer}\"\n";
    text += ": \"${DATA_PATH:?the prefix of the tokenized data}\"\n";
    text += ": \"${CHECKPOINTS:?the directory of checkpoints on shared storage}\"\n";
    if request.method == Method::FullFineTuning {
        text += ": \"${PRETRAINED:?the directory of the checkpoint to start from}\"\n";
    }
    text += "# further arguments: schedule of the learning rate, weight decay, logging\n";
    text += "read -ra recipe <<<\"${RECIPE_ARGS:-}\"\n\n";
    if needs_one_connection(run) {
        text += "# orders communication of tensor and context parallelism before the computation that hides it\n";
        text += "export CUDA_DEVICE_MAX_CONNECTIONS=1\n\n";
    }
    text += "arguments=(\n";
    for argument in &arguments {
        text += &format!("  {argument}\n");
    }
    text += ")\n\n# the launcher and its own arguments come first\n";
    text += "exec \"$@\" \"$MEGATRON_DIR/pretrain_gpt.py\" \"${arguments[@]}\" \"${recipe[@]}\"\n";
    Ok(Text { text, note: note(&differences) })
}

fn note(differences: &[String]) -> String {
    let own = "Set the learning rate, the tokenizer, the data and the places of checkpoints: no plan knows them.";
    if differences.is_empty() { own.into() } else { format!("{own} {}", differences.join(" ")) }
}

/// One argument a line, as Megatron-LM names the fields.
fn arguments_of(fields: &[Field]) -> Vec<String> {
    fields.iter().flat_map(|(name, setting)| argument(name, setting)).collect()
}

fn argument(name: &str, setting: &Setting) -> Vec<String> {
    match (name, setting) {
        (_, Setting::Absent) => Vec::new(),
        ("gated_linear_unit", Setting::Switch(true)) => vec!["--swiglu".into()],
        ("add_bias_linear", Setting::Switch(false)) => vec!["--disable-bias-linear".into()],
        ("share_embeddings_and_output_weights", Setting::Switch(false)) => {
            vec!["--untie-embeddings-and-output-weights".into()]
        }
        ("gated_linear_unit" | "add_bias_linear" | "share_embeddings_and_output_weights", _) => Vec::new(),
        ("num_query_groups", Setting::Number(n)) => {
            vec!["--group-query-attention".into(), format!("--num-query-groups {n}")]
        }
        ("window_size", Setting::List(sides)) => vec![format!("--window-size \"({})\"", sides.join(","))],
        ("moe_layer_freq", Setting::List(pattern)) => vec![format!("--moe-layer-freq \"[{}]\"", pattern.join(","))],
        ("virtual_pipeline_model_parallel_size", Setting::Number(n)) => {
            vec![format!("--num-virtual-stages-per-pipeline-rank {n}")]
        }
        ("pipeline_model_parallel_layout", Setting::Text(t)) => {
            vec![format!("--pipeline-model-parallel-layout \"{t}\"")]
        }
        (_, Setting::Switch(false)) => Vec::new(),
        (_, Setting::Switch(true)) => vec![flag(name)],
        (_, Setting::Number(n)) => vec![format!("{} {n}", flag(name))],
        (_, Setting::Decimal(n)) => vec![format!("{} {n}", flag(name))],
        (_, Setting::Text(t)) => vec![format!("{} {t}", flag(name))],
        (_, Setting::List(all)) => vec![format!("{} {}", flag(name), all.join(" "))],
    }
}

fn flag(name: &str) -> String {
    let name = match name {
        "num_moe_experts" => "num_experts",
        "fp8" => "fp8_format",
        "fp4" => "fp4_format",
        other => other,
    };
    format!("--{}", name.replace('_', "-"))
}

/// Batch, optimizer, sharding, checkpoints.
fn training(run: &Run<'_>) -> Result<Vec<String>, String> {
    let request = run.request();
    let mut all: Vec<String> = vec![
        "--transformer-impl transformer_engine".into(),
        format!("--micro-batch-size {}", run.layout.micro_batch_sequences),
        format!("--global-batch-size {}", run.batch),
        format!("--train-iters {}", run.steps),
        "--lr \"$LR\"".into(),
    ];
    if run.architecture.learned_positions == 0 {
        all.push("--rotary-base \"$ROTARY_BASE\"".into());
    }
    all.extend(optimizer(run)?);
    let overlap = request.software.overlap_communication;
    match run.layout.sharding {
        Sharding::None => {}
        // Muon shards its states by whole layers instead
        Sharding::Optimizer if request.optimizer == Optimizer::Muon => {}
        Sharding::Optimizer => all.push("--use-distributed-optimizer".into()),
        sharding => {
            let strategy = if sharding == Sharding::Full { "optim_grads_params" } else { "optim_grads" };
            all.push("--use-distributed-optimizer".into());
            all.push("--use-megatron-fsdp".into());
            all.push(format!("--data-parallel-sharding-strategy {strategy}"));
        }
    }
    if overlap && run.layout.data * run.layout.context > 1 {
        all.push("--overlap-grad-reduce".into());
        if run.layout.sharding != Sharding::None && request.optimizer != Optimizer::Muon {
            all.push("--overlap-param-gather".into());
        }
    }
    let sequence_parallel = request.software.sequence_parallel;
    if overlap && run.layout.tensor > 1 && sequence_parallel && run.vendor == Vendor::Nvidia {
        all.push("--tp-comm-overlap".into());
    }
    if request.method == Method::FullFineTuning {
        all.push("--finetune".into());
        all.push("--pretrained-checkpoint \"$PRETRAINED\"".into());
    }
    let fsdp = run.layout.sharding >= Sharding::Gradients;
    all.extend([
        "--save \"$CHECKPOINTS\"".into(),
        "--load \"$CHECKPOINTS\"".into(),
        format!("--save-interval {}", run.checkpoint_steps()),
        format!("--ckpt-format {}", if fsdp { "fsdp_dtensor" } else { "torch_dist" }),
    ]);
    if !fsdp {
        all.push("--async-save".into());
        all.push("--ckpt-fully-parallel-load".into());
    }
    all.extend([
        "--tokenizer-type HuggingFaceTokenizer".into(),
        "--tokenizer-model \"$TOKENIZER\"".into(),
        "--data-path \"$DATA_PATH\"".into(),
        "--log-interval 1".into(),
        "--log-throughput".into(),
        "--timing-log-level 0".into(),
    ]);
    Ok(all)
}

fn optimizer(run: &Run<'_>) -> Result<Vec<String>, String> {
    let mut all: Vec<String> = match run.request().optimizer {
        Optimizer::Adamw => vec!["--optimizer adam".into()],
        Optimizer::Adamw16bit => states("bf16"),
        Optimizer::Adamw8bit => states("fp8"),
        Optimizer::Muon if run.is_fp16() => return Err("Megatron-Core's Muon does not train in fp16.".into()),
        Optimizer::Muon if run.layout.sharding == Sharding::None => vec!["--optimizer muon".into()],
        Optimizer::Muon if run.layout.sharding == Sharding::Optimizer => vec!["--optimizer dist_muon".into()],
        Optimizer::Muon => return Err("Megatron-LM's Muon shards optimizer states at most.".into()),
        Optimizer::Sgd => vec!["--optimizer sgd".into()],
        Optimizer::AdamwBf16 => {
            return Err("Megatron-LM keeps a master copy of the weights; AdamW all in bf16, which the plan's memory counts, has none.".into());
        }
        Optimizer::Adafactor => return Err("Megatron-LM has no Adafactor.".into()),
    };
    if run.request().host_offload == HostOffload::Optimizer {
        if run.request().optimizer == Optimizer::Adamw {
            all.push("--use-precision-aware-optimizer".into());
        }
        all.extend(["--optimizer-cpu-offload".into(), "--optimizer-offload-fraction 1.0".into()]);
    }
    Ok(all)
}

fn states(dtype: &str) -> Vec<String> {
    vec![
        "--optimizer adam".into(),
        "--use-precision-aware-optimizer".into(),
        format!("--exp-avg-dtype {dtype}"),
        format!("--exp-avg-sq-dtype {dtype}"),
    ]
}

/// Megatron-LM asks for it before Blackwell where tensor or context parallelism overlaps, and refuses it with FSDP.
fn needs_one_connection(run: &Run<'_>) -> bool {
    let blackwell = run.accelerator.scale_up_link.starts_with("NVLink 5") || run.accelerator.id.starts_with("rtx-5");
    let split = run.layout.tensor > 1 || run.layout.context > 1;
    run.vendor == Vendor::Nvidia && split && !blackwell && run.layout.sharding < Sharding::Gradients
}

fn differences(run: &Run<'_>) -> Vec<String> {
    let mut all = core_model::differences(run);
    if run.vendor == Vendor::Amd {
        all.push("On AMD, these go to the maker's fork of Megatron-LM, whose arguments were not checked.".into());
    }
    all.push(format!(
        "Megatron-LM deletes no old checkpoints: keep the last {}, {} in all, by other means.",
        checkpoint::kept(),
        super::text::bytes(run.reliability.checkpoint_bytes * checkpoint::kept() as f64)
    ));
    if run.layout.sharding >= Sharding::Gradients {
        all.push("With Megatron-FSDP checkpoints are written while training waits.".into());
    }
    all
}
