//! A published measurement as a request for an estimate.

use engine::validation::Measurement;
use engine::{Estimate, EstimateRequest};
use serde_json::{Value, json};

/// The configuration as published; what is not stated is left to the engine.
pub fn row_request(row: &Measurement) -> Option<Value> {
    let layout = row.layout();
    let (tensor, pipeline, context) = (layout.tensor?, layout.pipeline?, layout.context?);
    let replicas = u64::from(row.gpus / (tensor * pipeline * context).max(1)).max(1);
    let micro = u64::from(row.micro_batch_sequences.unwrap_or(1));
    let batch = row.global_batch_sequences.unwrap_or(replicas * micro * u64::from(pipeline));
    let mut request = json!({
        "model": {"architecture": serde_json::to_value(row.architecture()?).ok()?},
        "context_length": row.context_length?, "precision": row.precision().id(), "method": row.method.id(),
        "accelerator": row.accelerator, "gpus": row.gpus, "gpus_per_node": row.gpus_per_node,
        "global_batch_sequences": batch, "layout": {},
        "software": serde_json::to_value(row.software()).ok()?,
    });
    if let Some(optimizer) = row.optimizer {
        request["optimizer"] = json!(optimizer.id());
    }
    if let Some(offload) = row.host_offload {
        request["host_offload"] = json!(offload.id());
    }
    let degrees = [
        ("tensor", layout.tensor),
        ("pipeline", layout.pipeline),
        ("virtual_pipeline", layout.virtual_pipeline),
        ("context", layout.context),
        ("expert", layout.expert),
    ];
    for (name, degree) in degrees {
        if let Some(degree) = degree {
            request["layout"][name] = json!(degree);
        }
    }
    if let Some(sharding) = layout.sharding {
        request["layout"]["sharding"] = json!(sharding.id());
    }
    if let Some(micro) = layout.micro_batch_sequences {
        request["micro_batch_sequences"] = json!(micro);
    }
    if let Some(recompute) = layout.recompute {
        request["recompute"] = json!(recompute.id());
    }
    Some(request)
}

/// What the engine says of it.
pub fn row_estimate(row: &Measurement) -> Option<Estimate> {
    let request = EstimateRequest::parse(&row_request(row)?, engine::request::Form::Json).ok()?;
    engine::estimate(&request).ok()
}
