//! The parallel layout in words, and the memory of the fullest device.

use super::{nothing, section as wrap};
use crate::charts::build;
use crate::components::{Cell, DataTable, FigureView};
use crate::format;
use engine::Plan;
use engine::answer::{Estimate, Layout};
use leptos::prelude::*;

/// Layout table and memory bar.
pub(super) fn section(plan: &Plan) -> AnyView {
    let Some(estimate) = plan.shown().and_then(|t| t.estimate.as_ref()) else {
        return wrap("layout", "Layout and memory", nothing("No cluster is shown, so there is no layout to show."));
    };
    let memory = build::memory(plan).map(|f| view! { <FigureView figure=f full=true /> });
    let remedy = estimate.remedy.clone().map(|text| view! { <p class="message message-warning">{text}</p> });
    let head = ["What", "#Degree", "What it does"].map(str::to_owned).to_vec();
    let searched = format!(
        "Best of {} layouts that were evaluated for this cluster.",
        format::count(estimate.layouts_evaluated as f64)
    );
    let body = view! {
        <div class="block">
            <h3>{estimate.layout.short()}</h3>
            <p class="quiet">{searched}</p>
            <DataTable caption="Parallel layout" head=head rows=rows(estimate) />
        </div>
        {memory}
        {remedy}
    };
    wrap("layout", "Layout and memory", body.into_any())
}

fn rows(estimate: &Estimate) -> Vec<Vec<Cell>> {
    let l: &Layout = &estimate.layout;
    let degree = |name: &str, n: u32, one: &str, many: String| {
        vec![
            Cell::from(name),
            Cell::from(format::count(f64::from(n))),
            Cell::from(if n <= 1 { one.to_owned() } else { many }),
        ]
    };
    vec![
        degree(
            "Tensor parallel (TP)",
            l.tensor,
            "Each matrix is whole on its GPU.",
            format!("Each matrix is split over {} GPUs of one scale-up domain.", l.tensor),
        ),
        degree(
            "Pipeline parallel (PP)",
            l.pipeline,
            "All layers are on each GPU.",
            format!("The layers are split into {} stages.", l.pipeline),
        ),
        degree(
            "Virtual stages (VP)",
            l.virtual_pipeline,
            "Each stage is one run of layers.",
            format!("Each GPU holds {} runs of layers, which shrinks the bubble.", l.virtual_pipeline),
        ),
        degree(
            "Context parallel (CP)",
            l.context,
            "Each sequence is whole on its GPU.",
            format!("Each sequence is split over {} GPUs.", l.context),
        ),
        degree(
            "Expert parallel (EP)",
            l.expert,
            "Experts, if any, are not split.",
            format!("The experts are split over {} GPUs.", l.expert),
        ),
        degree(
            "Data parallel (DP)",
            l.data,
            "There is one replica.",
            format!("{} replicas each train on their share of the batch.", l.data),
        ),
        vec![
            Cell::from("Sharding"),
            Cell::from("—"),
            Cell::from(format!("Replicas share: {}.", l.sharding.label().to_lowercase())),
        ],
        degree(
            "Micro-batch",
            l.micro_batch_sequences,
            "One sequence at a time on each GPU.",
            format!("{} sequences at a time on each GPU.", l.micro_batch_sequences),
        ),
        vec![Cell::from("Recompute"), Cell::from("—"), Cell::from(recompute(l.recompute))],
    ]
}

fn recompute(policy: engine::request::Recompute) -> &'static str {
    use engine::request::Recompute as R;
    match policy {
        R::None => "None: all activations are kept.",
        R::Selective => "Selective: cheap parts are computed again in the backward pass.",
        R::Full => "Full: each layer is computed again from its input.",
    }
}
