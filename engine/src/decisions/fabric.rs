//! InfiniBand or Ethernet.

use super::Decision;
use super::scene::Scene;
use crate::advice::money;
use crate::catalog::{Catalog, Fabric};
use crate::request::Acquisition;

const QUESTION: &str = "InfiniBand or Ethernet?";

/// Throughput with each over cost with each: the cheaper token wins.
///
/// Cost is that of owning the whole cluster by the month; RoCE is searched at its typical and at its low share of the
/// line rate, which stands for a badly tuned fabric.
pub(super) fn decide(scene: &Scene<'_>) -> Option<Decision> {
    let catalog = Catalog::get();
    let (infiniband, roce) = (catalog.fabric("infiniband")?, catalog.fabric("roce")?);
    if scene.network(scene.request, "infiniband").is_none() {
        let why = format!("Neither: {} joins all {} devices.", scene.accelerator.scale_up_link, scene.cluster.gpus);
        let decision = Decision::new("fabric", QUESTION, why);
        return (scene.cluster.gpus <= scene.accelerator.system_gpus).then_some(decision);
    }
    let with_infiniband = scene.tokens_per_second(&scene.on(infiniband))?;
    let with_roce = scene.tokens_per_second(&scene.on(roce))?;
    let badly = badly_tuned(roce);
    let with_badly_tuned = scene.tokens_per_second(&scene.on(&badly))?;
    let own = |fabric: &str| scene.own(scene.network(scene.request, fabric).as_ref());
    let (share, worst) = (with_roce / with_infiniband, with_badly_tuned / with_infiniband);
    let Some((of_infiniband, of_roce)) = own("infiniband").zip(own("roce")) else {
        let answer = format!(
            "RoCE keeps {:.0}% of the throughput of InfiniBand, {:.0}% when badly tuned. No price of the servers is known, so the cost can't be compared.",
            100.0 * share,
            100.0 * worst
        );
        return Some(figures(Decision::new("fabric", QUESTION, answer), share, worst));
    };
    let used = scene.request.utilization;
    let month = of_roce.month(used).typical / of_infiniband.month(used).typical;
    let saved = of_infiniband.capital.typical - of_roce.capital.typical;
    let answer = match (share >= month, worst >= month) {
        (true, true) => format!(
            "Ethernet: with RoCE the purchase is {} cheaper, and even a badly tuned fabric trains more for the money.",
            money(saved)
        ),
        (true, false) => format!(
            "Ethernet, if it is tuned: the purchase is {} cheaper. Badly tuned it loses more than it saves.",
            money(saved)
        ),
        (false, _) if saved > 0.0 => {
            format!("InfiniBand: RoCE saves {} of the purchase, and loses more throughput than that.", money(saved))
        }
        (false, _) => "InfiniBand: by the prices of the catalog RoCE saves nothing here.".into(),
    };
    let answer = match assumed(scene, if share >= month { roce } else { infiniband }) {
        Some(why) => format!("{answer} {why}"),
        None => answer,
    };
    let decision = figures(Decision::new("fabric", QUESTION, answer), share, worst)
        .with("cost_share", "Monthly cost of owning with RoCE over that with InfiniBand", month, "share")
        .with("saved", "Saved on the purchase with RoCE", saved, "USD");
    Some(decision.turning(if month < 1.0 {
        format!(
            "Ethernet wins while it keeps at least {:.1}% of the throughput of InfiniBand: measure it with the acceptance test.",
            100.0 * month
        )
    } else {
        format!("Ethernet costs {} more to buy here: it wins only below the price of InfiniBand.", money(-saved))
    }))
}

/// Why the plan counts with another fabric than the one that is better to buy; `None` where they agree.
fn assumed(scene: &Scene<'_>, better: &Fabric) -> Option<String> {
    let used = Catalog::get().fabric(&scene.cluster.fabric).filter(|used| used.id != better.id)?;
    let bought = scene.tier.cost.as_ref().is_none_or(|cost| cost.acquisition == Acquisition::Buy);
    let why = if bought {
        "which the reference systems of the maker have; the figures here say what the other changes"
    } else {
        "the network of the provider, which a renter does not choose; this is about a purchase"
    };
    Some(format!("The plan counts with {}, {why}.", used.label))
}

fn figures(decision: Decision, share: f64, worst: f64) -> Decision {
    decision.with("throughput_share", "Throughput with RoCE over that with InfiniBand", share, "share").with(
        "throughput_share_badly_tuned",
        "The same when badly tuned",
        worst,
        "share",
    )
}

/// The fabric at the low end of its share of the line rate and the high end of its latency.
fn badly_tuned(fabric: &Fabric) -> Fabric {
    let mut worst = fabric.clone();
    worst.efficiency.value = fabric.efficiency.range().low;
    worst.latency_us.value = fabric.latency_us.range().high;
    worst
}
