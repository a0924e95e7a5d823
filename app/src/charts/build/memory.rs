//! Memory of the fullest device against what it can use.

use crate::charts::{Axis, Figure, Format, Kind, Reference, Series};
use crate::format;
use engine::Plan;

/// One lying stack against the usable memory.
pub fn memory(plan: &Plan) -> Option<Figure> {
    let tier = plan.shown()?;
    let (estimate, cluster) = (tier.estimate.as_ref()?, tier.cluster.as_ref()?);
    let m = &estimate.memory_gib;
    let parts = [
        ("Weights", m.weights),
        ("Gradients", m.gradients),
        ("Optimizer", m.optimizer),
        ("Activations", m.activations),
        ("Logits", m.logits),
        ("Buffers", m.buffers),
    ];
    let series = parts
        .into_iter()
        .enumerate()
        .map(|(index, (label, gib))| Series::new(label, index + 1, vec![(0.0, gib)]))
        .collect();
    let title = if estimate.fits {
        let spare = if m.usable > 0.0 { (m.usable - m.total) / m.usable } else { 0.0 };
        format!(
            "The fullest device holds {} of {}: fits, with {} to spare",
            format::gib(m.total),
            format::gib(m.usable),
            format::percent(spare)
        )
    } else {
        format!(
            "The fullest device needs {}, {} more than it has",
            format::gib(m.total),
            format::gib((m.total - m.usable).max(0.0))
        )
    };
    Some(Figure {
        title,
        subtitle: format!("GiB on the fullest {} (usable memory, not the vendor's GB)", cluster.accelerator_short),
        series,
        reference: Some(Reference { value: m.usable, label: format!("Usable {}", format::gib(m.usable)) }),
        ..Figure::new(
            "memory",
            Kind::Rows,
            Axis::linear("GiB", Format::Gib),
            Axis::categories("", vec!["Memory".into()]),
        )
    })
}
