//! A shared plan beside the plan that the same inputs have with today's catalog.

use super::{closed, out_of_search, query_of};
use crate::backend::links::SharedPlan;
use crate::components::{Cell, DataTable, tier_name};
use crate::format;
use crate::pages::Description;
use crate::server_functions::links;
use engine::Plan;
use engine::answer::TierPlan;
use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_params_map;

/// The plan behind a share link, and today's.
#[component]
pub fn SharedTodayPage() -> impl IntoView {
    let token = use_params_map().get_untracked().get("token").unwrap_or_default();
    let page = Suspend::new(async move {
        let back = format!("/s/{token}");
        let opened = match links() {
            Ok(links) => links.shared_today(token).await,
            Err(error) => Err(error),
        };
        match opened {
            Ok((shared, today)) => page(&shared, &today, back),
            Err(error) => closed(&error),
        }
    });
    view! { {out_of_search()}{page} }
}

fn page(shared: &SharedPlan, today: &Plan, back: String) -> AnyView {
    let then = &shared.plan;
    let copy = format!("/?{}", query_of(shared));
    let as_shared = format!("As shared, {}", format::date(&shared.as_of));
    let same_engine = then.engine_version == today.engine_version;
    let same = same_engine && then.catalog_version == today.catalog_version;
    let words = match (same, same_engine) {
        (true, _) => format!(
            "Catalog {} and engine {} are the ones of the shared plan: nothing has changed.",
            today.catalog_version, today.engine_version
        ),
        (false, true) => {
            format!("Catalog {} then, {} today; the same inputs.", then.catalog_version, today.catalog_version)
        }
        (false, false) => format!(
            "Catalog {} and engine {} then, {} and {} today; the same inputs.",
            then.catalog_version, then.engine_version, today.catalog_version, today.engine_version
        ),
    };
    let rows = then.tiers.iter().flat_map(|tier| rows(tier, today.tiers.iter().find(|other| other.tier == tier.tier)));
    let head = ["Size", &format!("#{as_shared}"), "#Today", "#Change"].map(str::to_owned).to_vec();
    view! {
        <Title text=format!("{}, with today's prices · Clusterwright", shared.name) />
        <Description text=format!("A shared plan beside the plan that the same inputs have with today's catalog: {}", today.headline) />
        <main class="page" id="main">
            <nav class="crumbs" aria-label="Breadcrumb"><a href=back>"Back to the shared plan"</a></nav>
            <div class="page-head">
                <div>
                    <p class="eyebrow">"Planned again with today's prices"</p>
                    <h1>{shared.name.clone()}</h1>
                </div>
                <p class="actions"><a class="button button-primary" href=copy>"Open today's plan in the planner"</a></p>
            </div>
            <p class="quiet">{words}</p>
            <div class="side-by-side">
                <section aria-labelledby="then-heading"><h2 id="then-heading">{as_shared}</h2><p class="headline">{then.headline.clone()}</p></section>
                <section aria-labelledby="today-heading"><h2 id="today-heading">"Today"</h2><p class="headline">{today.headline.clone()}</p></section>
            </div>
            <section class="section" aria-labelledby="figures-heading">
                <h2 id="figures-heading">"Figure by figure"</h2>
                <DataTable caption="Figures of the shared plan beside today's" head=head rows=rows.collect() class="data-cards" />
            </section>
        </main>
    }
    .into_any()
}

/// What is compared of a size: cluster, time, cost.
fn rows(then: &TierPlan, today: Option<&TierPlan>) -> Vec<Vec<Cell>> {
    let size = tier_name(then.tier);
    let cluster = |tier: &TierPlan| {
        let cluster = tier.cluster.as_ref();
        cluster.map_or_else(
            || "none".to_owned(),
            |c| format!("{} × {}", format::count(f64::from(c.gpus)), c.accelerator_short),
        )
    };
    let (before, after) = (cluster(then), today.map_or_else(|| "none".into(), cluster));
    let changed = if before == after { "same" } else { "another cluster" };
    let days = |tier: &TierPlan| tier.days.as_ref().map(|days| days.typical);
    let cost = |tier: &TierPlan| tier.cost.as_ref().map(|cost| cost.total_usd.typical);
    vec![
        vec![Cell::text(size).note("cluster"), Cell::text(before), Cell::text(after), Cell::text(changed)],
        figure(size, "time", (days(then), today.and_then(days)), Cell::text("no run"), |value| {
            Cell::text(format::days(value))
        }),
        figure(size, "cost of this run", (cost(then), today.and_then(cost)), Cell::text("no price"), Cell::money),
    ]
}

fn figure(
    size: &str,
    name: &str,
    (then, today): (Option<f64>, Option<f64>),
    none: Cell,
    write: impl Fn(f64) -> Cell,
) -> Vec<Cell> {
    let change = match (then, today) {
        (Some(then), Some(today)) if then == today => "same".to_owned(),
        (Some(then), Some(today)) if then > 0.0 => format::percent_signed(today / then - 1.0),
        _ => "—".into(),
    };
    let shown = |value: Option<f64>| value.map_or_else(|| none.clone(), &write);
    vec![Cell::text(size).note(name), shown(then), shown(today), Cell::text(change)]
}
