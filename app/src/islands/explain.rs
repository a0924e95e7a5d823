//! The explanation of a figure in a dialog: the page that its button leads to without scripts, fetched and shown here.

use super::{dom, form};
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DomParser, HtmlButtonElement, HtmlDialogElement, HtmlFormElement, Response, SubmitEvent, SupportedType};

/// Attribute of the form of the buttons: the inputs of the newest answer, where that is not what the page came with.
const QUERY: &str = "data-query";

/// Figures are of another answer now, to these inputs.
pub(super) fn is_of(query: &str) {
    if let Some(asked) = dom::find("#why") {
        let _ = asked.set_attribute(QUERY, query);
    }
}

/// Listens for buttons of figures.
pub(super) fn start() {
    let Some(document) = dom::document() else { return };
    leave(&document);
    dom::on(document.unchecked_ref(), "submit", |event| {
        let Some(asked) = event.dyn_ref::<SubmitEvent>().filter(|_| dom::target_within(&event, "#why").is_some())
        else {
            return;
        };
        let (Some(address), Some(dialog)) = (address(asked), dialog()) else { return };
        event.prevent_default();
        spawn_local(async move {
            if show(&dialog, &address).await.is_none()
                && let Some(window) = dom::window()
            {
                // what can't be shown here can be shown there
                let _ = window.location().set_href(&address);
            }
        });
    });
}

/// A link to a field of the form below leaves the dialog.
fn leave(document: &web_sys::Document) {
    dom::on(document.unchecked_ref(), "click", |event| {
        if dom::target_within(&event, "#explained-body a").is_some()
            && let Some(dialog) = dialog()
        {
            dialog.close();
        }
    });
}

fn dialog() -> Option<HtmlDialogElement> {
    dom::find("#explained")?.dyn_into().ok()
}

/// Where the button leads without scripts.
fn address(event: &SubmitEvent) -> Option<String> {
    let button = event.submitter()?.dyn_into::<HtmlButtonElement>().ok()?;
    let asked = event.target()?.dyn_into::<HtmlFormElement>().ok()?;
    let pairs = asked.get_attribute(QUERY).unwrap_or_else(|| form::query(&asked));
    let path = dom::window()?.location().pathname().ok()?;
    let joint = if pairs.is_empty() { "" } else { "&" };
    // keys of figures are letters, digits, dots and dashes
    Some([&path, "?", &pairs, joint, &button.name(), "=", &button.value()].concat())
}

async fn show(dialog: &HtmlDialogElement, address: &str) -> Option<()> {
    let answer = JsFuture::from(dom::window()?.fetch_with_str(address)).await.ok()?.dyn_into::<Response>().ok()?;
    if !answer.ok() {
        return None;
    }
    let text = JsFuture::from(answer.text().ok()?).await.ok()?.as_string()?;
    let page = DomParser::new().ok()?.parse_from_string(&text, SupportedType::TextHtml).ok()?;
    let part = |selector: &str| page.query_selector(selector).ok().flatten();
    let (title, body) = (part("#explanation-title")?, part("#explanation")?);
    dom::find("#explained-title")?.set_text_content(title.text_content().as_deref());
    dom::find("#explained-body")?.set_inner_html(&body.inner_html());
    dom::find("#explained-link")?.set_attribute("href", address).ok()?;
    if !dialog.open() {
        dialog.show_modal().ok()?;
    }
    Some(())
}
