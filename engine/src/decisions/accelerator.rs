//! Which accelerator, by what the model fits on.

use super::Decision;
use super::scene::{Ask, Scene};
use crate::advice::{money, thousands};
use crate::catalog::{Accelerator, Basis, Calibration, Catalog};
use crate::performance::reference_network;

/// Servers that are tried, up to those of the largest model on the smallest devices.
const NODES: [u32; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128];
/// A difference of costs below this, percent, is none: every price in it is less sure.
const ABOUT_THE_SAME: f64 = 1.0;
/// Accelerators of which the fit is shown.
const SHOWN: usize = 8;

/// The least servers that train the model, for each accelerator that the plan may use.
pub(super) fn decide(scene: &Scene<'_>) -> Option<Decision> {
    let request = scene.request;
    let wanted = |a: &&Accelerator| match request.accelerators.is_empty() {
        // as the plan searches: only what published runs stand behind, in servers made for training
        true => {
            Calibration::get().gemm(&a.id).basis == Basis::Measured && matches!(a.form.as_str(), "sxm" | "oam" | "rack")
        }
        false => request.accelerators.contains(&a.id),
    };
    let fitting: Vec<(&Accelerator, u32)> =
        Catalog::get().accelerators.iter().filter(wanted).filter_map(|a| Some((a, least_nodes(scene, a)?))).collect();
    let own = fitting.iter().find(|(a, _)| a.id == scene.accelerator.id).map(|(_, nodes)| *nodes)?;
    let short = &scene.accelerator.short;
    let usable = scene.estimate.memory_gib.usable;
    let recommended = scene.plan.recommended.is_some();
    let answer = format!(
        "{short}: the model trains from {own} {} of them on, and of all clusters that were searched this one {}.",
        if own == 1 { "server" } else { "servers" },
        match (recommended, request.has_limits()) {
            (true, true) => "costs least within the limits",
            (true, false) => "costs least",
            (false, _) => "comes nearest to what is asked for",
        }
    );
    let mut decision = Decision::new("accelerator", "Which accelerator fits?", answer)
        .with("usable", &format!("Memory that a process can allocate on a {short}"), usable, "GiB")
        .with("needed", "Memory that the fullest device needs", scene.estimate.memory_gib.total, "GiB");
    let mut by_devices = fitting;
    by_devices.sort_by_key(|(a, nodes)| nodes * a.gpus_per_node);
    for (a, nodes) in by_devices.iter().take(SHOWN) {
        let devices = f64::from(nodes * a.gpus_per_node);
        decision = decision.with(
            &format!("least_{}", a.id),
            &format!("{}: fewest devices in whole servers", a.short),
            devices,
            "devices",
        );
    }
    Some(match rival(scene) {
        Some((rival, usd, cut)) if cut < ABOUT_THE_SAME => {
            decision.turning(format!("{rival} cost about the same for the run, {}: a quote decides.", money(usd)))
        }
        Some((rival, usd, cut)) => decision
            .turning(format!("{rival} come next at {} for the run: they win if that falls by {cut:.0}%.", money(usd))),
        None => decision,
    })
}

/// The fewest servers, of the sizes tried, on which the model trains.
fn least_nodes(scene: &Scene<'_>, accelerator: &Accelerator) -> Option<u32> {
    let catalog = Catalog::get();
    let fabric = catalog.fabric(if accelerator.vendor == "NVIDIA" { "infiniband" } else { "roce" })?;
    let states = if scene.request.host_offload.is_none() { scene.state_gib() } else { 0.0 };
    let fits = |nodes: &u32| {
        let devices = f64::from(nodes * accelerator.gpus_per_node);
        // what can't hold the states alone needs no search
        if states > accelerator.usable_gib.value * devices {
            return false;
        }
        let ask = Ask {
            accelerator,
            fabric,
            gbps: reference_network(accelerator),
            gpus: nodes * accelerator.gpus_per_node,
            precision: scene.request.precision,
        };
        scene.search(&ask).is_some()
    };
    let largest = scene.request.max_gpus;
    let allowed = |nodes: &u32| u64::from(nodes * accelerator.gpus_per_node) <= largest;
    NODES.iter().copied().filter(allowed).find(fits)
}

/// The cheapest cluster of another accelerator on the frontier: its name, cost, and the cut of its cost in percent that
/// would make it win.
fn rival(scene: &Scene<'_>) -> Option<(String, f64, f64)> {
    let own = scene.tier.cost.as_ref()?.total_usd.typical;
    let other = |c: &&crate::answer::Candidate| {
        c.accelerator != scene.accelerator.id && scene.request.deadline_days.is_none_or(|d| c.days <= d)
    };
    let next = scene.plan.frontier.iter().filter(other).min_by(|a, b| a.total_usd.total_cmp(&b.total_usd))?;
    let cut = 100.0 * (1.0 - own / next.total_usd);
    (cut > 0.0)
        .then(|| (format!("{} {}", thousands(f64::from(next.gpus)), next.accelerator_short), next.total_usd, cut))
}
