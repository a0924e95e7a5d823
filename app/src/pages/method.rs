//! How figures come about, in short.

use crate::pages::Description;
use leptos::prelude::*;
use leptos_meta::Title;

/// A part: title, prose, and the formula it rests on.
struct Part {
    id: &'static str,
    title: &'static str,
    prose: &'static [&'static str],
    formula: &'static str,
}

const PARTS: [Part; 8] = [
    Part {
        id: "counting",
        title: "Counting the model",
        prose: &[
            "Parameters are counted from the architecture, to the last one: attention with its grouped heads, gated or plain feed-forward, norms, biases, embeddings, experts and router. For a published model the count equals its checkpoint. If you give only a size, a plausible architecture is assumed, and the plan says so.",
            "Training FLOPs count the forward pass once and the backward pass twice. Attention counts as causal: each token sees half of the context on average. The embedding look-up is left out, the output head is in.",
        ],
        formula: "FLOPs per token = 3 × (2 × active matrix weights + 4 × layers × heads × head size × context ÷ 2)",
    },
    Part {
        id: "memory",
        title: "Memory of the fullest device",
        prose: &[
            "Pipeline stages differ: the first holds the embedding and most activations, the last the head and the logits. The plan shows the fullest device, part by part, against what a training process can really allocate there, which is less than the number on the box.",
        ],
        formula: "weights + gradients + optimizer states, divided by how they are split, + activations in flight + logits + buffers ≤ usable GiB",
    },
    Part {
        id: "time",
        title: "Time of one step",
        prose: &[
            "A step is built from parts with a physical meaning: matrix work at an efficiency that falls for small shapes, attention at its own rate, memory-bound work at the bandwidth of the device, communication by message size and by where the group sits, and the pipeline bubble. What overlaps is not counted twice. The few constants are fitted to published measurements.",
            "fp8 and fp4 speed up the linear layers only; attention, head and loss stay in bf16, and casts cost time.",
        ],
        formula: "step = matrix work + memory-bound work + exposed communication + bubble + optimizer + launches",
    },
    Part {
        id: "search",
        title: "Search",
        prose: &[
            "For every allowed accelerator and cluster size, every split of the model that divides evenly, fits and stays inside the fast domain is evaluated: tensor, pipeline, context, expert and data parallel, sharding, micro-batch, recompute. The fastest wins; a tie goes to the simpler layout.",
        ],
        formula: "GPUs = tensor × pipeline × context × data",
    },
    Part {
        id: "calendar",
        title: "From steps to days",
        prose: &[
            "Devices fail, and more devices fail more often. Checkpoints are written at the interval that loses least, and lost work and restarts are counted. What remains is goodput. Low and high come from the spread of the fit against measurements.",
        ],
        formula: "days = tokens ÷ (tokens per second × goodput × 86,400)",
    },
    Part {
        id: "buying",
        title: "Buying",
        prose: &[
            "The bill of materials counts servers, spares, switches, optics, storage, racks and installation. An owned hour carries the hardware over its life with the cost of capital and its residual value, power with the facility's overhead, space, support and staff. A run is charged for its share of the hours that hold work.",
        ],
        formula: "owned hour = (capital cost + power + space + support + staff) ÷ (hours × utilization)",
    },
    Part {
        id: "renting",
        title: "Renting, and when buying pays back",
        prose: &[
            "On demand pays the hours that are used; a reservation pays every hour; spot pays the hours used and the work that interruptions destroy. An offer carries its network, and the step is timed with it: a cheap offer without a fast fabric is a slower cluster.",
            "Buying pays back in the month in which its cumulative cost falls below that of a rival for the same work. Never is an answer.",
        ],
        formula: "months = purchase ÷ (rent a month at your utilization − running cost a month)",
    },
    Part {
        id: "honesty",
        title: "What these figures are not",
        prose: &[
            "They are estimates from formulas and dated public figures, not quotes and not guarantees. A list price is not what a large buyer pays. A throughput band says how far the formula has been off where it could be checked; a new model on a new device may be further off. Where the engine can't know, it gives a range, and where a price is unknown it says so: an absent price is never zero.",
        ],
        formula: "",
    },
];

/// The page.
#[component]
pub fn MethodPage() -> impl IntoView {
    let contents: Vec<_> =
        PARTS.iter().map(|p| view! { <li><a href=format!("#{}", p.id)>{p.title}</a></li> }).collect();
    let parts: Vec<_> = PARTS
        .iter()
        .map(|part| {
            let prose: Vec<_> = part.prose.iter().map(|text| view! { <p>{*text}</p> }).collect();
            let formula = (!part.formula.is_empty()).then(|| view! { <p class="formula">{part.formula}</p> });
            view! { <section class="prose-part" id=part.id><h2>{part.title}</h2>{prose}{formula}</section> }
        })
        .collect();
    view! {
        <Title text="How figures come about · Clusterwright" />
        <Description text="How time, memory, network, power and cost of a training cluster are computed: formulas, assumptions and what is left out." />
        <main class="page page-prose" id="main">
            <h1>"How figures come about"</h1>
            <p class="lead">"From a model to a cluster, from a cluster to days, from days to money: each step in a paragraph and a formula. On the planner, the figures open to the values that went into them."</p>
            <nav class="contents" aria-label="Contents"><ul>{contents}</ul></nav>
            {parts}
            <p><a href="/validation">"Predicted against measured: every row that the constants rest on"</a></p>
        </main>
    }
}
