//! The three tiers, and every way of acquiring each of them.

use super::Kind::{Date, Flag, Integer, Money, Number, Percent, Rate, Text};
use super::{Table, field, high, id, low, table, typical};
use engine::Plan;
use engine::answer::{CostOption, TierId, TierPlan};

pub(super) fn tiers(plan: &Plan) -> Table {
    table(
        "tiers",
        plan.tiers.iter(),
        &[
            field("tier", "Tier", Text, |t: &&TierPlan| id(t.tier)),
            field("verdict", "Verdict", Text, |t| id(t.verdict)),
            field("accelerator", "Accelerator id", Text, |t| t.cluster.as_ref().map(|c| &c.accelerator).into()),
            field("accelerator_label", "Accelerator", Text, |t| {
                t.cluster.as_ref().map(|c| &c.accelerator_label).into()
            }),
            field("gpus", "GPUs", Integer, |t| t.cluster.as_ref().map(|c| c.gpus).into()),
            field("nodes", "Nodes", Integer, |t| t.cluster.as_ref().map(|c| c.nodes).into()),
            field("fabric", "Fabric", Text, |t| t.cluster.as_ref().map(|c| &c.fabric).into()),
            field("network_gbps_per_gpu", "Network, Gb/s per GPU", Number, |t| {
                t.cluster.as_ref().map(|c| c.network_gbps_per_gpu).into()
            }),
            field("power_kw", "Power, kW", Number, |t| t.cluster.as_ref().map(|c| c.power_kw).into()),
            field("fits", "Fits in memory", Flag, |t| t.estimate.as_ref().map(|e| e.fits).into()),
            field("layout", "Layout", Text, |t| t.estimate.as_ref().map(|e| e.layout.short()).into()),
            field("tokens_per_second_per_gpu", "Tokens per second and GPU", Number, |t| {
                t.estimate.as_ref().map(|e| e.tokens_per_second_per_gpu).into()
            }),
            field("mfu", "MFU", Percent, |t| t.estimate.as_ref().map(|e| e.mfu).into()),
            field("memory_gib", "Memory used, GiB", Number, |t| t.estimate.as_ref().map(|e| e.memory_gib.total).into()),
            field("usable_memory_gib", "Memory usable, GiB", Number, |t| {
                t.estimate.as_ref().map(|e| e.memory_gib.usable).into()
            }),
            field("goodput", "Goodput", Percent, |t| t.goodput.into()),
            field("days_low", "Days, low", Number, |t| low(t.days)),
            field("days", "Days", Number, |t| typical(t.days)),
            field("days_high", "Days, high", Number, |t| high(t.days)),
            field("acquisition", "Acquisition", Text, |t| t.cost.as_ref().map(|c| id(c.acquisition)).into()),
            field("provider", "Provider id", Text, |t| t.cost.as_ref().and_then(|c| c.provider.as_ref()).into()),
            field("option_label", "Acquired from", Text, |t| t.cost.as_ref().map(|c| &c.label).into()),
            field("total_usd_low", "Cost of the run, low, USD", Money, |t| low(t.cost.as_ref().map(|c| c.total_usd))),
            field("total_usd", "Cost of the run, USD", Money, |t| typical(t.cost.as_ref().map(|c| c.total_usd))),
            field("total_usd_high", "Cost of the run, high, USD", Money, |t| {
                high(t.cost.as_ref().map(|c| c.total_usd))
            }),
            field("usd_per_gpu_hour", "USD per GPU-hour", Rate, |t| t.cost.as_ref().map(|c| c.usd_per_gpu_hour).into()),
            field("usd_per_million_tokens", "USD per million tokens", Rate, |t| {
                t.cost.as_ref().map(|c| c.usd_per_million_tokens).into()
            }),
            field("gpu_hours", "GPU-hours", Number, |t| t.cost.as_ref().map(|c| c.gpu_hours).into()),
            field("capital_usd", "Purchase, USD", Money, |t| typical(t.cost.as_ref().and_then(|c| c.capital_usd))),
            field("energy_kwh", "Energy, kWh", Number, |t| t.footprint.as_ref().map(|f| f.energy_kwh).into()),
            field("carbon_kg", "Carbon, kg CO2e", Number, |t| t.footprint.as_ref().and_then(|f| f.total_kg).into()),
            field("reasons", "Reasons", Text, |t| {
                t.reasons.iter().map(|reason| reason.text.as_str()).collect::<Vec<_>>().join(" ").into()
            }),
        ],
    )
}

pub(super) fn options(plan: &Plan) -> Table {
    let options =
        |t: &'_ TierPlan| t.cost.iter().flat_map(|c| &c.options).map(|o| (t.tier, o.clone())).collect::<Vec<_>>();
    let rows: Vec<(TierId, CostOption)> = plan.tiers.iter().flat_map(options).collect();
    table(
        "options",
        rows,
        &[
            field("tier", "Tier", Text, |(tier, _): &(TierId, CostOption)| id(tier)),
            field("acquisition", "Acquisition", Text, |(_, o)| id(o.acquisition)),
            field("provider", "Provider id", Text, |(_, o)| o.provider.as_ref().into()),
            field("option_label", "Acquired from", Text, |(_, o)| (&o.label).into()),
            field("usd_per_gpu_hour", "USD per GPU-hour", Rate, |(_, o)| o.usd_per_gpu_hour.into()),
            field("total_usd_low", "Cost of the run, low, USD", Money, |(_, o)| o.total_usd.low.into()),
            field("total_usd", "Cost of the run, USD", Money, |(_, o)| o.total_usd.typical.into()),
            field("total_usd_high", "Cost of the run, high, USD", Money, |(_, o)| o.total_usd.high.into()),
            field("cash_usd", "Cash by the end of the run, USD", Money, |(_, o)| o.cash_usd.into()),
            field("extras_usd", "Storage, egress and support in it, USD", Money, |(_, o)| o.extras_usd.into()),
            field("within_budget", "Within the budget", Flag, |(_, o)| o.within_budget.into()),
            field("days", "Days", Number, |(_, o)| o.days.typical.into()),
            field("goodput", "Goodput", Percent, |(_, o)| o.goodput.into()),
            field("minimum_months", "Paid for at least, months", Number, |(_, o)| o.minimum_months.into()),
            field("max_days", "Longest booking, days", Number, |(_, o)| o.max_days.into()),
            field("fabric", "Fabric", Text, |(_, o)| o.fabric.as_ref().into()),
            field("source", "Source of the price", Text, |(_, o)| (&o.source).into()),
            field("as_of", "Date of the price", Date, |(_, o)| (&o.as_of).into()),
            field("stale", "Older than six months", Flag, |(_, o)| o.stale.into()),
            field("note", "Note", Text, |(_, o)| o.note.as_ref().into()),
        ],
    )
}
