//! Share links of a scenario: making them, changing them, and how each stands. A new address is shown once.

use crate::backend::ScenarioDetail;
use crate::backend::links::{LinkState, LinkSummary};
use crate::components::Message;
use crate::flash::Flash;
use crate::format;
use crate::pages::{has_flag, query_value};
use leptos::prelude::*;

/// Kinds of links, each with what it opens.
const KINDS: [(&str, &str, &str); 3] = [
    ("frozen", "Frozen", "Frozen: this plan as it is now, for good"),
    ("live", "Live", "Live: follows the scenario when you change it"),
    ("feed", "Feed", "Feed: the current figures as data, for a spreadsheet"),
];

const LIVES: [(&str, &str); 4] =
    [("7", "after 7 days"), ("30", "after 30 days"), ("90", "after 90 days"), ("never", "never")];

/// What the last form did, by the flag that the address carries.
const DONE: [(&str, &str); 2] =
    [("paused", "The link is paused: it opens for nobody until you resume it."), ("resumed", "The link opens again.")];

/// The address of a link that was just made or rotated, if one was.
pub(super) fn new_address(flash: Option<&Flash>, origin: &str) -> Option<String> {
    let Some(Flash::Token(token)) = flash else { return None };
    let kind = ["made", "rotated"].map(query_value).into_iter().find(|kind| !kind.is_empty());
    Some(match kind.as_deref() {
        Some("feed") => format!("{origin}/api/v1/feeds/{token}/tiers.csv"),
        _ => format!("{origin}/s/{token}"),
    })
}

/// The new link, if there is one, the form that makes one, and the links that there are.
pub(super) fn links(scenario: &ScenarioDetail, new: Option<String>) -> AnyView {
    let id = scenario.summary.id.clone();
    let done: Vec<_> = DONE
        .iter()
        .filter(|(flag, _)| has_flag(flag))
        .map(|(_, text)| view! { <Message tone="good" text=*text /> })
        .collect();
    let rows: Vec<_> = scenario.links.iter().enumerate().map(|(index, link)| row(&id, index, link)).collect();
    let table = (!rows.is_empty()).then(|| {
        view! {
            <div class="scroll" role="region" tabindex="0" aria-label="Share links">
                <table class="data link-list">
                    <caption class="visually-hidden">"Share links of this scenario"</caption>
                    <thead><tr>
                        <th scope="col">"Link"</th>
                        <th scope="col">"State"</th>
                        <th scope="col" class="n">"Opened"</th>
                        <th scope="col">"Change"</th>
                    </tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
        }
    });
    view! {
        <section class="section section-first" id="links" aria-labelledby="links-heading">
            <h2 id="links-heading">"Share"</h2>
            {done}
            {new.map(shown_once)}
            {create(id)}
            {own_figures(scenario)}
            {address(&scenario.summary.query)}
            {table}
        </section>
    }
    .into_any()
}

fn shown_once(address: String) -> AnyView {
    let say = if address.contains("/api/") {
        "New feed. Copy it now: it is shown only this once, and works in IMPORTDATA, Power Query and the like."
    } else {
        "New link. Copy it now: it is shown only this once."
    };
    view! {
        <div class="new-link">
            <label for="new-link">{say}</label>
            <div class="field-input">
                <input class="input" id="new-link" type="text" readonly value=address.clone() />
                <a class="button" href=address.clone() data-copy=address>"Copy link"</a>
            </div>
        </div>
    }
    .into_any()
}

/// The form that makes a link.
fn create(scenario: String) -> AnyView {
    let kinds: Vec<_> = KINDS.iter().map(|(kind, _, words)| view! { <option value=*kind>{*words}</option> }).collect();
    let lives: Vec<_> = LIVES
        .iter()
        .map(|(days, words)| view! { <option value=*days selected=*days == "30">{*words}</option> })
        .collect();
    view! {
        <form method="post" action="/api/fn/create_link" class="inline-form fields-form">
            <input type="hidden" name="scenario" value=scenario />
            <div class="field field-wide">
                <label for="link-kind">"What it shows"</label>
                <select class="input select" id="link-kind" name="kind">{kinds}</select>
            </div>
            <div class="field">
                <label for="link-label">"Label, for you"</label>
                <input class="input" id="link-label" name="label" type="text" maxlength="80" autocomplete="off" />
            </div>
            <div class="field">
                <label for="link-days">"Ends"</label>
                <select class="input select" id="link-days" name="days">{lives}</select>
            </div>
            <button class="button button-primary" type="submit">"Create a share link"</button>
        </form>
        <p class="quiet">"Whoever has a link sees the plan without an account, and nothing of you or your team. You can pause, replace and revoke it."</p>
    }
    .into_any()
}

/// Figures of the caller's or the team's that a link shows to whoever opens it.
fn own_figures(scenario: &ScenarioDetail) -> Option<AnyView> {
    let count = scenario.plan.overridden.len();
    let figures = match count {
        1 => "one figure of your own, such as a quote".to_owned(),
        many => format!("{many} figures of your own, such as quotes"),
    };
    let text = format!(
        "This plan was made with {figures}: whoever opens a link sees what it is computed with, and the suppliers of quotes."
    );
    (count > 0).then(|| view! { <p class="quiet"><b>"Mind: "</b>{text}</p> }.into_any())
}

/// The fourth way to share: the inputs in the address of the planner.
fn address(query: &str) -> AnyView {
    let address = format!("/?{query}");
    view! {
        <p class="share-address">
            <a class="button" href=address.clone() data-copy=address>"Copy address"</a>
            <span class="quiet">"An address of the planner with these inputs: it needs no link and can't be revoked, and whoever opens it sees the plan of that day."</span>
        </p>
    }
    .into_any()
}

/// `Active, ends in 3 days`.
fn state(link: &LinkSummary) -> String {
    let ends = match (&link.days_left, &link.expires_at) {
        (Some(days), _) if *days <= 1 => "ends within a day".to_owned(),
        (Some(days), _) => format!("expires in {days} days"),
        _ => "never ends".to_owned(),
    };
    match link.state {
        LinkState::Active => format!("Active, {ends}"),
        LinkState::Paused => format!("Paused, {ends}"),
        LinkState::Expired => {
            format!("Expired on {}", link.expires_at.as_deref().map(format::date).unwrap_or_default())
        }
        LinkState::Revoked => "Revoked".into(),
    }
}

fn row(scenario: &str, index: usize, link: &LinkSummary) -> AnyView {
    let kind = KINDS.iter().find(|(id, ..)| *id == link.kind).map_or("", |(_, name, _)| name);
    let made = format!("made on {}", format::date(&link.created_at));
    let name = if link.label.is_empty() { kind.to_owned() } else { link.label.clone() };
    let note = if link.label.is_empty() { made.clone() } else { format!("{kind}, {made}") };
    let opened = format::plural(link.views as f64, "time", "times");
    let last = link.last_view_at.as_deref().map(|last| view! { <small>"last on "{format::date(last)}</small> });
    let button = |action: &'static str, text: &'static str, class: &'static str| {
        let label = format!("{text} link {}, {made}", index + 1);
        view! {
            <form method="post" action=format!("/api/fn/{action}")>
                <input type="hidden" name="scenario" value=scenario.to_owned() />
                <input type="hidden" name="link" value=link.id.clone() />
                <button class=class type="submit" aria-label=label>{text}</button>
            </form>
        }
        .into_any()
    };
    let changes = match link.state {
        LinkState::Active => vec![("pause_link", "Pause"), ("rotate_link", "Replace"), ("revoke_link", "Revoke")],
        LinkState::Paused => vec![("resume_link", "Resume"), ("rotate_link", "Replace"), ("revoke_link", "Revoke")],
        LinkState::Expired => vec![("revoke_link", "Revoke")],
        LinkState::Revoked => Vec::new(),
    };
    let changes: Vec<_> =
        changes.into_iter().map(|(action, text)| button(action, text, "button button-small")).collect();
    let class = if link.state == LinkState::Active { "" } else { "quiet" };
    view! {
        <tr>
            <th scope="row">{name}<small>{note}</small></th>
            <td><span class=class>{state(link)}</span></td>
            <td class="n">{opened}{last}</td>
            <td><div class="row-forms">{changes}</div></td>
        </tr>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_link_is_told_in_words() {
        let link = |state, days_left: Option<u64>| LinkSummary {
            id: "a".into(),
            kind: "frozen".into(),
            label: String::new(),
            state,
            created_at: "2026-11-30T10:00:00Z".into(),
            views: 0,
            last_view_at: None,
            expires_at: days_left.map(|_| "2026-12-03T10:00:00Z".into()),
            days_left,
        };
        for (link, words) in [
            (link(LinkState::Active, None), "Active, never ends"),
            (link(LinkState::Active, Some(3)), "Active, expires in 3 days"),
            (link(LinkState::Paused, Some(1)), "Paused, ends within a day"),
            (link(LinkState::Expired, Some(0)), "Expired on 3 December 2026"),
            (link(LinkState::Revoked, Some(0)), "Revoked"),
        ] {
            assert_eq!(state(&link), words);
        }
    }
}
