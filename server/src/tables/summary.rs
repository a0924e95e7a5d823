//! The key figures of a plan in one row: what a feed, a batch and the first sheet of a workbook give.

use super::Kind::{Flag, Integer, Money, Number, Percent, Rate, Text};
use super::{Cell, Column, Field, Table, field, high, id, low, table, typical};
use engine::Plan;
use engine::answer::{BreakEven, Cluster, CostOption, Estimate, TierCost, TierPlan};
use engine::request::ModelChoice;

/// A plan with its shown tier.
struct Shown<'a> {
    plan: &'a Plan,
    tier: Option<&'a TierPlan>,
}

impl<'a> Shown<'a> {
    fn of(plan: &'a Plan) -> Self {
        Self { plan, tier: plan.shown() }
    }

    fn cluster(&self) -> Option<&'a Cluster> {
        self.tier?.cluster.as_ref()
    }

    fn estimate(&self) -> Option<&'a Estimate> {
        self.tier?.estimate.as_ref()
    }

    fn cost(&self) -> Option<&'a TierCost> {
        self.tier?.cost.as_ref()
    }

    fn option(&self) -> Option<&'a CostOption> {
        counted(self.cost()?)
    }

    /// Against the rival that is beaten first.
    fn break_even(&self) -> Option<&'a BreakEven> {
        let way = self.tier.and_then(|tier| tier.cost.as_ref()).map_or("", |cost| cost.label.as_str());
        self.plan.cloud_vs_on_prem.rival(way)
    }
}

/// The way of acquiring that is counted in the cost of a tier.
pub(super) fn counted(cost: &TierCost) -> Option<&CostOption> {
    cost.options.iter().find(|o| o.acquisition == cost.acquisition && o.provider == cost.provider)
}

/// The model in a few words.
pub(super) fn model(choice: &ModelChoice) -> String {
    match choice {
        ModelChoice::Preset { preset } => preset.clone(),
        ModelChoice::Size { parameters_billion, .. } => format!("{parameters_billion}B parameters"),
        ModelChoice::Architecture { model_type, .. } => {
            model_type.clone().unwrap_or_else(|| "custom architecture".to_owned())
        }
    }
}

pub(super) fn summary(plan: &Plan) -> Table {
    table("summary", [Shown::of(plan)], &fields())
}

fn fields<'a>() -> Vec<Field<Shown<'a>>> {
    vec![
        field("headline", "Answer", Text, |s: &Shown<'a>| (&s.plan.headline).into()),
        field("model", "Model", Text, |s| model(&s.plan.request.model).into()),
        field("training_tokens", "Training tokens", Integer, |s| s.plan.request.training_tokens.into()),
        field("recommended_tier", "Recommended tier", Text, |s| s.plan.recommended.as_ref().map(|r| id(r.tier)).into()),
        field("shown_tier", "Tier of these figures", Text, |s| id(s.plan.shown_tier)),
        field("verdict", "Verdict", Text, |s| s.tier.map(|t| id(t.verdict)).into()),
        field("accelerator", "Accelerator id", Text, |s| s.cluster().map(|c| &c.accelerator).into()),
        field("accelerator_label", "Accelerator", Text, |s| s.cluster().map(|c| &c.accelerator_label).into()),
        field("gpus", "GPUs", Integer, |s| s.cluster().map(|c| c.gpus).into()),
        field("nodes", "Nodes", Integer, |s| s.cluster().map(|c| c.nodes).into()),
        field("fabric", "Fabric", Text, |s| s.cluster().map(|c| &c.fabric).into()),
        field("power_kw", "Power, kW", Number, |s| s.cluster().map(|c| c.power_kw).into()),
        field("acquisition", "Acquisition", Text, |s| s.cost().map(|c| id(c.acquisition)).into()),
        field("provider", "Provider id", Text, |s| s.cost().and_then(|c| c.provider.as_ref()).into()),
        field("option_label", "Acquired from", Text, |s| s.cost().map(|c| &c.label).into()),
        field("days_low", "Days, low", Number, |s| low(s.tier.and_then(|t| t.days))),
        field("days", "Days", Number, |s| typical(s.tier.and_then(|t| t.days))),
        field("days_high", "Days, high", Number, |s| high(s.tier.and_then(|t| t.days))),
        field("total_usd_low", "Cost of the run, low, USD", Money, |s| low(s.cost().map(|c| c.total_usd))),
        field("total_usd", "Cost of the run, USD", Money, |s| typical(s.cost().map(|c| c.total_usd))),
        field("total_usd_high", "Cost of the run, high, USD", Money, |s| high(s.cost().map(|c| c.total_usd))),
        field("cash_usd", "Cash by the end of the run, USD", Money, |s| s.option().map(|o| o.cash_usd).into()),
        field("within_budget", "Within the budget", Flag, |s| s.option().map(|o| o.within_budget).into()),
        field("usd_per_gpu_hour", "USD per GPU-hour", Rate, |s| s.cost().map(|c| c.usd_per_gpu_hour).into()),
        field("usd_per_million_tokens", "USD per million tokens", Rate, |s| {
            s.cost().map(|c| c.usd_per_million_tokens).into()
        }),
        field("gpu_hours", "GPU-hours", Number, |s| s.cost().map(|c| c.gpu_hours).into()),
        field("capital_usd", "Purchase of the cluster, USD", Money, |s| typical(s.cost().and_then(|c| c.capital_usd))),
        field("tokens_per_second_per_gpu", "Tokens per second and GPU", Number, |s| {
            s.estimate().map(|e| e.tokens_per_second_per_gpu).into()
        }),
        field("mfu", "MFU", Percent, |s| s.estimate().map(|e| e.mfu).into()),
        field("goodput", "Goodput", Percent, |s| s.tier.and_then(|t| t.goodput).into()),
        field("memory_gib", "Memory used, GiB", Number, |s| s.estimate().map(|e| e.memory_gib.total).into()),
        field("usable_memory_gib", "Memory usable, GiB", Number, |s| s.estimate().map(|e| e.memory_gib.usable).into()),
        field("fits", "Fits in memory", Flag, |s| s.estimate().map(|e| e.fits).into()),
        field("layout", "Layout", Text, |s| s.estimate().map(|e| e.layout.short()).into()),
        field("energy_kwh", "Energy, kWh", Number, |s| {
            s.tier.and_then(|t| t.footprint.as_ref()).map(|f| f.energy_kwh).into()
        }),
        field("carbon_kg", "Carbon, kg CO2e", Number, |s| {
            s.tier.and_then(|t| t.footprint.as_ref()).and_then(|f| f.total_kg).into()
        }),
        field("days_p90", "Days, nine runs in ten are below", Number, |s| s.plan.ranges.map(|r| r.days.p90).into()),
        field("total_usd_p90", "Cost, nine runs in ten are below, USD", Money, |s| {
            s.plan.ranges.map(|r| r.total_usd.p90).into()
        }),
        field("break_even_months", "Buying pays back after, months", Number, |s| {
            s.break_even().and_then(|b| b.months).into()
        }),
        field("break_even_against", "Against renting from", Text, |s| s.break_even().map(|b| &b.label).into()),
        field("engine_version", "Engine", Text, |s| (&s.plan.engine_version).into()),
        field("catalog_version", "Catalog", Text, |s| (&s.plan.catalog_version).into()),
    ]
}

/// The columns alone.
pub(super) fn columns() -> Vec<Column> {
    let none: [Shown<'_>; 0] = [];
    table("summary", none, &fields()).columns
}

/// A row without a plan.
pub(super) fn nothing() -> Vec<Cell> {
    vec![Cell::Empty; fields().len()]
}
