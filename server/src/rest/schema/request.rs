//! What callers send: plans and estimates. The model is in `model`.

use super::{choice, flag, ids, input, list, map, number, of, text, whole, within};
use engine::catalog::Catalog;
use engine::request::{
    Acquisition, AttentionKernel, Facility, HostOffload, Method, Optimizer, Overrides, PLAN_LIMITS, Precision,
    Recompute, Sharding, SoftwareStack, StorageClass, Topology,
};
use serde_json::{Value, json};

const LARGEST_DEGREE: f64 = 1_048_576.0;

fn range(schema: Value, (min, max): (u64, u64)) -> Value {
    within(schema, min as f64, max as f64)
}

/// A share whose text form may leave the percent sign out.
fn share(description: &str, min: f64, max: f64) -> Value {
    let description = format!("{description}. With GET also in percent: 60%, 60 and 0.6 are the same");
    within(number(&description), min, max)
}

/// What plans and estimates have in common.
fn training() -> [(&'static str, Value); 5] {
    [
        (
            "precision?",
            choice(
                "Number format of the linear layers; attention, head and loss stay in bf16; bf16 if absent",
                &ids(Precision::ALL, Precision::id),
            ),
        ),
        ("method?", choice("What is trained; pretraining if absent", &ids(Method::ALL, Method::id))),
        (
            "optimizer?",
            choice(
                "Optimizer and the precision of its states, with a 32-bit master copy of the weights except in adamw_bf16; adamw (32-bit states) if absent",
                &ids(Optimizer::ALL, Optimizer::id),
            ),
        ),
        (
            "host_offload?",
            choice(
                "What lives in the host's memory and is streamed over the link to it: nothing, optimizer states and master weights, or weights and gradients too; none if absent",
                &ids(HostOffload::ALL, HostOffload::id),
            ),
        ),
        ("software?", of("Software", "Software options; a current tuned stack if absent")),
    ]
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
        (
            "PlanRequestOrBatch",
            json!({ "oneOf": [
            { "$ref": "#/components/schemas/PlanRequest" },
            { "type": "array", "maxItems": 50, "items": { "$ref": "#/components/schemas/PlanRequest" } },
        ] }),
        ),
        ("LayoutRequest", layout()),
        ("Software", software()),
        ("Overrides", overrides()),
        ("PriceSource", price_source()),
    ]
}

fn plan_request() -> Value {
    let limits = &PLAN_LIMITS;
    let utilization = format!(
        "Share of hours that hold work, in the first month before seasonality; {} if absent",
        Catalog::get().costs.utilization.value
    );
    let mut fields = vec![
        ("model", of("Model", "The model")),
        (
            "context_length?",
            range(
                whole("Context length, tokens; 8192 if absent, or less where a preset's model is made for less"),
                limits.context_length,
            ),
        ),
        (
            "training_tokens?",
            range(
                whole(
                    "Tokens to train on; if absent, about 20 for each active parameter, or 100 million for fine-tuning and LoRA",
                ),
                limits.training_tokens,
            ),
        ),
        (
            "global_batch_tokens?",
            range(
                whole("Tokens of one optimizer step, at least one sequence; by size of model and method if absent"),
                limits.global_batch_tokens,
            ),
        ),
    ];
    fields.extend(training());
    fields.extend([
        ("budget_usd?", within(number("Budget for this run, USD"), 1.0, 1e12)),
        ("monthly_budget_usd?", within(number("Budget per month, USD"), 1.0, 1e12)),
        ("deadline_days?", within(number("Days from start to finish"), 0.01, 3650.0)),
        ("max_gpus?", range(whole("Largest cluster considered, devices; 2048 if absent"), limits.max_gpus)),
        ("max_power_kw?", within(number("Power that is available, kW at the facility"), 0.1, 1e7)),
        ("team_size?", within(number("Engineers who can run the cluster"), 0.0, 1e5)),
        (
            "accelerators?",
            list("Accelerators allowed, ids of the catalog; empty for all", text("Id, such as h100-sxm")),
        ),
        ("providers?", list("Providers allowed, ids of the catalog; empty for all", text("Id, such as aws"))),
        (
            "acquisition?",
            list(
                "Ways of acquiring allowed; empty for all",
                choice("Way of acquiring", &ids(Acquisition::ALL, Acquisition::id)),
            ),
        ),
        ("region?", text("Region for electricity, colocation and carbon, an id of the catalog; us-average if absent")),
        (
            "facility?",
            choice(
                "Where an owned cluster stands: colocation or an own facility; colocation if absent",
                &ids(Facility::ALL, Facility::id),
            ),
        ),
        ("utilization?", share(&utilization, 0.01, 1.0)),
        ("demand_growth_per_month?", share("Growth of demand per month, a share; 0 if absent", -0.5, 1.0)),
        (
            "demand_seasonality?",
            share(
                "Amplitude a of the yearly swing of demand: month m has 1 + a·sin(2πm/12) of its trend; 0 if absent",
                0.0,
                1.0,
            ),
        ),
        (
            "horizon_months?",
            range(whole("Months over which buying and renting are compared; 36 if absent"), limits.horizon_months),
        ),
        ("overrides?", of("Overrides", "Your own figures in place of the catalog's")),
        (
            "quotes?",
            map(
                "Where some of the overrides are from, by their path such as server_usd.b200: named as the source of the figures, and nothing is computed with them. The links of a plan that is made with a price book hold its quotes",
                of("PriceSource", "A quote"),
            ),
        ),
    ]);
    input(
        "What to train, within which limits, for which business. All but `model` may be absent; the answer echoes the defaults",
        &fields,
    )
}

fn estimate_request() -> Value {
    let mut fields = vec![
        ("model", of("Model", "The model")),
        ("context_length?", within(whole("Context length, tokens; 8192 if absent"), 64.0, 16_777_216.0)),
    ];
    fields.extend(training());
    fields.extend([
        ("accelerator", text("Accelerator, an id of the catalog, such as h100-sxm")),
        ("gpus", within(whole("Devices"), 1.0, LARGEST_DEGREE)),
        ("gpus_per_node?", within(whole("Devices in one server; the accelerator's if absent"), 1.0, 1_024.0)),
        (
            "network_gbps_per_gpu?",
            within(number("Network rate per device, Gb/s; the accelerator's if absent"), 0.1, 100_000.0),
        ),
        ("fabric?", text("Fabric between servers, an id of the catalog; infiniband if absent")),
        (
            "global_batch_sequences?",
            within(
                whole(
                    "Sequences of one optimizer step; if absent, about 4M tokens and at least one sequence for each device",
                ),
                1.0,
                1e8,
            ),
        ),
        ("micro_batch_sequences?", within(whole("Sequences of one micro-batch; chosen if absent"), 1.0, 65_536.0)),
        (
            "recompute?",
            choice(
                "What of the activations is computed again; chosen if absent",
                &ids(Recompute::ALL, Recompute::id),
            ),
        ),
        ("layout?", of("LayoutRequest", "Layout; what is absent is chosen")),
    ]);
    input("One cluster, and a layout that may be given in part", &fields)
}

fn layout() -> Value {
    let degree = |text| within(whole(text), 1.0, LARGEST_DEGREE);
    input(
        "The parts of a layout that are given",
        &[
            ("tensor?", degree("Tensor-parallel degree")),
            ("pipeline?", degree("Pipeline stages")),
            ("virtual_pipeline?", degree("Virtual stages per device")),
            ("context?", degree("Context-parallel degree")),
            ("expert?", degree("Expert-parallel degree")),
            ("sharding?", choice("What data parallelism shards", &ids(Sharding::ALL, Sharding::id))),
        ],
    )
}

fn software() -> Value {
    input(
        "Software options. A stack sets the options that are absent",
        &[
            (
                "stack?",
                choice(
                    "Family of training software; megatron-core if absent",
                    &ids(SoftwareStack::ALL, SoftwareStack::id),
                ),
            ),
            ("attention_kernel?", choice("Attention kernel", &ids(AttentionKernel::ALL, AttentionKernel::id))),
            ("compiled?", flag("Graph compiler or hand-fused kernels for the memory-bound work")),
            ("cuda_graphs?", flag("CUDA graphs: no launch cost")),
            ("fused_loss?", flag("Fused or chunked cross-entropy")),
            ("overlap_communication?", flag("Collectives run beside computation")),
            ("sequence_parallel?", flag("Norms and residuals are split across the tensor-parallel group")),
        ],
    )
}

fn price_source() -> Value {
    input(
        "The quote behind an override",
        &[
            ("supplier?", text("Who offered it, at most 80 characters")),
            ("recorded?", text("Day on which it was written down, such as 2026-11-30")),
            ("valid_until?", text("Last day on which it holds; until it is changed if absent")),
        ],
    )
}

fn overrides() -> Value {
    let describe = |scalar: &engine::request::ScalarOverride| format!("{}, {}", scalar.label, scalar.unit);
    let scalars: Vec<(String, Value)> = Overrides::SCALARS
        .iter()
        .map(|scalar| (format!("{}?", scalar.name), within(number(&describe(scalar)), scalar.min, scalar.max)))
        .collect();
    let mut fields: Vec<(&str, Value)> = scalars.iter().map(|(name, schema)| (name.as_str(), schema.clone())).collect();
    fields.extend([
        (
            "topology?",
            choice(
                "How the switches of a bought network are joined; auto (one switch where all ports fit, else the tree with the fewest switches) if absent",
                &ids(Topology::ALL, Topology::id),
            ),
        ),
        (
            "storage_class?",
            choice(
                "Rates of the shared storage by class of the DGX SuperPOD guideline: standard (40 and 20 GB/s for 256 devices) or enhanced (125 and 62 GB/s); standard if absent",
                &ids(StorageClass::ALL, StorageClass::id),
            ),
        ),
        (
            "server_usd?",
            map("Price of one server (system) by accelerator id, USD", within(number("USD"), 1.0, 1e9)),
        ),
        (
            "gpu_hour_usd?",
            map(
                "Price of a device-hour by provider id and accelerator id, USD; it prices the offers that the catalog has",
                map("By accelerator id", within(number("USD"), 0.001, 10_000.0)),
            ),
        ),
        (
            "item_usd?",
            map(
                "Price of one part of the bill of materials by its id, USD: a switch, network card, transceiver or cable of the catalog, or storage-node, storage-drive, front-end-port, coolant-unit, rear-door, rack, pdu, installation or network; a line of the bill names its id in price_key",
                within(number("USD"), 0.01, 1e10),
            ),
        ),
        (
            "efficiency?",
            map("Measured over predicted speed of a device's own work by accelerator id: multiplications, attention and memory traffic; communication and launches stay as predicted, so 1.1 gives less than a tenth more throughput", within(number("Factor"), 0.01, 3.0)),
        ),
    ]);
    input(
        "Your own figures in place of the catalog's; `overridden` of the answer lists each with what it replaces",
        &fields,
    )
}
