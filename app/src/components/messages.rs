//! Messages above a page: what was done, what went wrong, which fields to mend.

use super::icons::{Icon, icon};
use crate::flash::Flash;
use crate::inputs::InputErrors;
use leptos::prelude::*;

/// A message with a tone: `good`, `info`, `warning`, `critical`.
#[component]
pub fn Message(
    /// Tone.
    tone: &'static str,
    /// What it says.
    #[prop(into)]
    text: String,
) -> impl IntoView {
    let sign = match tone {
        "good" => Icon::Check,
        "warning" => Icon::Warning,
        "critical" => Icon::Critical,
        _ => Icon::Info,
    };
    let role = if tone == "critical" { "alert" } else { "status" };
    view! { <p class=format!("message message-{tone}") role=role>{icon(sign)}<span>{text}</span></p> }
}

/// What the last form left to say, if anything: an error, or a note that the address carries.
pub fn flash_message(flash: Option<&Flash>) -> Option<impl IntoView + use<>> {
    match flash {
        Some(Flash::Error(text)) => Some(view! { <Message tone="critical" text=text.clone() /> }),
        // what concerns no field of the form
        Some(Flash::Form(form)) => form.error("").map(|text| view! { <Message tone="critical" text=text /> }),
        _ => None,
    }
}

/// The fields that need attention, each a link to it.
#[component]
pub fn ErrorSummary(errors: InputErrors) -> impl IntoView {
    let items = errors.all().iter().map(|(key, message)| {
        let target = format!("#{}", crate::components::planner_form::field_id(key));
        view! { <li><a href=target>{message.clone()}</a></li> }
    });
    let title = errors.brief();
    view! {
        <section class="error-summary" aria-labelledby="error-title">
            <h2 id="error-title">{icon(Icon::Critical)}{title}</h2>
            <ul>{items.collect_view()}</ul>
        </section>
    }
}
