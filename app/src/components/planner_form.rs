//! The inputs of the planner: a plain GET form, whose names are the keys of the API.

mod choices;
mod text_field;

use super::icons::{Icon, icon};
use super::reference_builds::preset_links;
use crate::inputs::origin::{SCENARIO, VERSION};
use crate::inputs::{ESSENTIAL, FIRST, GROUPS, Group, InputErrors, Inputs, name};
use crate::server_functions::Echo;
use engine::rules::ReferenceBuild;
use leptos::prelude::*;

/// What the parts of the form need to know.
pub(super) struct FormState<'a> {
    inputs: &'a Inputs,
    errors: &'a InputErrors,
    echoes: &'a [Echo],
}

/// Id of the element of a field.
pub(super) fn field_id(key: &str) -> String {
    format!("f-{}", key.replace('.', "-"))
}

/// What a control needs for its label, its mark and its message.
pub(super) struct Control {
    id: String,
    error_id: String,
    error: Option<String>,
    invalid: Option<&'static str>,
}

impl Control {
    pub(super) fn of(state: &FormState<'_>, key: &str) -> Self {
        let id = field_id(key);
        let error = state.errors.of(key).map(str::to_owned);
        let invalid = error.is_some().then_some("true");
        Self { error_id: format!("{id}-error"), id, error, invalid }
    }
}

/// A control below its label, with its message.
fn labelled(control: Control, key: String, label: AnyView, input: AnyView) -> AnyView {
    view! {
        <div class="field">
            <div class="field-head"><label for=control.id>{label}</label></div>
            {input}
            <p class="field-error" id=control.error_id data-error=key>{control.error}</p>
        </div>
    }
    .into_any()
}

/// The whole form.
#[component]
pub fn PlannerForm(
    /// What a person typed.
    inputs: Inputs,
    /// What is wrong with it.
    errors: InputErrors,
    /// Clusters to start from.
    #[prop(optional)]
    builds: &'static [ReferenceBuild],
) -> impl IntoView {
    let echoes = inputs.echoes();
    let state = FormState { inputs: &inputs, errors: &errors, echoes: &echoes };
    let first: Vec<_> = FIRST.into_iter().map(|key| choices::choice(&state, key)).collect();
    let essential: Vec<_> = ESSENTIAL.iter().map(|field| text_field::text_field(&state, field)).collect();
    let groups: Vec<_> = GROUPS.into_iter().map(|g| group(&state, g)).collect();
    view! {
        <form id="planner" class="planner-form" method="get" action="/" autocomplete="off" spellcheck="false" novalidate>
            <div class="form-head">
                <h2>"Inputs"</h2>
                <div class="form-tools js-only">
                    <button class="tool" type="button" id="undo" disabled aria-label="Undo the last change of the inputs" title="Undo">{icon(Icon::Undo)}</button>
                    <button class="tool" type="button" id="redo" disabled aria-label="Redo the change of the inputs" title="Redo">{icon(Icon::Redo)}</button>
                    <a class="tool tool-text" href="/">"Reset"</a>
                </div>
            </div>
            {first}
            {essential}
            {groups}
            {others(&state)}
            {preset_links(builds)}
            {price_book(&state)}
            {origin(&state)}
            {of_example(&state)}
            <div class="form-foot no-js">
                <button class="button button-primary" type="submit">"Plan"</button>
                <a class="button" href="/">"Reset to the example"</a>
            </div>
        </form>
    }
}

/// A group of further inputs: open only if something in it needs attention.
fn group(state: &FormState<'_>, group: Group) -> AnyView {
    let keys = || group.fields().iter().map(|f| f.key).chain(group.choices().iter().copied());
    let set = keys().filter(|key| !state.inputs.text(key).is_empty()).count();
    let wrong = keys().any(|key| state.errors.of(key).is_some());
    let note = if set > 0 { format!("{set} set") } else { String::new() };
    let choices: Vec<_> = group.choices().iter().map(|key| choices::choice(state, key)).collect();
    let fields: Vec<_> = group.fields().iter().map(|field| text_field::text_field(state, field)).collect();
    let intro = intro(group).map(|text| view! { <p class="help">{text}{book_link(group)}</p> });
    view! {
        <details class="group" id=group.id() open=wrong>
            <summary>{group.title()}<span class="group-note" data-group=group.id()>{note}</span></summary>
            <div class="group-body">{intro}{choices}{fields}</div>
        </details>
    }
    .into_any()
}

fn intro(group: Group) -> Option<&'static str> {
    match group {
        Group::Model => Some("A size or a config.json instead of a model from the list: choose “Another model” above."),
        Group::Costs => Some("Empty fields take the catalog's figures; what you set here replaces them."),
        _ => None,
    }
}

/// Where figures stand that hold for every plan of a team.
fn book_link(group: Group) -> Option<AnyView> {
    (group == Group::Costs).then(|| {
        view! { " Quotes that hold for every plan of your team belong in its "<a href="/price-book">"price book"</a>"." }
            .into_any()
    })
}

/// The price book of the team is switched off: the form says so too. The way back is beside the answer.
fn price_book(state: &FormState<'_>) -> Option<AnyView> {
    let value = state.inputs.text(Inputs::PRICE_BOOK).to_owned();
    (!value.is_empty()).then(|| view! { <input type="hidden" name=Inputs::PRICE_BOOK value=value /> }.into_any())
}

/// The form begins as the worked example: its tokens are nobody's wish until someone touches them.
fn of_example(state: &FormState<'_>) -> Option<AnyView> {
    state.inputs.is_example().then(|| view! { <input type="hidden" name=Inputs::OF_EXAMPLE value="1" /> }.into_any())
}

/// The scenario that the inputs began from goes along.
fn origin(state: &FormState<'_>) -> Option<AnyView> {
    state.inputs.origin().map(|origin| {
        view! {
            <input type="hidden" name=SCENARIO value=origin.scenario.clone() />
            <input type="hidden" name=VERSION value=origin.version />
        }
        .into_any()
    })
}

/// The name of an input without a field, with its key; what no request has is its key alone.
fn other_label(key: &str) -> AnyView {
    let is_named = ["overrides.", "quotes.", "software.", "model."].iter().any(|known| key.starts_with(known));
    let name = is_named.then(|| view! { {name(key)}" " });
    view! { {name}<code>{key.to_owned()}</code> }.into_any()
}

/// What the address holds beyond the form: shown, kept, and removable.
fn others(state: &FormState<'_>) -> Option<AnyView> {
    let rows: Vec<_> = state
        .inputs
        .others()
        .map(|(key, value)| {
            let control = Control::of(state, key);
            let input = view! {
                <input class="input" id=control.id.clone() name=key.clone() value=value.clone() type="text" aria-invalid=control.invalid aria-describedby=control.error_id.clone() />
            };
            labelled(control, key.clone(), other_label(key), input.into_any())
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <details class="group" id="group-others" open>
                <summary>"Also in the address"</summary>
                <div class="group-body"><p class="help">"Empty a field to drop it."</p>{rows}</div>
            </details>
        }
        .into_any()
    })
}
