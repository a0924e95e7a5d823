//! The form as a query string, and back.

use super::dom;
use wasm_bindgen::JsCast;
use web_sys::{
    Element, FormData, HtmlFormElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement, UrlSearchParams,
};

/// The form of the planner.
pub(super) fn planner() -> Option<HtmlFormElement> {
    dom::find("#planner")?.dyn_into().ok()
}

/// The form as a query string.
pub(super) fn query(form: &HtmlFormElement) -> String {
    let params = FormData::new_with_form(form).and_then(|data| UrlSearchParams::new_with_str_sequence_sequence(&data));
    params.map(|p| String::from(p.to_string())).unwrap_or_default()
}

/// Puts a query string into the form.
pub(super) fn restore(form: &HtmlFormElement, query: &str) {
    let Ok(params) = UrlSearchParams::new_with_str(query) else { return };
    for element in dom::all(form, "[name]") {
        let name = element.get_attribute("name").unwrap_or_default();
        let text = params.get_all(&name).join(",");
        let text = String::from(text);
        match element.dyn_ref::<HtmlInputElement>() {
            Some(input) if input.type_() == "checkbox" => {
                input.set_checked(text.split(',').any(|item| item == input.value()))
            }
            _ => set(&element, &text),
        }
    }
}

/// Sets the value of any kind of field.
pub(super) fn set(element: &Element, text: &str) {
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        input.set_value(text);
    } else if let Some(select) = element.dyn_ref::<HtmlSelectElement>() {
        select.set_value(text);
    } else if let Some(area) = element.dyn_ref::<HtmlTextAreaElement>() {
        area.set_value(text);
    }
}

/// The field of a name; names are keys of ours, without quotes.
pub(super) fn named(form: &HtmlFormElement, name: &str) -> Option<Element> {
    if name.contains(['"', '\\']) {
        return None;
    }
    form.query_selector(&["[name=\"", name, "\"]"].concat()).ok().flatten()
}

/// The element has something in it.
fn is_set(element: &Element) -> bool {
    if let Some(input) = element.dyn_ref::<HtmlInputElement>() {
        return if input.type_() == "checkbox" { input.checked() } else { !input.value().trim().is_empty() };
    }
    if let Some(select) = element.dyn_ref::<HtmlSelectElement>() {
        return !select.value().is_empty();
    }
    element.dyn_ref::<HtmlTextAreaElement>().is_some_and(|area| !area.value().trim().is_empty())
}

/// A model from the list and another model exclude each other: the one changed last counts.
pub(super) fn one_model(form: &HtmlFormElement, changed: &Element) {
    let name = changed.get_attribute("name").unwrap_or_default();
    let others: &[&str] = match name.as_str() {
        "model.preset" if is_set(changed) => {
            &["model.parameters_billion", "model.active_parameters_billion", "model.huggingface"]
        }
        "model.parameters_billion" if is_set(changed) => &["model.preset", "model.huggingface"],
        "model.huggingface" if is_set(changed) => {
            &["model.preset", "model.parameters_billion", "model.active_parameters_billion"]
        }
        _ => return,
    };
    for element in others.iter().filter_map(|name| named(form, name)) {
        set(&element, "");
    }
}

/// The tokens of the worked example go with its method: they leave the form when fine-tuning is chosen and come back with
/// pretraining. Tokens that a hand has touched stay.
pub(super) fn tokens_of_example(form: &HtmlFormElement, changed: &Element) {
    let field = |name: &str| named(form, name).and_then(|element| element.dyn_into::<HtmlInputElement>().ok());
    let (Some(mark), Some(tokens)) = (field("_example"), field("training_tokens")) else { return };
    let name = changed.get_attribute("name").or_else(|| changed.get_attribute("data-for")).unwrap_or_default();
    match name.as_str() {
        "training_tokens" => mark.set_value(""),
        "method" if !mark.value().is_empty() => {
            let example = tokens.default_value();
            tokens.set_value(if is_set(changed) { "" } else { &example });
        }
        _ => {}
    }
}

/// Beside each group: how many of its inputs are set.
pub(super) fn count_groups(form: &HtmlFormElement) {
    for note in dom::all(form, "[data-group]") {
        let Ok(Some(group)) = note.closest("details") else { continue };
        let mut names: Vec<String> =
            dom::all(&group, "[name]").iter().filter(|e| is_set(e)).filter_map(|e| e.get_attribute("name")).collect();
        names.dedup();
        let text = if names.is_empty() { String::new() } else { names.len().to_string() + " set" };
        note.set_text_content(Some(&text));
    }
}
