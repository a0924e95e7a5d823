//! The clusters that field reports recommend: their price then against today's, and the way to plan them.

use crate::format;
use engine::rules::{Outcome, ReferenceBuild};
use leptos::prelude::*;

/// What the report says of the price: `$80K–$120K`, `$1M and more`.
pub fn said_price(build: &ReferenceBuild) -> String {
    match build.said_usd.map(|said| (said.low, said.high)) {
        Some((low, Some(high))) => format::money_range(low, high),
        Some((low, None)) => format!("{} and more", format::money(low)),
        None => "no price".into(),
    }
}

/// How the price of the report stands to today's.
pub fn price_standing(build: &ReferenceBuild) -> String {
    let times = build.ratio.map(|ratio| format!("{} times ", format::significant(ratio, 2))).unwrap_or_default();
    match build.outcome {
        Outcome::TooLow => format!("{times}too low"),
        Outcome::TooHigh => format!("{times}too high"),
        Outcome::Agrees => "in line with it".into(),
        Outcome::Contradicted | Outcome::Shown => "not to be compared".into(),
    }
}

/// Links that open the planner on each, folded at the end of the form.
pub(super) fn preset_links(builds: &'static [ReferenceBuild]) -> Option<AnyView> {
    let link = |build: &'static ReferenceBuild| {
        let cost = build.cost.capital_usd;
        let price = format!(
            "{} to buy today ({}); the report said {}, {}",
            format::money(cost.typical),
            format::money_range(cost.low, cost.high),
            said_price(build),
            price_standing(build)
        );
        view! { <li><a href=format!("/?{}", build.planner.query)>{build.name.clone()}</a><small>{price}</small></li> }
    };
    let links: Vec<_> = builds.iter().map(link).collect();
    (!links.is_empty()).then(|| {
        view! {
            <details class="group" id="group-builds">
                <summary>"Start from a reference build"</summary>
                <div class="group-body">
                    <ul class="presets">{links}</ul>
                    <p class="help">"From two field reports. "<a href="/rules#builds">"What they say, checked"</a></p>
                </div>
            </details>
        }
        .into_any()
    })
}
