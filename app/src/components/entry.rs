//! One field of a form of accounts and teams: label, input, help, and what is wrong with it.

use crate::flash::FormFlash;
use leptos::prelude::*;

/// What a field asks for.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Name in the form, and id on the page.
    pub name: &'static str,
    /// Label.
    pub label: &'static str,
    /// `email`, `password` or `text`.
    pub kind: &'static str,
    /// What browsers and password managers fill in.
    pub autocomplete: &'static str,
    /// What to type.
    pub help: &'static str,
    /// Most characters, as browsers count them.
    pub most: u32,
}

/// The field, as it was sent.
pub fn entry(entry: Entry, form: &FormFlash) -> AnyView {
    let error = form.error(entry.name).map(str::to_owned);
    // a reader of the page arrives at the first field that needs attention
    let first = form.fields().next() == Some(entry.name);
    let (help_id, error_id) = (format!("{}-help", entry.name), format!("{}-error", entry.name));
    let described = match (entry.help.is_empty(), error.is_some()) {
        (true, false) => None,
        (true, true) => Some(error_id.clone()),
        (false, false) => Some(help_id.clone()),
        (false, true) => Some(format!("{error_id} {help_id}")),
    };
    let help = (!entry.help.is_empty()).then(|| view! { <p class="help" id=help_id>{entry.help}</p> });
    view! {
        <div class="field">
            <div class="field-head"><label for=entry.name>{entry.label}</label></div>
            <input
                class="input"
                id=entry.name
                name=entry.name
                type=entry.kind
                autocomplete=entry.autocomplete
                autocapitalize="none"
                spellcheck="false"
                required
                maxlength=entry.most
                value=form.value(entry.name).unwrap_or_default().to_owned()
                autofocus=first
                aria-invalid=error.is_some().then_some("true")
                aria-describedby=described
            />
            {help}
            <p class="field-error" id=error_id>{error}</p>
        </div>
    }
    .into_any()
}
