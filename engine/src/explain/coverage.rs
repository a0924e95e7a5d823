//! Which explanation stands behind which figure of a plan.

/// Where a figure of the answer comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Covered {
    /// The key under `explanations`.
    Explained(String),
    /// It is given, counted or chosen, not computed: why.
    Given(&'static str),
}

/// Paths of figures and the keys that explain them: `*` is one part of the path and `$n` its n-th `*`; `**` is any rest.
/// The first match counts.
const EXPLAINED: &[(&str, &str)] = &[
    ("tiers.*.cluster.power_kw", "tiers.$1.power_kw"),
    ("tiers.*.estimate.active_parameters", "tiers.$1.parameters"),
    ("tiers.*.estimate.band.*", "tiers.$1.band"),
    ("tiers.*.estimate.time_seconds.*", "tiers.$1.time_seconds.$2"),
    ("tiers.*.estimate.memory_gib.usable", "tiers.$1.memory_gib.total"),
    ("tiers.*.estimate.memory_gib.*", "tiers.$1.memory_gib.$2"),
    ("tiers.*.estimate.*", "tiers.$1.$2"),
    ("tiers.*.days.*", "tiers.$1.days"),
    ("tiers.*.goodput", "tiers.$1.goodput"),
    ("tiers.*.footprint.*", "tiers.$1.footprint.$2"),
    ("tiers.*.cost.total_usd.*", "tiers.$1.total_usd"),
    ("tiers.*.cost.capital_usd.*", "tiers.$1.capital_usd"),
    ("tiers.*.cost.options.*.total_usd.*", "tiers.$1.options.$2.total_usd"),
    ("tiers.*.cost.options.*.usd_per_gpu_hour", "tiers.$1.options.$2.total_usd"),
    ("tiers.*.cost.options.*.days.*", "tiers.$1.options.$2.days"),
    ("tiers.*.cost.options.*.goodput", "tiers.$1.options.$2.days"),
    ("tiers.*.cost.options.*.*", "tiers.$1.options.$2.$3"),
    ("tiers.*.cost.*", "tiers.$1.$2"),
    ("cheapest.*", "cheapest.$1"),
    ("fastest.*", "fastest.$1"),
    ("frontier.*.*", "frontier.$2"),
    ("utilization.by_cluster_size.*.shares.*", "utilization.by_cluster_size.shares"),
    ("utilization.by_cluster_size.*.*", "utilization.by_cluster_size.$2"),
    ("utilization.by_month.**", "utilization.by_month"),
    ("utilization.health.*.**", "utilization.health.$1"),
    ("utilization.saturates_in_month", "utilization.next_block"),
    ("utilization.next_block.*", "utilization.next_block"),
    ("cloud_vs_on_prem.curves.*.**", "cloud_vs_on_prem.curves.$1"),
    ("cloud_vs_on_prem.by_utilization.*.usd_per_useful_gpu_hour.*", "cloud_vs_on_prem.by_utilization.$2"),
    ("cloud_vs_on_prem.break_even.*.*", "break_even.$1.$2"),
    ("cloud_vs_on_prem.owned_useful_hour_usd", "cloud_vs_on_prem.owned_useful_hour_usd"),
    ("cloud_vs_on_prem.hybrid.*", "cloud_vs_on_prem.hybrid"),
    ("cloud_vs_on_prem.resale_usd.*", "cloud_vs_on_prem.resale_usd"),
    ("bill_of_materials.**", "bill_of_materials.total_usd"),
    ("sensitivity.*.**", "sensitivity.$1"),
    ("ownership.running.*.**", "ownership.running.$1"),
    ("ownership.*.*", "ownership.$1"),
    ("ownership.*", "ownership.$1"),
    ("build.network.bisection_gbps", "build.network.bisection_gbps"),
    ("build.network.oversubscription", "build.network.bisection_gbps"),
    ("build.network.**", "build.network.switches"),
    ("build.storage.*", "build.storage.drives"),
    ("build.racks.*", "build.racks.count"),
    ("build.power.*", "build.power.facility_kw"),
    ("build.floor.**", "build.floor.area_m2"),
    ("build.weight.*", "build.weight.rack_kg"),
    ("build.cables.levels.*.**", "build.cables.$1"),
    ("build.heat.heat_kw", "build.heat.heat_kw"),
    ("build.heat.air_cfm", "build.heat.air_m3_per_hour"),
    ("build.heat.air_kw", "build.heat.air_m3_per_hour"),
    ("build.heat.water_kw", "build.heat.water_liters_per_minute"),
    ("build.heat.*", "build.heat.$1"),
    ("build.feeds.feeds_to_hold", "build.feeds.feeds_to_hold"),
    ("build.feeds.stages.utility.*", "build.feeds.stages.utility"),
    ("build.feeds.stages.*.load_kva", "build.feeds.stages.$1.load_kva"),
    ("build.feeds.stages.*.*", "build.feeds.stages.$1"),
    ("build.feeds.*", "build.feeds.rack_amps"),
    ("ranges.days.*", "ranges.days"),
    ("ranges.total_usd.*", "ranges.total_usd"),
    ("inverse.smallest_for_deadline.**", "inverse.smallest_for_deadline"),
    ("inverse.most_tokens.**", "inverse.most_tokens"),
    ("inverse.buying_wins_from_utilization", "inverse.buying_wins_from_utilization"),
];

/// Figures that are not computed.
const GIVEN: &[(&str, &str)] = &[
    ("request.**", "the request, echoed with its defaults"),
    ("layouts_evaluated", "a count of the search"),
    ("tiers.*.estimate.layouts_evaluated", "a count of the search"),
    ("tiers.*.estimate.peak_tflops", "the data sheet, see the accelerator catalog"),
    ("tiers.*.estimate.layout.*", "chosen by the layout search"),
    ("tiers.*.cluster.gpus", "chosen by the cluster search"),
    ("tiers.*.cluster.nodes", "chosen by the cluster search"),
    ("tiers.*.cluster.gpus_per_node", "the data sheet, see the accelerator catalog"),
    ("tiers.*.cluster.scale_up_domain", "the data sheet, see the accelerator catalog"),
    ("tiers.*.cluster.network_gbps_per_gpu", "the offer or the reference system, see the catalog"),
    ("tiers.*.cost.options.*.minimum_months", "the offer, see the cloud catalog"),
    ("tiers.*.cost.minimum_months", "the offer, see the cloud catalog"),
    ("recommended.minimum_months", "the offer, see the cloud catalog"),
    ("cheapest.minimum_months", "the offer, see the cloud catalog"),
    ("fastest.minimum_months", "the offer, see the cloud catalog"),
    ("frontier.*.minimum_months", "the offer, see the cloud catalog"),
    ("tiers.*.cost.options.*.max_days", "the offer, see the cloud catalog"),
    ("tiers.*.cost.options.*.age_days", "date of the price to the version of the catalog"),
    ("tiers.*.footprint.grid_g_per_kwh", "the region, see the region catalog, or the request"),
    ("build.weight.system_kg", "the data sheet, see the accelerator catalog"),
    ("build.feeds.supplies", "the data sheet, see the accelerator catalog"),
    ("build.feeds.supplies_needed", "the data sheet, see the accelerator catalog"),
    ("build.feeds.feeds", "power distribution units of a rack, see the rack catalog"),
    ("build.feeds.volts", "the rack catalog"),
    ("cheapest.layout.*", "chosen by the layout search"),
    ("fastest.layout.*", "chosen by the layout search"),
    ("frontier.*.layout.*", "chosen by the layout search"),
    ("cheapest.gpus", "chosen by the cluster search"),
    ("fastest.gpus", "chosen by the cluster search"),
    ("frontier.*.gpus", "chosen by the cluster search"),
    ("utilization.by_cluster_size.*.gpus", "sizes of the cluster search"),
    ("utilization.by_cluster_size.*.layout.*", "chosen by the layout search"),
    ("cloud_vs_on_prem.gpus", "devices of the shown tier"),
    ("cloud_vs_on_prem.months.*", "the axis of the curves"),
    ("cloud_vs_on_prem.by_utilization.*.utilization", "the axis of the curve"),
    ("ownership.gpus", "devices of the shown tier"),
    ("ranges.draws", "fixed by the engine"),
    ("overridden.**", "the request, beside the catalog"),
];

/// Where the figure at a path of the plan's JSON comes from; `None` for a path that is no figure of a plan.
///
/// Parts of the path are joined by dots. An element of a list is named by its tier, id, metric, part, input or the
/// rival it is against; an option of a tier by its way of acquiring; a row of `by_utilization` and others by its index.
pub fn covered(path: &str) -> Option<Covered> {
    let parts: Vec<&str> = path.split('.').collect();
    if let Some((_, why)) = GIVEN.iter().find(|(pattern, _)| captures(pattern, &parts).is_some()) {
        return Some(Covered::Given(why));
    }
    EXPLAINED.iter().find_map(|(pattern, key)| {
        let captured = captures(pattern, &parts)?;
        let fill = |k: &'static str| match k.strip_prefix('$').and_then(|n| n.parse::<usize>().ok()) {
            Some(n) => captured.get(n - 1).copied().unwrap_or_default().to_owned(),
            None => k.to_owned(),
        };
        let filled: Vec<String> = key.split('.').map(fill).collect();
        Some(Covered::Explained(filled.join(".")))
    })
}

/// What the stars of a pattern stand for in a path.
fn captures<'p>(pattern: &str, parts: &[&'p str]) -> Option<Vec<&'p str>> {
    let mut captured = Vec::new();
    let mut rest = parts.iter();
    for wanted in pattern.split('.') {
        match wanted {
            "**" => return Some(captured),
            "*" => captured.push(*rest.next()?),
            exact if rest.next() == Some(&exact) => {}
            _ => return None,
        }
    }
    rest.next().is_none().then_some(captured)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_their_keys() {
        let cases = [
            ("tiers.workhorse.days.low", "tiers.workhorse.days"),
            ("tiers.beast.estimate.time_seconds.tensor", "tiers.beast.time_seconds.tensor"),
            ("tiers.beast.cost.options.spot.total_usd.high", "tiers.beast.options.spot.total_usd"),
            ("cloud_vs_on_prem.break_even.on_demand-aws.months", "break_even.on_demand-aws.months"),
            ("cloud_vs_on_prem.curves.buy.low_usd.3", "cloud_vs_on_prem.curves.buy"),
            ("cloud_vs_on_prem.by_utilization.4.usd_per_useful_gpu_hour.buy", "cloud_vs_on_prem.by_utilization.buy"),
            ("frontier.3.days", "frontier.days"),
            ("ownership.capital_usd.low", "ownership.capital_usd"),
            ("utilization.by_cluster_size.2.mfu", "utilization.by_cluster_size.mfu"),
            ("sensitivity.pue.total_usd_low", "sensitivity.pue"),
        ];
        for (path, key) in cases {
            assert_eq!(covered(path), Some(Covered::Explained(key.into())), "{path}");
        }
        assert!(matches!(covered("request.utilization"), Some(Covered::Given(_))));
        assert_eq!(covered("nonsense.figure"), None);
    }
}
