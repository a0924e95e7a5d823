//! Configuration of DeepSpeed, of combinations that it supports only.

use super::claim::{self, Framework, LayoutClaim};
use super::run::Run;
use super::text::title;
use super::{Text, checkpoint};
use crate::request::{HostOffload, Method, Optimizer, Precision, Sharding};
use serde_json::{Map, Value, json};

pub(super) const NAME: &str = "deepspeed.json";

/// Writes the file.
pub(super) fn write(run: &Run<'_>) -> Result<Text, String> {
    refuse(run)?;
    let comments = comments(run);
    let mut config = Map::new();
    config.insert(
        "_comment".into(),
        json!(title(run, "DeepSpeed configuration").into_iter().chain(comments.clone()).collect::<Vec<_>>()),
    );
    config.insert("_plan".into(), plan(run));
    config.insert("train_batch_size".into(), json!(run.batch));
    config.insert("train_micro_batch_size_per_gpu".into(), json!(run.layout.micro_batch_sequences));
    config.insert("gradient_accumulation_steps".into(), json!(run.micro_batches));
    config.insert("steps_per_print".into(), json!(1));
    if run.is_fp16() {
        config.insert("fp16".into(), json!({"enabled": true}));
    } else {
        config.insert("bf16".into(), bf16(run));
    }
    if run.layout.sharding != Sharding::Full && run.request().optimizer != Optimizer::AdamwBf16 {
        // the plan counts 4-byte gradients where they are kept over micro-batches
        config.insert("data_types".into(), json!({"grad_accum_dtype": "fp32"}));
    }
    config.insert("zero_optimization".into(), zero(run));
    if run.layout.tensor > 1 && run.layout.pipeline == 1 {
        // its dtype follows from bf16 or fp16: as text the key is refused
        config.insert("tensor_parallel".into(), json!({"autotp_size": run.layout.tensor}));
    }
    if run.layout.expert > 1 && run.layout.pipeline == 1 {
        config.insert(
            "expert_parallel".into(),
            json!({"enabled": true, "autoep_size": run.layout.expert, "expert_tensor_parallel_size": 1}),
        );
    }
    let text = serde_json::to_string_pretty(&config).map_err(|e| format!("The file can't be written: {e}."))? + "\n";
    Ok(Text { text, note: comments.join(" ") })
}

fn refuse(run: &Run<'_>) -> Result<(), String> {
    if let Some(reason) = run.vendor.refuses("DeepSpeed") {
        return Err(reason);
    }
    let l = &run.layout;
    let problems = claim::deepspeed(&LayoutClaim {
        gpus: run.cluster.gpus,
        tensor: l.tensor,
        pipeline: l.pipeline,
        virtual_pipeline: l.virtual_pipeline,
        context: l.context,
        expert: l.expert,
        data: Some(l.data),
        sharding: l.sharding,
        framework: Some(Framework::Deepspeed),
    });
    if !problems.is_empty() {
        return Err(problems.into_iter().map(|p| p.message + ".").collect::<Vec<_>>().join(" "));
    }
    if l.expert > 1 && run.expert_tensor() > 1 {
        return Err(format!(
            "DeepSpeed keeps each expert whole (expert_tensor_parallel_size 1), and this layout splits it over {} ranks.",
            run.expert_tensor()
        ));
    }
    if l.expert > 1 && l.tensor > 1 && run.request().host_offload != HostOffload::None {
        return Err("DeepSpeed does not offload to the host where expert and tensor parallelism meet.".into());
    }
    if run.request().host_offload == HostOffload::Everything && l.sharding != Sharding::Full {
        return Err("DeepSpeed offloads weights in ZeRO stage 3 only.".into());
    }
    if run.request().host_offload == HostOffload::Optimizer && l.sharding == Sharding::None {
        return Err("DeepSpeed offloads optimizer states from ZeRO stage 1 on.".into());
    }
    if run.request().optimizer == Optimizer::AdamwBf16 && l.sharding == Sharding::None {
        return Err("DeepSpeed keeps optimizer states in bf16 from ZeRO stage 1 on.".into());
    }
    Ok(())
}

/// What DeepSpeed's own keys don't hold, for whoever writes the training script.
fn plan(run: &Run<'_>) -> Value {
    let l = &run.layout;
    json!({
        "world_size": run.cluster.gpus,
        "tensor": l.tensor, "pipeline": l.pipeline, "context": l.context, "expert": l.expert, "data": l.data,
        "sequence_length": run.request().context_length,
        "training_steps": run.steps,
        "optimizer": run.request().optimizer.id(),
        "precision": run.precision.id(),
        "method": run.request().method.id(),
        "recompute": l.recompute.id(),
        "checkpoint_interval_steps": run.checkpoint_steps(),
        "checkpoints_kept": checkpoint::kept(),
        "architecture": serde_json::to_value(&run.architecture).unwrap_or(Value::Null),
    })
}

fn bf16(run: &Run<'_>) -> Value {
    if run.request().optimizer == Optimizer::AdamwBf16 {
        return json!({"enabled": true, "bf16_master_weights_and_grads": true, "bf16_optimizer_states": true});
    }
    json!({"enabled": true})
}

fn zero(run: &Run<'_>) -> Value {
    let mut zero = Map::new();
    zero.insert("stage".into(), json!(claim::stage(run.layout.sharding)));
    if run.layout.sharding != Sharding::None {
        zero.insert("overlap_comm".into(), json!(run.request().software.overlap_communication));
        zero.insert("contiguous_gradients".into(), json!(true));
    }
    let host = json!({"device": "cpu", "pin_memory": true});
    match run.request().host_offload {
        HostOffload::None => {}
        HostOffload::Optimizer => {
            zero.insert("offload_optimizer".into(), host);
        }
        HostOffload::Everything => {
            zero.insert("offload_optimizer".into(), host.clone());
            zero.insert("offload_param".into(), host);
        }
    }
    Value::Object(zero)
}

fn comments(run: &Run<'_>) -> Vec<String> {
    let l = &run.layout;
    let request = run.request();
    let mut all = vec![
        "Model, sequence length, recompute and checkpoint interval are your script's: they stand under _plan, which DeepSpeed does not read.".to_owned(),
        format!(
            "The optimizer ({}) is passed to deepspeed.initialize: its learning rate is no figure of a plan, and a default here would be taken silently.",
            request.optimizer.label()
        ),
    ];
    if l.pipeline > 1 {
        all.push(format!(
            "Pipeline {} and tensor {} are the topology of your PipelineModule: no key holds them.",
            l.pipeline, l.tensor
        ));
        if l.expert > 1 {
            all.push(format!("Expert parallelism {} is ep_size of your MoE layers.", l.expert));
        }
    } else if l.tensor > 1 || l.expert > 1 {
        all.push(
            "AutoTP and AutoEP split Hugging Face models that they know; others need a policy of your own.".into(),
        );
    }
    if run.precision != Precision::Bf16 {
        all.push(format!(
            "DeepSpeed has no {} of its own: your model's layers (Transformer Engine) must bring it, else the step takes the time of 16-bit matrices.",
            run.precision.label()
        ));
    }
    if request.method == Method::Lora {
        all.push("Adapters are your script's (peft); DeepSpeed trains what requires a gradient.".into());
    }
    if request.software.sequence_parallel && l.tensor > 1 {
        all.push("The plan splits norms over tensor-parallel ranks (sequence parallelism); AutoTP does not: expect more memory for activations.".into());
    }
    if run.vendor == super::run::Vendor::Amd {
        all.push("On AMD, DeepSpeed runs on PyTorch for ROCm.".into());
    }
    all
}
