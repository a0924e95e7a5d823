//! Lists, check boxes and the pasted configuration.

use super::{Control, FormState, labelled};
use crate::components::textarea_text;
use crate::inputs::label;
use engine::catalog::{Catalog, ProviderClass};
use engine::request::{
    Acquisition, Facility, HostOffload, Method, Optimizer, Precision, SoftwareStack, StorageClass, Topology,
};
use leptos::prelude::*;

/// An option of a list: its value (empty for the default) and its name.
type Choice = (&'static str, String);

/// The list of models, by maker.
fn model(state: &FormState<'_>) -> AnyView {
    let models = &Catalog::get().models;
    let mut makers: Vec<&str> = Vec::new();
    for model in models {
        if !makers.contains(&model.maker.as_str()) {
            makers.push(&model.maker);
        }
    }
    let chosen = state.inputs.text("model.preset");
    let groups: Vec<_> = makers
        .into_iter()
        .map(|maker| {
            let options: Vec<_> = models
                .iter()
                .filter(|m| m.maker == maker)
                .map(|m| view! { <option value=m.id.clone() selected=m.id == chosen>{m.label.clone()}</option> })
                .collect();
            view! { <optgroup label=maker.to_owned()>{options}</optgroup> }
        })
        .collect();
    let unknown = unknown(chosen, Catalog::get().model(chosen).is_some());
    let options =
        view! { {unknown}<option value="" selected=chosen.is_empty()>"Another model (see below)"</option>{groups} };
    select(state, "model.preset", options.into_any())
}

/// An input that is no text field.
pub(super) fn choice(state: &FormState<'_>, key: &'static str) -> AnyView {
    match key {
        "model.preset" => model(state),
        "method" => list(state, key, named(Method::ALL, |m| (m.id(), m.label()))),
        "precision" => list(state, key, named(Precision::ALL, |p| (p.id(), p.label()))),
        "optimizer" => list(state, key, named(Optimizer::ALL, |o| (o.id(), o.label()))),
        "host_offload" => list(state, key, named(HostOffload::ALL, |h| (h.id(), h.label()))),
        "facility" => list(state, key, named(Facility::ALL, |f| (f.id(), f.label()))),
        "overrides.topology" => list(state, key, named(Topology::ALL, |t| (t.id(), t.label()))),
        "overrides.storage_class" => list(state, key, named(StorageClass::ALL, |c| (c.id(), c.label()))),
        "software.stack" => list(state, key, named(SoftwareStack::ALL, |s| (s.id(), s.label()))),
        "region" => regions(state),
        "accelerators" => accelerators(state),
        "acquisition" => {
            let boxes = Acquisition::ALL.iter().map(|a| (a.id().to_owned(), a.label().to_owned())).collect();
            check_boxes(state, key, vec![("", boxes)])
        }
        "providers" => providers(state),
        _ => configuration(state),
    }
}

/// Ids and names; the first is the default, which an address leaves out.
fn named<T: Copy>(all: &[T], parts: impl Fn(T) -> (&'static str, &'static str)) -> Vec<Choice> {
    all.iter().map(|item| parts(*item)).map(|(id, label)| (id, label.to_owned())).collect()
}

fn list(state: &FormState<'_>, key: &'static str, choices: Vec<Choice>) -> AnyView {
    let chosen = state.inputs.text(key).to_owned();
    let unknown = unknown(&chosen, choices.iter().any(|(id, _)| *id == chosen));
    let options: Vec<_> = choices
        .into_iter()
        .enumerate()
        .map(|(index, (id, label))| {
            let selected = id == chosen || (index == 0 && chosen.is_empty());
            view! { <option value=if index == 0 { "" } else { id } selected=selected>{label}</option> }
        })
        .collect();
    select(state, key, view! { {unknown}{options} }.into_any())
}

/// A mistyped id stays in sight.
fn unknown(chosen: &str, known: bool) -> Option<impl IntoView + use<>> {
    let text = format!("{chosen} (not known)");
    (!chosen.is_empty() && !known).then(|| view! { <option value=chosen.to_owned() selected>{text}</option> })
}

fn select(state: &FormState<'_>, key: &'static str, options: AnyView) -> AnyView {
    let control = Control::of(state, key);
    let input = view! {
        <select class="input select" id=control.id.clone() name=key aria-invalid=control.invalid aria-describedby=control.error_id.clone()>{options}</select>
    };
    labelled(control, key.to_owned(), label(key).into_any(), input.into_any())
}

fn regions(state: &FormState<'_>) -> AnyView {
    let mut choices: Vec<Choice> = Catalog::get().regions.iter().map(|r| (r.id.as_str(), r.label.clone())).collect();
    // the default comes first
    choices.sort_by_key(|(id, _)| *id != "us-average");
    list(state, "region", choices)
}

fn accelerators(state: &FormState<'_>) -> AnyView {
    let mut groups: Vec<(&str, Vec<(String, String)>)> = Vec::new();
    for a in &Catalog::get().accelerators {
        let item = (a.id.clone(), a.label.trim_start_matches(a.vendor.as_str()).trim().to_owned());
        match groups.iter_mut().find(|(vendor, _)| *vendor == a.vendor) {
            Some((_, items)) => items.push(item),
            None => groups.push((&a.vendor, vec![item])),
        }
    }
    check_boxes(state, "accelerators", groups)
}

fn providers(state: &FormState<'_>) -> AnyView {
    let class = |class: ProviderClass, name: &'static str| {
        let items = Catalog::get().providers.iter().filter(|p| p.class == class);
        (name, items.map(|p| (p.id.clone(), p.label.clone())).collect::<Vec<_>>())
    };
    let groups = vec![
        class(ProviderClass::Hyperscaler, "Hyperscalers"),
        class(ProviderClass::Specialist, "Specialists"),
        class(ProviderClass::Marketplace, "Marketplaces"),
    ];
    check_boxes(state, "providers", groups)
}

fn check_boxes(state: &FormState<'_>, key: &'static str, groups: Vec<(&str, Vec<(String, String)>)>) -> AnyView {
    let control = Control::of(state, key);
    let groups: Vec<_> = groups
        .into_iter()
        .filter(|(_, items)| !items.is_empty())
        .map(|(name, items)| {
            let boxes: Vec<_> = items
                .into_iter()
                .map(|(value, label)| {
                    let checked = state.inputs.lists(key, &value);
                    view! { <label class="check"><input type="checkbox" name=key value=value checked=checked />{label}</label> }
                })
                .collect();
            let name = (!name.is_empty()).then(|| view! { <p class="check-group">{name.to_owned()}</p> });
            view! { {name}<div class="checks">{boxes}</div> }
        })
        .collect();
    view! {
        <fieldset class="field" id=control.id tabindex="-1" aria-describedby=control.error_id>
            <legend>{label(key)}" (none checked: all)"</legend>
            {groups}
            <p class="field-error" id=control.error_id.clone() data-error=key>{control.error}</p>
        </fieldset>
    }
    .into_any()
}

fn configuration(state: &FormState<'_>) -> AnyView {
    let key = "model.huggingface";
    let control = Control::of(state, key);
    let input = view! {
        <textarea class="input" id=control.id.clone() name=key rows="4" spellcheck="false" placeholder="Paste the whole file" aria-invalid=control.invalid aria-describedby=control.error_id.clone()>
            {textarea_text(state.inputs.text(key))}
        </textarea>
    };
    labelled(control, key.to_owned(), label(key).into_any(), input.into_any())
}
