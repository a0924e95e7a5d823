//! The clusters that the field reports recommend: the price then, the cost today, and the way to plan them.

use crate::components::{price_standing, said_price};
use crate::format;
use engine::rules::ReferenceBuild;
use leptos::prelude::*;

/// A card for each.
pub(super) fn cards(builds: &'static [ReferenceBuild]) -> AnyView {
    let cards: Vec<_> = builds.iter().map(card).collect();
    view! {
        <ul class="builds">{cards}</ul>
        <p class="quiet">"Cost today is the purchase of everything: servers with spares, network, storage, racks and installation, low to high by the prices of the catalog."</p>
    }
    .into_any()
}

fn card(build: &'static ReferenceBuild) -> AnyView {
    let capital = build.cost.capital_usd;
    let hour = build.cost.usd_per_used_gpu_hour;
    let note = build.note.clone().map(|note| view! { <p class="quiet">{note}</p> });
    view! {
        <li class="build-card">
            <h3>{build.name.clone()}</h3>
            <p class="quiet">{build.said_for.clone()}</p>
            <dl>
                <div><dt>"The report says"</dt><dd>{said_price(build)}</dd></div>
                <div>
                    <dt>"Today"</dt>
                    <dd title=format::money_full(capital.typical)><b>{format::money(capital.typical)}</b><small>{format::money_range(capital.low, capital.high)}</small></dd>
                </div>
                <div><dt>"So the report is"</dt><dd>{price_standing(build)}</dd></div>
                <div>
                    <dt>"A used device-hour, owned"</dt>
                    <dd>{format::money(hour.typical)}<small>{format::money_range(hour.low, hour.high)}</small></dd>
                </div>
            </dl>
            {note}
            <p class="actions"><a class="button" href=format!("/?{}", build.planner.query)>"Open in the planner"<span class="visually-hidden">{format!(": {}", build.name)}</span></a></p>
        </li>
    }
    .into_any()
}
