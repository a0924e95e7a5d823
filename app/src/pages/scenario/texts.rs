//! Name, notes and tags of a scenario, and what else can be done with it.

use crate::backend::{ScenarioDetail, ScenarioSummary};
use crate::components::textarea_text;
use leptos::prelude::*;

/// Tags as links to what else has them, and the notes as the text that they are.
pub(super) fn texts(scenario: &ScenarioSummary) -> AnyView {
    let notes =
        (!scenario.notes.is_empty()).then(|| view! { <p class="notes" dir="auto">{scenario.notes.clone()}</p> });
    view! { {tags(&scenario.tags)}{notes} }.into_any()
}

/// Tags, each a link to the scenarios that have it.
pub(crate) fn tags(tags: &[String]) -> Option<AnyView> {
    let items: Vec<_> = tags
        .iter()
        .map(|tag| {
            let href = format!("/scenarios?tag={}", crate::flash::segment(tag));
            view! { <li><a class="tag" href=href dir="auto">{tag.clone()}</a></li> }
        })
        .collect();
    (!items.is_empty()).then(|| view! { <ul class="tags" aria-label="Tags">{items}</ul> }.into_any())
}

/// Renaming, describing, copying, putting away and deleting.
pub(super) fn manage(scenario: &ScenarioDetail) -> AnyView {
    let scenario = &scenario.summary;
    let id = scenario.id.clone();
    let (action, label) = match scenario.archived {
        true => ("/api/fn/unarchive_scenario", "Take out of the archive"),
        false => ("/api/fn/archive_scenario", "Archive"),
    };
    view! {
        <div class="manage">
            <details class="manage-item" id="rename">
                <summary>"Rename"</summary>
                <form method="post" action="/api/fn/rename_scenario">
                    <input type="hidden" name="id" value=id.clone() />
                    <input type="hidden" name="edition" value=scenario.edition />
                    <label for="rename-name">"New name"</label>
                    <input class="input" id="rename-name" name="name" type="text" required maxlength="120" value=scenario.name.clone() />
                    <button class="button button-primary" type="submit">"Rename"</button>
                </form>
            </details>
            <details class="manage-item" id="describe">
                <summary>"Notes and tags"</summary>
                <form method="post" action="/api/fn/describe_scenario">
                    <input type="hidden" name="id" value=id.clone() />
                    <input type="hidden" name="edition" value=scenario.edition />
                    {describe_fields("describe", &scenario.notes, &scenario.tags.join(", "))}
                    <button class="button button-primary" type="submit">"Save notes and tags"</button>
                </form>
            </details>
            <form class="manage-act" method="post" action="/api/fn/duplicate_scenario">
                <input type="hidden" name="id" value=id.clone() />
                <button class="link-button" type="submit">"Duplicate"</button>
            </form>
            <form class="manage-act" method="post" action=action>
                <input type="hidden" name="id" value=id.clone() />
                <button class="link-button" type="submit">{label}</button>
            </form>
            <details class="manage-item" id="delete">
                <summary>"Delete"</summary>
                <form method="post" action="/api/fn/delete_scenario">
                    <input type="hidden" name="id" value=id />
                    <p>"This deletes the scenario, its versions and its links for good. People who have a link will see that it no longer opens."</p>
                    <button class="button button-danger" type="submit">"Delete for good"</button>
                </form>
            </details>
        </div>
    }
    .into_any()
}

/// The fields of notes and tags; `prefix` keeps their ids apart.
pub(super) fn describe_fields(prefix: &str, notes: &str, tags: &str) -> AnyView {
    let (notes_id, tags_id) = (format!("{prefix}-notes"), format!("{prefix}-tags"));
    view! {
        <label for=notes_id.clone()>"Notes"</label>
        <textarea class="input notes-field" id=notes_id name="notes" rows="6" maxlength="4000" dir="auto">{textarea_text(notes)}</textarea>
        <label for=tags_id.clone()>"Tags, separated by commas"</label>
        <input class="input" id=tags_id name="tags" type="text" maxlength="400" autocomplete="off" value=tags.to_owned() />
    }
    .into_any()
}
