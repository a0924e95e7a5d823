//! Job configuration of torchtitan 0.2, the last to read TOML.

use super::run::Run;
use super::text::{comments, points, title};
use super::{Text, checkpoint};
use crate::catalog::Catalog;
use crate::request::{HostOffload, Method, Optimizer, Precision, Recompute, Sharding};
use crate::workload::{Architecture, Norm, QkNorm};

pub(super) const NAME: &str = "torchtitan.toml";

/// Presets of the catalog that torchtitan 0.2.2 has: id, model, flavor.
const FLAVORS: &[(&str, &str, &str)] = &[
    ("llama-3.1-8b", "llama3", "8B"),
    ("llama-3.1-70b", "llama3", "70B"),
    ("llama-3.1-405b", "llama3", "405B"),
    ("llama-4-scout", "llama4", "17bx16e"),
    ("llama-4-maverick", "llama4", "17bx128e"),
    ("qwen3-8b", "qwen3", "8B"),
    ("qwen3-14b", "qwen3", "14B"),
    ("qwen3-32b", "qwen3", "32B"),
    ("qwen3-30b-a3b", "qwen3", "30B-A3B"),
    ("qwen3-235b-a22b", "qwen3", "235B-A22B"),
    ("deepseek-v2", "deepseek_v3", "236B"),
    ("deepseek-v3", "deepseek_v3", "671B"),
    ("gpt-oss-20b", "gpt_oss", "20b"),
    ("gpt-oss-120b", "gpt_oss", "120b"),
];

/// Writes the file.
pub(super) fn write(run: &Run<'_>) -> Result<Text, String> {
    let model = model(run)?;
    refuse(run, &model)?;
    let differences = differences(run, &model);
    let mut top = title(run, "torchtitan 0.2 job (later versions configure in Python and read no TOML)");
    top.extend(points("Otherwise than the plan, or not in it:", &differences));
    top.extend(model.registration.iter().cloned());
    let text = comments(&top) + &body(run, &model);
    let note = format!("For torchtitan 0.2. {}", differences.join(" "));
    Ok(Text { text, note: note.trim_end().into() })
}

/// A model as torchtitan names it.
struct Model {
    name: &'static str,
    flavor: &'static str,
    /// What registers the flavor, where torchtitan has none.
    registration: Vec<String>,
}

fn model(run: &Run<'_>) -> Result<Model, String> {
    let a = &run.architecture;
    let known = FLAVORS.iter().find(|(id, ..)| Catalog::get().model(id).is_some_and(|m| m.architecture == *a));
    if let Some((_, name, flavor)) = known {
        return Ok(Model { name, flavor, registration: Vec::new() });
    }
    if !is_llama(a) {
        return Err(format!(
            "torchtitan 0.2.2 has no model of the architecture of {}: it has Llama 3 and 4, Qwen3, DeepSeek-V3 and gpt-oss.",
            run.request().model.label()
        ));
    }
    let registration = vec![
        "torchtitan has no flavor of this shape. Register it before the job starts (torchtitan/models/llama3/__init__.py):".into(),
        "    from torchtitan.models.llama3 import TransformerModelArgs, llama3_args".into(),
        format!(
            "    llama3_args[\"clusterwright\"] = TransformerModelArgs(dim={}, n_layers={}, n_heads={}, n_kv_heads={}, vocab_size={}, multiple_of={}, ffn_dim_multiplier=0.01)",
            a.hidden, a.layers, a.heads, a.kv_heads, a.vocab, a.ffn
        ),
        format!("multiple_of with that multiplier rounds the feed-forward up to exactly {}. Add rope_theta of your model.", a.ffn),
    ];
    Ok(Model { name: "llama3", flavor: "clusterwright", registration })
}

/// What `TransformerModelArgs` of Llama 3 can describe.
fn is_llama(a: &Architecture) -> bool {
    a.gated_ffn
        && !a.tied_embeddings
        && a.moe.is_none()
        && a.low_rank_attention.is_none()
        && a.window.is_none()
        && a.norm == Norm::Rms
        && a.norms_per_layer == 2
        && a.qk_norm == QkNorm::None
        && a.biases == Default::default()
        && !a.attention_sinks
        && a.learned_positions == 0
        && !a.embedding_norm
        && a.embedding_width.is_none()
        && !a.no_final_norm
        && a.head_dim * a.heads == a.hidden
}

fn refuse(run: &Run<'_>, model: &Model) -> Result<(), String> {
    if let Some(reason) = run.vendor.refuses("torchtitan") {
        return Err(reason);
    }
    let (request, l) = (run.request(), &run.layout);
    let refused = |text: &str| Err(text.to_owned());
    if request.method == Method::Lora {
        return refused("torchtitan 0.2 trains no adapters.");
    }
    if run.is_fp16() {
        return refused("torchtitan trains in bf16, which this accelerator lacks.");
    }
    match request.optimizer {
        Optimizer::Adamw | Optimizer::AdamwBf16 => {}
        other => return Err(format!("torchtitan 0.2 has Adam and AdamW, not {}.", other.label())),
    }
    if request.host_offload == HostOffload::Optimizer {
        return refused(
            "torchtitan keeps weights, gradients and optimizer states in the host's memory or none of them, not the states alone.",
        );
    }
    if run.precision == Precision::Fp4 {
        return refused("torchtitan 0.2 has no fp4.");
    }
    if l.expert > 1 && run.expert_tensor() != 1 && run.expert_tensor() != l.tensor {
        return refused("torchtitan splits an expert over all tensor-parallel ranks or over none.");
    }
    if l.context > 1 && !matches!(model.name, "llama3" | "qwen3") {
        return Err(format!(
            "Context parallelism of torchtitan 0.2.2 works with plain attention only, and its {} uses another.",
            model.name
        ));
    }
    if l.pipeline > 1 && matches!(model.name, "gpt_oss" | "qwen3") {
        return Err(format!("torchtitan 0.2.2 does not split its {} into pipeline stages.", model.name));
    }
    if run.precision == Precision::Fp8 && l.tensor > 1 && model.name == "deepseek_v3" {
        return refused(
            "torchtitan 0.2.2 refuses fp8 with one scale per tensor under tensor parallelism for DeepSeek-V3.",
        );
    }
    let parts = u64::from(l.tensor) * 2 * u64::from(l.context);
    if !request.context_length.is_multiple_of(parts) {
        return Err(format!(
            "torchtitan asks for a sequence that divides by tensor x 2 x context = {parts}; {} does not.",
            request.context_length
        ));
    }
    if l.sharding == Sharding::None && l.data > 1 && l.tensor * l.pipeline * l.context > 1 {
        return refused("torchtitan replicates weights over data parallelism (DDP) only where nothing else is split.");
    }
    Ok(())
}

/// Degrees of replication and of sharding that make the plan's data parallelism.
fn data(run: &Run<'_>) -> (u32, u32) {
    match run.layout.sharding {
        Sharding::None => (run.layout.data, 1),
        _ => (1, run.layout.data),
    }
}

fn body(run: &Run<'_>, model: &Model) -> String {
    let l = &run.layout;
    let request = run.request();
    let (replicate, shard) = data(run);
    let b = u64::from(l.micro_batch_sequences);
    // with a pipeline, one local batch holds all micro-batches of a step
    let local = if l.pipeline > 1 { b * run.micro_batches } else { b };
    let mut text = String::new();
    let mut table = |name: &str, lines: &[String]| {
        text += &format!("\n[{name}]\n");
        for line in lines {
            text += line;
            text.push('\n');
        }
    };
    table("job", &["dump_folder = \"outputs\"".into(), format!("description = \"{}\"", request.model.label())]);
    let mut lines = vec![format!("name = \"{}\"", model.name), format!("flavor = \"{}\"", model.flavor)];
    if run.precision == Precision::Fp8 {
        lines.push("converters = [\"quantize.linear.float8\"]".into());
    }
    table("model", &lines);
    table("optimizer", &["name = \"AdamW\"".into(), "implementation = \"fused\"".into()]);
    let dtype = if request.optimizer == Optimizer::AdamwBf16 { "bfloat16" } else { "float32" };
    table(
        "training",
        &[
            format!("local_batch_size = {local}"),
            format!("global_batch_size = {}", run.batch),
            format!("seq_len = {}", request.context_length),
            format!("steps = {}", run.steps),
            format!("dtype = \"{dtype}\""),
            "mixed_precision_param = \"bfloat16\"".into(),
            "mixed_precision_reduce = \"float32\"".into(),
            format!("enable_cpu_offload = {}", request.host_offload == HostOffload::Everything),
        ],
    );
    let mut lines = vec![
        format!("data_parallel_replicate_degree = {replicate}"),
        format!("data_parallel_shard_degree = {shard}"),
        format!("fsdp_reshard_after_forward = \"{}\"", if l.sharding == Sharding::Full { "always" } else { "never" }),
        format!("tensor_parallel_degree = {}", l.tensor),
        format!("context_parallel_degree = {}", l.context),
        format!("pipeline_parallel_degree = {}", l.pipeline),
    ];
    if l.pipeline > 1 {
        let schedule = if l.virtual_pipeline > 1 { "Interleaved1F1B" } else { "1F1B" };
        lines.push(format!("pipeline_parallel_schedule = \"{schedule}\""));
        lines.push(format!("pipeline_parallel_microbatch_size = {b}"));
        lines.push(format!("module_fqns_per_model_part = [\n{}]", parts(&run.chunks)));
    }
    if run.architecture.moe.is_some() {
        lines.push(format!("expert_parallel_degree = {}", l.expert));
        lines.push(format!("expert_tensor_parallel_degree = {}", if l.expert > 1 { run.expert_tensor() } else { 1 }));
    }
    table("parallelism", &lines);
    let recompute = match l.recompute {
        Recompute::None => vec!["mode = \"none\"".into()],
        Recompute::Selective => vec!["mode = \"selective\"".into(), "selective_ac_option = \"op\"".into()],
        Recompute::Full => vec!["mode = \"full\"".into()],
    };
    table("activation_checkpoint", &recompute);
    table("compile", &[format!("enable = {}", request.software.compiled)]);
    if run.precision == Precision::Fp8 {
        table(
            "quantize.linear.float8",
            &[
                "enable_fsdp_float8_all_gather = true".into(),
                "precompute_float8_dynamic_scale_for_fsdp = true".into(),
                "filter_fqns = [\"output\"]".into(),
            ],
        );
    }
    let mut lines = vec![
        "enable = true".into(),
        "folder = \"checkpoint\"".into(),
        format!("interval = {}", run.checkpoint_steps()),
        "async_mode = \"async\"".into(),
        format!("keep_latest_k = {}", checkpoint::kept()),
    ];
    if request.method == Method::FullFineTuning {
        lines.push("initial_load_in_hf = true".into());
    }
    table("checkpoint", &lines);
    table("metrics", &["log_freq = 1".into()]);
    text
}

/// Modules of each (virtual) stage, by name.
fn parts(chunks: &[u32]) -> String {
    let last = chunks.len().saturating_sub(1);
    let mut next = 0;
    let mut text = String::new();
    for (index, layers) in chunks.iter().enumerate() {
        let mut modules = Vec::new();
        if index == 0 {
            modules.push("\"tok_embeddings\"".to_owned());
        }
        modules.extend((next..next + layers).map(|layer| format!("\"layers.{layer}\"")));
        next += layers;
        if index == last {
            modules.extend(["\"norm\"".to_owned(), "\"output\"".to_owned()]);
        }
        text += &format!("  [{}],\n", modules.join(", "));
    }
    text
}

fn differences(run: &Run<'_>, model: &Model) -> Vec<String> {
    let request = run.request();
    let mut all = vec![
        "Learning rate, tokenizer and data are not figures of a plan, and torchtitan takes defaults for them (8e-4, a test set): give --optimizer.lr, --model.hf_assets_path, --training.dataset and --training.dataset_path, as train.sbatch does."
            .to_owned(),
    ];
    if matches!(run.layout.sharding, Sharding::Optimizer | Sharding::Gradients) && run.layout.data > 1 {
        all.push(
            "torchtitan shards by FSDP or not at all: weights are kept gathered between forward and backward, which is nearest to the plan's sharding, and gathers them once more each step."
                .into(),
        );
    }
    if run.layout.recompute == Recompute::Selective {
        all.push(
            "Selective recompute by operator keeps other tensors than the plan counts; memory and time differ.".into(),
        );
    }
    if run.precision == Precision::Fp8 {
        all.push("fp8 comes from torchao's Float8Linear with one scale per tensor; it needs compile.".into());
    }
    if run.architecture.moe.is_some() && run.precision == Precision::Fp8 {
        all.push("Grouped matrices of experts stay in bf16 here; the plan counts them in fp8.".into());
    }
    if request.method == Method::FullFineTuning {
        all.push("Set checkpoint.initial_load_path to the weights that you start from.".into());
    }
    if model.name != "llama3" {
        all.push("The architecture is torchtitan's flavor of this name.".into());
    }
    all
}
