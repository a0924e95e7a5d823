//! Puts an answer into the page.

use super::parts;
use crate::islands::{dom, explain, form};
use crate::server_functions::{Echo, Replan};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlFormElement, HtmlInputElement};

/// Dims the old result while its inputs are no longer those of the form.
pub(super) fn set_waiting(waiting: bool) {
    if let Some(results) = parts::results() {
        let _ = results.class_list().toggle_with_force("is-waiting", waiting);
        let busy = waiting || parts::pending();
        let _ = results.set_attribute("aria-busy", if busy { "true" } else { "false" });
    }
}

/// Ids of the parts that an answer is asked for; none: all.
pub(super) fn wanted() -> Vec<String> {
    parts::wanted()
}

/// New results in place of the old.
pub(super) fn show_results(answer: &Replan) {
    parts::show(answer);
    explain::is_of(&answer.query);
    if let Some(document) = dom::document() {
        document.set_title(&[answer.headline.as_str(), " · Clusterwright"].concat());
    }
}

/// What was understood of each field, and its slider's place; `hand` is the field that a hand is at.
pub(super) fn echo(form: &HtmlFormElement, echoes: &[Echo], hand: Option<&str>) {
    let active = dom::document().and_then(|d| d.active_element());
    for element in dom::all(form, "[data-echo]") {
        let name = element.get_attribute("data-echo").unwrap_or_default();
        let text = echoes.iter().find(|e| e.field == name).map_or("", |e| e.text.as_str());
        if element.text_content().as_deref() != Some(text) {
            element.set_text_content(Some(text));
        }
    }
    for element in dom::all(form, "[data-for]") {
        let name = element.get_attribute("data-for").unwrap_or_default();
        let place = echoes.iter().find(|e| e.field == name).and_then(|e| e.slider);
        // a slider under the hand is never moved
        let held = hand == Some(name.as_str()) && active.as_ref().is_some_and(|a| a.is_same_node(Some(&element)));
        if let (Some(place), false, Some(range)) = (place, held, element.dyn_ref::<HtmlInputElement>()) {
            range.set_value_as_number(f64::from(place));
            if let Some(field) = form::named(form, &name).and_then(|f| f.dyn_into::<HtmlInputElement>().ok()) {
                let _ = range.set_attribute("aria-valuetext", &field.value());
            }
        }
    }
}

/// Errors beside their fields; none clears them.
pub(super) fn show_errors(form: &HtmlFormElement, errors: &[(String, String)]) {
    for element in dom::all(form, "[data-error]") {
        let name = element.get_attribute("data-error").unwrap_or_default();
        let message = errors.iter().find(|(field, _)| *field == name).map(|(_, message)| message.as_str());
        element.set_text_content(message);
        if let Some(field) = form::named(form, &name) {
            let _ = match message {
                Some(_) => field.set_attribute("aria-invalid", "true"),
                None => field.remove_attribute("aria-invalid"),
            };
        }
        if let (Some(_), Ok(Some(group))) = (message, element.closest("details")) {
            let _ = group.set_attribute("open", "");
        }
    }
}

/// A proposed name is of the answer before; without one the plan that is saved names itself.
pub(super) fn forget_proposed_name(form: &Element) {
    let name = form.query_selector("[name=name]").ok().flatten().and_then(|e| e.dyn_into::<HtmlInputElement>().ok());
    if let Some(name) = name.filter(|name| name.value() == name.default_value()) {
        name.set_value("");
    }
}

/// The answer in one line, above the form on narrow screens.
pub(super) fn show_brief(text: &str) {
    if let Some(element) = dom::find("#brief") {
        element.set_text_content(Some(text));
    }
}

/// Tells the answer to those who can't see it.
pub(super) fn announce(answer: &Replan) {
    let text = match answer.errors.as_slice() {
        [] => answer.headline.as_str(),
        [(_, message), ..] => message.as_str(),
    };
    if let Some(announcer) = dom::find("#announcer") {
        announcer.set_text_content(Some(text));
    }
}

/// Shows that the server could not be asked, or takes that back.
pub(super) fn say_trouble(message: Option<&str>) {
    let Some(element) = dom::find("#trouble") else { return };
    element.set_text_content(message);
    let _ = match message {
        Some(_) => element.remove_attribute("hidden"),
        None => element.set_attribute("hidden", ""),
    };
}

/// The form was sent: where it stands above the answer, the answer comes into view.
pub(super) fn show_answer() {
    let (Some(window), Some(results)) = (dom::window(), parts::results()) else { return };
    let height = window.inner_height().ok().and_then(|h| h.as_f64()).unwrap_or(0.0);
    if results.get_bounding_client_rect().top() > height * 0.6 {
        results.scroll_into_view();
    }
}
