//! The files of plans: they multiply out, carry the plan's numbers, parse, and are refused where they must be.
#![expect(clippy::panic, reason = "a test fails by panicking")]

mod support;

use engine::answer::Estimate;
use engine::handover::{Artifact, LayoutClaim, check_claim};
use engine::{Handover, Plan, handover};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use support::plan;

/// Plans of every kind, as the parsers of the training software are given them too.
static ALL: LazyLock<BTreeMap<String, (Plan, Handover)>> = LazyLock::new(|| {
    let requests: BTreeMap<String, Value> =
        serde_json::from_str(include_str!("../../end2end/artifacts/plans.json")).expect("requests");
    let of = |(name, request): (String, Value)| {
        let plan = plan(request);
        let files = handover(&plan);
        (name, (plan, files))
    };
    requests.into_iter().map(of).collect()
});

fn estimate(plan: &Plan) -> &Estimate {
    plan.shown().and_then(|t| t.estimate.as_ref()).expect("an estimate")
}

fn gpus(plan: &Plan) -> u64 {
    plan.shown().and_then(|t| t.cluster.as_ref()).expect("a cluster").gpus.into()
}

/// Sequences of a step: what the plan's rate makes in its step time.
fn batch(plan: &Plan) -> u64 {
    let e = estimate(plan);
    (e.tokens_per_second_per_gpu * gpus(plan) as f64 * e.step_seconds / plan.request.context_length as f64).round()
        as u64
}

fn interval(plan: &Plan) -> u64 {
    let health = plan.utilization.health.iter().find(|h| h.metric == "checkpoint_interval_seconds").expect("a metric");
    (health.expected / estimate(plan).step_seconds).round().max(1.0) as u64
}

fn on_spot(plan: &Plan) -> bool {
    plan.recommended.as_ref().is_some_and(|r| r.acquisition == engine::request::Acquisition::Spot)
}

/// The number after a word that is on one line of a file.
fn after(artifact: &Artifact, word: &str) -> u64 {
    let rest = artifact.text.split(word).nth(1).unwrap_or_else(|| panic!("{}: no {word}", artifact.name));
    rest.split_whitespace().next().and_then(|n| n.parse().ok()).unwrap_or_else(|| panic!("{}: {word}", artifact.name))
}

fn each(name: &str, check: impl Fn(&str, &Plan, &Artifact)) {
    let mut seen = 0;
    for (case, (plan, files)) in ALL.iter() {
        if let Some(artifact) = files.artifact(name) {
            seen += 1;
            check(case, plan, artifact);
        }
    }
    assert!(seen > 3, "{name} was made {seen} times");
}

#[test]
fn every_file_is_made_or_refused_with_a_reason() {
    for (case, (plan, files)) in ALL.iter() {
        assert_eq!(files.tier, plan.shown_tier);
        assert_eq!(files.artifacts.len() + files.refused.len(), 13, "{case}");
        for refusal in &files.refused {
            assert!(refusal.reason.len() > 20 && refusal.reason.ends_with('.'), "{case}: {}", refusal.reason);
        }
        for artifact in &files.artifacts {
            assert!(!artifact.note.is_empty() && !artifact.validated_with.is_empty(), "{case}: {}", artifact.name);
            for word in ["NaN", "inf ", "-0.0 ", "$-"] {
                assert!(!artifact.text.contains(word), "{case}: {} holds {word}", artifact.name);
            }
        }
        let readme = &files.artifact("README.md").expect("a README").text;
        assert!(readme.contains("## Physical build") && readme.contains("- Floor: "), "{case}");
        assert!(readme.contains(&plan.headline));
        assert!(files.artifacts.iter().all(|a| a.name == "README.md" || readme.contains(&a.name)), "{case}");
        assert!(files.refused.iter().all(|r| readme.contains(&r.reason)), "{case}");
    }
}

#[test]
fn megatron_multiplies_out() {
    each("megatron-lm.sh", |case, plan, file| {
        let l = estimate(plan).layout;
        let degrees =
            ["tensor-model", "pipeline-model", "context"].map(|d| after(file, &format!("--{d}-parallel-size ")));
        assert_eq!(degrees, [l.tensor, l.pipeline, l.context].map(u64::from), "{case}");
        assert_eq!(degrees.iter().product::<u64>() * u64::from(l.data), gpus(plan), "{case}");
        assert_eq!(after(file, "--global-batch-size "), batch(plan), "{case}");
        assert_eq!(after(file, "--micro-batch-size "), u64::from(l.micro_batch_sequences), "{case}");
        assert!(batch(plan).is_multiple_of(u64::from(l.data * l.micro_batch_sequences)), "{case}");
        assert_eq!(after(file, "--seq-length "), plan.request.context_length, "{case}");
        if !on_spot(plan) {
            assert_eq!(after(file, "--save-interval "), interval(plan), "{case}");
        }
        let layers = after(file, "--num-layers ");
        assert_eq!(layers, u64::from(plan.request.model.architecture().layers), "{case}");
        let tokens = after(file, "--train-iters ") * batch(plan) * plan.request.context_length;
        assert!(
            tokens >= plan.request.training_tokens
                && tokens - plan.request.training_tokens < batch(plan) * plan.request.context_length
        );
        let by_hand = file.text.contains("--pipeline-model-parallel-layout");
        let ends = if file.text.contains("--account-for-embedding-in-pipeline-split") { 2 } else { 0 };
        let stages = u64::from(l.pipeline * l.virtual_pipeline);
        assert!(by_hand || (layers + ends).is_multiple_of(stages), "{case}: {layers} layers on {stages} stages");
    });
}

#[test]
fn torchtitan_multiplies_out() {
    each("torchtitan.toml", |case, plan, file| {
        let read: toml::Table = file.text.parse().unwrap_or_else(|e| panic!("{case}: {e}"));
        let number = |table: &str, key: &str| read[table][key].as_integer().expect("a number") as u64;
        let l = estimate(plan).layout;
        let world: u64 = [
            "data_parallel_replicate",
            "data_parallel_shard",
            "tensor_parallel",
            "context_parallel",
            "pipeline_parallel",
        ]
        .iter()
        .map(|d| number("parallelism", &format!("{d}_degree")))
        .product();
        assert_eq!(world, gpus(plan), "{case}");
        assert_eq!(number("training", "global_batch_size"), batch(plan), "{case}");
        let local = number("training", "local_batch_size") * u64::from(l.data);
        assert!(batch(plan).is_multiple_of(local), "{case}");
        assert_eq!(number("training", "seq_len"), plan.request.context_length, "{case}");
        if l.pipeline > 1 {
            let parts = read["parallelism"]["module_fqns_per_model_part"].as_array().expect("parts");
            assert_eq!(parts.len() as u32, l.pipeline * l.virtual_pipeline, "{case}");
            let layers = parts
                .iter()
                .flat_map(|part| part.as_array().expect("modules"))
                .filter(|module| module.as_str().is_some_and(|m| m.starts_with("layers.")))
                .count();
            assert_eq!(layers as u32, plan.request.model.architecture().layers, "{case}");
        }
    });
}

#[test]
fn deepspeed_multiplies_out() {
    each("deepspeed.json", |case, plan, file| {
        let read: Value = serde_json::from_str(&file.text).unwrap_or_else(|e| panic!("{case}: {e}"));
        let number = |pointer: &str| read.pointer(pointer).and_then(Value::as_u64).unwrap_or(1);
        let l = estimate(plan).layout;
        let product =
            number("/train_micro_batch_size_per_gpu") * number("/gradient_accumulation_steps") * u64::from(l.data);
        assert_eq!((number("/train_batch_size"), product), (batch(plan), batch(plan)), "{case}");
        assert_eq!(l.context, 1, "{case}");
        assert!(l.pipeline == 1 || number("/zero_optimization/stage") < 2, "{case}");
        assert!(check_claim(&LayoutClaim::from_deepspeed(&read, gpus(plan) as u32)).is_empty(), "{case}");
    });
}

#[test]
fn nemo_and_the_batch_script_multiply_out() {
    each("nemo.yaml", |case, plan, file| {
        let l = estimate(plan).layout;
        assert_eq!(after(file, " tensor_model_parallel_size: "), u64::from(l.tensor), "{case}");
        assert_eq!(after(file, " pipeline_model_parallel_size: "), u64::from(l.pipeline), "{case}");
        assert_eq!(after(file, " global_batch_size: "), batch(plan), "{case}");
    });
    each("train.sbatch", |case, plan, file| {
        let processes = after(file, " --nproc-per-node=") * after(file, "--nnodes=");
        assert_eq!(after(file, "--nodes=") * after(file, "--gpus-per-node="), gpus(plan), "{case}");
        assert_eq!(processes, gpus(plan), "{case}");
    });
}

#[test]
fn thresholds_are_those_of_the_plan() {
    each("prometheus-rules.yaml", |case, plan, file| {
        let threshold = |alert: &str| -> f64 {
            let rule =
                file.text.split(&format!("alert: {alert}\n")).nth(1).unwrap_or_else(|| panic!("{case}: {alert}"));
            let expression = rule.split('\'').nth(1).expect("an expression");
            expression.rsplit(' ').next().and_then(|n| n.parse().ok()).expect("a number")
        };
        let expected = |metric: &str| plan.utilization.health.iter().find(|h| h.metric == metric).expect("a metric");
        let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-5 * b.abs(), "{case}: {a} and {b}");
        close(threshold("TokensPerSecondLow"), expected("tokens_per_second_per_gpu").low * gpus(plan) as f64);
        close(threshold("StepTimeHigh"), expected("step_seconds").high);
        close(threshold("MfuLow"), expected("mfu").low);
        close(threshold("AllReduceShareHigh"), expected("all_reduce_share").high);
    });
}

#[test]
fn no_variable_is_set_that_its_fabric_ignores() {
    for (case, (plan, files)) in ALL.iter() {
        let Some(file) = files.artifact("nccl.env") else { continue };
        let fabric = plan.shown().and_then(|t| t.cluster.as_ref()).expect("a cluster").fabric.as_str();
        let verbs = matches!(fabric, "infiniband" | "roce");
        assert!(verbs || !file.text.contains("export NCCL_IB"), "{case}");
        assert_eq!(file.text.contains("export NCCL_IB_TC"), fabric == "roce", "{case}");
        assert_eq!(file.text.contains("export FI_PROVIDER"), fabric == "efa", "{case}");
        assert_eq!(file.text.contains("export NCCL_SOCKET_NTHREADS"), fabric == "ethernet-tcp", "{case}");
    }
    let fabrics: Vec<&str> =
        ALL.values().filter_map(|(p, _)| Some(p.shown()?.cluster.as_ref()?.fabric.as_str())).collect();
    assert!(["infiniband", "roce", "efa"].iter().all(|f| fabrics.contains(f)), "{fabrics:?}");
}

#[test]
fn marks_of_the_network_rise_with_the_message_and_stay_below_what_is_expected() {
    each("nccl-acceptance.sh", |case, _, file| {
        let table = file.text.split("marks=\"\n").nth(1).and_then(|t| t.split('"').next()).expect("marks");
        let rows: Vec<Vec<f64>> =
            table.lines().map(|l| l.split(' ').map(|n| n.parse().expect("a number")).collect()).collect();
        assert_eq!(rows.len(), 4, "{case}");
        assert!(rows.iter().all(|r| r[2] < r[1] && r[2] > 0.7 * r[1]), "{case}: {rows:?}");
        assert!(rows.windows(2).all(|w| w[0][0] < w[1][0] && w[0][1] <= w[1][1]), "{case}: {rows:?}");
    });
}

/// Runs a program on a text; `None` where there is no such program.
fn accepted(program: &str, arguments: &[&str], text: &str) -> Option<Result<(), String>> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let done = child.wait_with_output().ok()?;
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    Some(if done.status.success() { Ok(()) } else { Err(said) })
}

#[test]
fn scripts_parse() {
    let scripts = ALL.iter().flat_map(|(case, (_, files))| {
        files.artifacts.iter().filter(|a| a.media_type == "text/x-shellscript").map(move |a| (case, a))
    });
    let mut seen = 0;
    for (case, artifact) in scripts {
        seen += 1;
        let parsed = accepted("bash", &["-n"], &artifact.text).expect("bash");
        assert_eq!(parsed, Ok(()), "{case}: {}", artifact.name);
        // where it is installed; `make check-artifacts` brings its own
        if let Some(checked) = accepted("shellcheck", &["--shell=bash", "-"], &artifact.text) {
            assert_eq!(checked, Ok(()), "{case}: {}", artifact.name);
        }
    }
    assert!(seen > 40, "{seen}");
    assert!(accepted("bash", &["-n"], "if then").is_some_and(|r| r.is_err()), "bash refuses what is wrong");
}

#[test]
fn where_nothing_holds_the_model_there_is_nothing_to_run() {
    let plan = plan(json!({"model": {"preset": "llama-3.1-405b"}, "accelerators": ["h100-sxm"], "max_gpus": 8}));
    let files = handover(&plan);
    assert!(files.artifacts.is_empty() && files.operating.is_none() && files.refused.len() == 13);
    assert!(files.refused.iter().all(|r| r.reason.contains("does not fit")), "{:?}", files.refused[0]);
}

#[test]
fn software_that_does_not_run_on_an_accelerator_is_refused() {
    let plan = plan(json!({"model": {"preset": "llama-3.1-8b"}, "accelerators": ["trainium-2"], "max_gpus": 64}));
    let files = handover(&plan);
    let refused: Vec<&str> = files.refused.iter().map(|r| r.name.as_str()).collect();
    for name in [
        "megatron-lm.sh",
        "torchtitan.toml",
        "deepspeed.json",
        "nemo.yaml",
        "nccl.env",
        "nccl-acceptance.sh",
        "train.sbatch",
    ] {
        assert!(refused.contains(&name), "{name} is made for Trainium");
    }
    assert!(files.artifact("checkpoint.yaml").is_some() && files.artifact("storage-acceptance.sh").is_some());
}

#[test]
fn the_operating_plan_is_the_plans_own() {
    for (case, (plan, files)) in ALL.iter() {
        let operating = files.operating.as_ref().expect("an operating plan");
        assert_eq!(operating.metrics, plan.utilization.health, "{case}");
        assert_eq!(Some(operating.goodput), plan.shown().and_then(|t| t.goodput), "{case}");
        assert!(operating.staff_fte > 0.0 && operating.scratch.iter().all(|s| s.bytes_per_node > 0.0), "{case}");
    }
}

// ---- layouts of others ----

#[test]
fn a_stated_layout_must_multiply_out() {
    let stated = json!({"tensor_model_parallel_size": 8, "pipeline_model_parallel_size": 4, "data_parallel_size": 8,
        "sequence_parallelism": true, "context_parallel_size": 2});
    let problems = check_claim(&LayoutClaim::from_megatron(&stated, 256));
    assert_eq!(problems.len(), 1);
    assert_eq!((problems[0].pointer.as_str(), problems[0].code.as_str()), ("/layout/data", "too_many_devices"));
    assert_eq!(
        problems[0].message,
        "`tensor` 8 × `pipeline` 4 × `context` 2 × `data` 8 = 512 devices are needed, not 256; use 512 devices, or `data` 4"
    );
    assert!(check_claim(&LayoutClaim::from_megatron(&stated, 512)).is_empty());
    let half = json!({"tensor_model_parallel_size": 8, "pipeline_model_parallel_size": 4, "data_parallel_size": 4, "context_parallel_size": 2});
    assert!(check_claim(&LayoutClaim::from_megatron(&half, 256)).is_empty());
    let few = check_claim(&LayoutClaim::from_megatron(&half, 1_024));
    assert_eq!(few[0].code, "too_few_devices");
}

#[test]
fn deepspeed_refuses_zero_3_with_a_pipeline() {
    let stated = json!({
        "train_batch_size": 128, "gradient_accumulation_steps": 4,
        "zero_optimization": {"stage": 3, "reduce_bucket_size": "5e8", "prefetch_bucket_size": "3e8"},
        "tensor_parallel": {"enabled": true, "tp_size": 8},
        "pipeline_parallel": {"enabled": true, "pipeline_size": 4},
        "communication_data_type": "bf16"
    });
    let problems = check_claim(&LayoutClaim::from_deepspeed(&stated, 128));
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert_eq!(problems[0].pointer, "/layout/sharding");
    assert!(problems[0].message.contains("ZeRO stage 3 with `pipeline` 4"), "{}", problems[0].message);
    assert!(problems[0].message.contains("use stage 0 or 1, or `pipeline` 1"));
    for (stage, refused) in [(0, false), (1, false), (2, true), (3, true)] {
        let mut stated = stated.clone();
        stated["zero_optimization"]["stage"] = json!(stage);
        assert_eq!(!check_claim(&LayoutClaim::from_deepspeed(&stated, 128)).is_empty(), refused, "stage {stage}");
    }
    let mut flat = stated;
    flat["pipeline_parallel"]["pipeline_size"] = json!(1);
    assert!(check_claim(&LayoutClaim::from_deepspeed(&flat, 128)).is_empty());
    assert_eq!(check_claim(&LayoutClaim::from_deepspeed(&flat, 100))[0].code, "does_not_divide");
}
