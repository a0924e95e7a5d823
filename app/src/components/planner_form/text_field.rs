//! One text field with its unit, its slider, its echo and its error.

use super::{Control, FormState};
use crate::inputs::{Field, Slider, Unit};
use leptos::prelude::*;

/// The field.
pub(super) fn text_field(state: &FormState<'_>, field: &'static Field) -> AnyView {
    let Control { id, error_id, error, invalid } = Control::of(state, field.key);
    let echo = state.echoes.iter().find(|e| e.field == field.key);
    let ids = [("echo", true), ("help", !field.help.is_empty()), ("error", true)];
    let described =
        ids.iter().filter(|(_, there)| *there).map(|(part, _)| format!("{id}-{part}")).collect::<Vec<_>>().join(" ");
    let help = (!field.help.is_empty()).then(|| view! { <p class="help" id=format!("{id}-help")>{field.help}</p> });
    let slider = field.slider.map(|slider| range(field, slider, echo.and_then(|e| e.slider)));
    view! {
        <div class="field">
            <div class="field-head">
                <label for=id.clone()>{field.label}</label>
                <span class="echo" id=format!("{id}-echo") data-echo=field.key>{echo.map(|e| e.text.clone())}</span>
            </div>
            <div class="field-input">
                <input
                    class="input"
                    id=id.clone()
                    name=field.key
                    value=state.inputs.shown(field.key)
                    type="text"
                    placeholder=field.placeholder()
                    aria-invalid=invalid
                    aria-describedby=described
                />
                <span class="unit" aria-hidden="true">{field.unit.label()}</span>
            </div>
            {slider}
            {help}
            <p class="field-error" id=error_id data-error=field.key>{error}</p>
        </div>
    }
    .into_any()
}

/// The slider of a field: without a name, because the text field is what is sent.
fn range(field: &'static Field, slider: Slider, place: Option<u32>) -> AnyView {
    view! {
        <input
            class="slider js-only"
            type="range"
            min="0"
            max=Slider::END
            step="1"
            value=place.unwrap_or(Slider::END)
            data-for=field.key
            data-min=slider.min
            data-max=slider.max
            data-scale=slider.scale.id()
            data-format=format_id(field.unit)
            aria-label=format!("{}, slider", field.label)
        />
    }
    .into_any()
}

/// How the island writes the value of a slider into its field.
fn format_id(unit: Unit) -> &'static str {
    match unit {
        Unit::Usd => "usd",
        Unit::Share => "percent",
        Unit::Context => "grouped",
        Unit::Tokens | Unit::Gpus => "suffix",
        _ => "plain",
    }
}
