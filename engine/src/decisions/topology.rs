//! How to join the switches.

use super::Decision;
use super::scene::Scene;
use crate::advice::money;
use crate::operation::network::NetworkBuild;
use crate::request::{PlanRequest, Topology};

const QUESTION: &str = "Which topology?";

/// Switches, what crosses the middle, and the purchase with each topology, whatever the request fixes.
pub(super) fn decide(scene: &Scene<'_>) -> Option<Decision> {
    let fabric = scene.cluster.fabric.as_str();
    let with = |topology: Topology| {
        let mut request = PlanRequest::clone(scene.request);
        request.overrides.topology = Some(topology);
        request.overrides.scalars.remove("oversubscription");
        scene.network(&request, fabric)
    };
    let auto = with(Topology::Auto)?;
    let ports = auto.switch.ports;
    if auto.shape.switches() == 1 {
        let answer = format!(
            "None is needed: one switch of {ports} ports joins all {} ports, so every topology is the same.",
            auto.shape.device_links
        );
        return Some(
            Decision::new("topology", QUESTION, answer)
                .with("ports", "Ports of the devices", auto.shape.device_links as f64, "ports")
                .with("switch_ports", "Ports of the switch", f64::from(ports), "ports")
                .turning(format!("Above {ports} ports a second layer of switches is needed.")),
        );
    }
    let price = |network: &NetworkBuild| scene.own(Some(network)).map(|own| own.capital.typical);
    let base = price(&auto);
    let share = |n: &NetworkBuild| n.bisection_gbps() / n.half_of_devices_gbps().max(1e-9);
    let mut decision = Decision::new("topology", QUESTION, String::new());
    let mut better = None;
    for topology in [Topology::FatTree, Topology::RailOptimized, Topology::Dragonfly, Topology::Torus] {
        let Some(network) = with(topology) else { continue };
        let (id, label) = (topology.id(), topology.label());
        decision = decision
            .with(&format!("{id}_switches"), &format!("{label}: switches"), network.shape.switches() as f64, "switches")
            .with(
                &format!("{id}_bisection"),
                &format!("{label}: share that crosses the middle"),
                share(&network),
                "share",
            );
        let Some((extra, base)) = price(&network).zip(base).map(|(p, b)| (p - b, b)) else { continue };
        decision = decision.with(
            &format!("{id}_extra_usd"),
            &format!("{label}: purchase over the automatic choice"),
            extra,
            "USD",
        );
        // the cheapest that blocks, as a rival
        if share(&network) < 0.999 && extra < 0.0 && better.is_none_or(|(_, e, _, _)| extra < e) {
            better = Some((label, extra, share(&network), base));
        }
    }
    let id = auto.shape.design.id();
    let name = Topology::ALL.iter().find(|t| t.id() == id).map_or(id, |t| t.label()).to_lowercase();
    decision.answer = format!(
        "A {name} of {} switches: it passes all that half the devices can send, with the fewest switches of a tree.",
        auto.shape.switches()
    );
    Some(match better {
        Some((label, extra, passes, base)) => decision.turning(format!(
            "A {} saves {} ({:.1}% of the purchase) and passes {:.0}% across its middle: it wins only if the run loses less than that. Set the topology in the planner to see the throughput.",
            label.to_lowercase(),
            money(-extra),
            100.0 * -extra / base,
            100.0 * passes
        )),
        None => decision,
    })
}
