//! Whether consumer cards will do.

use super::Decision;
use super::job_of;
use super::scene::{Ask, Scene, search};
use crate::advice::{days_text, thousands};
use crate::catalog::{Accelerator, Catalog, Fabric};
use crate::performance::reference_network;
use crate::workload::ModelShape;

const QUESTION: &str = "Will consumer cards do?";
/// Halvings of the largest size that fits: to about one part in 60.
const HALVINGS: u32 = 6;

/// One box of the consumer card with the most memory.
pub(super) fn consumer_cards(scene: &Scene<'_>) -> Option<Decision> {
    let catalog = Catalog::get();
    let consumer = catalog.accelerators.iter().filter(|a| a.form == "consumer");
    let card = consumer.max_by(|a, b| a.usable_gib.value.total_cmp(&b.usable_gib.value))?;
    // inside one box nothing crosses a network
    let fabric = catalog.fabric("ethernet-tcp")?;
    let what = format!("{} {}", card.gpus_per_node, card.short);
    let rate = scene.tokens_per_second(&ask(scene, card, fabric));
    let own = scene.days(scene.estimate.tokens_per_second_per_gpu * f64::from(scene.cluster.gpus));
    let decision = |answer: String| {
        Decision::new("consumer_cards", QUESTION, answer)
            .with(
                "usable",
                &format!("Memory that a process can allocate on one {}", card.short),
                card.usable_gib.value,
                "GiB",
            )
            .with("link", "Rate between the cards of a box", card.scale_up_gb_per_second.value, "GB/s")
    };
    let Some(rate) = rate else {
        let answer =
            format!("No: the model doesn't fit on {what}, and several boxes would be joined by slow Ethernet.");
        let largest = largest_size(scene, card, fabric);
        let turned = |b: f64| format!("On {what} a dense model of about {b:.1}B fits at this context.");
        let plain = decision(answer);
        return Some(match largest {
            Some(b) => plain
                .with("largest", &format!("Largest dense model on {what}"), b, "billion parameters")
                .turning(turned(b)),
            None => plain,
        });
    };
    let days = scene.days(rate);
    let deadline = scene.request.deadline_days;
    let answer = match deadline {
        Some(limit) if days > limit => {
            format!("No: {what} take {}, past the deadline of {} days.", days_text(days), thousands(limit))
        }
        _ => format!(
            "They can: {what} take {} against {} on the cluster of the plan.{}",
            days_text(days),
            days_text(own),
            if card.system_usd.is_none() {
                " No price of such a box is known, so the cost can't be compared."
            } else {
                ""
            }
        ),
    };
    let turns = match deadline {
        Some(limit) => format!(
            "In {} days they train on {} billion tokens.",
            thousands(limit),
            thousands(rate * limit * 86_400.0 / 1e9)
        ),
        None => format!("In 30 days they train on {} billion tokens.", thousands(rate * 30.0 * 86_400.0 / 1e9)),
    };
    Some(
        decision(answer)
            .with("days", &format!("Days on {what}"), days, "days")
            .with("days_plan", "Days on the cluster of the plan", own, "days")
            .turning(turns),
    )
}

fn ask<'a>(scene: &Scene<'_>, card: &'a Accelerator, fabric: &'a Fabric) -> Ask<'a> {
    Ask {
        accelerator: card,
        fabric,
        gbps: reference_network(card),
        gpus: card.gpus_per_node,
        precision: scene.request.precision,
    }
}

/// The largest dense model that fits on one box, billions of parameters; `None` where not even 0.1 does.
fn largest_size(scene: &Scene<'_>, card: &Accelerator, fabric: &Fabric) -> Option<f64> {
    let fits = |billion: f64| {
        let request = scene.request.with_size(billion);
        search(&request, &job_of(&request), &ask(scene, card, fabric)).is_some()
    };
    let own = ModelShape::of(&scene.request.model.architecture()).parameters as f64 / 1e9;
    let (mut low, mut high) = (0.1, own);
    if low >= high || !fits(low) {
        return None;
    }
    for _ in 0..HALVINGS {
        let middle = (low * high).sqrt();
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}
