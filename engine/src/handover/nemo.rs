//! Values of a NeMo recipe (Megatron Bridge): laid over the recipe's `ConfigContainer`.

use super::core_model::{self, Setting};
use super::run::{Run, Vendor};
use super::text::{comments, points, title};
use super::{Text, checkpoint};
use crate::performance::LORA_RANK;
use crate::request::{HostOffload, Method, Optimizer, Precision, Sharding};

pub(super) const NAME: &str = "nemo.yaml";

/// Marks a value that must be given: OmegaConf stops on it.
const MISSING: &str = "???";

/// Writes the file.
pub(super) fn write(run: &Run<'_>) -> Result<Text, String> {
    if run.vendor != Vendor::Nvidia {
        return Err(run.vendor.refuses("NeMo").unwrap_or_else(|| "NeMo runs on NVIDIA devices only.".into()));
    }
    if run.request().host_offload == HostOffload::Everything {
        return Err(
            "Megatron-Core streams optimizer states from the host, not weights and gradients layer by layer.".into()
        );
    }
    let model = core_model::model(run)?;
    let optimizer = optimizer(run)?;
    let mut differences = core_model::differences(run);
    differences.extend(beyond_yaml(run));
    let mut top = title(run, "NeMo recipe values (Megatron Bridge 0.3)");
    top.extend(points("Otherwise than the plan, or not in it:", &differences));
    top.push(
        "Values of ??? are no figures of a plan: fill them in, or leave the recipe's own by taking the line out."
            .into(),
    );
    let mut text = comments(&top);
    text += "model:\n";
    for (name, setting) in &model {
        // the recipe's precision sets these from `mixed_precision`, and no provider has a field for the last
        if !matches!(*name, "bf16" | "fp16" | "fp8" | "fp8_recipe" | "fp4" | "fp4_recipe" | "max_position_embeddings") {
            text += &format!("  {name}: {}\n", value(setting));
        }
    }
    text += &format!("mixed_precision: {}\n", precision(run));
    text += &format!(
        "train:\n  micro_batch_size: {}\n  global_batch_size: {}\n  train_iters: {}\n",
        run.layout.micro_batch_sequences, run.batch, run.steps
    );
    text += &optimizer;
    text += &sharding(run);
    text += &format!("dataset:\n  seq_length: {}\n", run.request().context_length);
    text += "tokenizer:\n  tokenizer_type: HuggingFaceTokenizer\n";
    text += &format!("  tokenizer_model: {MISSING}\n");
    text += &checkpoints(run);
    if run.request().method == Method::Lora {
        text += &format!("peft:\n  dim: {LORA_RANK:.0}\n");
    }
    text += "logger:\n  log_interval: 1\n  log_throughput: true\n";
    let note = format!(
        "Lay it over the recipe of your model; learning rate, tokenizer and places are yours. {}",
        differences.join(" ")
    );
    Ok(Text { text, note: note.trim_end().into() })
}

fn value(setting: &Setting) -> String {
    match setting {
        Setting::Number(n) => n.to_string(),
        Setting::Decimal(n) => (*n).into(),
        Setting::Text(t) => format!("\"{t}\""),
        Setting::Switch(on) => on.to_string(),
        Setting::List(all) if all.iter().all(|v| v.parse::<u64>().is_ok()) => format!("[{}]", all.join(", ")),
        Setting::List(all) => format!("[\"{}\"]", all.join("\", \"")),
        Setting::Absent => "null".into(),
    }
}

/// Name of the recipe of precision.
fn precision(run: &Run<'_>) -> &'static str {
    match (run.is_fp16(), run.precision) {
        (true, _) => "fp16_mixed",
        (false, Precision::Bf16) => "bf16_mixed",
        (false, Precision::Fp8) => "bf16_with_fp8_current_scaling_mixed",
        (false, Precision::Fp4) => "bf16_with_nvfp4_mixed",
    }
}

fn optimizer(run: &Run<'_>) -> Result<String, String> {
    let (name, aware) = match run.request().optimizer {
        Optimizer::Adamw => ("adam", false),
        Optimizer::Adamw16bit | Optimizer::Adamw8bit => ("adam", true),
        Optimizer::Muon if run.is_fp16() => return Err("Megatron-Core's Muon does not train in fp16.".into()),
        Optimizer::Muon if run.layout.sharding == Sharding::None => ("muon", false),
        Optimizer::Muon if run.layout.sharding == Sharding::Optimizer => ("dist_muon", false),
        Optimizer::Muon => return Err("Megatron-Core's Muon shards optimizer states at most.".into()),
        Optimizer::Sgd => ("sgd", false),
        Optimizer::AdamwBf16 => {
            return Err("Megatron-Core keeps a master copy of the weights; AdamW all in bf16, which the plan's memory counts, has none.".into());
        }
        Optimizer::Adafactor => return Err("Megatron-Core has no Adafactor.".into()),
    };
    let offload = run.request().host_offload == HostOffload::Optimizer;
    let mut text = format!("optimizer:\n  optimizer: {name}\n  lr: {MISSING}\n");
    if aware || offload {
        text += "  use_precision_aware_optimizer: true\n";
    }
    if offload {
        text += "  optimizer_cpu_offload: true\n  optimizer_offload_fraction: 1.0\n";
    }
    text += &format!("  use_distributed_optimizer: {}\n", distributed(run));
    Ok(text)
}

/// Optimizer states are sharded by Megatron-Core's distributed optimizer; Muon shards them by whole layers instead.
fn distributed(run: &Run<'_>) -> bool {
    run.layout.sharding != Sharding::None && run.request().optimizer != Optimizer::Muon
}

fn sharding(run: &Run<'_>) -> String {
    let sharded = distributed(run);
    let overlap = run.request().software.overlap_communication && run.layout.data * run.layout.context > 1;
    let mut text = format!(
        "ddp:\n  use_distributed_optimizer: {sharded}\n  overlap_grad_reduce: {overlap}\n  overlap_param_gather: {}\n",
        overlap && sharded
    );
    let strategy = match run.layout.sharding {
        Sharding::None | Sharding::Optimizer => return text,
        Sharding::Gradients => "optim_grads",
        Sharding::Full => "optim_grads_params",
    };
    text += &format!("  use_megatron_fsdp: true\n  data_parallel_sharding_strategy: {strategy}\n");
    text += "dist:\n  use_megatron_fsdp: true\n";
    text
}

fn checkpoints(run: &Run<'_>) -> String {
    let fsdp = run.layout.sharding >= Sharding::Gradients;
    let mut text = format!(
        "checkpoint:\n  save: {MISSING}\n  load: {MISSING}\n  save_interval: {}\n  most_recent_k: {}\n",
        run.checkpoint_steps(),
        checkpoint::kept()
    );
    text += if fsdp { "  ckpt_format: fsdp_dtensor\n" } else { "  ckpt_format: torch_dist\n  async_save: true\n" };
    if run.request().method != Method::Pretraining {
        text += &format!("  pretrained_checkpoint: {MISSING}\n");
    }
    text
}

/// What the YAML of overrides can't carry.
fn beyond_yaml(run: &Run<'_>) -> Vec<String> {
    let mut all = vec!["The activation function is the recipe's: YAML carries no functions.".to_owned()];
    let dtype = match run.request().optimizer {
        Optimizer::Adamw16bit => Some("torch.bfloat16"),
        Optimizer::Adamw8bit => Some("torch.uint8"),
        _ => None,
    };
    if let Some(dtype) = dtype {
        all.push(format!(
            "YAML carries no torch type: set optimizer.exp_avg_dtype and optimizer.exp_avg_sq_dtype to {dtype} in the recipe."
        ));
    }
    if run.request().method == Method::Lora {
        all.push(format!(
            "Adapters: take a recipe with peft=LoRA; the plan counts rank {LORA_RANK:.0} on every linear layer."
        ));
    }
    if run.layout.sharding >= Sharding::Gradients {
        all.push("With Megatron-FSDP checkpoints are written while training waits.".into());
    }
    all
}
