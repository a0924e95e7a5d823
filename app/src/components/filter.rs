//! A choice of a filter, which is a plain GET form.

use leptos::prelude::*;

/// A list of the form: everything first, then each choice; what is not known stays in sight.
pub fn filter_select(
    id: &str,
    name: &str,
    label: &'static str,
    all: &'static str,
    choices: &[(&str, &str)],
    chosen: &str,
) -> AnyView {
    let is_known = chosen.is_empty() || choices.iter().any(|(id, _)| *id == chosen);
    let unknown = (!is_known)
        .then(|| view! { <option value=chosen.to_owned() selected>{format!("{chosen} (not known)")}</option> });
    let options: Vec<_> = choices
        .iter()
        .map(|(id, label)| view! { <option value=(*id).to_owned() selected=*id == chosen>{(*label).to_owned()}</option> })
        .collect();
    view! {
        <div class="field">
            <label for=id.to_owned()>{label}</label>
            <select class="input select" id=id.to_owned() name=name.to_owned()>
                {unknown}
                <option value="" selected=chosen.is_empty()>{all}</option>
                {options}
            </select>
        </div>
    }
    .into_any()
}
