//! The parallel layout in words, and the memory of the fullest device.

use super::{layout_drawing, nothing, pipeline_timeline, section as wrap};
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
    let servers = plan.shown().and_then(|t| t.cluster.as_ref()).map_or(1, |cluster| cluster.gpus_per_node);
    let drawings = [
        layout_drawing::draw(&estimate.layout, servers).map(|drawn| ("Where it runs", drawn)),
        pipeline_timeline::draw(estimate, micro_batches(plan, estimate))
            .map(|drawn| ("One step of the pipeline", drawn)),
    ];
    let drawings: Vec<_> = drawings
        .into_iter()
        .flatten()
        .map(|(title, (svg, caption))| {
            view! { <figure class="drawing"><h4>{title}</h4><div inner_html=svg></div><figcaption class="quiet">{caption}</figcaption></figure> }
        })
        .collect();
    let body = view! {
        <div class="block">
            <h3>{estimate.layout.short()}</h3>
            <p class="quiet">{searched}</p>
            <div class="drawings">{drawings}</div>
            <DataTable caption="Parallel layout" head=head rows=rows(estimate) />
        </div>
        {memory}
        {remedy}
    };
    wrap("layout", "Layout and memory", body.into_any())
}

/// Micro-batches of a replica in one step.
fn micro_batches(plan: &Plan, estimate: &Estimate) -> f64 {
    let sequences = plan.request.global_batch_tokens as f64 / plan.request.context_length as f64;
    sequences / f64::from(estimate.layout.data * estimate.layout.micro_batch_sequences)
}

/// One way of splitting the work: its name, what it means when it is not used, and how many ways it splits what.
struct Degree {
    name: &'static str,
    of: fn(&Layout) -> u32,
    unused: &'static str,
    used: (&'static str, &'static str),
}

const DEGREES: [Degree; 6] = [
    Degree {
        name: "Tensor parallel (TP)",
        of: |l| l.tensor,
        unused: "Each matrix is whole on its GPU.",
        used: ("Each matrix is split over ", " GPUs of one scale-up domain."),
    },
    Degree {
        name: "Pipeline parallel (PP)",
        of: |l| l.pipeline,
        unused: "All layers are on each GPU.",
        used: ("The layers are split into ", " stages."),
    },
    Degree {
        name: "Virtual stages (VP)",
        of: |l| l.virtual_pipeline,
        unused: "Each stage is one run of layers.",
        used: ("Each GPU holds ", " runs of layers, which shrinks the bubble."),
    },
    Degree {
        name: "Context parallel (CP)",
        of: |l| l.context,
        unused: "Each sequence is whole on its GPU.",
        used: ("Each sequence is split over ", " GPUs."),
    },
    Degree {
        name: "Expert parallel (EP)",
        of: |l| l.expert,
        unused: "Experts, if any, are not split.",
        used: ("The experts are split over ", " GPUs."),
    },
    Degree {
        name: "Data parallel (DP)",
        of: |l| l.data,
        unused: "There is one replica.",
        used: ("", " replicas each train on their share of the batch."),
    },
];

const MICRO_BATCH: Degree = Degree {
    name: "Micro-batch",
    of: |l| l.micro_batch_sequences,
    unused: "One sequence at a time on each GPU.",
    used: ("", " sequences at a time on each GPU."),
};

impl Degree {
    fn row(&self, layout: &Layout) -> Vec<Cell> {
        let n = (self.of)(layout);
        let (before, after) = self.used;
        let text = if n <= 1 { self.unused.to_owned() } else { format!("{before}{n}{after}") };
        vec![Cell::from(self.name), Cell::from(format::count(f64::from(n))), Cell::from(text)]
    }
}

fn rows(estimate: &Estimate) -> Vec<Vec<Cell>> {
    let layout = &estimate.layout;
    let sharding = format!("Replicas share: {}.", layout.sharding.label().to_lowercase());
    let mut rows: Vec<_> = DEGREES.iter().map(|degree| degree.row(layout)).collect();
    rows.push(vec![Cell::from("Sharding"), Cell::from("—"), Cell::from(sharding)]);
    rows.push(MICRO_BATCH.row(layout));
    rows.push(vec![Cell::from("Recompute"), Cell::from("—"), Cell::from(recompute(layout.recompute))]);
    rows
}

fn recompute(policy: engine::request::Recompute) -> &'static str {
    use engine::request::Recompute as R;
    match policy {
        R::None => "None: all activations are kept.",
        R::Selective => "Selective: cheap parts are computed again in the backward pass.",
        R::Full => "Full: each layer is computed again from its input.",
    }
}
