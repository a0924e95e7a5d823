//! Share links of a scenario: a new one is shown once.

use crate::backend::{LinkSummary, ScenarioDetail};
use crate::format;
use leptos::prelude::*;

/// The new link, if there is one, the form that makes one, and the links that there are.
pub(super) fn links(scenario: &ScenarioDetail, new: Option<String>) -> AnyView {
    let id = scenario.summary.id.clone();
    let new = new.map(|address| {
        view! {
            <div class="new-link">
                <label for="new-link">"New link. Copy it now: it is shown only this once."</label>
                <div class="field-input">
                    <input class="input" id="new-link" type="text" readonly value=address.clone() />
                    <a class="button" href=address.clone() data-copy=address>"Copy link"</a>
                </div>
            </div>
        }
    });
    let rows: Vec<_> = scenario.links.iter().enumerate().map(|(index, link)| row(&id, index, link)).collect();
    let table = (!rows.is_empty()).then(|| {
        view! {
            <div class="scroll" role="region" tabindex="0" aria-label="Share links">
                <table class="data">
                    <caption class="visually-hidden">"Share links of this scenario"</caption>
                    <thead><tr><th scope="col">"Link"</th><th scope="col" class="n">"Opened"</th><th scope="col">"State"</th></tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
    });
    view! {
        <section class="section section-first" id="links" aria-labelledby="links-heading">
            <h2 id="links-heading">"Share"</h2>
            {new}
            <form method="post" action="/api/fn/create_link" class="inline-form">
                <input type="hidden" name="scenario" value=id />
                <button class="button" type="submit">"Create a share link"</button>
                <span class="quiet">"Anyone with the link sees this frozen plan, without an account. You can revoke it."</span>
            </form>
            {table}
        </section>
    }
    .into_any()
}

fn row(scenario: &str, index: usize, link: &LinkSummary) -> AnyView {
    let made = format!("Made on {}", format::date(&link.created_at));
    let opened = format::plural(link.views as f64, "time", "times");
    let state = if link.revoked {
        view! { <span class="quiet">"Revoked"</span> }.into_any()
    } else {
        let label = format!("Revoke link {}, {}", index + 1, made.to_lowercase());
        view! {
            <form method="post" action="/api/fn/revoke_link">
                <input type="hidden" name="scenario" value=scenario.to_owned() />
                <input type="hidden" name="link" value=link.id.clone() />
                <button class="button button-small" type="submit" aria-label=label>"Revoke"</button>
            </form>
        }
        .into_any()
    };
    view! { <tr><th scope="row">{made}</th><td class="n">{opened}</td><td>{state}</td></tr> }.into_any()
}
