//! The three size classes side by side.

use super::explanation::{figure, key, of_tier};
use crate::components::icons::{Icon, icon};
use crate::format;
use engine::Plan;
use engine::answer::{Cluster, TierCost, TierId, TierPlan, Verdict};
use engine::catalog::Catalog;
use engine::request::Acquisition;
use leptos::prelude::*;

/// Three cards.
pub(super) fn tiers(plan: &Plan) -> AnyView {
    let recommended = plan.recommended.as_ref().map(|r| r.tier);
    let cards: Vec<_> = plan.tiers.iter().map(|tier| card(plan, tier, recommended == Some(tier.tier))).collect();
    view! { <section class="tiers" aria-labelledby="tiers-heading"><h2 class="visually-hidden" id="tiers-heading">"Three sizes"</h2>{cards}</section> }.into_any()
}

/// Name of a size for people.
pub fn tier_name(tier: TierId) -> &'static str {
    match tier {
        TierId::Starter => "Starter",
        TierId::Workhorse => "Workhorse",
        TierId::Beast => "Beast",
    }
}

fn sizes(tier: TierId) -> &'static str {
    match tier {
        TierId::Starter => "1–4 nodes",
        TierId::Workhorse => "5–15 nodes",
        TierId::Beast => "16 nodes and up",
    }
}

/// The verdict in words, with its sign and tone.
fn verdict(verdict: Verdict, recommended: bool) -> AnyView {
    let (tone, sign, text) = match verdict {
        _ if recommended => ("good", Icon::Check, "Recommended"),
        Verdict::Fits => ("good", Icon::Check, "Fits"),
        Verdict::TooSlow => ("warning", Icon::Clock, "Too slow"),
        Verdict::TooSmall => ("critical", Icon::Memory, "Too small"),
        Verdict::OverBudget => ("critical", Icon::Coin, "Over budget"),
        Verdict::Oversized => ("quiet", Icon::Oversized, "Oversized"),
    };
    view! { <span class=format!("chip chip-{tone}")>{icon(sign)}{text}</span> }.into_any()
}

fn card(plan: &Plan, tier: &TierPlan, recommended: bool) -> AnyView {
    let shown = tier.tier == plan.shown_tier;
    let class = match (recommended, shown) {
        (true, _) => "tier tier-recommended",
        (false, true) => "tier tier-shown",
        _ => "tier",
    };
    let body = match &tier.cluster {
        None => view! { <p class="nothing">"Nothing that is allowed comes in this size. Allow more accelerators, providers or GPUs."</p> }.into_any(),
        Some(cluster) => with_cluster(plan, tier, cluster),
    };
    let reasons: Vec<_> = tier.reasons.iter().map(|r| view! { <li>{r.text.clone()}</li> }).collect();
    let shown =
        (shown && !recommended).then(|| view! { <p class="tier-note">"Nearest plan: the sections below show it."</p> });
    view! {
        <article class=class>
            <header><h3>{tier_name(tier.tier)}<small>{sizes(tier.tier)}</small></h3>{verdict(tier.verdict, recommended)}</header>
            {body}
            <ul class="tier-reasons">{reasons}</ul>
            {shown}
        </article>
    }
    .into_any()
}

fn with_cluster(plan: &Plan, tier: &TierPlan, cluster: &Cluster) -> AnyView {
    let why = |part: &str| key(plan, of_tier(tier.tier, part));
    let fabric = Catalog::get().fabric(&cluster.fabric).map_or_else(|| cluster.fabric.clone(), |f| f.label.clone());
    let nodes = format::plural(f64::from(cluster.nodes), "node", "nodes");
    let network = if cluster.nodes > 1 {
        format!(" · {fabric}, {} Gb/s per GPU", format::exact(cluster.network_gbps_per_gpu))
    } else {
        String::new()
    };
    let days = match &tier.days {
        Some(days) => {
            let range = format::days_range(days.low, days.high);
            view! { <p class="tier-days"><b>{figure(why("days"), format::days(days.typical))}</b>" "<span>{range}</span></p> }.into_any()
        }
        None => view! { <p class="tier-days"><b>"No run"</b>" "<span>"the model does not fit in memory"</span></p> }
            .into_any(),
    };
    let estimate = tier.estimate.as_ref();
    let memory = estimate.filter(|e| !e.fits).map(|e| {
        let remedy = e.remedy.clone().map(|text| format!(" {text}")).unwrap_or_default();
        let text = format!(
            "Needs {} of {} usable.{remedy}",
            format::gib(e.memory_gib.total),
            format::gib(e.memory_gib.usable)
        );
        view! { <p class="tier-note">{text}</p> }
    });
    let useful = estimate.filter(|e| e.fits).map(|e| {
        view! { <div><dt><abbr title="Model FLOPs utilization: causal attention, recompute not counted">"MFU"</abbr></dt><dd>{figure(why("mfu"), format::percent_fixed(e.mfu))}</dd></div> }
    });
    let layout = estimate.map(|e| view! { <div><dt>"Layout"</dt><dd>{e.layout.short()}</dd></div> });
    let title = cluster.accelerator_label.clone();
    view! {
        <p class="tier-cluster" title=title><b>{format!("{} × {}", format::count(f64::from(cluster.gpus)), cluster.accelerator_short)}</b>" "<span>{nodes}{network}</span></p>
        {days}
        <dl class="facts">
            {costs(tier.cost.as_ref(), why)}
            {useful}
            {layout}
            <div><dt><abbr title="At the facility, with its overhead, at the load of training">"Power, training"</abbr></dt><dd>{figure(why("power_kw"), format::kilowatts(cluster.power_kw))}</dd></div>
        </dl>
        {memory}
    }
    .into_any()
}

fn costs(cost: Option<&TierCost>, why: impl Fn(&str) -> Option<String>) -> AnyView {
    let Some(cost) = cost else {
        return view! { <div><dt>"Cost of this run"</dt><dd>"no price known"</dd></div> }.into_any();
    };
    let total = &cost.total_usd;
    // an owned hour is one of the hardware's life, while the run bears its purchase
    let life = (cost.acquisition == Acquisition::Buy).then(|| view! { <small>"over its working life"</small> });
    let buy = cost.capital_usd.as_ref().map(|capital| {
        view! { <div><dt>"To buy it"</dt><dd title=format::money_full(capital.typical)>{figure(why("capital_usd"), format::money(capital.typical))}</dd></div> }
    });
    view! {
        <div class="fact-main">
            <dt>"Cost of this run"<small>{cost.label.clone()}</small></dt>
            <dd title=format::money_full(total.typical)>{figure(why("total_usd"), format::money(total.typical))}<small>{format::money_range(total.low, total.high)}</small></dd>
        </div>
        <div><dt>"Per GPU-hour"{life}</dt><dd>{figure(why("usd_per_gpu_hour"), format::money(cost.usd_per_gpu_hour))}</dd></div>
        {buy}
    }
    .into_any()
}
