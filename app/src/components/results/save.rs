//! Saving the plan of the planner: as a new scenario, or as a new version of the one that its inputs began from.

use crate::backend::prices::BookUse;
use crate::backend::scenarios::{Saving, SavingVersion};
use crate::components::scenario_name;
use crate::inputs::Inputs;
use engine::Plan;
use leptos::prelude::*;

/// The ways to save that the caller has, and the address to copy.
pub(super) fn actions(plan: &Plan, book: Option<&BookUse>, query: &str, saving: &Saving) -> AnyView {
    // an address for others leads to the inputs, and tells nothing of a scenario that they may not see
    let plain = Inputs::from_query(query).plain_query();
    let address = format!("/?{plain}");
    let copy = view! { <a class="button" href=address.clone() data-copy=address>"Copy link to these inputs"</a> };
    if let Some(team) = &saving.viewer_of
        && saving.version.is_none()
    {
        let text = format!(
            "You are a viewer of {team}: viewers look, and do not save. You can copy the address of these inputs instead."
        );
        return view! { <div class="save"><p class="quiet">{text}</p>{copy}</div> }.into_any();
    }
    let quoted = book.is_some_and(|book| !book.keys.is_empty()).then(|| {
        view! { <p class="quiet">"The link to these inputs leaves out your team's quotes: others see the catalog's prices. To share these figures, save and share the scenario."</p> }
    });
    let version = saving.version.as_ref().map(|version| new_version(version, query));
    let label = if version.is_some() { "Save as a new scenario" } else { "Save scenario" };
    let class = if version.is_some() { "button" } else { "button button-primary" };
    let anew = saving.viewer_of.is_none().then(|| {
        view! {
            <label class="visually-hidden" for="save-name">"Name of the scenario"</label>
            <input class="input" id="save-name" name="name" type="text" maxlength="120" autocomplete="off" value=scenario_name(&plan.request) />
            <button class=class type="submit">{label}</button>
        }
    });
    view! {
        {version}
        <form class="save" method="post" action="/api/fn/save_scenario">
            <input type="hidden" name="query" value=query.to_owned() />
            {anew}
            {copy}
            {quoted}
        </form>
    }
    .into_any()
}

fn new_version(version: &SavingVersion, query: &str) -> AnyView {
    let label = format!("Save as a new version of {}", version.name);
    let newer = (version.current > version.base).then(|| {
        let text = format!(
            "Version {} has been saved since version {}, which these inputs began from. Saving shows both first.",
            version.current, version.base
        );
        view! { <p class="quiet">{text}</p> }
    });
    view! {
        <form class="save" method="post" action="/api/fn/save_version">
            <input type="hidden" name="id" value=version.scenario.clone() />
            <input type="hidden" name="base" value=version.base />
            <input type="hidden" name="query" value=query.to_owned() />
            <button class="button button-primary save-version" type="submit">{label}</button>
            {newer}
        </form>
    }
    .into_any()
}
