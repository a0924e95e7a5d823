//! What callers send.

use super::{choice, flag, list, map, number, object, of, or_null, text, whole, within};
use engine::request::{
    Acquisition, AttentionKernel, Method, Optimizer, Overrides, PLAN_LIMITS, Precision, Recompute, Sharding,
    SoftwareStack,
};
use serde_json::{Value, json};

const LARGEST_DEGREE: f64 = 1_048_576.0;

fn ids<T: Copy>(all: &[T], id: impl Fn(T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(|item| id(*item)).collect()
}

fn range(schema: Value, (min, max): (u64, u64)) -> Value {
    within(schema, min as f64, max as f64)
}

/// What plans and estimates have in common.
fn training(fields: &mut Vec<(&'static str, Value)>) {
    fields.push((
        "precision?",
        or_null(choice("Number format of the linear layers; bf16 if absent", &ids(Precision::ALL, Precision::id))),
    ));
    fields.push(("method?", or_null(choice("What is trained; pretraining if absent", &ids(Method::ALL, Method::id)))));
    fields.push(("optimizer?", or_null(choice("Optimizer; adamw if absent", &ids(Optimizer::ALL, Optimizer::id)))));
    fields.push(("software?", or_null(of("Software", "Software options; a current tuned stack if absent"))));
}

pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    vec![
        ("PlanRequest", plan_request()),
        ("EstimateRequest", estimate_request()),
        (
            "EstimateRequestOrBatch",
            json!({ "oneOf": [
            { "$ref": "#/components/schemas/EstimateRequest" },
            { "type": "array", "maxItems": 1000, "items": { "$ref": "#/components/schemas/EstimateRequest" } },
        ] }),
        ),
        ("LayoutRequest", layout()),
        ("Model", model()),
        ("Architecture", architecture()),
        ("Software", software()),
        ("Overrides", overrides()),
    ]
}

fn plan_request() -> Value {
    let limits = &PLAN_LIMITS;
    let mut fields = vec![
        ("model", of("Model", "The model")),
        (
            "context_length?",
            or_null(range(whole("Context length, tokens; the model's, up to 8192, if absent"), limits.context_length)),
        ),
        (
            "training_tokens?",
            or_null(range(whole("Tokens to train on; about 20 a parameter if absent"), limits.training_tokens)),
        ),
        (
            "global_batch_tokens?",
            or_null(range(
                whole("Tokens of one optimizer step; by size of model if absent"),
                limits.global_batch_tokens,
            )),
        ),
    ];
    training(&mut fields);
    fields.extend([
        ("budget_usd?", or_null(within(number("Budget for this run, USD"), 1.0, 1e12))),
        ("monthly_budget_usd?", or_null(within(number("Budget per month, USD"), 1.0, 1e12))),
        ("deadline_days?", or_null(within(number("Days from start to finish"), 0.01, 3650.0))),
        ("max_gpus?", or_null(range(whole("Largest cluster considered, devices"), limits.max_gpus))),
        ("max_power_kw?", or_null(within(number("Power that is available, kW at the facility"), 0.1, 1e7))),
        ("team_size?", or_null(within(number("Engineers who can run the cluster"), 0.0, 1e5))),
        (
            "accelerators?",
            or_null(list("Accelerators allowed, ids of the catalog; empty for all", text("Id, such as h100-sxm"))),
        ),
        ("providers?", or_null(list("Providers allowed, ids of the catalog; empty for all", text("Id, such as aws")))),
        (
            "acquisition?",
            or_null(list(
                "Ways of acquiring allowed; empty for all",
                choice("Way of acquiring", &ids(Acquisition::ALL, Acquisition::id)),
            )),
        ),
        (
            "region?",
            or_null(text("Region for electricity, colocation and carbon, an id of the catalog; us-average if absent")),
        ),
        ("utilization?", or_null(within(number("Share of hours that hold work, over the horizon"), 0.01, 1.0))),
        ("demand_growth_per_month?", or_null(within(number("Growth of demand per month, a share"), -0.5, 1.0))),
        (
            "horizon_months?",
            or_null(range(
                whole("Months over which buying and renting are compared; 36 if absent"),
                limits.horizon_months,
            )),
        ),
        ("overrides?", or_null(of("Overrides", "Your own figures in place of the catalog's"))),
    ]);
    closed(object(
        "What to train, within which limits, for which business. All but `model` may be absent; the answer echoes the defaults",
        &fields,
    ))
}

fn estimate_request() -> Value {
    let mut fields = vec![
        ("model", of("Model", "The model")),
        ("context_length?", or_null(within(whole("Context length, tokens; 8192 if absent"), 64.0, 16_777_216.0))),
    ];
    training(&mut fields);
    fields.extend([
        ("accelerator", text("Accelerator, an id of the catalog, such as h100-sxm")),
        ("gpus", within(whole("Devices"), 1.0, LARGEST_DEGREE)),
        ("gpus_per_node?", or_null(within(whole("Devices in one server; the accelerator's if absent"), 1.0, 1_024.0))),
        (
            "network_gbps_per_gpu?",
            or_null(within(number("Network rate per device, Gb/s; the accelerator's if absent"), 0.1, 100_000.0)),
        ),
        ("fabric?", or_null(text("Fabric between servers, an id of the catalog; infiniband if absent"))),
        (
            "global_batch_sequences?",
            or_null(within(whole("Sequences of one optimizer step; about 4M tokens if absent"), 1.0, 1e8)),
        ),
        (
            "micro_batch_sequences?",
            or_null(within(whole("Sequences of one micro-batch; chosen if absent"), 1.0, 65_536.0)),
        ),
        (
            "recompute?",
            or_null(choice(
                "What of the activations is computed again; chosen if absent",
                &ids(Recompute::ALL, Recompute::id),
            )),
        ),
        ("layout?", or_null(of("LayoutRequest", "Layout; what is absent is chosen"))),
    ]);
    closed(object("One cluster, and a layout that may be given in part", &fields))
}

fn layout() -> Value {
    let degree = |text| or_null(within(whole(text), 1.0, LARGEST_DEGREE));
    closed(object(
        "The parts of a layout that are given",
        &[
            ("tensor?", degree("Tensor-parallel degree")),
            ("pipeline?", degree("Pipeline stages")),
            ("virtual_pipeline?", degree("Virtual stages per device")),
            ("context?", degree("Context-parallel degree")),
            ("expert?", degree("Expert-parallel degree")),
            ("sharding?", or_null(choice("What data parallelism shards", &ids(Sharding::ALL, Sharding::id)))),
        ],
    ))
}

fn model() -> Value {
    closed(object(
        "The model, in one of four ways: a preset, a size, an architecture, or a Hugging Face configuration",
        &[
            ("preset?", text("Id of the catalog, such as llama-3.1-70b")),
            (
                "parameters_billion?",
                within(number("All parameters, billions; a plausible architecture is chosen"), 0.001, 20_000.0),
            ),
            (
                "active_parameters_billion?",
                or_null(within(
                    number("Parameters that one token uses, billions, for a mixture of experts"),
                    0.001,
                    20_000.0,
                )),
            ),
            ("architecture?", of("Architecture", "A full architecture")),
            (
                "huggingface?",
                json!({ "type": ["object", "string"], "description": "A Hugging Face config.json, as an object or as its text" }),
            ),
            (
                "model_type?",
                json!({ "type": ["string", "null"], "description": "Where an architecture was read from; a remark of the echoed request" }),
            ),
        ],
    ))
}

fn architecture() -> Value {
    object(
        "A transformer. Fields beyond those listed describe rarer parts; an unknown one is a problem that names the nearest",
        &[
            ("layers", within(whole("Layers"), 1.0, 2_000.0)),
            ("hidden", within(whole("Width"), 1.0, 1_048_576.0)),
            ("heads", within(whole("Attention heads"), 1.0, 4_096.0)),
            ("kv_heads?", within(whole("Key and value heads; as many as heads if absent"), 1.0, 4_096.0)),
            ("head_dim?", within(whole("Width of one head; hidden divided by heads if absent"), 1.0, 8_192.0)),
            ("ffn", within(whole("Width of the feed-forward part"), 1.0, 4_194_304.0)),
            ("vocab", within(whole("Vocabulary"), 1.0, 16_000_000.0)),
            ("gated_ffn?", flag("The feed-forward part has a gate (three matrices); true if absent")),
            ("tied_embeddings?", flag("Input and output embeddings are one matrix; false if absent")),
            ("experts?", within(whole("Experts per layer; 0 or absent for a dense model"), 0.0, 100_000.0)),
            ("experts_per_token?", within(whole("Experts that one token uses"), 1.0, 100_000.0)),
            ("expert_ffn?", within(whole("Width of one expert; ffn if absent"), 1.0, 4_194_304.0)),
            ("shared_experts?", within(whole("Experts that every token uses"), 0.0, 1_000.0)),
            ("dense_layers?", within(whole("Layers without experts, at the start"), 0.0, 2_000.0)),
        ],
    )
}

fn software() -> Value {
    closed(object(
        "Software options. A stack sets the options that are absent",
        &[
            (
                "stack?",
                or_null(choice(
                    "Family of training software; megatron-core if absent",
                    &ids(SoftwareStack::ALL, SoftwareStack::id),
                )),
            ),
            ("attention_kernel?", or_null(choice("Attention kernel", &ids(AttentionKernel::ALL, AttentionKernel::id)))),
            ("compiled?", or_null(flag("Graph compiler or hand-fused kernels for the memory-bound work"))),
            ("cuda_graphs?", or_null(flag("CUDA graphs: no launch cost"))),
            ("fused_loss?", or_null(flag("Fused or chunked cross-entropy"))),
            ("overlap_communication?", or_null(flag("Collectives run beside computation"))),
            ("sequence_parallel?", or_null(flag("Norms and residuals are split across the tensor-parallel group"))),
        ],
    ))
}

fn overrides() -> Value {
    let mut schema = object("Your own figures in place of the catalog's; each use is marked in the answer", &[]);
    for scalar in Overrides::SCALARS {
        let description = format!("{}, {}", scalar.label, scalar.unit);
        schema["properties"][scalar.name] = or_null(within(number(&description), scalar.min, scalar.max));
    }
    let price = |text| within(number(text), 0.001, 10_000.0);
    schema["properties"]["server_usd"] =
        or_null(map("Price of one server by accelerator id, USD", within(number("USD"), 1.0, 1e9)));
    schema["properties"]["gpu_hour_usd"] = or_null(map(
        "Price of a device-hour by provider id and accelerator id, USD",
        map("By accelerator id", price("USD")),
    ));
    schema["properties"]["efficiency"] =
        or_null(map("Measured over predicted throughput by accelerator id", within(number("Factor"), 0.01, 3.0)));
    closed(schema)
}

/// An unknown key is an error.
fn closed(mut schema: Value) -> Value {
    schema["additionalProperties"] = json!(false);
    schema
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::request::Form;
    use engine::{EstimateRequest, PlanRequest, Problem};

    /// Each range in the schema is the range that is enforced.
    fn check(schema: &Value, parse: impl Fn(&str, Value) -> Option<Problem>) {
        for (name, field) in schema["properties"].as_object().expect("properties") {
            let (Some(min), Some(max)) = (field["minimum"].as_f64(), field["maximum"].as_f64()) else { continue };
            let refused = |value: f64| {
                let problem = parse(name, super::super::tidy(value));
                problem.is_some_and(|p| {
                    p.errors.iter().any(|e| {
                        e.pointer.ends_with(&format!("/{name}"))
                            && e.code == "out_of_range"
                            && !e.message.contains("sequence of")
                    })
                })
            };
            assert!(!refused(min) && !refused(max), "{name}: its ends are refused");
            assert!(refused(min - 1.0) && refused(max + 1.0), "{name}: values beyond its ends are accepted");
        }
    }

    #[test]
    fn ranges_of_plans_are_those_enforced() {
        let model = json!({ "preset": "llama-3.1-8b" });
        check(&plan_request(), |name, value| {
            PlanRequest::parse(&json!({ "model": model, name: value }), Form::Json).err()
        });
        check(&overrides(), |name, value| {
            PlanRequest::parse(&json!({ "model": model, "overrides": { name: value } }), Form::Json).err()
        });
    }

    #[test]
    fn ranges_of_estimates_are_those_enforced() {
        let base = |name: &str, value: Value| {
            let mut request = json!({ "model": { "preset": "llama-3.1-8b" }, "accelerator": "h100-sxm", "gpus": 8 });
            request[name] = value;
            EstimateRequest::parse(&request, Form::Json).err()
        };
        check(&estimate_request(), base);
        check(&layout(), |name, value| base("layout", json!({ name: value })));
    }

    #[test]
    fn known_fields_are_documented_and_documented_fields_are_known() {
        // an unknown key is answered with the known ones when none is near
        let known = |value: Value| {
            let problem = PlanRequest::parse(&value, Form::Json).expect_err("an unknown key");
            let message =
                problem.errors.iter().find(|e| e.code == "unknown_key").map(|e| e.message.clone()).unwrap_or_default();
            let mut names: Vec<String> =
                message.split("known are ").nth(1).unwrap_or_default().split(", ").map(str::to_owned).collect();
            names.sort();
            names
        };
        let documented = |schema: Value| {
            let mut names: Vec<String> =
                schema["properties"].as_object().expect("properties").keys().cloned().collect();
            names.sort();
            names
        };
        let model = json!({ "preset": "llama-3.1-8b" });
        assert_eq!(known(json!({ "model": model, "zzzz": 1 })), documented(plan_request()));
        assert_eq!(known(json!({ "model": { "preset": "llama-3.1-8b", "zzzz": 1 } })), documented(super::model()));
        assert_eq!(known(json!({ "model": model, "software": { "zzzz": 1 } })), documented(software()));
        assert_eq!(known(json!({ "model": model, "overrides": { "zzzz": 1 } })), documented(overrides()));
    }
}
